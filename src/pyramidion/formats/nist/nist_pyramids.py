"""Pyramids and peer annotations of a package, matched to the texts of its summaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pyramidion.campaign import Campaign, Problems, Topic
from pyramidion.files.problems import Place
from pyramidion.formats.ducview.ducview_campaign import GrowingCampaign
from pyramidion.formats.ducview.ducview_file import DucviewFile, HowToRead, OpenFile, open_file
from pyramidion.formats.ducview.ducview_import import read_files
from pyramidion.formats.ducview.ducview_names import Named, set_of, stem
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.nist_tables import Tables
from pyramidion.formats.nist.nist_texts import NistText
from pyramidion.formats.nist.set_names import parts_of, plain_number
from pyramidion.options import WeightRule
from pyramidion.wording import counted

_SET_IN_NAME = re.compile(r"([A-Za-z]+[0-9]{3,})(?:-([A-C]|AB|A-B))?(?=[-.]|\Z)")


@dataclass
class Pyramids(PackageReader):
    """Reads them all."""

    tables: Tables
    weights: WeightRule

    def read(self, package: Package, texts: Mapping[tuple[str, str], NistText]) -> Campaign:
        """Pyramids and annotations, with the texts of summaries that have no file of their own.

        A file that can't be used is left out: one of hundreds is no reason to import nothing.
        """
        found = {str(one.path): one for one in (*package.all("pyramids"), *package.all("annotations"))}
        noted = Problems()
        read = (open_file(one.file.read(self.problems), Place(noted, one.path)) for one in found.values())
        opened = [each for each in read if each]
        files = read_files(opened, HowToRead())
        noted = _without_repeats(noted, opened)
        growing = GrowingCampaign(noted, texts_are_known=True, weights=self.weights)
        for topic in dict.fromkeys(topic for topic, _ in texts):
            models, peers = (
                {who: one.text for (set, who), one in texts.items() if set == topic and one.name.human == human}
                for human in (True, False)
            )
            growing.know(Topic(topic=topic), models, peers)
        for file in sorted(files, key=lambda each: each.annotation is not None):
            one = found[str(file.path)]
            if file.annotation is None:
                topic = self._topic_of(one, file)
                growing.add_pyramid(file, Named(topic=topic, summarizer="", annotator=self._creator(topic)))
            elif (name := self._named(one, file, noted)) is not None:
                growing.add_annotation(file, name, file.annotation)
        for problem in noted:
            remedy = problem.remedy if problem.severity == "warning" else "It was left out."
            self.problems.add(replace(problem, severity="warning", remedy=remedy))
        self._remark_unmarked(growing, files)
        return growing.finished(name="", warn_unmarked=False)

    def _remark_unmarked(self, growing: GrowingCampaign, files: Iterable[DucviewFile]) -> None:
        if growing.unmarked:
            marked = sum(file.annotation is not None for file in files) - len(growing.unmarked)
            self.problems.remark(
                f"Content that matches no SCU was not marked in {counted(len(growing.unmarked), 'annotation')} "
                f"(marked in {marked}): the number of content units and the original pyramid score can't be computed "
                "for them."
            )

    def _topic_of(self, one: FoundFile, file: DucviewFile) -> str:
        """The set in the headers of the models, else in the file's name."""
        match = _SET_IN_NAME.match(stem(one.path))
        named = f"{match[1]}-{match[2].replace('-', '')}" if match and match[2] else match[1] if match else ""
        header = set_of(file.pyramid.segments)
        if header is not None and not named.endswith("-AB"):
            return self.spell(header.topic)
        return self.spell(named or stem(one.path))

    def _creator(self, topic: str) -> str:
        return self.tables.creators.get(topic) or self.tables.creators.get(parts_of(topic)[0], "")

    def _named(self, one: FoundFile, file: DucviewFile, noted: Problems) -> Named | None:
        if one.name is None:
            one.at(noted).warning(
                found="an annotation without a name like D0601.M.250.A.12.pan",
                expected="a name that says the topic and the summarizer",
                remedy="It was left out; rename the file, or import it by `import ducview`.",
            )
            return None
        header = set_of(file.pyramid.segments)
        topic = self.spell(header.topic if header else one.name.topic)
        who = plain_number(one.name.summarizer)
        if who != one.name.summarizer:
            one.at(noted).warning(
                found=f"the summarizer {one.name.summarizer}",
                expected="numbers without zeros in front",
                remedy=f"It was read as {who}.",
            )
        annotator = one.annotator or next(iter(self.tables.annotators.get((topic, who), [])), "")
        annotator = annotator or self.tables.topic_annotators.get(topic, "")
        return Named(topic=topic, summarizer=who, annotator=annotator, human=one.name.human)


def _without_repeats(noted: Problems, opened: Iterable[OpenFile]) -> Problems:
    """Without what a .pan repeats: it holds a copy of its pyramid, whose repairs are listed for the .pyr alone."""
    sets = {str(file.place.file): file.set.casefold() for file in opened}
    annotations = {str(file.place.file) for file in opened if file.is_annotation}
    listed = {(sets[one.file], one.found) for one in noted if one.file in sets and one.file not in annotations}
    kept = Problems()
    for one in noted:
        repeated = one.file in annotations and (sets[one.file], one.found) in listed
        if not repeated or "startDocumentRegEx" in (one.field or ""):
            kept.add(one)
    return kept

"""Pyramids and peer annotations of a package, matched to the texts of its summaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyramidion.campaign import Campaign, Problems, Topic
from pyramidion.formats.ducview.campaign import GrowingCampaign
from pyramidion.formats.ducview.file import DucviewFile, HowToRead, OpenFile, open_file
from pyramidion.formats.ducview.names import Named, set_of, stem
from pyramidion.formats.ducview.reading import read_files
from pyramidion.formats.nist.find import FoundFile, Package
from pyramidion.formats.nist.names import Spellings, parts_of, plain_number
from pyramidion.formats.nist.tables import Tables
from pyramidion.formats.nist.texts import NistText
from pyramidion.options import WeightRule
from pyramidion.wording import counted

_SET_IN_NAME = re.compile(r"([A-Za-z]+[0-9]{3,})(?:-([A-C]|AB|A-B))?(?=[-.]|\Z)")


@dataclass
class Pyramids:
    """Reads them all."""

    problems: Problems
    spell: Spellings
    tables: Tables
    weights: WeightRule

    def read(self, package: Package, texts: Mapping[tuple[str, str], NistText]) -> Campaign:
        """Pyramids and annotations, with the texts of summaries that have no file of their own."""
        found = [*package.all("pyramids"), *package.all("annotations")]
        by_path = {str(one.path): one for one in found}
        opened = [each for each in map(self._opened, found) if each]
        growing = GrowingCampaign(self.problems, texts_are_known=True, weights=self.weights)
        for topic in dict.fromkeys(topic for topic, _ in texts):
            models, peers = (
                {who: one.text for (set, who), one in texts.items() if set == topic and one.human == human}
                for human in (True, False)
            )
            growing.know(Topic(topic=topic), models, peers)
        files = self._without_repeats(opened)
        for file in sorted(files, key=lambda each: each.annotation is not None):
            one = by_path[str(file.path)]
            if file.annotation is None:
                topic = self._topic_of(one, file)
                named = Named(topic=topic, summarizer="", annotator=self._creator(topic))
                growing.add_pyramid(file, named)
            elif (name := self._named(one, file)) is not None:
                growing.add_annotation(file, name, file.annotation)
        if growing.unmarked:
            marked = sum(file.annotation is not None for file in files) - len(growing.unmarked)
            self.problems.remark(
                f"Content that matches no SCU was not marked in {counted(len(growing.unmarked), 'annotation')} "
                f"(marked in {marked}): the number of content units and the original pyramid score can't be computed "
                "for them."
            )
        return growing.finished(name="", warn_unmarked=False)

    def _opened(self, one: FoundFile) -> OpenFile | None:
        scratch = Problems()
        opened = open_file(one.file.read(self.problems), one.at(scratch))
        for problem in scratch:  # a file that can't be read is left out, not a reason to import nothing
            place = self.problems.at(problem.file, problem.line, problem.field)
            if problem.severity == "error":
                place.warning(problem.found, problem.expected, "The file was left out.")
            else:
                self.problems.add(problem)
        return None if opened is None else OpenFile(one.at(self.problems), opened.root)

    def _without_repeats(self, opened: Iterable[OpenFile]) -> list[DucviewFile]:
        """The files as they are read; a .pan repeats its pyramid, so repairs of parts are listed for the .pyr alone."""
        opened = list(opened)
        before = len(self.problems.kept)
        files = read_files(opened, HowToRead())
        pyramids = {str(file.place.file): file.set.casefold() for file in opened}
        annotations = {str(file.place.file) for file in opened if file.is_annotation}
        new = self.problems.kept[before:]
        listed = {
            (pyramids[one.file], one.found) for one in new if one.file in pyramids and one.file not in annotations
        }
        kept = [
            one
            for one in new
            if one.file not in annotations
            or (pyramids.get(one.file, ""), one.found) not in listed
            or "startDocumentRegEx" in (one.field or "")
        ]
        self.problems.counts["warning"] -= len(new) - len(kept)
        self.problems.kept[before:] = kept
        return files

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

    def _named(self, one: FoundFile, file: DucviewFile) -> Named | None:
        if one.name is None:
            one.at(self.problems).warning(
                "an annotation without a name like D0601.M.250.A.12.pan",
                "a name that says the topic and the summarizer",
                "It was left out; rename the file, or import it by `import ducview`.",
            )
            return None
        header = set_of(file.pyramid.segments)
        topic = self.spell(header.topic if header else one.name.topic)
        who = plain_number(one.name.summarizer)
        if who != one.name.summarizer:
            one.at(self.problems).warning(
                f"the summarizer {one.name.summarizer}", "numbers without zeros in front", f"It was read as {who}."
            )
        annotator = one.annotator or next(iter(self.tables.annotators.get((topic, who), [])), "")
        annotator = annotator or self.tables.topic_annotators.get(topic, "")
        return Named(topic=topic, summarizer=who, annotator=annotator, human=one.name.human)

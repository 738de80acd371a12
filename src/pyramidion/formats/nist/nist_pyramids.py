"""Pyramids and peer annotations of a package, matched to the texts of its summaries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pyramidion.campaign import Campaign, Problems, Topic
from pyramidion.files.problems import Place, Problem
from pyramidion.formats.ducview.ducview_campaign import GrowingCampaign
from pyramidion.formats.ducview.ducview_file import DucviewFile, HowToRead, OpenFile, open_file
from pyramidion.formats.ducview.ducview_import import read_files
from pyramidion.formats.ducview.ducview_names import Named, set_of, stem
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.nist_tables import Tables
from pyramidion.formats.nist.nist_texts import NistText
from pyramidion.formats.nist.set_names import parts_of, plain_number
from pyramidion.options import WeightRule
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

_SET_IN_NAME = re.compile(r"([A-Za-z]+[0-9]{3,})(?:-([A-C]|AB|A-B))?(?=[-.]|\Z)")


@dataclass
class Pyramids(PackageReader):
    """Reads them all."""

    tables: Tables
    weights: WeightRule
    is_marked: bool = False
    """Whether an empty uid 0 means that all content matches, rather than that nobody marked what does not."""
    keeps_joined: bool = False
    """Whether pyramids of joined parts (D1101-AB of TAC 2011) become topics, in which only humans have scores."""

    def read(self, package: Package, texts: Mapping[tuple[str, str], NistText]) -> Campaign:
        """Pyramids and annotations, with the texts of summaries that have no file of their own.

        A file that can't be used is left out: one of hundreds is no reason to import nothing.
        """
        found_files = {str(file.path): file for file in (*package.all("pyramids"), *package.all("annotations"))}
        noted = Problems()
        opened: list[OpenFile] = []
        for found_file in found_files.values():
            open = open_file(found_file.file.read(self.problems), Place(noted, found_file.path))
            if open:
                opened.append(open)
        files = read_files(opened, HowToRead(marked=self.is_marked))
        noted = _without_repeats(noted, opened)
        growing = GrowingCampaign(noted, texts_are_known=True, weights=self.weights)
        _add_texts(growing, texts)
        joined: Counter[str] = Counter()
        # .pyr before .pan: an annotation refers to a pyramid that is there.
        for file in sorted(files, key=lambda file: file.annotation is not None):
            found_file = found_files[str(file.path)]
            if file.annotation is None:
                topic = self._topic_of(found_file, file)
                if self._leaves_out(topic):
                    joined[topic] += 1
                    continue
                growing.add_pyramid(file, Named(topic=topic, summarizer="", annotator=self._creator(topic)))
                continue
            name = self._named(found_file, file, noted)
            if name is not None and self._leaves_out(name.topic):
                joined[name.topic] += 1
            elif name is not None:
                growing.add_annotation(file, name, file.annotation)
        for problem in _join_kinds(noted):
            remedy = problem.remedy if problem.severity == "warning" else "It was left out."
            # One file of hundreds that can't be used must not keep the others out.
            self.problems.add(replace(problem, severity="warning", remedy=remedy))
        self._remark_unmarked(growing, files)
        self._remark_joined(joined)
        return growing.finished(name="", warn_unmarked=False)

    def _remark_unmarked(self, growing: GrowingCampaign, files: Iterable[DucviewFile]) -> None:
        """Note annotations in which content that matches no SCU was not marked."""
        if growing.unmarked:
            marked = sum(file.annotation is not None for file in files) - len(growing.unmarked)
            self.problems.remark(
                f"Content that matches no SCU was not marked in {counted(len(growing.unmarked), 'annotation')} "
                f"(marked in {marked}): the number of content units and the original pyramid score can't be computed "
                "for them."
            )

    def _leaves_out(self, topic: str) -> bool:
        """Whether a topic joins parts: as an ordinary topic it would count twice, and for humans only."""
        _, part = parts_of(topic)
        return len(part) > 1 and not self.keeps_joined

    def _remark_joined(self, joined: Counter[str]) -> None:
        """Note pyramids and annotations of joined parts, which were left out."""
        if joined:
            self.problems.remark(
                f"{counted(joined.total(), 'file')} about joined parts of topics were left out (first {min(joined)}): "
                "pyramids of two parts together, in which systems have no scores. "
                '`option={"joined": "topics"}` keeps them as topics of their own.'
            )

    def _topic_of(self, found_file: FoundFile, file: DucviewFile) -> str:
        """The set in the headers of the models, else in the file's name."""
        name = stem(found_file.path)
        match = _SET_IN_NAME.match(name)
        if match and match[2]:
            name = f"{match[1]}-{match[2].replace('-', '')}"
        elif match:
            name = match[1]
        header = set_of(file.pyramid.segments)
        # Of pyramids of joined parts (TAC 2011) only the name of the file says so.
        if header is None or (match and name.endswith("-AB")):
            return self.spell(name)
        return self.spell(header.topic)

    def _creator(self, topic: str) -> str:
        """The annotator who made the pyramid of a topic; empty if no table says it."""
        set, _ = parts_of(topic)
        return self.tables.creators.get(topic) or self.tables.creators.get(set, "")

    def _named(self, found_file: FoundFile, file: DucviewFile, noted: Problems) -> Named | None:
        """Whose annotation of which summary a file is; None (and a warning) if its name does not say it."""
        if found_file.name is None:
            found_file.at(noted).warning(
                found="an annotation without a name like D0601.M.250.A.12.pan",
                expected="a name that says the topic and the summarizer",
                remedy="It was left out; rename the file, or import it by `import ducview`.",
            )
            return None
        header = set_of(file.pyramid.segments)
        topic = self.spell(header.topic if header else found_file.name.topic)
        summarizer = plain_number(found_file.name.summarizer)
        if summarizer != found_file.name.summarizer:
            found_file.at(noted).warning(
                found=f"the summarizer {found_file.name.summarizer}",
                expected="numbers without zeros in front",
                remedy=f"It was read as {summarizer}.",
            )
        annotators = [
            found_file.annotator,
            *list(self.tables.annotators.get((topic, summarizer), []))[:1],
            self.tables.topic_annotators.get(topic, ""),
        ]
        return Named(
            topic=topic,
            summarizer=summarizer,
            annotator=next(filter(None, annotators), ""),
            human=found_file.name.human,
        )


def _add_texts(growing: GrowingCampaign, texts: Mapping[tuple[str, str], NistText]) -> None:
    """Add the summaries of all topics, so that pyramids refer to their texts."""
    models: dict[str, dict[str, str]] = {}
    peers: dict[str, dict[str, str]] = {}
    for (topic, summarizer), text in texts.items():
        models.setdefault(topic, {})
        peers.setdefault(topic, {})
        side = models if text.name.human else peers
        side[topic][summarizer] = text.text
    for topic in models:
        growing.know(Topic(topic=topic), models[topic], peers[topic])


MOST_OF_A_KIND = 20
"""Problems of one kind in different files that are listed one by one."""


def _join_kinds(noted: Iterable[Problem]) -> Iterator[Problem]:
    """The problems; of a kind that many files have, the first alone, which says in how many it occurs.

    A package has hundreds of .pan files, and what is odd about one is odd about most.
    """
    kinds = grouped(noted, lambda problem: (problem.severity, *problem.kind()[2:], _digits_aside(problem.found)))
    for problems in kinds.values():
        files = {problem.file for problem in problems}
        if len(files) <= MOST_OF_A_KIND:
            yield from problems
            continue
        first = problems[0]
        found = f"{first.found} (and the like in {len(files) - 1} more files)"
        yield replace(first, found=found, count=sum(problem.count for problem in problems))


def _digits_aside(found: str) -> str:
    """What was found without numbers and quoted names, which differ from file to file."""
    return re.sub(r"'[^']*'|\d+", "#", found)


def _without_repeats(noted: Problems, opened: Iterable[OpenFile]) -> Problems:
    """Without what a .pan repeats: it holds a copy of its pyramid, whose repairs are listed for the .pyr alone."""
    sets = {str(file.place.file): file.set.casefold() for file in opened}
    annotations = {str(file.place.file) for file in opened if file.is_annotation}
    listed = {
        (sets[problem.file], problem.found)
        for problem in noted
        if problem.file in sets and problem.file not in annotations
    }
    kept = Problems()
    for problem in noted:
        repeated = problem.file in annotations and (sets[problem.file], problem.found) in listed
        if not repeated or "startDocumentRegEx" in (problem.field or ""):
            kept.add(problem)
    return kept

"""The texts of summaries: which of several copies is taken, and which of two runs (DUC 2006)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from pyramidion.campaign import Problems, Summary, plain
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.set_names import natural, plain_number, year_of
from pyramidion.formats.nist_file_names import NistName
from pyramidion.formats.text_alignment import same_beginning, same_text
from pyramidion.text.sentences import split_sentences
from pyramidion.wording import counted

Run = Literal["judged", "corrected"]
WITHOUT_BREAKS = (2009,)
"""Years in which some texts have no line breaks."""
EXTRAS = "extras"


class NistText(NamedTuple):
    """A summary, and what the name of its file says."""

    summary: Summary
    name: NistName

    @property
    def text(self) -> str:
        """Its text."""
        return plain(self.summary.text)


@dataclass
class Runs:
    """The two runs of an evaluation: texts that assessors judged, and texts that were corrected afterwards.

    The corrected run has no models of its own; a list of lengths that changed comes with it.
    """

    corrected: frozenset[PurePosixPath] = frozenset()
    """The folders that hold a corrected run."""

    @classmethod
    def of(cls, package: Package) -> Runs:
        """Find them."""
        models: dict[PurePosixPath, bool] = {}
        held: dict[PurePosixPath, set[str]] = {}
        for one in package.files:
            if one.role == "texts" and one.name and one.folder in ("peers", "models"):
                root = _above(one, 2)
                held.setdefault(root, set()).add(one.file.name)
                models[root] = models.get(root, False) or one.folder == "models"
        adjusted = {_above(one, 1) for one in package.files if one.file.name == "length_adjustment.txt"}
        corrected = {
            root
            for root, names in held.items()
            for other in held.keys() - {root}
            if names & held[other] and ((root.parent in adjusted) or (models[other] and not models[root]))
        }
        return cls(frozenset(root.parent for root in corrected - {root for root in corrected if models[root]}))

    def of_file(self, one: FoundFile) -> Run:
        """The run that a file belongs to."""
        where = PurePosixPath(one.path.as_posix())
        return "corrected" if any(folder in where.parents for folder in self.corrected) else "judged"


def _above(one: FoundFile, levels: int) -> PurePosixPath:
    return PurePosixPath(one.path.as_posix()).parents[levels - 1]


@dataclass
class Texts(PackageReader):
    """All summaries of a package."""

    run: Run
    runs: Runs
    chosen: dict[tuple[str, str], NistText] = field(default_factory=dict)
    """By topic and summarizer."""

    def read(self, files: Iterable[FoundFile]) -> None:
        """Choose a text for each summary."""
        candidates: dict[tuple[str, str], list[FoundFile]] = {}
        for one in files:
            if one.name is not None:
                key = (self.spell(one.name.topic), plain_number(one.name.summarizer))
                candidates.setdefault(key, []).append(one)
        differing: list[tuple[tuple[str, str], bool]] = []
        split = 0
        for key in sorted(candidates, key=lambda key: (key[0], natural(key[1]))):
            copies = sorted(candidates[key], key=self._preference)
            first, name = copies[0], copies[0].name
            assert name is not None
            text = _clean(first.text(self.problems))
            others = self._others(first, copies[1:])
            self._compare(first, text, others)
            in_runs = {
                self.runs.of_file(one): _clean(one.text(Problems())) for one in reversed(copies) if not name.human
            }
            if len(in_runs) == 2 and not same_text(in_runs["judged"], in_runs["corrected"]):
                differing.append((key, same_beginning(in_runs["judged"], in_runs["corrected"])))
            if year_of(key[0]) in WITHOUT_BREAKS or (first.folder == "models" and "manual" in first.file.folders):
                lines = "\n".join(split_sentences(text))
                split += lines != text
                text = lines
            kind: Literal["model", "peer"] = "model" if name.human else "peer"
            extra = all(one.folder == EXTRAS for one in copies)
            summary = Summary(
                topic=key[0],
                summarizer=key[1],
                kind=kind,
                text=text,
                extra=extra,
            )
            self.chosen[key] = NistText(summary, name)
        if split:
            self.problems.remark(f"Sentences of {counted(split, 'text')} without line breaks were split by rules.")
        if differing:
            self._remark_runs(differing)

    def _preference(self, one: FoundFile) -> tuple[object, ...]:
        """The wanted run first, ROUGE's folder, models before peers, then the copy with the most lines."""
        folders = [folder.lower() for folder in one.file.folders]
        human = one.name is not None and one.name.human
        return (
            not human and self.runs.of_file(one) != self.run,
            one.folder == EXTRAS,
            "manual" in folders[-2:],
            human and one.folder != "models",
            -one.file.read(Problems()).count(b"\n"),
            str(one.path),
        )

    def _others(self, first: FoundFile, copies: Iterable[FoundFile]) -> list[FoundFile]:
        """Copies with other bytes, of the same run."""
        own = first.file.read(Problems())
        run = self.runs.of_file(first)
        return [
            one
            for one in copies
            if one.file.read(Problems()) != own and (self.runs.of_file(one) == run or (one.name and one.name.human))
        ]

    def _compare(self, first: FoundFile, text: str, others: Iterable[FoundFile]) -> None:
        for one in others:
            if not same_text(_clean(one.text(Problems())), text):
                one.at(self.problems).warning(
                    found="another text of the same summary",
                    expected=f"the text of {first.path}",
                    remedy="That one was kept.",
                )

    def _remark_runs(self, differing: list[tuple[tuple[str, str], bool]]) -> None:
        listed = ", ".join(" ".join(key) for key, _ in differing[:6]) + (" …" if len(differing) > 6 else "")
        beginnings = sum(begins for _, begins in differing)
        self.problems.remark(
            f"{counted(len(differing), 'text')} differ between the two runs ({listed}); in {beginnings} of them the "
            f"judged text is the beginning of the corrected one. The {self.run} texts were imported "
            f"(--option texts={'judged' if self.run == 'corrected' else 'corrected'} takes the others)."
        )


def _clean(text: str) -> str:
    """Line by line, without empty lines and white space at the ends of lines."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(line for line in lines if line)


def holes(texts: Mapping[tuple[str, str], NistText]) -> Iterator[tuple[str, str]]:
    """Systems without a text on a topic of their task (with parts, or without)."""
    tasks: dict[str, set[bool]] = {}
    for topic, who in texts:
        tasks.setdefault(who, set()).add("-" in topic)
    topics = dict.fromkeys(topic for topic, _ in texts)
    for who in sorted(tasks, key=natural):
        if who.isdecimal():
            for topic in topics:
                if ("-" in topic) in tasks[who] and (topic, who) not in texts:
                    yield topic, who

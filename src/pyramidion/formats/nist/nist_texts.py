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
        names_by_root: dict[PurePosixPath, set[str]] = {}
        for file in package.files:
            if file.role == "texts" and file.name and file.folder in ("peers", "models"):
                root = _above(file, 2)
                names_by_root.setdefault(root, set()).add(file.file.name)
                models[root] = models.get(root, False) or file.folder == "models"
        adjusted = {_above(file, 1) for file in package.files if file.file.name == "length_adjustment.txt"}
        corrected = {
            root
            for root, names in names_by_root.items()
            for other in names_by_root.keys() - {root}
            if names & names_by_root[other] and ((root.parent in adjusted) or (models[other] and not models[root]))
        }
        return cls(frozenset(root.parent for root in corrected - {root for root in corrected if models[root]}))

    def of_file(self, file: FoundFile) -> Run:
        """The run that a file belongs to."""
        where = PurePosixPath(file.path.as_posix())
        return "corrected" if any(folder in where.parents for folder in self.corrected) else "judged"


def _above(file: FoundFile, levels: int) -> PurePosixPath:
    return PurePosixPath(file.path.as_posix()).parents[levels - 1]


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
        for file in files:
            if file.name is not None:
                key = (self.spell(file.name.topic), plain_number(file.name.summarizer))
                candidates.setdefault(key, []).append(file)
        differing: list[tuple[tuple[str, str], bool]] = []
        split = 0
        for key in sorted(candidates, key=lambda key: (key[0], natural(key[1]))):
            copies = sorted(candidates[key], key=self._preference)
            first, name = copies[0], copies[0].name
            assert name is not None
            text = _clean(first.text(self.problems))
            other_copies = self._others(first, copies[1:])
            self._compare(first, text, other_copies)
            in_runs = {
                self.runs.of_file(copy): _clean(copy.text(Problems())) for copy in reversed(copies) if not name.human
            }
            if len(in_runs) == 2 and not same_text(in_runs["judged"], in_runs["corrected"]):
                differing.append((key, same_beginning(in_runs["judged"], in_runs["corrected"])))
            if year_of(key[0]) in WITHOUT_BREAKS or (first.folder == "models" and "manual" in first.file.folders):
                lines = "\n".join(split_sentences(text))
                split += lines != text
                text = lines
            kind: Literal["model", "peer"] = "model" if name.human else "peer"
            extra = all(copy.folder == EXTRAS for copy in copies)
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

    def _preference(self, file: FoundFile) -> tuple[object, ...]:
        """The wanted run first, ROUGE's folder, models before peers, then the copy with the most lines."""
        folders = [folder.lower() for folder in file.file.folders]
        human = file.name is not None and file.name.human
        return (
            not human and self.runs.of_file(file) != self.run,
            file.folder == EXTRAS,
            "manual" in folders[-2:],
            human and file.folder != "models",
            -file.file.read(Problems()).count(b"\n"),
            str(file.path),
        )

    def _others(self, first: FoundFile, copies: Iterable[FoundFile]) -> list[FoundFile]:
        """Copies with other bytes, of the same run."""
        content = first.file.read(Problems())
        run = self.runs.of_file(first)
        return [
            copy
            for copy in copies
            if copy.file.read(Problems()) != content
            and (self.runs.of_file(copy) == run or (copy.name and copy.name.human))
        ]

    def _compare(self, first: FoundFile, text: str, copies: Iterable[FoundFile]) -> None:
        for other in copies:
            if not same_text(_clean(other.text(Problems())), text):
                other.at(self.problems).warning(
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
    for topic, summarizer in texts:
        tasks.setdefault(summarizer, set()).add("-" in topic)
    topics = dict.fromkeys(topic for topic, _ in texts)
    for summarizer in sorted(tasks, key=natural):
        if summarizer.isdecimal():
            for topic in topics:
                if ("-" in topic) in tasks[summarizer] and (topic, summarizer) not in texts:
                    yield topic, summarizer

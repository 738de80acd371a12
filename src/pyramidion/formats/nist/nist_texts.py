"""The texts of summaries: which of several copies is taken, and which of two runs (DUC 2006)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal, NamedTuple

from pyramidion.campaign import Problems, Summary, plain
from pyramidion.errors import mention
from pyramidion.formats.nist.find import FoundFile, Package, PackageReader
from pyramidion.formats.nist.set_names import natural, plain_number, year_of
from pyramidion.formats.nist_file_names import NistName
from pyramidion.formats.text_alignment import same_beginning, same_text
from pyramidion.show.wording import counted
from pyramidion.text.sentences import split_sentences

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
class EvaluationRuns:
    """The two runs of an evaluation: texts that assessors judged, and texts that were corrected afterwards.

    The corrected run has no models of its own; a list of lengths that changed comes with it.
    """

    corrected: frozenset[PurePosixPath] = frozenset()
    """The folders that hold a corrected run."""

    @classmethod
    def of(cls, package: Package) -> EvaluationRuns:
        """Find them."""
        names_by_root: dict[PurePosixPath, set[str]] = {}
        roots_with_models: set[PurePosixPath] = set()
        for file in package.files:
            if file.role != "texts" or not file.name or file.folder not in ("peers", "models"):
                continue
            root = _above(file, 2)
            names_by_root.setdefault(root, set()).add(file.file.name)
            if file.folder == "models":
                roots_with_models.add(root)
        adjusted = {_above(file, 1) for file in package.files if file.file.name == "length_adjustment.txt"}
        # The first run of 2006 cut 254 summaries too early; NISTeval2 has them whole. Assessors saw the short ones,
        # so both are needed, and folders may have been renamed: they are told apart by what they hold.
        corrected: set[PurePosixPath] = set()
        for root in names_by_root.keys() - roots_with_models:
            twins = [
                other
                for other, names in names_by_root.items()
                if other != root and not names.isdisjoint(names_by_root[root])
            ]
            has_judged_twin = any(twin in roots_with_models for twin in twins)
            if has_judged_twin or (twins and root.parent in adjusted):
                corrected.add(root.parent)
        return cls(frozenset(corrected))

    def of_file(self, file: FoundFile) -> Run:
        """The run that a file belongs to."""
        folders = PurePosixPath(file.path.as_posix()).parents
        if self.corrected.isdisjoint(folders):
            return "judged"
        return "corrected"


def _above(file: FoundFile, levels: int) -> PurePosixPath:
    """The folder so many levels above a file."""
    return PurePosixPath(file.path.as_posix()).parents[levels - 1]


@dataclass
class PackageTexts(PackageReader):
    """All summaries of a package."""

    run: Run
    runs: EvaluationRuns
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
            self._compare(first, text, self._differing_copies(first, copies[1:]))
            # Models are the same in both runs.
            if not name.human:
                texts = {self.runs.of_file(copy): _clean(copy.text(Problems())) for copy in reversed(copies)}
                if len(texts) == 2 and not same_text(texts["judged"], texts["corrected"]):
                    differing.append((key, same_beginning(texts["judged"], texts["corrected"])))
            # TAC 2008 repeats the models under manual/models with all sentences on one line.
            is_typed_by_hand = first.folder == "models" and "manual" in first.file.folders
            if is_typed_by_hand or year_of(key[0]) in WITHOUT_BREAKS:
                lines = "\n".join(split_sentences(text))
                split += lines != text
                text = lines
            topic, summarizer = key
            summary = Summary(
                topic=topic,
                summarizer=summarizer,
                kind=name.kind,
                text=text,
                # DUC 2005 has human summaries that were judged, but were no models of ROUGE.
                extra=all(copy.folder == EXTRAS for copy in copies),
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
            # The copies there have lost their line breaks: those of ROUGE's folder are better.
            "manual" in folders[-2:],
            human and file.folder != "models",
            # Of copies that are equal otherwise, the one that kept its line breaks.
            -file.file.read(Problems()).count(b"\n"),
            str(file.path),
        )

    def _differing_copies(self, first: FoundFile, copies: Iterable[FoundFile]) -> list[FoundFile]:
        """Copies with other bytes, of the same run."""
        content = first.file.read(Problems())
        run = self.runs.of_file(first)
        differing: list[FoundFile] = []
        for copy in copies:
            is_human = copy.name is not None and copy.name.human
            is_of_run = is_human or self.runs.of_file(copy) == run
            if is_of_run and copy.file.read(Problems()) != content:
                differing.append(copy)
        return differing

    def _compare(self, first: FoundFile, text: str, copies: Iterable[FoundFile]) -> None:
        """Warn about copies of a summary that have another text."""
        for other in copies:
            if not same_text(_clean(other.text(Problems())), text):
                other.at(self.problems).warning(
                    found="another text of the same summary",
                    expected=f"the text of {first.path}",
                    remedy="That one was kept.",
                )

    def _remark_runs(self, differing: list[tuple[tuple[str, str], bool]]) -> None:
        """Note the texts that differ between the two runs, and which of them were taken."""
        shown_keys = [" ".join(key) for key, _ in differing[:6]]
        listed = ", ".join(shown_keys)
        if len(differing) > 6:
            listed = f"{listed} …"
        beginnings = sum(begins for _, begins in differing)
        other_run = "judged" if self.run == "corrected" else "corrected"
        self.problems.remark(
            f"{counted(len(differing), 'text')} differ between the two runs ({listed}); in {beginnings} of them the "
            f"judged text is the beginning of the corrected one. The {self.run} texts were imported "
            f"({mention('option', {'texts': other_run})} takes the others)."
        )


def _clean(text: str) -> str:
    """Line by line, without empty lines and white space at the ends of lines."""
    # Not splitlines, which also breaks at form feeds and other characters that a text may hold.
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(line for line in lines if line)


def holes(texts: Mapping[tuple[str, str], NistText]) -> Iterator[tuple[str, str]]:
    """Systems without a text on a topic of their task (with parts, or without)."""
    tasks: dict[str, set[bool]] = {}
    for topic, summarizer in texts:
        # DUC 2007 has two tasks with different systems: a system is missing only where it took part.
        tasks.setdefault(summarizer, set()).add("-" in topic)
    topics = dict.fromkeys(topic for topic, _ in texts)
    for summarizer in sorted(tasks, key=natural):
        if summarizer.isdecimal():
            for topic in topics:
                if ("-" in topic) in tasks[summarizer] and (topic, summarizer) not in texts:
                    yield topic, summarizer

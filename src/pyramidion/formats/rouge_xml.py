"""rouge-xml: a ROUGE-EVAL configuration with its SPL, SEE, ISI or SIMPLE texts; export writes one with SPL texts.

An EVAL is a topic, an M a model, a P a peer. Several EVALs over the same peer files with different models are the
leave-one-out evaluations of one topic: each stays a topic of its own, all with the same `parent`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.campaign import Campaign, Problems, Summary, Topic
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.base import Format, head_of, is_file
from pyramidion.formats.nist_names import parse_nist_name
from pyramidion.formats.rouge_config import Entry, Evaluation, parse_configuration
from pyramidion.formats.rouge_texts import TEXT_TYPES, FileFinder, TextFiles, TextType, text_type
from pyramidion.formats.rouge_xml_export import write

_OPENING = re.compile(rb"\s*<(?:.*?<)?(?:ROUGE-EVAL|EVAL)[\s/>]", re.IGNORECASE | re.DOTALL)


def detect(path: Path) -> bool:
    """Whether the file is XML with a ROUGE-EVAL or EVAL element near its start."""
    head = head_of(path).replace(b"\0", b"").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return _OPENING.match(head) is not None


def read(path: Path, problems: Problems, *, folder: Path | str = ".") -> Campaign:
    """The campaign that the configuration describes.

    Args:
        path: the XML file.
        problems: takes errors (a model is missing) and warnings (a peer is missing, something was mended).
        folder: what relative roots are relative to; the working folder, as for ROUGE-1.5.5.
    """
    evaluations = _distinct(parse_configuration(path, problems), path, problems)
    finder = FileFinder(configuration=path, folder=Path(folder), problems=problems)
    reading = _Reading(path=path, problems=problems, bases=_bases(evaluations, finder))
    for evaluation in evaluations:
        reading.add(evaluation)
    return reading.campaign()


@dataclass(frozen=True, kw_only=True)
class _Text:
    """An entry with its text."""

    id: str
    path: Path
    sentences: tuple[str, ...]


@dataclass(kw_only=True)
class _Item:
    """An evaluation with its texts."""

    id: str
    models: list[_Text]
    peers: list[_Text]

    @property
    def model_paths(self) -> frozenset[Path]:
        return frozenset(model.path for model in self.models)


def _named(root: str, entry: Entry) -> str:
    """The path as ROUGE-1.5.5 puts it together: an absolute name under a root stays under it."""
    return f"{root}/{entry.file}" if root else entry.file


def _bases(evaluations: Iterable[Evaluation], finder: FileFinder) -> dict[str, Path]:
    """For each root the folder that it is relative to."""
    names: dict[str, list[str]] = defaultdict(list)
    lines: dict[str, int] = {}
    for evaluation in evaluations:
        for root, entries in ((evaluation.peer_root, evaluation.peers), (evaluation.model_root, evaluation.models)):
            names[root] += [_named(root, entry) for entry in entries if entry.file]
            lines.setdefault(root, evaluation.line)
    return {root: finder.base_of(found, what=f"the root {root!r}", line=lines[root]) for root, found in names.items()}


def _distinct(evaluations: Iterable[Evaluation], path: Path, problems: Problems) -> list[Evaluation]:
    """Without evaluations whose ID came before; the original would pour them into one."""
    first: dict[str, Evaluation] = {}
    for evaluation in evaluations:
        known = first.setdefault(evaluation.id, evaluation)
        if known is not evaluation:
            problems.add(
                "error",
                file=path,
                line=evaluation.line,
                field="EVAL ID",
                found=f"{shorten(evaluation.id)} again (first on line {known.line})",
                expected="each EVAL ID once",
                remedy="Give the evaluation an ID of its own.",
            )
    return list(first.values())


@dataclass(kw_only=True)
class _Reading:
    """The campaign as it grows."""

    path: Path
    problems: Problems
    bases: dict[str, Path]
    items: list[_Item] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.files = TextFiles(self.problems)

    def add(self, evaluation: Evaluation) -> None:
        type = self._type(evaluation)
        if type is None:
            return
        for role, entries in (("peers", evaluation.peers), ("models", evaluation.models)):
            if not entries:
                self._note(
                    "warning",
                    evaluation.line,
                    f'EVAL ID="{evaluation.id}"',
                    f"no {role}",
                    f"at least one of the {role}",
                    "The topic gets no score.",
                )
        models = self._texts(evaluation.models, evaluation.model_root, type, "M")
        peers = self._texts(evaluation.peers, evaluation.peer_root, type, "P")
        self.items.append(_Item(id=evaluation.id, models=list(models), peers=list(peers)))

    def _type(self, evaluation: Evaluation) -> TextType | None:
        if not evaluation.type:
            self._note(
                "warning",
                evaluation.line,
                "INPUT-FORMAT",
                f"no INPUT-FORMAT in EVAL {shorten(evaluation.id)}",
                '<INPUT-FORMAT TYPE="SPL">',
                "Its texts were read as SPL, one sentence per line.",
            )
            return "SPL"
        type = text_type(evaluation.type)
        if type is None:
            self._note(
                "error",
                evaluation.line,
                "INPUT-FORMAT",
                shorten(evaluation.type),
                " or ".join(TEXT_TYPES),
                "Correct the TYPE.",
            )
        return type

    def _texts(self, entries: Iterable[Entry], root: str, type: TextType, tag: str) -> Iterator[_Text]:
        first: dict[str, Entry] = {}
        for entry in entries:
            known = first.setdefault(entry.id, entry)
            at = f'{tag} ID="{entry.id}"'
            if known is not entry:
                self._note(
                    "error",
                    entry.line,
                    at,
                    f"the ID again (first on line {known.line})",
                    f"each {tag} ID once in an EVAL",
                    "Give it an ID of its own, or remove it.",
                )
                continue
            path = self.bases[root] / _named(root, entry)
            if not entry.file or not is_file(path):
                missing = f"no file {path}" if entry.file else "no file name"
                if tag == "M":
                    self._note("error", entry.line, at, missing, "the model's text", "Add the file or remove the M.")
                else:
                    self._note(
                        "warning", entry.line, at, missing, "the peer's text", "The peer was skipped; it is not scored."
                    )
                continue
            sentences = self.files.read(path, type)
            if sentences is not None:
                yield _Text(id=entry.id, path=path.resolve(), sentences=sentences)

    def campaign(self) -> Campaign:
        """All evaluations as topics."""
        self._drop_own_models()
        renamed = self._renamed_models()
        parents = _parents(self.items)
        topics = []
        summaries: list[Summary] = []
        for item in self.items:
            parent, left_out = parents.get(item.id, ("", ""))
            topics.append(
                Topic(topic=item.id, parent=parent, attributes={"left_out": left_out} if left_out else {}),
            )
            summaries += [
                Summary(topic=item.id, summarizer=renamed.get(text.id, text.id), kind="model", text=text.sentences)
                for text in item.models
            ]
            summaries += [
                Summary(topic=item.id, summarizer=text.id, kind="peer", text=text.sentences) for text in item.peers
            ]
        return Campaign(name=self.path.stem, topics=tuple(topics), summaries=tuple(summaries))

    def _drop_own_models(self) -> None:
        """A human peer that is also among the models of its EVAL is kept as model; leave-one-out scores it."""
        for item in self.items:
            models = {model.id: model for model in item.models}
            for peer in list(item.peers):
                model = models.get(peer.id)
                if model is not None and _same_summary(peer.path, model.path):
                    item.peers.remove(peer)
                    self._note(
                        "warning",
                        None,
                        f'EVAL ID="{item.id}"',
                        f"the model {peer.id!r} among its own peers",
                        "a peer that is not compared with itself",
                        "It was kept as a model; --peers humans scores it against the others.",
                    )

    def _renamed_models(self) -> dict[str, str]:
        """New names for models whose ID is also that of an unrelated peer of their EVAL."""
        taken = {text.id for item in self.items for text in (*item.models, *item.peers)}
        renamed: dict[str, str] = {}
        for item in self.items:
            peers = {peer.id for peer in item.peers}
            for model in item.models:
                if model.id in peers and model.id not in renamed:
                    name = f"M.{model.id}"
                    while name in taken:
                        name = f"M.{name}"
                    taken.add(name)
                    renamed[model.id] = name
                    self._note(
                        "warning",
                        None,
                        f'EVAL ID="{item.id}"',
                        f"the ID {model.id!r} for a peer and for another summarizer's model",
                        "an ID for each summarizer",
                        f"The model's summarizer was called {name!r}.",
                    )
        return renamed

    def _note(self, severity: Severity, line: int | None, at: str, found: str, expected: str, remedy: str) -> None:
        self.problems.add(
            severity,
            file=self.path,
            line=line,
            field=at,
            found=found,
            expected=expected,
            remedy=remedy,
        )


def _same_summary(peer: Path, model: Path) -> bool:
    """One file, or the same human's file by its NIST name in two folders."""
    name = parse_nist_name(peer.name)
    return peer == model or (name is not None and name.human and peer.name == model.name)


def _parents(items: Iterable[_Item]) -> dict[str, tuple[str, str]]:
    """By EVAL ID: the parent that leave-one-out evaluations share, and the one model that was left out, if one was.

    Evaluations belong together when they share a peer's file (one with text: an empty file may stand in for every
    missing summary) and do not all have the same models.
    """
    group: dict[Path, list[_Item]] = {}
    groups: dict[str, list[_Item]] = {}
    for item in items:
        mine = [item]
        for peer in item.peers:
            other = group.get(peer.path) if any(peer.sentences) else None
            if other is not None and other is not mine:
                for moved in other:
                    groups[moved.id] = mine
                mine[:0] = other
                for path in {peer.path for moved in other for peer in moved.peers if any(peer.sentences)}:
                    group[path] = mine
        groups[item.id] = mine
        for peer in item.peers:
            if any(peer.sentences):
                group[peer.path] = mine
    parents: dict[str, tuple[str, str]] = {}
    for together in {id(found): found for found in groups.values()}.values():
        if len({item.model_paths for item in together}) > 1:
            parent = _parent_name(together)
            everyone = {model.id for item in together for model in item.models}
            for item in together:
                left_out = everyone - {model.id for model in item.models}
                parents[item.id] = (parent, left_out.pop() if len(left_out) == 1 else "")
    return parents


def _parent_name(items: list[_Item]) -> str:
    """NIST's name of the topic if the files have one, else the first EVAL's ID."""
    names = [parse_nist_name(peer.path.name) for item in items for peer in item.peers]
    topics = {name.topic if name else None for name in names}
    topic = topics.pop() if len(topics) == 1 else None
    return topic or items[0].id


FORMAT = Format(
    name="rouge-xml",
    description="ROUGE-1.5.5's XML configuration with its SPL, SEE, ISI or SIMPLE texts",
    detector=detect,
    reader=read,
    writer=write,
    options={"folder": "what relative roots are relative to (default: the working folder)"},
)

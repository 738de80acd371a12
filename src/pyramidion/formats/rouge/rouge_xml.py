"""rouge-xml: a ROUGE-EVAL configuration with its SPL, SEE, ISI or SIMPLE texts; export writes one with SPL texts.

An EVAL is a topic, an M a model, a P a peer. Several EVALs over the same peer files with different models are the
leave-one-out evaluations of one topic: each stays a topic of its own, as for ROUGE-1.5.5, all with the same `parent`;
with `evaluations=joined` those with NIST's IDs become one topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pyramidion.campaign import Campaign, Problems, Summary, Topic
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.nist_file_names import parse_nist_name
from pyramidion.formats.rouge.roots import find_roots, path_of
from pyramidion.formats.rouge.rouge_configuration import RougeEntry, RougeEvaluation, parse_configuration
from pyramidion.formats.rouge.rouge_export import write
from pyramidion.formats.rouge.rouge_texts import TEXT_TYPES, TextFiles, TextType, text_type
from pyramidion.formats.text_files import is_file

_OPENING = re.compile(rb"\s*<(?:.*?<)?(?:ROUGE-EVAL|EVAL)[\s/>]", re.IGNORECASE | re.DOTALL)


def detect(glimpse: Glimpse) -> bool:
    """Whether the file is XML with a ROUGE-EVAL or EVAL element near its start."""
    return _OPENING.match(glimpse.xml_head) is not None


def read(
    path: Path,
    problems: Problems,
    *,
    folder: Path | str = ".",
    self: Literal["keep", "leave-out"] = "keep",
    evaluations: Literal["apart", "joined"] = "apart",
) -> Campaign:
    """The campaign that the configuration describes.

    Args:
        path: the XML file.
        problems: takes errors (a model is missing) and warnings (a peer is missing, something was repaired).
        folder: the folder that relative roots start from; the working folder, as for ROUGE-1.5.5.
        self: a peer that is also a model of its EVAL: "keep" both, as ROUGE-1.5.5 scores it, or "leave-out" the peer.
        evaluations: NIST's leave-one-out EVALs: a topic each ("apart"), or one topic with all models ("joined").
    """
    at = Place(problems, path)
    lines: dict[str, int] = {}
    first_evaluations: list[RougeEvaluation] = []
    for evaluation in parse_configuration(path, problems):
        expected, remedy = "each EVAL ID once", "Give the evaluation its own ID."
        here = at.at(evaluation.line, "EVAL ID")
        if here.is_first(lines, evaluation.id, shorten(evaluation.id), expected=expected, remedy=remedy):
            first_evaluations.append(evaluation)
    reader = _EvaluationReader(at, find_roots(first_evaluations, Path(folder), at), TextFiles(problems))
    items: list[_Item] = []
    for evaluation in first_evaluations:
        texts = reader.texts(evaluation)
        if texts is not None:
            items.append(_Item(evaluation.id, *texts))
    if evaluations == "joined":
        items = _join_jackknifed(items)
    if self == "leave-out":
        _drop_own_models(items, at)
    return _campaign(items, _rename_models(items, at), path)


@dataclass(frozen=True)
class _Text:
    """An entry with its text."""

    id: str
    path: Path
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class _Item:
    """An evaluation with its texts."""

    id: str
    models: list[_Text]
    peers: list[_Text]
    attributes: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def model_ids(self) -> set[str]:
        """The IDs of the models."""
        return {model.id for model in self.models}

    @property
    def model_paths(self) -> frozenset[Path]:
        """The files of the models."""
        return frozenset(model.path for model in self.models)


def _join_jackknifed(items: list[_Item]) -> list[_Item]:
    """Leave-one-out evaluations with NIST's IDs as one topic each: all models, and each system once.

    A left-out human is a peer of one evaluation and a model of the others: a model.
    """
    joined: dict[str, _Item] = {}
    for item in items:
        name = parse_nist_name(f"{item.id}.1")
        if name is None or not name.left_out:
            joined[item.id] = item
            continue
        attributes: dict[str, str | int] = {"jackknife": "yes", "length": name.length, "selector": name.selector}
        # No EVAL ID holds a zero byte: the key can't be that of another evaluation.
        topic_item = joined.setdefault(f"{name.topic}\0", _Item(name.topic, [], [], attributes))
        for texts, more in ((topic_item.models, item.models), (topic_item.peers, item.peers)):
            ids = {text.id for text in texts}
            texts += [text for text in more if text.id not in ids]
    for item in joined.values():
        if item.attributes:
            model_ids = item.model_ids
            item.peers[:] = [peer for peer in item.peers if peer.id not in model_ids]
    return list(joined.values())


@dataclass(frozen=True)
class _EvaluationReader:
    """What the entries of an evaluation are read with."""

    at: Place
    roots: dict[str, str]
    files: TextFiles

    def texts(self, evaluation: RougeEvaluation) -> tuple[list[_Text], list[_Text]] | None:
        """Models and peers; None if their type is not known."""
        type = self._type(evaluation)
        if type is None:
            return None
        for role, entries in (("peers", evaluation.peers), ("models", evaluation.models)):
            if not entries:
                here = self.at.at(evaluation.line, f'EVAL ID="{evaluation.id}"')
                here.warning(
                    found=f"no {role}",
                    expected=f"at least one of the {role}",
                    remedy="The topic gets no score.",
                )
        model_roots = dict.fromkeys(entry.root for entry in evaluation.models)
        models = self._texts(evaluation.models, type, "M")
        peers = self._texts(evaluation.peers, type, "P", models=model_roots)
        return list(models), list(peers)

    def _type(self, evaluation: RougeEvaluation) -> TextType | None:
        """The type of an evaluation's texts; None (and an error) if it is unknown."""
        here = self.at.at(evaluation.line, "INPUT-FORMAT")
        if not evaluation.type:
            here.warning(
                found=f"no INPUT-FORMAT in EVAL {shorten(evaluation.id)}",
                expected='<INPUT-FORMAT TYPE="SPL">',
                remedy="Its texts were read as SPL, one sentence per line.",
            )
            return "SPL"
        type = text_type(evaluation.type)
        if type is None:
            here.error(
                found=shorten(evaluation.type),
                expected=" or ".join(TEXT_TYPES),
                remedy="Correct the TYPE.",
            )
        return type

    def _texts(
        self, entries: Iterable[RougeEntry], type: TextType, tag: str, *, models: Iterable[str] = ()
    ) -> Iterator[_Text]:
        """The texts of peers or models; a missing model is an error, a missing peer a warning."""
        lines: dict[str, int] = {}
        for entry in entries:
            here = self.at.at(entry.line, f'{tag} ID="{entry.id}"')
            id = entry.id
            while tag == "M" and id in lines:  # the same model twice is two models, as for ROUGE-1.5.5
                number = 2 if id == entry.id else int(id.rpartition(".")[2]) + 1
                id = f"{entry.id}.{number}"
            expected, remedy = f"each {tag} ID once in an EVAL", "Give it its own ID, or remove it."
            if not here.is_first(lines, id, "the ID", expected=expected, remedy=remedy):
                continue
            path = path_of(entry, self.roots, models=models)
            if not entry.file or not is_file(path):
                missing = f"no file {path}" if entry.file else "no file name"
                if tag == "M":
                    here.error(
                        found=missing,
                        expected="the text of the model",
                        remedy="Add the file or remove the M.",
                    )
                else:
                    here.warning(
                        found=missing,
                        expected="the text of the peer",
                        remedy="The peer was skipped; it is not scored.",
                    )
            elif (sentences := self.files.read(path, type)) is not None:
                yield _Text(id, path.resolve(), sentences)


def _campaign(items: list[_Item], renamed: dict[str, str], path: Path) -> Campaign:
    """All evaluations as topics."""
    parents = _parents(items)
    topics = []
    summaries: list[Summary] = []
    for item in items:
        parent, left_out = parents.get(item.id, ("", ""))
        attributes: dict[str, str | int | float | bool] = {**item.attributes}
        if left_out:
            attributes["left_out"] = left_out
        topics.append(
            Topic(
                topic=item.id,
                parent=parent,
                attributes=attributes,
            )
        )
        summaries += [
            Summary(
                topic=item.id,
                summarizer=renamed.get(text.id, text.id),
                kind="model",
                text=text.sentences,
            )
            for text in item.models
        ]
        summaries += [
            Summary(
                topic=item.id,
                summarizer=text.id,
                kind="peer",
                text=text.sentences,
            )
            for text in item.peers
        ]
    return Campaign(
        name=path.stem,
        topics=tuple(topics),
        summaries=tuple(summaries),
    )


def _drop_own_models(items: Iterable[_Item], at: Place) -> None:
    """A human peer that is also among the models of its EVAL is kept as a model; leave-one-out scores it."""
    for item in items:
        models = {model.id: model for model in item.models}
        for peer in list(item.peers):
            model = models.get(peer.id)
            if model is not None and _same_summary(peer.path, model.path):
                item.peers.remove(peer)
                at.at(field=f'EVAL ID="{item.id}"').warning(
                    found=f"the model {peer.id!r} among its own peers",
                    expected="a peer that is not compared with itself",
                    remedy='It was kept as a model; `peers="humans"` scores it against the others.',
                )


def _rename_models(items: Iterable[_Item], at: Place) -> dict[str, str]:
    """New names for models whose ID is also that of a peer of their EVAL."""
    taken: set[str] = set()
    for item in items:
        taken |= {text.id for text in (*item.models, *item.peers)}
    renamed: dict[str, str] = {}
    for item in items:
        peers = {peer.id for peer in item.peers}
        for id in dict.fromkeys(model.id for model in item.models):
            if id in peers and id not in renamed:
                name = f"M.{id}"
                while name in taken:
                    name = f"M.{name}"
                taken.add(name)
                renamed[id] = name
                at.at(field=f'EVAL ID="{item.id}"').warning(
                    found=f"the ID {id!r} for a peer and for a model",
                    expected="a different ID for each summarizer",
                    remedy=f"The summarizer of the model was renamed to {name!r}; both count, as for ROUGE-1.5.5.",
                )
    return renamed


def _same_summary(peer: Path, model: Path) -> bool:
    """One file, or the same human's file by its NIST name in two folders."""
    name = parse_nist_name(peer.name)
    return peer == model or (name is not None and name.human and peer.name == model.name)


def _parents(items: Iterable[_Item]) -> dict[str, tuple[str, str]]:
    """By EVAL ID: the parent that leave-one-out evaluations share, and the one model that was left out, if one was.

    Evaluations belong together when they share a peer's file (one with text: an empty file may stand in for every
    missing summary) and do not all have the same models.
    """
    groups: dict[Path, list[_Item]] = {}
    for item in items:
        together = [item]
        item_groups = [groups[peer.path] for peer in item.peers if peer.path in groups]
        # A list can't be a key: groups are told apart by identity.
        for group in {id(group): group for group in item_groups}.values():
            together[:0] = group
        for member in together:
            groups |= {peer.path: together for peer in member.peers if any(peer.sentences)}
    parents: dict[str, tuple[str, str]] = {}
    for together in {id(group): group for group in groups.values()}.values():
        if len({item.model_paths for item in together}) > 1:
            parent = _parent_name(together)
            all_ids = set[str]().union(*(item.model_ids for item in together))
            for item in together:
                left_out = all_ids - item.model_ids
                left_out_model = left_out.pop() if len(left_out) == 1 else ""
                parents[item.id] = (parent, left_out_model)
    return parents


def _parent_name(items: list[_Item]) -> str:
    """NIST's name of the topic if the files have one, else the first EVAL's ID."""
    topics: set[str] = set()
    for item in items:
        for peer in item.peers:
            name = parse_nist_name(peer.path.name)
            topics.add(name.topic if name else "")
    topic = topics.pop() if len(topics) == 1 else ""
    return topic or items[0].id


FORMAT = Format(
    name="rouge-xml",
    description="ROUGE-1.5.5's XML configuration with its SPL, SEE, ISI or SIMPLE texts",
    detector=detect,
    reader=read,
    writer=write,
    keeps=frozenset({"topics.bare", "models", "models.name", "sentences"}),
    options={
        "folder": "the folder that relative roots start from (default: the working folder)",
        "self": "a peer that is also a model of its EVAL: keep both, or leave-out the peer (default: keep)",
        "evaluations": (
            "NIST's leave-one-out EVALs: apart, a topic each as for ROUGE-1.5.5, or joined to one topic with all "
            "models (default: apart)"
        ),
    },
)

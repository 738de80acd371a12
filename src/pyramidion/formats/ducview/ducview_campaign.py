"""Pyramids and annotations of many DUCView files as one campaign.

Files of one topic agree on its texts; a .pan refers to the .pyr that its own pyramid is a copy of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Match,
    PeerAnnotation,
    Problems,
    Pyramid,
    Scu,
    Summarizer,
    Topic,
)
from pyramidion.campaign.nouns import Part, Parts
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.campaign_builder import CampaignBuilder
from pyramidion.formats.ducview.ducview_file import DucviewFile, FileAnnotation, FilePyramid, bare_label
from pyramidion.formats.ducview.ducview_names import Named, set_of
from pyramidion.formats.ducview.offsets import as_label, find_words
from pyramidion.formats.text_alignment import Aligned, lost_characters, same_beginning, same_text
from pyramidion.options import WeightRule
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

ITS_OWN_FILE = "its own file"
CONSENSUS = "consensus"
"""The annotator in the name of a file with what annotators agreed on; assessment pages export it under this name."""
OF_THE_PAN = "pan"
"""The annotator of a pyramid that stands in .pan files and differs from the .pyr: official scores follow it."""

Move = Callable[[Part], Part | None]
"""From a part of a text to the same words in another text of the same summary."""


@dataclass
class _TopicDraft:
    """What is known of a topic so far."""

    noun: Topic
    models: dict[str, str] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    """The name of the file from which the text of a summarizer came first."""
    pyramids: list[Pyramid] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)


@dataclass
class GrowingCampaign:
    """A campaign as it grows, file by file; pyramids come before annotations."""

    problems: Problems
    texts_are_known: bool = False
    """Whether the texts came from files of their own: then those here are other copies, and may differ."""
    weights: WeightRule = "contributors"
    topics: dict[str, _TopicDraft] = field(default_factory=dict)
    """By case-folded name, so that D0601 in one file is d0601 in another."""
    humans: set[str] = field(default_factory=set)
    unmarked: list[Path] = field(default_factory=list)

    def know(self, topic: Topic, models: Mapping[str, str], peers: Mapping[str, str]) -> None:
        """Take the texts of a topic from files of their own."""
        first = {f"model {summarizer}": ITS_OWN_FILE for summarizer in models} | {
            f"peer {summarizer}": ITS_OWN_FILE for summarizer in peers
        }
        self.topics[topic.topic.casefold()] = _TopicDraft(topic, dict(models), dict(peers), first)

    def add_pyramid(self, file: DucviewFile, named: Named) -> None:
        """Add the pyramid of a .pyr."""
        topic = self._topic(named, file.pyramid)
        pyramid = self._pyramid(file, topic, named)
        if any(previous.annotator == named.annotator for previous in topic.pyramids):
            Place(self.problems, file.path).error(
                found=f"a second pyramid of topic {named.topic!r} by annotator {named.annotator!r}",
                expected="one per annotator",
                remedy=f"Name the file {named.topic}.ANNOTATOR.pyr, or import it separately with "
                '`option={"annotator": "…"}`',
            )
        else:
            topic.pyramids.append(pyramid)

    def add_annotation(self, file: DucviewFile, named: Named, annotation: FileAnnotation) -> None:
        """Add the annotation of a .pan, and its pyramid if that is a new one."""
        at = Place(self.problems, file.path)
        topic = self._topic(named, file.pyramid)
        used, uids = self._same_pyramid(file, topic, self._pyramid(file, topic, named))
        move = self._add_peer(file, named, topic, annotation)
        if move is None:
            return
        key = (named.summarizer, named.annotator)
        if any((previous.summarizer, previous.annotator) == key for previous in topic.annotations):
            at.error(
                found=(
                    f"a second annotation of {named.summarizer!r} on {named.topic!r} by annotator {named.annotator!r}"
                ),
                expected="one per annotator",
                remedy=f"Name the file {named.topic}.{named.summarizer}.ANNOTATOR.pan, or remove it.",
            )
            return
        # Since DUC 2006 annotators marked matches only.
        if annotation.unmatched is None:
            self.unmarked.append(file.path)
        matches = tuple(
            replace(match, contributors=_move_contributors(match.contributors, move)) for match in annotation.scus
        )

        unknown: list[Match] = []
        if uids is not None:
            unknown = [match for match in matches if match.present and match.uid not in uids]
            matches = tuple(replace(match, uid=uids[match.uid]) for match in matches if match.uid in uids)
        if unknown:
            at.warning(
                found=(
                    f"{counted(len(unknown), 'SCU')} that the .pyr does not have, first {shorten(unknown[0].comment)}"
                ),
                expected="the SCUs of the .pyr",
                remedy="The content that matches them was kept as non-matching.",
            )
        unmatched: tuple[Parts, ...] | None = None
        if annotation.unmatched is not None:
            unmatched = _move_contributors(annotation.unmatched, move)
            for match in unknown:
                unmatched += match.contributors
        topic.annotations.append(
            PeerAnnotation(
                topic=topic.noun.topic,
                summarizer=named.summarizer,
                annotator=named.annotator,
                consensus=named.annotator == CONSENSUS,
                scus=matches,
                unmatched=unmatched,
                pyramid=used.annotator,
            )
        )

    def finished(self, *, name: str, warn_unmarked: bool) -> Campaign:
        """All of it, with a warning about annotations without non-matching content, unless the user knows."""
        if self.unmarked and warn_unmarked:
            elsewhere = (
                f", here and in {counted(len(self.unmarked) - 1, 'other file')}" if len(self.unmarked) > 1 else ""
            )
            Place(self.problems, self.unmarked[0], field='peerscu uid="0"').warning(
                found=f"no non-matching content{elsewhere}",
                expected="the content of the peer that matches no SCU",
                remedy="It was read as not marked (as since DUC 2006), so X and the original score can't be computed; "
                'with `option={"unmatched": "marked"}` it means that all content matches.',
            )
        builder = CampaignBuilder(name, summarizers={id: Summarizer(kind="human") for id in sorted(self.humans)})
        for topic in self.topics.values():
            builder.topics[topic.noun.topic] = topic.noun
            builder.named_models |= {(topic.noun.topic, id): text for id, text in topic.models.items()}
            builder.peers |= {(topic.noun.topic, id): text for id, text in topic.peers.items()}
            builder.pyramids += topic.pyramids
            annotations = topic.annotations
            if len(topic.pyramids) <= 1:  # only among several pyramids an annotation names its own
                annotations = [replace(annotation, pyramid=None) for annotation in annotations]
            builder.annotations += annotations
        return builder.build()

    def _topic(self, named: Named, pyramid: FilePyramid) -> _TopicDraft:
        """The topic of a file, made when its first file is read."""
        key = named.topic.casefold()
        if key not in self.topics:
            header = set_of(pyramid.segments)
            attributes: dict[str, str | int | float | bool] = {}
            if header:
                attributes = {"length": header.length, "selector": header.selector}
            self.topics[key] = _TopicDraft(Topic(topic=named.topic, attributes=attributes))
        return self.topics[key]

    def _pyramid(self, file: DucviewFile, topic: _TopicDraft, named: Named) -> Pyramid:
        """The pyramid, its parts moved if another file gave a model a slightly different text; new texts are kept."""
        scus = file.pyramid.scus
        at = Place(self.problems, file.path, file.pyramid.line)
        for model, text in file.pyramid.models.items():
            first_text = topic.models.setdefault(model, text)
            first = topic.first.setdefault(f"model {model}", file.path.name)
            if first_text == text:
                continue
            # D0614 of 2006: the model has 0xE9, the .pyr U+FFFD and the .pan a question mark.
            if same_text(text, first_text):
                scus, _ = _move_model_parts(scus, model, Aligned(text, first_text))
                if (lost := lost_characters(text, first_text)) and file.annotation is None:
                    at.warning(
                        found=f"{counted(lost, 'character')} of model {model!r} as U+FFFD or ?",
                        expected="the characters of its text",
                        remedy=f"It is the same text; that of {first} was kept.",
                    )
                continue
            scus, gone = _move_model_parts(scus, model, _move_by_words(text, first_text))
            remedy = "The first was kept; its parts were found again by their words."
            if gone:
                remedy = f"The first was kept; {counted(gone, 'part')} could not be found in it."
            at.warning(
                found=f"another text of model {model!r} than in {first}",
                expected="one text of each model",
                remedy=remedy,
            )
        return Pyramid(
            topic=topic.noun.topic,
            annotator=named.annotator,
            consensus=named.annotator == CONSENSUS,
            models=tuple(file.pyramid.models),
            scus=tuple(scus),
            weights=self.weights,
        )

    def _add_peer(self, file: DucviewFile, named: Named, topic: _TopicDraft, annotation: FileAnnotation) -> Move | None:
        """Keep the text of the peer, and say how its parts are found in the text that is kept; None if they can't be.

        A human whose summary is a model of the topic needs no text of its own.
        """
        summarizer, text = named.summarizer, annotation.text
        first = topic.first.setdefault(f"peer {summarizer}", file.path.name)
        first_text = (
            topic.models[summarizer] if summarizer in topic.models else topic.peers.setdefault(summarizer, text)
        )
        at = Place(self.problems, file.path, annotation.line)
        # Humans whose summaries were scored without being models: DUC 2005.
        if named.human and summarizer not in topic.models:
            self.humans.add(summarizer)
        if first_text == text:
            return _keep_place
        if same_text(text, first_text) or (self.texts_are_known and same_beginning(text, first_text)):
            return Aligned(text, first_text)
        if self.texts_are_known:
            at.warning(
                found=f"another text of {summarizer!r} than in its own file",
                expected="the text of its file",
                remedy="The file's was kept; parts of the annotation were found again by their words.",
            )
            return _move_by_words(text, first_text)
        other = "as a model" if summarizer in topic.models else f"in {first}"
        at.error(
            found=f"another text of {summarizer!r} on topic {named.topic!r} than {other}",
            expected="one text of each summarizer",
            remedy="Name the peer in the file name (TOPIC.SUMMARIZER.pan), or remove one of the two.",
        )
        return None

    def _same_pyramid(
        self, file: DucviewFile, topic: _TopicDraft, pyramid: Pyramid
    ) -> tuple[Pyramid, dict[int, int] | None]:
        """The pyramid that the one of a .pan is a copy of, and the uids that its uids became (None: the same)."""
        at = Place(self.problems, file.path, file.pyramid.line)
        # The annotator's own pyramid first; sorting keeps the order of the others.
        candidates = sorted(topic.pyramids, key=lambda candidate: candidate.annotator != pyramid.annotator)
        for candidate in candidates:
            if _find_differing_scus(candidate, pyramid) == []:
                if candidate.annotator.startswith(OF_THE_PAN):
                    self._note_other_weights(at)
                return candidate, None
        for candidate in candidates:
            uids = _find_differing_scus(candidate, pyramid)
            if uids:
                shown_uids = ", ".join(map(str, uids[:3]))
                if len(uids) > 3:
                    shown_uids += " …"
                found = f"other words in SCU {shown_uids} than in the .pyr"
                remedy = "The number of contributors agrees: it is the same SCU, and the words of the .pyr were kept."
                at.warning(
                    found=found,
                    expected="the pyramid of the .pyr",
                    remedy=remedy,
                    count=len(uids),
                )
                return candidate, None
        for candidate in candidates:
            mapped = _match_uids_by_label(pyramid, candidate)
            if mapped is not None:
                found = f"a pyramid with other uids than the one by annotator {candidate.annotator!r}"
                remedy = f"{len(mapped)} of {len(pyramid.scus)} SCUs were matched by their labels."
                at.warning(
                    found=found,
                    expected="the uids of the .pyr",
                    remedy=remedy,
                )
                return candidate, mapped
        name = ""
        if candidates:
            taken = {candidate.annotator for candidate in candidates}
            name, number = OF_THE_PAN, 1
            while name in taken:
                number += 1
                name = f"{OF_THE_PAN}{number}"
            self._note_other_weights(at)
        # 2007's D0726-B has a contributor more in its .pan than in its .pyr, and official scores follow the .pan.
        pyramid = replace(pyramid, annotator=name)
        topic.pyramids.append(pyramid)
        return pyramid, None

    def _note_other_weights(self, at: Place) -> None:
        """Warn that a .pan has another pyramid than the .pyr."""
        at.warning(
            found="a pyramid whose SCUs have other contributors than those of the .pyr",
            expected="a copy of the .pyr",
            remedy="Both were kept; scores of this peer follow the pyramid in the .pan.",
        )


def _keep_place(part: Part) -> Part:
    """A part of a text that did not change."""
    return part


def _move_by_words(text: str, target: str) -> Move:
    """A function that finds the words of a part in another text, near the place where they were."""

    def move(part: Part) -> Part | None:
        return find_words(as_label(text[part[0] : part[1]]), target, near=part[0])

    return move


def _move_contributors(contributors: Iterable[Parts], move: Move) -> tuple[Parts, ...]:
    """The contributors of an annotation in another text; parts that are not in it are dropped."""
    return tuple(tuple(filter(None, map(move, parts))) for parts in contributors)


def _find_differing_scus(known_pyramid: Pyramid, pyramid: Pyramid) -> list[int] | None:
    """The uids of SCUs with other words; None if SCUs, or the numbers of their contributors, differ."""
    mine = {scu.uid: scu for scu in pyramid.scus}
    if mine.keys() != {scu.uid for scu in known_pyramid.scus}:
        return None
    pairs = [(scu, mine[scu.uid]) for scu in known_pyramid.scus]
    if any(len(first.contributors) != len(second.contributors) for first, second in pairs):
        return None
    return [first.uid for first, second in pairs if not _same_words(first, second)]


def _same_words(first: Scu, second: Scu) -> bool:
    """Whether two SCUs have the same label and the same contributors."""
    return same_text(bare_label(first.label), bare_label(second.label)) and _spans(first) == _spans(second)


def _spans(scu: Scu) -> list[tuple[str, list[Part]]]:
    """The contributors of an SCU by model, in an order that does not depend on the file."""
    return sorted((contributor.model, sorted(contributor.parts)) for contributor in scu.contributors)


def _match_uids_by_label(pyramid: Pyramid, known_pyramid: Pyramid) -> dict[int, int] | None:
    """From the uids of one pyramid to those of another, if they name the same SCUs under other uids.

    Labels must agree, and the models behind them. SCUs that only the first one has may be left over, as long as they
    are fewer than those that agree.
    """
    by_label = grouped(known_pyramid.scus, lambda scu: bare_label(scu.label))
    uids: dict[int, int] = {}
    for scu in pyramid.scus:
        candidates = by_label.get(bare_label(scu.label), [])
        if len(candidates) == 1:
            if _models_of(candidates[0]) != _models_of(scu):
                return None
            uids[scu.uid] = candidates[0].uid
    # With the same uids throughout, labels would only hide that the pyramids differ.
    have_moved = any(uid != known_uid for uid, known_uid in uids.items())
    are_distinct = len(set(uids.values())) == len(uids)
    # A few equal labels are chance in pyramids of one topic.
    are_most = len(uids) * 2 > len(pyramid.scus)
    if have_moved and are_distinct and are_most:
        return uids
    return None


def _models_of(scu: Scu) -> set[str]:
    """The models that contribute to an SCU."""
    return {contributor.model for contributor in scu.contributors}


def _move_model_parts(scus: Iterable[Scu], model: str, move: Move) -> tuple[tuple[Scu, ...], int]:
    """The SCUs with the parts of one model found in another text of it, and how many were not found."""
    lost = 0

    def moved(contributor: Contributor) -> Contributor:
        nonlocal lost
        if contributor.model != model:
            return contributor
        parts = [move(part) for part in contributor.parts]
        lost += parts.count(None)
        return replace(contributor, parts=tuple(part for part in parts if part is not None))

    return tuple(replace(scu, contributors=tuple(map(moved, scu.contributors))) for scu in scus), lost

"""Pyramids and annotations of many DUCView files, put together into one campaign.

Files of one topic agree on its models; a .pan refers to the .pyr that its own pyramid is a copy of.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Match,
    PeerAnnotation,
    Problems,
    Pyramid,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.nouns import Parts
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.ducview_file import DucviewFile, FilePart
from pyramidion.formats.ducview_names import Named, set_of
from pyramidion.formats.ducview_offsets import Offsets, Placed, as_label
from pyramidion.formats.ducview_pyramid import TiedAnnotation, TiedPyramid, bare_label


@dataclass
class _Topic:
    """What is known of a topic so far."""

    noun: Topic
    models: dict[str, str] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    first: dict[str, Path] = field(default_factory=dict)
    """The file from which the text of a summarizer came first."""
    pyramids: list[Pyramid] = field(default_factory=list)
    annotations: list[PeerAnnotation] = field(default_factory=list)


@dataclass
class Joining:
    """A campaign as it grows, file by file; pyramids come before annotations."""

    problems: Problems
    topics: dict[str, _Topic] = field(default_factory=dict)
    """By case-folded name, so that D0601 in one file is d0601 in another."""
    humans: set[str] = field(default_factory=set)
    unmarked: list[Path] = field(default_factory=list)

    def add_pyramid(self, file: DucviewFile, named: Named, pyramid: TiedPyramid) -> None:
        """Add the pyramid of a .pyr."""
        topic = self._topic(named, pyramid)
        scus = self._with_texts(file, topic, pyramid)
        if any(known.annotator == named.annotator for known in topic.pyramids):
            self._note(
                "error",
                file.path,
                None,
                f"a second pyramid of topic {named.topic!r} by annotator {named.annotator!r}",
                "one of each annotator",
                f"Name the file {named.topic}.ANNOTATOR.pyr, or import it apart with --option annotator=…",
            )
            return
        topic.pyramids.append(
            Pyramid(topic=topic.noun.topic, annotator=named.annotator, models=tuple(pyramid.models), scus=tuple(scus))
        )

    def add_annotation(self, file: DucviewFile, named: Named, pyramid: TiedPyramid, annotation: TiedAnnotation) -> None:
        """Add the annotation of a .pan, and its pyramid where that is a new one."""
        topic = self._topic(named, pyramid)
        own = Pyramid(
            topic=topic.noun.topic,
            models=tuple(pyramid.models),
            scus=tuple(self._with_texts(file, topic, pyramid)),
            annotator=named.annotator,
        )
        pyramid_used, uids = self._same_pyramid(file, topic, own)
        if not self._with_peer(file, named, topic, annotation):
            return
        if any(
            (known.summarizer, known.annotator) == (named.summarizer, named.annotator) for known in topic.annotations
        ):
            self._note(
                "error",
                file.path,
                None,
                f"a second annotation of {named.summarizer!r} on {named.topic!r} by annotator {named.annotator!r}",
                "one of each annotator",
                f"Name the file {named.topic}.{named.summarizer}.ANNOTATOR.pan, or take it out.",
            )
            return
        if annotation.unmatched is None:
            self.unmarked.append(file.path)
        matches, strangers = _renumbered(annotation.scus, uids)
        if strangers:
            self._note(
                "warning",
                file.path,
                None,
                f"{len(strangers)} SCUs that the .pyr does not have, first {shorten(strangers[0].comment)}",
                "the SCUs of the .pyr",
                "What matches them was kept as non-matching.",
            )
        extra = tuple(parts for match in strangers for parts in match.contributors)
        topic.annotations.append(
            PeerAnnotation(
                topic=topic.noun.topic,
                summarizer=named.summarizer,
                annotator=named.annotator,
                scus=matches,
                unmatched=None if annotation.unmatched is None else (*annotation.unmatched, *extra),
                pyramid=pyramid_used.annotator,
            )
        )

    def campaign(self, *, name: str, said: bool) -> Campaign:
        """All of it; `said` keeps quiet about annotations without non-matching content, because the user knows."""
        if self.unmarked and not said:
            count = len(self.unmarked)
            self._note(
                "warning",
                self.unmarked[0],
                'peerscu uid="0"',
                "no content that matches nothing" + (f", here and in {count - 1} other files" if count > 1 else ""),
                "the content of the peer that matches no SCU",
                "It was taken as not marked (as since DUC 2006), so X and the original score can't be computed; "
                "--option unmatched=marked says that all content matches.",
            )
        topics = list(self.topics.values())
        texts: list[Summary] = []
        for topic in topics:
            texts += _summaries(topic, "model", topic.models)
        for topic in topics:
            texts += _summaries(topic, "peer", topic.peers)
        return Campaign(
            name=name,
            topics=tuple(topic.noun for topic in topics),
            summarizers={id: Summarizer(kind="human") for id in sorted(self.humans)},
            summaries=tuple(texts),
            pyramids=tuple(pyramid for topic in topics for pyramid in topic.pyramids),
            annotations=tuple(_tidy(annotation, topic) for topic in topics for annotation in topic.annotations),
        )

    def _topic(self, named: Named, pyramid: TiedPyramid) -> _Topic:
        key = named.topic.casefold()
        if key not in self.topics:
            header = set_of(pyramid.segments)
            attributes: dict[str, str | int | float | bool] = {}
            if header:
                attributes = {"length": header.length, "selector": header.selector}
            self.topics[key] = _Topic(Topic(topic=named.topic, attributes=attributes))
        return self.topics[key]

    def _with_texts(self, file: DucviewFile, topic: _Topic, pyramid: TiedPyramid) -> list[Scu]:
        """The SCUs, moved where another file gave a model a slightly different text; new texts are kept."""
        scus = list(pyramid.scus)
        for model, text in pyramid.models.items():
            known = topic.models.setdefault(model, text)
            first = topic.first.setdefault(f"model {model}", file.path)
            if known != text:
                lost = 0
                scus, lost = _moved(scus, model, text, known)
                self._note(
                    "warning",
                    file.path,
                    file.pyramid.line,
                    f"another text of model {model!r} than in {first.name}",
                    "one text of each model",
                    f"The first was kept; {lost} parts were not found in it." if lost else "The first was kept.",
                )
        return scus

    def _with_peer(self, file: DucviewFile, named: Named, topic: _Topic, annotation: TiedAnnotation) -> bool:
        """Keep the peer's text; a human whose summary is a model of the topic needs none."""
        who = named.summarizer
        if topic.models.get(who) == annotation.text:
            return True
        first = topic.first.setdefault(f"peer {who}", file.path)
        known = topic.models.get(who, topic.peers.setdefault(who, annotation.text))
        if known != annotation.text:
            if who in topic.models:
                topic.peers.pop(who, None)
            self._note(
                "error",
                file.path,
                file.annotation.line if file.annotation else None,
                f"another text of {who!r} on topic {named.topic!r} than "
                + ("as a model" if who in topic.models else f"in {first.name}"),
                "one text of each summarizer",
                "Name the peer in the file name (TOPIC.SUMMARIZER.pan), or take one of the two out.",
            )
            return False
        if named.human:
            self.humans.add(who)
        return True

    def _same_pyramid(self, file: DucviewFile, topic: _Topic, own: Pyramid) -> tuple[Pyramid, dict[int, int] | None]:
        """The pyramid that the one of a .pan is a copy of, and the uids that its uids became (None: the same)."""
        candidates = sorted(topic.pyramids, key=lambda known: known.annotator != own.annotator)
        for known in candidates:
            if _content(known) == _content(own):
                return known, None
        for known in candidates:
            if _outline(known) == _outline(own):
                self._note(
                    "warning",
                    file.path,
                    file.pyramid.line,
                    f"a pyramid with other words of some contributors than that by annotator {known.annotator!r}",
                    "the pyramid of the .pyr",
                    "SCUs, labels and weights agree; those words were not kept.",
                )
                return known, None
        for known in candidates:
            uids = _by_label(own, known)
            if uids is not None:
                self._note(
                    "warning",
                    file.path,
                    file.pyramid.line,
                    f"a pyramid with other uids than that by annotator {known.annotator!r}",
                    "the uids of the .pyr",
                    f"{len(uids)} of {len(own.scus)} SCUs were matched by their labels.",
                )
                return known, uids
        if candidates:
            taken = {known.annotator for known in candidates}
            name = own.annotator if own.annotator not in taken else file.path.stem
            while name in taken:
                name += "+"
            own = Pyramid(topic=own.topic, models=own.models, scus=own.scus, annotator=name)
            self._note(
                "warning",
                file.path,
                file.pyramid.line,
                f"another pyramid of topic {own.topic!r} than those read before",
                "a copy of the .pyr",
                f"Both were kept; this one is that of annotator {name!r}.",
            )
        else:
            own = Pyramid(topic=own.topic, models=own.models, scus=own.scus)
        topic.pyramids.append(own)
        return own, None

    def _note(
        self,
        severity: Severity,
        path: Path,
        line: int | str | None,
        found: str,
        expected: str,
        remedy: str,
    ) -> None:
        at, number = (line, None) if isinstance(line, str) else (None, line)
        self.problems.add(severity, file=path, line=number, field=at, found=found, expected=expected, remedy=remedy)


def _summaries(topic: _Topic, kind: str, texts: dict[str, str]) -> list[Summary]:
    return [
        Summary(topic=topic.noun.topic, summarizer=id, kind="model" if kind == "model" else "peer", text=text)
        for id, text in texts.items()
    ]


def _tidy(annotation: PeerAnnotation, topic: _Topic) -> PeerAnnotation:
    """Without naming its pyramid where the topic has only one."""
    if len(topic.pyramids) > 1:
        return annotation
    return PeerAnnotation(
        topic=annotation.topic,
        summarizer=annotation.summarizer,
        annotator=annotation.annotator,
        scus=annotation.scus,
        unmatched=annotation.unmatched,
    )


def _content(pyramid: Pyramid) -> dict[int, object]:
    return {
        scu.uid: (bare_label(scu.label), sorted((one.model, sorted(one.parts)) for one in scu.contributors))
        for scu in pyramid.scus
    }


def _outline(pyramid: Pyramid) -> dict[int, object]:
    return {scu.uid: (bare_label(scu.label), {one.model for one in scu.contributors}) for scu in pyramid.scus}


def _by_label(own: Pyramid, known: Pyramid) -> dict[int, int] | None:
    """From the uids of one pyramid to those of another, if they name the same SCUs under other uids.

    Labels must agree, and the models behind them. SCUs that only the first one has may be left over, as long as they
    are fewer than those that agree.
    """
    by_label: dict[str, list[Scu]] = defaultdict(list)
    for scu in known.scus:
        by_label[bare_label(scu.label)].append(scu)
    uids: dict[int, int] = {}
    for scu in own.scus:
        found = by_label.get(bare_label(scu.label), [])
        if len(found) == 1:
            if {one.model for one in found[0].contributors} != {one.model for one in scu.contributors}:
                return None
            uids[scu.uid] = found[0].uid
    moved = any(uid != other for uid, other in uids.items())
    distinct = len(set(uids.values())) == len(uids)
    return uids if moved and distinct and len(uids) * 2 > len(own.scus) else None


def _renumbered(matches: tuple[Match, ...], uids: dict[int, int] | None) -> tuple[tuple[Match, ...], list[Match]]:
    """The matches under the uids of another pyramid, and those that it has no SCU for."""
    if uids is None:
        return matches, []
    moved = tuple(
        Match(uid=uids[match.uid], present=match.present, contributors=match.contributors, comment=match.comment)
        for match in matches
        if match.uid in uids
    )
    return moved, [match for match in matches if match.uid not in uids and match.present]


def _moved(scus: list[Scu], model: str, text: str, target: str) -> tuple[list[Scu], int]:
    """The SCUs with the parts of one model found again in another text of it, and how many were not found."""
    lost = 0
    moved: list[Scu] = []
    offsets = Offsets(target, ())
    for scu in scus:
        contributors: list[Contributor] = []
        for one in scu.contributors:
            if one.model != model:
                contributors.append(one)
                continue
            found = [_again(part, text, offsets) for part in one.parts]
            lost += found.count(None)
            parts: Parts = tuple((place.start, place.end) for place in found if place is not None)
            contributors.append(Contributor(model=model, parts=parts, comment=one.comment))
        moved.append(Scu(uid=scu.uid, label=scu.label, comment=scu.comment, contributors=tuple(contributors)))
    return moved, lost


def _again(part: tuple[int, int], text: str, offsets: Offsets) -> Placed | None:
    words = as_label(text[part[0] : part[1]])
    place = offsets.place(FilePart(label=words, start=part[0], end=part[1], line=0), lambda _: (0, len(offsets.text)))
    return place if isinstance(place, Placed) else None

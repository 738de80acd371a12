"""The content nouns: pyramids of SCUs, peers' annotations, SEE coverage (Nenkova & Passonneau 2004).

Offsets are code points, half open, into `plain(text)` of one summary.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyramidion.campaign.nouns import Id, Noun

Part = tuple[int, int]
Parts = tuple[Part, ...]


class Contributor(Noun, frozen=True, kw_only=True):
    """The words of one model that express an SCU; no parts means a light annotation."""

    model: Id
    parts: Parts = ()
    comment: str = ""


class Scu(Noun, frozen=True, kw_only=True):
    """A summary content unit."""

    uid: int
    label: str
    comment: str = ""
    contributors: tuple[Contributor, ...] = ()

    @property
    def weight(self) -> int:
        """Number of distinct models that contribute."""
        return len({contributor.model for contributor in self.contributors})


class Pyramid(Noun, frozen=True, kw_only=True):
    """The SCUs that one annotator found in the models of a topic."""

    topic: Id
    models: tuple[str, ...]
    scus: tuple[Scu, ...]
    annotator: str = ""


class Match(Noun, frozen=True, kw_only=True):
    """Whether a peer expresses an SCU, and with which words (each further contributor is a repeat)."""

    uid: int
    present: bool = True
    contributors: tuple[Parts, ...] = ()
    comment: str = ""


class PeerAnnotation(Noun, frozen=True, kw_only=True):
    """A peer matched against a pyramid; `unmatched` holds its content units that match no SCU (None: not marked)."""

    topic: Id
    summarizer: Id
    scus: tuple[Match, ...]
    annotator: str = ""
    unmatched: tuple[Parts, ...] | None = None
    pyramid: str | None = None
    """The annotator of the pyramid that it was matched against, where the topic has several (None: not said)."""


def pyramid_of(annotation: PeerAnnotation, pyramids: Iterable[Pyramid]) -> Pyramid | None:
    """The pyramid of the topic that a peer was matched against: the one it names, else its annotator's, else the only.

    None if the topic has no such pyramid.
    """
    by_annotator = {pyramid.annotator: pyramid for pyramid in pyramids if pyramid.topic == annotation.topic}
    if annotation.pyramid is not None:
        return by_annotator.get(annotation.pyramid)
    only = next(iter(by_annotator.values())) if len(by_annotator) == 1 else None
    return by_annotator.get(annotation.annotator, only)


class CoverageUnit(Noun, frozen=True, kw_only=True):
    """A unit of a model and how much of it (per cent) the marked units of the peer cover."""

    unit: Part
    percent: int
    peer_units: Parts = ()


class Coverage(Noun, frozen=True, kw_only=True):
    """SEE coverage of one model by one peer, as one assessor saw it."""

    topic: Id
    summarizer: Id
    model: Id
    units: tuple[CoverageUnit, ...]
    assessor: str = ""

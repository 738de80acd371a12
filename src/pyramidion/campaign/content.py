"""The content nouns: pyramids of SCUs, peers' annotations, SEE coverage (Nenkova & Passonneau 2004).

Offsets are code points, half open, into `plain(text)` of one summary.
"""

from __future__ import annotations

from pyramidion.campaign.nouns import Id, Noun

Part = tuple[int, int]
Parts = tuple[Part, ...]


class Contributor(Noun, frozen=True, kw_only=True):
    """The words of one model that express an SCU; no parts means a light annotation."""

    model: Id
    parts: Parts = ()


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


class PeerAnnotation(Noun, frozen=True, kw_only=True):
    """A peer matched against a pyramid; `unmatched` holds its content units that match no SCU (None: not marked)."""

    topic: Id
    summarizer: Id
    scus: tuple[Match, ...]
    annotator: str = ""
    unmatched: tuple[Parts, ...] | None = None


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

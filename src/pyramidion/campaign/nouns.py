"""The nouns of a campaign, as its files hold them: topics, summaries, judgments, pyramids and others.

A field that we do not know is kept in `unknown` and written back. Offsets are code points, half open, into
`plain(text)` of one summary. Pyramids and SCUs are those of Nenkova and Passonneau (2004).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec

from pyramidion.intake.cells import LONGEST_ID
from pyramidion.options import JudgedKind, WeightRule
from pyramidion.scores.table import Kind
from pyramidion.show.tables import grouped

Text = str | tuple[str, ...]
"""A text as given: one string, or its sentences when these are known."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID)]
"""The key of a topic, a summarizer, a question: any string that is not empty."""

Person = Annotated[str, msgspec.Meta(max_length=LONGEST_ID)]
"""Who judged or annotated; empty if that is not known."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
"""A whole number that counts something."""

Seconds = Annotated[int, msgspec.Meta(ge=0)] | Annotated[float, msgspec.Meta(ge=0)]
"""How long something took."""

Importance = Literal["vital", "okay"]
"""Whether a good answer must have a nugget, or may have it (Voorhees 2003)."""

Temperature = Annotated[int, msgspec.Meta(ge=0)] | Annotated[float, msgspec.Meta(ge=0)]
"""How randomly a model answers."""

Status = Literal["annotated", "reviewed", "final"]
"""How far a pyramid or an annotation has come."""


Part = tuple[int, int]
Parts = tuple[Part, ...]

UNKNOWN_KEY = "(unknown)"
_UNKNOWN = UNKNOWN_KEY.encode()
_ENCODER = msgspec.json.Encoder()


class Noun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of everything that is read from and written to a file.

    Values that never refer back to themselves: keeping them from the garbage collector makes reading a quarter faster.
    """

    unknown: dict[str, Any] = msgspec.field(default_factory=dict, name=UNKNOWN_KEY)


class Document(Noun, frozen=True, kw_only=True):
    """A source text of a topic."""

    id: Id
    text: Text
    date: str = ""
    headline: str = ""


class Topic(Noun, frozen=True, kw_only=True):
    """An input: documents, a request (title, narrative), for update tasks also background documents."""

    topic: Id
    title: str = ""
    narrative: str = ""
    documents: tuple[Document, ...] = ()
    background: tuple[Document, ...] = ()
    parent: str = ""
    part: str = ""
    attributes: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)


class Summary(Noun, frozen=True, kw_only=True):
    """A text that a summarizer wrote for a topic: a model (human reference) or a peer (under evaluation)."""

    topic: Id
    summarizer: Id
    kind: Literal["model", "peer"]
    text: Text
    extra: bool = False
    """A human's summary that was judged but is no reference (DUC 2005): a model that measures do not use."""
    run: Positive = 1
    """Of a system with several outputs for the topic: which of them it is."""


class Judgment(Noun, frozen=True, kw_only=True):
    """An assessor's answer to a question about a summary.

    A program that judges a summary several times numbers its answers by `run`.
    """

    topic: Id
    summarizer: Id
    question: Id
    value: int | float
    assessor: Person = ""
    run: Positive = 1
    time: str = ""
    """When it was given, in ISO 8601; `moment` reads it."""
    seconds: Seconds | None = None
    comment: str = ""
    order: Positive | None = None
    """At which place of the work it was shown, from 1."""


class Preference(Noun, frozen=True, kw_only=True):
    """Which of two summaries of a topic an assessor prefers; `a` was shown first."""

    topic: Id
    a: Id
    b: Id
    choice: Literal["a", "b", "tie"]
    assessor: Person = ""
    reason: str = ""
    time: str = ""
    seconds: Seconds | None = None


class Summarizer(Noun, frozen=True, kw_only=True):
    """Whoever wrote summaries: a human, a baseline or a participant (a system)."""

    kind: Kind = "participant"
    """A human, a baseline or a participant."""
    name: str = ""
    """What reports call it; its id if left out."""
    organisation: str = ""
    """Whose it is."""


class Assessor(Noun, frozen=True, kw_only=True):
    """Whoever judges: a person, or a judge, which is a model with a prompt."""

    kind: Literal["person", "judge"] = "person"
    """A person, or a judge, which is a program."""
    model: str = ""
    """The judge's model, as its provider calls it."""
    prompt: str = ""
    """The file of the judge's prompt for questions, relative to the campaign's folder."""
    coverage_prompt: str = ""
    """The file of its prompt for SCUs in summaries."""
    preferences_prompt: str = ""
    """The file of its prompt for pairs of summaries."""
    temperature: Temperature | None = None
    """How randomly the model answers."""
    family: str = ""
    """Whose models it is one of, such as "openai"."""
    question: str = ""
    """Of a column of scores: the question that they answer."""
    digest: str = ""
    """The digest of the prompt that its answers were collected with."""
    coverage_digest: str = ""
    """The same for answers about SCUs in summaries."""
    preferences_digest: str = ""
    """The same for preferences."""

    @property
    def is_judge(self) -> bool:
        """Whether it is a program."""
        return self.kind == "judge"

    def prompt_for(self, kind: JudgedKind) -> str:
        """The file of the prompt for what it is asked; empty if none is named."""
        prompts: dict[JudgedKind, str] = {
            "questions": self.prompt,
            "coverage": self.coverage_prompt,
            "preferences": self.preferences_prompt,
        }
        return prompts[kind]

    def digest_for(self, kind: JudgedKind) -> str:
        """The digest on record of the prompt for what it is asked; empty if there is none."""
        digests: dict[JudgedKind, str] = {
            "questions": self.digest,
            "coverage": self.coverage_digest,
            "preferences": self.preferences_digest,
        }
        return digests[kind]

    def identity(self, name: str, prompt_digest: str = "", kind: JudgedKind = "questions") -> str:
        """A judge as signatures name it: what has to be equal for scores to be comparable.

        Args:
            name: of the judge.
            prompt_digest: of its prompt as it is now; where the digest is on record, that one counts.
            kind: what it was asked.

        >>> Assessor(kind="judge", model="m-1", temperature=0.5).identity("strict")
        'strict;model=m-1;temperature=0.5'
        """
        parts = [name]
        if self.model:
            parts.append(f"model={self.model}")
        digest = self.digest_for(kind) or prompt_digest
        if digest:
            parts.append(f"prompt={digest}")
        if self.temperature is not None:
            parts.append(f"temperature={self.temperature:g}")
        # These separate parts of signatures.
        return re.sub(r"[|,]", "/", ";".join(parts))


class Example(Noun, frozen=True, kw_only=True):
    """An answer that the organiser of a campaign explains to the assessors."""

    value: int | float
    text: str


class Question(Noun, frozen=True, kw_only=True):
    """What assessors are asked, on which scale (lowest, highest) and in which pass over the summaries."""

    name: Id
    text: str = ""
    """The question, as assessors read it."""
    scale: tuple[int, int] = (1, 5)
    """The lowest and the highest value."""
    labels: tuple[str, ...] = ()
    """What the values mean: one label for each, or two for the lowest and the highest."""
    pass_number: Positive = msgspec.field(default=1, name="pass")
    """In which pass over the summaries it is asked."""
    required: bool = True
    """Whether it must be answered."""
    examples: tuple[Example, ...] = ()
    """Answers to compare with."""

    def label_of(self, value: float) -> str:
        """What a value means, or an empty string if it has no label."""
        low, high = self.scale
        values: Sequence[float] = (low, high) if len(self.labels) == 2 else range(low, high + 1)
        return dict(zip(values, self.labels, strict=False)).get(value, "")


class Contributor(Noun, frozen=True, kw_only=True):
    """The words of one model that express an SCU; no parts means a light annotation."""

    model: Id
    parts: Parts = ()
    comment: str = ""
    label: str = ""
    """The words as a file gives them, where the parts do not hold all of them."""


class Scu(Noun, frozen=True, kw_only=True):
    """A summary content unit."""

    uid: int
    label: str
    comment: str = ""
    contributors: tuple[Contributor, ...] = ()
    importance: Importance | None = None
    """Of a nugget: whether a good answer must have it (None: not a nugget, or not said)."""

    @property
    def weight(self) -> int:
        """Number of distinct models that contribute."""
        return len({contributor.model for contributor in self.contributors})


class Pyramid(Noun, frozen=True, kw_only=True):
    """The SCUs that one annotator found in the models of a topic."""

    topic: Id
    models: tuple[str, ...]
    scus: tuple[Scu, ...]
    annotator: Person = ""
    weights: WeightRule | None = None
    """What the weight of an SCU counts (None: not said)."""
    status: Status | None = None
    consensus: bool = False
    """Whether it is what several annotators agreed on: scores prefer it, agreement skips it."""
    adjudicator: Person = ""
    """Who made a consensus of what the annotators had."""
    time: str = ""

    @property
    def is_nugget_list(self) -> bool:
        """Whether its SCUs are nuggets, which are vital or okay and have no weight by models."""
        return any(scu.importance is not None for scu in self.scus)

    def weight_of(self, scu: Scu) -> int:
        """The weight of one of its SCUs."""
        if self.weights == "contributors":
            return len(scu.contributors)
        return scu.weight


class Match(Noun, frozen=True, kw_only=True):
    """Whether a peer expresses an SCU, and with which words (each further contributor is a repeat)."""

    uid: int
    present: bool = True
    contributors: tuple[Parts, ...] = ()
    comment: str = ""
    partial: bool = False
    """Of a nugget: whether the peer expresses only a part of it; then it is not `present`."""


class PeerAnnotation(Noun, frozen=True, kw_only=True):
    """A peer matched against a pyramid; `unmatched` holds its content units that match no SCU (None: not marked)."""

    topic: Id
    summarizer: Id
    scus: tuple[Match, ...]
    annotator: Person = ""
    unmatched: tuple[Parts, ...] | None = None
    pyramid: str | None = None
    """The annotator of the pyramid that it was matched against, where the topic has several (None: not said)."""
    status: Status | None = None
    consensus: bool = False
    """As of a pyramid."""
    adjudicator: Person = ""
    """Who made a consensus of what the annotators had."""
    time: str = ""
    draw: Positive | None = None
    """The draw of a sample whose questions it answers: it says nothing about SCUs that it does not list (None: it is
    about the whole peer)."""


def pyramid_of(annotation: PeerAnnotation, pyramids: Iterable[Pyramid]) -> Pyramid | None:
    """The pyramid of the topic that a peer was matched against.

    It is the one that the annotation names, else its annotator's, else the only one, or the only consensus. None if the
    topic has no such pyramid.
    """
    by_annotator = {pyramid.annotator: pyramid for pyramid in pyramids if pyramid.topic == annotation.topic}
    if annotation.pyramid is not None:
        return by_annotator.get(annotation.pyramid)
    if annotation.annotator in by_annotator:
        return by_annotator[annotation.annotator]
    agreed = [pyramid for pyramid in by_annotator.values() if pyramid.consensus]
    candidates = agreed or list(by_annotator.values())
    is_clear = len(candidates) == 1
    if not is_clear:
        return None
    return candidates[0]


class SampledUnit(Noun, frozen=True, kw_only=True):
    """A part of what people could be asked, with its chance of being drawn: a topic, an SCU in all peers, or one peer.

    The units of a campaign are the whole frame of a plan: those that were not drawn have their chance, too.
    """

    topic: Id
    drawn: bool
    chance: int | float
    """Above 0, up to 1."""
    scu: int | None = None
    """The uid of an SCU; None: the unit is no SCU."""
    summarizer: Id | None = None
    """None: all systems were drawn together."""
    pyramid: str | None = None
    """The annotator of the pyramid that has the SCU, where the topic has several."""
    stratum: str | None = None
    """A fixed number of units was drawn within each stratum; None: each unit was drawn independently."""
    seed: int | None = None
    """Of the draw in which the unit was drawn."""
    draw: Positive = 1
    """A sample that was extended has several draws."""


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
    assessor: Person = ""


def mean_of_runs(judgments: Iterable[Judgment]) -> Sequence[Judgment]:
    """The judgments with the runs of an assessor about one summary as their mean, where the first of them is."""
    answers = list(judgments)
    if all(judgment.run == 1 for judgment in answers):
        return answers
    runs = grouped(answers, attrgetter("topic", "summarizer", "assessor", "question"))
    return [_join_runs(group) for group in runs.values()]


def _join_runs(judgments: Sequence[Judgment]) -> Judgment:
    """The first of several answers to one question, with the mean of all as its value."""
    first = judgments[0]
    if len(judgments) == 1:
        return first
    return msgspec.structs.replace(first, run=1, value=_mean([judgment.value for judgment in judgments]))


def _mean(values: Sequence[float]) -> float:
    """The mean, of numbers near the largest that there are as well."""
    # Added up first, because dividing each would round each; only a sum that overflows is divided before.
    total = sum(values)
    if math.isfinite(total):
        return total / len(values)
    return sum(value / len(values) for value in values)


def moment(time: str) -> datetime | None:
    """A time as files have it, in UTC if it names no zone; None if it is empty or no time in ISO 8601."""
    try:
        read = datetime.fromisoformat(time)
    except ValueError:
        return None
    if read.tzinfo is None:
        return read.replace(tzinfo=UTC)
    return read


def plain(text: Text) -> str:
    """The text as one string; known sentences are joined by line breaks. Offsets count in this string."""
    if isinstance(text, str):
        return text
    return "\n".join(text)


@cache
def fields_of(noun: type[Noun]) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a noun by their names in files."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(noun)}
    del fields[UNKNOWN_KEY]
    return fields


def encode(noun: Noun) -> bytes:
    """One line of a JSONL file: defaults left out, unknown fields as they came."""
    line = _ENCODER.encode(noun)
    # A quick look at bytes: rows with fields that we do not know are rare, and take the slow way.
    if _UNKNOWN not in line:
        return line
    return msgspec.json.encode(to_plain(noun))


def to_plain(value: Any) -> Any:
    """A noun as dictionaries and lists: defaults left out, unknown fields back where they were found."""
    if isinstance(value, str):  # most of what there is: sentences
        return value
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if not isinstance(value, Noun):
        return value
    fields = fields_of(type(value))
    plain_fields: dict[str, Any] = {}
    for key, field in fields.items():
        content = getattr(value, field.name)
        if content != default_of(field):
            plain_fields[key] = to_plain(content)
    unknown = {key: item for key, item in value.unknown.items() if key not in fields}
    return plain_fields | unknown


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    """The value of a field that a file leaves out."""
    if field.default_factory is msgspec.NODEFAULT:
        return field.default
    return field.default_factory()

"""A campaign in memory, and the slice of it that belongs to one topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import msgspec

from pyramidion.campaign.nouns import (
    Assessor,
    Coverage,
    Judgment,
    Match,
    Noun,
    PeerAnnotation,
    Preference,
    Pyramid,
    SampledUnit,
    Summarizer,
    Summary,
    Topic,
    pyramid_of,
)
from pyramidion.campaign.questions import QuestionSet
from pyramidion.errors import InputError, check_known
from pyramidion.options import JudgedKind
from pyramidion.scores.table import Kind, Score, ScoreTable

PeerChoice = Literal["systems", "participants", "humans", "all"]
"""Whose summaries are scored: those of systems, of participants alone, of humans (without their own model), or all."""
KINDS: Mapping[PeerChoice, frozenset[Kind]] = {
    "systems": frozenset({"participant", "baseline"}),
    "participants": frozenset({"participant"}),
    "humans": frozenset({"human"}),
    "all": frozenset({"participant", "baseline", "human"}),
}
"""By choice, the kinds of summarizers."""

NOUNS: Mapping[str, type[Noun]] = {
    "topics": Topic,
    "summaries": Summary,
    "judgments": Judgment,
    "preferences": Preference,
    "pyramids": Pyramid,
    "annotations": PeerAnnotation,
    "coverage": Coverage,
    "sample": SampledUnit,
}
"""The fields of a campaign that have a file of their own, a noun on each line."""

Answer = Judgment | Preference | PeerAnnotation | Coverage
RATED: Mapping[str, type[Noun]] = {
    "judgments": Judgment,
    "preferences": Preference,
    "annotations": PeerAnnotation,
    "coverage": Coverage,
}
"""The fields of a campaign that hold answers of people and judges."""


def rater_of(answer: Answer) -> str:
    """Who gave an answer."""
    if isinstance(answer, PeerAnnotation):
        return answer.annotator
    return answer.assessor


@dataclass(frozen=True, kw_only=True)
class TopicData:
    """Everything that a campaign has about one topic: what a measure sees.

    `peers` are the summaries to score. A human's model may be among them; it is never compared with itself.
    """

    topic: Topic
    models: tuple[Summary, ...] = ()
    peers: tuple[Summary, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    preferences: tuple[Preference, ...] = ()
    pyramids: tuple[Pyramid, ...] = ()
    annotations: tuple[PeerAnnotation, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    imported: tuple[Score, ...] = ()
    word_limit: int | None = None
    """Of summaries, if the campaign has one."""
    set_aside: tuple[Answer, ...] = ()
    """Answers of raters that were not chosen, such as those of judges where people answered."""
    judges: Mapping[str, str] = field(default_factory=dict)
    """By name, the judges as signatures of their answers to questions name them."""
    annotating_judges: Mapping[str, str] = field(default_factory=dict)
    """By name, the judges as signatures of pyramid scores name them."""
    rater_notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, who answered, where that are not people alone."""
    judged_peers: tuple[str, ...] = ()
    """Whose summaries were judged, if the campaign has the judgments alone, without any text."""

    @property
    def peer_ids(self) -> tuple[str, ...]:
        """Whose summaries are scored: each summarizer once, also one with several runs."""
        if self.judged_peers:
            return self.judged_peers
        return tuple(dict.fromkeys(peer.summarizer for peer in self.peers))

    @property
    def has_runs(self) -> bool:
        """Whether a peer is one of several outputs of a system."""
        return any(peer.run > 1 for peer in self.peers)

    def with_rater(self, name: str | None) -> TopicData:
        """The topic with the answers of this rater among the others, also if they were set aside."""
        answers = [answer for answer in self.set_aside if rater_of(answer) == name]
        if not answers:
            return self
        joined: dict[str, Any] = {}
        for noun_name, noun in RATED.items():
            of_noun = tuple(answer for answer in answers if isinstance(answer, noun))
            joined[noun_name] = (*getattr(self, noun_name), *of_noun)
        return replace(self, **joined)

    def answers_about(self, pyramid: Pyramid) -> list[PeerAnnotation]:
        """The annotations of peers that were matched against one of the pyramids, also those of a drawn part of it."""
        return [annotation for annotation in self.annotations if pyramid_of(annotation, self.pyramids) is pyramid]

    def annotations_of(self, pyramid: Pyramid) -> list[PeerAnnotation]:
        """The annotations of whole peers that were matched against one of the pyramids.

        Answers to questions that were drawn are joined by peer and annotator; they are left out until they are about
        every SCU.
        """
        answers = self.answers_about(pyramid)
        whole = [annotation for annotation in answers if annotation.draw is None]
        if len(whole) == len(answers):
            return whole
        return [*whole, *_join_draws(answers, pyramid)]


def _join_draws(answers: Iterable[PeerAnnotation], pyramid: Pyramid) -> Iterator[PeerAnnotation]:
    """The answers of an annotator to the questions of all draws, of each peer for which they are about every SCU."""
    drawn: dict[tuple[str, str], list[PeerAnnotation]] = {}
    for annotation in answers:
        if annotation.draw is not None:
            drawn.setdefault((annotation.summarizer, annotation.annotator), []).append(annotation)
    uids = {scu.uid for scu in pyramid.scus}
    for of_peer in drawn.values():
        matches: dict[int, Match] = {}
        for annotation in of_peer:
            matches |= {match.uid: match for match in annotation.scus}
        if uids <= matches.keys():
            yield msgspec.structs.replace(of_peer[-1], scus=tuple(matches.values()), draw=None)


def _scores_who_is_left_out(data: TopicData) -> bool:
    """Whether the topic is a leave-one-out evaluation that scores the human whose model it lacks.

    The other humans are scored in evaluations of their own.
    """
    left_out = data.topic.attributes.get("left_out", "")
    return left_out != "" and any(peer.summarizer == left_out for peer in data.peers)


@dataclass(frozen=True, kw_only=True, repr=False)
class Campaign:
    """Topics, summaries, and what people and programs found in them."""

    name: str = ""
    description: str = ""
    licence: str = ""
    simulated: str = ""
    """What in it a program made up, such as "judgments"; a note says so wherever it shows."""
    word_limit: int | None = None
    summarizers: Mapping[str, Summarizer] = field(default_factory=dict)
    questions: QuestionSet = field(default_factory=QuestionSet)
    """What assessors are asked; empty if campaign.toml does not say."""
    assessors: Mapping[str, Assessor] = field(default_factory=dict)
    """Those that campaign.toml describes: judges; people need no entry."""
    prompt_digests: Mapping[tuple[str, JudgedKind], str] = field(default_factory=dict)
    """By assessor and what it is asked, the digest of its prompt as it was read; files do not have it."""
    topics: tuple[Topic, ...] = ()
    summaries: tuple[Summary, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    preferences: tuple[Preference, ...] = ()
    pyramids: tuple[Pyramid, ...] = ()
    annotations: tuple[PeerAnnotation, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    sample: tuple[SampledUnit, ...] = ()
    """What was drawn for people to answer, with the chance of every unit."""
    imported: ScoreTable = field(default_factory=ScoreTable)
    """Scores of other programs."""
    unknown: Mapping[str, Any] = field(default_factory=dict)
    continued: frozenset[str] = frozenset()
    """Topics of which an earlier shard of the same stream was already given out."""
    model_writers: frozenset[str] = frozenset()
    """Who wrote models anywhere, if this is a part of a campaign."""
    set_aside: tuple[Answer, ...] = ()
    """Answers of raters that were not chosen (`choose_raters`); files have them among the others."""
    rater_notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, who answered, where that are not people alone."""

    def __repr__(self) -> str:
        """What it holds, not all of it: a campaign may be millions of words."""
        counts = {"topics": len(self.topic_ids)}
        for name in ("summaries", "judgments", "pyramids", "annotations"):
            counts[name] = len(getattr(self, name))
        parts = [f"{count} {name}" for name, count in counts.items() if count]
        content = ", ".join(parts) or "empty"
        return f"<Campaign {self.name!r}: {content}>"

    @cached_property
    def topic_ids(self) -> tuple[str, ...]:
        """Ids of all topics, declared ones first, then those that only occur, in order of appearance."""
        declared = [topic.topic for topic in self.topics]
        # Judgments alone: a campaign without texts still has its topics.
        summarized = [noun.topic for noun in (self.summaries or self.judgments)]
        return tuple(dict.fromkeys([*declared, *summarized, *self.imported.topics]))

    @cached_property
    def summarizer_ids(self) -> tuple[str, ...]:
        """Ids of all summarizers, declared ones first, then those that only occur, in order of appearance."""
        writers = [noun.summarizer for noun in (self.summaries or self.judgments)]
        return tuple(dict.fromkeys([*self.summarizers, *writers, *self.imported.summarizers]))

    @cached_property
    def question_names(self) -> tuple[str, ...]:
        """Questions that have judgments, in declared order, then in order of appearance."""
        judged = dict.fromkeys(judgment.question for judgment in self.judgments)
        declared = [question.name for question in self.questions]
        judged_as_declared = [name for name in declared if name in judged]
        return tuple(dict.fromkeys([*judged_as_declared, *judged]))

    @property
    def is_textless(self) -> bool:
        """Whether there are judgments, but none of the summaries that were judged."""
        return bool(self.judgments) and not self.summaries

    @cached_property
    def judges(self) -> Mapping[str, str]:
        """By name, the assessors that are programs, as signatures of answers to questions name them."""
        return self._identities("questions")

    def _identities(self, kind: JudgedKind) -> Mapping[str, str]:
        """By name, the judges as signatures name them, each with its prompt for what was asked."""
        return {
            name: assessor.identity(name, self.prompt_digests.get((name, kind), ""), kind)
            for name, assessor in self.assessors.items()
            if assessor.is_judge
        }

    def with_all_raters(self) -> Campaign:
        """The campaign with the answers of all raters, as files have it."""
        if not self.set_aside:
            return self
        joined: dict[str, Any] = {}
        for name, noun in RATED.items():
            joined[name] = (*getattr(self, name), *(answer for answer in self.set_aside if isinstance(answer, noun)))
        return replace(self, set_aside=(), rater_notes={}, **joined)

    def kind_of(self, summarizer: str) -> Kind:
        """The summarizer's kind; one that is not declared is human if it wrote models, else a participant."""
        declared = self.summarizers.get(summarizer)
        if declared is not None:
            return declared.kind
        if summarizer in self._writers_of_models:
            return "human"
        return "participant"

    def name_of(self, summarizer: str) -> str:
        """The summarizer's readable name, or its id."""
        declared = self.summarizers.get(summarizer)
        if declared is None or not declared.name:
            return summarizer
        return declared.name

    @cached_property
    def _writers_of_models(self) -> frozenset[str]:
        writers = (summary.summarizer for summary in self.summaries if summary.kind == "model")
        return self.model_writers.union(writers)

    @cached_property
    def _declared(self) -> dict[str, Topic]:
        return {topic.topic: topic for topic in self.topics}

    @cached_property
    def _by_topic(self) -> dict[str, TopicData]:
        nouns: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        for summary in self.summaries:
            is_reference = summary.kind == "model" and not summary.extra
            role = "models" if is_reference else "peers"
            nouns[summary.topic][role].append(summary)
        for name in ("judgments", "preferences", "pyramids", "annotations", "coverage", "imported", "set_aside"):
            for noun in getattr(self, name):
                nouns[noun.topic][name].append(noun)
        by_topic = {}
        annotating_judges = self._identities("coverage")
        for id in self.topic_ids:
            fields = {name: tuple(items) for name, items in nouns[id].items()}
            by_topic[id] = TopicData(
                topic=self._topic_of(id),
                word_limit=self.word_limit_of(id),
                judges=self.judges,
                annotating_judges=annotating_judges,
                rater_notes=self.rater_notes,
                **fields,
            )
        return by_topic

    def word_limit_of(self, topic: str) -> int | None:
        """The word limit of a topic's summaries: its attribute `word_limit`, else that of the campaign; None: no limit.

        Tasks of one campaign may differ: DUC 2007 has 250 words in the main task and 100 in the update task.
        """
        limit = self._topic_of(topic).attributes.get("word_limit")
        if isinstance(limit, int) and limit > 1:
            return limit
        return self.word_limit

    def _topic_of(self, id: str) -> Topic:
        """What is declared about a topic, if anything is."""
        return self._declared.get(id) or Topic(topic=id)

    def topic(self, id: str, *, peers: PeerChoice = "systems") -> TopicData:
        """What there is about one topic, with the chosen summaries as peers."""
        check_known(id, self._by_topic, f"the campaign has no topic {id!r}")
        return self._with_chosen_peers(self._by_topic[id], peers)

    def _with_chosen_peers(self, data: TopicData, peers: PeerChoice) -> TopicData:
        """A topic with the chosen summaries as peers, references among them where humans are scored."""
        kinds = KINDS[peers]
        chosen: list[Summary] = []
        # Models of a topic that an earlier shard began with were scored there.
        if "human" in kinds and data.topic.topic not in self.continued and not _scores_who_is_left_out(data):
            chosen += data.models
        chosen += [summary for summary in data.peers if self.kind_of(summary.summarizer) in kinds]
        judged: list[str] = []
        if self.is_textless:
            judged = list(dict.fromkeys(judgment.summarizer for judgment in data.judgments))
        # Without texts, peers are known by the judgments about them.
        judged_peers = tuple(summarizer for summarizer in judged if self.kind_of(summarizer) in kinds)
        return replace(data, peers=tuple(chosen), judged_peers=judged_peers)

    def each_topic(self, *, peers: PeerChoice = "systems") -> Iterator[TopicData]:
        """Topic by topic, in order."""
        for data in self._by_topic.values():
            yield self._with_chosen_peers(data, peers)

    def given_topics(self, *, all_runs: bool = False) -> Iterator[TopicData]:
        """Topic by topic, in order, with the peers alone as peers: what other forms hold.

        Args:
            all_runs: whether all outputs of a system with several runs are there, not only the first one.
        """
        for data in self._by_topic.values():
            peers = [summary for summary in data.peers if not summary.extra]
            yield replace(data, peers=tuple(peers if all_runs else first_outputs(peers)))

    @cached_property
    def has_runs(self) -> bool:
        """Whether a system has several outputs for a topic."""
        return len(first_outputs(self.summaries)) < len(self.summaries)

    def with_first_outputs(self) -> Campaign:
        """The campaign with one output of each system for a topic: what is shown of a system with several runs."""
        if not self.has_runs:
            return self
        return replace(self, summaries=tuple(first_outputs(self.summaries)))

    def require_single_outputs(self, work: str) -> None:
        """Refuse work that is about the summary of a system for a topic where a system has several.

        Args:
            work: what is to be done, for the message.

        Raises:
            InputError: with a system that has several runs.
        """
        if not self.has_runs:
            return
        counts = Counter((summary.topic, summary.summarizer) for summary in self.summaries)
        (topic, system), count = counts.most_common(1)[0]
        raise InputError(
            f"{work}: found {count} outputs of {system!r} for topic {topic!r}; expected one of each system, because an "
            "answer does not say which output it is about. Give each run a summarizer of its own in summaries.jsonl "
            f"({system}-1, {system}-2), or keep one run"
        )

    def where(self, conditions: Mapping[str, str]) -> Campaign:
        """The part whose topics have these fields or attributes (`part`, `parent`, `granularity`…); it may be empty."""
        if not conditions:
            return self
        topics: set[str] = set()
        for id in self.topic_ids:
            topic = self._topic_of(id)
            if _meets(topic, conditions):
                topics.add(id)
        return self.restricted(topics)

    def restricted(self, topics: set[str]) -> Campaign:
        """The same campaign with these topics only."""
        kept: dict[str, Any] = {}
        for name in NOUNS:
            kept[name] = tuple(noun for noun in getattr(self, name) if noun.topic in topics)
        kept["set_aside"] = tuple(answer for answer in self.set_aside if answer.topic in topics)
        return replace(self, imported=self.imported.of_topics(topics), **kept)


def first_outputs(summaries: Iterable[Summary]) -> list[Summary]:
    """The summaries with only the first run of each system for a topic."""
    first: dict[tuple[str, str, str], Summary] = {}
    for summary in summaries:
        key = (summary.topic, summary.summarizer, summary.kind)
        if key not in first or summary.run < first[key].run:
            first[key] = summary
    return list(first.values())


def _meets(topic: Topic, conditions: Mapping[str, str]) -> bool:
    """Whether a topic has these values in its fields or attributes."""
    return all(_written_value(topic, key) == value for key, value in conditions.items())


def _written_value(topic: Topic, key: str) -> str | None:
    """A field or attribute of a topic as a user writes it: true, as in JSON; None if the topic has none."""
    fields = {"topic": topic.topic, "part": topic.part, "parent": topic.parent}
    value = {**topic.attributes, **fields}.get(key)
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)

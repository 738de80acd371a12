"""Everything that people could be asked about a measure, what they answered, and what predictors say: the frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import PeerAnnotation, Pyramid, Scu, TopicData, plain
from pyramidion.errors import UsageError
from pyramidion.measures.pyramid import PyramidMeasure, PyramidRecall, weigh_equally
from pyramidion.options import WeightRule
from pyramidion.pyramids.automatic import pyramids_of
from pyramidion.pyramids.incidence import Incidence, answers_only_listed, max_weights
from pyramidion.scores import ScoreMatrix

Matcher = Callable[[Pyramid, Sequence[Scu], TopicData], Floats]
"""A predictor of SCUs in peers: (pyramid, its SCUs, topic) → SCUs × peers, NaN where it says nothing."""


@dataclass(frozen=True, kw_only=True)
class ScuQuestion:
    """What a unit asks about besides a topic: an SCU of a pyramid."""

    topic: str
    uid: int
    label: str
    pyramid: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """The units of a measure: one entry in every array for each system and topic, or for each system and SCU."""

    measure: str
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    questions: tuple[ScuQuestion, ...]
    """SCUs, in the order of their numbers; none if units are whole summaries."""
    system_numbers: Integers
    topic_numbers: Integers
    question_numbers: Integers
    """Number of the SCU; that of the topic where units are whole summaries."""
    weights: Floats
    answers: Floats
    """NaN where nobody answered."""
    features: Floats
    """Units × predictors; NaN where a predictor says nothing."""
    predictors: tuple[str, ...]
    higher_is_better: bool = True
    left_out: int = 0
    """Topics that have no pyramid."""

    @property
    def asks_scus(self) -> bool:
        """Whether people are asked about SCUs."""
        return bool(self.questions)

    def __len__(self) -> int:
        return len(self.weights)

    def with_answers(self, answers: Floats) -> Frame:
        """The same frame with other answers."""
        return replace(self, answers=answers)


def frame_of_scores(
    measure: str, answers: ScoreMatrix, predictors: Mapping[str, ScoreMatrix], cells: Iterable[tuple[str, str]] = ()
) -> Frame:
    """The frame of a question: all summaries that have an answer or a prediction, or that are named.

    Args:
        measure: the question.
        answers: people's scores.
        predictors: by name, the scores of predictors.
        cells: (topic, system) of summaries that exist.
    """
    keys: dict[tuple[str, str], None] = dict.fromkeys(cells)
    values = {measure: answers, **predictors}
    by_name = {name: dict(_cells_of(matrix)) for name, matrix in values.items()}
    # Where summaries are listed, whoever has scores and none of them is no system that was chosen.
    if not keys:
        for cells_of_measure in by_name.values():
            keys |= dict.fromkeys(cells_of_measure)
    topics = tuple(dict.fromkeys(topic for topic, _ in keys))
    systems = tuple(dict.fromkeys(system for _, system in keys))
    topic_place = {topic: place for place, topic in enumerate(topics)}
    system_place = {system: place for place, system in enumerate(systems)}
    topic_numbers = np.array([topic_place[topic] for topic, _ in keys], dtype=np.int64)
    system_numbers = np.array([system_place[system] for _, system in keys], dtype=np.int64)
    counts = np.bincount(system_numbers, minlength=len(systems))
    columns = [[by_name[name].get(key, np.nan) for key in keys] for name in predictors]
    return Frame(
        measure=measure,
        systems=systems,
        topics=topics,
        questions=(),
        system_numbers=system_numbers,
        topic_numbers=topic_numbers,
        question_numbers=topic_numbers,
        weights=1 / counts[system_numbers],
        answers=np.array([by_name[measure].get(key, np.nan) for key in keys], dtype=np.float64),
        features=np.array(columns, dtype=np.float64).reshape(len(columns), len(keys)).T,
        predictors=tuple(predictors),
        higher_is_better=answers.higher_is_better,
    )


def frame_of_summaries(measure: str, cells: Sequence[tuple[str, str]]) -> Frame:
    """The frame of a question that nobody has answered yet: (topic, system) of all summaries."""
    nobody = ScoreMatrix(measure=measure, summarizers=(), topics=(), values=np.zeros((0, 0)), higher_is_better=True)
    return frame_of_scores(measure, nobody, {}, cells)


def _cells_of(matrix: ScoreMatrix) -> Iterator[tuple[tuple[str, str], float]]:
    for row, system in enumerate(matrix.summarizers):
        for column, topic in enumerate(matrix.topics):
            value = float(matrix.values[row, column])
            if not np.isnan(value):
                yield (topic, system), value


def frame_of_pyramids(
    topics: Iterable[TopicData],
    measure: PyramidMeasure,
    statistic: str,
    matchers: Mapping[str, Matcher],
    *,
    scores: Mapping[str, ScoreMatrix] | None = None,
    programs: frozenset[str] = frozenset(),
) -> Frame:
    """The frame of pyramid scores: every SCU of every pyramid in every peer.

    The score of a peer on a topic is Σ weight·present/D, D being the weight of all SCUs (recall) or Max(X′) (modified).

    Args:
        topics: with their peers.
        measure: which pyramids, and what SCUs weigh.
        statistic: recall or modified.
        matchers: by name, predictors of SCUs in peers.
        scores: by name, predictors of whole summaries, which say the same of every SCU.
        programs: annotators that are programs; their answers are no people's.
    """
    # Estimates weigh answers by their chances, which is right for sums alone.
    _require_linear(measure, statistic)
    parts: list[_TopicPart] = []
    left_out = 0
    for topic in topics:
        if not topic.peers:
            continue
        pyramid = choose_pyramid(topic, measure.annotator)
        part = None if pyramid is None else _part_of(topic, pyramid, measure, statistic, matchers, programs)
        if part is None:
            left_out += 1
        else:
            parts.append(part)
    if not parts:
        raise UsageError(f"{measure.name(statistic)}: no topic has a pyramid and summaries of systems")
    return _joined(measure.name(statistic), parts, list(matchers), scores or {}, left_out)


def _require_linear(measure: PyramidMeasure, statistic: str) -> None:
    """Refuse what is no weighted sum of answers about SCUs."""
    name = measure.name(statistic)
    if statistic not in ("recall", "modified"):
        raise UsageError(
            f"{name} can't be predicted: it divides by the number of SCUs in the peer itself, which nobody knows "
            "before all of the peer is annotated; use pyramid.modified or pyramid.recall"
        )
    if measure.jackknife or measure.order is not None or measure.include_self:
        raise UsageError(f"{name}: predictions are for the whole pyramid; leave out jackknife, order and include_self")


def choose_pyramid(topic: TopicData, annotator: str | None) -> Pyramid | None:
    """The pyramid of a topic whose SCUs people are asked about; None if it has none.

    Raises:
        UsageError: if it has several, and none is a consensus or was named.
    """
    pyramids = pyramids_of(topic, annotator)
    if len(pyramids) > 1:
        names = ", ".join(pyramid.annotator for pyramid in pyramids)
        raise UsageError(
            f"topic {topic.topic.topic} has several pyramids, whose SCUs differ: name the annotator of one of them "
            f"({names}), as in pyramid(annotator={pyramids[0].annotator}).recall"
        )
    return pyramids[0] if pyramids else None


@dataclass(frozen=True, eq=False)
class _TopicPart:
    """What a topic adds to a frame."""

    topic: str
    pyramid: Pyramid
    scus: tuple[Scu, ...]
    peers: tuple[str, ...]
    weights: Floats
    """Of SCUs, over D."""
    answers: Floats
    """SCUs × peers."""
    predictions: tuple[Floats, ...]


def _part_of(
    topic: TopicData,
    pyramid: Pyramid,
    measure: PyramidMeasure,
    statistic: str,
    matchers: Mapping[str, Matcher],
    programs: frozenset[str],
) -> _TopicPart | None:
    models = {*pyramid.models}
    if any(peer.summarizer in models for peer in topic.peers):
        raise UsageError(
            "a reference is scored with the pyramid of the other references, which changes the weights: predictions "
            'are for systems (`peers="systems"`)'
        )
    equal = isinstance(measure, PyramidRecall) and measure.weights == "equal"
    rule: WeightRule | None = None
    if measure.weights in ("contributors", "models"):
        rule = measure.weights
    incidence = Incidence.of(pyramid, weight=weigh_equally if equal else measure.weight, weights=rule)
    weights = incidence.weights(incidence.everyone)[0]
    divisor = float(weights.sum())
    if statistic == "modified":
        size = incidence.model_sizes(incidence.everyone, measure.rounding)[:, None]
        divisor = float(max_weights(weights[None], size)[0, 0])
    # SCUs without weight change no score, and nobody needs to be asked about them.
    used = np.flatnonzero(weights > 0)
    if not used.size or divisor <= 0:
        return None
    scus = tuple(pyramid.scus[place] for place in used)
    annotations = [note for note in topic.answers_about(pyramid) if note.annotator not in programs]
    return _TopicPart(
        topic.topic.topic,
        pyramid,
        scus,
        tuple(peer.summarizer for peer in topic.peers),
        weights[used] / divisor,
        answers_in(annotations, [scu.uid for scu in scus], [peer.summarizer for peer in topic.peers]),
        tuple(matcher(pyramid, scus, topic) for matcher in matchers.values()),
    )


def answers_in(annotations: Iterable[PeerAnnotation], uids: Sequence[int], peers: Sequence[str]) -> Floats:
    """SCUs × peers: whether annotators found each SCU, their mean if they are several; NaN where nobody answered.

    An annotation of a drawn part, or one that says of some SCU that it is absent, answers for the SCUs that it lists.
    One that lists only what is present, as in DUCView, answers for all.
    """
    row = {uid: place for place, uid in enumerate(uids)}
    column = {peer: place for place, peer in enumerate(peers)}
    total, count = np.zeros((2, len(uids), len(peers)))
    for annotation in annotations:
        place = column.get(annotation.summarizer)
        if place is None:
            continue
        lists_answers = answers_only_listed(annotation)
        # What such an annotation does not list is absent: an answer, too.
        if not lists_answers:
            count[:, place] += 1
        for match in annotation.scus:
            # Annotations may name SCUs without weight, which are not in the frame.
            if match.uid in row:
                total[row[match.uid], place] += match.present
                count[row[match.uid], place] += lists_answers
    is_answered: Bools = count > 0
    answers: Floats = np.divide(total, count, out=np.full(total.shape, np.nan), where=is_answered)
    return answers


def _joined(
    measure: str,
    parts: Sequence[_TopicPart],
    matchers: Sequence[str],
    scores: Mapping[str, ScoreMatrix],
    left_out: int,
) -> Frame:
    systems = tuple(dict.fromkeys(peer for part in parts for peer in part.peers))
    place = {system: number for number, system in enumerate(systems)}
    counts = np.bincount([place[peer] for part in parts for peer in part.peers], minlength=len(systems))
    system_numbers, topic_numbers, question_numbers, weights, answers, features = [], [], [], [], [], []
    questions: list[ScuQuestion] = []
    cells = [dict(_cells_of(matrix)) for matrix in scores.values()]
    for number, part in enumerate(parts):
        shape = part.answers.shape
        numbers = np.array([place[peer] for peer in part.peers], dtype=np.int64)
        rows = np.arange(shape[0])[:, None] + len(questions)
        system_numbers.append(np.broadcast_to(numbers, shape).ravel())
        question_numbers.append(np.broadcast_to(rows, shape).ravel())
        topic_numbers.append(np.full(part.answers.size, number, dtype=np.int64))
        # The mean over the topics that each system has.
        weights.append((part.weights[:, None] / counts[numbers]).ravel())
        answers.append(part.answers.ravel())
        columns = [prediction.ravel() for prediction in part.predictions]
        for values in cells:
            of_peers = np.array([values.get((part.topic, peer), np.nan) for peer in part.peers])
            # A score of the whole summary says the same of every SCU.
            columns.append(np.broadcast_to(of_peers, shape).ravel())
        features.append(np.array(columns, dtype=np.float64).reshape(len(columns), part.answers.size).T)
        questions += [
            ScuQuestion(topic=part.topic, uid=scu.uid, label=scu.label, pyramid=part.pyramid.annotator)
            for scu in part.scus
        ]
    return Frame(
        measure=measure,
        systems=systems,
        topics=tuple(part.topic for part in parts),
        questions=tuple(questions),
        system_numbers=np.concatenate(system_numbers),
        topic_numbers=np.concatenate(topic_numbers),
        question_numbers=np.concatenate(question_numbers),
        weights=np.concatenate(weights),
        answers=np.concatenate(answers),
        features=np.concatenate(features),
        predictors=(*matchers, *scores),
        left_out=left_out,
    )


def match_by_words(texts_of: Callable[[TopicData], Mapping[str, str]], predict: Callable[..., Floats]) -> Matcher:
    """A matcher from a function of a pyramid, the texts of peers and the texts of models."""

    def match(pyramid: Pyramid, scus: Sequence[Scu], topic: TopicData) -> Floats:
        peers = {peer.summarizer: plain(peer.text) for peer in topic.peers}
        values = predict(pyramid, peers, texts_of(topic))
        place = {scu.uid: number for number, scu in enumerate(pyramid.scus)}
        chosen: Floats = values[[place[scu.uid] for scu in scus]]
        return chosen

    return match


def match_by_annotator(annotator: str) -> Matcher:
    """A matcher from the answers of an annotator that is a program, such as a judge."""

    def match(pyramid: Pyramid, scus: Sequence[Scu], topic: TopicData) -> Floats:
        chosen = topic.with_rater(annotator)
        annotations = [note for note in chosen.answers_about(pyramid) if note.annotator == annotator]
        return answers_in(annotations, [scu.uid for scu in scus], [peer.summarizer for peer in topic.peers])

    return match


def match_by_scores(scores: Mapping[tuple[str, str, int], float]) -> Matcher:
    """A matcher from scores by topic, summarizer and SCU, such as the probability that a summary entails an SCU."""

    def match(pyramid: Pyramid, scus: Sequence[Scu], topic: TopicData) -> Floats:
        rows = [[scores.get((pyramid.topic, peer.summarizer, scu.uid), np.nan) for peer in topic.peers] for scu in scus]
        return np.array(rows, dtype=np.float64).reshape(len(scus), len(topic.peers))

    return match

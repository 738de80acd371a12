"""Which answers to ask people for: a random sample of topics, SCUs or single answers, with the chance of every unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign, SampledUnit, TopicData, plain
from pyramidion.errors import UsageError, mention
from pyramidion.options import PlanOptions, SampledBy
from pyramidion.show.tables import ExplainedRow, Finding, hidden
from pyramidion.statistics.sampling import Draw, chances_by_uncertainty, draw_independently, draw_within
from pyramidion.statistics.values import SLACK
from pyramidion.studies.predictions.frames import Frame

ALL_TOPICS = "all topics"
"""The one stratum of whole topics."""
HEAVY = 0.05
"""Below this chance a drawn unit weighs more than twenty."""


class PlanRow(ExplainedRow, record="predicted-plan"):
    """What was drawn."""

    measure: str = ""
    clusters: str
    """What was drawn: topics, SCUs or answers."""
    drawn: int
    total: int
    answers: int
    """Number of answers that people are asked for."""
    answers_total: int
    """Number of answers that there are."""
    chance_least: float
    """The smallest chance of a unit."""
    draws: int
    """1, or more if the sample was extended."""
    seed: int | None
    is_planned: bool = hidden(default=True)
    """Whether a plan drew the answers."""


class SamplePlan(Finding):
    """A sample: what people are asked, and the chance of everything that they could have been asked."""

    plan: PlanRow
    units: tuple[SampledUnit, ...]
    by: SampledBy
    added: int = 0
    """Units that were added to an earlier sample; 0 if it is the first draw."""


def plan_sample(frame: Frame, options: PlanOptions, *, seed: int, earlier: Sequence[SampledUnit] = ()) -> SamplePlan:
    """Draw what people are asked for.

    Whole topics: a simple random sample. SCUs: a simple random sample of the same share within each topic, each SCU in
    all systems. Single answers: a simple random sample within each system. By uncertainty: every unit independently,
    with a chance in proportion to √(p(1 − p)), p being the prediction.

    Args:
        frame: everything that could be asked.
        options: what is drawn, and how much.
        seed: of the draw.
        earlier: a sample of the same frame that is extended.
    """
    by = options.by or "topic"
    share = options.share_drawn
    if not share:
        raise UsageError("`share=` is missing: say which share of the answers people are asked for, such as `share=20`")
    if options.by_uncertainty is not None and by == "topic":
        raise UsageError("`by_uncertainty=` is for SCUs and single answers of pyramids; topics are drawn alike")
    keys = unit_keys(frame, by)
    generator = np.random.default_rng([seed, len(earlier)])
    earlier_draw = _earlier_draw(keys, earlier, share, is_independent=options.by_uncertainty is not None)
    strata = strata_of(frame, by, keys)
    if options.by_uncertainty is None:
        numbers = {name: number for number, name in enumerate(dict.fromkeys(strata))}
        codes = np.array([numbers[name] for name in strata], dtype=np.int64)
        is_drawn_before = None if earlier_draw is None else earlier_draw.is_drawn
        draw = draw_within(codes, share, generator, earlier=is_drawn_before)
    else:
        chances = chances_by_uncertainty(uncertainties_of(frame, by), share, floor=options.floor)
        draw = draw_independently(chances, generator, earlier=earlier_draw)
    units = tuple(_units(keys, draw, strata if options.by_uncertainty is None else None, earlier, seed))
    added = 0
    if earlier_draw is not None:
        added = int(draw.is_drawn.sum() - earlier_draw.is_drawn.sum())
    return SamplePlan(plan=describe_sample(frame, units, by), units=units, by=by, added=added)


def unit_keys(frame: Frame, by: SampledBy) -> list[tuple[str, int | None, str | None, str | None]]:
    """(topic, SCU, system, pyramid) of each unit that can be drawn; None where all are drawn together."""
    if by == "topic":
        return [(topic, None, None, None) for topic in frame.topics]
    if by == "scu":
        if not frame.asks_scus:
            raise UsageError('`by="scu"` draws SCUs, but there are no pyramids; use `by="topic"`')
        return [(scu.topic, scu.uid, None, scu.pyramid or None) for scu in frame.questions]
    keys: list[tuple[str, int | None, str | None, str | None]] = []
    for system, topic, question in zip(frame.system_numbers, frame.topic_numbers, frame.question_numbers, strict=True):
        if frame.asks_scus:
            scu = frame.questions[question]
            keys.append((scu.topic, scu.uid, frame.systems[system], scu.pyramid or None))
        else:
            keys.append((frame.topics[topic], None, frame.systems[system], None))
    return keys


def clusters_of(frame: Frame, by: SampledBy) -> Integers:
    """Of each unit of the frame, the number of what it is drawn with, as `unit_keys` numbers them."""
    if by == "topic":
        return frame.topic_numbers
    if by == "scu":
        return frame.question_numbers
    return np.arange(len(frame), dtype=np.int64)


def strata_of(frame: Frame, by: SampledBy, keys: Sequence[tuple[str, int | None, str | None, str | None]]) -> list[str]:
    """Of each unit, the name of the stratum that it is drawn in: all topics, its topic, or its system."""
    if by == "topic":
        return [ALL_TOPICS] * len(frame.topics)
    if by == "scu":
        return [topic for topic, _, _, _ in keys]
    return [system or "" for _, _, system, _ in keys]


def uncertainties_of(frame: Frame, by: SampledBy) -> Floats:
    """How unsure the first predictor is of each unit: √(p(1 − p)), for SCUs the root mean square over peers."""
    p = frame.features[:, 0]
    if not frame.asks_scus or np.nanmin(p) < -SLACK or np.nanmax(p) > 1 + SLACK:
        raise UsageError("`by_uncertainty=` needs a predictor of SCUs with values from 0 to 1, such as auto-pyramid")
    # Without a prediction anything is possible: the largest variance of a yes or no.
    variances = np.where(np.isnan(p), 0.25, np.clip(p * (1 - p), 0.0, None))
    if by == "unit":
        return np.sqrt(variances)
    sums = np.bincount(frame.question_numbers, weights=variances)
    return np.sqrt(sums / np.bincount(frame.question_numbers))


def _earlier_draw(
    keys: Sequence[tuple[str, int | None, str | None, str | None]],
    earlier: Sequence[SampledUnit],
    share: float,
    *,
    is_independent: bool,
) -> Draw | None:
    """The earlier sample in the order of the keys; None if there is none.

    Raises:
        UsageError: if it is of another frame, or as large already.
    """
    if not earlier:
        return None
    units = {(unit.topic, unit.scu, unit.summarizer): unit for unit in earlier}
    names = [(topic, scu, system) for topic, scu, system, _ in keys]
    # A unit that the earlier draw could not have drawn had no chance then.
    if set(units) != set(names):
        lacking = len(set(names) - set(units))
        extra = len(set(units) - set(names))
        raise UsageError(
            f"the sample that exists is of other units ({lacking} are new, {extra} are gone), so that chances of both "
            "together are not known; name another file by `plan=`"
        )
    if is_independent != is_drawn_by_uncertainty(earlier):
        raise UsageError("the sample that exists was drawn in another way: extend it as it was drawn")
    is_drawn = np.array([units[name].drawn for name in names])
    if is_drawn.mean() >= share:
        raise UsageError(
            f"{100 * is_drawn.mean():.0f} % are drawn already: a larger `share=` extends the sample, and another file "
            "(`plan=`) starts a new one"
        )
    return Draw(is_drawn, np.array([units[name].chance for name in names], dtype=np.float64))


def _units(
    keys: Sequence[tuple[str, int | None, str | None, str | None]],
    draw: Draw,
    strata: Sequence[str] | None,
    earlier: Sequence[SampledUnit],
    seed: int,
) -> Iterator[SampledUnit]:
    before = {(unit.topic, unit.scu, unit.summarizer): unit for unit in earlier}
    number = 1 + max((unit.draw for unit in earlier), default=0)
    for place, (topic, scu, system, pyramid) in enumerate(keys):
        unit = before.get((topic, scu, system))
        was_drawn = unit is not None and unit.drawn
        yield SampledUnit(
            topic=topic,
            scu=scu,
            summarizer=system,
            pyramid=pyramid,
            drawn=bool(draw.is_drawn[place]),
            chance=float(draw.chances[place]),
            stratum=strata[place] if strata is not None else None,
            seed=unit.seed if unit is not None and was_drawn else seed,
            draw=unit.draw if unit is not None and was_drawn else number,
        )


def choose_estimated(campaign: Campaign) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures that people answer a sample of, and what predicts their other answers; nothing without a sample.

    Pyramid scores are predicted by the overlap of SCUs with summaries, questions by ROUGE-1, or by the length of
    summaries where there are no references.
    """
    if not campaign.sample:
        return (), ()
    # Topics may be drawn for pyramids, too: then there are annotations and no answers to questions.
    if any(unit.scu is not None for unit in campaign.sample) or (campaign.annotations and not campaign.judgments):
        return ("pyramid.recall", "pyramid.modified"), ("auto-pyramid",)
    measures = tuple(f"question.{name}" for name in reversed(campaign.question_names))
    has_references = any(summary.kind == "model" for summary in campaign.summaries)
    return measures, (("rouge-1.recall",) if has_references else ("length",))


CLUSTER_WORDS: Mapping[SampledBy, str] = {"topic": "topics", "scu": "SCUs", "unit": "answers"}


def describe_sample(frame: Frame, units: Sequence[SampledUnit], by: SampledBy) -> PlanRow:
    """How much of a frame a sample asks for."""
    drawn = {(unit.topic, unit.scu, unit.summarizer) for unit in units if unit.drawn}
    keys = unit_keys(frame, by)
    is_drawn = np.array([(topic, scu, system) in drawn for topic, scu, system, _ in keys])
    return PlanRow(
        clusters=CLUSTER_WORDS[by],
        drawn=len(drawn),
        total=len(units),
        answers=int(is_drawn[clusters_of(frame, by)].sum()),
        answers_total=len(frame),
        chance_least=min((float(unit.chance) for unit in units), default=0.0),
        draws=max((unit.draw for unit in units), default=1),
        seed=next((unit.seed for unit in units if unit.drawn), None),
    )


def is_drawn_by_uncertainty(units: Sequence[SampledUnit]) -> bool:
    """Whether each unit was drawn independently, with a chance of its own: such samples have no strata."""
    return bool(units) and units[0].stratum is None


def sampled_by(units: Sequence[SampledUnit]) -> SampledBy:
    """What a sample draws."""
    if units[0].summarizer is not None:
        return "unit"
    return "topic" if units[0].scu is None else "scu"


def rows_to_label(
    plan: SamplePlan,
    frame: Frame,
    topics: Iterable[TopicData],
    questions: Sequence[str],
    answered: Collection[tuple[str, int | None, str]] = (),
) -> Iterator[Sequence[str]]:
    """A table of what people are to answer, its header first: a row for each answer, with an empty cell for it.

    Of a sample that was extended, what an earlier draw asked for is left out where people have answered it.

    Args:
        plan: what was drawn.
        frame: what it was drawn from.
        topics: with the texts.
        questions: names of the campaign's questions, a column each; none where SCUs are asked.
        answered: what people have answered: (topic, SCU or None, system).
    """
    texts = {(topic.topic.topic, peer.summarizer): plain(peer.text) for topic in topics for peer in topic.peers}
    drawn = {(unit.topic, unit.scu, unit.summarizer): unit.draw for unit in plan.units if unit.drawn}
    # Only answers of earlier draws are left out: what this draw asks for is new.
    latest = max(drawn.values(), default=1)
    keys = unit_keys(frame, plan.by)
    clusters = clusters_of(frame, plan.by)
    asks_scus = frame.asks_scus and plan.by != "topic"
    if asks_scus:
        yield ("topic", "summarizer", "scu", "label", "summary", "present")
    else:
        yield ("topic", "summarizer", "summary", *(questions or ("answer",)))
    is_listed: set[tuple[str, str]] = set()
    for unit in range(len(frame)):
        topic, scu, system, _ = keys[clusters[unit]]
        if (topic, scu, system) not in drawn:
            continue
        name = frame.systems[frame.system_numbers[unit]]
        question = frame.questions[frame.question_numbers[unit]] if asks_scus else None
        key = (topic, None if question is None else question.uid, name)
        if drawn[topic, scu, system] < latest and key in answered:
            continue
        text = texts.get((topic, name), "")
        if question is not None:
            yield (topic, name, str(question.uid), question.label, text, "")
        # A summary has a row of its own, however many units of it were drawn.
        elif (topic, name) not in is_listed:
            is_listed.add((topic, name))
            yield (topic, name, text, *[""] * max(len(questions), 1))


def require_readable(by: str | None, option: str) -> None:
    """Refuse a plan without a kind of unit where the data has several."""
    if by is None:
        raise UsageError(
            f"{mention(option, 'scu')} draws SCUs within each topic, each answered in all systems, which is best for "
            f"pyramids; {mention(option, 'topic')} draws whole topics, for questions: say which"
        )

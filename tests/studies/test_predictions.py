"""What people answered in part and a measure predicts: the study behind `compare(using=…)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from msgspec.structs import replace as changed

import pyramidion
from pyramidion.campaign import (
    Assessor,
    Campaign,
    Contributor,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    SampledUnit,
    Scu,
    Summary,
)
from pyramidion.errors import UsageError
from pyramidion.studies.predictions.estimates import PredictedComparison


def rows(judged_topics: int) -> list[dict[str, Any]]:
    """Two systems on twelve topics; the judge of all of them is off by a constant."""
    table = []
    for topic in range(12):
        for system, quality in (("A", 3.0), ("B", 2.0)):
            answer = quality + (topic * 7 + ord(system)) % 3 - 1
            row: dict[str, Any] = {"topic": f"t{topic}", "summarizer": system, "summary": f"words {topic} of {system}"}
            row["references"] = [f"words {topic}"]
            row["scores"] = {"predictor": answer + 0.5}
            if topic < judged_topics:
                row["judgments"] = {"quality": {"x": answer}}
            table.append(row)
    return table


def predicted_means(judged_topics: int) -> dict[str, float]:
    result = pyramidion.compare(
        rows(judged_topics), "question.quality", using="imported.predictor", assume_random="topics"
    )
    assert isinstance(result, PredictedComparison)
    means = [record for record in result.records() if record["record"] == "predicted-mean"]
    return {record["summarizer"]: record["value"] for record in means}


def test_a_predictor_that_is_off_by_a_constant_is_corrected_by_the_answers() -> None:
    """By hand: answers follow the predictor with slope 1, so that the means are those of all twelve topics."""
    expected = {
        system: sum(quality + (topic * 7 + ord(system)) % 3 - 1 for topic in range(12)) / 12
        for system, quality in (("A", 3.0), ("B", 2.0))
    }
    assert predicted_means(8) == pytest.approx(expected, abs=2e-3)  # the ridge makes the slope .999


def test_with_all_answers_the_means_are_those_of_the_answers() -> None:
    means = pyramidion.score(rows(12), "question.quality").means()
    assert predicted_means(12) == pytest.approx(dict(means.select("summarizer", "value").iter_rows()), abs=1e-12)


def test_answers_that_nobody_drew_need_an_assumption() -> None:
    with pytest.raises(UsageError, match="assume_random"):
        pyramidion.compare(rows(8), "question.quality", using="imported.predictor")


def test_a_predictor_that_knows_only_what_people_answered_is_refused() -> None:
    """Means would stand for what it does not know, and intervals would be those of a perfect predictor."""
    table = rows(8)
    for row in table:
        if "judgments" not in row:
            del row["scores"]
    with pytest.raises(UsageError, match="100 % of what people answered, and for 0 % of the rest"):
        pyramidion.compare(table, "question.quality", using="imported.predictor", assume_random="topics")
    # Gaps that have nothing to do with what was judged are filled.
    gaps = rows(8)
    for row in (gaps[0], gaps[22]):
        del row["scores"]
    result = pyramidion.compare(gaps, "question.quality", using="imported.predictor", assume_random="topics")
    assert "2 predictions were missing" in " ".join(result.tables()[0].notes)


def judged_pyramids() -> Campaign:
    """Six topics with a pyramid of one SCU; the judge has annotated both systems and answered a question."""
    topics = [f"t{number}" for number in range(6)]
    summaries: list[Summary] = []
    pyramids: list[Pyramid] = []
    annotations: list[PeerAnnotation] = []
    judgments: list[Judgment] = []
    for topic in topics:
        summaries.append(Summary(topic=topic, summarizer="M", kind="model", text="The harbour closed."))
        scu = Scu(uid=1, label="closed", contributors=(Contributor(model="M"),))
        pyramids.append(Pyramid(topic=topic, annotator="Ann", models=("M",), scus=(scu,)))
        for system in ("A", "B"):
            summaries.append(Summary(topic=topic, summarizer=system, kind="peer", text="It closed."))
            match = Match(uid=1, present=system == "A")
            annotations.append(PeerAnnotation(topic=topic, summarizer=system, annotator="robot", scus=(match,)))
            judgments.append(Judgment(topic=topic, summarizer=system, question="focus", assessor="robot", value=3))
    return Campaign(
        summaries=tuple(summaries),
        pyramids=tuple(pyramids),
        annotations=tuple(annotations),
        judgments=tuple(judgments),
        assessors={"robot": Assessor(kind="judge")},
    )


@pytest.mark.parametrize("measure", ["pyramid.recall", "question.focus", "question(assessor=robot).focus"])
def test_answers_of_a_judge_are_not_taken_for_the_truth(measure: str) -> None:
    with pytest.raises(UsageError, match="judge"):
        pyramidion.compare(judged_pyramids(), measure, using="length", assume_random="topics")


def sampled_pyramids() -> Campaign:
    """Six topics with three SCUs, of which one is drawn and answered in both systems."""
    campaign = judged_pyramids()
    scus = tuple(Scu(uid=uid, label="closed", contributors=(Contributor(model="M"),)) for uid in (1, 2, 3))
    units = [
        SampledUnit(topic=f"t{topic}", scu=uid, pyramid="Ann", drawn=uid == 1, chance=1 / 3, stratum=f"t{topic}")
        for topic in range(6)
        for uid in (1, 2, 3)
    ]
    return replace(
        campaign,
        pyramids=tuple(changed(pyramid, scus=scus) for pyramid in campaign.pyramids),
        annotations=tuple(changed(answer, annotator="Bea", draw=1) for answer in campaign.annotations),
        sample=tuple(units),
        assessors={},
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda unit: [changed(unit, drawn=True)], "contradicts itself: 3 of 3 units of the stratum t0 are drawn"),
        (lambda unit: [unit] if unit.drawn else [], "contradicts itself: 1 of 1 units"),
        (
            lambda unit: [changed(unit, chance=1.0)] if unit.drawn else [],
            "no topic wholly: 4 of the answers about t0",
        ),
        (lambda unit: [changed(unit, drawn=False)], "drawn nothing"),
        (lambda unit: [changed(unit, stratum=None if unit.drawn else "x")], "stratum for 12 of 18 units"),
        (lambda unit: [changed(unit, pyramid="Zoe")], "SCUs of Zoe's pyramid of t0, not of Ann's"),
        (lambda unit: [changed(unit, summarizer="A", stratum=None)], "B: the plan has drawn no answers about it"),
    ],
)
def test_a_sample_that_was_changed_by_hand_is_refused(
    change: Callable[[SampledUnit], list[SampledUnit]], message: str
) -> None:
    campaign = sampled_pyramids()
    assert pyramidion.compare(campaign, "pyramid.recall", using="length").sentences()
    sample = tuple(chain.from_iterable(map(change, campaign.sample)))
    with pytest.raises(UsageError, match=message):
        pyramidion.compare(replace(campaign, sample=sample), "pyramid.recall", using="length")


def test_a_topic_that_the_plan_knows_in_part_is_left_out() -> None:
    campaign = sampled_pyramids()
    more = changed(
        campaign.pyramids[0],
        scus=(*campaign.pyramids[0].scus, Scu(uid=4, label="reopened", contributors=(Contributor(model="M"),))),
    )
    with_more = replace(campaign, pyramids=(more, *campaign.pyramids[1:]))
    more_weight = pyramidion.compare(with_more, "pyramid.recall", using="length")
    assert "1 topic left out" in " ".join(more_weight.tables()[0].notes)
    (plan,) = (record for record in more_weight.records() if record["record"] == "predicted-plan")
    assert plan["total"] == 15


def test_the_exact_method_is_named_only_where_whole_summaries_were_judged() -> None:
    """Scores of a part of the SCUs are none, so that nothing can be compared without predictions."""
    campaign = sampled_pyramids()
    equal = replace(
        campaign,
        annotations=tuple(
            changed(answer, scus=(Match(uid=1, present=answer.topic > "t0" or answer.summarizer == "A"),))
            for answer in campaign.annotations
        ),
    )
    (sentence,) = (
        text for text in pyramidion.compare(equal, "pyramid.recall", using="length").sentences() if "too short" in text
    )
    assert "bounded" not in sentence


def test_answers_of_people_who_disagree_are_counted() -> None:
    campaign = sampled_pyramids()
    other = changed(campaign.annotations[0], annotator="Cid", scus=(Match(uid=1, present=False),))
    both = replace(campaign, annotations=(*campaign.annotations, other))
    table = pyramidion.compare(both, "pyramid.recall", using="none").tables()[0]
    assert "1 answer of people who disagree: their mean is used." in table.notes


def test_none_predicts_nothing_and_the_estimate_is_that_of_the_answers() -> None:
    alone = pyramidion.compare(sampled_pyramids(), "pyramid.recall", using="none")
    means = {row["summarizer"]: row["value"] for row in alone.records() if row["record"] == "predicted-mean"}
    assert means == pytest.approx({"A": 1.0, "B": 0.0})
    assert "nothing predicted the rest" in " ".join(alone.sentences())
    assert "predictor" not in " ".join(note for table in alone.tables() for note in table.notes)
    with pytest.raises(UsageError, match="stands alone"):
        pyramidion.compare(sampled_pyramids(), "pyramid.recall", using="none,length")


def test_where_everything_is_answered_equal_means_share_their_ranks() -> None:
    table = rows(12)
    for row in rows(12)[::2]:
        table.append(row | {"summarizer": "C"})
    result = pyramidion.compare(table, "question.quality", using="imported.predictor")
    ranks = {
        row["summarizer"]: (row["first_rank"], row["last_rank"])
        for row in result.records()
        if row["record"] == "predicted-mean"
    }
    assert ranks == {"A": (1, 2), "C": (1, 2), "B": (3, 3)}
    assert "A and C have the same mean" in result.sentences()[0]


def test_in_one_topic_nothing_can_be_predicted_and_the_note_says_so() -> None:
    campaign = sampled_pyramids()
    one = replace(
        campaign,
        summaries=tuple(row for row in campaign.summaries if row.topic == "t0"),
        pyramids=campaign.pyramids[:1],
        annotations=tuple(row for row in campaign.annotations if row.topic == "t0"),
        judgments=(),
        sample=tuple(row for row in campaign.sample if row.topic == "t0"),
    )
    notes = pyramidion.compare(one, "pyramid.recall", using="length").tables()[0].notes
    assert "There is no other topic for the predictor's slope to come from" in " ".join(notes)

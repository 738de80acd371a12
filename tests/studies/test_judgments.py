"""Studies of judgments, against hand counts, against statsmodels and against values computed elsewhere."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm

import pyramidion
from pyramidion.campaign import Campaign, Judgment, Question, Summarizer, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.statistics.agreement import ALPHA_METRICS
from pyramidion.studies import judgment_agreement, judgment_confusions, judgment_frequencies, judgment_regression

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "statistics" / "meta.json").read_text(encoding="utf-8"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns")

WHO = {
    "H": Summarizer(kind="human"),
    "1": Summarizer(kind="baseline"),
    "2": Summarizer(kind="participant"),
    "3": Summarizer(kind="participant"),
}


def campaign(*answers: tuple[str, str, str, str, float], **fields: Any) -> Campaign:
    """Answers are topic, summarizer, assessor, question, value."""
    pairs = dict.fromkeys((topic, who) for topic, who, *_ in answers)
    return Campaign(
        summarizers=WHO,
        summaries=tuple(Summary(topic=topic, summarizer=who, kind="peer", text="x") for topic, who in pairs),
        judgments=tuple(
            Judgment(topic=topic, summarizer=who, assessor=assessor, question=question, value=value)
            for topic, who, assessor, question, value in answers
        ),
        **fields,
    )


FOCUS = (
    ("t", "H", "A", "focus", 5),
    ("t", "1", "A", "focus", 1),
    ("t", "2", "A", "focus", 4),
    ("t", "2", "B", "focus", 2),
    ("t", "3", "A", "focus", 4),
)


def counts(frequencies: Any, question: str) -> dict[str, dict[float, int]]:
    return {kind: {one.value: one.count for one in found} for kind, found in frequencies.of(question).items()}


def test_every_answer_counts_and_values_of_the_scale_that_nobody_gave_are_0() -> None:
    found = judgment_frequencies(campaign(*FOCUS, questions=(Question(name="focus", scale=(1, 5)),)))
    assert counts(found, "focus") == {
        "human": {1: 0, 2: 0, 3: 0, 4: 0, 5: 1},
        "baseline": {1: 1, 2: 0, 3: 0, 4: 0, 5: 0},
        "participant": {1: 0, 2: 1, 3: 0, 4: 2, 5: 0},
    }
    participant = found.of("focus")["participant"]
    assert [one.share for one in participant] == pytest.approx([0, 1 / 3, 0, 2 / 3, 0])
    assert {one.n for one in participant} == {3}


def test_without_a_declared_scale_whole_numbers_between_the_ends_are_filled_in() -> None:
    found = judgment_frequencies(campaign(("t", "1", "A", "q", 2), ("t", "2", "A", "q", 4)))
    assert counts(found, "q") == {"baseline": {2: 1, 3: 0, 4: 0}, "participant": {2: 0, 3: 0, 4: 1}}


def test_a_named_set_of_questions_brings_its_scale() -> None:
    found = judgment_frequencies(campaign(("t", "1", "A", "q", 7), question_set="tac2009"))
    assert counts(found, "q") == {"baseline": {value: int(value == 7) for value in range(1, 11)}}


def test_more_than_ten_values_between_whole_numbers_are_grouped_too() -> None:
    answers = [(f"t{number}", "2", "A", "q", number + 0.5) for number in range(11)]
    grouped = [row.count for row in judgment_frequencies(campaign(*answers)).rows]
    assert grouped == [1] * 9 + [2]  # the highest belongs to the last
    halves = [row.value for row in judgment_frequencies(campaign(*answers[:10])).rows]
    assert halves == [number + 0.5 for number in range(10)]


def test_many_values_are_put_in_ten_groups_and_the_highest_belongs_to_the_last() -> None:
    answers = [(f"t{number}", "1", "A", "recall", number / 40) for number in range(41)]
    rows = judgment_frequencies(campaign(*answers)).of("recall")["baseline"]
    assert [row.count for row in rows] == [4] * 9 + [5]
    assert (rows[0].value, rows[0].below, rows[-1].below) == (0.0, 0.1, 1.0)


def test_shares_of_a_kind_add_up_and_simulated_judgments_are_said() -> None:
    found = judgment_frequencies(pyramidion.load("demo"))
    assert found.note == "simulated judgments"
    for question in found.questions:
        for rows in found.of(question).values():
            assert sum(row.share for row in rows) == pytest.approx(1)
            assert sum(row.count for row in rows) == rows[0].n


def test_no_judgments_and_unknown_questions_are_said() -> None:
    with pytest.raises(InputError, match="no judgments"):
        judgment_frequencies(campaign())
    with pytest.raises(UsageError, match="did you mean focus"):
        judgment_frequencies(campaign(*FOCUS), questions=["fokus"])


def demo_rows(assessor: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Features and target, gathered apart from the study."""
    names = [question.name for question in pyramidion.load("demo").questions]
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for one in pyramidion.load("demo").judgments:
        cells.setdefault((one.topic, one.summarizer, one.assessor), {})[one.question] = one.value
    rows = np.array([[cell[name] for name in names] for key, cell in cells.items() if assessor in (None, key[2])])
    return rows[:, :-1], rows[:, -1]


def test_each_assessors_weights_and_the_pooled_ones_are_those_of_statsmodels() -> None:
    found = judgment_regression(pyramidion.load("demo"))
    assert found.target == "overall-responsiveness"
    assert found.on[-1] == "content-responsiveness"
    for fit in found.fits:
        features, target = demo_rows(None if fit.pooled else fit.assessor)
        expected = sm.OLS(target, sm.add_constant(features)).fit()
        assert fit.n == len(target)
        assert fit.r_squared == pytest.approx(expected.rsquared, rel=1e-9)
        for number, one in enumerate(fit.coefficients):
            limits = expected.conf_int()[number]
            assert (one.beta, one.lower, one.upper, one.p) == pytest.approx(
                (expected.params[number], *limits, expected.pvalues[number]), rel=1e-7
            )
            assert one.significant == (expected.pvalues[number] < 0.05)


def test_assessors_come_by_falling_r_squared_and_all_of_them_together_last() -> None:
    fits = judgment_regression(pyramidion.load("demo")).fits
    shares = [fit.r_squared for fit in fits[:-1]]
    assert shares == sorted(shares, key=lambda share: share or 0, reverse=True)
    assert [fit.pooled for fit in fits] == [False] * 4 + [True]


def grid(questions: dict[str, Any], rows: int = 8) -> Campaign:
    """One assessor's answers by formulas of the row's number."""
    answers = [
        (f"t{row}", "1", "A", question, float(value(row)))
        for row in range(rows)
        for question, value in questions.items()
    ]
    return campaign(*answers)


def test_a_question_with_one_answer_or_said_twice_has_no_weight_but_a_reason() -> None:
    noisy = [2, 4, 1, 5, 3, 3, 5, 2]
    data = grid(
        {"a": lambda row: row % 5, "flat": lambda _: 3, "again": lambda row: row % 5, "overall": noisy.__getitem__}
    )
    fit = judgment_regression(data).pooled
    reasons = {one.term: one.reason for one in fit.coefficients}
    assert reasons["flat"] == "flat is constant"
    assert reasons["again"] == "again is a combination of the terms before it"
    assert {one.term: one.beta is None for one in fit.coefficients} == {
        "intercept": False,
        "a": False,
        "flat": True,
        "again": True,
    }
    assert fit.r_squared is not None


def test_too_few_rows_and_a_constant_target_give_a_reason_instead_of_numbers() -> None:
    few = judgment_regression(grid({"a": lambda row: row, "b": lambda row: row**2, "overall": lambda row: row % 2}, 3))
    assert "3 rows are too few" in few.pooled.reason
    none = judgment_regression(campaign(("t", "1", "A", "a", 1), ("t", "2", "A", "b", 2)))
    assert none.pooled.reason == "no summary has an answer to every question"
    assert all(one.beta is None and one.reason for one in few.pooled.coefficients)
    flat = judgment_regression(grid({"a": lambda row: row, "overall": lambda _: 3}))
    assert "nothing to explain" in flat.pooled.reason


def test_a_summary_without_all_answers_is_left_out_and_counted() -> None:
    noisy = [2, 4, 1, 5, 3, 3, 5, 2]
    whole = grid({"a": lambda row: row % 5, "overall": noisy.__getitem__})
    part = campaign(*[(*_key(one), one.value) for one in whole.judgments if (one.topic, one.question) != ("t3", "a")])
    fit = judgment_regression(part).pooled
    assert (fit.n, fit.incomplete) == (7, 1)


def _key(judgment: Judgment) -> tuple[str, str, str, str]:
    return judgment.topic, judgment.summarizer, judgment.assessor, judgment.question


def test_what_is_explained_and_by_what_can_be_chosen() -> None:
    demo = pyramidion.load("demo")
    found = judgment_regression(demo, target="focus", on=["coherence", "grammaticality"])
    assert (found.target, found.terms) == ("focus", ("intercept", "coherence", "grammaticality"))
    assert judgment_regression(demo, on=["overall-responsiveness"]).target == "content-responsiveness"
    with pytest.raises(UsageError, match="explain itself"):
        judgment_regression(demo, target="focus", on=["focus"])
    with pytest.raises(UsageError, match="there are"):
        judgment_regression(demo, on=["fokus"])
    with pytest.raises(InputError, match="two or more"):
        judgment_regression(campaign(*FOCUS))


TWO = (
    ("t", "1", "A", "q", 1),
    ("t", "1", "B", "q", 1),
    ("t", "2", "A", "q", 2),
    ("t", "2", "B", "q", 2),
    ("u", "1", "A", "q", 1),
    ("u", "1", "C", "q", 2),
    ("u", "2", "A", "q", 5),
)


def test_alpha_counts_summaries_with_two_assessors_and_pairs_those_that_share_one() -> None:
    found = judgment_agreement(campaign(*TWO), metrics=["nominal"])
    (one,) = found.alphas
    assert one.alpha.value == pytest.approx(1 - (2 / 6) / 0.6)  # by hand, as in the tests of the statistics
    assert (one.alpha.units, one.alpha.left_out, one.assessors) == (3, 1, 3)
    assert one.pair_agreement == pytest.approx(2 / 3)
    assert [(pair.first, pair.second, pair.agreement.n) for pair in found.pairs] == [("A", "B", 2), ("A", "C", 1)]


def test_the_bootstrap_is_seeded_and_can_draw_topics() -> None:
    demo = pyramidion.load("demo")
    one = judgment_agreement(demo, questions=["focus"], seed=1)
    other = judgment_agreement(demo, questions=["focus"], seed=2)
    by_topic = judgment_agreement(demo, questions=["focus"], seed=1, over="topics")
    assert judgment_agreement(demo, questions=["focus"], seed=1) == one
    assert other.alphas != one.alphas
    assert [found.alpha.value for found in by_topic.alphas] == [found.alpha.value for found in one.alphas]
    assert [found.alpha.lower for found in by_topic.alphas] != [found.alpha.lower for found in one.alphas]


def test_confusion_of_two_assessors_and_of_all() -> None:
    data = campaign(*TWO, questions=(Question(name="q", scale=(1, 3)),))
    (one,) = judgment_confusions(data, pair=("C", "A"))
    assert list(one.values) == [1, 2, 3, 5]  # the scale, and what was given beside it
    assert one.counts.tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert [(other.first, other.second, other.n) for other in judgment_confusions(data)] == [
        ("A", "B", 2),
        ("A", "C", 1),
    ]
    with pytest.raises(UsageError, match="no assessor 'D'"):
        judgment_confusions(data, pair=("A", "D"))
    with pytest.raises(UsageError, match="two assessors"):
        judgment_confusions(data, pair=("A", "A"))


@needs_data
@pytest.mark.parity
@pytest.mark.filterwarnings("ignore:16 warnings")  # no models: nothing here needs one
def test_alpha_of_a_public_campaign_is_that_computed_elsewhere() -> None:
    expected = GOLDEN["sets"]["summeval_op"]["krippendorff"]
    found = judgment_agreement(pyramidion.load(DATA / "summeval_op"), resamples=10)
    assert len(found.alphas) == 7 * len(ALPHA_METRICS)
    for one in found.alphas:
        golden = expected["values"]["values"][one.question.replace("-", "_")]
        assert one.alpha.value == pytest.approx(golden[one.alpha.metric], abs=expected["tolerance"])
        assert one.alpha.units == expected["values"]["n_units"]


@needs_data
@pytest.mark.parity
@pytest.mark.filterwarnings("ignore:16 warnings")  # no models: nothing here needs one
def test_correlations_of_two_annotators_are_those_computed_elsewhere() -> None:
    expected = GOLDEN["sets"]["summeval_op"]["annotator_pearson"]
    for pair in judgment_agreement(pyramidion.load(DATA / "summeval_op"), resamples=1).pairs:
        golden = expected["values"][pair.question.replace("-", "_")][f"{pair.first}-{pair.second}"]
        assert pair.agreement.pearson == pytest.approx(golden, abs=expected["tolerance"])

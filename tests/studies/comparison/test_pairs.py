"""Pairs: what is said of two summarizers; expected numbers from scipy or by hand."""

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion import compare
from pyramidion.errors import UsageError
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.pairs import Pair


def table(higher_is_better: bool = True, **values: list[float]) -> ScoreTable:
    cells = [(who, f"t{topic}", value) for who, row in values.items() for topic, value in enumerate(row)]
    cells = [cell for cell in cells if not np.isnan(cell[2])]
    return ScoreTable.from_columns(
        measure=["m"] * len(cells),
        topic=[cell[1] for cell in cells],
        summarizer=[cell[0] for cell in cells],
        value=[cell[2] for cell in cells],
        higher_is_better={"m": higher_is_better},
    )


def pair(scores: ScoreTable, a: str = "a", b: str = "b", **options: float) -> Pair:
    """By the permutation test; simultaneous intervals have their own tests below."""
    (found,) = compare(scores, pair=[(a, b)], interval="t", correction="holm", **options).pairs  # type: ignore[arg-type]
    return found


A = [0.30, 0.41, 0.35, 0.52, 0.44, 0.39, 0.47, 0.50]
B = [0.25, 0.36, 0.33, 0.41, 0.40, 0.37, 0.41, 0.42]


def test_of_two_summarizers_alone_the_interval_is_that_of_the_paired_t_test() -> None:
    found = pair(table(a=A, b=B))
    theirs = stats.ttest_rel(A, B)
    low, high = theirs.confidence_interval(0.95)
    assert found.difference == pytest.approx(np.mean(A) - np.mean(B))
    assert (found.lower, found.upper) == pytest.approx((low, high))
    own = compare(table(a=A, b=B), pair=[("a", "b")], interval="own").pairs[0]
    assert (own.lower, own.upper) == pytest.approx((low, high))


def test_with_others_around_the_error_is_that_of_all() -> None:
    scores = table(a=A, b=B, c=[0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4])
    found = compare(scores, pair=[("a", "b")])
    anova = found.analysis("m").anova
    assert anova is not None
    half = stats.t.ppf(0.975, 2 * 7) * np.sqrt(2 * anova.mean_square / 8)
    assert found.pairs[0].upper == pytest.approx(np.mean(A) - np.mean(B) + half)


def test_all_that_is_said_of_a_clear_winner() -> None:
    found = pair(table(a=A, b=B))
    d = np.array(A) - np.array(B)
    assert found.p == 2 / 2**8  # a is better everywhere
    assert found.exact
    assert found.effect == pytest.approx(d.mean() / d.std(ddof=1))
    assert (found.win, found.tie, found.loss, found.n) == (8, 0, 0, 8)
    assert found.better == "a"
    assert found.sentence.startswith(
        "a is better than b on m: by 0.0537 on average over 8 topics (95 % confidence interval with pooled variance: 0.0"
    )
    assert found.sentence.endswith("p = 0.008); better on 8, equal on 0, worse on 0.")


def test_the_order_of_a_pair_turns_signs_and_wins_but_not_the_verdict() -> None:
    found = pair(table(a=A, b=B), "b", "a")
    other = pair(table(a=A, b=B))
    assert found.difference == pytest.approx(-(other.difference or 0))
    assert (found.win, found.loss) == (0, 8)
    assert found.better == "a"
    assert found.sentence == other.sentence


def test_where_low_is_good_the_lower_wins() -> None:
    found = pair(table(higher_is_better=False, a=A, b=B))
    assert found.difference == pytest.approx(np.mean(A) - np.mean(B))
    assert (found.win, found.loss, found.better) == (0, 8, "b")
    assert found.sentence.startswith(
        "b is better than a on m: by 0.0537 on average over 8 topics (95 % confidence interval with pooled variance: 0.0"
    )


def test_what_may_be_chance_is_a_tie() -> None:
    found = pair(table(a=[0.3, 0.5, 0.2, 0.7, 0.4, 0.6], b=[0.4, 0.3, 0.3, 0.6, 0.5, 0.6]))
    assert found.better == ""
    assert found.tie == 1
    assert found.sentence.startswith("Undecided: no significant difference between a and b on m: 0.0000 over 6 topics")


def test_too_few_topics_are_said_to_be_too_few() -> None:
    found = pair(table(a=A[:4], b=B[:4]))
    assert found.p == 2 / 2**4
    assert "with 4 topics none could be found: p can't be below 0.125" in found.sentence


def test_only_shared_topics_count() -> None:
    found = pair(table(a=A, b=[np.nan, *B[1:-1], np.nan]))
    assert found.n == 6
    assert found.difference == pytest.approx(np.mean(A[1:-1]) - np.mean(B[1:-1]))


def test_without_a_shared_topic_nothing_is_said_but_the_reason() -> None:
    nan = float("nan")
    found = pair(table(a=[1.0, 2.0, nan, nan], b=[nan, nan, 1.0, 3.0]))
    assert (found.difference, found.lower, found.p, found.p_adjusted, found.effect) == (None,) * 5
    assert found.reason == "no topic has scores of both"
    assert "can't be compared" in found.sentence


def test_many_pairs_are_corrected_and_the_sentence_says_how() -> None:
    scores = table(a=A, b=B, c=[0.31, 0.40, 0.36, 0.50, 0.45, 0.38, 0.48, 0.49], d=B[::-1])
    found = compare(scores, all_pairs=True, correction="bonferroni")
    assert len(found.pairs) == 6
    for one in found.pairs:
        assert one.p is not None
        assert one.p_adjusted == pytest.approx(min(1, 6 * one.p))
    first = found.pairs[0]
    assert "after Bonferroni correction for 6 pairs" in first.sentence
    plain = compare(scores, all_pairs=True, correction="none").pairs
    assert all(one.p == one.p_adjusted for one in plain)


def test_a_p_that_only_the_correction_raises_is_said_both_ways() -> None:
    # ±1 ±2 … ±7 ±1 against the sum 27: 6 of 256 signs reach it (none turned, or one of the ones); twice tested
    scores = table(a=[1, 2, 3, 4, 5, 6, 7, -1], b=[0.0] * 8, c=[0.0] * 8)
    found = compare(scores, pair=[("a", "b"), ("a", "c"), ("b", "c")], correction="bonferroni").pairs[0]
    assert (found.p, found.p_adjusted) == (6 / 256, 18 / 256)
    assert "p = 0.023, but p = 0.070 after Bonferroni correction for 3 pairs" in found.sentence


def test_where_no_scores_could_tell_a_pair_the_sentence_says_so() -> None:
    # eight topics: p is 2/2⁸ at least, and six tests make 0.0469 of it, above the level of 4 %
    scores = table(a=A, b=B, c=[0.31, 0.40, 0.36, 0.50, 0.45, 0.38, 0.48, 0.49], d=B[::-1])
    found = compare(scores, all_pairs=True, confidence=96, interval="t").pairs[0]
    assert found.least_p == 12 / 256
    assert (
        "with 8 topics none could be found: p can't be below 0.0469 after Holm correction for 6 pairs" in found.sentence
    )
    assert "p = 0.008 without correction" in found.sentence
    by_rate = compare(scores, all_pairs=True, confidence=96, correction="benjamini-hochberg").pairs[0]
    assert by_rate.least_p == 2 / 256
    longer = [float(value) for value in range(1, 21)]
    sampled = compare(table(a=longer, b=[0.0] * 20), pair=[("a", "b")], permutations=9, interval="t").pairs[0]
    assert sampled.least_p == 1 / 10
    assert "with 9 permutations none could be found: p can't be below 0.1" in sampled.sentence


def test_every_measure_is_a_family_of_its_own() -> None:
    found = pyramidion.compare("demo", ["rouge-1.recall", "rouge-2.recall"], pair=[("15", "16")])
    assert [(one.measure, one.a, one.b) for one in found.pairs] == [
        ("rouge-1.recall", "15", "16"),
        ("rouge-2.recall", "15", "16"),
    ]
    assert all(one.p == one.p_adjusted for one in found.pairs)


def test_a_pair_asked_for_both_ways_is_tested_once() -> None:
    found = compare(table(a=A, b=B, c=A), pair=[("a", "b"), ("b", "a")], against="a")
    assert [(one.a, one.b) for one in found.pairs] == [("a", "b"), ("c", "a")]


def test_against_one_means_every_other() -> None:
    found = compare(table(a=A, b=B, c=A), against="b")
    assert [(one.a, one.b) for one in found.pairs] == [("a", "b"), ("c", "b")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pair": [("a", "bb")]}, "no summarizer 'bb'; did you mean b?"),
        ({"against": "z"}, "no summarizer 'z'"),
        ({"pair": [("a", "a")]}, "two different summarizers"),
    ],
)
def test_pairs_that_are_none_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        compare(table(a=A, b=B), **options)  # type: ignore[arg-type]  # whichever it is


def test_percentile_intervals_of_differences_are_seeded() -> None:
    first, again = (
        compare(table(a=A, b=B), pair=[("a", "b")], interval="percentile", seed=3).pairs[0] for _ in range(2)
    )
    assert first == again
    assert first.lower is not None
    assert first.difference is not None
    assert first.lower < first.difference

"""Pairs: what is said of two summarizers; expected numbers from scipy or by hand."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion import compare
from pyramidion.errors import InputError, UsageError
from pyramidion.options import PairMethod
from pyramidion.present.comparison.pair_notes import cautions_of
from pyramidion.scores import ScoreTable
from pyramidion.statistics.betting import betting_sequence
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


def pair(scores: ScoreTable, a: str = "a", b: str = "b", **options: object) -> Pair:
    (found,) = compare(scores, pair=[(a, b)], **options).pairs  # type: ignore[arg-type]  # whichever they are
    return found


A = [0.30, 0.41, 0.35, 0.52, 0.44, 0.39, 0.47, 0.50]
B = [0.25, 0.36, 0.33, 0.41, 0.40, 0.37, 0.41, 0.42]


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("margin", [0.02, 0.06, 0.08, 0.2])
def test_equivalence_is_that_of_two_one_sided_tests(margin: float) -> None:
    from statsmodels.stats import weightstats

    closer = [value - 0.04 for value in A]
    compared = pair(table(a=closer, b=B), margin=margin, confidence=90)
    p, *_ = weightstats.ttost_paired(np.array(closer), np.array(B), -margin, margin)  # its 5 % is our 90 %
    assert (compared.is_not_worse and compared.is_not_better) == (p < 0.05)
    assert compared.margin == margin


@pytest.mark.parametrize(
    ("differences", "margin", "verdict"),
    [
        ([0.3, 0.4, 0.5, 0.4], 0.1, "better"),
        ([-0.3, -0.4, -0.5, -0.4], 0.1, "worse"),
        ([0.01, -0.01, 0.02, -0.02], 0.1, "equivalent"),
        ([0.2, -0.02, 0.15, 0.01], 0.1, "not-worse"),
        ([0.2, -0.3, 0.15, -0.1], 0.1, "undecided"),
    ],
)
def test_the_verdict_is_the_first_that_holds(differences: list[float], margin: float, verdict: str) -> None:
    baseline = [0.5, 0.4, 0.6, 0.3]
    scores = [first + second for first, second in zip(baseline, differences, strict=True)]
    assert pair(table(a=scores, b=baseline), margin=margin).verdict == verdict


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_a_margin_in_percent_is_a_contrast_with_the_baseline(higher_is_better: bool) -> None:
    compared = pair(table(a=A, b=B, higher_is_better=higher_is_better), margin="5%")
    assert compared.margin == pytest.approx(0.05 * np.mean(B))
    loss = (np.array(A) - B) * (1 if higher_is_better else -1)
    above = stats.ttest_1samp(loss + 0.05 * np.array(B), 0).confidence_interval(0.95)
    below = stats.ttest_1samp(loss - 0.05 * np.array(B), 0).confidence_interval(0.95)
    assert compared.is_not_worse == (above.low > 0)
    assert compared.is_not_better == (below.high < 0)


@pytest.mark.parametrize("margin", [0.5, "10%"])
@pytest.mark.parametrize("method", ["t", "sign-flip"])
@pytest.mark.parametrize(
    ("difference", "topics", "verdict"),
    [
        (0.0, 6, "equivalent"),  # 2/2⁶ is at most 5 %, 2/2⁵ is not
        (0.0, 5, "undecided"),
        (0.0, 1, "undecided"),
        (-0.25, 5, "undecided"),
        (-0.75, 5, "undecided"),
    ],
)
def test_equal_differences_keep_a_margin_by_sign_flips_as_in_the_gate(
    difference: float, topics: int, verdict: str, method: PairMethod, margin: str | float
) -> None:
    baseline = [5.0] * topics
    scores = [5.0 + difference] * topics
    compared = pair(table(a=scores, b=baseline), margin=margin, method=method)
    assert (compared.verdict, compared.n) == (verdict, topics)
    gated = pyramidion.gate(table(a=scores, b=baseline), "m", against="b", margin=margin)
    assert (gated.verdict == "pass") == (verdict == "equivalent")
    assert ("equivalent" in compared.sentence) == (verdict == "equivalent")


@pytest.mark.slow  # imports what it compares with
def test_what_an_interval_shows_about_a_margin_is_said() -> None:
    from statsmodels.stats.power import TTestPower

    baseline = [0.5, 0.4, 0.6, 0.3]
    noisy = [0.7, 0.1, 0.75, 0.2]
    sentence = pair(table(a=noisy, b=baseline), margin=0.1).sentence
    low, high = stats.ttest_rel(noisy, baseline).confidence_interval(0.95)
    limit = f"With 4 topics nothing smaller than ±{(high - low) / 2:.4f} can be shown; the margin is 0.1000."
    assert sentence.startswith(f"{limit} Undecided: ")  # before any verdict
    sd = (np.array(noisy) - baseline).std(ddof=1)
    needed = math.ceil(TTestPower().solve_power(effect_size=0.1 / sd, alpha=0.05, power=0.8))
    step = f"about {needed - 4} more topics would show it"
    assert f"Whether a is worse than b by more than 0.1000 is undecided: {step}" in sentence
    assert (
        "The two are equivalent: the interval lies within ±0.9000."
        in pair(table(a=noisy, b=baseline), margin=0.9).sentence
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": "0"}, "expected a loss above 0"),
        ({"margin": "x"}, "expected a loss above 0"),
        ({"margin": "nothing=0.1"}, "no measure 'nothing'"),
        ({"margin": ["0.1", "0.2"]}, "has a margin already"),
        ({"margin": 0.1, "sequential": True}, "can't be combined"),
    ],
)
def test_a_margin_that_means_nothing_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pair(table(a=A, b=B), **options)


def test_a_margin_without_pairs_is_refused() -> None:
    with pytest.raises(UsageError, match="about pairs"):
        compare(table(a=A, b=B, c=A), margin=0.1)


def test_test_and_interval_are_those_of_the_paired_t_test() -> None:
    found = pair(table(a=A, b=B))
    theirs = stats.ttest_rel(A, B)
    assert found.difference == pytest.approx(np.mean(A) - np.mean(B))
    assert found.p == found.p_adjusted == pytest.approx(theirs.pvalue)
    assert (found.lower, found.upper) == pytest.approx(theirs.confidence_interval(0.95))
    assert (found.df, found.method) == (7, "t")


def test_the_permutation_test_stands_next_to_it() -> None:
    noisy = [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4]
    theirs = stats.permutation_test(
        (np.array(A) - np.array(noisy),), np.mean, permutation_type="samples", n_resamples=2**8, vectorized=True
    )
    for method in ("t", "sign-flip"):
        assert pair(table(a=A, b=noisy), method=method).p_permutation == pytest.approx(theirs.pvalue)


def test_the_interval_of_means_changes_no_pair() -> None:
    first, *others = (
        pair(table(a=A, b=B, c=A[::-1]), interval=method) for method in ("t", "own", "percentile", "studentized")
    )
    assert all(other == first for other in others)


def test_all_that_is_said_of_a_clear_winner() -> None:
    found = pair(table(a=A, b=B))
    d = np.array(A) - np.array(B)
    assert found.p_permutation == 2 / 2**8  # a is better everywhere
    assert found.exact
    assert found.effect == pytest.approx(d.mean() / d.std(ddof=1))
    assert (found.win, found.tie, found.loss, found.n) == (8, 0, 0, 8)
    assert found.better == "a"
    assert found.sentence == (
        "a is better than b on m: by 0.0537 on average over 8 topics (95 % confidence interval: 0.0285 to 0.0790; "
        "paired t test: p = 0.002); better on 8, equal on 0, worse on 0."
    )
    flipped = pair(table(a=A, b=B), method="sign-flip")
    assert flipped.sentence == (
        "a is better than b on m: by 0.0537 on average over 8 topics (95 % confidence interval: 0.0300 to 0.0800; "
        "sign-flip test: p = 0.008); better on 8, equal on 0, worse on 0."
    )


def test_a_bounded_pair_has_p_and_limits_of_one_betting_process() -> None:
    found = pair(table(a=A * 5, b=B * 5), method="bounded", scale=(0, 1))
    names = sorted(f"t{topic}" for topic in range(40))
    d = np.array([(A * 5)[int(name[1:])] - (B * 5)[int(name[1:])] for name in names])
    sequence = betting_sequence(d[np.random.default_rng(0).permutation(40)], bounds=(-1, 1), confidence=95, planned=40)
    assert (found.p, found.lower, found.upper) == pytest.approx(
        (sequence.p[-1], sequence.lower[-1], sequence.upper[-1])
    )
    assert (found.df, found.method) == (None, "bounded")
    assert "betting test: p = " in found.sentence
    assert "a betting test has no degrees of freedom" in found.reason


def test_a_bounded_pair_needs_a_scale_on_which_its_scores_lie() -> None:
    with pytest.raises(UsageError, match=r"needs the scale of m, which is not known: .* `scale=\(1, 5\)`"):
        pair(table(a=A, b=B), method="bounded")
    with pytest.raises(InputError, match=r"m: found values from 0\.25 to 0\.52; expected the scale 1 to 5"):
        pair(table(a=A, b=B), method="bounded", scale=(1, 5))
    with pytest.raises(UsageError, match="expected the lowest and the highest value"):
        pair(table(a=A, b=B), method="bounded", scale=(5, 1))


def test_bounded_limits_turn_with_the_pair_and_allow_a_margin_and_several_pairs() -> None:
    scores = table(a=[value + 0.3 for value in A * 8], b=B * 8, c=B[::-1] * 8)
    found, turned = (pair(scores, *names, method="bounded", scale=(0, 1)) for names in (("a", "b"), ("b", "a")))
    assert (found.p, found.lower, found.upper) == pytest.approx((turned.p, -turned.upper, -turned.lower))  # type: ignore[operator]
    assert (found.verdict, turned.verdict) == ("better", "worse")
    first, second = compare(scores, pair=[("a", "b"), ("b", "c")], method="bounded", scale=(0, 1)).pairs
    assert (first.lower or 0) < (found.lower or 0)  # at the Bonferroni level
    assert first.p_adjusted == pytest.approx(2 * (first.p or 0))
    for margin in (0.6, "90%"):
        near = pair(scores, "b", "c", method="bounded", scale=(0, 1), margin=margin)
        assert near.verdict == "equivalent"
    assert pair(scores, "b", "c", method="bounded", scale=(0, 1), margin="5%").verdict == "undecided"
    assert second.verdict == "undecided"


@pytest.mark.parametrize("values", [[0.5], [0.5, 0.5], [0.2, 0.9]])
def test_bounded_limits_of_a_few_topics_or_equal_scores_are_wide(values: list[float]) -> None:
    found = pair(table(a=values, b=[0.5] * len(values)), method="bounded", scale=(0, 1))
    assert found.p == 1
    assert found.lower is not None
    assert found.lower < -0.5


def test_the_order_of_a_pair_turns_signs_and_wins_but_not_the_verdict() -> None:
    found = pair(table(a=A, b=B), "b", "a")
    other = pair(table(a=A, b=B))
    assert found.difference == pytest.approx(-(other.difference or 0))
    assert (found.win, found.loss) == (0, 8)
    assert found.better == "a"
    assert found.sentence == other.sentence


def test_where_low_is_good_the_lower_wins_and_a_difference_above_0_still_means_better() -> None:
    found = pair(table(higher_is_better=False, a=A, b=B))
    assert found.difference == pytest.approx(np.mean(B) - np.mean(A))
    low, high = stats.ttest_rel(B, A).confidence_interval(0.95)
    assert (found.lower, found.upper) == pytest.approx((low, high))
    assert (found.win, found.loss, found.better) == (0, 8, "b")
    assert found.sentence.startswith(
        "b is better than a on m: by 0.0537 on average over 8 topics (95 % confidence interval: 0.0285 to 0.0790;"
    )


def test_what_may_be_chance_is_a_tie() -> None:
    found = pair(table(a=[0.3, 0.5, 0.2, 0.7, 0.4, 0.6], b=[0.4, 0.3, 0.3, 0.6, 0.5, 0.6]))
    assert found.better == ""
    assert found.tie == 1
    assert found.sentence.startswith("Undecided: no significant difference between a and b on m: 0.0000 over 6 topics")


def test_too_few_topics_are_said_to_be_too_few_for_the_sign_flip_test() -> None:
    found = pair(table(a=A[:4], b=B[:4]), method="sign-flip")
    assert found.p == 2 / 2**4
    assert (found.lower, found.upper) == (None, None)
    assert "with 4 topics none could be found: p can't be below 0.125" in found.sentence
    assert "no interval: the test needs at least 6 topics" in found.sentence
    assert found.reason.startswith("a sign-flip interval at this level needs at least 6 topics")


def test_one_topic_shows_nothing() -> None:
    found = pair(table(a=[0.5], b=[0.2]))
    assert (found.p, found.lower, found.df, found.better) == (1, None, None, "")
    assert "one topic can't show significance (difference 0.3000)" in found.sentence


def test_equal_differences_leave_no_t_test() -> None:
    """Two ratings that are one point higher are no proof; twenty are."""
    few = pair(table(a=[4.0, 3.0], b=[3.0, 2.0]))
    assert (few.p, few.lower, few.better) == (0.5, None, "")
    many = pair(table(a=[4.0] * 20, b=[3.0] * 20))
    assert (many.p, many.lower, many.better) == (2 / 2**20, None, "a")
    assert cautions_of(many) == [
        "All 20 differences are equal, so there is no t test: p is that of the permutation test."
    ]
    assert many.reason.startswith("the differences do not vary")


def test_it_is_said_where_t_test_and_permutation_test_decide_differently() -> None:
    few = [0.25, 0.35, 0.32, 0.44]
    found = pair(table(a=A[:4], b=few))
    assert found.p == pytest.approx(stats.ttest_rel(A[:4], few).pvalue)
    assert found.better == "a"
    (caution,) = cautions_of(found)
    assert caution == (
        "The verdict depends on the test: p = 0.013 by the paired t test, p = 0.125 by the permutation test, which "
        "assumes no distribution (it can't be below 0.125 with 4 topics)."
    )
    assert caution.rstrip(".") in found.note
    assert cautions_of(pair(table(a=A, b=B))) == []


def test_it_is_said_where_most_differences_are_equal() -> None:
    ceiling = [5.0] * 12
    found = pair(table(a=ceiling, b=[5.0] * 7 + [4.0, 3.0, 5.0, 4.5, 2.0]))
    assert cautions_of(found) == [
        "8 of 12 differences are equal to each other: the interval may be too short; "
        '`method="bounded"` gives one that is exact for scores with a scale.'
    ]
    assert cautions_of(pair(table(a=ceiling, b=[5.0] * 12), method="bounded", scale=(1, 5))) == []
    half = pair(table(a=ceiling, b=[5.0] * 6 + [4.0, 3.0, 4.2, 4.5, 2.0, 3.9]))
    assert cautions_of(half) == []


def test_only_shared_topics_count() -> None:
    found = pair(table(a=A, b=[np.nan, *B[1:-1], np.nan]))
    assert found.n == 6
    assert found.difference == pytest.approx(np.mean(A[1:-1]) - np.mean(B[1:-1]))
    assert "over 6 topics that both have (2 others left out)" in found.sentence


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


def test_several_intervals_are_at_the_bonferroni_level() -> None:
    scores = table(a=A, b=B, c=[0.31, 0.40, 0.36, 0.50, 0.45, 0.38, 0.48, 0.49])
    for one in compare(scores, all_pairs=True).pairs:
        rows = {"a": A, "b": B, "c": [0.31, 0.40, 0.36, 0.50, 0.45, 0.38, 0.48, 0.49]}
        theirs = stats.ttest_rel(rows[one.a], rows[one.b]).confidence_interval(1 - 0.05 / 3)
        assert (one.lower, one.upper) == pytest.approx(theirs)
        assert "95 % simultaneous confidence interval" in one.sentence
    alone = compare(scores, all_pairs=True, correction="none").pairs[0]
    assert (alone.lower, alone.upper) == pytest.approx(stats.ttest_rel(A, B).confidence_interval(0.95))


def test_it_is_said_where_the_corrected_interval_includes_0_and_holms_test_does_not() -> None:
    clear = [value - 1 + 0.01 * place for place, value in enumerate(A)]
    barely = [
        value - 0.05 + shift
        for value, shift in zip(A, [0.08, -0.07, 0.05, -0.06, 0.04, -0.04, 0.03, -0.02], strict=True)
    ]
    found = compare(table(a=A, b=barely, c=clear, d=clear), against="a").pairs[0]
    assert found.p_adjusted is not None
    assert found.p_adjusted < 0.05 < 3 * (found.p or 0)
    assert found.sentence.endswith(
        "The interval, corrected for all pairs at once, includes 0: the test is a little more powerful."
    )


def test_a_p_that_only_the_correction_raises_is_said_both_ways() -> None:
    # ±1 ±2 … ±7 ±1 against the sum 27: 6 of 256 signs reach it (none turned, or one of the ones); twice tested
    scores = table(a=[1, 2, 3, 4, 5, 6, 7, -1], b=[0.0] * 8, c=[0.0] * 8)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    found = compare(scores, pair=pairs, correction="bonferroni", method="sign-flip").pairs[0]
    assert (found.p, found.p_adjusted) == (6 / 256, 18 / 256)
    assert "p = 0.023, but p = 0.070 after Bonferroni correction for 3 pairs" in found.sentence


def test_where_no_scores_could_tell_a_pair_the_sentence_says_so() -> None:
    # eight topics: p is 2/2⁸ at least, and six tests make 0.0469 of it, above the level of 4 %
    scores = table(a=A, b=B, c=[0.31, 0.40, 0.36, 0.50, 0.45, 0.38, 0.48, 0.49], d=B[::-1])
    found = compare(scores, all_pairs=True, confidence=96, method="sign-flip").pairs[0]
    assert found.least_p == 12 / 256
    assert (
        "with 8 topics none could be found: p can't be below 0.0469 after Holm correction for 6 pairs" in found.sentence
    )
    assert "p = 0.008 without correction" in found.sentence
    by_rate = compare(scores, all_pairs=True, confidence=96, correction="benjamini-hochberg", method="sign-flip").pairs[
        0
    ]
    assert by_rate.least_p == 2 / 256
    longer = [float(value) for value in range(1, 21)]
    sampled = pair(table(a=longer, b=[0.0] * 20), permutations=9, method="sign-flip")
    assert sampled.least_p == 2 / 10
    assert "with 9 permutations none could be found: p can't be below 0.2" in sampled.sentence


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

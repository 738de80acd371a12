"""How many topics: from a pilot to needed topics and detectable differences; expected numbers from statsmodels."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from scipy import stats

import pyramidion
from other_packages import power as others
from pyramidion.campaign import Judgment
from pyramidion.errors import UsageError
from pyramidion.options import PowerOptions
from pyramidion.scores import ScoreTable
from pyramidion.statistics.components import Components
from pyramidion.statistics.design import detectable_shift, judged_design
from pyramidion.statistics.pairs import paired_tests
from pyramidion.statistics.variance import two_way_anova
from pyramidion.studies import power
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.comparison.assessors import judged_summaries
from pyramidion.studies.comparison.comparison import compare as compare_table
from pyramidion.studies.design import Designs
from pyramidion.studies.power import PowerStatement


def power_analysis(table: ScoreTable, **options: Any) -> tuple[PowerStatement, ...]:
    return power.power_analysis(table, PowerOptions.of(options)).statements


def pilot(values: np.ndarray) -> ScoreTable:
    rows, columns = np.nonzero(~np.isnan(values))
    return ScoreTable.from_columns(
        measure=["m"] * len(rows),
        topic=[f"t{column}" for column in columns],
        summarizer=["abcdef"[row] for row in rows],
        value=list(values[rows, columns]),
    )


VALUES = np.random.default_rng(0).normal(0.4, 0.05, size=(4, 12))


@pytest.mark.slow  # imports what it compares with
def test_needed_topics_follow_from_the_residual_variance() -> None:
    anova = two_way_anova(VALUES)
    assert anova is not None
    sd = math.sqrt(2 * anova.mean_square)
    needed, *_ = power_analysis(pilot(VALUES), difference=0.03, topics=[10])
    theirs = others.TTestPower().solve_power(effect_size=0.03 / sd, alpha=0.05, power=0.8)
    assert (needed.solved, needed.topics) == ("topics", math.ceil(theirs))
    assert needed.sd == pytest.approx(sd)
    assert needed.lower is not None
    assert needed.upper is not None
    assert needed.lower < math.ceil(theirs) < needed.upper
    assert needed.pilot_topics == 12
    spreads = [(VALUES[a] - VALUES[b]).std(ddof=1) for a, b in combinations(range(4), 2)]
    solve = others.TTestPower().solve_power
    fewest, most = (solve(effect_size=0.03 / spread, alpha=0.05, power=0.8) for spread in (min(spreads), max(spreads)))
    assert (needed.fewest_of_pairs, needed.most_of_pairs) == (math.ceil(fewest), math.ceil(most))


@pytest.mark.slow  # imports what it compares with
def test_a_named_pair_has_its_own_spread() -> None:
    sd = (VALUES[0] - VALUES[1]).std(ddof=1)
    (_, difference, reached) = power_analysis(pilot(VALUES), difference=0.03, topics=[20], pair=[("a", "b")])
    assert difference.sd == pytest.approx(sd)
    assert difference.difference is not None
    assert others.TTestPower().power(difference.difference / sd, 20, 0.05) == pytest.approx(0.8, abs=1e-9)
    assert reached.power == pytest.approx(others.TTestPower().power(0.03 / sd, 20, 0.05), abs=1e-9)
    assert (difference.a, difference.b) == ("a", "b")
    for one in (difference, reached):
        assert one.lower is not None
        assert one.upper is not None
        assert one.lower < one.upper


def test_levels_are_shared_by_several_comparisons() -> None:
    one, *_ = power_analysis(pilot(VALUES), difference=0.03, comparisons=5)
    assert one.alpha == pytest.approx(0.01)
    alone, *_ = power_analysis(pilot(VALUES), difference=0.03)
    assert (one.topics or 0) > (alone.topics or 0)


def test_without_a_difference_the_detectable_ones_are_given_for_the_pilot_too() -> None:
    found = power_analysis(pilot(VALUES))
    assert {one.solved for one in found} == {"difference"}
    assert 12 in [one.topics for one in found]
    sizes = [one.difference or 0 for one in found]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (VALUES[:1], "two summarizers"),
        (VALUES[:, :1], "two topics"),
        (np.full((3, 4), 0.2), "do not vary"),
    ],
)
def test_a_pilot_that_says_nothing_gives_a_reason(values: np.ndarray, reason: str) -> None:
    for one in power_analysis(pilot(values), difference=0.1):
        assert reason in one.reason
        assert (one.lower, one.upper) == (None, None)


def test_a_pair_without_shared_topics_gives_a_reason() -> None:
    values = VALUES.copy()
    values[0, :6], values[1, 6:] = np.nan, np.nan
    assert "fewer than two topics" in power_analysis(pilot(values), pair=[("a", "b")])[0].reason


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": 0.0},
        {"difference": math.nan},
        {"power": 0},
        {"power": 100},
        {"power": 3},
        {"confidence": 100},
        {"topics": [1]},
        {"comparisons": 0},
        {"pair": [("a", "z")]},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        power_analysis(pilot(VALUES), **wrong)


def test_the_verb_takes_what_score_takes() -> None:
    first, *_ = pyramidion.power("demo", "rouge-2.recall", difference=0.02).statements
    table = pyramidion.score("demo", ["rouge-2.recall", "rouge-1.recall"])
    again, *_ = pyramidion.power(table, "rouge-2.recall", difference=0.02).statements
    assert first == again
    assert first.topics is not None


def test_the_sentence_says_how_many_topics_are_lacking() -> None:
    found = pyramidion.power("demo", "rouge-2.recall", difference=0.01)
    assert found.sentences() == snapshot(
        [
            "Detecting a difference of 0.01 with 80 % power needs 85 topics: 74 more than your 11 (on average over pairs; single pairs need 7 to 280). This is for two systems named beforehand; among all 190 pairs of 20 systems (paired t tests with Holm's correction) the power is 31 %, from 3 % to 100 % by pair (simulated)."
        ]
    )
    assert pyramidion.power("demo", "rouge-2.recall", difference=0.05).sentences() == snapshot(
        [
            "Detecting a difference of 0.05 with 80 % power needs 6 topics: you have 11 (on average over pairs; single pairs need 3 to 14). This is for two systems named beforehand; among all 190 pairs of 20 systems (paired t tests with Holm's correction) the power is 8 %, from 0 % to 99 % by pair (simulated)."
        ]
    )


def test_power_is_a_percentage_or_a_share() -> None:
    assert power_analysis(pilot(VALUES), difference=0.03, power=0.9) == power_analysis(
        pilot(VALUES), difference=0.03, power=90
    )


def judgments_of(
    *, systems: int, topics: int, assessors: int, disagreement: float, seed: int
) -> tuple[ScoreTable, list[Judgment]]:
    """Everyone judges everything; assessors differ in their ranking of systems by `disagreement`."""
    generator = np.random.default_rng(seed)
    ranking = generator.normal(0, disagreement, (systems, assessors))
    by_topic = generator.normal(0, 0.3, (systems, topics))
    answers = ranking[:, None, :] + by_topic[:, :, None] + generator.normal(3, 0.5, (systems, topics, assessors))
    judgments = [
        Judgment(
            topic=f"t{topic}", summarizer="abcdef"[system], assessor=f"x{person}", question="q", value=float(value)
        )
        for (system, topic, person), value in np.ndenumerate(answers)
    ]
    return pilot(answers.mean(axis=2)), judgments


def test_assessors_are_treated_as_in_compare_and_the_variance_is_the_same() -> None:
    table, judgments = judgments_of(systems=4, topics=16, assessors=5, disagreement=0.4, seed=3)
    found = power.power_analysis(table, PowerOptions(pair=[("a", "b")], topics=[16]), judgments={"m": judgments})
    (statement,) = found.statements
    components = judged_summaries(judgments).fit(("a", "b"))
    assert isinstance(components, Components)
    _, variances, freedom = components.pairs()
    error = math.sqrt(variances[0, 1])
    assert statement.assessors == "random"
    assert statement.sd == pytest.approx(error * 4, rel=1e-4)  # √16 times the standard error
    critical = stats.t(freedom[0, 1]).ppf(0.975)
    assert 1 - stats.nct(freedom[0, 1], (statement.difference or 0) / error).cdf(critical) == pytest.approx(
        0.8, abs=0.01
    )


def test_what_compare_leaves_undecided_needs_more_topics() -> None:
    table, judgments = judgments_of(systems=2, topics=16, assessors=4, disagreement=0.3, seed=2)
    (pair,) = compare_table(table, judgments={"m": judgments}).pairs
    assert pair.assessors == "random"
    assert not pair.better
    difference = abs(pair.difference or 0)
    needed = power.power_analysis(table, PowerOptions(difference=difference), judgments={"m": judgments}).statements[0]
    assert needed.topics is None or needed.topics > 16
    fixed = PowerOptions(difference=difference, assessors="fixed")
    as_given = power.power_analysis(table, fixed, judgments={"m": judgments}).statements[0]
    assert as_given.topics is not None
    assert as_given.topics < 16  # for these people alone the difference would be clear
    assert as_given.assessors == "fixed"


def test_the_answer_says_how_assessors_are_treated() -> None:
    table, judgments = judgments_of(systems=4, topics=12, assessors=5, disagreement=0.1, seed=1)
    (random,) = power.power_analysis(table, PowerOptions(difference=0.5), judgments={"m": judgments}).answer()
    assert random.endswith(
        "Assessors are treated as a random sample, with 5 assessors and 5 judgments of each summary, as in the pilot."
    )
    options = PowerOptions(difference=0.5, assessors="fixed")
    (fixed,) = power.power_analysis(table, options, judgments={"m": judgments}).answer()
    assert "Assessors are treated as fixed. Differences hold for these 5 assessors" in fixed
    (automatic,) = power.power_analysis(table, PowerOptions(difference=0.5)).answer()
    assert "ssessors" not in automatic


def test_where_assessors_disagree_too_much_no_number_of_topics_suffices() -> None:
    table, judgments = judgments_of(systems=4, topics=12, assessors=3, disagreement=1.0, seed=1)
    found = power.power_analysis(table, PowerOptions(difference=0.2), judgments={"m": judgments})
    assert found.statements[0].topics is None
    assert found.answer()[0].startswith(
        "No number of topics detects a difference of 0.2 with 80 % power and 3 assessors"
    )


def test_power_with_random_assessors_is_that_of_simulated_campaigns() -> None:
    """The test of a pair alone, t with the variance of a difference and Satterthwaite's degrees of freedom."""
    generator = np.random.default_rng(2)
    topics, assessors, sa, st, e = 20, 5, 0.05, 0.1, 0.3
    variance, freedom = judged_design(
        systems=2, topics=topics, assessors=assessors, judgments=assessors, sa=sa, st=st, e=e
    )
    difference = float(np.sqrt(variance) * detectable_shift(freedom, power=0.8, alpha=0.05))
    runs = 4000
    ranking = generator.normal(0, math.sqrt(2 * sa), (runs, 1, assessors))
    by_topic = generator.normal(0, math.sqrt(2 * st), (runs, topics, 1))
    d = difference + ranking + by_topic + generator.normal(0, math.sqrt(2 * e), (runs, topics, assessors))
    mean = d.mean(axis=(1, 2))
    rows, columns = d.mean(axis=2), d.mean(axis=1)
    of_topics = assessors * rows.var(axis=1, ddof=1)
    of_assessors = topics * columns.var(axis=1, ddof=1)
    rest = d - rows[:, :, None] - columns[:, None, :] + mean[:, None, None]
    of_error = (rest**2).sum(axis=(1, 2)) / ((topics - 1) * (assessors - 1))
    cells = topics * assessors
    estimated = np.maximum(of_topics + of_assessors - of_error, of_error) / cells
    spread = (
        of_topics**2 / (topics - 1) + of_assessors**2 / (assessors - 1) + of_error**2 / ((topics - 1) * (assessors - 1))
    )
    satterthwaite = (estimated * cells) ** 2 / spread
    rejected = np.abs(mean) / np.sqrt(estimated) > stats.t(satterthwaite).ppf(0.975)
    assert rejected.mean() == pytest.approx(0.8, abs=0.04)


def clustered_scores(clusters: int, size: int, seed: int) -> tuple[np.ndarray, TopicClusters]:
    """Two systems whose differences have a standard deviation of 1, and .3 of their variance between clusters."""
    generator = np.random.default_rng(seed)
    codes = np.repeat(np.arange(clusters), size)
    differences = np.sqrt(0.3) * generator.normal(size=clusters)[codes] + np.sqrt(0.7) * generator.normal(
        size=clusters * size
    )
    values = np.array([differences, np.zeros(clusters * size)])
    cluster_of = {f"t{topic}": str(code) for topic, code in enumerate(codes)}
    return values, TopicClusters(field="document", cluster_of=cluster_of)


@pytest.mark.parametrize("has_clusters", [False, True])
def test_power_and_compare_take_the_same_standard_error(has_clusters: bool) -> None:
    values, clusters = clustered_scores(9, 4, seed=2)
    given = clusters if has_clusters else None
    pair = compare_table(pilot(values), clusters=given).pairs[0]
    assert pair.lower is not None
    assert pair.upper is not None
    statement = power.power_analysis(
        pilot(values), PowerOptions(pair=(("a", "b"),), topics=(36,)), clusters=given
    ).statements[0]
    assert statement.sd is not None
    half_width = float(stats.t.ppf(0.975, pair.df or 0)) * statement.sd / 6
    assert half_width == pytest.approx((pair.upper - pair.lower) / 2)
    assert (statement.clusters, statement.pilot_clusters) == ((9, 9) if has_clusters else (None, None))


@pytest.mark.parametrize("has_clusters", [False, True])
def test_compare_finds_a_difference_as_often_as_power_plans(has_clusters: bool) -> None:
    values, clusters = clustered_scores(1000, 4, seed=1)  # so large that the variance is known
    if not has_clusters:
        values[0] = np.random.default_rng(0).permutation(values[0])
    given = clusters if has_clusters else None
    options = PowerOptions(pair=(("a", "b"),), difference=0.4)
    needed = power.power_analysis(pilot(values), options, clusters=given).statements[0].topics
    # n = (1.96 + 0.84)²/0.4² = 49 topics; four topics of a cluster vary as 1.9 of them: 1 + 3·.3
    assert needed == pytest.approx(96 if has_clusters else 51, abs=6)
    assert needed is not None
    clusters_needed = needed // 4 if has_clusters else needed
    size = 4 if has_clusters else 1
    generator = np.random.default_rng(3)
    codes = np.repeat(np.arange(clusters_needed), size)
    between, within = (0.3, 0.7) if has_clusters else (0.0, 1.0)
    drawn = np.sqrt(between) * generator.normal(size=(4000, clusters_needed))[:, codes]
    drawn += np.sqrt(within) * generator.normal(size=(4000, len(codes))) + 0.4
    found = paired_tests(drawn, permutations=None, clusters=codes if has_clusters else None)
    assert (found.p <= 0.05).mean() == pytest.approx(0.8, abs=0.035)  # its standard error is .006; needed is rounded


def test_fewer_topics_than_two_clusters_detect_nothing_and_random_assessors_are_refused() -> None:
    values, clusters = clustered_scores(9, 4, seed=2)
    few = power.power_analysis(pilot(values), PowerOptions(topics=(5,)), clusters=clusters).statements[0]
    assert few.difference is None
    assert "fewer than two clusters of 4 topics" in few.reason
    with pytest.raises(UsageError, match="can't be combined"):
        power.power_analysis(pilot(values), PowerOptions(assessors="random"), clusters=clusters)


def test_a_margin_needs_the_topics_that_compare_names_and_more_for_equivalence() -> None:
    pair = pyramidion.compare("demo", "rouge-2.recall", pair=("13", "2"), margin=0.02).pairs[0]
    statements = pyramidion.power("demo", "rouge-2.recall", pair=("13", "2"), margin=0.02).statements
    by_goal = {statement.goal: statement for statement in statements if statement.solved == "topics"}
    assert set(by_goal) == {"not-worse", "equivalent"}
    assert by_goal["not-worse"].topics == pair.topics_for_margin
    assert (by_goal["equivalent"].topics or 0) > (by_goal["not-worse"].topics or 0)
    assert by_goal["not-worse"].fields()["goal"] == "not-worse"


def test_margins_are_said_and_nonsense_is_refused() -> None:
    answer = pyramidion.power("demo", "rouge-2.recall", pair=("13", "2"), margin=0.02).answer()
    assert answer[0].startswith("Showing that one of two equal systems is not worse by more than 0.02 with 80 % power")
    assert answer[1].startswith("Showing that two equal systems differ by less than 0.02 with 80 % power needs")
    with pytest.raises(UsageError, match="these scores lie between 0 and 1"):
        pyramidion.power("demo", "rouge-2.recall", margin=5)


def test_a_design_for_a_margin_is_the_one_that_detects_a_loss_of_its_size() -> None:
    detecting = pyramidion.design("demo", measure="question.focus", difference=0.5)
    excluding = pyramidion.design("demo", measure="question.focus", margin=0.5)
    assert isinstance(detecting, Designs) and isinstance(excluding, Designs)
    assert [design.topics for design in excluding.designs] == [design.topics for design in detecting.designs]
    assert "is not worse by more than 0.5, with 80 % power" in excluding.sentences()[0]
    with pytest.raises(UsageError, match="give one of them"):
        pyramidion.design("demo", measure="question.focus", margin=0.5, difference=0.5)

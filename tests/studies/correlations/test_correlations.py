"""Correlations of score tables: what is asked, what comes out, and why something does not."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot
from scipy import stats

import pyramidion
from meta_golden import SETS, expected, score_rows
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.registry import select
from pyramidion.options import CorrelateOptions
from pyramidion.present.correlation.sentences import difference_verdict
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.studies.correlations import correlations
from pyramidion.studies.correlations.correlations import Correlations


def correlate(
    table: ScoreTable, *, with_: str | None = None, measures: list[str] | None = None, seed: int = 0, **options: Any
) -> Correlations:
    """The study with its options as keywords, as Evaluation calls it."""
    chosen = CorrelateOptions.of(options)
    return correlations.correlate(table, measures, [with_] if with_ else [], chosen, seed=seed)


def table(rows: Iterable[dict[str, Any]], *, low: Iterable[str] = ()) -> ScoreTable:
    rows = list(rows)
    return ScoreTable.from_columns(
        measure=[row["measure"] for row in rows],
        topic=[row["topic"] for row in rows],
        summarizer=[row["summarizer"] for row in rows],
        value=[row["value"] for row in rows],
        higher_is_better=dict.fromkeys(low, False),
    )


def small(**measures: list[list[float | None]]) -> ScoreTable:
    return table(
        {"measure": measure, "topic": f"t{topic}", "summarizer": f"s{row}", "value": value}
        for measure, values in measures.items()
        for row, scores in enumerate(values)
        for topic, value in enumerate(scores)
        if value is not None
    )


@pytest.fixture(scope="module")
def summeval() -> ScoreTable:
    return table(score_rows("summeval"))


@pytest.mark.parametrize("name", SETS)
def test_a_table_in_any_order_gives_the_golden_values(name: str) -> None:
    scores = table(score_rows(name))
    human = {"realsumm": "litepyramid_recall", "summeval": "relevance"}[name]
    found = correlate(
        scores,
        with_=human,
        measures=["ROUGE-2-R", "ROUGE-1-R"],
        level=["system", "topic"],
        interval="bootstrap",
        resample="both",
        test="permutation",
        seed=55,
        resamples=999,
    )
    everything = correlate(
        scores, with_=human, measures=["ROUGE-2-R"], level=["global"], interval="fisher", accuracy=True, resamples=200
    )
    for one in (*found.correlations, *everything.correlations):
        wanted = expected(name, "correlations")[human][one.measure][f"{one.level}_{one.coefficient}"]
        assert one.value == pytest.approx(wanted, abs=1e-5)
    tests = {(test.level, test.coefficient): test for test in found.tests}
    golden = expected(name, "perm_both")["values"][f"ROUGE-2-R vs ROUGE-1-R|{human}|topic_pearson"]
    assert tests["topic", "pearson"].p == pytest.approx(golden["p"], abs=1e-9)  # the same draws: sorted by id
    assert tests["topic", "pearson"].difference == pytest.approx(golden["difference"], abs=1e-5)
    accuracies = {(one.measure, one.kind): one for one in everything.accuracies}
    wanted = expected(name, "pairwise_accuracy")[human]["ROUGE-2-R"]
    assert accuracies["ROUGE-2-R", "plain"].value == pytest.approx(wanted["system"], abs=1e-6)
    assert accuracies["ROUGE-2-R", "ties"].value == pytest.approx(wanted["topic_accuracy_with_ties"], abs=1e-6)


def test_the_golden_bootstrap_comes_out_of_a_table(summeval: ScoreTable) -> None:
    found = correlate(summeval, with_="relevance", measures=["ROUGE-1-F"], level=["system", "topic"],
                      interval="bootstrap", resample="both", resamples=1000, seed=55)  # fmt: skip
    golden = expected("summeval", "boot_both")["values"]
    for one in found.correlations:
        wanted = golden[f"ROUGE-1-F|relevance|{one.level}_{one.coefficient}"]["ci95"]
        assert (one.lower, one.upper) == pytest.approx(wanted, abs=1e-5)
        assert (one.method, one.sides, one.resampled, one.resamples) == ("bootstrap", "two", "both", 1000)


def test_by_default_every_measure_is_correlated_at_system_level_with_an_interval(summeval: ScoreTable) -> None:
    found = correlate(summeval, with_="relevance")
    assert len(found.correlations) == (len(summeval.measures) - 1) * 3
    assert [one.coefficient for one in found.correlations[:3]] == ["spearman", "kendall", "pearson"]
    assert [one.method for one in found.correlations[:3]] == ["test", "test", "test"]
    one = correlate(summeval, with_="relevance", interval="fisher").at("ROUGE-1-F", "relevance", coefficient="pearson")
    wanted = expected("summeval", "fisher_ci_system_pearson")["ROUGE-1-F|relevance"]
    assert (one.lower, one.upper) == pytest.approx(wanted["two_sided95"], abs=1e-5)
    assert (one.method, one.sides, one.n, one.undefined) == ("fisher", "two", 16, 0)
    assert not (found.tests or found.significant or found.accuracies or found.clusters or found.mean_ranks)
    duc = correlate(summeval, with_="relevance", interval="fisher", sides="one").at(
        "ROUGE-1-F", "relevance", coefficient="pearson"
    )
    assert duc.lower == pytest.approx(wanted["one_sided95_lower"], abs=1e-5)
    assert (duc.upper, duc.sides) == (1.0, "one")


def test_without_a_target_every_two_measures_are_correlated_once(summeval: ScoreTable) -> None:
    found = correlate(summeval, measures=["coherence", "fluency", "relevance"], coefficient=["spearman"])
    assert [(one.measure, one.with_) for one in found.correlations] == [
        ("coherence", "fluency"),
        ("coherence", "relevance"),
        ("fluency", "relevance"),
    ]
    assert found.value("relevance", "fluency", coefficient="spearman") == found.correlations[2].value
    with pytest.raises(UsageError, match="was not computed"):
        found.value("relevance", "fluency", coefficient="kendall")


@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")  # topics without models
def test_the_dimensions_of_a_public_campaign_correlate_as_golden_but_for_tied_means() -> None:
    folder = os.environ.get("PYRAMIDION_DATA")
    if not folder or not (Path(folder) / "summeval_op").exists():
        pytest.skip("PYRAMIDION_DATA has no summeval_op")
    scores = pyramidion.score(Path(folder) / "summeval_op", "question")
    found = correlate(scores, coefficient=["spearman"])
    # meta.json ranks means of averages that were rounded to nine decimals, so that equal means of thirds differ.
    cube = cube_of(scores)
    means = dict(zip(cube.measures, np.round(cube.values, 9).mean(axis=2), strict=True))
    golden = expected("summeval_op", "between_dimension_system_spearman")
    assert len(golden) == 21
    for pair, value in golden.items():
        one, other = (f"question.{name.replace('_', '-')}" for name in pair.split("|"))
        spearman = row_correlations(means[one][None], means[other][None], coefficient="spearman")
        assert spearman[0] == pytest.approx(value, abs=1e-5)
        assert found.value(one, other, coefficient="spearman") == pytest.approx(value, abs=0.025)


def test_rouge_on_a_public_campaign_correlates_as_its_golden_matrices_do() -> None:
    folder = os.environ.get("PYRAMIDION_DATA")
    if not folder or not (Path(folder) / "realsumm").exists():
        pytest.skip("PYRAMIDION_DATA has no realsumm")
    found = pyramidion.correlate(
        Path(folder) / "realsumm",
        ["rouge-2(rounding=rouge155).f"],
        with_="question.litepyramid-recall",
        level=["system", "topic", "global"],
        seed=55,
    )
    golden = expected("realsumm", "correlations")["litepyramid_recall"]["ROUGE-2-F"]
    for one in found.correlations:
        assert one.value == pytest.approx(golden[f"{one.level}_{one.coefficient}"], abs=1e-5)


LOW: list[list[float | None]] = [[9.0, 8.0, 7.5], [6.0, 5.0, 6.5], [3.0, 4.0, 2.0], [1.0, 0.0, 0.5]]
HIGH: list[list[float | None]] = [[1.0, 2.0, 1.5], [2.0, 3.0, 2.5], [3.0, 4.5, 4.0], [5.0, 5.0, 5.0]]


def test_where_low_is_good_the_sign_stays_and_accuracy_and_tests_turn_it() -> None:
    values = small(error=LOW, quality=HIGH, other=[[1.0, 1.0, 2.0], [2.0, 3.0, 1.0], [1.0, 4.0, 4.0], [3.0, 2.0, 1.0]])
    turned = ScoreTable(frame=values.frame, higher_is_better={"error": False})
    found = correlate(turned, with_="quality", accuracy=True, test="permutation", resamples=50)
    pearson = next(one for one in found.correlations if one.measure == "error" and one.coefficient == "pearson")
    assert pearson.value is not None
    assert pearson.value < -0.9
    assert found.lower_is_better == ("error",)
    assert {one.value for one in found.accuracies if (one.measure, one.kind) == ("error", "plain")} == {1.0}
    test = next(test for test in found.tests if test.coefficient == "pearson")
    assert (test.first, test.second) == ("error", "other")
    assert test.difference is not None
    assert test.difference > 0


def test_which_measure_is_more_accurate_is_tested_by_exchanging_systems() -> None:
    generator = np.random.default_rng(2)
    quality = np.arange(12)[:, None] / 3 + generator.standard_normal((12, 20))
    good, poor = quality + generator.standard_normal((12, 20)), -quality + generator.standard_normal((12, 20))
    found = correlate(
        small(good=good.tolist(), poor=poor.tolist(), human=np.round(quality).tolist()),
        with_="human", accuracy=True, test="permutation", resamples=999, coefficient=["kendall"],
    )  # fmt: skip
    assert {(test.level, test.kind) for test in found.accuracy_tests} == {
        ("system", "plain"), ("topic", "ties"), ("topic", "cross-calibrated"), ("system", "soft"),
    }  # fmt: skip
    assert {test.better(0.05) for test in found.accuracy_tests} == {"good"}
    by_kind = {accuracy.kind: accuracy for accuracy in found.accuracies if accuracy.measure == "good"}
    soft = by_kind["soft"]
    assert soft.lower is not None and soft.upper is not None and soft.value is not None
    assert soft.lower < soft.value < soft.upper
    assert (soft.population, by_kind["ties"].population) == ("systems", "both")
    assert by_kind["tie-calibrated"].lower is None
    assert by_kind["tie-calibrated"].reason.startswith("no interval: ε was chosen on the same topics")
    text = "\n".join(sentence for shown in found.tables() for sentence in shown.sentences)
    assert "good orders pairs as human does significantly more often than poor (soft, system level" in text
    untested = correlate(
        small(good=good.tolist(), poor=poor.tolist(), human=quality.tolist()),
        with_="human", accuracy=True, test="permutation", resample="both", resamples=2, coefficient=["kendall"],
    )  # fmt: skip
    (calibrated,) = [test for test in untested.accuracy_tests if test.kind == "cross-calibrated"]
    assert calibrated.p is None
    assert "ε belongs to one measure" in calibrated.reason


def reasons(found: Correlations) -> dict[tuple[str, str], str]:
    return {(one.level, one.coefficient): one.reason for one in found.correlations}


def test_what_is_undefined_has_a_reason() -> None:
    constant = small(same=[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], human=[[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]])
    found = correlate(constant, with_="human", level=["system", "topic", "global"], resamples=20)
    assert all(one.value is one.p is one.lower is one.upper is None for one in found.correlations)
    assert reasons(found)["system", "pearson"] == "the values of one measure are all equal"
    assert reasons(found)["topic", "kendall"] == "no topic has two summaries with both scores that vary"
    apart = small(first=[[1.0, None], [2.0, None]], human=[[None, 1.0], [None, 2.0]])
    never = correlate(apart, with_="human", level=["topic", "global"], resamples=20, accuracy=True, micro=True)
    assert reasons(never)["global", "pearson"] == "fewer than two summaries with both scores"
    assert {one.reason for one in never.significant} == {"no topic has a defined correlation"}
    assert [one.value for one in never.accuracies if one.level == "topic"] == [None] * 3


def test_values_without_p_or_interval_say_why() -> None:
    few = small(measure=[[1.0, 2.0], [2.0, 2.5], [3.0, 1.0]], human=[[1.0, 2.0], [2.0, 1.0], [4.0, 3.0]])
    found = correlate(few, with_="human", level=["system", "topic", "global"], interval="fisher")
    assert reasons(found)["system", "pearson"] == "no interval: too few summarizers"
    assert "fisher is for system level" in reasons(found)["topic", "pearson"]
    assert "not independent" in reasons(found)["global", "pearson"]
    assert all(one.value is not None for one in found.correlations)


def test_a_system_that_lies_far_out_is_named_with_what_pearson_is_without_it() -> None:
    generator = np.random.default_rng(4)
    quality = generator.standard_normal(12)
    guess = generator.standard_normal(12)
    quality[3] = guess[3] = -12.0  # a weak baseline
    usual = small(measure=guess[:, None].tolist(), human=quality[:, None].tolist())
    found = correlate(usual, with_="human").at("measure", "human", coefficient="pearson")
    kept = np.arange(12) != 3
    assert found.value == pytest.approx(stats.pearsonr(guess, quality).statistic)
    assert found.value_without == pytest.approx(stats.pearsonr(guess[kept], quality[kept]).statistic)
    assert (found.far_out, found.method, found.population) == ("s3", "robust", "systems")
    assert found.value is not None and found.value_without is not None
    assert found.value > 0.8 > 0.4 > found.value_without
    (table,) = correlate(usual, with_="human").tables()
    said = [note for note in table.notes if "far from the other systems" in note]
    assert len(said) == 1 and "instead of 0.9" in said[0]
    by_fisher = correlate(usual, with_="human", interval="fisher")
    narrow = correlate(usual, with_="human", interval="test").at("measure", "human", coefficient="pearson")
    drawn = correlate(usual, with_="human", interval="studentized").at("measure", "human", coefficient="pearson")
    limits = [(one.lower or 0.0, one.upper or 0.0, one.p or 0.0) for one in (narrow, drawn)]
    assert found.lower == min(lower for lower, _, _ in limits)
    assert found.upper == max(upper for _, upper, _ in limits)
    assert found.p == max(p for _, _, p in limits)
    assert by_fisher.at("measure", "human", coefficient="pearson").method == "fisher"
    notes = by_fisher.tables()[0].notes
    assert any("the interval of Pearson's correlation is too short" in note for note in notes)
    few = small(measure=guess[:7, None].tolist(), human=quality[:7, None].tolist())
    assert correlate(few, with_="human").at("measure", "human", coefficient="pearson").method == "test"


def test_studentized_intervals_are_for_pearson_at_system_level(summeval: ScoreTable) -> None:
    found = pyramidion.correlate(
        summeval,
        ["ROUGE-1-F"],
        with_=["relevance"],
        interval="studentized",
        level=["system", "topic"],
        coefficient=["pearson", "kendall"],
        resamples=300,
    )
    first, *others = found.correlations
    assert (first.level, first.coefficient, first.resampled, first.resamples) == ("system", "pearson", "systems", 300)
    assert first.lower is not None and first.value is not None and first.upper is not None
    assert -1 < first.lower < first.value < first.upper < 1
    assert [(one.lower, one.resamples) for one in others] == [(None, 0)] * 3
    assert all("studentized is for Pearson's coefficient at system level" in (one.reason or "") for one in others)
    with pytest.raises(UsageError, match='leave out `resample="topics"`'):
        CorrelateOptions(interval="studentized", resample="topics")


def test_topics_with_a_significant_correlation_are_counted_with_their_sign() -> None:
    generator = np.random.default_rng(0)
    human = generator.normal(size=(20, 4))
    measure = generator.normal(size=(20, 4))
    measure[:, 0] = -human[:, 0] + 0.01 * generator.normal(size=20)
    measure[:, 1] = human[:, 1] + 0.7 * generator.normal(size=20)
    human[:, 3] = 1.0
    found = correlate(small(m=measure.tolist(), h=human.tolist()), with_="h", coefficient=["spearman"], micro=True)
    (one,) = found.significant
    assert one.largest is not None
    assert one.smallest is not None
    assert one.largest < -0.95
    assert 0.44 < one.smallest < 0.95
    assert (one.significant, one.n, one.undefined) == (2, 3, 1)
    assert one.percentage == pytest.approx(200 / 3)


def test_williams_test_is_for_pearson_at_system_level(summeval: ScoreTable) -> None:
    found = correlate(summeval, with_="relevance", measures=["ROUGE-2-F", "ROUGE-1-F"], level=["system", "topic"],
                      test="williams")  # fmt: skip
    tests = {(test.level, test.coefficient): test for test in found.tests}
    golden = expected("summeval", "williams_system")["ROUGE-2-F vs ROUGE-1-F|relevance"]["p_two_sided"]
    assert tests["system", "pearson"].p == pytest.approx(golden, abs=1e-4)
    assert tests["system", "kendall"].p is None
    assert "Pearson" in tests["topic", "pearson"].reason
    notes = [note for table in found.tables() if table.record == "correlation-test" for note in table.notes]
    assert not any("at least four" in note for note in notes)  # all 16 systems were tested


def test_p_of_several_tests_is_corrected(summeval: ScoreTable) -> None:
    measures = ["ROUGE-1-R", "ROUGE-1-P", "ROUGE-2-R"]
    found = correlate(summeval, with_="relevance", measures=measures, coefficient=["pearson"], test="williams")
    p = sorted(test.p for test in found.tests if test.p is not None)
    adjusted = sorted(test.p_adjusted for test in found.tests if test.p_adjusted is not None)
    assert adjusted[0] == pytest.approx(min(1, 3 * p[0]))  # Holm
    assert adjusted[1] == pytest.approx(min(1, max(3 * p[0], 2 * p[1])))


def test_by_default_there_are_2000_samples_and_9999_permutations(summeval: ScoreTable) -> None:
    found = correlate(
        summeval, with_="relevance", measures=["ROUGE-1-R", "ROUGE-2-R"], interval="bootstrap", test="permutation",
        coefficient=["pearson"], accuracy=True,
    )  # fmt: skip
    assert {one.resamples for one in found.correlations} == {2000}
    assert {one.resamples for one in found.tests} == {9999}
    (test,) = found.tests
    assert test.decimals == 3
    assert [column.digits for column in found.tables()[0].columns if column.key in ("p", "lower", "upper")] == [2] * 3


def test_p_speaks_of_what_the_interval_speaks_of(summeval: ScoreTable) -> None:
    """Systems and topics, unless something else is asked for; p comes from the same draws."""
    options: dict[str, Any] = {"with_": "relevance", "measures": ["ROUGE-1-F"], "coefficient": ["pearson"]}
    (both,) = correlate(summeval, level=["topic"], **options).correlations
    assert (both.resampled, both.population, both.p_is_drawn) == ("both", "both", True)
    (system,) = correlate(summeval, level=["system"], **options).correlations
    assert (system.population, system.method) == ("systems", "robust")
    resampled: Any
    for resampled in ("systems", "topics"):
        (drawn,) = correlate(summeval, level=["topic"], resample=resampled, resamples=200, **options).correlations
        assert (drawn.population, drawn.p_is_drawn) == (resampled, True)
        assert drawn.p is not None and drawn.lower is not None
        assert (drawn.p < 0.05) == (drawn.lower > 0)
    for level in ("system", "topic", "global"):
        (both,) = correlate(
            summeval, level=[level], interval="bootstrap", resample="both", resamples=200, **options
        ).correlations
        assert both.p_is_drawn
        assert both.p is not None
        assert both.lower is not None
        assert (both.p < 0.05) == (both.lower > 0)


def test_clusters_go_down_from_the_highest_until_a_measure_differs(summeval: ScoreTable) -> None:
    """The rule of the metrics tasks of WMT, over the tests that were made."""
    found = correlate(summeval, with_="relevance", coefficient=["pearson"], test="williams")
    significant = {
        frozenset((one.first, one.second))
        for one in found.tests
        if one.p_adjusted is not None and one.p_adjusted < 0.05
    }
    assert significant
    rows = [one for one in found.clusters if one.rank is not None]
    assert [one.measure for one in rows] == [one.measure for one in found.ranked("relevance")]
    assert [one.rank for one in rows] == sorted(one.rank or 0 for one in rows)
    for place, row in enumerate(rows):
        own = [other.measure for other in rows[:place] if other.rank == row.rank]
        assert not any(frozenset((row.measure, other)) in significant for other in own)
        if place and row.rank != rows[place - 1].rank:
            above = [other.measure for other in rows[:place] if other.rank == rows[place - 1].rank]
            assert any(frozenset((row.measure, other)) in significant for other in above)


def test_mean_ranks_are_over_all_human_scores(summeval: ScoreTable) -> None:
    measures, humans = ["ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F"], ["relevance", "fluency"]
    options = CorrelateOptions(coefficient=("spearman",))
    found = correlations.correlate(summeval, measures, humans, options)
    ranks = {human: [one.measure for one in found.ranked(human)] for human in humans}
    for row in found.mean_ranks:
        assert (row.by, row.n) == ("correlation", 2)
        assert row.ranks == tuple(ranks[human].index(row.measure) + 1 for human in humans)
        assert row.value == np.mean(row.ranks)
    tested = correlations.correlate(
        summeval, measures, humans, CorrelateOptions(coefficient=("pearson",), test="williams")
    )
    assert {row.by for row in tested.mean_ranks} == {"cluster"}
    assert [row["record"] for row in tested.records("mean-rank")] == ["mean-rank"] * 3


def test_where_no_difference_could_be_significant_it_is_said(summeval: ScoreTable) -> None:
    measures = [name for name in summeval.measures if name.startswith("ROUGE")]
    found = correlate(
        summeval, with_="relevance", measures=measures, coefficient=["pearson"], test="permutation", resamples=99
    )
    assert {one.least_p for one in found.tests} == {min(1.0, len(found.tests) / 100)}
    assert found.answer()[-1] == snapshot(
        "No difference could have reached significance: p can't be below 0.36 after correction. Fewer measures, more summarizers or more permutations have more power."
    )
    enough = correlate(
        summeval, with_="relevance", measures=measures[:2], coefficient=["pearson"], test="permutation", resamples=999
    )
    assert not any("could have reached" in line for line in enough.answer())


def test_only_a_measure_that_beats_all_others_is_called_best() -> None:
    random = np.random.default_rng(5)
    human = random.normal(size=(30, 1)) * np.ones((1, 4))
    near, far = human + 0.1 * random.normal(size=(30, 4)), random.normal(size=(30, 4))
    table = small(near=near.tolist(), far=far.tolist(), human=human.tolist())
    untested = correlate(table, with_="human", coefficient=["pearson"])
    assert untested.sentences()[0].startswith("near has the strongest correlation with human:")
    tested = correlate(table, with_="human", coefficient=["pearson"], test="williams")
    assert tested.sentences()[1].startswith("near correlates best with human:")


def test_one_topic_generalizes_to_no_others() -> None:
    first, human = np.random.default_rng(5).normal(size=(2, 9, 2))
    for topics, population in ((1, "systems"), (2, "both")):
        found = correlate(
            small(m=first[:, :topics].tolist(), human=human[:, :topics].tolist()), with_="human", level="topic"
        )
        assert {row.population for row in found.correlations} == {population}


def test_means_over_unlike_topics_have_a_note() -> None:
    # Found in a table whose later systems had more, and easier, topics: the means rose with the topics.
    first, human = np.random.default_rng(5).normal(size=(2, 9, 10)).tolist()
    uneven = [row[: 3 + number] for number, row in enumerate(first)]
    (row, *_) = correlate(small(m=uneven, human=human), with_="human").correlations
    assert "6 of 9 systems lack more than a tenth of its topics" in row.note
    halves = small(m=[row[:5] for row in first], human=[[None] * 5 + row[5:] for row in human])
    assert "no summary has a score and one of human" in correlate(halves, with_="human").correlations[0].note
    assert not correlate(small(m=first, human=human), with_="human").correlations[0].note


def test_equal_measures_are_named_together() -> None:
    random = np.random.default_rng(5)
    human, far = random.normal(size=(2, 12, 3)).tolist()
    twice = correlate(small(one=human, two=human, human=human), with_="human")
    assert twice.sentences()[0] == "one and two have the same correlation with human: Spearman 1.00."
    three = correlate(small(one=human, two=human, far=far, human=human), with_="human")
    assert three.sentences()[0].startswith("one and two have the strongest correlation with human: Spearman 1.00. Next")


def test_by_default_the_bootstrap_draws_both_and_a_test_exchanges_summarizers(summeval: ScoreTable) -> None:
    measures = ["ROUGE-1-R", "ROUGE-2-R"]
    found = correlate(
        summeval, with_="relevance", measures=measures, interval="bootstrap", test="permutation", resamples=9
    )
    assert {one.resampled for one in found.correlations} == {"both"}
    assert {one.resampled for one in found.tests} == {"systems"}
    topics = correlate(summeval, with_="relevance", measures=measures, resample="topics", interval="bootstrap",
                       test="permutation", resamples=9)  # fmt: skip
    assert {one.resampled for one in topics.correlations} == {one.resampled for one in topics.tests} == {"topics"}


def test_the_same_seed_gives_the_same_numbers_and_another_does_not(summeval: ScoreTable) -> None:
    def limits(seed: int) -> list[float | None]:
        found = correlate(summeval, with_="fluency", measures=["ROUGE-L-F"], interval="bootstrap", seed=seed)
        return [one.lower for one in found.correlations]

    assert limits(3) == limits(3) != limits(4)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"level": ["city"]}, '`level="city"`: expected system, topic, global'),
        ({"coefficient": ["cosine"]}, '`coefficient="cosine"`'),
        ({"coefficient": []}, "at least one"),
        ({"interval": "fischer"}, '`interval="fischer"`: expected fisher, test, bootstrap'),
        ({"sides": "three"}, '`sides="three"`'),
        ({"resample": "all"}, '`resample="all"`'),
        ({"test": "t"}, '`test="t"`'),
        ({"resamples": 0}, "`resamples=0`: expected at least 1"),
        ({"confidence": 100}, "`confidence=100`"),
        ({"matrix": True, "test": "williams"}, "use `with_=` instead of `matrix=True`"),
        ({"with_": "relevanc"}, "did you mean relevance"),
        ({"measures": ["relevance"]}, "nothing to correlate"),
        ({"with_": None, "test": "williams"}, "needs the measure"),
    ],
)
def test_what_makes_no_sense_is_refused(summeval: ScoreTable, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        correlate(summeval, **{"with_": "relevance", **options})


def test_the_verb_scores_what_it_needs() -> None:
    found = pyramidion.correlate("demo", "rouge-3.f", with_="js", coefficient=["pearson"])
    assert [(one.measure, one.with_) for one in found.correlations] == [("rouge-3.f", "js")]
    beside = pyramidion.correlate("demo", with_="rouge-3.f", coefficient=["pearson"])
    assert {"rouge-1.recall", "question.focus"} <= {one.measure for one in beside.correlations}
    everyone = pyramidion.correlate("demo", "rouge-2.recall", with_="question.focus", peers="all")
    assert len(everyone.points) > len(pyramidion.correlate("demo", "rouge-2.recall", with_="question.focus").points)


def test_the_verb_takes_a_table_and_adds_derived_measures() -> None:
    scored = pyramidion.score("demo", ["rouge-1", "question"])
    found = pyramidion.correlate(scored, "rouge-1", with_=select("scaled-rank(of=question.focus)"))
    assert {one.measure for one in found.correlations} == {"rouge-1.recall", "rouge-1.precision", "rouge-1.f"}
    assert {one.with_ for one in found.correlations} == {"scaled-rank(of=question.focus)"}


def test_points_are_the_means_behind_the_correlation(summeval: ScoreTable) -> None:
    found = correlate(summeval, with_="relevance", measures=["ROUGE-1-F"], coefficient=["pearson"])
    x, y = zip(*((point.value, point.with_value) for point in found.points), strict=True)
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(found.correlations[0].value)
    assert {point.n for point in found.points} == {50}


def test_sentences_name_the_best_measure_and_those_that_are_not_significant(summeval: ScoreTable) -> None:
    found = correlate(
        summeval,
        with_="relevance",
        measures=["ROUGE-1-F", "ROUGE-2-F", "fluency"],
        coefficient=["pearson"],
        test="williams",
    )
    assert found.sentences() == snapshot(
        [
            "Undecided: 3 pairs of measures: no difference between two correlations with relevance is significant (Pearson, system level, Holm-corrected).",
            "fluency has the strongest correlation with relevance: Pearson 0.84 (95 % interval 0.59 to 0.94). Next is ROUGE-2-F: 0.60 (0.14 to 0.84).",
            "All measures are in one cluster: no difference is significant.",
        ]
    )
    assert difference_verdict(found, "fluency", "ROUGE-2-F", "relevance") == snapshot(
        "the difference is not significant (Williams' test, p = 0.105)"
    )


def test_differences_are_put_into_words_for_the_tests_that_were_corrected_together(summeval: ScoreTable) -> None:
    found = correlate(
        summeval, with_="relevance", measures=["ROUGE-1-R", "ROUGE-1-P", "ROUGE-2-R"], test="permutation", resamples=999
    )
    families = {(test.level, test.coefficient) for test in found.tests}
    assert families == {("system", "spearman"), ("system", "kendall"), ("system", "pearson")}
    said = [sentence for sentence in found.answer() if "better" in sentence or "Undecided" in sentence]
    assert said
    assert all("Spearman, system level" in sentence for sentence in said)
    assert not any("for 9 tests" in sentence for sentence in said)


def test_a_one_sided_interval_says_nothing_about_negative_correlations() -> None:
    turned = ScoreTable(frame=small(error=LOW, quality=HIGH).frame, higher_is_better={"error": False})
    *_, one = correlate(turned, with_="quality", sides="one").correlations
    *_, two = correlate(turned, with_="quality", sides="two").correlations
    assert (one.significant, two.significant) == (None, True)


def test_the_matrix_is_a_lower_triangle(summeval: ScoreTable) -> None:
    found = correlate(summeval, measures=["coherence", "fluency", "relevance"], coefficient="spearman", matrix=True)
    (table,) = found.tables()
    assert [column.name for column in table.columns] == ["no.", "measure", "1", "2"]
    assert table.rows[2][:2] == [3, "relevance"]
    assert table.rows[2][3] == found.value("relevance", "fluency", coefficient="spearman")
    assert list(table.sentences) == snapshot(
        [
            "fluency and relevance are correlated most closely (0.91).",
            "The weakest correlation is that of coherence and fluency (0.72).",
        ]
    )


@pytest.mark.parametrize("interval", ["fisher", "bootstrap", "studentized"])
def test_a_perfect_correlation_has_no_interval_and_says_why(interval: str) -> None:
    values: list[list[float | None]] = [[float(row), float(row + 1)] for row in range(9)]
    found = correlate(small(a=values, b=values), with_="b", interval=interval, resamples=50)
    for one in found.correlations:
        assert one.value == pytest.approx(1)
        assert (one.lower, one.upper, one.significant) == (None, None, None)
        assert "no interval: " in one.reason
    pearson = next(one for one in found.correlations if one.coefficient == "pearson")
    expected = {
        "fisher": "no interval: a correlation of 1 does not show its own error",
        "bootstrap": "no interval: the correlation was undefined or the same in every sample, or there are too few samples for this level",
        "studentized": "no interval: a correlation of 1 does not show its own error",
    }
    assert pearson.reason.endswith(expected[interval])


def staircase(systems: int, *, shared: int = 0) -> list[list[float | None]]:
    """Each system has two topics of its own, apart from the first `shared`, which have the same."""
    rows: list[list[float | None]] = []
    for system in range(systems):
        own = max(0, system - shared + 1) if shared else system
        row: list[float | None] = [None] * (2 * systems)
        row[2 * own : 2 * own + 2] = [float(system), float(system * system % 5)]
        rows.append(row)
    return rows


def test_systems_without_a_common_topic_are_not_correlated_at_system_level() -> None:
    with pytest.raises(InputError, match="no two of the 6 systems with scores on b have a topic in common"):
        correlate(small(a=staircase(6), b=staircase(6)), with_="b")
    found = correlate(small(a=staircase(6), b=staircase(6)), with_="b", level=["global"], coefficient=["pearson"])
    assert found.correlations[0].value == pytest.approx(1)


def test_groups_of_systems_without_a_common_topic_are_noted() -> None:
    found = correlate(small(a=staircase(6, shared=3), b=staircase(6, shared=3)), with_="b")
    assert "6 systems fall into 4 groups that share no topic on a" in found.correlations[0].note
    assert any("share no topic" in note for note in found.tables()[0].notes)

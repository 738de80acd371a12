"""How scores behave as pyramids grow.

golden/pyramid/stability.json: three simulated sets of ten, with counts and probabilities from another program.
"""

import itertools
import json
import math
import subprocess
import sys
from itertools import combinations, permutations
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from msgspec.structs import replace
from numpy.typing import NDArray

import pyramidion
from pyramidion.campaign import Campaign, CampaignWarning, Contributor, Coverage, Pyramid, Scu, Summary
from pyramidion.campaign.nouns import CoverageUnit
from pyramidion.errors import InputError, UsageError
from pyramidion.options import OrdersOptions
from pyramidion.studies.orders import OrdersStudy, SummarySet, study_orders
from pyramidion.studies.orders.divergence import divergence
from pyramidion.studies.orders.errors import error_probabilities
from pyramidion.studies.orders.ranking import ranking, spearman_critical
from pyramidion.studies.orders.sets import scores_by_order
from pyramids.ferry import ferry

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "pyramid" / "stability.json").read_text(encoding="utf-8")
)
PRINTED_POINTS = (1080, 3780, 7560, 9450, 7560, 3780, 1080, 135)
"""Table 3 of Nenkova & Passonneau 2004, its misprint 9550 corrected (golden/printed.json)."""


def golden_sets() -> list[SummarySet]:
    return [
        SummarySet.of([[cell == "1" for cell in row] for row in rows], topic=f"set{number}")
        for number, rows in enumerate(GOLDEN["sets"])
    ]


@pytest.fixture(scope="module")
def study() -> OrdersStudy:
    return study_orders(golden_sets(), OrdersOptions(ranked=["1,2,3,4,5"]))


def test_scores_by_all_others_are_the_golden_ones(study: OrdersStudy) -> None:
    found = [[one.others for one in study.summaries if one.topic == f"set{number}"] for number in range(3)]
    assert np.array(found) == pytest.approx(np.array(GOLDEN["order9_scores"]), abs=1e-6)


def test_errors_are_the_golden_ones(study: OrdersStudy) -> None:
    assert tuple(one.data_points for one in study.errors) == PRINTED_POINTS
    for one in study.errors:
        expected = GOLDEN["errors"][str(one.order)]
        counts = (one.data_points, one.same, one.different, one.e1, one.e2, one.e3)
        assert counts == tuple(
            expected[key] for key in ("comparisons", "same_at_9", "different_at_9", "E1", "E2", "E3")
        )
        shares = (one.p1, one.p2, one.p3, one.q, one.error_rate)
        assert shares == pytest.approx([expected[key] for key in ("p1", "p2", "p3", "q", "p")], abs=1e-6)
        assert one.error_rate == pytest.approx(one.p1 * one.q + (one.p2 + one.p3) * (1 - one.q))
    assert sum(one.at_threshold for one in study.errors) == GOLDEN["comparisons_exactly_at_the_threshold"]


def test_pairs_that_are_compared_in_blocks_give_the_same(study: OrdersStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyramidion.studies.orders.sets.BLOCK_CELLS", 1000)
    again = study_orders(golden_sets(), study.options)
    assert (again.errors, again.divergences) == (study.errors, study.divergences)


def test_divergence_is_the_golden_one(study: OrdersStudy) -> None:
    (found,) = study.divergences
    expected = GOLDEN["divergent_pairs"]
    assert (found.divergent, found.pairs) == (expected["n"], 135)
    assert {str(order): count for order, count in found.separated.items()} == expected["separated_at_order"]
    assert found.first_mean == pytest.approx(expected["mean_least_order_of_those_that_separate"], abs=1e-6)
    assert found.first_never == expected["never_separated"]
    # Spec: 3 of 61 pairs merge again; the mean of lasting separations is 5.016.
    assert (found.merging, round(found.lasting_mean, 3), found.lasting_never) == (3, 5.016, 0)


def test_sizes_of_divergence_and_pairs_that_never_diverge_are_those_of_a_count_pyramid_by_pyramid(
    study: OrdersStudy,
) -> None:
    """Nenkova & Passonneau 2004, section 3.3, counted with loops over all pairs and pyramids of the golden sets."""
    first_sizes, last_sizes, never, shrinking = [], [], [], 0
    for scores in map(scores_by_order, golden_sets()):
        reliable = [max(value for value in column if not math.isnan(value)) for column in scores[-1].values.T.tolist()]
        for better, worse in itertools.permutations(range(10), 2):
            difference = round(reliable[better] - reliable[worse], 9)
            if difference < 0 or (difference == 0 and better > worse):
                continue
            gaps = []
            for at_order in scores[:-1]:
                both = [(row[better], row[worse]) for row in at_order.values.tolist()]
                compared = [(high, low) for high, low in both if not (math.isnan(high) or math.isnan(low))]
                gaps.append(round(min(high for high, _ in compared) - max(low for _, low in compared), 9))
            separated = [gap for gap in gaps if gap > 0]
            if not separated or difference == 0:
                never.append(difference)
            elif difference > 0.1:
                first_sizes.append(separated[0])
                last_sizes += [gap for gap in gaps[-1:] if gap > 0]
                shrinking += any(later < gap for gap, later in itertools.pairwise(gaps) if gap > 0)
    (found,) = study.divergences
    assert (found.never, found.shrinking) == (len(never), shrinking)
    assert found.never_largest == max(never)
    assert found.first_size == pytest.approx(sum(first_sizes) / len(first_sizes))
    assert found.last_size == pytest.approx(sum(last_sizes) / len(last_sizes))
    assert list(study.separations)[-1].size == found.last_size


def test_rankings_are_the_golden_ones(study: OrdersStudy) -> None:
    expected = GOLDEN["spearman_models_1_to_5_by_pyramids_of_models_6_to_10"]
    assert [one.n for one in study.rankings] == [15, 30, 30, 15, 3]  # table 4 of Nenkova & Passonneau 2004
    for one in study.rankings:
        golden = expected[str(one.order)]
        assert (one.n, one.undefined) == (golden["pyramids"], golden["undefined"])
        assert one.mean == pytest.approx(golden["mean_spearman"], abs=1e-6)
        assert one.share == pytest.approx(golden["share_at_least_0.9"], abs=1e-6)
        assert one.critical == pytest.approx(0.9)
        assert one.critical_p == pytest.approx(5 / 120)


def test_the_single_steps_give_the_same_as_the_study(study: OrdersStudy) -> None:
    sets = golden_sets()
    scores = [scores_by_order(one) for one in sets]
    assert error_probabilities(scores) == list(study.errors)
    assert divergence(scores) == study.divergences[0]
    assert ranking(sets, [range(5)] * 3) == list(study.rankings)


@pytest.mark.parametrize(
    ("score", "expected"),
    [  # golden/pyramid/pyramids.json, ferry, model_jackknife, mean_over_subpyramids_without_it
        ("original", {"A": [0.551587, 0.731491, 0.792994, 0.818182], "E": [0.458333, 0.558923, 0.564137, 0.578947]}),
        ("modified", {"A": [0.529365, 0.766919, 0.839931, 0.9], "E": [0.331746, 0.432419, 0.436898, 0.44]}),
    ],
)
def test_means_by_order_are_those_of_sub_pyramids_without_the_model(
    score: Any, expected: dict[str, list[float]]
) -> None:
    topic = ferry()
    found = study_orders([SummarySet.of_pyramid(topic.pyramids[0], topic)], OrdersOptions(score=score))
    for who, means in expected.items():
        ranges = [one for one in found.ranges if one.summarizer == who]
        assert [one.mean for one in ranges] == pytest.approx(means, abs=1e-6)
        assert [one.n for one in ranges] == [comb(4, one.order) for one in ranges]
        assert all(one.minimum <= one.mean + 1e-12 and one.mean <= one.maximum + 1e-12 for one in ranges)


def test_the_named_subset_scores_its_members_by_the_rest_of_it() -> None:
    sets = golden_sets()[:1]
    rows = study_orders(sets, OrdersOptions(subset=["1,2,3,4"])).summaries
    table = sets[0].incidence.contributes
    for row in rows:
        column = int(row.summarizer) - 1
        rest = [index for index in range(4) if index != column]
        assert row.order == len(rest)
        weights = table[:, rest].sum(axis=1)
        best = np.sort(weights)[::-1][: table[:, column].sum()].sum()
        assert row.subset == pytest.approx(weights[table[:, column]].sum() / best)
        others = [index for index in range(10) if index != column]
        scores = []
        for chosen in combinations(others, len(rest)):  # every pyramid of that order, one by one
            weights = table[:, list(chosen)].sum(axis=1)
            best = np.sort(weights)[::-1][: table[:, column].sum()].sum()
            scores.append(weights[table[:, column]].sum() / best)
        assert row.average == pytest.approx(np.mean(scores))


def test_mean_numbers_of_scus_are_those_of_all_pyramids() -> None:
    sets = golden_sets()[:1]
    found = {one.order: one.mean for one in study_orders(sets).scus}
    table = sets[0].incidence.contributes
    for order in (1, 4, 9, 10):
        counts = [table[:, list(chosen)].any(axis=1).sum() for chosen in combinations(range(10), order)]
        assert found[order] == pytest.approx(np.mean(counts))


@pytest.mark.parametrize("n", range(2, 8))
def test_the_critical_value_is_that_of_all_permutations(n: int) -> None:
    found = spearman_critical(n)
    ranks = np.arange(n)
    distances = np.array([((ranks - np.array(order)) ** 2).sum() for order in permutations(range(n))])
    correlations = np.round(1 - 6 * distances / (n * (n * n - 1)), 12)
    significant = [r for r in np.unique(correlations) if (correlations >= r).mean() <= 0.05]
    if not significant:
        assert np.isnan(found.value)
    else:
        assert found.value == pytest.approx(min(significant))
        assert found.p * factorial(n) == pytest.approx((correlations >= min(significant)).sum())


def test_critical_values_are_those_of_published_tables() -> None:
    """Zar 1972, one-tailed .05: n = 4 … 12."""
    published = [1.000, 0.900, 0.829, 0.714, 0.643, 0.600, 0.564, 0.536, 0.503]
    assert [round(spearman_critical(n).value, 3) for n in range(4, 13)] == published
    assert spearman_critical(13).method == "t"
    assert spearman_critical(13).value == pytest.approx(0.484, abs=0.01)


def texts(*written: str) -> SummarySet:
    """Summaries with the same SCU, and texts."""
    return SummarySet.of(np.eye(len(written), dtype=np.bool_), topic="t", texts=written)


def test_unigram_overlap_is_with_the_joined_models() -> None:
    """Spec: peer "a", models "a", "a": .5, not 1 ("a" is a stop word: here a ferry)."""
    from pyramidion.studies.orders.ranking import overlap_scores
    from pyramidion.studies.orders.sets import Subsets

    drawn = Subsets(np.array([[False, True, True], [False, True, False]]), exhaustive=True)
    assert overlap_scores(texts("ferry", "ferry", "ferry"), drawn)[:, 0].tolist() == [0.5, 1.0]


def test_unigram_overlap_is_rouge_1_against_the_joined_text() -> None:
    from pyramidion.studies.orders.ranking import overlap_scores
    from pyramidion.studies.orders.sets import draw_subsets

    demo = pyramidion.load("demo")
    models = demo.topic("D02").models
    written = [pyramidion.campaign.plain(model.text) for model in models]
    summaries = texts(*written)
    for order in (1, 2, 3):
        drawn = draw_subsets(range(4), order, width=4, limit=100, topic="", seed=0)
        found = overlap_scores(summaries, drawn)
        for mask, row in zip(drawn.masks, found, strict=True):
            joined = "\n".join(text for text, inside in zip(written, mask, strict=True) if inside)
            rows = [
                {"topic": "t", "summarizer": str(index), "summary": text, "references": [joined]}
                for index, text in enumerate(written)
            ]
            table = pyramidion.score(rows, "rouge-1(stop=yes).recall")
            assert row == pytest.approx(table.frame.sort("summarizer")["value"].to_numpy())


def campaign(*, models: int = 4, see: bool = False) -> Campaign:
    """One topic; model k has the SCUs 0 … k, and one that all have."""
    names = [chr(65 + index) for index in range(models)]
    scus = [Scu(uid=100, label="all", contributors=tuple(Contributor(model=name) for name in names))]
    scus += [
        Scu(uid=uid, label=str(uid), contributors=tuple(Contributor(model=name) for name in names[uid:]))
        for uid in range(models)
    ]
    coverage = Coverage(
        topic="t",
        summarizer="B",
        model="A",
        units=(CoverageUnit(unit=(0, 3), percent=40), CoverageUnit(unit=(4, 7), percent=80)),
    )
    return Campaign(
        summaries=tuple(
            Summary(topic="t", summarizer=name, kind="model", text=f"ferry {name} burned") for name in names
        ),
        pyramids=(Pyramid(topic="t", models=tuple(names), scus=tuple(scus)),),
        coverage=(coverage,) if see else (),
    )


def test_see_coverage_stands_beside_pyramid_scores_where_it_was_judged() -> None:
    found = study_orders(campaign(see=True))
    see = {one.summarizer: one.see for one in found.summaries}
    assert see["B"] == pytest.approx(0.6)
    assert np.isnan(see["A"])
    assert {one.measure for one in found.humans} == {"see-coverage", "pyramid.original"}


@pytest.mark.parametrize("models", [3, 4, 5])
def test_small_sets_give_a_smaller_answer(models: int) -> None:
    found = study_orders(campaign(models=models))
    pairs = models * (models - 1) // 2
    expected = [pairs * comb(models - 2, order) for order in range(1, models - 1)]
    assert [one.data_points for one in found.errors] == expected
    assert found.divergences[0].pairs == pairs
    assert np.isnan(found.rankings[0].critical)  # two ranks are never significant
    assert np.isnan(found.rankings[0].share)


def test_two_models_are_too_few_and_no_pyramid_is_none() -> None:
    with pytest.raises(InputError, match="3 or more models"):
        study_orders(campaign(models=2))
    with pytest.raises(InputError, match="no pyramid"):
        study_orders(Campaign())


def grown(campaign: Campaign, *topics: str, annotators: tuple[str, ...] = ("",), models: int = 4) -> Campaign:
    """More topics like the first, each with a pyramid by each annotator, of the first so many models."""
    (pyramid,) = campaign.pyramids
    kept = pyramid.models[:models]
    scus = tuple(
        replace(scu, contributors=tuple(one for one in scu.contributors if one.model in kept)) for scu in pyramid.scus
    )
    return Campaign(
        summaries=(
            *campaign.summaries,
            *(replace(one, topic=topic) for topic in topics for one in campaign.summaries if one.topic == "t"),
        ),
        pyramids=(
            *campaign.pyramids,
            *(
                replace(pyramid, topic=topic, annotator=who, models=kept, scus=scus)
                for topic in topics
                for who in annotators
            ),
        ),
    )


def test_notes_name_all_topics_at_once_and_count_what_was_studied() -> None:
    """Each kind of note once, however many topics; a pyramid that is too small lacks nobody's summary."""
    several = grown(campaign(), "u", "v", annotators=("C1", "C2"))
    with pytest.warns(CampaignWarning):
        notes = study_orders(several).notes
    assert notes == ("only the first of several pyramids is studied (`annotator=` chooses): u and v",)
    with pytest.warns(CampaignWarning):
        notes = study_orders(several, OrdersOptions(annotator="C1")).notes
    assert notes == ("left out because they have no pyramid by C1: t",)
    small = grown(campaign(), "u", "v", models=2)
    with pytest.warns(CampaignWarning):
        notes = study_orders(small, OrdersOptions(subset=["C,D"])).notes
    assert notes == ("left out because a study needs at least 3 models: u and v",)


def test_only_what_is_shown_is_left_to_draw(study: OrdersStudy) -> None:
    shown = study.only("orders-error")
    assert shown.errors == study.errors
    assert not (shown.rankings or shown.ranges or shown.scus or shown.divergences or shown.humans or shown.summaries)
    assert study.only() is study
    ranges = study.only("orders-range")
    assert (ranges.ranges, ranges.summaries) == (study.ranges, study.summaries)


def test_constant_rankings_are_undefined_and_counted() -> None:
    alike = SummarySet.of(np.ones((3, 6), dtype=np.bool_))
    for one in ranking([alike], [[0, 1, 2]]):
        assert (one.undefined, one.n) == (one.n, comb(3, one.order))
        assert np.isnan(one.mean)
        assert np.isnan(one.share)


def test_a_pyramid_without_scus_scores_everyone_nothing() -> None:
    found = study_orders([SummarySet.of(np.zeros((0, 4), dtype=np.bool_))])
    assert {one.others for one in found.summaries} == {0.0}
    assert found.divergences[0].divergent == 0
    assert np.isnan(found.divergences[0].lasting_mean)
    assert all(one.undefined == one.n for one in found.rankings)
    assert {one.mean for one in found.scus} == {0}


def test_sets_of_different_sizes_are_not_added_up() -> None:
    sets = [*golden_sets(), SummarySet.of(np.eye(5, dtype=np.bool_), topic="small")]
    found = study_orders(sets)
    assert [(one.models, one.topics) for one in found.divergences] == [(10, 3), (5, 1)]
    assert tuple(one.data_points for one in found.errors if one.models == 10) == PRINTED_POINTS


def test_above_the_limit_a_seeded_sample_stands_in_and_is_said() -> None:
    options = OrdersOptions(limit=50)
    with pytest.warns(CampaignWarning, match=r"a sample of 50 \(seed 3\)"):
        found = study_orders(golden_sets(), options, seed=3)
    assert [note for note in found.notes if "sample" in note] == [
        "orders with more than 50 subsets: a sample of 50 (seed 3)"
    ]
    exhaustive = {one.order: one.exhaustive for one in found.errors}
    assert exhaustive == {order: comb(10, order) <= 50 for order in range(1, 9)}
    # Each of the 50 drawn pyramids of order n leaves C(10 − n, 2) pairs.
    assert [one.data_points for one in found.errors if one.order == 5] == [3 * 50 * comb(5, 2)]
    with pytest.warns(CampaignWarning):
        assert study_orders(golden_sets(), options, seed=3).errors == found.errors
        assert study_orders(golden_sets(), options, seed=4).errors != found.errors
    everything = study_orders(golden_sets())
    assert [one.others for one in found.summaries] == [one.others for one in everything.summaries]
    sampled = {one.order: one.error_rate for one in found.errors}
    assert all(abs(sampled[one.order] - one.error_rate) < 0.1 for one in everything.errors)


def test_the_ranked_are_drawn_by_the_seed_and_the_topic_or_named() -> None:
    drawn = study_orders(golden_sets()).ranked
    assert all(len(names) == 5 for names in drawn.values())
    assert len(set(drawn.values())) > 1
    assert study_orders(golden_sets()[1:]).ranked == {topic: drawn[topic] for topic in ("set1", "set2")}
    assert study_orders(golden_sets(), seed=1).ranked != drawn
    named = OrdersOptions(ranked=["set1=7,3"])
    assert study_orders(golden_sets(), named).ranked["set1"] == ("7", "3")


@pytest.mark.parametrize(
    "options",
    [
        {"count": 10},
        {"count": 1},
        {"count": 2, "ranked": ["1,2"]},
        {"ranked": ["1,x"]},
        {"ranked": ["1,2", "3,4"]},
        {"subset": ["nowhere=1,2"]},
        {"subset": ["set1=1,eleven"]},
        {"same": -1},
        {"divergent": 1.5},
        {"confidence": 100},
        {"limit": 0},
        {"order": 0},
    ],
)
def test_impossible_parameters_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        study_orders(golden_sets(), OrdersOptions(**options))


def test_matrices_must_be_matrices_with_a_name_for_each_column() -> None:
    with pytest.raises(UsageError, match="matrix"):
        SummarySet.of([True, False])
    with pytest.raises(UsageError, match="expected 2"):
        SummarySet.of([[True, False]], summarizers=["A"])


tables = arrays.arrays(np.bool_, st.tuples(st.integers(1, 12), st.integers(3, 6)))


@settings(max_examples=40, deadline=None)
@given(tables)
def test_counts_and_probabilities_stay_within_their_bounds(table: NDArray[np.bool_]) -> None:
    size = table.shape[1]
    found = study_orders([SummarySet.of(table)])
    pairs = size * (size - 1) // 2
    for one in found.errors:
        assert one.data_points == pairs * comb(size - 2, one.order) == one.same + one.different
        assert one.e1 <= one.same
        assert one.e2 + one.e3 <= one.different
        assert 0 <= one.error_rate <= 1
    (parted,) = found.divergences
    assert parted.divergent <= pairs
    assert parted.first_never <= parted.lasting_never
    if parted.divergent > parted.lasting_never:
        assert 1 <= parted.lasting_mean <= size - 2
    for row in found.rankings:
        assert np.isnan(row.mean) or -1 - 1e-12 <= row.mean <= 1 + 1e-12
    growing = [one.mean for one in found.scus]
    assert growing == sorted(growing)
    assert all(0 <= one.minimum <= one.maximum for one in found.ranges)


@settings(max_examples=25, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_summaries_and_of_scus_does_not_matter(table: NDArray[np.bool_], random: Any) -> None:
    rows, columns = (random.sample(range(length), length) for length in table.shape)
    scores, shuffled = (scores_by_order(SummarySet.of(one)) for one in (table, table[rows][:, columns]))
    errors, again = ([row.fields() for row in error_probabilities([one])] for one in (scores, shuffled))
    assert errors == again
    assert np.nan_to_num(divergence([scores]).lasting_mean) == np.nan_to_num(divergence([shuffled]).lasting_mean)


@pytest.mark.slow  # starts Python
def test_the_study_does_without_what_takes_long_to_import() -> None:
    code = "import sys; from pyramidion import study; study.orders('demo'); print('scipy.stats' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]

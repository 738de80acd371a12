"""Every golden number of scores, optimal summaries and sub-pyramids (see tests/golden/pyramid/README.md)."""

import numpy as np
import pytest

from pyramidion.options import Rounding
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.optimal import optimal, optimal_summaries
from pyramidion.pyramids.scores import score_order, score_subsets
from pyramids.golden import MODELS, PEERS, PYRAMIDS, ROUNDINGS, TOLERANCE, annotation, pyramid


def near(expected: float) -> object:
    return pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("name", PYRAMIDS)
def test_weights_and_total(name: str) -> None:
    incidence = Incidence.of(pyramid(name))
    weights = incidence.weights(incidence.everyone)[0]
    assert {str(uid): weight for uid, weight in zip(incidence.uids, weights, strict=True)} == PYRAMIDS[name]["weights"]
    assert weights.sum() == PYRAMIDS[name]["total_weight"]
    mean = incidence.model_sizes(incidence.everyone, "interpolate")[0]
    assert mean == near(PYRAMIDS[name]["mean_scus_per_model"])


@pytest.mark.parametrize(("name", "size"), [(name, size) for name in PYRAMIDS for size in PYRAMIDS[name]["optimal"]])
def test_optimal_summaries(name: str, size: str) -> None:
    expected = PYRAMIDS[name]["optimal"][size]
    weights = list(PYRAMIDS[name]["weights"].values())
    found = optimal(weights, int(size))
    assert found.max == expected["Max"]
    assert found.lowest_tier == expected["lowest_tier_used"]
    assert found.taken_from_it == expected["taken_from_it"]
    assert found.count == expected["n_optimal_sets"]
    listed = list(optimal_summaries(weights, range(len(weights)), int(size)))
    assert len(set(map(frozenset, listed))) == expected["n_optimal_sets"]
    assert {sum(weights[uid] for uid in uids) for uids in listed} == {expected["Max"]}


@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_scores_of_peers(name: str, peer: str) -> None:
    expected = PYRAMIDS[name]["peers"][peer]
    incidence = Incidence.of(pyramid(name), [annotation(name, peer)])
    scores = score_subsets(incidence, incidence.everyone)
    assert scores.matched[0, 0] == expected["D"]
    assert scores.size[0, 0] == expected["X"]
    assert scores.best[0, 0] == expected["Max_X"]
    assert scores.original[0, 0] == near(expected["original"])
    assert scores.comprehensive[0, 0] == near(expected["comprehensive"])


@pytest.mark.parametrize(("there", "rounding"), ROUNDINGS.items())
@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_modified_scores_under_four_roundings(name: str, peer: str, there: str, rounding: Rounding) -> None:
    expected = PYRAMIDS[name]["peers"][peer]["modified"][there]
    incidence = Incidence.of(pyramid(name), [annotation(name, peer)])
    scores = score_subsets(incidence, incidence.everyone, rounding=rounding)
    assert scores.model_size[0, 0] == near(expected["X"])
    assert scores.model_best[0, 0] == near(expected["Max"])
    assert scores.modified[0, 0] == near(expected["score"])


@pytest.mark.parametrize(("name", "peer"), PEERS)
def test_means_over_sub_pyramids_and_leaving_models_out(name: str, peer: str) -> None:
    expected = PYRAMIDS[name]["peers"][peer]
    incidence = Incidence.of(pyramid(name), [annotation(name, peer)])
    for order, means in expected["mean_over_subpyramids"].items():
        scores = score_order(incidence, int(order))
        assert scores.original[0, 0] == near(means["original"])
        assert scores.modified[0, 0] == near(means["modified"])
    for without, values in expected["leave_one_model_out"].items():
        mask = np.array([[f"without_{model}" != without for model in incidence.models]])
        scores = score_subsets(incidence, mask)
        assert scores.original[0, 0] == near(values["original"])
        assert scores.modified[0, 0] == near(values["modified"])


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_a_model_is_scored_by_the_pyramid_of_the_others(name: str, model: str) -> None:
    expected = PYRAMIDS[name]["model_jackknife"][model]
    incidence = Incidence.of(pyramid(name), models_as_peers=[model])
    scores = score_subsets(incidence, incidence.everyone)
    assert scores.size[0, 0] == expected["X"]
    assert scores.matched[0, 0] == expected["D"]
    assert scores.best[0, 0] == expected["Max"]
    assert scores.model_size[0, 0] == expected["X_modified"]
    assert scores.model_best[0, 0] == expected["Max_modified"]
    assert scores.original[0, 0] == near(expected["original"])
    assert scores.modified[0, 0] == near(expected["modified"])
    with_itself = score_subsets(incidence, incidence.everyone, include_self=True)
    assert with_itself.original[0, 0] == near(expected["include_self_original"])
    for order, means in expected["mean_over_subpyramids_without_it"].items():
        over = score_order(incidence, int(order))
        assert over.original[0, 0] == near(means["original"])
        assert over.modified[0, 0] == near(means["modified"])


@pytest.mark.parametrize("name", PYRAMIDS)
def test_the_mean_of_the_models(name: str) -> None:
    incidence = Incidence.of(pyramid(name), models_as_peers=PYRAMIDS[name]["models"])
    scores = score_order(incidence, len(incidence.models) - 1)
    expected = PYRAMIDS[name]["model_jackknife_mean"]
    assert scores.original.mean() == near(expected["original"])
    assert scores.modified.mean() == near(expected["modified"])


def test_figure_2_of_the_paper_has_six_optimal_summaries() -> None:
    """Two SCUs in T_n and four in T_{n−1}: six optimal summaries of four SCUs (paper, figure 2); Max = 14 for n = 4."""
    found = optimal([4, 4, 3, 3, 3, 3], 4)
    assert found.count == 6
    assert found.max == 14

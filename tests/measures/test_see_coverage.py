"""SEE coverage: the mean over a model's units (Nenkova & Passonneau 2004, §2.2). Values are worked out by hand."""

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Coverage, Summary
from pyramidion.campaign.nouns import CoverageUnit
from pyramidion.errors import UsageError
from pyramidion.measures.registry import select
from pyramidion.measures.see_coverage import SeeCoverage


def covered(peer: str, model: str, *percents: int, assessor: str = "") -> Coverage:
    units = tuple(CoverageUnit(unit=(index, index + 1), percent=percent) for index, percent in enumerate(percents))
    return Coverage(topic="t", summarizer=peer, model=model, units=units, assessor=assessor)


def campaign(*coverage: Coverage) -> Campaign:
    summaries = [Summary(topic="t", summarizer=who, kind="peer", text="some words") for who in ("p", "q")]
    summaries += [Summary(topic="t", summarizer=who, kind="model", text="some words") for who in ("A", "B")]
    return Campaign(summaries=tuple(summaries), coverage=coverage)


def values(data: Campaign, measure: str = "see-coverage", **options: object) -> dict[str, float]:
    table = pyramidion.score(data, measure, **options)  # type: ignore[arg-type]
    return {who: value for _, _, who, value, _ in table.frame.iter_rows()}


def test_it_is_the_mean_over_the_units_of_a_model() -> None:
    assert values(campaign(covered("p", "A", 0, 20, 100))) == {"p": pytest.approx(0.4)}


def test_who_was_not_compared_has_no_value() -> None:
    table = pyramidion.score(campaign(covered("p", "A", 60), covered("q", "A")), "see-coverage")
    assert table.unscored == {"see-coverage": 1}


def test_assessors_and_models_count_as_their_mean() -> None:
    data = campaign(
        covered("p", "A", 20, 20, assessor="x"), covered("p", "A", 60, assessor="y"), covered("p", "B", 100)
    )
    assert values(data) == {"p": pytest.approx((0.4 + 1.0) / 2)}
    assert values(data, "see-coverage(assessor=y)") == {"p": pytest.approx(0.6)}
    assert values(data, "see-coverage(model=B)") == {"p": pytest.approx(1.0)}


def test_a_human_peer_is_compared_with_the_other_models_only() -> None:
    data = campaign(covered("A", "B", 80), covered("A", "A", 100))
    assert values(data, peers="humans") == {"A": pytest.approx(0.8)}


def test_subsets_of_models_are_followed() -> None:
    evidence = SeeCoverage().evidence(campaign(covered("p", "A", 20), covered("p", "B", 60)).topic("t"))
    assert evidence is not None
    found = evidence.values(np.array([[True, False], [False, True], [True, True], [False, False]]))
    np.testing.assert_allclose(found[:, 0, 0], [0.2, 0.6, 0.4, np.nan])
    assert np.isnan(found[:, 1]).all()


def test_the_jackknife_leaves_one_model_out_at_a_time() -> None:
    data = campaign(covered("p", "A", 20), covered("p", "B", 60))
    assert values(data, "see-coverage(jackknife=yes)") == {"p": pytest.approx(0.4)}


def test_a_single_model_and_the_jackknife_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="not both"):
        select("see-coverage(model=A,jackknife=yes)")


def test_without_coverage_there_is_no_score() -> None:
    assert len(pyramidion.score(campaign(), "see-coverage")) == 0

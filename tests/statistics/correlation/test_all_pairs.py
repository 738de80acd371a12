"""Tests of every two measures together: those that each pair has by itself."""

from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.errors import UsageError
from pyramidion.options import Coefficient, Level, Resampled
from pyramidion.statistics.correlation import all_pairs, draws
from pyramidion.statistics.correlation.all_pairs import permutation_tests
from pyramidion.statistics.correlation.tests import PermutationTest, permutation_test

Floats = np.typing.NDArray[np.float64]


def one_by_one(
    scores: Floats, z: Floats, *, level: Level, coefficient: Coefficient, resampled: Resampled = "systems"
) -> list[PermutationTest]:
    return [
        permutation_test(x, y, z, level=level, coefficient=coefficient, resampled=resampled, resamples=60, seed=3)
        for x, y in combinations(scores, 2)
    ]


def together(
    scores: Floats, z: Floats, *, level: Level, coefficient: Coefficient, resampled: Resampled = "systems"
) -> list[PermutationTest]:
    done: list[int] = []
    found = permutation_tests(
        scores,
        z,
        level=level,
        coefficient=coefficient,
        resampled=resampled,
        resamples=60,
        seed=3,
        progress=done.append,
    )
    assert sum(done) == 60 * sum(not np.isnan(one.difference) or one.undefined > 0 for one in found)
    return found


def assert_same(found: list[PermutationTest], expected: list[PermutationTest]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.difference == pytest.approx(other.difference, abs=1e-12, nan_ok=True)
        assert one.p == pytest.approx(other.p, abs=0, nan_ok=True)
        assert (one.count, one.permutations, one.undefined, one.n) == (
            other.count,
            other.permutations,
            other.undefined,
            other.n,
        )


def made(kind: str) -> tuple[Floats, Floats]:
    """Four measures and a third, 8 summarizers × 5 topics."""
    generator = np.random.default_rng(6)
    z = generator.normal(size=(8, 5))
    scores = z + generator.normal(size=(4, 8, 5))
    if kind == "ties":
        scores[:2] = np.round(scores[:2])
    if kind == "holes":  # the same for three measures, others for the fourth, and a summarizer and a topic without any
        scores[:, 0, 1] = scores[3, 2, 2] = z[4, 3] = np.nan
        scores[:, 7], z[:, 4] = np.nan, np.nan
    if kind == "far":  # digits are lost in the sums of a topic
        scores[1, :, 2] += 1e4
        scores[2, :, 3] = 0.5
    return scores, z


@pytest.mark.parametrize("kind", ["plain", "ties", "holes", "far"])
@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_every_two_measures_have_the_counts_of_their_own_test(
    kind: str, level: Level, coefficient: Coefficient
) -> None:
    scores, z = made(kind)
    expected = one_by_one(scores, z, level=level, coefficient=coefficient)
    assert len({one.count for one in expected}) > 1
    assert_same(together(scores, z, level=level, coefficient=coefficient), expected)


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@given(
    scores=arrays(np.float64, (4, 5, 3), elements=st.sampled_from([0.0, 0.25, 1.0, 1.5, 2.75, 7.0, np.nan])),
    level=st.sampled_from(["system", "topic"]),
)
def test_ties_holes_and_measures_that_do_not_vary_are_treated_as_in_one_test(
    coefficient: Coefficient, scores: Floats, level: Level
) -> None:
    *measures, z = scores
    found = permutation_tests(np.array(measures), z, level=level, coefficient=coefficient, resamples=60, seed=3)
    assert_same(found, one_by_one(np.array(measures), z, level=level, coefficient=coefficient))


@pytest.mark.parametrize("resampled", ["topics", "both"])
def test_exchanges_of_topics_are_tested_pair_by_pair(resampled: Resampled) -> None:
    scores, z = made("plain")
    expected = one_by_one(scores, z, level="topic", coefficient="pearson", resampled=resampled)
    assert together(scores, z, level="topic", coefficient="pearson", resampled=resampled) == expected


@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_small_blocks_and_many_summarizers_change_nothing(
    coefficient: Coefficient, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, z = made("plain")
    expected = one_by_one(scores, z, level="topic", coefficient=coefficient)
    monkeypatch.setattr(draws, "BLOCK_CELLS", 1000)
    assert_same(together(scores, z, level="topic", coefficient=coefficient), expected)
    monkeypatch.setattr(all_pairs, "MOST_COMPARED", 8 * 8 * 5 - 1)
    assert_same(together(scores, z, level="topic", coefficient=coefficient), expected)


def test_without_ties_no_pair_is_tested_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, z = made("plain")
    monkeypatch.delattr(all_pairs, "permutation_test")
    for coefficient in get_args(Coefficient):
        for level in ("system", "topic"):
            assert len(permutation_tests(scores, z, level=level, coefficient=coefficient)) == 6


def test_other_shapes_and_unknown_names_are_refused() -> None:
    scores, z = made("plain")
    with pytest.raises(UsageError, match="same summarizers × topics"):
        permutation_tests(scores, z[:-1], level="system", coefficient="pearson")
    with pytest.raises(UsageError, match="coefficient 'pierson'"):
        permutation_tests(scores, z, level="system", coefficient="pierson")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="level 'sytem'"):
        permutation_tests(scores, z, level="sytem", coefficient="pearson")  # type: ignore[arg-type]

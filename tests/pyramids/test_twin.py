"""Scores beside a second program, written from the paper's formulas alone and in exact fractions."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu
from pyramidion.options import Rounding
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.scores import score_order, score_subsets

pytestmark = pytest.mark.slow  # many random pyramids, each taken apart in exact fractions

ROUNDINGS: tuple[Rounding, ...] = ("half-up", "floor", "ceil", "interpolate")

Scores = tuple[Fraction, Fraction, Fraction]
"""Original, modified, comprehensive."""


def greatest(weights: Sequence[int], size: int) -> Fraction:
    """Formula 1 of the paper, as it is printed: whole tiers above T_j, and of T_j what is left."""
    if size > sum(weight > 0 for weight in weights):
        return Fraction(sum(weights))
    tiers = {weight: weights.count(weight) for weight in range(1, max(weights, default=0) + 1)}
    reaching = [i for i in tiers if sum(tiers[t] for t in tiers if t >= i) >= size]
    if not size or not reaching:
        return Fraction(0)
    j = max(reaching)
    above = [i for i in tiers if i > j]
    return Fraction(sum(i * tiers[i] for i in above) + j * (size - sum(tiers[i] for i in above)))


def greatest_by(weights: Sequence[int], models: int, rounding: Rounding) -> Fraction:
    mean = Fraction(sum(weights), models)
    if rounding == "interpolate":
        below = greatest(weights, floor(mean))
        return below + (mean - floor(mean)) * (greatest(weights, floor(mean) + 1) - below)
    rounded = {"half-up": floor(mean + Fraction(1, 2)), "floor": floor(mean), "ceil": ceil(mean)}
    return greatest(weights, rounded[rounding])


def ratio(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else Fraction(0)


def scores(scus: Sequence[set[str]], models: Sequence[str], has: set[int], size: int, rounding: Rounding) -> Scores:
    weights = [len(scu & set(models)) for scu in scus]
    matched = Fraction(sum(weights[index] for index in has))
    original = ratio(matched, greatest(weights, size))
    modified = ratio(matched, greatest_by(weights, len(models), rounding))
    return original, modified, ratio(2 * original * modified, original + modified)


@st.composite
def pyramids(draw: st.DrawFn) -> tuple[str, list[set[str]], dict[int, int], int]:
    """Models, who contributes to each SCU, how often the peer says each of some SCUs, and its other units."""
    models = "ABCDE"[: draw(st.integers(1, 5))]
    scus = draw(st.lists(st.sets(st.sampled_from(models)), max_size=9))
    said = draw(st.dictionaries(st.integers(0, len(scus) - 1), st.integers(1, 3))) if scus else {}
    return models, scus, said, draw(st.integers(0, 12))


@settings(max_examples=150, deadline=None)
@given(pyramids(), st.sampled_from(ROUNDINGS))
def test_every_sub_pyramid_scores_as_the_second_program_does(
    drawn: tuple[str, list[set[str]], dict[int, int], int], rounding: Rounding
) -> None:
    models, scus, said, others = drawn
    pyramid = Pyramid(
        topic="t",
        models=tuple(models),
        scus=tuple(
            Scu(uid=index, label=f"{index}", contributors=tuple(Contributor(model=model) for model in sorted(scu)))
            for index, scu in enumerate(scus)
        ),
    )
    matches = tuple(Match(uid=index, contributors=((),) * times) for index, times in said.items())
    annotation = PeerAnnotation(topic="t", summarizer="p", scus=matches, unmatched=((),) * others)
    incidence = Incidence.of(pyramid, [annotation], models_as_peers=models)
    for order in range(1, len(models) + 1):
        over = score_order(incidence, order, rounding=rounding)
        for column, peer in enumerate(incidence.peers):
            left = [model for model in models if model != peer]
            has = set(said) if peer == "p" else {index for index, scu in enumerate(scus) if peer in scu}
            size = sum(said.values()) + others if peer == "p" else len(has)
            subsets = list(combinations(left, order))
            expected = [scores(scus, chosen, has, size, rounding) for chosen in subsets]
            if subsets:
                masks = np.array([[model in chosen for model in models] for chosen in subsets])
                each = score_subsets(incidence, masks, rounding=rounding)
            for place, name in enumerate(("original", "modified", "comprehensive")):
                mean = getattr(over, name)[0, column]
                if not subsets:
                    assert np.isnan(mean)
                    continue
                exact = [float(triple[place]) for triple in expected]
                exact_mean = float(sum(triple[place] for triple in expected) / len(expected))
                np.testing.assert_allclose(mean, exact_mean, rtol=0, atol=1e-12)
                np.testing.assert_allclose(getattr(each, name)[:, column], exact, rtol=0, atol=1e-12)

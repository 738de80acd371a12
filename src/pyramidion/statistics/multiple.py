"""Correction of p values when many pairs are tested at once."""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import Correction
from pyramidion.statistics.values import check_choice


def adjusted(p: Floats, *, correction: Correction = "holm") -> Floats:
    """Adjusted p values: to be compared with the level that the whole family is to have.

    With m tests and p₍₁₎ ≤ … ≤ p₍ₘ₎: Holm max over j ≤ i of (m − j + 1)·p₍ⱼ₎; Bonferroni m·p; both bound the chance of
    any false finding. Benjamini–Hochberg min over j ≥ i of m/j·p₍ⱼ₎ bounds the expected share of false findings. None
    exceeds 1. Undefined p (NaN) stay so and do not count.
    """
    check_choice("correction", correction, Correction)
    result = p.astype(np.float64)
    tested = np.nonzero(~np.isnan(p))[0]
    tests = len(tested)
    if correction == "none" or not tests:
        return result
    order = tested[np.argsort(p[tested], kind="stable")]
    places = np.arange(1, tests + 1)
    if correction == "bonferroni":
        values = tests * p[order]
    elif correction == "holm":
        # Running maximum: Holm stops at the first test that fails, so that no later one may have a smaller adjusted
        # p.
        values = np.maximum.accumulate((tests - places + 1) * p[order])
    else:
        values = np.minimum.accumulate((tests / places * p[order])[::-1])[::-1]
    result[order] = np.minimum(values, 1.0)
    return result


def least_adjusted(p: float, *, tests: int, correction: Correction) -> float:
    """The smallest adjusted p of one of this many tests if no p can be below this one.

    Holm and Bonferroni multiply the smallest by the number of tests; the other corrections leave it as it is when all
    tests have it.
    """
    return min(1.0, tests * p) if correction in ("holm", "bonferroni") else p


def adjusted_if_dependent(p: Floats) -> Floats:
    """Adjusted p values of tests that may depend on each other in any way, by Benjamini and Yekutieli (2001).

    min over j ≥ i of m·H/j·p₍ⱼ₎ with H = 1 + 1/2 + … + 1/m: bounds the expected share of false findings. Undefined p
    (NaN) stay so and do not count.
    """
    tests = int((~np.isnan(p)).sum())
    harmonic = float((1 / np.arange(1, tests + 1)).sum())
    return np.minimum(harmonic * _false_discovery(p, tests), 1.0)


def _false_discovery(p: Floats, tests: int) -> Floats:
    """Benjamini and Hochberg's adjusted p, not cut at 1."""
    result = p.astype(np.float64)
    tested = np.nonzero(~np.isnan(p))[0]
    order = tested[np.argsort(p[tested], kind="stable")]
    result[order] = np.minimum.accumulate((tests / np.arange(1, tests + 1) * p[order])[::-1])[::-1]
    return result

"""Judgments as records for programs: the fields of `pyramidion judgments … --format json`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.statistics.agreement import Alpha
    from pyramidion.studies import Confusion, Frequencies, JudgmentAgreement, JudgmentRegression, QuestionAlpha

MOST_CELLS = 20
"""A confusion of more values than this is given without its empty cells."""


def frequency_records(found: Frequencies) -> Iterator[dict[str, Any]]:
    """Rows of `judgments frequencies`."""
    return _with_note(
        (
            {
                "record": "frequency",
                "question": row.question,
                "kind": row.kind,
                "value": row.value,
                "count": row.count,
                "share": row.share,
                "n": row.n,
                **({} if row.below is None else {"below": row.below}),
            }
            for row in found.rows
        ),
        found.note,
    )


def coefficient_records(found: JudgmentRegression) -> Iterator[dict[str, Any]]:
    """Rows of `judgments regression`."""
    return _with_note(
        (
            {
                "record": "coefficient",
                "target": found.target,
                "assessor": fit.assessor,
                "pooled": fit.pooled,
                "term": one.term,
                "beta": one.beta,
                "standard_error": one.standard_error,
                "lower": one.lower,
                "upper": one.upper,
                "t": one.t,
                "p": one.p,
                "significant": one.significant,
                "r2": fit.r_squared,
                "r2_adjusted": fit.adjusted_r_squared,
                "n": fit.n,
                "incomplete": fit.incomplete,
                "df": fit.degrees_of_freedom,
                "confidence": found.confidence,
                **({"reason": one.reason} if one.reason else {}),
            }
            for fit in found.fits
            for one in fit.coefficients
        ),
        found.note,
    )


def alpha_records(found: JudgmentAgreement) -> Iterator[dict[str, Any]]:
    """Rows of `judgments agreement`: α of each question."""

    def record(one: QuestionAlpha) -> dict[str, Any]:
        alpha = one.alpha
        reason = alpha_reason(alpha)
        if not reason and math.isnan(alpha.lower):
            reason = f"an interval needs two {found.over} or more that differ"
        return {
            "record": "alpha",
            "question": one.question,
            "metric": alpha.metric,
            "alpha": _number(alpha.value),
            "lower": _number(alpha.lower),
            "upper": _number(alpha.upper),
            "n": alpha.units,
            "codings": alpha.codings,
            "assessors": one.assessors,
            "left_out": alpha.left_out,
            "pair_agreement": _number(one.pair_agreement),
            "confidence": found.confidence,
            "resamples": found.resamples,
            "undefined": alpha.undefined,
            "over": found.over,
            "seed": found.seed,
            **({"reason": reason} if reason else {}),
        }

    return _with_note(map(record, found.alphas), found.note)


def pair_records(found: JudgmentAgreement) -> Iterator[dict[str, Any]]:
    """Rows of `judgments agreement`: two assessors on one question."""
    return _with_note(
        (
            {
                "record": "agreement",
                "question": pair.question,
                "a": pair.first,
                "b": pair.second,
                "exact": pair.agreement.exact,
                "within_one": pair.agreement.within_one,
                "difference": pair.agreement.difference,
                "pearson": _number(pair.agreement.pearson),
                "n": pair.agreement.n,
                **({"reason": "one gave the same answer to all"} if math.isnan(pair.agreement.pearson) else {}),
            }
            for pair in found.pairs
        ),
        found.note,
    )


def confusion_records(confused: Sequence[Confusion], said: str) -> Iterator[dict[str, Any]]:
    """Rows of `judgments agreement --confusion`: two answers to one question."""
    return _with_note(
        (
            {
                "record": "confusion",
                "question": one.question,
                "a": one.first,
                "b": one.second,
                "value_a": value,
                "value_b": other,
                "count": int(count),
                "n": one.n,
            }
            for one in confused
            for value, row in zip(one.values, one.counts, strict=True)
            for other, count in zip(one.values, row, strict=True)
            if count or len(one.values) <= MOST_CELLS
        ),
        said,
    )


def alpha_reason(alpha: Alpha) -> str:
    """Why there is no α, or ""."""
    if not alpha.reason:
        return ""
    if not alpha.units:
        return "no summary was judged by two assessors"
    return "all answers are the same: no disagreement is to be expected"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _with_note(records: Iterator[dict[str, Any]], said: str) -> Iterator[dict[str, Any]]:
    for record in records:
        yield {**record, "note": said} if said else record

"""Whether the verdicts on pairs of systems change when answers such as 1 to 5 are treated as ordered, not as numbers.

The answers are fitted in a proportional-odds model with random topics and assessors. It is a check next to the test
behind the letters, not a test of its own: a system with only top answers has no finite effect in it, and its z takes
the variances of a few assessors as known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pyramidion.arrays import Bools, Integers
from pyramidion.campaign.nouns import Judgment
from pyramidion.statistics.components import Components
from pyramidion.statistics.ordinal import OrdinalFit, answers_at_one_end, fit_ordinal
from pyramidion.statistics.simultaneous import critical_t

MOST_ANSWERS = 10
"""Different answers up to which a question counts as ordinal."""
MOST_JUDGMENTS = 5_000
"""With more, the fit takes too long for a check."""
KEPT_FITS = 32
MANY = 1e6
"""Degrees of freedom of the ordinal model's z."""
RANDOM = ("topic", "assessor", "summarizer:assessor")
"""The random effects where assessors are a sample, as far as the design can separate them."""
FEWEST_JUDGMENTS = 2
"""Of one summary, from which on these share an effect of the summary."""


@dataclass(frozen=True, kw_only=True)
class OrdinalCheck:
    """How many pairs differ significantly, with answers as numbers and as ordered."""

    pairs: int
    """Those of the systems that can be compared in both ways."""
    as_numbers: int
    as_ordered: int
    changed: tuple[tuple[str, str], ...]
    """Pairs with another verdict."""
    terms: tuple[str, ...]
    """The random effects of the ordinal model."""
    left_out: tuple[str, ...]
    """Systems whose answers are all at one end of the scale."""


def check_as_ordered(
    judgments: Sequence[Judgment],
    summarizers: Sequence[str],
    differs: Bools,
    components: Components | None,
    *,
    confidence: float,
) -> OrdinalCheck | None:
    """Compare the verdicts of a test with those of Tukey's test in a proportional-odds model.

    Args:
        judgments: the answers to one question.
        summarizers: who is compared.
        differs: summarizers × summarizers, the verdicts of the test behind the letters.
        components: the linear model of random assessors; None where assessors are taken as given.
        confidence: of both tests, in per cent.

    Returns:
        None where answers are not ordinal, or where the model can't be fitted.
    """
    places = {summarizer: place for place, summarizer in enumerate(summarizers)}
    judged = [judgment for judgment in judgments if judgment.summarizer in places]
    answers = np.array([float(judgment.value) for judgment in judged])
    if not 0 < len(judged) <= MOST_JUDGMENTS or (answers != np.round(answers)).any():
        return None
    if not 2 <= len(np.unique(answers)) <= MOST_ANSWERS:
        return None
    rows = np.array([places[judgment.summarizer] for judgment in judged])
    is_at_end = answers_at_one_end(rows, answers)
    kept = [place for place in range(len(is_at_end)) if not is_at_end[place]]
    if len(kept) < 2:
        return None
    is_kept = ~is_at_end[rows]
    compared = [judgment for judgment, keep in zip(judged, is_kept.tolist(), strict=True) if keep]
    new_rows = np.searchsorted(kept, rows[is_kept])
    terms = _terms(compared, new_rows, components)
    fit = _fit_once(
        new_rows.astype(np.int64).tobytes(),
        tuple((name, codes.astype(np.int64).tobytes()) for name, codes in terms.items()),
        answers[is_kept].tobytes(),
    )
    if fit is None:
        return None
    critical = float(critical_t("tukey", len(kept), np.array([MANY]), confidence=confidence)[0])
    as_ordered = np.abs(fit.z_values()) >= critical
    as_numbers = differs[np.ix_(kept, kept)]
    first, second = np.triu_indices(len(kept), 1)
    is_changed = as_ordered[first, second] != as_numbers[first, second]
    names = [summarizers[place] for place in kept]
    return OrdinalCheck(
        pairs=len(first),
        as_numbers=int(as_numbers[first, second].sum()),
        as_ordered=int(as_ordered[first, second].sum()),
        changed=tuple((names[a], names[b]) for a, b in zip(first[is_changed], second[is_changed], strict=True)),
        terms=tuple(terms),
        left_out=tuple(summarizers[place] for place in range(len(is_at_end)) if is_at_end[place]),
    )


def _terms(judged: Sequence[Judgment], rows: Integers, components: Components | None) -> dict[str, Integers]:
    """The random effects: topics and assessors, with how systems fare with assessors if these are a sample.

    Assessors who are taken as given share what they think of one summary.
    """
    topics = _numbers([judgment.topic for judgment in judged])
    assessors = _numbers([judgment.assessor for judgment in judged])
    many = int(max(topics.max(), assessors.max(), rows.max())) + 1
    codes = {
        "topic": topics,
        "assessor": assessors,
        "summarizer:assessor": rows * many + assessors,
        "summarizer:topic": rows * many + topics,
        "topic:assessor": topics * many + assessors,
    }
    if components is not None:
        names = [name for name in RANDOM if name in components.terms]
    else:
        names = ["topic"]
        if assessors.max() > 0:
            names.append("assessor")
        if max(Counter(codes["summarizer:topic"].tolist()).values()) >= FEWEST_JUDGMENTS:
            names.append("summarizer:topic")
    return {name: np.unique(codes[name], return_inverse=True)[1] for name in names if np.ptp(codes[name]) > 0}


def _numbers(names: Sequence[str]) -> Integers:
    codes: Integers = np.unique(np.array(names), return_inverse=True)[1]
    return codes


@lru_cache(maxsize=KEPT_FITS)
def _fit_once(summarizers: bytes, terms: tuple[tuple[str, bytes], ...], answers: bytes) -> OrdinalFit | None:
    """The fit of arrays given as bytes: a report shows the same question in several places."""
    return fit_ordinal(
        np.frombuffer(summarizers, dtype=np.int64),
        {name: np.frombuffer(codes, dtype=np.int64) for name, codes in terms},
        np.frombuffer(answers, dtype=np.float64),
    )

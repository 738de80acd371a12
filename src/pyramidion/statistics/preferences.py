"""Davidson's model of preferences with ties: P(i) : P(tie) : P(j) = e^λi : ν·e^((λi + λj)/2) : e^λj."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import InputError

MOST_ROUNDS = 100


@dataclass(frozen=True, kw_only=True, eq=False)
class Davidson:
    """The fit: log abilities, the first being 0, and how likely ties are."""

    log_ability: Floats
    errors: Floats
    """Standard errors; 0 for the first."""
    covariance: Floats
    """Of all but the first."""
    log_tie: float
    """Log ν; NaN if there are no ties."""
    log_tie_error: float


def davidson(wins: Floats, ties: Floats) -> Davidson:
    """Fit abilities to counts by maximum likelihood (Newton).

    Args:
        wins: items × items, how often the row was preferred to the column.
        ties: items × items, symmetric: how often neither was.

    Raises:
        InputError: unless wins and ties link every item to every other both ways; abilities would be infinite.
    """
    if not _is_linked(wins + ties):
        raise InputError("some are always, or never, preferred to all the others, so that no finite ability fits")
    count = len(wins)
    has_ties = bool(ties.sum() > 0)
    first, second = np.triu_indices(count, 1)
    parameters = np.zeros(count - 1 + has_ties)
    observed = np.column_stack([wins[first, second], ties[first, second], wins[second, first]])
    totals = observed.sum(axis=1)
    # Each outcome's log weight is linear in the parameters: a conditional (multinomial) logit.
    ability = np.eye(count)[:, 1:]
    features = np.zeros((len(first), 3, len(parameters)))
    features[:, 0, : count - 1] = ability[first]
    features[:, 1, : count - 1] = (ability[first] + ability[second]) / 2
    features[:, 2, : count - 1] = ability[second]
    if has_ties:
        features[:, 1, -1] = 1.0
    outcomes = np.array([True, has_ties, True])
    for _ in range(MOST_ROUNDS):
        logs = features @ parameters
        weights = np.where(outcomes, np.exp(logs - logs.max(axis=1, keepdims=True)), 0.0)
        shares = weights / weights.sum(axis=1, keepdims=True)
        expected = np.einsum("po,pok->pk", shares, features)
        gradient = np.einsum("po,pok->k", observed - totals[:, None] * shares, features)
        second_moments = np.einsum("p,po,pok,pol->kl", totals, shares, features, features)
        information = second_moments - np.einsum("p,pk,pl->kl", totals, expected, expected)
        step = np.linalg.solve(information, gradient)
        size = float(np.abs(step).max())
        parameters = parameters + step / max(1.0, size / 2)
        if size < 1e-12:
            break
    covariance = np.linalg.inv(information)
    errors = np.sqrt(np.diag(covariance))
    return Davidson(
        log_ability=np.concatenate([[0.0], parameters[: count - 1]]),
        errors=np.concatenate([[0.0], errors[: count - 1]]),
        covariance=covariance[: count - 1, : count - 1],
        log_tie=float(parameters[-1]) if has_ties else np.nan,
        log_tie_error=float(errors[-1]) if has_ties else np.nan,
    )


def _is_linked(edges: Floats) -> bool:
    """Whether every item reaches every other along the edges."""
    reach = (edges > 0) | np.eye(len(edges), dtype=np.bool_)
    for _ in range(len(edges).bit_length()):
        reach = (reach.astype(np.float64) @ reach.astype(np.float64)) > 0
    return bool(reach.all())

"""Davidson's model of preferences with ties: P(i) : P(tie) : P(j) = e^λi : ν·e^((λi + λj)/2) : e^λj.

With an effect γ of the order in which the two are shown, as a home advantage: i, shown first, has e^(λi + γ/2), and j,
shown second, e^(λj − γ/2) (Davidson and Beaver 1977).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import InputError

MOST_ROUNDS = 100
_OUTCOMES = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 1.0], [0.0, 1.0, 0.0]])
"""By outcome (the first is preferred, neither, the second): how often log abilities, and log ν, are in its weight."""


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
        InputError: unless wins and ties link every item to every other both ways, or if all are ties; parameters would
            be infinite.
    """
    if not _is_linked(wins + ties):
        raise InputError("some are always, or never, preferred to all the others, so that no finite ability fits")
    if not wins.any():
        raise InputError("every preference is a tie, so that no finite model fits")
    count = len(wins)
    has_ties = bool(ties.sum() > 0)
    first, second = np.triu_indices(count, 1)
    parameters = np.zeros(count - 1 + has_ties)
    observed = np.column_stack([wins[first, second], ties[first, second], wins[second, first]])
    for _ in range(MOST_ROUNDS):
        abilities = np.concatenate([[0.0], parameters[: count - 1]])
        log_tie = parameters[-1] if has_ties else -np.inf
        logs = np.column_stack([abilities[first], (abilities[first] + abilities[second]) / 2, abilities[second]])
        logs[:, 1] += log_tie
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares = weights / weights.sum(axis=1, keepdims=True)
        gradient, information = _derivatives(observed, shares, count)
        free = slice(1, count + has_ties)  # the first ability is 0
        gradient, information = gradient[free], information[free, free]
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            raise InputError("there are too few preferences, or too many ties, for a finite model") from None
        size = float(np.abs(step).max())
        parameters = parameters + step / max(1.0, size / 2)
        if size < 1e-12:
            break
    covariance: Floats = np.asarray(np.linalg.inv(information), dtype=np.float64)
    if not (np.diag(covariance) > 0).all():
        # Where one never loses to another but ties with it, both its ability and ν grow without end.
        raise InputError("there are too few preferences, or too many ties, for a finite model")
    errors = np.sqrt(np.diag(covariance))
    return Davidson(
        log_ability=np.concatenate([[0.0], parameters[: count - 1]]),
        errors=np.concatenate([[0.0], errors[: count - 1]]),
        covariance=covariance[: count - 1, : count - 1],
        log_tie=float(parameters[-1]) if has_ties else np.nan,
        log_tie_error=float(errors[-1]) if has_ties else np.nan,
    )


def _derivatives(observed: Floats, shares: Floats, count: int) -> tuple[Floats, Floats]:
    """The gradient and the information of the log likelihood: of all items, then of ties.

    Each outcome's log weight is linear in the parameters, a conditional (multinomial) logit, and has only those of two
    items and of ties in it: what a pair adds is a matrix of three by three.

    Args:
        observed: pairs × outcomes: how often the first was preferred, neither, the second.
        shares: pairs × outcomes: how likely they are.
        count: of items; the pairs are all of them, in the order of `np.triu_indices`.
    """
    first, second = np.triu_indices(count, 1)
    totals = observed.sum(axis=1)
    slopes = (observed - totals[:, None] * shares) @ _OUTCOMES
    expected = shares @ _OUTCOMES
    moments = np.einsum("po,oa,ob->pab", shares, _OUTCOMES, _OUTCOMES, optimize=True)
    parts = totals[:, None, None] * (moments - expected[:, :, None] * expected[:, None, :])

    def by_item(of_first: Floats, of_second: Floats) -> Floats:
        sums = np.zeros(count)
        np.add.at(sums, first, of_first)
        np.add.at(sums, second, of_second)
        return sums

    gradient = np.append(by_item(slopes[:, 0], slopes[:, 1]), slopes[:, 2].sum())
    information = np.diag(np.append(by_item(parts[:, 0, 0], parts[:, 1, 1]), parts[:, 2, 2].sum()))
    information[first, second] = information[second, first] = parts[:, 0, 1]
    information[:count, count] = information[count, :count] = by_item(parts[:, 0, 2], parts[:, 1, 2])
    return gradient, information


def _is_linked(edges: Floats) -> bool:
    """Whether every item reaches every other along the edges."""
    reach = (edges > 0) | np.eye(len(edges), dtype=np.bool_)
    for _ in range(len(edges).bit_length()):
        reach = (reach.astype(np.float64) @ reach.astype(np.float64)) > 0
    return bool(reach.all())


@dataclass(frozen=True, kw_only=True)
class OrderEffect:
    """How much more often the summary that is shown first is preferred to an equal one; NaN where undefined."""

    value: float
    """γ: log odds of preferring the first to the second if both are equal."""
    error: float
    """Standard error; choices of one cluster may depend on each other."""
    model_error: float
    """Standard error if all choices were independent."""
    freedom: float
    n: int


def order_effect(
    first: Integers, second: Integers, choice: Integers, *, clusters: Integers | None = None
) -> OrderEffect:
    """Fit Davidson's model with an effect of order to single choices, by maximum likelihood (Newton).

    The standard error is a sandwich over clusters, I⁻¹·Σ_g s_g s_g′·I⁻¹·G/(G − 1), s_g the score of a cluster.

    Args:
        first: the number of the item that was shown first.
        second: that of the item that was shown second.
        choice: 1 if the first was preferred, 0 for a tie, −1 for the second.
        clusters: the number of each choice's cluster; None if choices are independent.

    Raises:
        InputError: unless choices link every item to every other both ways, or if only one position ever wins.
    """
    items, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    count, n = len(items), len(first)
    row_first, row_second = codes[:n], codes[n:]
    edges = np.zeros((count, count))
    np.add.at(edges, (row_first, row_second), (choice >= 0).astype(np.float64))
    np.add.at(edges, (row_second, row_first), (choice <= 0).astype(np.float64))
    if not _is_linked(edges):
        raise InputError("some are always, or never, preferred to all the others, so that no finite ability fits")
    if not ((choice > 0).any() and (choice < 0).any()):
        raise InputError("the same position was preferred every time, so that no finite effect fits")
    has_ties = bool((choice == 0).any())
    # Rows × outcomes (first, tie, second) × parameters: abilities but the first, the order, ties.
    design = np.zeros((n, 3, count + 2))
    rows = np.arange(n)
    for outcome, (of_first, of_second) in enumerate(((1.0, 0.0), (0.5, 0.5), (0.0, 1.0))):
        design[rows, outcome, row_first] += of_first
        design[rows, outcome, row_second] += of_second
    design[:, 0, count], design[:, 2, count] = 0.5, -0.5
    design[:, 1, count + 1] = 1.0
    outcomes = [0, 1, 2] if has_ties else [0, 2]
    design = design[:, outcomes, 1 : count + 1 + has_ties]
    taken = np.searchsorted(outcomes, 1 - choice)
    parameters = np.zeros(design.shape[2])
    for _ in range(MOST_ROUNDS):
        logs = design @ parameters
        shares = np.exp(logs - logs.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        expected = np.einsum("no,nop->np", shares, design)
        scores = design[rows, taken] - expected
        moments = np.einsum("no,nop,noq->pq", shares, design, design, optimize=True)
        information = moments - expected.T @ expected
        step = np.linalg.solve(information, scores.sum(axis=0))
        size = float(np.abs(step).max())
        parameters = parameters + step / max(1.0, size / 2)
        if size < 1e-10:
            break
    else:
        raise InputError("the model could not be fitted: one position is preferred in nearly all choices")
    inverse = np.linalg.inv(information)
    groups = rows if clusters is None else np.unique(clusters, return_inverse=True)[1]
    place = count - 1
    influence = scores @ inverse[:, place]
    sums = np.bincount(groups, influence)
    group_count = len(sums)
    error = float("nan")
    if group_count > 1:
        error = float(np.sqrt(group_count / (group_count - 1) * (sums**2).sum()))
    return OrderEffect(
        value=float(parameters[place]),
        error=error,
        model_error=float(np.sqrt(inverse[place, place])),
        freedom=group_count - 1.0,
        n=n,
    )

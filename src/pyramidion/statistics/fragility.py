"""How fragile an answer is: the fewest columns (topics) whose removal changes who leads or whether two rows differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.values import SLACK, quotients, snap_ties, t_p
from pyramidion.statistics.variance import two_way_anova


@dataclass(frozen=True, kw_only=True, eq=False)
class LeaderChange:
    """What has to go before another row leads."""

    leaders: tuple[int, ...]
    """Rows with the highest mean; several if they are equal."""
    removed: tuple[int, ...] | None
    """The fewest columns; empty if several rows lead already, None if no removal suffices."""
    new_leaders: tuple[int, ...]
    """Who leads without them."""
    is_exact: bool
    """Whether no smaller set of columns does: true of complete tables."""


def find_leader_change(values: Floats) -> LeaderChange:
    """The fewest columns whose removal puts another row strictly ahead of the leader.

    A rival overtakes the leader without the k columns in which the leader is furthest ahead of it, if it can do so
    without any k columns: the sum of the differences that stay is then the least. The fewest k over all rivals is exact
    where no value is missing. With missing values (NaN), rows are ranked by least-squares means; the columns of each
    rival are removed in the same order, the means fitted again each time, and fewer columns might do.

    Args:
        values: rows × columns, higher is better; each row has a value.

    >>> change = find_leader_change(np.array([[5.0, 1, 1], [1, 2, 2]]))
    >>> change.leaders, change.removed, change.new_leaders
    ((0,), (0,), (1,))
    """
    columns = np.flatnonzero((~np.isnan(values)).any(axis=0))
    values = values[:, columns]
    is_exact = not np.isnan(values).any()
    leaders = _leading_rows(values)
    if leaders is None or len(leaders) > 1:
        several = leaders or ()
        return LeaderChange(leaders=several, removed=() if several else None, new_leaders=several, is_exact=is_exact)
    leader = leaders[0]
    means = _ranked_means(values)
    assert means is not None
    fewest: list[int] | None = None
    for rival in np.argsort(-means, kind="stable"):
        if rival != leader:
            removed = _overtake(values, leader, int(rival), most=len(columns) if fewest is None else len(fewest) - 1)
            fewest = fewest if removed is None else removed
    if fewest is None:
        return LeaderChange(leaders=leaders, removed=None, new_leaders=leaders, is_exact=is_exact)
    new_leaders = _leading_rows(np.delete(values, fewest, axis=1)) or ()
    removed_columns = tuple(int(column) for column in sorted(columns[fewest]))
    return LeaderChange(leaders=leaders, removed=removed_columns, new_leaders=new_leaders, is_exact=is_exact)


def _ranked_means(values: Floats) -> Floats | None:
    """The means that rows are ranked by; None if a row has no value, or if rows can't be compared."""
    if not np.isnan(values).any():
        plain: Floats = values.mean(axis=1)
        return plain
    if np.isnan(values).all(axis=1).any():
        return None
    anova = two_way_anova(values)
    return anova.row_means if anova is not None and anova.pieces == 1 else None


def _leading_rows(values: Floats) -> tuple[int, ...] | None:
    """Rows with the highest mean; None if rows can't be compared."""
    means = _ranked_means(values)
    if means is None:
        return None
    snapped = snap_ties(means)
    return tuple(int(row) for row in np.flatnonzero(snapped == snapped.max()))


def _overtake(values: Floats, leader: int, rival: int, *, most: int) -> list[int] | None:
    """The columns without which the leader no longer leads, removed where it is furthest ahead of a rival.

    None if it takes more than `most`, or if no column would be left.
    """
    differences = values[leader] - values[rival]
    shared = np.flatnonzero(~np.isnan(differences))
    order = shared[np.argsort(-differences[shared], kind="stable")]
    sizes = range(1, min(most, values.shape[1] - 1, len(order)) + 1)
    if not np.isnan(values).any():
        rest = differences.sum() - np.cumsum(differences[order])
        rounding = SLACK * float(np.abs(values).max()) * values.shape[1]
        enough = [size for size in sizes if rest[size - 1] < -rounding]
        return [int(column) for column in order[: enough[0]]] if enough else None
    for size in sizes:
        leaders = _leading_rows(np.delete(values, order[:size], axis=1))
        if leaders is not None and leader not in leaders:
            return [int(column) for column in order[:size]]
    return None


def removal_orders(differences: Floats, *, sign: int) -> list[Integers]:
    """Two greedy orders in which to remove differences so that those of this sign disappear.

    The largest first; and at each step the one without which the t statistic is the lowest (times the sign). At least
    two differences stay.

    Args:
        differences: of two rows, without NaN.
        sign: 1 to make the mean difference smaller, −1 to make it larger.
    """
    most = max(len(differences) - 2, 0)
    signed = sign * differences
    largest_first = np.argsort(-signed, kind="stable")[:most]
    kept = np.arange(len(signed))
    steps: list[int] = []
    for _ in range(most):
        t = _t_without_each(signed[kept])
        place = int(np.argmin(t))
        steps.append(int(kept[place]))
        kept = np.delete(kept, place)
    return [largest_first.astype(np.int64), np.array(steps, dtype=np.int64)]


def _t_without_each(differences: Floats) -> Floats:
    """The t statistic without each of the differences in turn; ±∞ where the others do not vary."""
    count = len(differences) - 1
    centred = differences - differences.mean()
    sums = -centred
    squares = (centred**2).sum() - centred**2
    means = sums / count
    variances = np.maximum(squares - count * means**2, 0.0) / max(count - 1, 1)
    plain = means + differences.mean()
    errors = np.sqrt(variances / count)
    t = quotients(plain, errors, where=errors > 0)
    without_spread = np.select([plain > 0, plain < 0], [np.inf, -np.inf], 0.0)
    return np.where(errors > 0, t, without_spread)


def may_have_changed(differences: Floats, order: Integers, *, level: float, tests: int, decided: bool) -> Bools:
    """For each number of removed differences, whether Holm's verdict of the paired t test may have become another.

    A pair of `tests` stays significant as long as its p times their number is within the level, and undecided as long
    as p alone is above it. So the others need not be tested.
    """
    changed = np.ones(len(order), dtype=np.bool_)
    rest = differences.copy()
    first_sign = np.sign(differences.mean())
    for place, removed in enumerate(order):
        rest[removed] = np.nan
        kept = rest[~np.isnan(rest)]
        spread = float(kept.std(ddof=1)) if len(kept) > 1 else 0.0
        if spread <= SLACK * float(np.abs(differences).max()):
            continue
        p = float(t_p(kept.mean() / (spread / np.sqrt(len(kept))), len(kept) - 1))
        if decided:
            changed[place] = tests * p > level or np.sign(kept.mean()) != first_sign
        else:
            changed[place] = p <= level * (1 + SLACK)
    return changed

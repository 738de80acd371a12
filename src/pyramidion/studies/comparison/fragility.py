"""How fragile a comparison is: the fewest topics whose removal changes who leads, or the verdict on a pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import WordedRow, hidden
from pyramidion.statistics.fragility import find_leader_change, may_have_changed, removal_orders
from pyramidion.studies.comparison.pairs import Pair

FragilityKind = Literal["winner", "verdict"]
Refit = Callable[[frozenset[str]], Sequence[Pair]]
"""Compares the pairs again without these topics, in the same order."""
FEW_PAIRS = 3
MOST_REMOVED = 0.5
"""No verdict is searched for beyond this share of a pair's topics: nobody would call it fragile."""


class Fragility(WordedRow, record="fragility"):
    """The fewest topics whose removal changes the winner of a measure, or the verdict on a pair."""

    measure: str
    kind: FragilityKind
    a: str
    """The leader, or the first system of the pair."""
    b: str | None
    """The new leader, or the second system of the pair."""
    before: str
    """The leader, or the verdict on a."""
    after: str | None
    """What it is without these topics."""
    topics: tuple[str, ...]
    n: int | None
    """How many topics; 0 if several systems lead already, None if no removal changes it."""
    of: int
    """Of how many topics."""
    exact: bool
    """Whether no smaller set of topics does; else it was found by greedy search, and fewer might do."""
    takes_assessors_as_given: bool = hidden(default=False)
    """Whether assessors are a random sample elsewhere in the comparison."""
    leaders: tuple[str, ...] = hidden(default=())
    """All who lead at first."""
    new_leaders: tuple[str, ...] = hidden(default=())
    """All who lead without these topics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FragilitySearch:
    """What has to be known to find the fragility of one measure; it is searched for when it is first asked for."""

    matrix: ScoreMatrix
    pairs: tuple[Pair, ...]
    refit: Refit
    takes_assessors_as_given: bool = False
    """Whether who leads goes by mean scores, although assessors are a random sample elsewhere."""

    @cached_property
    def winner(self) -> Fragility | None:
        """The fewest topics that change who leads; None if nobody can lead."""
        return find_winner_fragility(self.matrix, takes_assessors_as_given=self.takes_assessors_as_given)

    @cached_property
    def verdicts(self) -> tuple[Fragility, ...]:
        """The fewest topics that change the verdict on each pair."""
        return tuple(find_verdict_fragility(self.matrix, self.pairs, self.refit))

    @property
    def is_quick(self) -> bool:
        """Whether verdicts are found without many fits of models: paired t tests of single topics, of a few pairs."""
        return len(self.pairs) <= FEW_PAIRS and all(has_plain_test(pair) for pair in self.pairs)

    @property
    def rows(self) -> tuple[Fragility, ...]:
        """Who leads, then the verdict on each pair."""
        return (*filter(None, [self.winner]), *self.verdicts)


def has_plain_test(pair: Pair) -> bool:
    """Whether the verdict on a pair is that of a paired t test of single topics, without a margin."""
    return pair.method == "t" and pair.assessors == "fixed" and pair.margin is None and not pair.cluster


def find_winner_fragility(matrix: ScoreMatrix, *, takes_assessors_as_given: bool = False) -> Fragility | None:
    """The fewest topics whose removal puts another system ahead of the leader.

    Args:
        matrix: summarizers × topics; each summarizer has a score.
        takes_assessors_as_given: whether assessors are a random sample elsewhere.

    Returns:
        None if nobody can lead: a single system, a measure that only describes, or systems that share no topics.
    """
    if len(matrix.summarizers) < 2 or matrix.is_descriptive:
        return None
    change = find_leader_change(matrix.values if matrix.higher_is_better else -matrix.values)
    if not change.leaders:
        return None
    leaders = tuple(matrix.summarizers[row] for row in change.leaders)
    new_leaders = tuple(matrix.summarizers[row] for row in change.new_leaders)
    topics = int((~np.isnan(matrix.values)).any(axis=0).sum())
    leader = leaders[0]
    if change.removed is None:
        new_leader, removed = None, None
    else:
        new_leader = leaders[1] if not change.removed else new_leaders[0]
        removed = tuple(matrix.topics[column] for column in change.removed)
    return Fragility(
        measure=matrix.measure,
        kind="winner",
        a=leader,
        b=new_leader,
        before=leader,
        after=new_leader,
        topics=removed or (),
        n=None if removed is None else len(removed),
        of=topics,
        exact=change.is_exact,
        leaders=leaders,
        new_leaders=new_leaders,
        takes_assessors_as_given=takes_assessors_as_given,
    )


def find_verdict_fragility(matrix: ScoreMatrix, pairs: Sequence[Pair], refit: Refit) -> list[Fragility]:
    """For each pair the fewest topics that change its verdict, found by greedy removal and compared again each time.

    Args:
        matrix: the scores.
        pairs: the pairs of this measure.
        refit: compares them without some topics.
    """
    # Half of a single topic is none: there is nothing to remove.
    return [_verdict_fragility(matrix, place, pairs, refit) for place, pair in enumerate(pairs) if pair.n > 1]


def _verdict_fragility(matrix: ScoreMatrix, place: int, pairs: Sequence[Pair], refit: Refit) -> Fragility:
    pair = pairs[place]
    first, second = (matrix.summarizers.index(name) for name in (pair.a, pair.b))
    differences = matrix.values[first] - matrix.values[second]
    if not matrix.higher_is_better:
        differences = -differences
    shared = np.flatnonzero(~np.isnan(differences))
    # An undecided pair may become decided either way; a decided one is weakened from its own side only.
    signs: tuple[int, ...] = (1, -1)
    if pair.is_decided:
        signs = (1,) if (pair.difference or 0) > 0 else (-1,)
    most = int(MOST_REMOVED * len(shared))
    fewest: tuple[str, ...] | None = None
    after: str | None = None
    for sign in signs:
        for order in removal_orders(differences[shared], sign=sign):
            # Only a smaller set than the best so far is of interest.
            allowed = order[: most if fewest is None else len(fewest) - 1]
            may_change = np.ones(len(allowed), dtype=np.bool_)
            # A quick bound first: to fit the pair again for every number of topics would take minutes.
            if has_plain_test(pair) and pair.correction in ("holm", "bonferroni", "none"):
                tests = 1 if pair.correction == "none" else pair.family
                may_change = may_have_changed(
                    differences[shared], allowed, level=pair.level, tests=tests, decided=pair.is_decided
                )
            for size in np.flatnonzero(may_change) + 1:
                removed = tuple(matrix.topics[column] for column in shared[allowed[:size]])
                verdict = refit(frozenset(removed))[place].verdict
                if verdict != pair.verdict:
                    fewest, after = removed, verdict
                    break
    return Fragility(
        measure=matrix.measure,
        kind="verdict",
        a=pair.a,
        b=pair.b,
        before=pair.verdict,
        after=after,
        topics=tuple(sorted(fewest or ())),
        n=None if fewest is None else len(fewest),
        of=pair.n,
        # One topic is the least that can be removed.
        exact=fewest is not None and len(fewest) == 1,
    )

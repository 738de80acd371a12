"""Means of items that belong together: topics of one document or conversation, which are not independent of each other.

The unit is the cluster. Its sum D_c = Σ d_t and its size n_c say all: the estimate is Σ D_c/Σ n_c, its standard error
is CR2 (Bell and McCaffrey, Survey Methodology 28, 2002), and t has Satterthwaite's degrees of freedom (Pustejovsky and
Tipton, J. Bus. Econ. Stat. 36, 2018), both for the mean alone and with items as independent working model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.values import SLACK, quotients


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusterSums:
    """Rows × clusters: what the items of each cluster add up to, and how many there are; one row a pair or a system."""

    sums: Floats
    """0 where a cluster has no item."""
    sizes: Floats
    largest: Floats
    """Of each row, the largest size of an item's value."""

    @classmethod
    def of(cls, values: Floats, clusters: Integers) -> ClusterSums:
        """The sums of values (rows × items, NaN where there is none) over clusters, numbered from 0."""
        present = ~np.isnan(values)
        cells = np.where(present, values, 0.0)
        count = int(clusters.max(initial=-1)) + 1
        order = np.argsort(clusters, kind="stable")
        sums, sizes = np.zeros((2, len(values), count))
        if order.size:
            numbers, starts = np.unique(clusters[order], return_index=True)
            sums[:, numbers] = np.add.reduceat(cells[:, order], starts, axis=1)
            sizes[:, numbers] = np.add.reduceat(present[:, order].astype(np.float64), starts, axis=1)
        return cls(sums=sums, sizes=sizes, largest=np.abs(cells).max(axis=1, initial=0.0))

    @property
    def counts(self) -> Integers:
        """Of each row, the clusters that have an item."""
        counts: Integers = (self.sizes > 0).sum(axis=1)
        return counts

    @property
    def means(self) -> Floats:
        """The mean over all items of each row; NaN without any."""
        return quotients(self.sums.sum(axis=1), self.sizes.sum(axis=1))

    def errors(self) -> tuple[Floats, Floats]:
        """The standard error of each row's mean and its degrees of freedom; NaN where clusters do not vary, or for one.

        With w_c = n_c/N and e_c = D_c − n_c·mean, SE² = Σ e_c²/(1 − w_c)/N² (CR2 of a mean), and
        1/df = Σ w_c² + Σ_{b≠c} w_b²w_c²/((1 − w_b)(1 − w_c)), which is 1/(C − 1) for C clusters of equal size. Clusters
        of one item each give the t test of the mean.
        """
        totals = self.sizes.sum(axis=1, keepdims=True)
        shares = quotients(self.sizes, totals)
        means = np.nan_to_num(self.means)
        residuals = self.sums - self.sizes * means[:, None]
        left = np.where(shares < 1, 1 - shares, 1.0)
        squares = (residuals**2 / left).sum(axis=1)
        errors = np.sqrt(squares) / np.maximum(totals[:, 0], 1)
        weights = shares**2 / left
        inverse = (shares**2).sum(axis=1) + weights.sum(axis=1) ** 2 - (weights**2).sum(axis=1)
        freedom = quotients(np.ones(len(inverse)), inverse)
        varies = (self.counts > 1) & (errors > SLACK * np.maximum(self.largest, np.finfo(np.float64).tiny))
        return np.where(varies, errors, np.nan), np.where(varies, freedom, np.nan)


def design_effects(errors: Floats, spreads: Floats, counts: Integers | Floats) -> Floats:
    """How many times the variance of a mean is larger than if its items were independent: SE²·n/s²; NaN if undefined.

    >>> design_effects(np.array([0.2]), np.array([1.0]), np.array([50])).round(6).tolist()
    [2.0]
    """
    return quotients(errors**2 * counts, spreads**2)

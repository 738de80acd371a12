"""What to expect of a correlation between system means and true qualities, in closed form.

With value = mean + system + topic + interaction + noise, all normal and independent, and b topics shared by all
systems, topic difficulty moves every system mean alike, so that only interaction and noise blur the comparison.
System means and true qualities are then independent pairs from one bivariate normal distribution whose
correlation is the square root of the reliability: everything below follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class ExpectedCorrelations:
    """Expectations over samples of n systems; NaN where undefined."""

    pearson: float
    spearman: float
    kendall: float
    kendall_sd: float
    """Standard deviation of Kendall's coefficient from one sample of n systems to the next."""


def expected_correlations(correlation: float, summarizers: int) -> ExpectedCorrelations:
    """Expected coefficients of n pairs from a bivariate normal distribution with correlation r; all are exact.

    - Pearson: 2/(n − 1) · (Γ(n/2)/Γ((n − 1)/2))² · r · F(½, ½; (n + 1)/2; r²) (Hotelling 1953);
    - Spearman: 6/(π(n + 1)) · (asin r + (n − 2)·asin(r/2)) (Moran 1948);
    - Kendall: 2/π · asin r, with variance 2/(n(n − 1)) · (1 − (2/π · asin r)² + 2(n − 2)·(1/9 − (2/π · asin(r/2))²))
      (Esscher 1924).
    """
    from scipy.special import gammaln

    n, r = summarizers, correlation
    if n < 2 or math.isnan(r):
        return ExpectedCorrelations(pearson=math.nan, spearman=math.nan, kendall=math.nan, kendall_sd=math.nan)
    kendall = 2 / math.pi * math.asin(r)
    spearman = 6 / (math.pi * (n + 1)) * (math.asin(r) + (n - 2) * math.asin(r / 2))
    if n == 2 or abs(r) == 1:
        # Two points lie on a line: all coefficients are the sign of one pair.
        pearson = kendall
    else:
        ratio = math.exp(2 * (gammaln(n / 2) - gammaln((n - 1) / 2)))
        pearson = 2 / (n - 1) * ratio * r * _hypergeometric((n + 1) / 2, r * r)
    pairs = 1 - kendall**2 + 2 * (n - 2) * (1 / 9 - (2 / math.pi * math.asin(r / 2)) ** 2)
    sd = math.sqrt(max(0.0, 2 / (n * (n - 1)) * pairs))
    return ExpectedCorrelations(pearson=pearson, spearman=spearman, kendall=kendall, kendall_sd=sd)


def _hypergeometric(c: float, x: float) -> float:
    """F(½, ½; c; x). SciPy's overflows from about c = 100 when x is near 1; there the series converges quickly."""
    from scipy.special import hyp2f1

    if c < 50:
        return float(hyp2f1(0.5, 0.5, c, x))
    k = np.arange(100)
    return 1 + float(np.cumprod((k + 0.5) ** 2 / ((c + k) * (k + 1)) * x).sum())

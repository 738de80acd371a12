"""What a simulated evaluation must show, in closed form: reliability of system means and correlation with truth.

With value = mean + system + topic + interaction + noise, all normal and independent, and b topics shared by all
systems, topic difficulty moves every system mean alike, so that only interaction and noise blur the comparison.
System means and true qualities are then independent pairs from one bivariate normal distribution whose
correlation is the root of the reliability: everything below follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyramidion.simulate.draws import check_count


@dataclass(frozen=True, kw_only=True)
class VarianceComponents:
    """Standard deviations of what a score is the sum of."""

    system_sd: float
    topic_sd: float
    interaction_sd: float
    noise_sd: float

    @property
    def residual_variance(self) -> float:
        """Interaction and noise together: one observation a cell can't tell them apart."""
        return self.interaction_sd**2 + self.noise_sd**2

    def reliability(self, topics: int) -> float:
        """The generalizability coefficient of system means over b topics (Brennan, Generalizability Theory, 2001).

        Eρ² = σ²_system / (σ²_system + (σ²_interaction + σ²_noise)/b); NaN when nothing varies.
        """
        return _share(self.system_sd**2, self.residual_variance / topics)

    def dependability(self, topics: int) -> float:
        """The index Φ, where topic difficulty is an error, too (Brennan, Generalizability Theory, 2001).

        Φ = σ²_system / (σ²_system + (σ²_topic + σ²_interaction + σ²_noise)/b).
        """
        return _share(self.system_sd**2, (self.topic_sd**2 + self.residual_variance) / topics)

    def correlation_with_truth(self, topics: int, *, correlation: float = 1.0) -> float:
        """Correlation of system means over b topics with true quality, in a population of systems: ρ·√Eρ².

        Args:
            topics: b.
            correlation: ρ of the measure without noise with the truth.
        """
        if self.system_sd == 0:
            return math.nan
        return correlation * math.sqrt(self.reliability(topics))

    def topic_correlation_with_truth(self, *, correlation: float = 1.0) -> float:
        """The same inside a topic, with the true value of each summary: ρ·√(σ²_s + σ²_st)/√(σ²_s + σ²_st + σ²_e)."""
        true = self.system_sd**2 + self.interaction_sd**2
        return correlation * math.sqrt(_share(true, self.noise_sd**2)) if true else math.nan

    def topics_for(self, reliability: float) -> int | None:
        """The least number of topics whose means have this reliability; None if no number has."""
        if self.residual_variance == 0:
            return 1 if self.system_sd else None
        if not 0 < reliability < 1 or self.system_sd == 0:
            return None
        needed = max(1, math.floor(reliability / (1 - reliability) * self.residual_variance / self.system_sd**2))
        return needed if self.reliability(needed) >= reliability else needed + 1


@dataclass(frozen=True, kw_only=True)
class ExpectedCorrelations:
    """Expectations over samples of n systems; NaN where undefined."""

    pearson: float
    spearman: float
    kendall: float
    kendall_sd: float
    """Standard deviation of Kendall's coefficient from one sample of n systems to the next."""


def expected_correlations(correlation: float, summarizers: int) -> ExpectedCorrelations:
    """Expected coefficients of n pairs from a bivariate normal distribution of correlation r; all are exact.

    - Pearson: 2/(n − 1) · (Γ(n/2)/Γ((n − 1)/2))² · r · F(½, ½; (n + 1)/2; r²) (Hotelling 1953);
    - Spearman: 6/(π(n + 1)) · (asin r + (n − 2)·asin(r/2)) (Moran 1948);
    - Kendall: 2/π · asin r, with variance 2/(n(n − 1)) · (1 − (2/π · asin r)² + 2(n − 2)·(1/9 − (2/π · asin(r/2))²))
      (Esscher 1924).
    """
    from scipy.special import gammaln, hyp2f1

    n, r = summarizers, correlation
    check_count("summarizers", n, least=1)
    if n < 2 or math.isnan(r):
        return ExpectedCorrelations(pearson=math.nan, spearman=math.nan, kendall=math.nan, kendall_sd=math.nan)
    kendall = 2 / math.pi * math.asin(r)
    spearman = 6 / (math.pi * (n + 1)) * (math.asin(r) + (n - 2) * math.asin(r / 2))
    if n == 2 or abs(r) == 1:
        # Two points lie on a line: all coefficients are the sign of one pair.
        pearson = kendall
    else:
        ratio = math.exp(2 * (gammaln(n / 2) - gammaln((n - 1) / 2)))
        pearson = 2 / (n - 1) * ratio * r * float(hyp2f1(0.5, 0.5, (n + 1) / 2, r * r))
    pairs = 1 - kendall**2 + 2 * (n - 2) * (1 / 9 - (2 / math.pi * math.asin(r / 2)) ** 2)
    sd = math.sqrt(max(0.0, 2 / (n * (n - 1)) * pairs))
    return ExpectedCorrelations(pearson=pearson, spearman=spearman, kendall=kendall, kendall_sd=sd)


def _share(wanted: float, other: float) -> float:
    return wanted / (wanted + other) if wanted + other else math.nan

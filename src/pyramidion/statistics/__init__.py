"""Statistics: arrays in, arrays out. Nothing here knows campaigns, measures or tables."""

from pyramidion.statistics.intervals import (
    bootstrap_intervals,
    check_resampling,
    percentile_limits,
    resampled_sums,
    t_intervals,
)
from pyramidion.statistics.rouge155 import Interval, rouge155_interval, rouge155_sums
from pyramidion.statistics.variance import TwoWayFit, fit_two_way

__all__ = [
    "Interval",
    "TwoWayFit",
    "bootstrap_intervals",
    "check_resampling",
    "fit_two_way",
    "percentile_limits",
    "resampled_sums",
    "rouge155_interval",
    "rouge155_sums",
    "t_intervals",
]

"""Statistics: arrays in, arrays out. Nothing here knows campaigns, measures or tables.

The names here are those that a user of the library needs; every module has more.
"""

from pyramidion.statistics.agreement import Alpha, krippendorff_alpha, mean_pair_agreement
from pyramidion.statistics.correlation.accuracy import PairwiseAccuracy, calibrated_accuracy, soft_accuracy
from pyramidion.statistics.correlation.coefficients import Coefficient
from pyramidion.statistics.correlation.intervals import bootstrap_correlations, fisher_interval
from pyramidion.statistics.correlation.levels import Level, LevelCorrelation, correlate_levels
from pyramidion.statistics.correlation.tests import PermutationTest, WilliamsTest, permutation_test, williams_test
from pyramidion.statistics.friedman import FriedmanTest, friedman_test
from pyramidion.statistics.intervals import bootstrap_intervals, own_intervals, t_intervals
from pyramidion.statistics.letters import assign_letters
from pyramidion.statistics.multiple import Correction, adjusted
from pyramidion.statistics.pairs import PairedTests, paired_differences, paired_tests
from pyramidion.statistics.power import detectable_difference, paired_power, topics_needed
from pyramidion.statistics.regression import LinearFit, fit_linear
from pyramidion.statistics.set_alpha import SetAlpha, set_alpha, set_distances
from pyramidion.statistics.tukey import TukeyTest, tukey_test
from pyramidion.statistics.variance import TwoWayAnova, two_way_anova

__all__ = [
    "Alpha",
    "Coefficient",
    "Correction",
    "FriedmanTest",
    "Level",
    "LevelCorrelation",
    "LinearFit",
    "PairedTests",
    "PairwiseAccuracy",
    "PermutationTest",
    "SetAlpha",
    "TukeyTest",
    "TwoWayAnova",
    "WilliamsTest",
    "adjusted",
    "assign_letters",
    "bootstrap_correlations",
    "bootstrap_intervals",
    "calibrated_accuracy",
    "correlate_levels",
    "detectable_difference",
    "fisher_interval",
    "fit_linear",
    "friedman_test",
    "krippendorff_alpha",
    "mean_pair_agreement",
    "own_intervals",
    "paired_differences",
    "paired_power",
    "paired_tests",
    "permutation_test",
    "set_alpha",
    "set_distances",
    "soft_accuracy",
    "t_intervals",
    "topics_needed",
    "tukey_test",
    "two_way_anova",
    "williams_test",
]

"""Statistics: arrays in, arrays out. Nothing here knows campaigns, measures or tables."""

from pyramidion.statistics.agreement import (
    ALPHA_METRICS,
    Alpha,
    AlphaMetric,
    PairAgreement,
    alpha_with_interval,
    alphas_with_intervals,
    confusion_matrix,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
)
from pyramidion.statistics.auc import (
    Auc,
    area_under_curve,
    consistent_topics,
    mean_of_defined,
    robustness,
    scaled_ranks,
)
from pyramidion.statistics.correlation import (
    COEFFICIENTS,
    LEVELS,
    Coefficient,
    Level,
    LevelCorrelation,
    TopicCorrelations,
    correlate_levels,
    row_correlations,
    system_means,
    topic_correlations,
)
from pyramidion.statistics.correlation_intervals import (
    SIDES,
    Sides,
    bootstrap_correlations,
    fisher_interval,
    percentile_interval,
)
from pyramidion.statistics.correlation_tests import PermutationTest, WilliamsTest, permutation_test, williams_test
from pyramidion.statistics.friedman import FriedmanTest, friedman_test
from pyramidion.statistics.growth import attenuation, correlation_by_components, resampled_correlations
from pyramidion.statistics.heterogeneity import (
    Heterogeneity,
    corroboration,
    estimate_heterogeneity,
    heterogeneity_ranking,
)
from pyramidion.statistics.intervals import (
    bootstrap_intervals,
    check_resampling,
    own_intervals,
    percentile_limits,
    resampled_sums,
    t_intervals,
)
from pyramidion.statistics.leave_two_out import LeaveTwoOut, predict_leaving_two_out
from pyramidion.statistics.letters import assign_letters, letter_groups, letter_name
from pyramidion.statistics.multiple import Correction, adjusted
from pyramidion.statistics.one_way import OneWay, one_way, significance_marks
from pyramidion.statistics.pairs import PairedTests, paired_differences, paired_tests, sign_flip_p
from pyramidion.statistics.pairwise_accuracy import (
    PairwiseAccuracy,
    calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)
from pyramidion.statistics.power import detectable_difference, paired_power, topics_needed, variance_limits
from pyramidion.statistics.regression import LinearFit, fit_linear
from pyramidion.statistics.resampling import RESAMPLED, Resampled, ResamplingProgress
from pyramidion.statistics.rouge155 import Interval, rouge155_interval, rouge155_sums
from pyramidion.statistics.set_alpha import (
    SET_DISTANCES,
    SetAlpha,
    SetOverlaps,
    distinct_sets,
    set_alpha,
    set_distances,
)
from pyramidion.statistics.ties import settled
from pyramidion.statistics.tukey import TukeyTest, studentized_range, tukey_test
from pyramidion.statistics.variance import AnovaRow, TwoWayAnova, TwoWayFit, fit_two_way, two_way_anova

__all__ = [
    "ALPHA_METRICS",
    "COEFFICIENTS",
    "LEVELS",
    "RESAMPLED",
    "SET_DISTANCES",
    "SIDES",
    "Alpha",
    "AlphaMetric",
    "AnovaRow",
    "Auc",
    "Coefficient",
    "Correction",
    "FriedmanTest",
    "Heterogeneity",
    "Interval",
    "LeaveTwoOut",
    "Level",
    "LevelCorrelation",
    "LinearFit",
    "OneWay",
    "PairAgreement",
    "PairedTests",
    "PairwiseAccuracy",
    "PermutationTest",
    "Resampled",
    "ResamplingProgress",
    "SetAlpha",
    "SetOverlaps",
    "Sides",
    "TopicCorrelations",
    "TukeyTest",
    "TwoWayAnova",
    "TwoWayFit",
    "WilliamsTest",
    "adjusted",
    "alpha_with_interval",
    "alphas_with_intervals",
    "area_under_curve",
    "assign_letters",
    "attenuation",
    "bootstrap_correlations",
    "bootstrap_intervals",
    "calibrated_accuracy",
    "check_resampling",
    "confusion_matrix",
    "consistent_topics",
    "correlate_levels",
    "correlation_by_components",
    "corroboration",
    "detectable_difference",
    "distinct_sets",
    "estimate_heterogeneity",
    "fisher_interval",
    "fit_linear",
    "fit_two_way",
    "friedman_test",
    "heterogeneity_ranking",
    "krippendorff_alpha",
    "letter_groups",
    "letter_name",
    "mean_of_defined",
    "mean_pair_agreement",
    "one_way",
    "own_intervals",
    "pair_agreement",
    "paired_differences",
    "paired_power",
    "paired_tests",
    "percentile_interval",
    "percentile_limits",
    "permutation_test",
    "predict_leaving_two_out",
    "resampled_sums",
    "robustness",
    "rouge155_interval",
    "rouge155_sums",
    "row_correlations",
    "scaled_ranks",
    "set_alpha",
    "set_distances",
    "settled",
    "sign_flip_p",
    "significance_marks",
    "soft_accuracy",
    "studentized_range",
    "system_accuracy",
    "system_means",
    "t_intervals",
    "topic_accuracy",
    "topic_correlations",
    "topics_needed",
    "tukey_test",
    "two_way_anova",
    "variance_limits",
    "resampled_correlations",
    "williams_test",
]

from pyramidion.statistics.agreement import (
    krippendorff_alpha as krippendorff_alpha,
    mean_pair_agreement as mean_pair_agreement,
)
from pyramidion.statistics.correlation.accuracy import (
    calibrated_accuracy as calibrated_accuracy,
    soft_accuracy as soft_accuracy,
)
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations as bootstrap_correlations,
    fisher_interval as fisher_interval,
)
from pyramidion.statistics.correlation.levels import correlate_levels as correlate_levels
from pyramidion.statistics.correlation.tests import permutation_test as permutation_test, williams_test as williams_test
from pyramidion.statistics.friedman import friedman_test as friedman_test
from pyramidion.statistics.intervals import (
    bootstrap_intervals as bootstrap_intervals,
    own_intervals as own_intervals,
    t_intervals as t_intervals,
)
from pyramidion.statistics.letters import assign_letters as assign_letters
from pyramidion.statistics.multiple import adjusted as adjusted
from pyramidion.statistics.pairs import paired_differences as paired_differences, paired_tests as paired_tests
from pyramidion.statistics.power import (
    detectable_difference as detectable_difference,
    paired_power as paired_power,
    topics_needed as topics_needed,
)
from pyramidion.statistics.regression import fit_linear as fit_linear
from pyramidion.statistics.sets import set_alpha as set_alpha, set_distances as set_distances
from pyramidion.statistics.letters import tukey_test as tukey_test
from pyramidion.statistics.variance import two_way_anova as two_way_anova

"""Studies: what score tables say about summarizers, about measures, and about the evaluation itself."""

from pyramidion.studies.averages import Average, Counts, average, summed_counts
from pyramidion.studies.comparison import Comparison, Standing, compare

__all__ = ["Average", "Comparison", "Counts", "Standing", "average", "compare", "summed_counts"]

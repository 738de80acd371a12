"""How diverse measures are, what their heterogeneity says of quality, and how far HBR can be trusted."""

from pyramidion.studies.heterogeneity.estimates import study_heterogeneity
from pyramidion.studies.heterogeneity.study import HeterogeneityStudy, MeasureAuc

__all__ = ["HeterogeneityStudy", "MeasureAuc", "study_heterogeneity"]

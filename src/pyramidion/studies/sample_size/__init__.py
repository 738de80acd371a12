"""How many references and topics an evaluation needs: how correlations grow with their number."""

from pyramidion.options import ITSELF
from pyramidion.studies.sample_size.models import study_models
from pyramidion.studies.sample_size.rows import Gain, GrowthTest, Point
from pyramidion.studies.sample_size.study import GrowthStudy
from pyramidion.studies.sample_size.topics import study_topics

__all__ = ["ITSELF", "Gain", "GrowthStudy", "GrowthTest", "Point", "study_models", "study_topics"]

"""How many references and topics an evaluation needs: how correlations grow with their number."""

from pyramidion.options import ITSELF
from pyramidion.studies.sample_size.models import study_models
from pyramidion.studies.sample_size.study import CurvePoint, CurveTest, Gain, SampleSizeStudy
from pyramidion.studies.sample_size.topics import study_topics

__all__ = ["ITSELF", "CurvePoint", "CurveTest", "Gain", "SampleSizeStudy", "study_models", "study_topics"]

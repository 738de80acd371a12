"""How well summaries can be judged by comparing them with their source documents."""

from pyramidion.studies.model_free.plan import plan_model_free
from pyramidion.studies.model_free.study import FeatureCorrelation, FeatureMicro, ModelFreeStudy, study_model_free

__all__ = ["FeatureCorrelation", "FeatureMicro", "ModelFreeStudy", "plan_model_free", "study_model_free"]

from pyramidion.measures.base import (
    Measure as Measure,
    MeasureWarning as MeasureWarning,
    Need as Need,
    identity as identity,
    option as option,
)
from pyramidion.measures.basic_elements import BasicElements as BasicElements
from pyramidion.measures.derived import (
    Derivation as Derivation,
    Derived as Derived,
    column_option as column_option,
    positional as positional,
)
from pyramidion.measures.deriving import with_derived as with_derived
from pyramidion.measures.extractive import Extractive as Extractive, NgramShare as NgramShare
from pyramidion.measures.function import from_function as from_function
from pyramidion.measures.hbr import Hbr as Hbr
from pyramidion.measures.imported import Imported as Imported
from pyramidion.measures.judged import Judged as Judged
from pyramidion.measures.model_free import ModelFree as ModelFree
from pyramidion.measures.overlap import OverlapMeasure as OverlapMeasure
from pyramidion.measures.pyramid import PyramidMeasure as PyramidMeasure
from pyramidion.measures.registry import (
    DEFAULT_MEASURES as DEFAULT_MEASURES,
    Selection as Selection,
    select as select,
    select_all as select_all,
)
from pyramidion.measures.regression import Regression as Regression
from pyramidion.measures.rouge import Rouge as Rouge
from pyramidion.measures.scaled_rank import ScaledRank as ScaledRank
from pyramidion.measures.see_coverage import SeeCoverage as SeeCoverage
from pyramidion.measures.topic_words import topic_signatures as topic_signatures

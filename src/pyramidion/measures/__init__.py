"""Measures: what gives a summary a number. One file per family; names parse back to measures."""

from pyramidion.measures.base import Measure, MeasureWarning, Need, identity, option
from pyramidion.measures.basic_elements import BasicElements
from pyramidion.measures.derived import Derivation, Derived, column_option, positional
from pyramidion.measures.deriving import with_derived
from pyramidion.measures.extractive import Extractive, NgramShare
from pyramidion.measures.function import from_function
from pyramidion.measures.hbr import Hbr
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import Judged
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.overlap import OverlapMeasure
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.registry import DEFAULT_MEASURES, Selection, select, select_all
from pyramidion.measures.regression import Regression
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.scaled_rank import ScaledRank
from pyramidion.measures.see_coverage import SeeCoverage
from pyramidion.measures.topic_signatures import TopicWord, topic_signatures

__all__ = [
    "DEFAULT_MEASURES",
    "BasicElements",
    "Derivation",
    "Derived",
    "Extractive",
    "Hbr",
    "Imported",
    "Judged",
    "Measure",
    "MeasureWarning",
    "ModelFree",
    "Need",
    "NgramShare",
    "OverlapMeasure",
    "PyramidMeasure",
    "Regression",
    "Rouge",
    "ScaledRank",
    "SeeCoverage",
    "Selection",
    "TopicWord",
    "column_option",
    "from_function",
    "identity",
    "option",
    "positional",
    "select",
    "select_all",
    "topic_signatures",
    "with_derived",
]

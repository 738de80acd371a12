"""Measures: what gives a summary a number. One file a family; names parse back to measures."""

from pyramidion.measures.base import Measure, MeasureWarning, Need, Rows, identity, option
from pyramidion.measures.function import from_function
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import Judged
from pyramidion.measures.names import MeasureName, parse
from pyramidion.measures.overlap import OverlapMeasure
from pyramidion.measures.registry import DEFAULT_MEASURES, Selection, families, select, select_all
from pyramidion.measures.rouge import Rouge

__all__ = [
    "DEFAULT_MEASURES",
    "Imported",
    "Judged",
    "Measure",
    "MeasureName",
    "MeasureWarning",
    "Need",
    "OverlapMeasure",
    "Rouge",
    "Rows",
    "Selection",
    "families",
    "from_function",
    "identity",
    "option",
    "parse",
    "select",
    "select_all",
]

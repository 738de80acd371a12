"""Measures: what gives a summary a number. One file a family; names parse back to measures."""

from pyramidion.measures.base import ONE_VALUE, Measure, MeasureWarning, Need, Rows, identity, option
from pyramidion.measures.derived import Derivation, Derived, column, positional, resting_on, with_derived
from pyramidion.measures.function import from_function
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import Judged
from pyramidion.measures.names import MeasureName, parse
from pyramidion.measures.overlap import OverlapMeasure
from pyramidion.measures.registry import DEFAULT_MEASURES, Selection, families, select, select_all
from pyramidion.measures.rouge import Rouge

__all__ = [
    "DEFAULT_MEASURES",
    "ONE_VALUE",
    "Derivation",
    "Derived",
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
    "column",
    "families",
    "from_function",
    "identity",
    "option",
    "parse",
    "positional",
    "resting_on",
    "select",
    "select_all",
    "with_derived",
]

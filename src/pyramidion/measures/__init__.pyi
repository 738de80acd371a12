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
from pyramidion.measures.deriving import add_derived as add_derived
from pyramidion.measures.function import from_function as from_function
from pyramidion.measures.pyramid import PyramidMeasure as PyramidMeasure
from pyramidion.measures.registry import Selection as Selection, select as select
from pyramidion.measures.rouge import Rouge as Rouge
from pyramidion.measures.topic_words import topic_signatures as topic_signatures

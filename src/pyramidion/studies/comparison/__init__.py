"""Which summarizer is better: leaderboards, the tests behind them, and pairs."""

from pyramidion.studies.comparison.comparison import Comparison, Standing, compare
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.studies.comparison.tests import Analysis, Difference

__all__ = ["Analysis", "Comparison", "Difference", "Pair", "Standing", "compare"]

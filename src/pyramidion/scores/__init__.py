"""Scores: the evidence that measures collect, the table that everything after them reads, and its files."""

from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.scores.evidence import (
    Evidence,
    FixedEvidence,
    Reduced,
    jackknifed,
    with_all_models,
    with_drawn_models,
)
from pyramidion.scores.overlap import OverlapEvidence, OverlapRule
from pyramidion.scores.reading import read_scores
from pyramidion.scores.table import Score, ScoreMatrix, ScoreTable
from pyramidion.scores.writing import write_scores

__all__ = [
    "Evidence",
    "FixedEvidence",
    "OverlapEvidence",
    "OverlapRule",
    "Reduced",
    "Score",
    "ScoreCube",
    "ScoreMatrix",
    "ScoreTable",
    "cube_of",
    "jackknifed",
    "read_scores",
    "with_all_models",
    "with_drawn_models",
    "write_scores",
]

"""Scores: the evidence that measures leave, and the table that everything after them reads."""

from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.scores.evidence import (
    Evidence,
    FixedEvidence,
    Reduced,
    jackknifed,
    with_all_models,
    with_drawn_models,
)
from pyramidion.scores.files import read_scores, write_scores
from pyramidion.scores.overlap import OverlapEvidence, OverlapRule, round5
from pyramidion.scores.table import Mean, ScoreMatrix, ScoreTable

__all__ = [
    "Evidence",
    "FixedEvidence",
    "Mean",
    "OverlapEvidence",
    "OverlapRule",
    "Reduced",
    "ScoreCube",
    "ScoreMatrix",
    "ScoreTable",
    "cube_of",
    "jackknifed",
    "read_scores",
    "round5",
    "with_all_models",
    "with_drawn_models",
    "write_scores",
]

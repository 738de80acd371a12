"""Scores: the evidence that measures collect, the table that everything after them reads, and its files."""

from pyramidion.scores.evidence import Evidence, FixedEvidence
from pyramidion.scores.reading import read_scores
from pyramidion.scores.table import Score, ScoreMatrix, ScoreTable
from pyramidion.scores.writing import write_scores

__all__ = ["Evidence", "FixedEvidence", "Score", "ScoreMatrix", "ScoreTable", "read_scores", "write_scores"]

from pyramidion.scores.evidence import Evidence as Evidence, FixedEvidence as FixedEvidence
from pyramidion.scores.reading import read_scores as read_scores
from pyramidion.scores.table import Score as Score, ScoreMatrix as ScoreMatrix, ScoreTable as ScoreTable
from pyramidion.scores.writing import write_scores as write_scores

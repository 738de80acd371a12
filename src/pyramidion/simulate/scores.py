"""Score tables with known truth, of any size: in memory, or streamed to a file block by block.

The model, for system s, topic t and a measure whose correlation with the truth is ρ::

    truth     θ_st = mean + q_s + d_t + g_st
    measure   y_st = mean + (ρ·q_s + √(1 − ρ²)·q*_s) + (ρ·d_t + √(1 − ρ²)·d*_t) + (ρ·g_st + √(1 − ρ²)·g*_st) + e_st
    answer    clip(⌊3 + (θ_st − mean)/sd(θ) + severity + noise + ½⌋, 1, 5)

q ~ N(0, system_sd), d ~ N(0, topic_sd), g ~ N(0, interaction_sd), e ~ N(0, noise_sd); starred terms are the
measure's own, of the same variances, so that ρ changes what a measure looks at, not how much it varies. Without
noise a measure correlates with the truth by ρ at every level: over systems, within a topic and over all cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, mention
from pyramidion.files import written_together
from pyramidion.files.opening import resolve_links
from pyramidion.scores import ScoreTable
from pyramidion.scores.writing import check_ending, write_text
from pyramidion.simulate.design import JUDGMENT, ScoreDesign, column_of
from pyramidion.simulate.draws import Stream, answers, generator
from pyramidion.simulate.score_frames import Block, block_topics, counted, score_frames, score_table, write_score_frames
from pyramidion.simulate.truth import Truth, truth_path

if TYPE_CHECKING:
    from pyramidion.engines.local import Progress


@dataclass(frozen=True, kw_only=True)
class SimulatedScores:
    """A table and the truth behind it."""

    table: ScoreTable
    truth: Truth


def simulate_scores(design: ScoreDesign) -> SimulatedScores:
    """The whole table in memory; the same rows that `write_simulated_scores` streams."""
    systems = _Systems.of(design)
    frames = score_frames(design, _blocks(design, systems), design.signatures())
    return SimulatedScores(table=score_table(frames, design.higher_is_better()), truth=systems.truth(design))


def write_simulated_scores(
    design: ScoreDesign, path: Path, *, truth: Path | None = None, progress: Progress | None = None
) -> Truth:
    """Stream the table to a file (.parquet, .csv, .jsonl) and write the truth next to it as CSV.

    Args:
        design: what to simulate.
        path: the table; `pyramidion.scores.read_scores` reads it back.
        truth: where the truth goes; by default `NAME.truth.csv` next to the table.
        progress: called with the number of rows just written.

    Raises:
        UsageError: if the truth would overwrite the table.
    """
    check_ending(path)
    truth = truth or truth_path(path)
    if resolve_links(truth) == resolve_links(path):
        raise UsageError(f"{mention('truth', truth)}: is the output itself; choose another file for the ground truth")
    systems, signatures = _Systems.of(design), design.signatures()
    frames = score_frames(design, _blocks(design, systems), signatures)
    frames = counted(frames, lambda frame: frame.height, progress)
    answer = systems.truth(design)
    with written_together():
        if path.suffix == ".parquet":
            write_score_frames(frames, path, signatures, design.higher_is_better())
        else:
            write_text(frames, path)
        answer.write(truth)
    return answer


@dataclass(frozen=True)
class _Systems:
    """True quality of the systems, and what each measure would give them on infinitely many topics."""

    quality: Floats
    scores: tuple[Floats, ...]

    @classmethod
    def of(cls, design: ScoreDesign) -> _Systems:
        quality = design.system_sd * generator(design.seed, Stream.SYSTEMS).standard_normal(design.summarizers)
        return cls(
            quality,
            tuple(
                _seen(quality, design.system_sd, rho, generator(design.seed, Stream.SYSTEMS, place))
                for place, rho in enumerate(design.measures.values(), start=1)
            ),
        )

    def truth(self, design: ScoreDesign) -> Truth:
        columns = zip(map(column_of, design.measures), self.scores, strict=True)
        further = {column: design.mean + scores for column, scores in columns}
        return Truth.of(design.summarizer_ids, design.mean + self.quality, further)


def _seen(true: Floats, sd: float, rho: float, rng: np.random.Generator) -> Floats:
    """A true component as the measure sees it: ρ·true + √(1 − ρ²)·own."""
    own_component = rng.standard_normal(true.shape)
    return rho * true + math.sqrt(1 - rho**2) * sd * own_component


def _blocks(design: ScoreDesign, systems: _Systems) -> Iterator[Block]:
    """A block is always drawn whole, so that a table of fewer topics is the beginning of one of more topics."""
    height = block_topics(design)
    true_sd = math.sqrt(design.system_sd**2 + design.topic_sd**2 + design.interaction_sd**2)
    for block, first in enumerate(range(0, design.topics, height)):
        kept = min(height, design.topics - first)
        rng = generator(design.seed, Stream.BLOCKS, block)
        difficulty = design.topic_sd * rng.standard_normal((height, 1))
        interaction = design.interaction_sd * rng.standard_normal((height, design.summarizers))
        columns: dict[str, Floats] = {}
        for place, (name, rho) in enumerate(design.measures.items(), start=1):
            measure_rng = generator(design.seed, Stream.BLOCKS, block, place)
            columns[column_of(name)] = (
                design.mean
                + systems.scores[place - 1]
                + _seen(difficulty, design.topic_sd, rho, measure_rng)
                + _seen(interaction, design.interaction_sd, rho, measure_rng)
                + design.noise_sd * measure_rng.standard_normal(interaction.shape)
            )[:kept]
        if design.judgments:
            true = systems.quality + difficulty + interaction
            scaled = true / true_sd if true_sd else true
            judgments = answers(design, 3 + scaled, block)[:, :kept]
            columns[JUDGMENT] = judgments.mean(axis=0)
            columns |= zip(design.assessor_columns, judgments.astype(np.float64), strict=False)
        yield columns

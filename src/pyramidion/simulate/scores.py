"""Score tables with known truth, of any size: in memory, or streamed to a file block by block.

The model, for system s, topic t and a measure whose correlation with the truth is ρ::

    truth     θ_st = mean + q_s + d_t + g_st
    measure   y_st = mean + (ρ·q_s + √(1 − ρ²)·q*_s) + (ρ·d_t + √(1 − ρ²)·d*_t) + (ρ·g_st + √(1 − ρ²)·g*_st) + e_st
    answer    clip(⌊3 + (θ_st − mean)/sd(θ) + severity + noise + ½⌋, 1, 5)

q ~ N(0, system_sd), d ~ N(0, topic_sd), g ~ N(0, interaction_sd), e ~ N(0, noise_sd); starred terms are the
measure's own, of the same variances, so that ρ changes what a measure looks at, not how much it varies. Without
noise a measure correlates with the truth by ρ at every level: over systems, inside a topic and over all cells.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.files import atomic_writer
from pyramidion.files.parquet import stream_parquet
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import COLUMNS
from pyramidion.scores.writing import metadata
from pyramidion.simulate.draws import (
    LARGEST,
    Progress,
    Stream,
    check_count,
    check_number,
    check_spreads,
    generator,
    names,
    signature,
)
from pyramidion.simulate.judgments import Assessors
from pyramidion.simulate.theory import ExpectedCorrelations, VarianceComponents, expected_correlations
from pyramidion.simulate.truth import Truth, truth_path
from pyramidion.version import VERSION

BLOCK_ROWS = 1 << 16
"""Rows of one measure that are drawn at once."""

ENDINGS = (".parquet", ".csv", ".jsonl")
SCHEMA: dict[str, Any] = {name: pl.Float64 if name == "value" else pl.String for name in COLUMNS}

_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, kw_only=True)
class SimulatedMeasure:
    """A measure by its name and its correlation with the truth; below 0, low values are the good ones."""

    name: str = "score"
    correlation: float = 1.0

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"measure: found {self.name!r}; expected a name of small letters, digits and hyphens")
        check_number(f"measure {self.name}", self.correlation, least=-1.0, most=1.0)

    @property
    def column(self) -> str:
        """Its name in the score table."""
        return f"simulated-{self.name}"


@dataclass(frozen=True, kw_only=True)
class ScoreDesign:
    """How many topics and summarizers, what a score is made of, and the seed.

    The default components are of the order that ROUGE-1 recall has on news: system means differ by about half of
    what is left in a cell after system and topic.
    """

    topics: int
    summarizers: int
    seed: int = 0
    mean: float = 0.4
    system_sd: float = 0.03
    topic_sd: float = 0.08
    interaction_sd: float = 0.05
    noise_sd: float = 0.05
    measures: tuple[SimulatedMeasure, ...] = (SimulatedMeasure(),)
    assessors: Assessors | None = None

    def __post_init__(self) -> None:
        check_count("topics", self.topics, least=1)
        check_count("summarizers", self.summarizers, least=1)
        check_count("seed", self.seed, least=0)
        check_number("mean", self.mean, least=-LARGEST, most=LARGEST)
        check_spreads(
            system_sd=self.system_sd,
            topic_sd=self.topic_sd,
            interaction_sd=self.interaction_sd,
            noise_sd=self.noise_sd,
        )
        if not self.measures and self.assessors is None:
            raise UsageError("measure: found none, and no assessors; expected at least one of the two")
        columns = self.columns
        repeated = sorted({column for column in columns if columns.count(column) > 1})
        if repeated:
            raise UsageError(f"measure: found {', '.join(repeated)} twice; expected each name once")

    @property
    def components(self) -> VarianceComponents:
        """The standard deviations, with the theory that goes with them."""
        return VarianceComponents(
            system_sd=self.system_sd,
            topic_sd=self.topic_sd,
            interaction_sd=self.interaction_sd,
            noise_sd=self.noise_sd,
        )

    @property
    def columns(self) -> list[str]:
        """Names of all measures of the table: the measures, the assessors' mean, each assessor if there are several."""
        columns = [measure.column for measure in self.measures]
        if self.assessors is not None:
            columns.append("simulated-judgment")
            if self.assessors.count > 1:
                columns += names("simulated-judgment-", self.assessors.count)
        return columns

    @property
    def rows(self) -> int:
        """Number of rows of the table."""
        return len(self.columns) * self.topics * self.summarizers

    def signature(self, column: str) -> str:
        """Everything that makes the column's values again."""
        options: dict[str, object] = {
            "topics": self.topics,
            "summarizers": self.summarizers,
            "seed": self.seed,
            "mean": self.mean,
            "system_sd": self.system_sd,
            "topic_sd": self.topic_sd,
            "interaction_sd": self.interaction_sd,
        }
        correlations = {measure.column: measure.correlation for measure in self.measures}
        if column in correlations:
            # The order of the measures decides which draws are whose.
            place = [measure.column for measure in self.measures].index(column) + 1
            options |= {"noise_sd": self.noise_sd, "correlation": correlations[column], "place": place}
        elif self.assessors is not None:
            options |= {
                "assessors": self.assessors.count,
                "severity_sd": self.assessors.severity_sd,
                "judgment_noise_sd": self.assessors.noise_sd,
            }
        return signature(column, VERSION, **options)

    def expected_reliability(self) -> float:
        """The generalizability coefficient of this design's system means."""
        return self.components.reliability(self.topics)

    def expected_correlations(self, measure: SimulatedMeasure) -> ExpectedCorrelations:
        """What to expect between the measure's system means and the true qualities of this design's systems."""
        r = self.components.correlation_with_truth(self.topics, correlation=measure.correlation)
        return expected_correlations(r, self.summarizers)


@dataclass(frozen=True, kw_only=True)
class SimulatedScores:
    """A table and the truth behind it."""

    table: ScoreTable
    truth: Truth


def simulate_scores(design: ScoreDesign) -> SimulatedScores:
    """The whole table in memory; the same rows that `write_simulated_scores` streams."""
    systems = _draw_systems(design)
    frame = pl.concat(list(_frames(design, systems)))
    return SimulatedScores(
        table=ScoreTable(
            frame=frame.select([pl.col(name).cast(dtype) for name, dtype in COLUMNS.items()]),
            higher_is_better=_directions(design),
        ),
        truth=systems.truth(design),
    )


def write_simulated_scores(
    design: ScoreDesign, path: Path, *, truth: Path | None = None, progress: Progress | None = None
) -> Truth:
    """Stream the table to a file (.parquet, .csv, .jsonl) and write the truth as CSV beside it.

    Args:
        design: what to simulate.
        path: the table; `pyramidion.scores.read_scores` reads it back.
        truth: where the truth goes; by default `NAME.truth.csv` beside the table.
        progress: called with the number of rows written.
    """
    if path.suffix not in ENDINGS:
        raise UsageError(f"{path}: scores are written as {', '.join(ENDINGS)}; choose one of these endings")
    systems = _draw_systems(design)
    frames = _counted(_frames(design, systems), progress)
    if path.suffix == ".parquet":
        facts = Facts(
            signatures={column: (design.signature(column),) for column in design.columns},
            higher_is_better=_directions(design),
        )
        stream_parquet(frames, path, schema=SCHEMA, metadata=metadata(facts))
    else:
        with atomic_writer(path) as file:
            for number, frame in enumerate(frames):
                if path.suffix == ".csv":
                    frame.write_csv(file, include_header=number == 0)
                else:
                    frame.select(pl.lit("score").alias("record"), *COLUMNS).write_ndjson(file)
    answer = systems.truth(design)
    answer.write(truth or truth_path(path))
    return answer


@dataclass(frozen=True)
class _Systems:
    """True quality of the systems, and what each measure would give them on endlessly many topics."""

    quality: Floats
    scores: tuple[Floats, ...]

    def truth(self, design: ScoreDesign) -> Truth:
        return Truth.of(
            names("simulated-", design.summarizers),
            design.mean + self.quality,
            {
                measure.column: design.mean + scores
                for measure, scores in zip(design.measures, self.scores, strict=True)
            },
        )


def _draw_systems(design: ScoreDesign) -> _Systems:
    quality = design.system_sd * generator(design.seed, Stream.SYSTEMS).standard_normal(design.summarizers)
    scores = []
    for place, measure in enumerate(design.measures, start=1):
        rng = generator(design.seed, Stream.SYSTEMS, place)
        scores.append(_seen(quality, design.system_sd, measure, rng))
    return _Systems(quality, tuple(scores))


def _seen(true: Floats, sd: float, measure: SimulatedMeasure, rng: np.random.Generator) -> Floats:
    """A true component as the measure sees it: ρ·true + √(1 − ρ²)·own."""
    rho = measure.correlation
    own = rng.standard_normal(true.shape)
    return rho * true + math.sqrt(1 - rho**2) * sd * own


def _frames(design: ScoreDesign, systems: _Systems) -> Iterator[pl.DataFrame]:
    summarizers = pl.Series(names("simulated-", design.summarizers))
    for first, columns in _blocks(design, systems):
        count = len(next(iter(columns.values())))
        topics = pl.Series(names("T", design.topics, start=first, stop=first + count))
        topic_codes = np.repeat(np.arange(count, dtype=np.uint32), design.summarizers)
        summarizer_codes = np.tile(np.arange(design.summarizers, dtype=np.uint32), count)
        keys = {"topic": topics.gather(topic_codes), "summarizer": summarizers.gather(summarizer_codes)}
        for column, values in columns.items():
            yield pl.DataFrame(keys | {"value": values.reshape(-1)}).select(
                pl.lit(column).alias("measure"),
                "topic",
                "summarizer",
                "value",
                pl.lit(design.signature(column)).alias("signature"),
            )


def _blocks(design: ScoreDesign, systems: _Systems) -> Iterator[tuple[int, dict[str, Floats]]]:
    """The number of the first topic of a block, and the block's values by column, topics × summarizers.

    A block is always drawn whole, so that a table of fewer topics is the beginning of one of more topics.
    """
    height = max(1, BLOCK_ROWS // design.summarizers)
    true_sd = math.sqrt(design.system_sd**2 + design.topic_sd**2 + design.interaction_sd**2)
    severities = design.assessors.severities(design.seed) if design.assessors else np.empty(0)
    for block, first in enumerate(range(0, design.topics, height)):
        kept = min(height, design.topics - first)
        rng = generator(design.seed, Stream.BLOCKS, block)
        difficulty = design.topic_sd * rng.standard_normal((height, 1))
        interaction = design.interaction_sd * rng.standard_normal((height, design.summarizers))
        columns: dict[str, Floats] = {}
        for place, measure in enumerate(design.measures, start=1):
            own = generator(design.seed, Stream.BLOCKS, block, place)
            values = (
                design.mean
                + systems.scores[place - 1]
                + _seen(difficulty, design.topic_sd, measure, own)
                + _seen(interaction, design.interaction_sd, measure, own)
                + design.noise_sd * own.standard_normal(interaction.shape)
            )
            columns[measure.column] = values[:kept]
        if design.assessors:
            true = systems.quality + difficulty + interaction
            wanted = 3 + (true / true_sd if true_sd else true)
            answers = design.assessors.answers(wanted, severities, generator(design.seed, Stream.ANSWERS, block))
            columns["simulated-judgment"] = answers.mean(axis=0)[:kept]
            if design.assessors.count > 1:
                for name, given in zip(names("simulated-judgment-", design.assessors.count), answers, strict=True):
                    columns[name] = given.astype(np.float64)[:kept]
        yield first, columns


def _directions(design: ScoreDesign) -> dict[str, bool]:
    """Whether high is good, by column."""
    low = {measure.column for measure in design.measures if measure.correlation < 0}
    return {column: column not in low for column in design.columns}


def _counted(frames: Iterator[pl.DataFrame], progress: Progress | None) -> Iterator[pl.DataFrame]:
    done = 0
    for frame in frames:
        yield frame
        done += frame.height
        if progress is not None:
            progress(done)

"""What is simulated: sizes, spreads, assessors and the seed. Each field has the name and unit of its option."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import field, fields
from functools import cached_property
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Unpack

from pyramidion.errors import UsageError
from pyramidion.options import (
    MOST_UNITS,
    CampaignShape,
    SimulatedCampaignOptions,
    SimulatedScoresOptions,
    SimulationOptions,
)
from pyramidion.simulate.draws import names
from pyramidion.simulate.theory import ExpectedCorrelations, expected_correlations
from pyramidion.version import VERSION

if TYPE_CHECKING:
    from pyramidion.options.keywords import SimulatedCampaignKeywords

JUDGMENT = "simulated-judgment"
_OF_ASSESSORS = ("assessor_count", "severity_sd", "judgment_noise_sd")
_OF_JUDGED_CAMPAIGNS = ("assessors_per_summary", "judge_models", "language_sd", "questions", "system_assessor_sd")
_NAME = re.compile(r"[a-z][a-z0-9-]*")


class SimulationDesign(SimulationOptions):
    """What all simulated data has in common."""

    @cached_property
    def summarizer_ids(self) -> list[str]:
        """Ids of the systems."""
        return names("simulated-", self.summarizers)

    @cached_property
    def assessor_ids(self) -> list[str]:
        """Ids of the assessors; none without judgments."""
        if self.judgments:
            return names("simulated-assessor-", self.assessor_count)
        return []

    def topic_ids(self, start: int, stop: int) -> list[str]:
        """Ids of some topics; there may be too many to keep them all."""
        return names("T", self.topics, start=start, stop=stop)

    def _signature(self, name: str, *without: str, **further: object) -> str:
        """`name|option:value|…|v:version`: everything that is needed to make the values again."""
        options = {
            option_field.name: getattr(self, option_field.name)
            for option_field in fields(self)
            if option_field.name not in without
        } | further
        written = [f"{option.replace('_', '-')}:{_write_value(value)}" for option, value in sorted(options.items())]
        return "|".join([name, *written, f"v:{VERSION}"])


def _write_value(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


class ScoreDesign(SimulatedScoresOptions, SimulationDesign):
    """How many topics and summarizers, what a score is made of, and the seed.

    The default components are of the size that ROUGE-1 recall has on news: the standard deviation of system means is
    about half of that of what is left in a cell after system and topic.
    """

    measures: Mapping[str, float] = field(
        default_factory=lambda: {"score": 1.0},
        metadata={"help": "Measures and their correlations with the ground truth."},
    )
    """By name; where the correlation is negative, lower is better."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, correlation in self.measures.items():
            if not _NAME.fullmatch(name):
                raise UsageError(f"measure: found {name!r}; expected a name of lower-case letters, digits and hyphens")
            if not -1 <= correlation <= 1:
                raise UsageError(f"measure {name}: found {correlation}; expected a number from -1 to 1")
        if not self.columns:
            raise UsageError("measure: found none, and no judgments; expected at least one of the two")
        repeated = sorted({column for column in self.columns if self.columns.count(column) > 1})
        if repeated:
            raise UsageError(f"measure: found {', '.join(repeated)} twice; expected each name once")

    @property
    def columns(self) -> list[str]:
        """Names in the table: the measures, the assessors' mean, each assessor if there are several."""
        judged = [JUDGMENT, *self.assessor_columns] if self.judgments else []
        return [*map(column_of, self.measures), *judged]

    @property
    def assessor_columns(self) -> list[str]:
        """Names of the single assessors' answers; a single assessor has no column besides the mean."""
        if self.assessor_count > 1:
            return names(f"{JUDGMENT}-", self.assessor_count)
        return []

    @property
    def rows(self) -> int:
        """Number of rows of the table."""
        return len(self.columns) * self.topics * self.summarizers

    def higher_is_better(self) -> dict[str, bool]:
        """By column."""
        return dict.fromkeys(self.columns, True) | {column_of(name): r >= 0 for name, r in self.measures.items()}

    def signatures(self) -> dict[str, str]:
        """By column: everything that is needed to make its values again."""
        judged = self._signature("", "judgments", "measures", "noise_sd")
        return {column: f"{column}{judged}" for column in self.columns} | {
            # The order of the measures decides which draws are whose.
            column_of(name): self._signature(
                column_of(name), "judgments", "measures", *_OF_ASSESSORS, correlation=correlation, place=place
            )
            for place, (name, correlation) in enumerate(self.measures.items(), start=1)
        }

    def expected_reliability(self, topics: int | None = None) -> float:
        """The generalizability coefficient of system means over b topics (Brennan, Generalizability Theory, 2001).

        Eρ² = σ²_system / (σ²_system + (σ²_interaction + σ²_noise)/b); NaN when nothing varies. By default b is this
        design's number of topics.
        """
        true, error = self.system_sd**2, self._residual_variance / (topics or self.topics)
        if true + error:
            return true / (true + error)
        return math.nan

    def expected_correlations(self, measure: str) -> ExpectedCorrelations:
        """What to expect between a measure's system means and the true qualities of this design's systems.

        In a population of systems their correlation is ρ·√Eρ², ρ being the measure's correlation with the truth.
        """
        r = self.measures[measure] * math.sqrt(self.expected_reliability()) if self.system_sd else math.nan
        return expected_correlations(r, self.summarizers)

    def topics_for(self, reliability: float) -> int | None:
        """The smallest number of topics with this expected reliability; None if no number is enough."""
        if self._residual_variance == 0:
            if self.system_sd:
                return 1
            return None
        if not 0 < reliability < 1 or self.system_sd == 0:
            return None
        # Rounded down and tried: the rounding of a quotient must not ask for a topic too many.
        needed = max(1, math.floor(reliability / (1 - reliability) * self._residual_variance / self.system_sd**2))
        if self.expected_reliability(needed) >= reliability:
            return needed
        return needed + 1

    @property
    def _residual_variance(self) -> float:
        """Interaction and noise together: with one score per cell they can't be separated."""
        return self.interaction_sd**2 + self.noise_sd**2

    def sentences(self) -> list[str]:
        """What to expect of the system means."""
        expected = [f"Expected reliability of system means: {_number(self.expected_reliability())}."]
        for name in self.measures:
            correlations = self.expected_correlations(name)
            expected.append(
                f"Expected system-level correlation of {column_of(name)} with the ground truth: Pearson "
                f"{_number(correlations.pearson)}, Spearman {_number(correlations.spearman)}, Kendall "
                f"{_number(correlations.kendall)} (standard deviation {_number(correlations.kendall_sd)})."
            )
        return expected


def column_of(measure: str) -> str:
    """The name of a simulated measure in a score table."""
    return f"simulated-{measure}"


def _number(value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.4f}"


SHAPES: Mapping[CampaignShape, Mapping[str, Any]] = {
    "duc2006": {
        "topics": 50,
        "summarizers": 35,
        "models": 4,
        "humans": 10,
        "documents": 25,
        "document_words": 400,
        "words": 250,
        "units": 100,
        "judgments": True,
        "questions": "duc2006",
        "assessor_count": 10,
        "assessors_per_summary": 1,
        "system_assessor_sd": 0.2,
        "judge_models": True,
    },
    "tac2008": {
        "topics": 48,
        "parts": 2,
        "summarizers": 72,
        "unjudged": 14,
        "models": 4,
        "humans": 8,
        "documents": 10,
        "document_words": 300,
        "words": 100,
        "judgments": True,
        "questions": "tac2008",
        "assessor_count": 8,
        "assessors_per_summary": 1,
        "system_assessor_sd": 0.2,
        "judge_models": True,
    },
}
"""Options of campaigns in the shape of past ones: sizes from Dang (2006) and from Dang and Owczarzak (2008)."""


class CampaignDesign(SimulatedCampaignOptions, SimulationDesign):
    """How many topics, summarizers and models, who judges what, and the parameters of the model in `content`."""

    @classmethod
    def shaped(cls, shape: CampaignShape, **keywords: Unpack[SimulatedCampaignKeywords]) -> CampaignDesign:
        """A campaign with the sizes and questions of DUC 2006 or TAC 2008; keywords take precedence.

        `CampaignDesign.shaped("tac2008", topics=6)` has six topics instead of 48.
        """
        if shape not in SHAPES:
            raise UsageError(f"shape: found {shape!r}; expected {', '.join(SHAPES)}")
        return cls.of({**SHAPES[shape], **keywords})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pyramids and not self.models:
            raise UsageError("pyramids: found 0 models; expected at least one, because SCUs come from models")
        if self.humans is not None and self.humans < self.models:
            raise UsageError(
                f"humans: found {self.humans}, and {self.models} models per topic; expected at least as many humans, "
                "because nobody writes two references of a topic"
            )
        if (self.assessors_per_summary or 1) > self.assessor_count:
            raise UsageError(
                f"assessors-per-summary: found {self.assessors_per_summary}, and {self.assessor_count} assessors; "
                "expected at most as many"
            )
        if (self.parts + 1) * self.units > 2 * MOST_UNITS:
            raise UsageError(
                f"units: found {self.units} in each of {self.parts} parts; expected at most "
                f"{2 * MOST_UNITS // (self.parts + 1)}, so that every unit has words of its own"
            )
        if self.unjudged > self.summarizers:
            raise UsageError(f"unjudged: found {self.unjudged}; expected at most {self.summarizers}, all systems")

    @cached_property
    def model_ids(self) -> list[str]:
        """Ids of the writers of model summaries."""
        writers = self.models
        if self.models and self.humans is not None:
            writers = self.humans
        return names("simulated-model-", writers)

    @property
    def judged_ids(self) -> list[str]:
        """Ids of the systems that are judged."""
        return self.summarizer_ids[: self.summarizers - self.unjudged]

    @property
    def inputs(self) -> int:
        """Number of topics with each of their parts."""
        return self.topics * self.parts

    def parent_and_part(self, place: int) -> tuple[str, str]:
        """The topic that the input at this place is a part of, and the letter of the part; empty without parts."""
        if self.parts == 1:
            return "", ""
        (parent,) = names("T", self.topics, start=place // self.parts, stop=place // self.parts + 1)
        return parent, ascii_uppercase[place % self.parts]

    def topic_ids(self, start: int, stop: int) -> list[str]:
        """Ids of some inputs: `T1`, or with parts `T1-A`, `T1-B`."""
        if self.parts == 1:
            return super().topic_ids(start, stop)
        return ["-".join(self.parent_and_part(place)) for place in range(start, stop)]

    @property
    def rows(self) -> int:
        """Number of peer summaries."""
        return self.inputs * self.summarizers

    def signature(self, name: str) -> str:
        """Everything that is needed to make the campaign again."""
        if self.judgments:
            return self._signature(name)
        return self._signature(name, *_OF_ASSESSORS, *_OF_JUDGED_CAMPAIGNS)

"""What simulated campaigns and scores are made of."""

from __future__ import annotations

from typing import Any, Literal

from pyramidion.options.base import Options, option

CampaignShape = Literal["duc2006", "tac2008"]
"""Campaigns of the past whose sizes a simulated one can take."""
SimulatedQuestions = Literal["responsiveness", "duc2006", "tac2008"]
"""A single question about content, or the questions of a campaign of the past."""
LARGEST = 1e9
"""Simulated means and standard deviations above this would leave nothing of the smaller components in a float."""
SENTENCE_WORDS = 8
"""A simulated sentence has as many words."""
MOST_UNITS = 10_000
"""Each simulated content unit and distractor needs twelve of the 300,000 words for itself."""


def _sd(default: float, of: str) -> Any:
    return option(default, f"Standard deviation of {of}.", minimum=0.0, maximum=LARGEST)


class SimulationOptions(Options):
    """What all simulated data has in common."""

    topics: int = option(50, "Number of topics.", minimum=1)
    summarizers: int = option(20, "Number of systems.", minimum=1)
    # The largest signed number of 64 bits.
    seed: int = option(0, "The same seed gives the same data, byte for byte.", minimum=0, most=2**63 - 1)
    judgments: bool = option(False, "Add answers from 1 to 5 by simulated assessors.")
    assessor_count: int = option(2, "Number of assessors.", minimum=1)
    severity_sd: float = _sd(0.3, "the assessors' severity, in points")
    judgment_noise_sd: float = _sd(0.5, "the noise of one answer, in points")


class SimulatedScoresOptions(SimulationOptions):
    """What a simulated score is made of."""

    mean: float = option(0.4, "Grand mean.", minimum=-LARGEST, maximum=LARGEST)
    system_sd: float = _sd(0.03, "the systems' quality")
    topic_sd: float = _sd(0.08, "the topics' difficulty")
    interaction_sd: float = _sd(0.05, "the interaction of system and topic")
    noise_sd: float = _sd(0.05, "a measure's noise")


class SimulatedCampaignOptions(SimulationOptions):
    """What simulated summaries are made of."""

    topics: int = option(20, "Number of topics.", minimum=1)
    summarizers: int = option(10, "Number of systems.", minimum=1)
    parts: int = option(
        1,
        "Number of parts per topic: each has its own summaries, and the documents of earlier parts as background "
        "(folder only).",
        minimum=1,
        maximum=26,
    )
    models: int = option(4, "Number of reference summaries per topic.", minimum=0)
    humans: int | None = option(
        None,
        "Number of people who write references, each for some of the topics. Default: as many as `models=`.",
        minimum=1,
    )
    pyramids: bool = option(False, "Add pyramids and annotations, exact by construction (folder only).")
    questions: SimulatedQuestions = option("responsiveness", "Which questions the assessors answer.")
    assessors_per_summary: int | None = option(
        None,
        "Number of assessors per summary; the same people judge all summaries of a topic. Default: all assessors.",
        minimum=1,
    )
    system_assessor_sd: float = _sd(0.0, "the interaction of system and assessor, in points")
    language_sd: float = _sd(0.5, "the systems' language, in points (questions other than responsiveness)")
    judge_models: bool = option(False, "Also add judgments of the references (folder only).")
    unjudged: int = option(0, "Leave this many systems, the last ones, without judgments and annotations.", minimum=0)
    documents: int = option(0, "Number of documents per topic.", minimum=0)
    document_words: int = option(200, "Number of words per document.", minimum=SENTENCE_WORDS)
    words: int = option(100, "Word limit of summaries; a sentence has eight words.", minimum=SENTENCE_WORDS)
    units: int = option(
        40, "Number of content units per topic; there are as many distractors.", minimum=1, maximum=MOST_UNITS
    )
    zipf: float = option(1.0, "The k-th unit has importance 1/k^zipf.", minimum=0.0, maximum=10.0)
    synonyms: float = option(0.2, "Share of words that are replaced by a synonym.", minimum=0.0, maximum=1.0)
    quality: float = option(0.6, "Share of content in a typical system's text.", above=0.0, below=1.0)
    system_sd: float = _sd(0.5, "the systems' quality, in log-odds")
    topic_sd: float = _sd(0.5, "the topics' difficulty, in log-odds")
    interaction_sd: float = _sd(0.3, "the interaction of system and topic, in log-odds")
    selection_noise: float = option(
        1.0, "How far writers deviate from the order of importance; 0: not at all.", minimum=0.0, maximum=1000.0
    )

"""The design of a simulated campaign: its size, what texts and judgments are made of, and the seed."""

from __future__ import annotations

from dataclasses import dataclass

from pyramidion.errors import UsageError
from pyramidion.simulate.draws import check_count, check_number, check_spreads, signature
from pyramidion.simulate.judgments import Assessors
from pyramidion.simulate.wording import SENTENCE_WORDS
from pyramidion.version import VERSION

MOST_UNITS = 10_000
"""Each unit and each distractor takes twelve words of the 300,000 for itself."""


@dataclass(frozen=True, kw_only=True)
class CampaignDesign:
    """How many topics, summarizers and models, and the parameters of the model in `content`."""

    topics: int
    summarizers: int
    models: int = 4
    seed: int = 0
    words: int = 100
    """Word limit of summaries; a sentence has eight words, and a text as many sentences as fit."""
    units: int = 40
    """Content units of a topic; it has as many distractors."""
    zipf: float = 1.0
    """The k-th unit has importance k^(−zipf)."""
    quality: float = 0.6
    """Share of content in the text of a typical system; it is 1 for models."""
    system_sd: float = 0.5
    topic_sd: float = 0.5
    interaction_sd: float = 0.3
    """The three standard deviations are in log-odds of the share of content."""
    selection_noise: float = 1.0
    """How far writers stray from the order of importance; 0: not at all."""
    synonyms: float = 0.2
    """Probability that a sentence replaces an own word of its unit by the synonym."""
    documents: int = 0
    document_words: int = 200
    assessors: Assessors | None = None
    pyramids: bool = False

    def __post_init__(self) -> None:
        check_count("topics", self.topics, least=1)
        check_count("summarizers", self.summarizers, least=1)
        check_count("models", self.models, least=0)
        check_count("seed", self.seed, least=0)
        check_count("words", self.words, least=SENTENCE_WORDS)
        check_count("document-words", self.document_words, least=SENTENCE_WORDS)
        check_count("documents", self.documents, least=0)
        check_number("units", self.units, least=1, most=MOST_UNITS)
        check_number("zipf", self.zipf, least=0, most=10)
        check_number("selection-noise", self.selection_noise, least=0, most=1000)
        check_number("synonyms", self.synonyms, least=0, most=1)
        check_spreads(system_sd=self.system_sd, topic_sd=self.topic_sd, interaction_sd=self.interaction_sd)
        if not 0 < self.quality < 1:
            raise UsageError(f"quality: found {self.quality:g}; expected a share between 0 and 1, both excluded")
        if self.pyramids and not self.models:
            raise UsageError("pyramids: found 0 models; expected at least one, since SCUs come from models")

    @property
    def sentences(self) -> int:
        """Sentences of a summary; no more than there are units."""
        return min(self.words // SENTENCE_WORDS, self.units)

    @property
    def document_sentences(self) -> int:
        """Sentences of a document; no more than there are units."""
        return min(self.document_words // SENTENCE_WORDS, self.units)

    @property
    def rows(self) -> int:
        """Number of peer summaries."""
        return self.topics * self.summarizers

    def signature(self, name: str) -> str:
        """Everything that makes the campaign again."""
        assessors = self.assessors
        judged: dict[str, object] = {"assessors": assessors.count if assessors else 0}
        if assessors:
            judged |= {"severity_sd": assessors.severity_sd, "judgment_noise_sd": assessors.noise_sd}
        if self.documents:
            judged["document_words"] = self.document_words
        return signature(
            name,
            VERSION,
            topics=self.topics,
            summarizers=self.summarizers,
            models=self.models,
            seed=self.seed,
            words=self.words,
            units=self.units,
            zipf=self.zipf,
            quality=self.quality,
            system_sd=self.system_sd,
            topic_sd=self.topic_sd,
            interaction_sd=self.interaction_sd,
            selection_noise=self.selection_noise,
            synonyms=self.synonyms,
            documents=self.documents,
            pyramids="yes" if self.pyramids else "no",
            **judged,
        )

"""Model-free measures: a summary compared with its input, without models (Louis and Nenkova 2009).

Two presets: `paper`, and `simetrix`, what the authors' tool SIMetrix computes. The numbers come from `text.inputs`.
"""

from __future__ import annotations

import dataclasses
import math
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Document, TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.measures.backgrounds import SMART, WORDFREQ, collection, load_background, load_stop_words, load_weights
from pyramidion.measures.base import (
    ONE_VALUE,
    FeatureMeasure,
    MeasureWarning,
    Need,
    Rows,
    StatisticFacts,
    grouped,
    option,
)
from pyramidion.scores import Evidence, FixedEvidence
from pyramidion.text.inputs import FEATURES, Collection, InputScores, InputSettings, Scripts, WordRules, score_inputs

Preset = Literal["paper", "simetrix"]
_NO_WORD = re.compile(r"^(?=[^\n]*\S)[^\nA-Za-z0-9]+$", re.MULTILINE)
_EMPTY_WORD = "zqxjkvemptywordzqxjkv"
"""Stands for the empty word, which no text has."""
Side = Literal["documents", "background"]

DIVERGENCES: Final = frozenset({"kl-input-summary", "kl-summary-input", "js", "js-smoothed"})
SMOOTHED: Final = DIVERGENCES - {"js"}
TOPIC: Final = frozenset({"topic-share", "topic-coverage", "topic-cosine"})
PROBABILITIES: Final = frozenset({"unigram-probability", "multinomial-probability"})
WEIGHTED: Final = frozenset({"cosine", "topic-cosine"})
_BELONGS: Final = {
    "smoothing": SMOOTHED | PROBABILITIES,
    "logarithm": DIVERGENCES,
    "cutoff": TOPIC,
    "direction": TOPIC,
    "unseen": PROBABILITIES,
}
_INPUT_NAMES: Final = {
    "documents": "the source documents do not have",
    "background": "the background documents do not have",
    "average": "the source or the background documents do not have (both comparisons counted)",
}
"""By input, who lacks words that are skipped."""
_NOTHING: Final = np.zeros(0, dtype=np.int64)
_BASES: Final = {"2": 2.0, "e": math.e, "10": 10.0}


@dataclass(frozen=True)
class PresetValues:
    """The settings of a preset."""

    smoothing: float
    logarithm: Literal["2", "e", "10"]
    cutoff: float
    """On −2 log λ in natural logarithms."""
    direction: Literal["over", "any"]
    rounding: Literal["none", "simetrix"]
    unseen: Literal["smooth", "skip"]
    """What becomes of the words of a summary that the input lacks, in likelihoods."""
    headlines: bool
    """Whether the headline of a document belongs to the input."""


PRESETS: Final[Mapping[Preset, PresetValues]] = {
    # On TAC 2008 the paper's likelihoods come out if unseen words are smoothed, and its divergences with headlines.
    "paper": PresetValues(0.0005, "2", 10.83, "over", "none", "smooth", True),
    # The tool's statistic is in base-10 logarithms, and its cutoff 10.
    "simetrix": PresetValues(0.005, "e", 10.0 * math.log(10), "any", "simetrix", "skip", False),
}


@dataclass(frozen=True, kw_only=True)
class ModelFree(FeatureMeasure):
    """A summary compared with its source documents: divergences, cosines, topic words, probabilities."""

    base_names: ClassVar[tuple[str, ...]] = FEATURES
    needs: ClassVar[frozenset[Need]] = frozenset({"documents"})

    preset: Preset = option("paper", "settings as in the paper (Louis and Nenkova 2009), or as in their tool SIMetrix")
    stem: bool = option(True, "compare stems (Porter, with Martin Porter's extensions)")
    ngram: int = option(1, "1: words; 2: pairs of neighbouring words")
    input: Literal["documents", "background", "average"] = option(
        "documents", "for update topics: compare with the documents, with the background documents, or average both"
    )
    background: str = option(WORDFREQ, "word counts for topic words: wordfreq, or a TSV file of word, count, df")
    idf: str | None = option(None, "idf for cosines: a TSV file of stem, idf; by default from the background")
    stop: str = option(SMART, "stop words: smart, none, or a file with one word per line")
    tokens: Scripts = option("ascii", "ascii: words of a–z and 0–9; unicode: words of every script")
    smoothing: float | None = option(None, "δ, added to every count (paper 0.0005, simetrix 0.005)")
    logarithm: Literal["2", "e", "10"] | None = option(
        None, "base of the logarithm in divergences (paper 2, simetrix e)"
    )
    cutoff: float | None = option(
        None, "topic words have −2 log λ (natural log) above this (paper 10.83, simetrix 23.03)"
    )
    direction: Literal["over", "any"] | None = option(
        None, "topic words must be over-represented (over), or need not be (any) (paper over, simetrix any)"
    )
    rounding: Literal["none", "simetrix"] | None = option(
        None, "simetrix: 5 decimals, as the tool prints (paper none, simetrix simetrix)"
    )

    unseen: Literal["smooth", "skip"] | None = option(
        None,
        "words of the summary that the input lacks, in likelihoods: smoothed as all words are, or skipped (paper "
        "smooth, simetrix skip)",
    )
    headlines: bool | None = option(
        None, "whether the headlines of documents belong to the input (paper yes, simetrix no)"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, features in _BELONGS.items():
            if getattr(self, name) is not None and self.feature not in features:
                raise UsageError(f"{self.base}: {name}= has no effect here; it is for {', '.join(sorted(features))}")
        if self.smoothing is not None and self.feature in PROBABILITIES and self._values.unseen == "skip":
            raise UsageError(f"{self.base}: smoothing= has no effect here; add unseen=smooth")
        try:
            WordRules(tokens=self.tokens, stop=frozenset(), ngram=self.ngram)
            self._settings(None)
        except UsageError as error:
            raise UsageError(f"{self.base}: {error}") from None

    @property
    def higher_is_better(self) -> bool:
        """Divergences fall as quality rises."""
        return self.feature not in DIVERGENCES

    @property
    def uses_background(self) -> bool:
        """Whether the value rests on a background: on its counts or on document frequencies."""
        return self.feature in TOPIC or self.feature in WEIGHTED

    def options_in_effect(self) -> Mapping[str, Any]:
        """What was not given is as the preset says; what has no bearing on this feature is left empty."""
        preset = dataclasses.asdict(self._values)
        preset |= {name: None for name, features in _BELONGS.items() if self.feature not in features}
        if preset["unseen"] == "skip":
            preset["smoothing"] = None
        return {**super().options_in_effect(), **preset}

    def facts(self, *, seed: int) -> Mapping[str, str]:  # noqa: ARG002  # nothing is drawn
        """Which background, idf and stop list were used: the size of a background moves its topic words."""
        facts = {"stop-hash": load_stop_words(self.stop)[1]}
        takes_idf_from_background = self.feature in WEIGHTED and self.idf is None
        if takes_idf_from_background or self.feature in TOPIC:
            background = load_background(self.background)
            facts["background-name"] = background.name
            # The log-likelihood ratio grows with the background: without its size a cutoff can't be compared.
            facts["background-size"] = f"{self._collection().size:.0f}"
            facts["background-documents"] = str(background.documents)
            facts["background-hash"] = background.digest
        if self.feature in WEIGHTED and self.idf is not None:
            weights = load_weights(self.idf)
            facts |= {"idf-name": weights.name, "idf-documents": str(weights.documents), "idf-hash": weights.digest}
        return {key: value for key, value in facts.items() if value}

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """One pass over the texts for all measures that see the same words; an input is counted once.

        Measures that count words as SIMetrix does have a pass of their own, even with the same rules otherwise; so have
        those that read headlines.
        """
        blocks: dict[Self, Sequence[Evidence | None]] = {}
        # SIMetrix counts an empty word for a line of punctuation, so its texts are not those of the paper.
        groups = grouped(measures, lambda measure: (measure.rules, measure.as_tool, measure._values.headlines))
        for (rules, as_tool, headlines), together in groups.items():
            sides: set[Side] = set()
            for measure in together:
                sides.update(measure._sides)
            batch = _Batch.of(topics, sides, headlines=headlines)
            if rules.tokens == "ascii":
                _warn_of_other_scripts(batch.texts)
            settings, index = _share_settings(together)
            texts: Sequence[str | Sequence[str]] = batch.texts
            if as_tool:
                texts = [_add_empty_words(text) for text in texts]
            scores = score_inputs(texts, batch.inputs, batch.summaries, settings, rules)
            for measure in together:
                blocks[measure] = measure._block(batch, scores, index[measure])
            _warn_of_gaps(index, scores)
        return [blocks[measure] for measure in measures]

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """As the base does, in one pass, and with the number of words that were skipped."""
        if isinstance(evidence, InputBlock):
            return evidence.rows()
        return super().rows(evidence, topics, seed=seed)

    @property
    def as_tool(self) -> bool:
        """Whether words are counted as SIMetrix does, down to its oddities."""
        return self.preset == "simetrix" and self.tokens == "ascii" and self.ngram == 1

    @property
    def rules(self) -> WordRules:
        """What counts as a word."""
        return WordRules(tokens=self.tokens, stem=self.stem, stop=load_stop_words(self.stop)[0], ngram=self.ngram)

    @property
    def _values(self) -> PresetValues:
        """The preset's values, those replaced that were given."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(PresetValues)}
        chosen_values = {name: value for name, value in values.items() if value is not None}
        return replace(PRESETS[self.preset], **chosen_values)

    @property
    def _sides(self) -> tuple[Side, ...]:
        """What summaries are compared with: documents, background documents, or both."""
        if self.input == "average":
            return ("documents", "background")
        return (self.input,)

    def settings(self) -> InputSettings:
        """What the numbers depend on; reads the background if there is need of one."""
        if not self.uses_background:
            return self._settings(None)
        return self._settings(self._collection())

    def _settings(self, background: Collection | None) -> InputSettings:
        """What the numbers depend on, with the values of the preset where nothing else was chosen."""
        values = self._values
        return InputSettings(
            smoothing=values.smoothing,
            log_base=_BASES[values.logarithm],
            cutoff=values.cutoff,
            over_only=values.direction == "over",
            background=background,
            smooth_unseen=values.unseen == "smooth",
        )

    def _collection(self) -> Collection:
        """Counts and weights; a cosine with weights of its own does without counts where there are none.

        Raises:
            UsageError: if topic words of pairs are asked for, and the background counts single words only.
            MissingExtraError: if the default background is needed and not installed.
        """
        weights = None if self.idf is None else load_weights(self.idf)
        try:
            background = load_background(self.background)
        except MissingExtraError:
            if self.feature in TOPIC or weights is None:
                raise
            background = None
        # The tool's own files have no stop words, and it leaves in what others have.
        from_file = background is not None and background.scaled_to is None
        word_counts = collection(background, weights, self.rules, as_simetrix=self.as_tool and from_file)
        counts_pairs = self.ngram == 2 and self.feature in TOPIC
        if counts_pairs and not word_counts.has_pairs:
            raise UsageError(
                f"{self.base}: topic words of ngram=2 need a background that counts pairs, with lines such as "
                f"`prime minister⇥12⇥8`; {self.background} has none"
            )
        return word_counts

    def _block(self, batch: _Batch, scores: InputScores, setting: int) -> InputBlock:
        """The measure's column."""
        # Where two sides are averaged, a topic needs both.
        topics = sorted(set.intersection(*(set(batch.rows[side]) for side in self._sides)))
        rows: list[Integers] = []
        for side in self._sides:
            side_rows = [batch.rows[side][number] for number in topics]
            rows.append(np.concatenate([_NOTHING, *side_rows]))
        values = np.mean([self._values_of(row, batch, scores, setting) for row in rows], axis=0)
        if self._values.rounding == "simetrix":
            # Python rounds the exact value; np.round multiplies first and may come out on the other side.
            values = np.array([round(value, 5) for value in values.tolist()])
        skipped = 0
        if self.feature in PROBABILITIES and self._values.unseen == "skip":
            skipped = int(sum(scores.words[row, 1].sum() for row in rows))
        return InputBlock(batch.topics, topics, values, skipped, _INPUT_NAMES[self.input])

    def _values_of(self, rows: Integers, batch: _Batch, scores: InputScores, setting: int) -> Floats:
        """Values of some summaries; the tool has 0 where there are no topic words, or no weights, to divide by."""
        values: Floats = scores.features[rows, setting, FEATURES.index(self.feature)]
        if self.preset != "simetrix":
            return values
        # Where even the tool has nothing to count, NaN stays: the value is missing, not 0.
        has_words = scores.inputs[batch.summaries[rows, 1], 0] > 0
        return np.where(np.isnan(values) & has_words, 0.0, values)


@dataclass(frozen=True, eq=False)
class InputBlock(Sequence["FixedEvidence | None"]):
    """Evidence of one measure on a batch of topics, kept as a column until a topic is asked for."""

    topics: Sequence[TopicData]
    numbers: Sequence[int]
    """The topics that have values,"""
    values: Floats
    """and these, peer by peer."""
    skipped: int
    """Words of the summaries that were left out because the input does not have them."""
    lacking: str
    """Which input does not have them, in words."""

    def __len__(self) -> int:
        return len(self.topics)

    def __getitem__(self, number: int) -> FixedEvidence | None:  # type: ignore[override]  # no slices here
        if number not in self.numbers:
            return None
        peers = tuple(peer.summarizer for peer in self.topics[number].peers)
        # Values stand one after another without the topics that have none.
        start = sum(len(self.topics[before].peers) for before in self.numbers if before < number)
        column = self.values[start : start + len(peers), np.newaxis]
        return FixedEvidence(peers=peers, statistics=ONE_VALUE, scores=column)

    def rows(self) -> Rows:
        """All values at once."""
        topic_peers = [self.topics[number].peers for number in self.numbers]
        counts = list(map(len, topic_peers))
        return Rows(
            topics=np.repeat(np.array(self.numbers, dtype=np.int64), counts),
            peers=[peer.summarizer for peer in chain.from_iterable(topic_peers)],
            models=np.zeros(len(self.values), dtype=np.int64),
            statistics=ONE_VALUE,
            values=self.values[:, np.newaxis],
            facts={"": StatisticFacts(skipped=self.skipped, skipped_why=self.lacking)},
        )


@dataclass(frozen=True, eq=False)
class _Batch:
    """Topics as the kernels take them: texts, inputs and (summary, input) pairs by number."""

    topics: Sequence[TopicData]
    texts: Sequence[Text]
    inputs: Sequence[Sequence[int]]
    summaries: Integers
    rows: Mapping[Side, Mapping[int, Integers]]
    """By side and topic, its summaries; a topic that lacks one of them is not there."""

    @classmethod
    def of(cls, topics: Sequence[TopicData], sides: Iterable[Side], *, headlines: bool) -> _Batch:
        """The topics as numbered texts; a topic without peers or documents is left out of a side."""
        texts: list[Text] = []
        inputs: list[list[int]] = []
        summaries: list[tuple[int, int]] = []
        rows: dict[Side, dict[int, Integers]] = {side: {} for side in sides}
        for number, topic in enumerate(topics):
            first = len(texts)
            texts.extend(peer.text for peer in topic.peers)
            for side, side_rows in rows.items():
                documents: Sequence[Document] = getattr(topic.topic, side)
                if not documents or not topic.peers:
                    continue
                side_rows[number] = np.arange(len(summaries), len(summaries) + len(topic.peers))
                summaries.extend((first + peer, len(inputs)) for peer in range(len(topic.peers)))
                inputs.append(list(range(len(texts), len(texts) + len(documents))))
                texts.extend(_input_text(document, headlines=headlines) for document in documents)
        return cls(topics, texts, inputs, np.array(summaries, dtype=np.int64).reshape(-1, 2), rows)


def _input_text(document: Document, *, headlines: bool) -> Text:
    """The text of a document, after its headline if it has one and that counts."""
    if not headlines or not document.headline:
        return document.text
    if isinstance(document.text, str):
        return f"{document.headline}\n{document.text}"
    return (document.headline, *document.text)


def _share_settings(measures: Sequence[ModelFree]) -> tuple[list[InputSettings], dict[ModelFree, int]]:
    """The settings of several measures, each once, and by measure which it has.

    Measures that use no background share the settings of those that do.
    """
    distinct: list[InputSettings] = []
    index: dict[ModelFree, int] = {}
    # Those with a background first, so that the others find settings to share.
    for measure in sorted(measures, key=attrgetter("uses_background"), reverse=True):
        needed = measure.settings()
        free: dict[str, Any] = {}
        if not measure.uses_background:
            # Without a background, neither that nor what topic words are makes a difference.
            free = {"background": None, "cutoff": 0.0, "over_only": False}
        compared = [replace(settings, **free) for settings in distinct]
        needed_part = replace(needed, **free)
        if needed_part in compared:
            index[measure] = compared.index(needed_part)
        else:
            index[measure] = len(distinct)
            distinct.append(needed)
    return distinct, index


def _add_empty_words(text: str | Sequence[str]) -> str | Sequence[str]:
    """The text as SIMetrix counts it: a line that is not blank, but has no letter or digit, is one empty word there."""
    if isinstance(text, str):
        return _NO_WORD.sub(_EMPTY_WORD, text)
    return [_NO_WORD.sub(_EMPTY_WORD, sentence) for sentence in text]


def _warn_of_other_scripts(texts: Sequence[Text]) -> None:
    """Everything outside ASCII separates words: warn where most of a text is lost."""
    if any(_is_mostly_lost(text) for text in texts):
        message = (
            "some texts are mostly in other characters than a–z and 0–9, which are ignored; tokens=unicode reads every "
            "script (but stop words, stems and the default background are English)"
        )
        warnings.warn(message, MeasureWarning, stacklevel=3)


def _is_mostly_lost(text: Text) -> bool:
    """Whether a text has more characters that separate words than letters and digits of ASCII."""
    if isinstance(text, str) and text.isascii():
        return False
    content = plain(text).encode("utf-8", "surrogatepass")
    # In UTF-8 a byte from 0xC0 up starts a character outside ASCII: counting these counts characters.
    lost = len(content) - len(content.translate(None, _STARTS_OF_OTHERS))
    return lost > len(content) - len(content.translate(None, _KEPT))


_STARTS_OF_OTHERS: Final = bytes(range(0xC0, 0x100))
_KEPT: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def _warn_of_gaps(settings: Mapping[ModelFree, int], scores: InputScores) -> None:
    """What has no value, or one that only the formula explains."""
    messages = []
    sizes = scores.inputs[:, 0]
    if (sizes == 0).any():
        messages.append("some inputs have only stop words: their summaries get no value")
    if (scores.words[:, 0] == 0).any():
        messages.append(
            "some summaries have only stop words; their values are those of an empty text: its divergences, "
            "0 for cosines and shares, and 0, the highest value, for probabilities"
        )
    for measure, setting in settings.items():
        column = scores.inputs[:, 2 + setting]
        # A share of tokens that are topic words is simply 0 without topic words; the others would divide by 0.
        if measure.feature in TOPIC - {"topic-share"} and (column[sizes > 0] == 0).any():
            value = "0, as in SIMetrix," if measure.preset == "simetrix" else "no value"
            messages.append(f"some inputs have no topic words: their summaries get {value} for {measure.name()}")
    for message in dict.fromkeys(messages):
        warnings.warn(message, MeasureWarning, stacklevel=3)

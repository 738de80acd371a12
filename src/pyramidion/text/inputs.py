"""Summaries compared with their inputs: the only door to the kernels of the model-free measures.

An input (the documents of a topic) is read and counted once for all its summaries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.text import _native
from pyramidion.text.stop import stop_words
from pyramidion.text.tokens import checked_pairs, clear_errors, thread_count

FEATURES: Final = (
    "kl-input-summary",
    "kl-summary-input",
    "js",
    "js-smoothed",
    "cosine",
    "topic-share",
    "topic-coverage",
    "topic-cosine",
    "unigram-probability",
    "multinomial-probability",
)
"""What is computed for each summary, in the order of SIMetrix's columns."""

Scripts: TypeAlias = Literal["ascii", "unicode"]
_KERNEL_TOKENS: Final = {"ascii": "rouge155", "unicode": "unicode"}


@dataclass(frozen=True, kw_only=True)
class WordRules:
    """How a text becomes the words that are counted: stop words are dropped, then stems are taken."""

    tokens: Scripts = "ascii"
    """`ascii`: everything but a–z, A–Z, 0–9 separates words. `unicode`: words of every script."""
    stem: bool = True
    """Take Porter's stems as Martin Porter distributes them; words of up to two letters stay."""
    stop: frozenset[str] = field(default_factory=stop_words)
    """Lower-case words that are dropped, before stemming."""
    ngram: int = 1
    """1: words; 2: pairs of neighbouring words, once stop words are dropped; none reaches into another text."""

    def __post_init__(self) -> None:
        if self.tokens not in _KERNEL_TOKENS:
            raise UsageError(f"tokens={self.tokens}: expected ascii or unicode")
        if self.ngram not in (1, 2):
            raise UsageError(f"ngram={self.ngram}: expected 1 (words) or 2 (pairs of words)")

    def forms(self, text: str) -> list[str]:
        """The words of a text, in order (words even if pairs are counted)."""
        lists, tokens, stems, stop = self._reading
        return _native.forms_of(text, lists, tokens, stems, stop)

    @property
    def _reading(self) -> tuple[_native.WordLists, str, str, bool]:
        """Stop words, tokenizer, stemmer, and whether there are stop words, as the kernels take them."""
        return _lists(self.stop), _KERNEL_TOKENS[self.tokens], "martin" if self.stem else "none", bool(self.stop)


@lru_cache(maxsize=8)
def _lists(stop: frozenset[str]) -> _native.WordLists:
    """The stop words as the kernels take them; they are asked for text by text."""
    return _native.WordLists("\n".join(sorted(stop)), "")


@dataclass(frozen=True, eq=False, kw_only=True)
class Collection:
    """What a large collection of texts says of words: counts, for topic words, and weights (idf), for cosines."""

    forms: Sequence[str]
    """Distinct words as they are compared, or pairs of them with a blank between."""
    counts: Floats
    weights: Floats
    unseen: float
    """The weight of a word that is not listed."""

    @cached_property
    def size(self) -> float:
        """Words in all."""
        return math.fsum(self.counts)

    @property
    def has_pairs(self) -> bool:
        """Whether pairs of words are among what is counted."""
        return self._kernel.has_pairs

    @cached_property
    def _kernel(self) -> _native.Background:
        """The collection as the kernels take it."""
        return _native.Background("\n".join(self.forms), self.counts, self.weights, self.size, self.unseen)


@dataclass(frozen=True, kw_only=True)
class InputSettings:
    """What numbers depend on, once words are counted."""

    smoothing: float
    """δ: added to every count of a word."""
    log_base: float
    """Base of the logarithm in divergences."""
    cutoff: float
    """A word is a topic word if its −2 log λ (natural logarithms) is above this …"""
    over_only: bool
    """… and, where this is set, if it is more frequent in the input than in the background."""
    background: Collection | None = None
    """None: cosines and what rests on topic words is NaN."""
    smooth_unseen: bool = False
    """Whether words that the input lacks are smoothed in likelihoods, as all words then are, or skipped."""

    def __post_init__(self) -> None:
        if not (self.smoothing > 0 and math.isfinite(self.smoothing)):
            raise UsageError(f"smoothing={self.smoothing}: expected a number above 0")
        if not (self.log_base > 1 and math.isfinite(self.log_base)):
            raise UsageError(f"a logarithm of base {self.log_base}: expected a number above 1")
        if math.isnan(self.cutoff):
            raise UsageError("cutoff=nan: expected a number")


@dataclass(frozen=True, eq=False)
class InputScores:
    """What `score_inputs` found."""

    features: Floats
    """Summaries × settings × `FEATURES`; NaN where a feature is not defined."""
    words: Floats
    """Summaries × (words, words that the input does not have)."""
    inputs: Floats
    """Inputs × (words, distinct words, topic words under each setting)."""


def score_inputs(
    texts: Sequence[str | Sequence[str]],
    inputs: Sequence[Sequence[int]],
    summaries: Integers,
    settings: Sequence[InputSettings],
    rules: WordRules,
    *,
    threads: int | None = None,
) -> InputScores:
    """All features of summaries compared with their inputs (Louis and Nenkova 2009, §3; spec: model-free measures).

    With c the count of a word, N that of all words, |V| the number of distinct words of the input, and p, q the
    distributions of input and summary over the words of either:

    - smoothed: p = (c + δ) / (N + δ·1.5·|V|) on both sides, summed over all words, not normalised again;
    - KL(p‖q) = Σ p log(p / q); JS = ½ KL(p‖m) + ½ KL(q‖m) with m = ½ (p + q);
    - cosine of the vectors count × weight; the topic cosine takes only the topic words of the input;
    - unigram: Σ n log10(c / N) over words of the summary that the input has, or, with `smooth_unseen`, Σ n log10 p over
      all words of the summary, p smoothed; multinomial: the same with log10(N_summary! / Π n!), in which all words
      count.

    An input without words has NaN in all features; one without topic words, or whose words have no weight, in those
    that divide by them. A summary without words has what the formulas leave: JS ½ log 2, cosines and shares 0,
    logarithms of probabilities 0.

    Args:
        texts: all texts.
        inputs: for each input, the indices of its documents.
        summaries: rows (index of a text, index of an input).
        settings: one or more; words are counted once for all.
        rules: what counts as a word.
        threads: how many threads share the work; by default as many as there are processors.
    """
    checked = checked_pairs(summaries, "summaries", "(text, input)")
    scores = InputScores(
        features=np.empty((len(checked), len(settings), len(FEATURES))),
        words=np.empty((len(checked), 2)),
        inputs=np.empty((len(inputs), len(settings) + 2)),
    )
    kernel_settings: list[_native.FreeSettings] = []
    for setting in settings:
        background = None if setting.background is None else setting.background._kernel
        log_base = math.log(setting.log_base)
        kernel_settings.append(
            _native.FreeSettings(
                setting.smoothing, log_base, setting.cutoff, setting.over_only, background, setting.smooth_unseen
            )
        )
    lists, tokens, stems, stop = rules._reading
    with clear_errors():
        _native.score_free(
            texts, inputs, checked, kernel_settings, scores.features, scores.words, scores.inputs, lists, tokens, stems,
            stop, rules.ngram == 2, thread_count(threads),
        )  # fmt: skip
    return scores


@dataclass(frozen=True, slots=True)
class ContrastedWord:
    """A word of an input compared with the background."""

    word: str
    """The stem (if stems are taken), or the pair of words."""
    count: int
    """In the input."""
    background: float
    """Its count in the background."""
    statistic: float
    """−2 log λ, in natural logarithms."""
    over: bool
    """Whether it is more frequent in the input than in the background."""


def contrast_words(
    texts: Sequence[str | Sequence[str]], background: Collection, rules: WordRules
) -> list[ContrastedWord]:
    """Every distinct word of an input with its log-likelihood ratio against the background, in order of appearance.

    λ is the likelihood ratio of the 2×2 table word × {input, background} under one binomial for both and under one
    for each (Dunning 1993).
    """
    lists, tokens, stems, stop = rules._reading
    with clear_errors():
        rows = _native.contrast_words(texts, background._kernel, lists, tokens, stems, stop, rules.ngram == 2)
    return [ContrastedWord(word, int(count), before, ratio, over) for word, count, before, ratio, over in rows]

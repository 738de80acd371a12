"""ROUGE: n-grams, longest common subsequences and skip-bigrams shared with the models (Lin 2004).

Numbers are those of ROUGE-1.5.5; the options have DUC's defaults. The counting itself is in `text.overlap`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from typing import Any, Literal, Self

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.base import MeasureWarning, check_named, grouped, identity, option
from pyramidion.measures.overlap import ColumnBlock, OverlapBlock, OverlapMeasure, pair_up
from pyramidion.scores import Evidence
from pyramidion.scores.overlap import OverlapRule
from pyramidion.text.languages import WORDS, Profile, library_versions
from pyramidion.text.overlap import (
    MAX_CELLS,
    LocatedText,
    Matches,
    OverlapKind,
    Quirks,
    TextTable,
    count_overlaps,
    locate_text,
    match_located,
)
from pyramidion.text.sentences import sentence_spans, split_sentences
from pyramidion.text.tokens import UNICODE_VERSION, are_native, check_cells

UNLIMITED = -1
LONG_LINE = 50
"""A text on one line with more words than this is probably several sentences."""

TokenizerOption = Literal["rouge155", "unicode", "icu"] | Profile | Callable[[str], Sequence[str]]
"""A tokenizer by name, or, from Python, a function from a sentence to its tokens."""

_LONG_LINES = (
    f"{{}} treats each line as a sentence, but some lines have more than {LONG_LINE} words; "
    "sentences=split splits them into sentences"
)
_OTHER_SCRIPTS = (
    "some texts have no letters of a–z and score 0, because {} reads only ASCII; "
    "tokens=unicode reads every script, and tokens=icu knows where words end in every language"
)
_PAIR = re.compile(r"pair (\d+) \(peer text \d+, model text \d+\)")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")
_BASE = re.compile(
    r"rouge-(?:(?P<n>[1-9])|(?P<l>l)|w(?P<w>[0-9]+(?:\.[0-9]+)?)|(?P<family>su?)(?P<gap>\*|0|[1-9][0-9]*))"
)


@dataclass(frozen=True, kw_only=True)
class Rouge(OverlapMeasure):
    """Overlap with the models: n-grams (ROUGE-N), common subsequences (-L, -W), skip-bigrams (-S, -SU)."""

    kind: OverlapKind = identity()
    tokens: TokenizerOption = option(
        "rouge155",
        "rouge155: words of a–z and 0–9, as in ROUGE-1.5.5; unicode: words of every script; icu: words of every "
        "language, by dictionaries where it writes no spaces; words-1, characters-1: frozen profiles, in one form",
    )
    sentences: Literal["lines", "split"] = option(
        "lines", "for L and W: each line is a sentence (lines), or split lines into sentences (split)"
    )

    su_drops_last_unigram: bool = option(True, "SU ignores the unigram of the last token, as in 1.5.5")
    w_weights_model_twice: bool = option(True, "W weights the model's length twice, as in 1.5.5")
    lcs_forgets_bytes: bool = option(
        True, "with bytes=, L and W cut only single sentences that are too long, as in 1.5.5"
    )
    leading_blank_is_word: bool = option(True, "with words=, a leading blank counts as a word, as in 1.5.5")
    max_cells: int | None = option(None, "stop at pairs of texts that need a larger table than this (L, W, S*, SU*)")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind.family == "w" and self.kind.parameter < 1:
            raise UsageError(f"{self.base}: expected a weight from 1 up")
        check_cells(self.max_cells)
        check_named(self.base, "tokenizer", self.tokens)
        is_lcs = self.kind.family in ("l", "w")
        cuts_as_rouge155 = is_lcs and self.bytes is not None and self.lcs_forgets_bytes
        if cuts_as_rouge155 and not are_native(self.tokens, self.stem):
            raise UsageError(
                f"{self.base}: with these tokens or stems, bytes= needs lcs_forgets_bytes=no: the quirk is known of "
                "ROUGE-1.5.5's own only"
            )

    @property
    def base(self) -> str:
        """`rouge-2`, `rouge-l`, `rouge-w1.2`, `rouge-s4`, `rouge-su*`."""
        if self.kind.family == "n":
            return f"rouge-{int(self.kind.parameter)}"
        if self.kind.family == "l":
            return "rouge-l"
        if self.kind.family == "w":
            # repr is the shortest number that reads back the same; a name is an identity.
            return f"rouge-w{self.kind.parameter!r}".removesuffix(".0")
        gap = "*" if self.kind.parameter == UNLIMITED else f"{int(self.kind.parameter)}"
        return f"rouge-{self.kind.family}{gap}"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The kind that a base name means."""
        match = _BASE.fullmatch(base)
        if not match:
            return None
        if match["n"]:
            return {"kind": OverlapKind("n", int(match["n"]))}
        if match["l"]:
            return {"kind": OverlapKind("l")}
        if match["w"]:
            return {"kind": OverlapKind("w", float(match["w"]))}
        gap = UNLIMITED if match["gap"] == "*" else int(match["gap"])
        family: Literal["s", "su"] = "su" if match["family"] == "su" else "s"
        return {"kind": OverlapKind(family, gap)}

    @classmethod
    def examples(cls) -> Sequence[str]:
        """The names that people use."""
        return (
            *(f"rouge-{n}" for n in range(1, 10)),
            "rouge-l",
            "rouge-w1.2",
            "rouge-s4",
            "rouge-su4",
            "rouge-s*",
            "rouge-su*",
        )

    @property
    def rule(self) -> OverlapRule:
        """How hits become scores (Lin 2004).

        recall = hits / model count, precision = hits / peer count, F = P·R / (α·R + (1 − α)·P), over all models
        together or the best of them. W takes its ratios to 1/w (Lin 2004, §4); L and W choose the best model by
        unrounded recall, the others by recall with five digits, as ROUGE-1.5.5 does.
        """
        exponent = 1 / self.kind.parameter if self.kind.family == "w" else 1.0
        return OverlapRule(
            models=self.models,
            alpha=self.alpha,
            exponent=exponent,
            # Rounding decides ties: of two models whose recall agrees in five digits, the first is taken.
            best_by_rounded_recall=self.kind.family not in ("l", "w"),
            rounding=self.rounding,
        )

    def facts(self, *, seed: int) -> Mapping[str, str]:
        """Which Unicode tables and which libraries the tokens and stems come from."""
        unicode = {"unicode": UNICODE_VERSION} if self.tokens in ("unicode", WORDS) else {}
        versions = {} if are_native(self.tokens, self.stem) else library_versions(tokens=self.tokens, stem=self.stem)
        return {**super().facts(seed=seed), **unicode, **versions}

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """One pass over the texts for all measures that read them in the same way."""
        measures = [measure.within_limit(topics) for measure in measures]
        pairs = pair_up(topics)
        _warn_of_long_lines(measures, [pairs.texts[index] for index in np.unique(pairs.index)])
        blocks: dict[Self, Sequence[Evidence | None]] = {}
        # Tokens and stems take most of the time: ROUGE-1, 2 and L of one reading share them.
        for together in grouped(measures, _reading_key).values():
            kinds = list(dict.fromkeys(measure.kind for measure in together))
            texts = [together[0]._sentences_of(text) for text in pairs.texts]
            try:
                counts = count_overlaps(texts, pairs.index, kinds, **together[0]._reading())
            # A pair that is too large for L or W is named by its topic, summarizer and model.
            except InputError as error:  # the kernels know pairs by number only
                message = _PAIR.sub(lambda match: pairs.named(int(match[1])), str(error))
                raise InputError(message) from None
            _check_counts(kinds, counts)
            if together[0].tokens == "rouge155":
                # Only where one side has no tokens at all are letters looked for, which is slow in Python.
                warn_of_other_scripts(texts, pairs.index[(counts[:, 0, 1:3] == 0).any(axis=1)], "ROUGE-1.5.5")
            for measure in together:
                blocks[measure] = OverlapBlock(pairs, counts[:, kinds.index(measure.kind)], measure.rule)
        return [blocks[measure] for measure in measures]

    @classmethod
    def gather_columns(cls, measures: Sequence[Self], table: TextTable, *, threads: int | None) -> list[ColumnBlock]:
        """Evidence on columns of texts; one pass for all measures that read them in the same way."""
        blocks: dict[Self, ColumnBlock] = {}
        for together in grouped(measures, _reading_key).values():
            kinds = list(dict.fromkeys(measure.kind for measure in together))
            by_line = [measure for measure in together if measure.kind.family in ("l", "w")]
            long_line = LONG_LINE if by_line else 0
            counted = table.count(kinds, **together[0]._reading(), long_line=long_line, threads=threads)
            _check_counts(kinds, counted.counts)
            if counted.has_long_line:
                _warn(_LONG_LINES.format(by_line[0].base))
            if counted.has_unread_letters:
                warn_of_unread_letters("ROUGE-1.5.5")
            for measure in together:
                blocks[measure] = ColumnBlock(
                    counted.starts, counted.counts[:, kinds.index(measure.kind)], measure.rule
                )
        return [blocks[measure] for measure in measures]

    @property
    def is_plain(self) -> bool:
        """Whether a score follows from summed counts by recall, precision and F alone."""
        needs_topics = self.jackknife or self.use is not None or self.words == "campaign"
        # W takes roots, and rounding is done before F: neither follows from sums of counts.
        is_ratio = self.kind.family != "w" and self.rounding == "none"
        return is_ratio and self.models == "average" and not needs_topics

    def column_problem(self) -> str:
        """Why the measure can't score columns of texts; "" if it can."""
        if self.sentences == "split":
            return "sentences=split needs Python strings"
        if not are_native(self.tokens, self.stem):
            return "its tokens or stems need Python strings"
        return super().column_problem()

    def locate(self, text: Text) -> LocatedText:
        """The tokens of a text for `match`; offsets count the code points of `plain(text)`."""
        reading = {name: value for name, value in self._reading().items() if name != "max_cells"}
        located = locate_text(self._sentences_of(text), self.kind, **reading)
        if not isinstance(text, str):
            return located.moved([0, *accumulate(len(sentence) + 1 for sentence in text)])
        if self.sentences == "split":
            return located.moved([start for start, _ in sentence_spans(text)])
        return located  # places in a str that was not split are right already

    def match(self, peer: LocatedText, model: LocatedText) -> tuple[bytes, bytes]:
        """For each token of both texts whether it made a hit."""
        reading = self._reading()
        return match_located(peer, model, self.kind, quirks=reading["quirks"], max_cells=reading["max_cells"])

    def look(self, peer: Text, model: Text) -> Matches:
        """The tokens of both texts, and which of them made the hits; offsets count the code points of `plain(text)`."""
        located = self.locate(peer), self.locate(model)
        return Matches.of(*located, self.match(*located))

    def _sentences_of(self, text: Text) -> Text:
        """The text as it is compared: known sentences as given, others by lines or by rules."""
        if self.sentences == "split" and isinstance(text, str):
            return tuple(split_sentences(text))
        return text

    def _reading(self) -> dict[str, Any]:
        """The options of the counting kernels; measures that agree in them share the work."""
        return {
            **{name: getattr(self, name) for name in ("tokens", "stem", "stop", "words", "bytes")},
            # The options are called like the quirks, so that a new one needs a field here and one there, nothing
            # else.
            "quirks": Quirks(**{quirk.name: getattr(self, quirk.name) for quirk in fields(Quirks)}),
            "max_cells": MAX_CELLS if self.max_cells is None else self.max_cells,
        }


def _reading_key(measure: Rouge) -> tuple[Any, ...]:
    """What measures have in common that can share one pass over the texts."""
    return (measure.sentences, *measure._reading().values())


def _warn_of_long_lines(measures: Sequence[Rouge], texts: Sequence[Text]) -> None:
    """L and W compare sentences: warn about lines that are probably several."""
    by_line = [measure for measure in measures if measure.kind.family in ("l", "w")]
    by_line = [measure for measure in by_line if measure.sentences == "lines"]
    if by_line and any(map(_is_long_line, texts)):
        _warn(_LONG_LINES.format(by_line[0].base))


def _is_long_line(text: Text) -> bool:
    """Whether a text is a single line with more words than a sentence usually has."""
    return isinstance(text, str) and "\n" not in text and len(text.split()) > LONG_LINE


def warn_of_other_scripts(texts: Sequence[Text], pairs: Integers, tokenizer: str) -> None:
    """Warn where a tokenizer that reads ASCII sees nothing in a text that has letters: the zero must not be silent.

    Args:
        texts: all of them.
        pairs: which of them have no tokens, or are compared with such a text.
        tokenizer: whose rules are followed.
    """
    for index in np.unique(pairs):
        text = plain(texts[index])
        has_letters = any(map(str.isalpha, text))
        if has_letters and not _ASCII_WORD.search(text):
            warn_of_unread_letters(tokenizer)
            return


def warn_of_unread_letters(tokenizer: str) -> None:
    """Warn that some texts score 0 because a tokenizer reads only ASCII."""
    _warn(_OTHER_SCRIPTS.format(tokenizer))


def _check_counts(kinds: Sequence[OverlapKind], counts: Floats) -> None:
    """W may pass the largest number; and where ROUGE-1.5.5 divides by zero and stops, we go on with 0 and a warning."""
    if not np.isfinite(counts).all():
        raise InputError(
            "ROUGE-W's weighted lengths are too large for a number at this weight and length; choose a smaller "
            "weight (1.2 is usual), or w_weights_model_twice=no"
        )
    of_w = [column for column, kind in enumerate(kinds) if kind.family == "w"]
    if (counts[:, of_w, 1] == 0).any():
        _warn("ROUGE-W is 0 for a model without tokens; ROUGE-1.5.5 divides by zero there and stops")


def _warn(message: str) -> None:
    """Warn at the line of the user who called for scores."""
    warnings.warn(message, MeasureWarning, stacklevel=4)

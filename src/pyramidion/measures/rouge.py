"""ROUGE: n-grams, longest common subsequences and skip-bigrams shared with the models (Lin 2004).

Numbers are those of ROUGE-1.5.5; the options have DUC's defaults. The counting itself is in `text.overlap`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import identity, option
from pyramidion.measures.overlap import OverlapBlock, OverlapMeasure, pair_up
from pyramidion.scores import Evidence, OverlapRule
from pyramidion.text import UNICODE_VERSION
from pyramidion.text.overlap import Kind, Quirks, count_overlaps
from pyramidion.text.sentences import split_sentences

UNLIMITED = -1
_BASE = re.compile(
    r"rouge-(?:(?P<n>[1-9])|(?P<l>l)|w(?P<w>[0-9]+(?:\.[0-9]+)?)|(?P<family>su?)(?P<gap>\*|0|[1-9][0-9]*))"
)


@dataclass(frozen=True, kw_only=True)
class Rouge(OverlapMeasure):
    """ROUGE-N, -L, -W, -S and -SU."""

    kind: Kind = identity()
    tokens: Literal["rouge155", "unicode"] = option("rouge155", "words as ROUGE-1.5.5 sees them, or of any script")
    sentences: Literal["lines", "split"] = option("lines", "a line is a sentence, or split by rules (L and W)")

    su_drops_last_unigram: bool = option(True, "SU never counts the unigram of the last token, as 1.5.5 does")
    w_weights_model_twice: bool = option(True, "W weights the model's length twice, as 1.5.5 does")
    lcs_forgets_bytes: bool = option(True, "under bytes=, L and W cut only sentences too long alone, as 1.5.5 does")
    leading_blank_is_word: bool = option(True, "under words=, a leading blank is an empty first word, as in 1.5.5")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind.family == "w" and self.kind.parameter < 1:
            raise UsageError(f"{self.base}: expected a weight from 1 up")

    @property
    def base(self) -> str:
        """`rouge-2`, `rouge-l`, `rouge-w1.2`, `rouge-s4`, `rouge-su*`."""
        if self.kind.family == "n":
            return f"rouge-{self.kind.parameter:g}"
        if self.kind.family == "l":
            return "rouge-l"
        if self.kind.family == "w":
            return f"rouge-w{self.kind.parameter!r}" if self.kind.parameter % 1 else f"rouge-w{self.kind.parameter:g}"
        gap = "*" if self.kind.parameter == UNLIMITED else f"{self.kind.parameter:g}"
        return f"rouge-{self.kind.family}{gap}"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The kind that a base name means."""
        match = _BASE.fullmatch(base)
        if not match:
            return None
        if match["n"]:
            return {"kind": Kind("n", int(match["n"]))}
        if match["l"]:
            return {"kind": Kind("l")}
        if match["w"]:
            return {"kind": Kind("w", float(match["w"]))}
        gap = UNLIMITED if match["gap"] == "*" else int(match["gap"])
        return {"kind": Kind("su" if match["family"] == "su" else "s", gap)}

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
        """W takes its ratios to 1/w; L and W choose the best model by unrounded recall."""
        return OverlapRule(
            models=self.models,
            alpha=self.alpha,
            exponent=1 / self.kind.parameter if self.kind.family == "w" else 1.0,
            best_by_rounded_recall=self.kind.family not in ("l", "w"),
            rounding=self.rounding,
        )

    def facts(self, *, seed: int) -> Mapping[str, str]:
        """Which Unicode tables the tokens come from."""
        unicode = {"unicode": UNICODE_VERSION} if self.tokens == "unicode" else {}
        return {**super().facts(seed=seed), **unicode}

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """One pass over the texts for all measures that read them in the same way."""
        pairs = pair_up(topics)
        blocks: dict[Self, Sequence[Evidence | None]] = {}
        for reading in dict.fromkeys(measure._reading for measure in measures):
            together = [measure for measure in measures if measure._reading == reading]
            kinds = list(dict.fromkeys(measure.kind for measure in together))
            counts = count_overlaps(
                [split_sentences(text) if reading.split and isinstance(text, str) else text for text in pairs.texts],
                pairs.index,
                kinds,
                tokens=reading.tokens,
                stem=reading.stem,
                stop=reading.stop,
                words=reading.words,
                bytes=reading.bytes,
                quirks=reading.quirks,
            )
            for measure in together:
                blocks[measure] = OverlapBlock(pairs, counts[:, kinds.index(measure.kind)], measure.rule)
        return [blocks[measure] for measure in measures]

    @property
    def _reading(self) -> _Reading:
        return _Reading(
            tokens=self.tokens,
            stem=self.stem,
            stop=self.stop,
            words=self.words,
            bytes=self.bytes,
            split=self.sentences == "split",
            quirks=Quirks(
                su_drops_last_unigram=self.su_drops_last_unigram,
                w_weights_model_twice=self.w_weights_model_twice,
                lcs_forgets_bytes=self.lcs_forgets_bytes,
                leading_blank_is_word=self.leading_blank_is_word,
            ),
        )


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """The options that decide what is counted in a text; measures that share them share the work."""

    tokens: Literal["rouge155", "unicode"]
    stem: bool
    stop: bool
    words: int | None
    bytes: int | None
    split: bool
    quirks: Quirks

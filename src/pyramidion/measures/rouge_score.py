"""ROUGE as the package rouge-score defines it: `rouge1`, `rouge2`, `rougeL`, `rougeLsum`, the numbers of Hugging Face.

Not the numbers of ROUGE-1.5.5 (`rouge-1` and the like, in `measures.rouge`): other tokens, another stemmer, and of
several references the one with the best F, not all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, ClassVar, Literal, Self

from pyramidion.campaign import TopicData, plain
from pyramidion.campaign.nouns import Text
from pyramidion.measures.base import Measure, Need, Rows, grouped, identity, option
from pyramidion.measures.overlap import ColumnBlock, OverlapBlock, pair_up
from pyramidion.measures.rouge import warn_of_other_scripts, warn_of_unread_letters
from pyramidion.scores import Evidence
from pyramidion.scores.overlap import STATISTICS, BestFRule, OverlapRule
from pyramidion.text.languages import WORDS, Profile, Snowball, library_versions
from pyramidion.text.overlap import (
    LocatedText,
    Matches,
    OverlapKind,
    TextTable,
    count_rouge_score,
    locate_text,
    match_located,
)
from pyramidion.text.sentences import sentence_spans, split_sentences
from pyramidion.text.tokens import UNICODE_VERSION, Stems

SUMMARY_LEVEL = "rougeLsum"
_BASE = re.compile(r"rouge([1-9]|L|Lsum)")


@dataclass(frozen=True, kw_only=True)
class RougeScore(Measure):
    """Overlap with the best reference, as rouge-score and Hugging Face compute it; alone, the name means F."""

    needs: ClassVar[frozenset[Need]] = frozenset({"models"})
    statistics: ClassVar[tuple[str, ...] | None] = STATISTICS
    default_statistic: ClassVar[str | None] = "f"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    called: str = identity()
    stem: bool | Snowball = option(
        False, "compare stems (use_stemmer; Porter as in NLTK); snowball-de and the like: stems of another language"
    )
    tokens: Literal["rouge-score", "unicode", "icu"] | Profile = option(
        "rouge-score",
        "rouge-score: words of a–z and 0–9; unicode: words of every script; icu: words of every language; words-1, "
        "characters-1: frozen profiles, in one form",
    )
    sentences: Literal["lines", "split"] = option(
        "lines", "for rougeLsum: each line is a sentence (lines), or split lines into sentences (split)"
    )
    jackknife: bool = option(False, "leave out one model at a time and average")

    @property
    def base(self) -> str:
        """`rouge1`, `rougeL`, `rougeLsum`."""
        return self.called

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """The kind that a base name means."""
        if _BASE.fullmatch(base):
            return {"called": base}
        return None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """The names that people use."""
        return ("rouge1", "rouge2", "rougeL", SUMMARY_LEVEL)

    @property
    def rule(self) -> OverlapRule:
        """The best F, the first of equals.

        Precision, recall and F are those of one reference, the one with the highest F, as in `score_multi` of
        rouge-score; they are not pooled over references as in ROUGE-1.5.5.
        """
        return BestFRule()

    @property
    def micro_rule(self) -> OverlapRule:
        """How counts summed over topics become scores."""
        return self.rule

    def facts(self, *, seed: int) -> Mapping[str, str]:  # noqa: ARG002  # nothing is drawn
        """Which Unicode tables and which libraries the tokens and stems come from."""
        unicode = {"unicode": UNICODE_VERSION} if self.tokens in ("unicode", WORDS) else {}
        return {**unicode, **library_versions(tokens=self.tokens, stem=self.stem)}

    @classmethod
    def gather(cls, measures: Sequence[Self], topics: Sequence[TopicData]) -> list[Sequence[Evidence | None]]:
        """One pass over the texts for all measures that read them in the same way."""
        pairs = pair_up(topics)
        blocks: dict[Self, Sequence[Evidence | None]] = {}
        for together in grouped(measures, attrgetter("stem", "tokens", "_splits")).values():
            kinds = list(dict.fromkeys(measure.called for measure in together))
            texts = [together[0]._as_text(text) for text in pairs.texts]
            # Names of measures spell it rouge-score, as the package is called; the kernels as it is imported.
            tokens, stem = together[0].tokens.replace("rouge-score", "rouge_score"), together[0].stem
            counts = count_rouge_score(texts, pairs.index, kinds, tokens=tokens, stem=stem)
            if tokens == "rouge_score":
                warn_of_other_scripts(texts, pairs.index[(counts[:, 0, 1:3] == 0).any(axis=1)], "rouge-score")
            for measure in together:
                blocks[measure] = OverlapBlock(pairs, counts[:, kinds.index(measure.called)], measure.rule)
        return [blocks[measure] for measure in measures]

    @classmethod
    def gather_columns(cls, measures: Sequence[Self], table: TextTable, *, threads: int | None) -> list[ColumnBlock]:
        """Evidence on columns of texts; one pass for all measures that read them in the same way."""
        blocks: dict[Self, ColumnBlock] = {}
        for together in grouped(measures, attrgetter("stem")).values():
            kinds = list(dict.fromkeys(measure.called for measure in together))
            # Snowball's stems never come here: `column_problem` sends them to Python.
            counted = table.count_rouge_score(kinds, stem=bool(together[0].stem), threads=threads)
            if counted.has_unread_letters:
                warn_of_unread_letters("rouge-score")
            for measure in together:
                blocks[measure] = ColumnBlock(
                    counted.starts, counted.counts[:, kinds.index(measure.called)], measure.rule
                )
        return [blocks[measure] for measure in measures]

    def column_problem(self) -> str:
        """Why the measure can't score columns of texts; "" if it can."""
        if self._splits:
            return "sentences=split needs Python strings"
        if self.tokens == "rouge-score" and isinstance(self.stem, bool):
            return ""
        return "its tokens or stems need Python strings"

    def look(self, peer: Text, model: Text) -> Matches:
        """The tokens of both texts, and which of them made the hits; offsets count the code points of `plain(text)`.

        rougeLsum is shown by the sentences that it compares, rougeL by the text as one sequence.
        """
        n = self.called.removeprefix("rouge")
        kind = OverlapKind("n", int(n)) if n.isdigit() else OverlapKind("l")
        located = self._locate(peer, kind), self._locate(model, kind)
        return Matches.of(*located, match_located(*located, kind))

    def _locate(self, text: Text, kind: OverlapKind) -> LocatedText:
        """The tokens of a text with their places, its sentences split if that was asked for."""
        # rouge-score stems with NLTK's Porter, which differs from that of ROUGE-1.5.5.
        stem: bool | Stems = "nltk" if self.stem is True else self.stem
        tokens = self.tokens.replace("rouge-score", "rouge_score")
        if self._splits and isinstance(text, str):
            located = locate_text(split_sentences(text), kind, tokens=tokens, stem=stem)
            return located.moved([start for start, _ in sentence_spans(text)])
        located = locate_text(plain(text), kind, tokens=tokens, stem=stem)
        if self.called != "rougeL":
            return located
        whole = [[token.form for token in located.tokens]]  # rougeL takes no notice of lines
        return replace(located, forms=whole, shown_forms=whole)

    @property
    def _splits(self) -> bool:
        """Whether texts are split into sentences: only rougeLsum compares sentences."""
        return self.sentences == "split" and self.called == SUMMARY_LEVEL

    def _as_text(self, text: Text) -> str:
        """A text with a sentence on each line, as rouge-score takes it."""
        if self._splits and isinstance(text, str):
            return "\n".join(split_sentences(text))
        return plain(text)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """With one reference each there is nothing to choose: in one pass over the counts."""
        if isinstance(evidence, OverlapBlock) and not self.jackknife and evidence.is_single:
            return evidence.pooled_rows()
        return super().rows(evidence, topics, seed=seed)

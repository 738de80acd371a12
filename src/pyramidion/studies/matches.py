"""Which words of a summary match each reference: what a ROUGE score counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyramidion.campaign import Summary, TopicData, plain
from pyramidion.errors import InputError, UsageError, did_you_mean
from pyramidion.measures.rouge import Rouge
from pyramidion.tables import Column, Finding, Row, Table, table_of
from pyramidion.text.overlap import MatchedToken, Matches


@dataclass(frozen=True, kw_only=True)
class TokenRow(Row, record="token"):
    """A word of a summary or of a reference, and whether it was counted as a match."""

    model: str
    side: str
    """`peer` or `model`: whose text the word is in."""
    sentence: int
    start: int
    end: int
    form: str
    matched: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedWords(Finding):
    """A summary and its references, word by word."""

    measure: str
    summary: Summary
    found: tuple[tuple[Summary, Matches], ...]
    """Each reference with its matches."""

    def rows(self) -> Iterator[Row]:
        """Every word."""
        for model, matches in self.found:
            for side, tokens in (("peer", matches.peer), ("model", matches.model)):
                for token in tokens:
                    yield TokenRow(
                        model=model.summarizer,
                        side=side,
                        sentence=token.sentence,
                        start=token.start,
                        end=token.end,
                        form=token.form,
                        matched=token.matched,
                    )

    def tables(self) -> list[Table]:
        """Every word in one table."""
        columns = [Column(name) for name in ("model", "side", "form")]
        return [table_of(list(self.rows()), [*columns, "sentence", "start", "end", "matched"], title=self.measure)]

    def marked(self, opening: str = "[", closing: str = "]") -> Iterator[tuple[str, str, str]]:
        """For each reference: a heading, and both texts with their matched words marked."""
        for model, matches in self.found:
            heading = f"{self.measure}: {self.summary.summarizer} and reference {model.summarizer}"
            texts = (plain(self.summary.text), plain(model.text))
            yield (
                heading,
                _marked(texts[0], matches.peer, opening, closing),
                _marked(texts[1], matches.model, opening, closing),
            )


def match_words(topic: TopicData, summarizer: str, measure: Rouge) -> MatchedWords:
    """Compare a summary of a topic with each reference that is not its own."""
    known = {summary.summarizer: summary for summary in topic.peers}
    if summarizer not in known:
        hint = did_you_mean(summarizer, known)
        raise UsageError(f"topic {topic.topic.topic} has no summary by {summarizer!r}{hint} it has: {', '.join(known)}")
    models = [model for model in topic.models if model.summarizer != summarizer]
    if not models:
        raise InputError(f"topic {topic.topic.topic!r} has no reference to compare with; ROUGE needs references")
    peer = known[summarizer]
    found = tuple((model, measure.look(peer.text, model.text)) for model in models)
    return MatchedWords(measure=measure.name(), summary=peer, found=found)


def _marked(text: str, tokens: Sequence[MatchedToken], opening: str, closing: str) -> str:
    pieces, at = [], 0
    for token in tokens:
        if token.matched:
            pieces += [text[at : token.start], opening, text[token.start : token.end], closing]
            at = token.end
    return "".join([*pieces, text[at:]])

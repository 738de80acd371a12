"""Which words of a summary match each reference: what a ROUGE score counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyramidion.campaign import Summary, TopicData, plain
from pyramidion.errors import InputError, check_known
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.show.tables import Finding, Row, Table, table_of
from pyramidion.text.overlap import MatchedToken, Matches


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


class MatchedWords(Finding, repr=True):
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
        columns = ("model", "side", "form", "sentence", "start", "end", "matched")
        return [table_of(list(self.rows()), columns, title=self.measure)]

    def marked(self, opening: str = "[", closing: str = "]") -> Iterator[tuple[str, str, str]]:
        """For each reference: a heading, and both texts with their matched words marked."""
        for model, matches in self.found:
            yield (
                f"{self.measure}: {self.summary.summarizer} and reference {model.summarizer}",
                _marked(plain(self.summary.text), matches.peer, opening, closing),
                _marked(plain(model.text), matches.model, opening, closing),
            )


def match_words(topic: TopicData, summarizer: str, measure: Rouge | RougeScore) -> MatchedWords:
    """Compare a summary of a topic with each reference that is not its own."""
    known = {summary.summarizer: summary for summary in topic.peers}
    check_known(summarizer, known, f"topic {topic.topic.topic} has no summary by {summarizer!r}")
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

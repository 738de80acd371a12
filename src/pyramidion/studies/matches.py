"""Which words of a summary match each reference: what a ROUGE score counts."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.campaign import Summary, TopicData
from pyramidion.errors import InputError, check_known
from pyramidion.measures.rouge import Rouge
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.show.tables import Finding, Row
from pyramidion.text.overlap import Matches


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
    references: tuple[tuple[Summary, Matches], ...]
    """Each reference with its matches."""

    def rows(self) -> Iterator[Row]:
        """Every word."""
        for model, matches in self.references:
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


def match_words(topic: TopicData, summarizer: str, measure: Rouge | RougeScore) -> MatchedWords:
    """Compare a summary of a topic with each reference that is not its own."""
    summaries = {summary.summarizer: summary for summary in topic.peers}
    check_known(summarizer, summaries, f"topic {topic.topic.topic} has no summary by {summarizer!r}")
    models = [model for model in topic.models if model.summarizer != summarizer]
    if not models:
        raise InputError(f"topic {topic.topic.topic!r} has no reference to compare with; ROUGE needs references")
    peer = summaries[summarizer]
    references = tuple((model, measure.look(peer.text, model.text)) for model in models)
    return MatchedWords(measure=measure.name(), summary=peer, references=references)

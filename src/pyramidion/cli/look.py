"""`pyramidion look`: which words made a ROUGE score."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, safe
from pyramidion.cli.scoring import load_data

if TYPE_CHECKING:
    from pyramidion.campaign import Summary, TopicData
    from pyramidion.text.overlap import MatchedToken, Matches


def look(
    data: o.Data,
    topic: Annotated[str, typer.Option("--topic", help="The topic.", show_default=False)],
    summarizer: Annotated[str, typer.Option("--summarizer", help="Whose summary.", show_default=False)],
    measure: Annotated[str, typer.Option("--measure", "-m", help="A ROUGE measure.")] = "rouge-2",
    format: o.FormatOption = o.Format.table,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Look inside a score: the words of a summary and of each model that were counted.

    Example: pyramidion look demo --topic D02 --summarizer 16 -m rouge-2
    """
    from pyramidion.campaign import plain
    from pyramidion.errors import InputError, UsageError
    from pyramidion.measures.registry import select
    from pyramidion.measures.rouge import Rouge

    chosen = select(measure).measure
    if not isinstance(chosen, Rouge):
        raise UsageError(f"one can look inside ROUGE only, not inside {measure}")
    found = load_data(data, strict=strict, quiet=quiet).topic(topic, peers="all")
    peer = _summary_by(summarizer, found)
    models = [model for model in found.models if model.summarizer != summarizer]
    if not models:
        raise InputError(f"topic {topic!r} has no model to compare with; ROUGE needs models")
    looks = [(model, chosen.look(peer.text, model.text)) for model in models]
    if format is o.Format.table:
        for model, matches in looks:
            print(safe(f"{chosen.name()}: {summarizer} against model {model.summarizer}"))
            print(_marked(plain(peer.text), matches.peer), end="\n\n")
            print(_marked(plain(model.text), matches.model), end="\n\n")
    else:
        emit((record for model, matches in looks for record in _records(model, matches)), format)


def _summary_by(summarizer: str, topic: TopicData) -> Summary:
    from pyramidion.errors import UsageError, did_you_mean

    for summary in topic.peers:
        if summary.summarizer == summarizer:
            return summary
    known = [summary.summarizer for summary in topic.peers]
    hint = did_you_mean(summarizer, known)
    raise UsageError(f"topic {topic.topic.topic} has no summary by {summarizer!r}{hint} it has: {', '.join(known)}")


def _records(model: Summary, matches: Matches) -> Iterator[dict[str, Any]]:
    for side, tokens in (("peer", matches.peer), ("model", matches.model)):
        for token in tokens:
            yield {
                "record": "token",
                "model": model.summarizer,
                "side": side,
                "sentence": token.sentence,
                "start": token.start,
                "end": token.end,
                "form": token.form,
                "matched": token.matched,
            }


def _marked(text: str, tokens: Sequence[MatchedToken]) -> str:
    """The text with its matched words marked."""
    opening, closing = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("[", "]")
    pieces, at = [], 0
    for token in tokens:
        if token.matched:
            pieces += [safe(text[at : token.start]), opening, safe(text[token.start : token.end]), closing]
            at = token.end
    return "".join([*pieces, safe(text[at:])])

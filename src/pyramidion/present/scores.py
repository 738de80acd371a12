"""Scores for readers: each of them, averages over topics, and the words of a summary that a ROUGE score counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyramidion.campaign import plain
from pyramidion.present.judge_offsets import offset_sentence
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, columns_of, grouped, table_of
from pyramidion.show.wording import noted, notes_about
from pyramidion.studies.averages import Average, Averages
from pyramidion.studies.matches import MatchedWords
from pyramidion.studies.scores import Scores
from pyramidion.text.overlap import MatchedToken


def score_tables(scores: Scores) -> list[Table]:
    """One table; the signatures, which are long, stand below it, those with the same options in one line."""
    table = scores.table
    columns = ("measure", "topic", "summarizer", "value")
    signatures = [signature for measure in table.measures for signature in table.signatures(measure)]
    return [
        Table(
            record="score",
            title="",
            columns=columns_of(*columns),
            rows=table.frame.select(columns).rows(),
            heads=3,
            sentences=tuple(join_signatures(signatures)),
            notes=tuple(notes_about(table.notes, table.measures)),
        )
    ]


def join_signatures(signatures: Iterable[str]) -> Iterator[str]:
    """Signatures, those that differ in nothing but the name in one line: `rouge-1.f, rouge-2.f|alpha:0.5|…`."""
    by_options = grouped(signatures, lambda signature: signature.partition("|")[2])
    for options, group in by_options.items():
        names = [signature.partition("|")[0] for signature in group]
        yield f"{', '.join(names)}|{options}"


SCORES = Presenter(tables=score_tables)


def average_tables(averages: Averages) -> list[Table]:
    """One table: the averages of every summarizer on every measure, or the counts behind them."""
    options = averages.options
    if options.average == "counts":
        return [
            table_of(
                averages.counts,
                ("measure", "summarizer", "hits", "model_count", "peer_count", "n"),
                record="counts",
                title="Counts, summed over topics",
                heads=2,
            )
        ]
    bootstrap = ""
    if options.bootstrap:
        bootstrap = f"{options.confidence:g} % intervals: {options.bootstrap} bootstrap"
    notes = {average.measure: average.note for average in averages.averages}
    missing = Column("missing", of=lambda average: average.missing or None)
    return [
        table_of(
            averages.averages,
            ("measure", "summarizer", "value", "lower", "upper", "bootstrap_mean", "n", missing),
            record="average",
            title=noted(f"{options.average.capitalize()} averages", bootstrap),
            heads=2,
            notes=(*notes_about(notes, notes), *map(offset_sentence, averages.offsets)),
        )
    ]


AVERAGES = Presenter(tables=average_tables)


def matched_word_tables(words: MatchedWords) -> list[Table]:
    """Every word in one table."""
    columns = ("model", "side", "form", "sentence", "start", "end", "matched")
    return [table_of(list(words.rows()), columns, title=words.measure)]


def marked_texts(words: MatchedWords, opening: str = "[", closing: str = "]") -> Iterator[tuple[str, str, str]]:
    """For each reference: a heading, and both texts with their matched words marked."""
    for model, matches in words.references:
        yield (
            f"{words.measure}: {words.summary.summarizer} and reference {model.summarizer}",
            _mark_tokens(plain(words.summary.text), matches.peer, opening, closing),
            _mark_tokens(plain(model.text), matches.model, opening, closing),
        )


def _mark_tokens(text: str, tokens: Sequence[MatchedToken], opening: str, closing: str) -> str:
    """A text with marks around each token that was matched."""
    pieces = []
    copied = 0
    for token in tokens:
        if token.matched:
            pieces += [text[copied : token.start], opening, text[token.start : token.end], closing]
            copied = token.end
    pieces.append(text[copied:])
    return "".join(pieces)


MATCHED_WORDS = Presenter(tables=matched_word_tables)


def why_no_interval(average: Average) -> str:
    """Why an average has no interval, or no seed."""
    if average.confidence and average.seed is None:
        return "the bootstrap of ROUGE-1.5.5 has its own seed"
    return "no interval: too few topics" if average.confidence else "no interval was asked for (`bootstrap=`)"

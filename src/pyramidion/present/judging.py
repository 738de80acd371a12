"""Requests to a judge and its answers, for people: what is asked, how far it has come, what could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.judging.judge_answers import JudgeReading
from pyramidion.judging.judge_requests import JudgePlan
from pyramidion.judging.sending import JudgeSending
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import counted

SHOWN_UNREAD = 10
"""Answers that can't be read and are shown; records have all of them."""
_ASKED = {"questions": "answer", "coverage": "decision on an SCU", "preferences": "choice"}
_SEVERAL = {"questions": "answers", "coverage": "decisions on SCUs", "preferences": "choices"}
_KINDS = {
    "answered": "answered",
    "refused": "refused by the model",
    "truncated": "cut off at the most tokens",
    "malformed": "not as asked",
    "failed": "failed at the service",
    "missing": "without an answer",
    "repeated": "answered again",
    "unknown": "of other plans",
}


def plan_tables(plan: JudgePlan) -> list[Table]:
    """One table: what is asked, and how many tokens that takes."""
    columns: list[Column | str] = [
        "judge",
        "model",
        "requests",
        Column("asked", "answers asked for"),
        "topics",
        "systems",
        "runs",
        Column("input_tokens", "tokens sent, about"),
        Column("output_tokens", "tokens answered, about"),
    ]
    if plan.planned.cost is not None:
        columns.append(Column("cost", "cost, about", 2))
    return [
        table_of([plan.planned], columns, record="judge-plan", title="Plan", sentences=tuple(_plan_sentences(plan)))
    ]


def _plan_sentences(plan: JudgePlan) -> Iterator[str]:
    planned = plan.planned
    answers = counted(planned.asked, _ASKED[planned.kind], _SEVERAL[planned.kind])
    yield f"{counted(planned.requests, 'request')} to {planned.model} for {answers} written to {planned.output}."
    if planned.already:
        have = counted(planned.already, _ASKED[planned.kind], _SEVERAL[planned.kind])
        yield f"The campaign has {have} of {planned.judge} already; they are not asked for again."
    if planned.cost is None:
        yield "Prices per million tokens (`price_input=`, `price_output=`) give the cost."
    yield f"{planned.plan} keeps what each request means: do not lose it."


PLAN = Presenter(tables=plan_tables)


def sending_tables(sending: JudgeSending) -> list[Table]:
    """How many requests have an answer, and why others have none."""
    columns = ("requests", "answered", Column("before", "answered before"), "unanswered", "repeats")
    tables = [
        table_of(
            [sending.sent],
            columns,
            record="judge-sending",
            title="Requests",
            sentences=tuple(_sending_sentences(sending)),
        )
    ]
    if sending.failures:
        failures = table_of(
            sending.failures, ("why", "count"), record="judge-failure", title="Why requests have no answer"
        )
        tables.append(failures)
    return tables


def _sending_sentences(sending: JudgeSending) -> Iterator[str]:
    sent = sending.sent
    yield f"{sent.answered:,} of {counted(sent.requests, 'request')} have an answer in {sent.answers}."
    if sent.refused:
        yield f"The server refused {counted(sent.refused, 'request')} for good; the file says why."
    if sent.stopped:
        yield "Stopped; the same command goes on where it was."
    elif sent.unanswered:
        yield "The same command asks for the others again."


SENDING = Presenter(tables=sending_tables)


def reading_tables(reading: JudgeReading) -> list[Table]:
    """How many answers there are of each kind, those that can't be read, and what the campaign gets."""
    counts = table_of(
        reading.counts,
        (Column("kind", "requests", of=lambda row: _KINDS[row.kind]), "count"),
        record="judge-reading",
        title=f"Answers of {reading.judge}",
        sentences=tuple(_reading_sentences(reading)),
    )
    tables = [counts]
    if reading.unread:
        shown = reading.unread if reading.lists_all else reading.unread[:SHOWN_UNREAD]
        more = len(reading.unread) - len(shown)
        notes = (f'{more:,} more; `records("judge-unread")` lists all.',) if more > 0 else ()
        columns = (
            Column("kind", "", of=lambda row: _KINDS[row.kind]),
            "id",
            "topic",
            Column("summarizers", "system", of=lambda row: ", ".join(row.summarizers)),
            "found",
            "expected",
        )
        tables.append(
            table_of(
                shown,
                columns,
                record="judge-unread",
                title="Answers that can't be used",
                notes=notes,
            )
        )
    return [*tables, *reading.imported.tables()]


def _reading_sentences(reading: JudgeReading) -> Iterator[str]:
    answered = next((count.count for count in reading.counts if count.kind == "answered"), 0)
    yield f"{answered:,} of {counted(reading.requests, 'request')} were answered as asked."
    if reading.unread:
        yield "Nothing was guessed of the others; another `judge plan` asks for what the campaign still lacks."


READING = Presenter(tables=reading_tables)

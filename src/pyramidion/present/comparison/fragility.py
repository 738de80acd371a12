"""How fragile a comparison is, in words: without which topics another system would lead, or a verdict would change."""

from __future__ import annotations

from collections.abc import Callable

from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import capital, counted, listed
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.comparison.fragility import MOST_REMOVED, Fragility

MOST_NAMED = 8
"""Topics that a sentence names; the records name all of them."""
GREEDY = "found step by step, so fewer topics might do"
VERDICTS = {
    "better": "{a} would be significantly better than {b}",
    "worse": "{b} would be significantly better than {a}",
    "higher": "{a} would be significantly higher than {b}",
    "lower": "{b} would be significantly higher than {a}",
    "equivalent": "{a} and {b} would be equivalent within the margin",
    "not-worse": "{a} would be shown not to be worse than {b} by more than the margin",
    "undecided": "the verdict on {a} and {b} would be undecided",
}
"""By verdict, what would hold without some topics."""


def fragility_tables(comparison: Comparison, measure: str) -> list[Table]:
    """What a removal of topics changes on one measure."""
    rows = comparison.fragility_on(measure)
    if not rows:
        return []
    several = len(comparison.measures) > 1
    table = table_of(
        rows,
        (
            "kind",
            Column("a", of=lambda row: comparison.label(row.a)),
            Column("b", of=lambda row: None if row.b is None else comparison.label(row.b)),
            Column("before", of=lambda row: _shown(row, row.before, comparison)),
            Column("after", of=lambda row: _shown(row, row.after, comparison)),
            Column("n", "topics to remove"),
            "of",
            Column("topics", "which", of=lambda row: listed(row.topics, most=MOST_NAMED) or None),
            "exact",
        ),
        title=f"{measure}: the fewest topics whose removal changes the answer",
        sentences=[
            fragility_sentence(row, comparison.label, measure if several else "", kind=comparison.kind) for row in rows
        ],
        notes=dict.fromkeys(f"{capital(row.note)}." for row in rows if row.note),
        about=measure,
    )
    return [table]


def _shown(row: Fragility, value: str | None, comparison: Comparison) -> str | None:
    """A leader by name, or a verdict."""
    if value is None or row.kind == "verdict":
        return value
    return comparison.label(value)


def fragility_sentence(row: Fragility, label: Callable[[str], str], measure: str = "", *, kind: str = "system") -> str:
    """What changes without some topics: `Without topics D12 and D31, B would lead.`.

    Args:
        row: of a leader or a pair.
        label: a system's name for readers.
        measure: where several measures are compared, which of them it is about.
        kind: what the compared are called, `system` or `summarizer`.
    """
    on_measure = f" on {measure}" if measure else ""
    if row.kind == "verdict":
        return _verdict_sentence(row, label, on_measure)
    leaders = listed([label(name) for name in row.leaders])
    if row.n is None:
        return (
            f"{leaders} leads{on_measure} whichever topics are removed: on none of them is another {kind} better."
            if row.exact
            else f"No removal of topics was found that puts another {kind} ahead of {leaders}{on_measure}."
        )
    if row.n == 0:
        return f"{leaders} share the lead{on_measure}: no topic has to be removed to change it."
    new_leaders = listed([label(name) for name in row.new_leaders])
    doubt = "" if row.exact else f" ({GREEDY})"
    return f"Without {name_topics(row)}, {new_leaders} would lead{on_measure}{doubt}."


def _verdict_sentence(row: Fragility, label: Callable[[str], str], on_measure: str) -> str:
    a, b = label(row.a), label(row.b or "")
    if row.n is None or row.after is None:
        return (
            f"The verdict on {a} and {b}{on_measure} ({row.before}) stays the same without any of the sets of topics "
            f"that were tried, up to half of {counted(row.of, 'topic')}."
        )
    doubt = "" if row.exact else f" ({GREEDY})"
    return f"Without {name_topics(row)}, {VERDICTS[row.after].format(a=a, b=b)}{on_measure}{doubt}."


def name_topics(row: Fragility) -> str:
    """`topic D12`, `topics D12 and D31`, `9 of 50 topics (D1, D2 …)`."""
    if row.n == 1:
        return f"topic {row.topics[0]}"
    if len(row.topics) <= MOST_NAMED:
        return f"topics {listed(row.topics, most=MOST_NAMED)}"
    return f"{row.n} of {counted(row.of, 'topic')} ({listed(row.topics, most=MOST_NAMED)})"


def report_fragility(comparison: Comparison, measure: str) -> list[str]:
    """What a removal of topics changes on a measure, as far as it is found at once."""
    search = comparison.fragility.get(measure)
    if search is None:
        return []
    rows = search.rows if search.is_quick else filter(None, [search.winner])
    return [fragility_sentence(row, comparison.label, kind=comparison.kind) for row in rows]


def why_not_fragile(row: Fragility) -> str:
    """Why no number of topics changes the winner, or the verdict."""
    if row.n is not None:
        return ""
    if row.kind == "winner":
        return f"no other system is ahead of it without some of {counted(row.of, 'topic')}"
    return f"greedy removal of up to {counted(int(MOST_REMOVED * row.of), 'topic')} leaves the verdict as it is"


def note_on_leader(row: Fragility) -> str:
    """By what the leader is chosen, where that is not what the letters compare."""
    if not row.takes_assessors_as_given:
        return ""
    return "who leads goes by mean scores, with the assessors taken as given"

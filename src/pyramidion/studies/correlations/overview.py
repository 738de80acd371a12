"""Correlations at a glance: all coefficients of a measure in one row, and the means behind the scatter plot."""

from __future__ import annotations

from collections.abc import Iterator

from pyramidion.options import Level
from pyramidion.show.tables import Cell, Column, Table, table_of
from pyramidion.show.wording import carried_decimals, listed, noted
from pyramidion.studies.correlations.correlations import Correlations
from pyramidion.studies.correlations.pairs import COUNTED


def overview_table(found: Correlations, target: str, level: Level) -> Table:
    """A row for each measure, the highest agreement first; the strongest value of each coefficient is marked."""
    coefficients = found.options.coefficient
    rows = [
        [found.at(one.measure, target, level=level, coefficient=coefficient) for coefficient in coefficients]
        for one in found.ranked(target)
    ]
    first = rows[0][0]
    made = f"{first.confidence:g} % intervals: Fisher"
    if first.resamples:
        made = f"{first.confidence:g} % intervals: {first.resamples:,} bootstrap samples, seed {first.seed}"
    limits = carried_decimals(first.resamples) if first.resamples else 3
    marked: set[tuple[int, int]] = set()
    for place in range(len(coefficients)):
        strengths = [abs(row[place].value or 0.0) for row in rows]
        marked |= {(strengths.index(max(strengths)), 1 + 3 * place)} if max(strengths) > 0 else set()
    cells: list[list[Cell]] = [
        [row[0].measure, *(value for one in row for value in (one.value, one.lower, one.upper)), row[0].n]
        for row in rows
    ]
    columns = [
        column
        for one in coefficients
        for column in (
            Column("value", one.capitalize(), digits=3),
            *(Column(key, f"{one.capitalize()} {key}", digits=limits) for key in ("lower", "upper")),
        )
    ]
    return Table(
        record="correlation",
        title=noted(f"Correlation with {target}, {level} level", made, found.notes.get(target, "")),
        columns=(Column("measure"), *columns, Column("n", COUNTED[level])),
        rows=cells,
        marked=frozenset(marked),
        notes=("Bold: the strongest correlation of each coefficient.",),
        about=f"{target.removeprefix('question.')}, {level} level",
    )


def points_table(found: Correlations, target: str) -> Table:
    """The means of every summarizer on a measure and on those correlated with it, by falling human score."""
    points = [one for one in found.points if one.with_ == target]
    human = {point.summarizer: point.with_value for point in points}
    means = {(point.summarizer, point.measure): point.value for point in points}
    measures = list(dict.fromkeys(point.measure for point in points))
    order = sorted(human, key=human.__getitem__, reverse=target not in found.lower_is_better)
    return table_of(
        order,
        (
            Column("summarizer", of=lambda who: f"{who} {found.names[who]}" if who in found.names else who),
            Column("kind", of=lambda who: found.kinds.get(who, "participant")),
            Column(target, digits=2, of=human.get),
            *(Column(name, digits=4, of=lambda who, name=name: means.get((who, name))) for name in measures),  # type: ignore[misc]
        ),
        record="mean",
        title=noted("Means of summarizers", found.notes.get(target, "")),
        about=target,
    )


def humans_in_words(found: Correlations, target: str) -> Iterator[str]:
    """Whether each measure scores humans above systems, as the human score does."""
    kinds = {point.summarizer: found.kinds.get(point.summarizer, "participant") for point in found.points}
    if "human" not in kinds.values() or set(kinds.values()) == {"human"}:
        lacking = "systems" if "human" in kinds.values() else "humans"
        yield f"Each point is a summarizer; no {lacking} have both scores."
        return
    ahead: dict[bool, list[str]] = {True: [], False: []}
    for name in dict.fromkeys(point.measure for point in found.points):
        ours, theirs = _by_kind(found, kinds, name, target=False)
        if ours and theirs:
            low = name in found.lower_is_better
            ahead[max(ours) < min(theirs) if low else min(ours) > max(theirs)].append(name)
    ours, theirs = _by_kind(found, kinds, "", target=True)
    verb = "every human is above every system" if min(ours) > max(theirs) else "humans and systems overlap"
    yield (
        f"On {target}, {verb} (humans {min(ours):.2f} to {max(ours):.2f}, systems {min(theirs):.2f} to "
        f"{max(theirs):.2f})."
    )
    if ahead[True]:
        yield f"Every human is also above every system on {listed(ahead[True])}."
    if ahead[False]:
        yield f"On {listed(ahead[False])}, at least one system scores as high as the lowest human, or higher."


def _by_kind(
    found: Correlations, kinds: dict[str, str], measure: str, *, target: bool
) -> tuple[list[float], list[float]]:
    """The means of humans and of systems on a measure, or on what it is correlated with."""
    values = [
        (kinds[one.summarizer], one.with_value if target else one.value)
        for one in found.points
        if target or one.measure == measure
    ]
    return [value for kind, value in values if kind == "human"], [value for kind, value in values if kind != "human"]

"""How measures agree with people: correlations with intervals, and whether the best are told apart."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from pyramidion.reports.context import Context
from pyramidion.reports.figures.correlations import draw_correlations
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.correlations_matrix import matrix
from pyramidion.reports.sections.correlations_people import (
    FEW_MEASURES,
    LEVELS,
    WithPeople,
    human_scores,
    resamples_of,
    with_judgments,
    with_people,
)
from pyramidion.reports.sections.correlations_points import points
from pyramidion.reports.sections.studied import listed, notes_of
from pyramidion.reports.wording import noted, with_interval
from pyramidion.statistics.correlation.coefficients import COEFFICIENTS
from pyramidion.statistics.correlation.levels import Level
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.correlations.tests import CorrelationTest
from pyramidion.wording import p_in_words

FEW_SUMMARIZERS = 10


def make(context: Context) -> Section | None:
    """With people if there is a human score, and of every two measures; None where there is one measure only."""
    context = with_judgments(context)
    if len(context.measures) < 2 or len(context.table.summarizers) < 2:
        return None
    every_two = matrix(context)
    targets = human_scores(context)
    if not targets:
        return replace(every_two, id="correlations", title="How measures agree with each other")
    people = [with_people(context, target) for target in targets]
    first = people[0]
    notes = [*notes_of({one.target: one.note for one in people if one.note}, targets)]
    kinds = {context.campaign.kind_of(who) for who in context.table.summarizers}
    if "human" in kinds and len(kinds) > 1:
        notes.append("Humans are among the summarizers; being far ahead, they lift correlations.")
    low = [name for name in first.found.lower_is_better if name in first.ranked]
    if low:
        notes.append(f"Low is good of {listed(low)}: a good measure has a negative correlation there.")
    return Section(
        id="correlations",
        title="How measures agree with people",
        sentences=tuple(_in_words(context, first)),
        blocks=(_figure(first), *(_table(one, level, number) for number, one in enumerate(people) for level in LEVELS)),
        commands=tuple(_command(context, one) for one in people),
        notes=tuple(notes),
        parts=tuple(part for part in (points(context, first), every_two) if part),
    )


def _in_words(context: Context, people: WithPeople) -> list[str]:
    """Who agrees best, whether the first two are told apart, and how it is inside of topics."""
    automatic = [name for name in people.ranked if name in context.automatic and people.good(name) > -2]
    manual = [name for name in people.ranked if name not in context.automatic and people.good(name) > -2]
    if not automatic and not manual:
        return [f"No measure has a correlation with {people.target} that is defined."]
    said: list[str] = []
    if automatic:
        best = people.at(automatic[0], "system")
        what = "the only automatic measure, has" if len(automatic) == 1 else "agrees best of the automatic measures:"
        comma = "," if len(automatic) == 1 else ""
        said.append(
            f"{best.measure}{comma} {what} Pearson {_value(best, told=True)} with {people.target} over {best.n} "
            "summarizers."
        )
        if best.lower is not None and best.upper is not None and best.lower <= 0 <= best.upper:
            said.append("The interval has 0 inside: not even this could be told from no agreement at all.")
    if len(automatic) > 1:
        next_ = _value(people.at(automatic[1], "system"))
        said.append(f"Next is {automatic[1]} with {next_}; {_apart(people, automatic[:2], context.confidence)}.")
    if manual:
        value = _value(people.at(manual[0], "system"))
        both = sorted((automatic[:1] + manual[:1]), key=people.good, reverse=True)
        test = f"; {_apart(people, both, context.confidence)}" if automatic else ""
        said.append(f"Of what people annotated, {manual[0]} has {value}{test}.")
    said += [
        f"Inside of topics {name} has {_value(inside)}, the mean over {inside.n} topics: how well it tells single "
        "summaries apart, not systems as a whole."
        for name in automatic[:1] or manual[:1]
        if (inside := people.at(name, "topic")).value is not None
    ]
    if (n := people.at(people.ranked[0], "system").n) < FEW_SUMMARIZERS:
        said.append(f"With {n} summarizers only, correlations at system level say little.")
    return said


def _apart(people: WithPeople, two: Sequence[str], confidence: float) -> str:
    """Whether two measures, the better first, are told apart, after correction for all pairs that were tested."""
    first, second = two
    test = _test(people, first, second)
    if test is None or test.p is None:
        return f"the two can’t be tested ({test.reason if test else 'no test was made'})"
    level = 1 - confidence / 100
    pairs = len(people.found.tests)
    corrected = test.p if test.p_adjusted is None else test.p_adjusted
    if test.p >= level:
        return f"{first} and {second} aren’t told apart (Williams’ test, {p_in_words(test.p)})"
    alone = f"Williams’ test, {p_in_words(test.p)}"
    holm = f"{p_in_words(corrected)} after Holm’s correction for {pairs} pairs"
    if corrected >= level:
        return f"{first} and {second} are told apart alone ({alone}), but not among all that were compared ({holm})"
    return f"{first} agrees better than {second} ({alone if pairs == 1 else f'{alone}; {holm}'})"


def _test(people: WithPeople, first: str, second: str) -> CorrelationTest | None:
    pair = {first, second}
    return next((one for one in people.found.tests if {one.first, one.second} == pair), None)


def _value(one: Correlation, *, told: bool = False) -> str:
    return with_interval(one.value or 0.0, one.lower, one.upper, confidence=one.confidence if told else None)


def _figure(people: WithPeople) -> Figure:
    shown = [people.at(name, level) for name in people.ranked for level in LEVELS]
    values = "; ".join(
        f"{name} {_value(people.at(name, 'system'))}" for name in people.ranked[:FEW_MEASURES] if people.good(name) > -2
    )
    return Figure(
        id="correlations-measures",
        caption=noted(
            f"Pearson correlation of each measure with {people.target}, at system level and inside of topics, with "
            f"{shown[0].confidence:g} % intervals",
            people.note,
        ),
        alt=f"Dots with intervals, the best measure first. At system level: {values}.",
        chart=draw_correlations(replace(people.found, correlations=tuple(shown))),
    )


def _table(people: WithPeople, level: Level, number: int) -> Table:
    rows = [[people.at(name, level, coefficient) for coefficient in COEFFICIENTS] for name in people.ranked]
    one = rows[0][0]
    made = (
        "Fisher’s intervals"
        if level == "system"
        else f"bootstrap intervals: {one.resamples} resamples of summarizers and topics, seed {one.seed}"
    )
    rests = "summarizers" if level == "system" else "topics"
    columns = [
        column
        for coefficient in COEFFICIENTS
        for column in (
            Column(name=coefficient.capitalize(), digits=3),
            Column(name=f"{coefficient} lower", digits=3),
            Column(name=f"{coefficient} upper", digits=3),
        )
    ]
    return Table(
        id=f"correlations-{number}-{level}",
        caption=noted(f"Correlation with {people.target}, {level} level", people.note),
        columns=(Column(name="measure", align="left"), *columns, Column(name=rests)),
        rows=[
            [row[0].measure, *(number for cell in row for number in (cell.value, cell.lower, cell.upper)), row[0].n]
            for row in rows
        ],
        marked=_best(rows),
        below=f"{one.confidence:g} % {made}. Marked: the strongest of each coefficient.",
        group="human score",
        choice=f"{people.target.removeprefix('question.')}, {level} level",
    )


def _best(rows: Sequence[Sequence[Correlation]]) -> frozenset[tuple[int, int]]:
    marked: set[tuple[int, int]] = set()
    for number in range(len(COEFFICIENTS)):
        strengths = [abs(row[number].value or 0.0) for row in rows]
        if max(strengths) > 0:
            marked.add((strengths.index(max(strengths)), 1 + 3 * number))
    return frozenset(marked)


def _command(context: Context, people: WithPeople) -> str:
    options = (
        f"--with {shlex.quote(people.target)} --level system --level topic --sides two",
        *(["--test williams"] if len(people.measures) > 1 else []),
        f"--confidence {context.confidence:g} --resamples {resamples_of(context)} --seed {context.seed}",
    )
    return context.command("correlate", *options, measures=[*people.measures])

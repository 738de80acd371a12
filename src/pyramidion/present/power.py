"""Power in words: how many topics are needed, and which differences numbers of topics detect."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.comparison.analysis_notes import scope_of_assessors
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Cell, Column, Table, columns_of, grouped
from pyramidion.show.wording import capital, counted, noted, percent
from pyramidion.studies.comparison.assessors import FixedAssessors
from pyramidion.studies.power import Power, PowerStatement

_GAPS = {
    "": "",
    "few-shared-topics": "the pair has fewer than two topics in common",
    "few-common-topics": "a pilot needs two summarizers with at least two topics in common",
    "few-common-clusters": "a pilot needs two summarizers with topics of at least two clusters in common",
    "no-spread": "differences do not vary in the pilot, so it does not show how many topics are needed",
    "small-pilot": "the pilot is too small for limits",
    "small-difference": "the difference is too small for any feasible number of topics",
    "perhaps-more-assessors": (
        "some variances that the pilot allows need more assessors, however many topics there are"
    ),
}
"""By what keeps a statement from being made: why."""

GOALS = {
    "": "Detecting a difference of {:g}",
    "not-worse": "Showing that one of two equal systems is not worse by more than {:g}",
    "equivalent": "Showing that two equal systems differ by less than {:g}",
}
"""By what is planned for, how a sentence begins."""
FAMILY_TESTS = {"tukey": "Tukey's test", "paired": "paired t tests with Holm's correction"}


def power_tables(power: Power) -> list[Table]:
    """A table for each measure and pair: what numbers of topics detect."""
    return [_table_of(power, statements) for statements in _by_measure_and_pair(power)]


def power_answer(power: Power) -> tuple[str, ...]:
    """How many topics each measure needs, if a difference was asked for."""
    are_several = len(_by_measure_and_pair(power)) > 1
    sentences = []
    for statement in power.statements:
        sentence = needed_topics_sentence(statement)
        if sentence:
            sentences.append(f"{statement.measure}: {sentence}" if are_several else sentence)
    return tuple(sentences)


def _by_measure_and_pair(power: Power) -> list[list[PowerStatement]]:
    groups = grouped(power.statements, lambda statement: (statement.measure, statement.a, statement.b))
    return list(groups.values())


def _table_of(power: Power, statements: Sequence[PowerStatement]) -> Table:
    """What numbers of topics detect of one measure and pair."""
    first = statements[0]
    systems = f"{first.a} and {first.b}" if first.a else "any two summarizers"
    power_to_reach = f"{power.options.power_in_percent:g}"
    pilot = ""
    if first.sd:
        pilot = f"standard deviation of differences {first.sd:.5g} on {counted(first.pilot_topics, 'topic')}"
    return Table(
        record="power",
        title=noted(
            f"{first.measure}, {systems}: smallest difference detected with {power_to_reach} % power",
            f"significance level {first.alpha:g}",
            pilot,
            first.note,
        ),
        columns=columns_of(
            "topics",
            Column("difference", "detectable difference"),
            "lower",
            "upper",
            Column("power", f"power for {power.options.difference or 0:g}"),
            Column("family_power", "power among all pairs"),
        ),
        rows=_rows_of(statements) if first.sd else [],
        sentences=tuple(filter(None, map(needed_topics_sentence, statements))),
        notes=tuple(filter(None, (*_reasons(statements), _unspoken_scope(statements)))),
        about=noted(first.measure, systems if first.a else ""),
    )


def _rows_of(statements: Sequence[PowerStatement]) -> list[list[Cell]]:
    """A row for each number of topics: what it detects, and the power for the difference that was asked for."""
    rows: dict[int, list[Cell]] = {}
    for statement in statements:
        topics = statement.topics or 0
        if statement.solved == "difference":
            rows[topics] = [statement.topics, statement.difference, statement.lower, statement.upper, None, None]
        elif statement.solved == "power":
            rows[topics][-2:] = [statement.power, statement.family_power]
    return list(rows.values())


def needed_topics_sentence(statement: PowerStatement) -> str:
    """How many topics are needed, if that was solved for and is known; with random assessors, if none suffices."""
    if statement.solved != "topics" or statement.power is None:
        return ""
    scope = scope_sentence(statement)
    if statement.topics is None:
        return f"{capital(statement.reason)}. {scope}" if statement.assessors == "random" else ""
    more = statement.topics - statement.pilot_topics
    have = f"you have {statement.pilot_topics:,}"
    if more > 0:
        have = f"{more:,} more than your {statement.pilot_topics:,}"
    limits = ""
    if statement.fewest_of_pairs and statement.most_of_pairs:
        least, most = statement.fewest_of_pairs, statement.most_of_pairs
        limits = f" (on average over pairs; single pairs need {least:,} to {most:,})"
    elif statement.lower and statement.upper:
        limits = f" (between {statement.lower:,g} and {statement.upper:,g}, given this pilot)"
    elif statement.lower:
        limits = f" (at least {statement.lower:,g}, given this pilot)"
    needed = counted(statement.topics, "topic")
    if statement.clusters is not None:
        needed += f" in {counted(statement.clusters, 'cluster')} of the pilot's size ({statement.cluster})"
    purpose = GOALS[statement.goal].format(statement.difference)
    sentence = f"{purpose} with {100 * statement.power:g} % power needs {needed}: {have}{limits}."
    return " ".join(filter(None, (sentence, family_sentence(statement), scope)))


def family_sentence(statement: PowerStatement) -> str:
    """The power where all pairs are tested; nothing if that was not simulated."""
    if statement.family_power is None or statement.family_systems is None:
        return ""
    pairs = statement.family_systems * (statement.family_systems - 1) // 2
    spread = ""
    if statement.family_lower is not None and statement.family_upper is not None:
        spread = f", from {percent(statement.family_lower)} to {percent(statement.family_upper)} by pair"
    return (
        f"This is for two systems named beforehand; among all {pairs:,} pairs of {statement.family_systems} systems "
        f"({FAMILY_TESTS[statement.family_test]}) the power is {percent(statement.family_power)}{spread} (simulated)."
    )


def scope_sentence(statement: PowerStatement) -> str:
    """Which assessors the numbers hold for; nothing for automatic measures."""
    model = statement.assessor_model
    if model is None:
        return ""
    if isinstance(model, FixedAssessors):
        scope = scope_of_assessors(model)
        return f"Assessors are treated as fixed. {scope}" if scope else ""
    judgments = counted(model.judgments, "judgment")
    return (
        f"Assessors are treated as a random sample, with {counted(model.count, 'assessor')} and {judgments} of each "
        "summary, as in the pilot."
    )


def _reasons(statements: Sequence[PowerStatement]) -> list[str]:
    """Why something is undefined, each reason once, unless a sentence has said it."""
    spoken = needed_topics_sentence(statements[0])
    reasons = [statement.reason for statement in statements if "reason" in statement.fields()]
    return [f"{capital(reason)}." for reason in dict.fromkeys(reasons) if capital(reason) not in spoken]


def _unspoken_scope(statements: Sequence[PowerStatement]) -> str:
    """Which assessors the numbers hold for, unless a sentence has said it."""
    return "" if any(map(needed_topics_sentence, statements)) else scope_sentence(statements[0])


def draw_power(power: Power) -> Chart:
    """The smallest detectable difference by number of topics: a panel for each measure and pair."""
    groups: dict[str, list[PowerStatement]] = {}
    for statement in power.statements:
        if statement.solved == "difference" and statement.difference is not None:
            groups.setdefault(_panel_title(statement), []).append(statement)
    if not groups:
        raise InputError("there is no detectable difference to draw")
    panels = [_panel(title, points) for title, points in groups.items()]
    return vl.finished("Smallest detectable difference by number of topics", {"vconcat": panels})


def _panel_title(statement: PowerStatement) -> str:
    systems = f": {statement.a} and {statement.b}" if statement.a and statement.b else ""
    note = f", {statement.note}" if statement.note else ""
    power = f"{100 * (statement.power or 0):g} % power, α {statement.alpha:g}"
    return f"{statement.measure}{systems} ({power}{note})"


def _panel(title: str, points: Sequence[PowerStatement]) -> vl.Spec:
    rows = [
        {"topics": point.topics, "value": point.difference, "lower": point.lower, "upper": point.upper}
        for point in points
    ]
    scale = {"type": "log", "nice": False}
    difference = {"title": "smallest detectable difference", "scale": scale}
    topics = vl.quantity("topics", title="number of topics", scale=scale)
    colour = {"value": vl.ACCENT}
    return vl.curves(rows, difference, band=0.15, size=(420, 240), title=vl.label(title), x=topics, color=colour)


POWER = Presenter(tables=power_tables, answer=power_answer, figure=draw_power)


def why_unknown(statement: PowerStatement) -> str:
    """Why what was solved for, or one of its limits, is undefined."""
    if statement.gap == "one-cluster":
        return f"so few topics make fewer than two clusters of {statement.cluster_size:.3g} topics"
    if statement.gap == "more-assessors":
        return _more_assessors_needed(statement)
    return _GAPS[statement.gap]


def _more_assessors_needed(statement: PowerStatement) -> str:
    """That these assessors rank systems so differently that topics alone do not help."""
    if statement.assessor_model is None or statement.difference is None or statement.power is None:
        return ""
    return (
        f"no number of topics detects a difference of {statement.difference:g} with {100 * statement.power:g} % power "
        f"and {counted(statement.assessor_model.count, 'assessor')}, who differ in their ranking of systems: plan more "
        "assessors (`design`)"
    )

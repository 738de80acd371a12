"""What a campaign holds, who is in it, and what it lacks, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyramidion.campaign.inspection.completeness import complete_table
from pyramidion.campaign.inspection.inspect import Inspection
from pyramidion.files.problems import PLACES, Problem
from pyramidion.measures.names import parse
from pyramidion.options import DescribeOptions
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Section
from pyramidion.show.tables import Column, Finding, Table, grouped, table_of
from pyramidion.show.wording import counted
from pyramidion.studies.description import Description, MeasureCoverage
from pyramidion.studies.roster import KIND_ORDER, Roster


def tables(description: Description) -> list[Table]:
    """One table: what there is, and how many of it."""
    return [table_of(description.facts, ("what", "value"), title=description.name)]


DESCRIPTION = Presenter(tables=tables)


def roster_tables(roster: Roster) -> list[Table]:
    """One table of all summarizers; columns that say nothing are left out."""
    columns: list[Column | str] = [
        "id",
        Column("name", of=lambda member: member.name or None),
        Column("organisation", of=lambda member: member.organisation or None),
        "kind",
        "topics",
        "judged",
    ]
    # Most campaigns have no pyramids, and a column of zeros would suggest that they should.
    if any(member.annotated for member in roster.members):
        columns.append("annotated")
    return [
        table_of(
            roster.members,
            columns,
            record="roster",
            title=f"Roster of {roster.campaign}" if roster.campaign else "Roster",
            sentences=roster_sentences(roster),
        )
    ]


def roster_sentences(roster: Roster) -> Iterator[str]:
    """How many summarizers there are of each kind, and who has no summary."""
    if not roster.members:
        yield "No summarizers."
        return
    counts = Counter(member.kind for member in roster.members)
    kinds = ", ".join(counted(counts[kind], kind) for kind in KIND_ORDER if counts[kind])
    yield f"{counted(len(roster.members), 'summarizer')}: {kinds}."
    without_summary = [member.id for member in roster.members if not member.topics]
    if without_summary:
        yield f"Without any summary: {', '.join(without_summary)}."


ROSTER = Presenter(tables=roster_tables)


# The section of a report

MOST_PROBLEMS = 50
"""Kinds of warnings that the page lists."""


def data_section(
    context: SectionContext, description: Finding, inspection: Inspection, coverage: Sequence[MeasureCoverage]
) -> Section:
    """What the data has, what is missing, and what the checks found."""
    sentences = tuple(_data_sentences(context, inspection, coverage))
    blocks = [
        _contents_table(description),
        _problem_table(inspection),
        _incomplete_table(inspection),
        _missing_table(context, coverage),
    ]
    return Section(
        id="data",
        title="The data",
        finding=sentences[0].rstrip("."),
        appendix=True,
        sentences=(*sentences, *filter(None, [context.campaign.description])),
        blocks=tuple(block for block in blocks if block is not None),
        commands=(
            context.command("describe", (), DescribeOptions()),
            # `check` reads whole files: it knows no choice of topics or systems.
            context.command_line("check", chosen=False),
        ),
    )


def _data_sentences(
    context: SectionContext, inspection: Inspection, coverage: Sequence[MeasureCoverage]
) -> Iterator[str]:
    """What the checks found, and whether scores or anything else is missing."""
    problems = f"{counted(inspection.warnings, 'warning')} and no errors" if inspection.warnings else "No problems"
    yield f"{problems} found in the data."
    if context.campaign.summaries and not inspection.whole:
        yield "The texts are too large to be inspected as a whole: they were only read and checked one by one."
    unscored = _count_unscored(context)
    incomplete_measures = sum(1 for row in coverage if row.missing)
    # Only a campaign that was looked at as a whole can be called complete.
    is_complete = bool(
        inspection.whole and inspection.completeness and not any(row.missing for row in inspection.completeness)
    )
    if incomplete_measures:
        yield f"{incomplete_measures} of {len(coverage)} measures lack scores for some systems on some topics."
    elif is_complete and not unscored:
        yield "No outputs, judgments or scores are missing."
    else:
        yield "Every system has a score on every topic that a measure covers."
    for measure, count in unscored.items():
        summaries = counted(count, "summary", "summaries")
        yield f"{measure}: no value for {summaries}, because the data lacks what the measure needs."


def _count_unscored(context: SectionContext) -> dict[str, int]:
    """Summaries without a value, by measure."""
    unscored = dict(context.table.unscored)
    # Pyramid scores are among the default measures; who has no pyramids and did not ask for them does not miss them.
    if context.asked_measures or context.campaign.pyramids:
        return unscored
    return {measure: count for measure, count in unscored.items() if parse(measure).base not in ("pyramid", "nugget")}


def _contents_table(description: Finding) -> Table:
    """How many there are of everything."""
    (table,) = description.tables()
    rows = [row for row in table.rows if row[0] not in ("name", "description")]  # these are on top of the page
    return replace(table, title="What the campaign has", rows=rows)


def _missing_table(context: SectionContext, coverage: Sequence[MeasureCoverage]) -> Table | None:
    """Measures that lack scores or do not cover all topics; None if there are none."""
    total = context.table.topic_total
    incomplete = [row for row in coverage if row.missing or row.topics != total]
    if not incomplete:
        return None
    return Table(
        record="missing",
        title="Measures that do not cover everything",
        columns=(
            Column("measure"),
            Column("summarizers", "systems"),
            Column("topics"),
            Column("missing", "missing scores"),
        ),
        rows=[(row.measure, row.systems, row.topics, row.missing) for row in incomplete],
        notes=(f"The campaign has {counted(total, 'topic')}.",),
    )


def _incomplete_table(inspection: Inspection) -> Table | None:
    """What is missing, a line for each kind of thing that should be complete."""
    rows = [row for row in inspection.completeness if row.missing]
    return replace(complete_table(rows), title="What is missing") if rows else None


def _problem_table(inspection: Inspection) -> Table | None:
    """The warnings, those of a kind in one line."""
    warnings = [problem for problem in inspection if problem.severity == "warning"]
    kinds = list(grouped(warnings, Problem.kind).values())
    if not kinds:
        return None
    shown = kinds[:MOST_PROBLEMS]
    # An inspection keeps only the first of very many problems, but counts them all.
    left_out = inspection.warnings - sum(map(len, shown))
    return Table(
        record="problem",
        title="Warnings",
        columns=(Column("found"), Column("expected"), Column("remedy", "what to do"), Column("place", "where")),
        rows=[[_describe_kind(kind), kind[0].expected, kind[0].remedy, _list_places(kind)] for kind in shown],
        notes=(f"{left_out:,} more are not shown.",) if left_out > 0 else (),
    )


def _describe_kind(problems: Sequence[Problem]) -> str:
    """What was found, in the words of the first problem of its kind."""
    first = problems[0]
    field = f"{first.field}: " if first.field not in ("", "text") else ""
    such_as = "such as " if len({problem.found for problem in problems}) > 1 else ""
    times = f" ({len(problems):,} times)" if len(problems) > 1 else ""
    return f"{field}{such_as}{first.found}{times}"


def _list_places(problems: Sequence[Problem]) -> str:
    """The file, and the first lines."""
    file = problems[0].file
    lines = [str(problem.line) for problem in problems if problem.line is not None]
    if not lines:
        return file
    more = ", …" if len(lines) > PLACES else ""
    return f"{file}:{', '.join(lines[:PLACES])}{more}"

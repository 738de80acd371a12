"""A report: the sections of an evaluation are made, laid out and written as one HTML file."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.errors import InputError, MissingExtraError
from pyramidion.files import atomic_writer
from pyramidion.files.opening import stem_of
from pyramidion.files.targets import check_output
from pyramidion.measures.registry import files_in_measures
from pyramidion.options import ReportOptions
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections import SECTIONS, make_answer
from pyramidion.show.wording import counted, listed
from pyramidion.studies.deciding import PREFERENCES, find_programs

if TYPE_CHECKING:
    from pyramidion.reports.layout import Heading
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.run.score_cache import Measures

TRUTH = "imported.simulated-"
"""How the true scores of simulated texts begin."""
SEE_COVERAGE = "see-coverage"
WITHOUT_SCORES = ("assessors", "data", "methods")
"""Sections that do not need scores: where only preferences decide."""
LONGEST_LEAD = 200
"""Characters of the description on the first screen."""
LONGEST_WORD = 50
MOST_NAMES = 4
"""Files whose names make a title; of more, the first is named."""


def write_report(
    path: Path, evaluation: Evaluation, measures: Measures | None = None, options: ReportOptions | None = None
) -> Path:
    """Make all sections, lay them out and write the page, whole or not at all; returns its path.

    Raises:
        UsageError: if the page would overwrite the data, or another file that is read.
    """
    files = evaluation.data.files
    for named_file in files_in_measures(measures):
        files.note_read(named_file)
    # replace: an old report of the same name may be overwritten; what the report is made of may not.
    check_output(path, evaluation.data.output_conflicts, replace=True)
    # Files that only reading reveals, such as those that a configuration names, are refused when they are opened.
    with files.expecting(path):
        context, sections = make_sections(evaluation, measures, options or ReportOptions())
        from pyramidion.reports.layout import render_page

        page = render_page(_heading(context), sections)
        with atomic_writer(path) as file:
            file.write(page.encode())
    return path


def make_sections(
    evaluation: Evaluation, measures: Measures | None, options: ReportOptions
) -> tuple[Context, list[Section]]:
    """All sections, and what they draw on."""
    _require_extra()  # a missing extra is better known before the work than after it
    evaluation.campaign  # noqa: B018  # read whole, once, before anything is scored
    shown = _with_coverage(evaluation, _without_truth(evaluation, measures))
    chosen = _with_decided(evaluation, shown, options.decide)
    context = Context(evaluation=evaluation, chosen=chosen, options=options)
    names = [name for name in SECTIONS if not options.sections or name in options.sections]
    if not context.comparison.standings:
        if not context.roles.is_decided_by_preferences:
            raise InputError("there are no scores to report; `pyramidion check` and `describe` show what the data has")
        names = [name for name in names if name in WITHOUT_SCORES]
    sections = [make_answer(context)]
    for name in names:
        if evaluation.progress:
            evaluation.progress("sections of the report", 1, len(names))
        section = SECTIONS[name](context)
        if section:
            sections.append(section)
    return context, sections


def _require_extra() -> None:
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise MissingExtraError("a report", "report") from None


def _without_truth(evaluation: Evaluation, measures: Measures | None) -> Measures | None:
    """Unless they were asked for, not the true scores behind simulated texts: they are no measures."""
    if measures is not None or not evaluation.campaign.simulated:
        return measures
    names = evaluation.table().measures
    without_truth = [name for name in names if not name.startswith(TRUTH)]
    has_both = 0 < len(without_truth) < len(names)
    if has_both:
        return without_truth
    return None


def _with_coverage(evaluation: Evaluation, measures: Measures | None) -> Measures | None:
    """Unless other measures were asked for, also SEE coverage where assessors marked it."""
    if measures is not None or not evaluation.campaign.coverage:
        return measures
    return [*evaluation.table().measures, SEE_COVERAGE]


def _with_decided(evaluation: Evaluation, measures: Measures | None, decide: str | None) -> Measures | None:
    """The measures of the report, with the one that is to decide."""
    if decide is None or decide == PREFERENCES:
        return measures
    selections = evaluation.select(decide)
    names = evaluation.table(measures).measures
    if any(selection.among(names) for selection in selections):
        return measures
    shown = names if measures is None else measures
    return [*evaluation.select(shown), *selections]


def _heading(context: Context) -> Heading:
    from pyramidion.reports.layout import Heading

    campaign = context.campaign
    description = lead(campaign.description)
    return Heading(
        title=context.options.title or _title(context.evaluation),
        date=_today() if context.options.date is None else context.options.date,
        compared=_compared(context),
        description=description,
        cut=description != campaign.description,
        simulated=_simulated(campaign.simulated),
    )


def _title(evaluation: Evaluation) -> str:
    """The campaign's name; the names of all files where several tables are one campaign, called after the first."""
    name = evaluation.campaign.name or "Evaluation"
    stems = [stem_of(Path(path)) for path in evaluation.data.paths]
    if len(stems) < 2 or name != stems[0]:
        return name
    return ", ".join(stems) if len(stems) <= MOST_NAMES else f"{name} and {len(stems) - 1} other files"


def _today() -> str:
    today = datetime.now().astimezone()
    return f"{today.day} {today:%B %Y}"


def lead(description: str) -> str:
    """The first sentences of a description, without what only programs read; the section on the data has all of it."""
    first = ""
    for sentence in re.split(r"(?<=[.!?])\s+", description.replace("`", "")):
        if any(len(word) > LONGEST_WORD for word in sentence.split()):
            continue
        if len(first) + len(sentence) > LONGEST_LEAD:
            return first or f"{sentence[:LONGEST_LEAD].rpartition(' ')[0]} …"
        first = f"{first} {sentence}".strip()
    return first


def _simulated(what: str) -> str:
    """What is simulated, in a sentence."""
    if not what:
        return ""
    parts = [{"judgments": "human scores"}.get(part, part) for part in re.split(r",\s*", what)]
    if all(part in ("texts", "human scores") for part in parts):
        return f"The {listed(parts)} are simulated."
    return f"Simulated in this campaign: {what}."


def _compared(context: Context) -> str:
    """What was compared, in one line."""
    campaign = context.campaign
    systems, topics = context.table.summarizers, len(context.table.topics)
    if context.preferred and not systems:
        systems, topics = tuple(sorted(context.preferred.systems)), context.preferred.topics
    programs = find_programs(campaign)
    by_programs = sum(judgment.assessor in programs for judgment in campaign.judgments)
    names = [context.comparison.label(system) for system in systems]
    parts = [
        listed(names) if len(names) == 2 else counted(len(names), context.comparison.kind),
        counted(topics, "topic"),
        _count_some(len(context.comparison.measures), "measure"),
        _count_some(len(campaign.judgments) - by_programs, "human score"),
        _count_some(by_programs, "score by a judge", "scores by judges"),
        _count_some(len(context.preferred.counting) if context.preferred else 0, "preference"),
    ]
    return " · ".join(filter(None, parts))


def _count_some(count: int, what: str, plural: str = "") -> str:
    """`12 topics`; nothing if there are none."""
    if not count:
        return ""
    return counted(count, what, plural)

"""The page: what is known of the campaign and its summarizers, as HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.campaign.problems import printable
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.files import atomic_writer
from pyramidion.reports.figures import interval_plot
from pyramidion.reports.remarks import remarks_on
from pyramidion.scores import ScoreTable
from pyramidion.studies import Comparison, Standing
from pyramidion.version import VERSION


def write_report(path: Path, campaign: Campaign, table: ScoreTable, comparison: Comparison) -> Path:
    """Render the page and write it, whole or not at all."""
    if not comparison.standings:
        raise InputError(
            "there is not a single score to report; `pyramidion check` and `describe` say what the data has"
        )
    page = render_report(campaign, table, comparison)
    with atomic_writer(path) as file:
        file.write(page.encode())
    return path


def render_report(campaign: Campaign, table: ScoreTable, comparison: Comparison) -> str:
    """The page as text; everything that comes from the data is escaped."""
    try:
        import jinja2
    except ImportError:
        raise MissingExtraError("a report", "report") from None
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, finalize=_clean
    )
    template = environment.from_string(
        resources.files("pyramidion.reports").joinpath("templates/page.html").read_text(encoding="utf-8")
    )
    names = {who: _label(campaign, who) for who in table.summarizers}
    sections = [
        {
            "measure": measure,
            "family": measure.rpartition(".")[0],
            "statistic": "." + measure.rpartition(".")[2],
            "standings": comparison.leaderboard(measure),
            "number": _number_format(comparison.leaderboard(measure)),
            "remark": " ".join(filter(None, (remarks_on(table, measure), comparison.remarks.get(measure)))),
            "findings": _findings(comparison, measure),
            "adjusted": _is_adjusted(comparison, measure),
            "figure": interval_plot(comparison.leaderboard(measure), names),
            "signatures": table.signatures(measure),
            "note": table.notes.get(measure, ""),
        }
        for measure in comparison.measures
    ]
    return template.render(
        campaign=campaign,
        facts=_facts(campaign, table),
        overview=_overview(comparison, names),
        sections=sections,
        names=names,
        comparison=comparison,
        unscored=table.unscored,
        version=VERSION,
    )


def _findings(comparison: Comparison, measure: str) -> list[str]:
    """What the tests say about a measure, in plain words."""
    analysis = comparison.analysis(measure)
    note = f"{analysis.note[0].upper()}{analysis.note[1:]}." if analysis.note else ""
    pairs = [pair.sentence for pair in comparison.pairs if pair.measure == measure]
    return [sentence for sentence in (*analysis.sentences(), note, *pairs) if sentence]


def _is_adjusted(comparison: Comparison, measure: str) -> bool:
    """Whether cells are missing, so that letters compare other means than the plain ones."""
    anova = comparison.analysis(measure).anova
    return anova is not None and anova.missing > 0 and bool(comparison.analysis(measure).adjusted)


def _number_format(standings: Sequence[Standing]) -> str:
    """For all numbers of a measure alike: four decimals for shares, two for ratings and larger numbers."""
    return "%.4f" if all(abs(standing.value) <= 1 for standing in standings) else "%.2f"


def _clean(value: Any) -> Any:
    """Text from the data without control characters; line breaks stay, and what is markup already is left alone."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return "\n".join(map(printable, value.split("\n")))
    return value


def _label(campaign: Campaign, summarizer: str) -> str:
    name = campaign.name_of(summarizer)
    return summarizer if name == summarizer else f"{summarizer} {name}"


def _facts(campaign: Campaign, table: ScoreTable) -> list[tuple[str, int]]:
    facts = [
        ("topics", len(table.topics)),
        ("summarizers", len(table.summarizers)),
        ("scores", len(table)),
        ("judgments", len(campaign.judgments)),
    ]
    return [(what, count) for what, count in facts if count]


def _overview(comparison: Comparison, names: dict[str, str]) -> list[dict[str, Any]]:
    """Summarizers × measures, in the order of the first measure."""
    cells = {(standing.summarizer, standing.measure): standing for standing in comparison.standings}
    order = dict.fromkeys(standing.summarizer for standing in comparison.standings)
    return [
        {"name": names[summarizer], "cells": [cells.get((summarizer, measure)) for measure in comparison.measures]}
        for summarizer in order
    ]

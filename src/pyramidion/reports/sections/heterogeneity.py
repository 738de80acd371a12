"""How diverse the measures are, how far each agrees with quality, and what they are worth together."""

from __future__ import annotations

from pyramidion.errors import InputError, UsageError
from pyramidion.measures import Derived, select
from pyramidion.measures.hbr import DEFAULT_COLUMNS
from pyramidion.options import HeterogeneityOptions
from pyramidion.present.heterogeneity import draw_heterogeneity, headline, measure_label
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import listed
from pyramidion.studies.heterogeneity import HeterogeneityStudy

MOST_MEASURES = 24
MOST_PAIRS = 4_000_000
"""Ordered pairs of summaries of one topic, over all topics; with more, the section is left out."""
ID = "heterogeneity"
TITLE = "Heterogeneity of measures"


def make(context: Context) -> Section | None:
    """AUC of each measure and of HBR with the human score that counts most, robustness, and heterogeneity."""
    quality = context.reference
    if quality is None:
        return None
    measures = _measures(context, quality)
    if len(measures) < 2 or context.few_systems:
        return None
    options = HeterogeneityOptions(with_=quality)
    asked = () if set(measures) == set(DEFAULT_COLUMNS) else measures
    repeat = context.command("study heterogeneity", asked, options)
    pairs = sum(count * (count - 1) for count in context.table.only([quality]).frame["topic"].value_counts()["count"])
    if pairs > MOST_PAIRS:
        sentence = f"{pairs:,} pairs of summaries are too many for this page; the command compares them."
        finding = "Not computed: too many pairs of summaries"
        return Section(id=ID, title=TITLE, finding=finding, sentences=(sentence,), commands=(repeat,), appendix=True)
    try:
        study = context.evaluation.study_heterogeneity(measures, **vars(options))
    except InputError:  # no summary has all of the scores
        return None
    if all(one.auc is None for one in study.aucs):
        return None
    tables = [table for table in study.tables() if not table.detail]
    others = [name for name in context.automatic if name not in (*study.measures, quality)]
    note = f"Not combined here: {listed(others)} (derived from others, or more than {MOST_MEASURES} measures)."
    return Section(
        id=ID,
        title=TITLE,
        finding=headline(study),
        appendix=True,
        sentences=tuple(study.sentences()),
        blocks=(_figure(study), *tables),
        commands=(repeat,),
        notes=(note,) if others else (),
        mark=context.table.notes.get(quality, ""),
    )


def _measures(context: Context, quality: str) -> list[str]:
    """ROUGE by recall, precision and F where there are references, then the other automatic measures of the table."""
    references = any(summary.kind == "model" for summary in context.campaign.summaries)
    others = (name for name in context.automatic if name != quality and not _is_derived(name))
    return list(dict.fromkeys([*(DEFAULT_COLUMNS if references else ()), *others]))[:MOST_MEASURES]


def _is_derived(name: str) -> bool:
    """Whether a measure is computed from others; a column of someone's own is not."""
    try:
        return isinstance(select(name).measure, Derived)
    except UsageError:
        return False


def _figure(study: HeterogeneityStudy) -> Figure:
    shown = ", ".join(f"{measure_label(study, one.measure)} {one.auc:.2f}" for one in study.aucs if one.auc is not None)
    return Figure(
        id=f"{ID}-figure",
        caption=f"(a) Agreement with {study.quality} by diversity (heterogeneity) of the measures that agree; (b) AUC "
        f"of each measure and of HBR; (c) their robustness: mean rank by AUC in the worst {study.options.worst:g} % of "
        "topics; (d) AUC on topics where every measure has AUC > ½.",
        alt=f"AUC from best to worst: {shown}.",
        draw=lambda: draw_heterogeneity(study),
    )

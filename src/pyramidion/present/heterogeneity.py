"""The study of heterogeneity for people: AUC and robustness of measures and of HBR, and how diverse measures are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyramidion.errors import mention_call
from pyramidion.measures.names import parse
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import counted, in_words, listed, notes_about, number, ordinal, percent
from pyramidion.studies.heterogeneity import HeterogeneityStudy, InconsistentTopic, MeasureAuc, SetHeterogeneity

SIGNIFICANCE = 0.05
FEWEST_WORST_TOPICS = 5
"""With fewer worst topics than this, robustness says little."""
EXTREMES = 3
"""How many of the most and of the least heterogeneous pairs of measures are shown."""
STRONG_PATTERN = 0.5
"""Beyond this correlation over bins, heterogeneity is said to go with quality, or against it."""


def tables(study: HeterogeneityStudy) -> list[Table]:
    """AUC and robustness, heterogeneity of sets; on request bins and inconsistent topics."""
    shown = [auc_table(study), set_table(study)]
    if study.bins:
        shown.append(
            table_of(study.bins, ("h", "probability", "n"), title="Pairs by heterogeneity", heads=0, detail=True)
        )
    if study.inconsistent:
        measures = Column("measures", of=lambda topic: ", ".join(topic.measures))
        columns = ("topic", "lowest", measures)
        title = "Topics in which some measures have AUC ≤ ½"
        shown.append(table_of(study.inconsistent, columns, title=title, detail=True))
    columns_of_topics = ("consistent", "n", "worst", "bin_correlation")
    shown.append(table_of([study.summary], columns_of_topics, title="Consistent topics", heads=0, detail=True))
    return shown


def measure_label(study: HeterogeneityStudy, measure: str) -> str:
    """A measure's name as readers see it: the combination is called HBR."""
    return "HBR" if measure == study.hbr else measure


def auc_table(study: HeterogeneityStudy) -> Table:
    """AUC and robustness of each measure and of HBR, best first."""
    worst = f"{study.options.worst:g} %"
    measure = Column("measure", of=lambda row: measure_label(study, row.measure))
    robustness = Column("robustness", f"robustness (worst {worst})", digits=2)
    return table_of(
        study.aucs,
        (measure, "rank", "auc", "pooled", robustness, "robustness_rank", "consistent", "t", "p", "n"),
        title=f"AUC against {study.quality}, and robustness",
        marks={"auc": lambda row: row.rank == 1, "robustness": lambda row: row.robustness_rank == 1},
        sentences=(_rank_sentence(study), _robustness_sentence(study), _test_sentence(study)),
        notes=(
            "AUC: how often a measure agrees which of two summaries is better, averaged over topics; pooled: over the "
            "pairs of all topics.",
            "Robustness: in each topic, the measures and HBR are ranked by AUC, from 0 (lowest) to 1 (highest); the "
            f"mean of these ranks over the {worst} of topics where the measure ranks lowest.",
            f"Consistent: {study.summary.consistent} of {study.summary.n} topics, where every measure has AUC > ½.",
            "t and p: paired test of HBR minus the measure over topics, not corrected for the number of tests.",
            *notes_about(study.notes, [*study.measures, study.quality]),
        ),
    )


def set_table(study: HeterogeneityStudy) -> Table:
    """H of all measures and of those of one statistic, then the pairs that contradict each other most and least."""
    larger_sets = [row for row in study.sets if len(row.measures) != 2]
    # With 21 measures there are 210 pairs: only the ends say something.
    pairs = sorted((row for row in study.sets if row not in larger_sets), key=lambda row: row.value or 0.0)
    shown_pairs = pairs
    if len(pairs) > 2 * EXTREMES:
        shown_pairs = [*pairs[:EXTREMES], *pairs[-EXTREMES:]]
    return table_of(
        [*larger_sets, *reversed(shown_pairs)],
        (
            Column("set", of=lambda row: _set_name(study, row)),
            Column("measures", of=lambda row: len(row.measures)),
            Column("value", "heterogeneity", digits=3),
        ),
        title="Heterogeneity: share of pairs of summaries on which two measures of a set contradict each other",
        sentences=(_contradiction_sentence(study), _pattern_sentence(study), _consistency_sentence(study)),
        notes=_set_notes(study, hidden_pairs=len(pairs) - len(shown_pairs)),
    )


def _set_notes(study: HeterogeneityStudy, *, hidden_pairs: int) -> list[str]:
    """On how many pairs of summaries heterogeneity is estimated, and how many pairs of measures are not shown."""
    sampled = "sampled " if study.options.sample else ""
    same_topic = " of the same topic" if study.options.pairs == "topic" else ""
    notes = [f"Estimated on {sampled}{counted(study.pairs, 'pair')} of summaries{same_topic}."]
    left_out = study.sets[0].left_out
    if left_out:
        notes.append(f"{counted(left_out, 'pair')} without a value on every measure left out.")
    if hidden_pairs:
        notes.append(
            f"Shown are the pairs of measures that contradict each other most and least; {hidden_pairs} lie between."
        )
    return notes


def _set_name(study: HeterogeneityStudy, row: SetHeterogeneity) -> str:
    """What the table calls a set of measures."""
    if len(row.measures) <= 2:
        return " and ".join(row.measures)
    if len(row.measures) == len(study.measures):
        return "all measures"
    (statistic,) = {parse(name).statistic or "" for name in row.measures}
    return f"all {statistic}" if statistic else "those without statistics"


def headline(study: HeterogeneityStudy) -> str:
    """Which measure agrees best with quality, and whether the combination does better, in one line."""
    hbr, best = study.hbr_auc, study.best_single
    if hbr.auc is None or hbr.rank is None:
        value = "" if best.auc is None else f": {best.auc:.3f}"
        return f"{best.measure} has the highest AUC{value}"
    is_tested = best.p is not None and best.p < SIGNIFICANCE
    if hbr.rank > 1:
        verdict = "does not beat the best of them"
    elif best.auc is not None and best.rank == 1:
        verdict = "has the same AUC as the best of them"
    elif is_tested:
        verdict = "beats the best of them"
    else:
        verdict = "is not significantly better than the best of them"
    combined = f"Combining {counted(len(study.measures), 'measure')} (HBR)"
    return f"{combined} {verdict}: AUC {hbr.auc:.3f}, {best.measure} {best.auc:.3f}"


def _rank_sentence(study: HeterogeneityStudy) -> str:
    """Where HBR ranks by AUC, whatever the rank is."""
    hbr, best = study.hbr_auc, study.best_single
    measures = counted(len(study.measures), "measure")
    combined = f"HBR (heterogeneity-based ranking), a combination of {measures} that uses no human scores,"
    if hbr.auc is None or hbr.rank is None:
        return f"{combined} has no AUC against {study.quality} here."
    agreement = f"it agrees with {study.quality} on {percent(hbr.auc)} of the pairs of summaries (AUC {hbr.auc:.3f})"
    best_single = f"{best.measure} ({best.auc:.3f})"
    ranked = f"{combined} ranks {ordinal(hbr.rank)} of {len(study.aucs)}: {agreement}"
    if hbr.rank == 1:
        return f"{ranked}; the highest single measure is {best_single}."
    better_count = sum(row.rank is not None and row.rank < hbr.rank for row in study.aucs)
    better = counted(better_count, "single measure has", "single measures have")
    return f"{ranked}; {better} a higher AUC; the best is {best_single}."


def _robustness_sentence(study: HeterogeneityStudy) -> str:
    """Where HBR ranks on the worst topics; empty if these are too few to say anything."""
    hbr = study.hbr_auc
    # A share such as 20 % of 10 topics must not become three topics by rounding errors.
    worst_topics = max(1, math.ceil(study.options.worst / 100 * study.summary.n - 1e-9))
    if hbr.robustness_rank is None or worst_topics < FEWEST_WORST_TOPICS:
        return ""
    most_robust = [row.measure for row in study.aucs if row.robustness_rank == 1 and row.measure != study.hbr]
    leaders = ""
    if hbr.robustness_rank > 1 and most_robust:
        leaders = f"; most robust: {listed(most_robust)}"
    return (
        f"On the topics where each measure does worst ({study.options.worst:g} %: {counted(worst_topics, 'topic')}), "
        f"HBR ranks {ordinal(hbr.robustness_rank)}{leaders}."
    )


def _test_sentence(study: HeterogeneityStudy) -> str:
    """How many measures differ from HBR by the paired test over topics."""
    tested = [row for row in study.aucs if row.p is not None and row.t is not None]
    if not tested:
        return ""
    # HBR itself has no test against itself; its row has no p.
    significant_t = [row.t or 0 for row in tested if (row.p or 0) < SIGNIFICANCE]
    beaten = in_words(sum(t > 0 for t in significant_t), none="none")
    ahead = in_words(sum(t < 0 for t in significant_t), none="none")
    return (
        f"HBR is significantly better than {beaten} of the {len(tested)} measures and significantly worse than {ahead} "
        f"(paired t-tests over topics, p < {SIGNIFICANCE:g}, not corrected)."
    )


def _contradiction_sentence(study: HeterogeneityStudy) -> str:
    """How often measures contradict each other."""
    value = study.sets[0].value
    if value is None:
        return ""
    return f"On {percent(value)} of the pairs, two or more measures contradict each other."


def _pattern_sentence(study: HeterogeneityStudy) -> str:
    """Figure 1 of the paper: does corroboration by diverse measures speak for quality?"""
    correlation = study.summary.bin_correlation
    if correlation is None:
        return ""
    pattern = "How dissimilar the measures that prefer a summary are says little about whether humans prefer it"
    if correlation > STRONG_PATTERN:
        pattern = "The more dissimilar the measures that prefer the same summary, the more often humans prefer it too"
    elif correlation <= -STRONG_PATTERN:
        pattern = "The more dissimilar the measures that prefer the same summary, the less often humans prefer it"
    return f"{pattern} (Pearson {number(correlation)} over the means of {counted(len(study.bins), 'bin')} of pairs)."


def _consistency_sentence(study: HeterogeneityStudy) -> str:
    """In how many topics every measure agrees with quality, and in which not."""
    consistent, topics = study.summary.consistent, study.summary.n
    where = "every topic" if consistent == topics else f"{consistent} of {counted(topics, 'topic')}"
    sentence = f"In {where}, every measure agrees with {study.quality} on more than half of the pairs (AUC > ½)."
    if not study.inconsistent:
        return sentence
    failing = [f"{topic.topic} ({_failing_measures(study, topic)})" for topic in study.inconsistent]
    all_topics = mention_call("records", "inconsistent-topic")
    return f"{sentence} Not so in {listed(failing, most=3)}; {all_topics} lists them all."


def _failing_measures(study: HeterogeneityStudy, topic: InconsistentTopic) -> str:
    """The measures that fail in a topic."""
    if len(topic.measures) == len(study.measures) and len(study.measures) > 1:
        return "none of them does"
    return listed(topic.measures, most=2)


SHADES = {"HBR": vl.INK, "recall": "#0b6e99", "f": "#56b4e9", "precision": "#b9c7d1", "other": "#e69f00"}
"""As in the paper's bars: HBR black, recall and F dark, precision light."""
WIDTH = 360


def draw_heterogeneity(study: HeterogeneityStudy) -> Chart:
    """Figures 1 to 4 of the paper: pairs by heterogeneity, bars of AUC, of robustness, of AUC on consistent topics."""
    topics = study.summary
    consistent = f"(d) AUC on the {topics.consistent} of {topics.n} topics where every measure has AUC > ½"
    auc = _bars(study, "auc", f"(b) AUC against {study.quality}")
    robustness = _bars(study, "robustness", f"(c) robustness (worst {topics.worst:g} % of topics)")
    rows = [[_bins_panel(study), auc], [robustness, _bars(study, "consistent", consistent)]]
    panels = {"vconcat": [{"hconcat": row, "spacing": 50} for row in rows], "spacing": 40}
    return vl.finished("Heterogeneity of measures", panels)


def _bins_panel(study: HeterogeneityStudy) -> vl.Spec:
    """A point for each bin of pairs: heterogeneity across, quality up."""
    rows = [{"h": bin_.h, "probability": bin_.probability} for bin_ in study.bins]
    probability = ["P(Q(s) ≥ Q(s′))", vl.label(f"Q = {study.quality}")]
    return vl.panel(
        rows,
        vl.layer("circle", {}, color=vl.ACCENT, size=40, opacity=0.8),
        size=(WIDTH, 300),
        x=vl.quantity("h", title="(a) heterogeneity of the measures that corroborate an increase"),
        y=vl.quantity("probability", title=probability, scale={"zero": False}),
    )


def _bars(study: HeterogeneityStudy, field: str, title: str) -> vl.Spec:
    """A bar for each measure that has a value in a field, the longest first."""
    values = [(row.measure, getattr(row, field)) for row in study.aucs]
    defined_values = [(measure, value) for measure, value in values if value is not None]
    rows = [
        {"measure": vl.label(measure_label(study, measure)), "value": value, "kind": _shade(measure, study)}
        for measure, value in sorted(defined_values, key=lambda pair: -pair[1])
    ]
    kinds = [kind for kind in SHADES if any(row["kind"] == kind for row in rows)]
    return vl.panel(
        rows,
        vl.layer("bar", {}),
        size=(WIDTH, {"step": 18}),
        x=vl.quantity("value", title=vl.label(title), axis={"titleLimit": 420}),
        y=vl.category("measure", sort=vl.in_order(rows, "measure"), title=None),
        color=vl.category("kind", title=None, scale={"domain": kinds, "range": [SHADES[kind] for kind in kinds]}),
    )


def _shade(measure: str, study: HeterogeneityStudy) -> str:
    """By what a bar is coloured: HBR, the statistic of a measure, or neither."""
    if measure == study.hbr:
        return "HBR"
    statistic = parse(measure).statistic
    return statistic if statistic in SHADES else "other"


HETEROGENEITY = Presenter(tables=tables, figure=draw_heterogeneity)


SECTION_ID = "heterogeneity"
SECTION_TITLE = "Heterogeneity of measures"


def section(study: HeterogeneityStudy, context: SectionContext, command: str, notes: Sequence[str]) -> Section:
    """AUC of each measure and of HBR with the human score that counts most, robustness, and heterogeneity."""
    return Section(
        id=SECTION_ID,
        title=SECTION_TITLE,
        finding=headline(study),
        appendix=True,
        sentences=tuple(study.sentences()),
        blocks=(_section_figure(study), auc_table(study), set_table(study)),
        commands=(command,),
        notes=tuple(notes),
        mark=context.notes.get(study.quality, ""),
    )


def _section_figure(study: HeterogeneityStudy) -> Figure:
    """The four figures of the paper, with words for those who can't see them."""
    defined_aucs = [row for row in study.aucs if row.auc is not None]
    values = ", ".join(f"{measure_label(study, row.measure)} {row.auc:.2f}" for row in defined_aucs)
    return Figure(
        id=f"{SECTION_ID}-figure",
        caption=f"(a) Agreement with {study.quality} by diversity (heterogeneity) of the measures that agree; (b) AUC "
        f"of each measure and of HBR; (c) their robustness: mean rank by AUC in the worst {study.options.worst:g} % of "
        "topics; (d) AUC on topics where every measure has AUC > ½.",
        alt=f"AUC from best to worst: {values}.",
        draw=lambda: draw_heterogeneity(study),
    )


def left_out_section(pairs: int, command: str) -> Section:
    """A section that only says that there are too many pairs of summaries, and which command compares them."""
    return Section(
        id=SECTION_ID,
        title=SECTION_TITLE,
        finding="Not computed: too many pairs of summaries",
        sentences=(f"{pairs:,} pairs of summaries are too many for this page; the command compares them.",),
        commands=(command,),
        appendix=True,
    )


def why_no_auc(row: MeasureAuc) -> str:
    """Why a number of a measure's row may be undefined."""
    if row.rank is None:
        return "no topic has two summaries of different quality that both have a value"
    if row.is_hbr:
        return "HBR is not tested against itself"
    return "too few topics, or no difference from HBR, or no consistent topic"

"""How far assessors agree, for readers: Krippendorff's α, pairs of assessors, intraclass correlations, confusions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyramidion.errors import InputError
from pyramidion.measures.names import question_in_words
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.judgments.assessors import assessor_label
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Cell, Column, Table, columns_of, grouped, table_of
from pyramidion.show.wording import listed, noted, number, percent, with_interval
from pyramidion.studies.judgments.agreement import (
    RELIABLE,
    TENTATIVE,
    Confusion,
    JudgmentAgreement,
    QuestionAlpha,
    QuestionPair,
)

MOST_PAIRS = 100
"""Pairs of assessors that a section of the report shows."""
FEWEST_SUMMARIES = 10
"""Summaries that the heading of a section needs to say how far assessors agree."""


def tables(agreement: JudgmentAgreement) -> list[Table]:
    """α by question and metric, intraclass correlations, pairs of assessors, and the confusions that were asked for."""
    shown = [alpha_table(agreement)]
    if any(icc.icc is not None for icc in agreement.iccs):
        shown.append(icc_table(agreement))
    if agreement.pairs:
        shown.append(pair_table(agreement, agreement.pairs))
    shown += map(confusion_table, agreement.confusions)
    return shown


def alpha_table(agreement: JudgmentAgreement) -> Table:
    """Krippendorff's α by question and metric, and what it means."""
    options = agreement.options
    interval = f"{options.confidence:g} % intervals over topics: jackknife"
    if options.over == "summaries":
        interval = (
            f"{options.confidence:g} % intervals: {options.resamples:,} bootstrap samples of summaries, seed "
            f"{agreement.seed}"
        )
    undefined = [alpha for alpha in agreement.alphas if "reason" in alpha.fields()]
    notes = list(dict.fromkeys(f"{alpha.question}: {alpha.reason}." for alpha in undefined))
    if options.confusion and not agreement.confusions:
        notes.append(f"No summary was judged by both {' and '.join(options.confusion)}.")
    return table_of(
        agreement.alphas,
        ("question", "metric", "alpha", "lower", "upper", "n", "assessors", "pair_agreement"),
        title=noted("Krippendorff's α", interval, agreement.note),
        heads=2,
        sentences=alpha_sentences(agreement),
        notes=notes,
    )


def icc_table(agreement: JudgmentAgreement) -> Table:
    """How far one assessor's answers, or the mean of all, follow what the summaries deserve."""
    return table_of(
        agreement.iccs,
        ("question", "icc", "lower", "upper", "icc_mean", "assessors", "n"),
        title=noted(f"Intraclass correlation, {agreement.confidence:g} % intervals", agreement.note),
        notes=("ICC(2,1): of one assessor's answers; ICC(2,k): of the mean of all assessors.",),
    )


def pair_table(agreement: JudgmentAgreement, pairs: Sequence[QuestionPair]) -> Table:
    """Some or all pairs of assessors, on the summaries that both judged."""
    names = (
        Column("a", of=lambda pair: assessor_label(pair.a)),
        Column("b", of=lambda pair: assessor_label(pair.b)),
    )
    return table_of(
        pairs,
        ("question", *names, "exact", "within_one", "difference", "pearson", "kappa", "n"),
        title=noted("Pairs of assessors, on summaries that both judged", agreement.note),
        heads=3,
        notes=("Shares of equal answers and of answers at most 1 apart; a − b below 0: a is stricter.",),
    )


def confusion_table(confusion: Confusion) -> Table:
    """How often two assessors gave which answers: a row for each answer of the first, a column for the second's."""
    a_label, b_label = assessor_label(confusion.a), assessor_label(confusion.b)
    rows: list[list[Cell]] = []
    for value, counts in zip(confusion.values, confusion.counts, strict=True):
        rows.append([f"{value:g}", *map(int, counts)])
    title = f"{confusion.question}: {a_label} (rows) and {b_label} (columns)"
    return Table(
        record="confusion",
        title=noted(title, f"n = {confusion.n}", confusion.note),
        columns=columns_of("answer", *(f"{value:g}" for value in confusion.values)),
        rows=rows,
        about=f"{confusion.question}: {a_label}, {b_label}",
    )


def alpha_sentences(agreement: JudgmentAgreement) -> Iterator[str]:
    """On which questions assessors agree most and least, and whether that is enough by convention."""
    ranked = sorted(agreement.headline_alphas(), key=lambda alpha: -(alpha.alpha or 0.0))
    if not ranked:
        return
    best, worst = ranked[0], ranked[-1]
    confidence = agreement.confidence
    best_alpha = with_interval(best.alpha, best.lower, best.upper, confidence=confidence)
    basis = f"On the {_count_range(ranked)} summaries judged by at least two assessors"
    if len(ranked) == 1:
        yield f"{basis}, {best.metric} α of {best.question} is {best_alpha}."
    elif best.alpha == worst.alpha:
        yield f"{basis}, {best.metric} α of each of the {len(ranked)} questions is {number(best.alpha or 0.0)}."
    else:
        # An order of questions is not claimed: α of two questions is not tested here.
        yield f"{basis}, α is highest for {best.question}: {best.metric} α = {best_alpha}."
        yield (
            f"It is lowest for {worst.question}: {worst.metric} α = {alpha_with_interval(worst)}; "
            f"{percent(worst.pair_agreement or 0.0)} of pairs of answers are equal.{_order_caution(best, worst)}"
        )
    yield "α is 1 for perfect agreement and 0 for agreement by chance."
    yield convention_sentence(ranked)
    if prevailing := [alpha.question for alpha in ranked if alpha.has_prevailing_answer]:
        yield (
            f"α is low for {listed(prevailing)} although most answers are equal: one answer prevails, so chance "
            "alone would make most answers equal."
        )


def _is_order_shown(best: QuestionAlpha, worst: QuestionAlpha) -> bool:
    """Whether the intervals of two questions do not overlap, so that their order is hardly chance."""
    # Intervals of two questions on the same summaries are not independent: this is stricter than a test.
    return best.lower is not None and worst.upper is not None and best.lower > worst.upper


def _order_caution(best: QuestionAlpha, worst: QuestionAlpha) -> str:
    """A warning where the order of two questions may be chance."""
    if _is_order_shown(best, worst):
        return ""
    if best.lower is None or worst.upper is None:
        return " Without intervals, the order of the two may be chance."
    return " Their intervals overlap, so the order of the two may be chance."


def alpha_with_interval(alpha: QuestionAlpha) -> str:
    """α with its interval: `0.71 (0.64 to 0.78)`."""
    return with_interval(alpha.alpha, alpha.lower, alpha.upper)


def convention_sentence(alphas: Sequence[QuestionAlpha]) -> str:
    """Where the whole interval of each question lies, by the convention of the field."""
    places = grouped(alphas, _place_of_interval)
    parts = [f"{place} for {listed([alpha.question for alpha in group])}" for place, group in places.items()]
    return (
        "By convention (Krippendorff 2004), answers are reliable if α is at least 0.8, and allow tentative conclusions "
        f"from 0.667. Here the interval {'; it '.join(parts)}."
    )


def _place_of_interval(alpha: QuestionAlpha) -> str:
    """On which side of the conventional limits the interval lies; one that crosses a limit is left open."""
    if alpha.lower is None and alpha.upper is None:
        return "is undefined"
    if alpha.lower is not None and alpha.lower >= RELIABLE:
        return "lies above 0.8"
    if alpha.lower is not None and alpha.lower >= TENTATIVE:
        return "lies above 0.667"
    if alpha.upper is not None and alpha.upper < TENTATIVE:
        return "lies below 0.667"
    return "is too wide to tell"


def _count_range(alphas: Sequence[QuestionAlpha]) -> str:
    """How many summaries the α rest on: `64`, or `60 to 64` where questions differ."""
    counts = sorted({alpha.n for alpha in alphas})
    if len(counts) == 1:
        return f"{counts[0]:,}"
    return f"{counts[0]:,} to {counts[-1]:,}"


def draw_alphas(agreement: JudgmentAgreement, *, landmarks: Sequence[float] = ()) -> Chart:
    """Krippendorff's α of every question with its interval, by metric; landmarks are dashed lines."""
    rows = [
        vl.interval(alpha.question, alpha.alpha, alpha.lower, alpha.upper, group=alpha.metric)
        for alpha in agreement.alphas
        if alpha.alpha is not None
    ]
    if not rows:
        raise InputError("there is no α to draw: no summary was judged by two assessors, or all answers are equal")
    dashed_lines = []
    if landmarks:
        dashed_lines.append(vl.rules("x", landmarks, color=vl.INK, opacity=0.5, strokeDash=[4, 3]))
    panel = vl.intervals(
        rows, {"title": "Krippendorff’s α"}, legend="metric", size=(360, {"step": 16}), under=dashed_lines
    )
    return vl.titled(f"Agreement between assessors, {agreement.confidence:g} % intervals", agreement.note, panel)


def section(agreement: JudgmentAgreement, context: SectionContext) -> Section:
    """α with its interval and what it means, and the pairs of assessors with the most summaries in common."""
    table = alpha_table(agreement)
    blocks: list[Table | Figure] = [table]
    if agreement.headline_alphas():
        blocks.insert(0, _alpha_figure(agreement))
    # Thirty assessors are 435 pairs: those with the most summaries in common say the most.
    largest_pairs = sorted(agreement.pairs, key=lambda pair: -pair.n)[:MOST_PAIRS]
    if largest_pairs:
        blocks.append(pair_table(agreement, [pair for pair in agreement.pairs if pair in largest_pairs]))
    notes: tuple[str, ...] = ()
    if len(agreement.pairs) > MOST_PAIRS:
        notes = (f"Of {len(agreement.pairs)} pairs, the {MOST_PAIRS} with the most summaries in common are shown.",)
    return Section(
        id="agreement",
        title="Agreement of assessors",
        finding=_heading(agreement),
        mark=agreement.note,
        sentences=table.sentences,
        blocks=tuple(blocks),
        commands=(context.command_line("judgments agreement", options=agreement.options),),
        notes=notes,
    )


def _heading(agreement: JudgmentAgreement) -> str:
    """Between which values α lies, or that it rests on too few summaries; nothing where no α is defined."""
    ranked = sorted(agreement.headline_alphas(), key=lambda alpha: -(alpha.alpha or 0))
    if not ranked:
        return ""
    most_summaries = max(alpha.n for alpha in ranked)
    if most_summaries < FEWEST_SUMMARIES:
        return f"Too few summaries were judged by several assessors to measure agreement: {most_summaries}"
    best, worst = ranked[0], ranked[-1]
    if best is worst:
        return f"Assessors agree on {question_in_words(best.question)} with α = {number(best.alpha or 0)}"
    high, low = number(best.alpha or 0), number(worst.alpha or 0)
    if not _is_order_shown(best, worst):
        # As an answer, an order that may be chance would be taken for a finding.
        return (
            f"Krippendorff's α of the questions lies between {low} ({question_in_words(worst.question)}) and {high} "
            f"({question_in_words(best.question)})"
        )
    return (
        f"Assessors agree best on {question_in_words(best.question)} (α = {high}) and least on "
        f"{question_in_words(worst.question)} ({low})"
    )


def _alpha_figure(agreement: JudgmentAgreement) -> Figure:
    """The α of one metric, with the limits that the field goes by."""
    alphas = tuple(agreement.headline_alphas())
    values = "; ".join(f"{alpha.question} {alpha_with_interval(alpha)}" for alpha in alphas)
    caption = (
        f"Krippendorff's α ({alphas[0].metric}) with {agreement.confidence:g} % intervals; dashed lines at "
        f"{TENTATIVE} and {RELIABLE}"
    )
    return Figure(
        id="agreement-alpha",
        caption=noted(caption, agreement.note),
        alt=f"Dots with intervals: {values}.",
        draw=lambda: draw_alphas(replace(agreement, alphas=alphas), landmarks=(TENTATIVE, RELIABLE)),
    )


AGREEMENT = Presenter(tables=tables, figure=draw_alphas)

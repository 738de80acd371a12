"""Pyramids for readers: scores, agreement of annotators, what summarizers express and miss, consensus, drawings.

The section of a report comes last.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from pyramidion.errors import InputError
from pyramidion.options import PyramidShowOptions
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Block, Section
from pyramidion.pyramids.coverage import PyramidCoverage, SummarizerShare, TopScu
from pyramidion.pyramids.diagnosis import Diagnosis, Difficulty, ScuStanding, Tier
from pyramidion.pyramids.optimal import Optimal
from pyramidion.pyramids.reliability.across import ScoresAcross
from pyramidion.pyramids.reliability.agreement import PyramidAgreement, across_rows
from pyramidion.pyramids.scores import PyramidScoring
from pyramidion.pyramids.view import PyramidView
from pyramidion.show.tables import Column, Table, columns_of, notes_of, table_of
from pyramidion.show.wording import capital, counted, in_words, notes_about, percent, shortened

MOST_LISTED = 10
"""SCUs that a table lists."""
MOST_TIERS = 8
"""Tiers that have a column of their own."""
LONGEST_LABEL = 240
"""Letters of an SCU's label, or of a topic's title, that are shown."""
_IN_MOST = "those in more than half of the references"


# Scores


def scoring_tables(scoring: PyramidScoring) -> list[Table]:
    """One table: D, X, Max and the scores of every peer."""
    options = scoring.options
    basis = ""
    if options.order is not None:
        basis = f", means over all sub-pyramids of order {options.order}"
    elif options.jackknife:
        basis = ", means over leaving out one model at a time"
    elif options.model:
        basis = f", models {', '.join(options.model)}"
    return [
        table_of(
            scoring.scores,
            (
                *("topic", "summarizer", "annotator", "order", "D", "X"),
                *(Column("max", "Max(X)"), Column("x_average", "X′"), Column("max_average", "Max(X′)")),
                *("original", "modified", "comprehensive"),
            ),
            record="pyramid",
            title=f"Pyramid scores{basis} (rounding of X′: {options.rounding})",
            heads=3,
            notes=notes_of(scoring.scores),
        )
    ]


SCORING = Presenter(tables=scoring_tables)


# Agreement of annotators


def agreement_tables(agreement: PyramidAgreement) -> list[Table]:
    """Krippendorff's α of each topic; if asked for, scores across annotations."""
    annotators = Column("names", "annotators", of=lambda alpha: ", ".join(map(_annotator_label, alpha.annotators)))
    title = f"Krippendorff's α ({agreement.options.confidence:g} % confidence intervals)"
    limits: tuple[str, ...] = ("lower", "upper")
    notes = notes_of(agreement.alphas)
    if not agreement.options.resamples:
        title = "Krippendorff's α of annotators"
        limits = ()
        notes = tuple(note for note in notes if not note.startswith("No interval was asked for"))
    alphas = table_of(
        agreement.alphas,
        ("topic", "unit", "distance", "alpha", *limits, "n", "observed", "expected", annotators),
        record="alpha",
        title=title,
        heads=3,
        notes=notes,
    )
    return [alphas, *across_tables(agreement.across)]


def _annotator_label(annotator: str) -> str:
    return annotator or "(unnamed)"


_ACROSS: dict[str, tuple[Column | str, ...]] = {
    "Scores under each annotation": ("topic", "scored", "annotator", "summarizer", "measure", "value"),
    "Largest difference between two annotations": (
        *("topic", "scored", "summarizer", "measure", "difference"),
        Column("dice", "Dice"),
    ),
    "One-way analysis of variance: annotations as groups, summaries as observations": (
        *("topic", "scored", "measure", Column("f", "F")),
        *("df_between", "df_within", "p"),
    ),
}
"""By title, the columns of the three tables of scores across annotations, in the order of `across_rows`."""


def across_tables(across: Sequence[ScoresAcross]) -> list[Table]:
    """Tables of scores across annotations; none without such scores."""
    return [
        table_of(rows, columns, title=title, heads=2, notes=notes_of(rows))
        for rows, (title, columns) in zip(across_rows(across), _ACROSS.items(), strict=True)
        if rows
    ]


AGREEMENT = Presenter(tables=agreement_tables)


# What summarizers express and miss


def coverage_tables(coverage: PyramidCoverage) -> list[Table]:
    """Shares of all summarizers, then what each of them misses, then what the fewest express."""
    if not coverage.shares:
        return []
    shown = [share_table(coverage)]
    shown += [missed_table(coverage, share) for share in coverage.shares if share.missed]
    if coverage.rarest:
        shown.append(rarest_table(coverage))
    return shown


def summarizer_label(coverage: PyramidCoverage, summarizer: str) -> str:
    """A summarizer as sentences call it."""
    return coverage.names.get(summarizer, summarizer)


def share_table(coverage: PyramidCoverage) -> Table:
    """A row for each summarizer: how much it has of the top tiers and of each tier."""
    top = "all SCUs, because each pyramid has one reference" if coverage.single else _IN_MOST
    notes = [f"Top SCUs: {top}. A human's own reference does not count."]
    if coverage.searched < coverage.pyramids:
        notes.append(
            f"Only the {coverage.searched} of {coverage.pyramids} pyramids with the lowest consensus were searched."
        )
    return table_of(
        coverage.shares,
        (
            Column("summarizer", of=lambda share: summarizer_label(coverage, share.summarizer)),
            Column("modified", "modified score", digits=3),
            Column("expressed", "top SCUs expressed"),
            Column("top", "top SCUs"),
            Column("share", "%", digits=0, of=lambda share: 100 * share.share),
            *map(_tier_column, coverage.weights()[:MOST_TIERS]),
        ),
        title="Share of the tiers that each summarizer expresses",
        sentences=(share_sentence(coverage),),
        notes=notes,
    )


def _tier_column(weight: int) -> Column:
    """What share of the SCUs of one weight each summarizer expresses, in percent."""

    def tier_share(share: SummarizerShare) -> float | None:
        expressed, scus = share.tiers.get(weight, (0, 0))
        return 100 * expressed / scus if scus else None

    return Column(f"weight_{weight}", f"weight {weight}, %", digits=0, of=tier_share)


def missed_table(coverage: PyramidCoverage, share: SummarizerShare) -> Table:
    """The heaviest SCUs that a summarizer misses."""
    order = "the heaviest first, then those that most others express"
    unlisted = len(share.missed) - MOST_LISTED
    ending = f"; the last {unlisted} are not listed." if unlisted > 0 else "."
    return table_of(
        share.missed[:MOST_LISTED],
        _TOP_SCU,
        title=f"Top SCUs that {summarizer_label(coverage, share.summarizer)} misses",
        about=share.summarizer,
        notes=(f"{len(share.missed)} of {share.top} are missing. Order: {order}{ending}",),
    )


def rarest_table(coverage: PyramidCoverage) -> Table:
    """What the fewest summarizers express."""
    notes = []
    if len(coverage.rarest) > MOST_LISTED:
        notes.append(f"The first {MOST_LISTED} of {len(coverage.rarest)}.")
    return table_of(
        coverage.rarest[:MOST_LISTED],
        _TOP_SCU,
        title="Top SCUs that the fewest summarizers express",
        sentences=(unexpressed_sentence(coverage),),
        notes=notes,
    )


def scu_text(scu: TopScu) -> str:
    """The label of an SCU as a table shows it."""
    return shortened(scu.label, LONGEST_LABEL)


_TOP_SCU = (
    Column("text", "SCU", of=scu_text),
    "topic",
    "weight",
    Column("models", "references"),
    Column("expressed", "summarizers that express it"),
    Column("peers", "summarizers"),
)


def share_sentence(coverage: PyramidCoverage) -> str:
    """Who expresses the most of the top SCUs, and who the fewest."""
    best, worst = coverage.shares[0], coverage.shares[-1]
    top = "all SCUs of the one reference" if coverage.single else _IN_MOST
    sentence = (
        f"Top SCUs are {top}: {len(coverage.rarest)} in the {counted(coverage.searched, 'pyramid')}. "
        f"{summarizer_label(coverage, best.summarizer)} expresses {percent(best.share)} of them "
        f"({best.expressed} of {best.top})"
    )
    if len(coverage.shares) == 1:
        return f"{sentence}."
    worst_label = summarizer_label(coverage, worst.summarizer)
    return f"{sentence}, the most; {worst_label} expresses the fewest, {percent(worst.share)}."


def unexpressed_sentence(coverage: PyramidCoverage) -> str:
    """How many of the top SCUs no summarizer expresses, with an example."""
    unexpressed = [scu for scu in coverage.rarest if not scu.expressed]
    if not unexpressed:
        return f"Each of the {len(coverage.rarest)} top SCUs is expressed by at least one summarizer."
    example = unexpressed[0]
    verb = "is" if len(unexpressed) == 1 else "are"
    weight = f", in {example.weight} of {counted(example.models, 'reference')}" if example.models > 1 else ""
    return capital(
        f"{in_words(len(unexpressed))} of the {len(coverage.rarest)} top SCUs {verb} expressed by no summarizer, for "
        f"example “{scu_text(example)}” (topic {example.topic}{weight})."
    )


COVERAGE = Presenter(tables=coverage_tables)


# Pyramids to look at


def view_tables(view: PyramidView) -> list[Table]:
    """Optimal summaries if asked for; else many pyramids as a row each, or few with their tiers and SCUs."""
    if view.optimal:
        shown = [
            table_of(view.optimal, _OPTIMAL, title="Optimal summaries", heads=2, notes=notes_of(view.optimal)),
        ]
        shown += [optimal_summary_table(view, optimal) for optimal in view.optimal]
        return shown
    if view.listed:
        return [difficulty_table(view)]
    return [table for place in range(len(view.pyramids)) for table in pyramid_tables(view, place)]


def difficulty_table(view: PyramidView) -> Table:
    """How far references agree, the lowest consensus first."""
    notes = (
        "Lowest consensus first. By tier: number of SCUs of each weight, from the top. Consensus: mean weight of "
        "the SCUs in an optimal summary of X′ SCUs (the mean number of SCUs in a reference), divided by the number "
        "of references. Scores: mean modified scores; a reference is scored with the others.",
        *notes_of(view.difficulties),
    )
    has_several_annotators = len({difficulty.annotator for difficulty in view.difficulties}) > 1
    columns = _DIFFICULTY
    if not has_several_annotators:
        columns = tuple(column for column in _DIFFICULTY if column.key != "annotator")
    return table_of(
        view.difficulties,
        columns,
        record="pyramid-topic",
        title="Pyramids by consensus among references",
        heads=3 if has_several_annotators else 2,
        sentences=consensus_sentences(view),
        notes=notes,
    )


def consensus_sentences(view: PyramidView) -> tuple[str, ...]:
    """Which topics are the hardest and the easiest; nothing if there is one topic, or if all are alike."""
    with_scus = [difficulty for difficulty in view.difficulties if difficulty.scus]
    if len({difficulty.topic for difficulty in with_scus}) < 2:
        return ()
    hardest, easiest = with_scus[0], with_scus[-1]
    # Where references agree equally, the scores of summarizers may still tell topics apart.
    if hardest.consensus < easiest.consensus:
        return (
            f"The references agree least on {hardest.topic} and most on {easiest.topic}: in an optimal summary, the "
            f"average SCU appears in {percent(hardest.consensus)} of the references for {hardest.topic} and "
            f"{percent(easiest.consensus)} for {easiest.topic}.",
        )
    if hardest.peers_mean < easiest.peers_mean:
        scores = f"{hardest.peers_mean:.2f} and {easiest.peers_mean:.2f}"
        return (f"Mean modified scores are lowest on {hardest.topic} and highest on {easiest.topic}: {scores}.",)
    return ()


def pyramid_tables(view: PyramidView, place: int) -> Iterator[Table]:
    """One pyramid: how hard its topic is, unless a summarizer is looked at; its tiers and its SCUs."""
    pyramid = view.pyramids[place]
    label = pyramid_label(view, pyramid)
    if view.difficulties:
        difficulty = view.difficulties[place]
        yield table_of(
            [difficulty],
            _DIFFICULTY,
            title=f"{label}: consensus",
            heads=3,
            sentences=difficulty_sentences(difficulty),
            notes=notes_of([difficulty]),
            about=label,
        )
    yield table_of(
        pyramid.tiers,
        (
            *("weight", "scus", "cumulative_scus", "present", Column("share", digits=3)),
            *("cumulative_present", Column("cumulative_share", digits=3)),
        ),
        record="pyramid-tier",
        title=f"{label}: tiers",
        sentences=tier_sentences(pyramid),
        about=label,
    )
    yield scu_table(view, pyramid, with_wordings=True)


def scu_table(view: PyramidView, pyramid: Diagnosis, *, with_wordings: bool = False) -> Table:
    """The SCUs of a pyramid, heaviest first.

    Args:
        view: all pyramids that are shown.
        pyramid: one of them.
        with_wordings: whether the words of each reference have a column, where words are marked.
    """
    label = pyramid_label(view, pyramid)
    wordings: tuple[Column, ...] = ()
    if with_wordings and any(scu.wordings for scu in pyramid.scus):
        wordings = (Column("wordings", "words of the references", of=lambda scu: "; ".join(wording_lines(scu))),)
    return table_of(
        pyramid.scus,
        (
            *("uid", "weight", "label", Column("contributing", "references", of=_models)),
            *wordings,
            *("present", "mentions"),
            *(Column("expressed", "summarizers that express it"), Column("peers", "summarizers")),
        ),
        record="pyramid-scu",
        title=f"{label}: SCUs",
        heads=2,
        about=label,
    )


def wording_lines(scu: ScuStanding) -> list[str]:
    """What each reference says to express an SCU: `A: fire broke out`; references without marked words are left out."""
    if not scu.wordings:
        return []
    return [f"{model}: {words}" for model, words in zip(scu.models, scu.wordings, strict=True) if words]


def optimal_summary_table(view: PyramidView, optimal: Optimal) -> Table:
    """The optimal summaries of one pyramid that are listed, each as the uids of its SCUs."""
    key = (optimal.topic, optimal.annotator, optimal.models)
    summaries = [
        summary for summary in view.optimal_summaries if (summary.topic, summary.annotator, summary.models) == key
    ]
    unlisted = optimal.count - len(summaries)
    return table_of(
        summaries,
        [Column("scus", "SCUs", of=lambda summary: ", ".join(map(str, summary.uids)))],
        record="pyramid-optimal-summary",
        title=f"{optimal.topic} ({_models(optimal)}): optimal summaries of {counted(optimal.X, 'SCU')}",
        about=optimal.topic,
        notes=(f"{unlisted:,} more: raise `limit=` to list them.",) if unlisted else (),
    )


def pyramid_label(view: PyramidView, pyramid: Diagnosis) -> str:
    """The topic of a pyramid and whose summary is looked at; the annotator only where there are several."""
    parts = [pyramid.topic]
    has_several_annotators = len({other.annotator for other in view.pyramids}) > 1
    if has_several_annotators and pyramid.annotator:
        parts.append(f"annotator {pyramid.annotator}")
    if pyramid.peer is not None:
        parts.append(f"expressed by {pyramid.peer}")
    return ", ".join(parts)


def _models(row: Difficulty | ScuStanding | Optimal) -> str:
    return " ".join(row.models)


_DIFFICULTY = columns_of(
    "topic",
    "annotator",
    Column("of_models", "references", of=_models),
    Column("scus", "SCUs"),
    Column("by_tier", "by tier", of=lambda difficulty: " ".join(map(str, difficulty.tiers))),
    Column("mean_weight", digits=2),
    Column("singletons", "share in one reference only", digits=2),
    Column("x_average", "X′"),
    Column("max_average", "Max(X′)"),
    Column("consensus", digits=3),
    Column("models_mean", "mean score of references", digits=3),
    Column("peers_mean", "mean score of summarizers", digits=3),
    Column("peers", "summarizers"),
)
_OPTIMAL = columns_of(
    "topic",
    "annotator",
    Column("of_models", "references", of=_models),
    "X",
    Column("max", "Max(X)"),
    "lowest_tier",
    "taken_from_it",
    "count",
)


def tier_sentences(pyramid: Diagnosis) -> tuple[str, ...]:
    """What share of the pyramid the summarizer has, tier by tier and from the top; nothing without one."""
    if pyramid.peer is None:
        return ()
    sentences = [_tier_sentence(tier) for tier in pyramid.tiers if tier.scus]
    unmatched = "not marked" if pyramid.unmatched is None else str(pyramid.unmatched)
    return (*sentences, f"Repeats: {pyramid.repeats}; units that match no SCU: {unmatched}.")


def _tier_sentence(tier: Tier) -> str:
    return (
        f"Weight {tier.weight}: {tier.present} of {tier.scus} ({percent(tier.share or 0)}); "
        f"weight {tier.weight} or more: {tier.cumulative_present} of {tier.cumulative_scus} "
        f"({percent(tier.cumulative_share or 0)})."
    )


def difficulty_sentences(difficulty: Difficulty) -> tuple[str, ...]:
    """How hard a topic is."""
    if not difficulty.scus:
        return ("The pyramid has no SCU.",)
    consensus = f": consensus {difficulty.consensus:.2f} (1 if all models agreed)" if difficulty.order > 1 else ""
    sentences = [
        f"Mean weight {difficulty.mean_weight:.2f}; {percent(difficulty.singletons)} of the SCUs are in one model "
        "only.",
        f"An optimal summary of X′ = {difficulty.x_average:g} SCUs weighs {difficulty.max_average:g}{consensus}.",
    ]
    means = []
    if not math.isnan(difficulty.models_mean):
        means.append(f"models {difficulty.models_mean:.2f}, each scored with the others")
    if not math.isnan(difficulty.peers_mean):
        means.append(f"{counted(difficulty.peers, 'peer')} {difficulty.peers_mean:.2f}")
    if means:
        sentences.append(f"Mean modified scores: {'; '.join(means)}.")
    return tuple(sentences)


def drawing_sentences(view: PyramidView, place: int) -> tuple[str, ...]:
    """What is printed with the drawing of a pyramid: how hard its topic is, or what the summarizer has of it."""
    if view.difficulties:
        return difficulty_sentences(view.difficulties[place])
    return tier_sentences(view.pyramids[place])


# The drawing: a cell for each SCU, tier upon tier, and below them what the SCUs say

WIDTH = 720
_CELL = 30
_ROW = 26
_LOW_ROW = 16
"""Of small pyramids, so that narrow cells do not become towers."""
_LINE = 19
_GAP = 3
_MARGIN = 74
_LABELLED = 60
"""SCUs whose labels are written out, from the top; a figure is no book."""
_LONGEST = 104
_COLUMNS = 3
_SMALL_WIDTH = 250
_PALE = "#dbe9f0"
_MUTED = "#5b6770"
_FILL = vl.category("fill", scale=None)
_NAMED = 6
"""References that are named; more are counted."""


def draw_pyramids(view: PyramidView) -> Chart:
    """One pyramid with the labels of its SCUs, or several small ones side by side."""
    drawn = [pyramid for pyramid in view.pyramids if pyramid.scus]
    if not drawn:
        raise InputError("there is nothing to draw: no pyramid has an SCU")
    most = max(tier.scus for pyramid in drawn for tier in pyramid.tiers)  # cells are as wide in all pyramids
    headings = {"anchor": "start", "fontSize": 14, "color": vl.INK, "subtitleColor": _MUTED, "subtitleFontSize": 12}
    if len(drawn) == 1:
        (pyramid,) = drawn
        spec: vl.Spec = {"vconcat": [_tiers(pyramid, WIDTH, most), _labels(pyramid)], "spacing": 18}
        return vl.finished(f"Pyramid of {pyramid.topic}", spec, headings=headings)
    tiers = [_tiers(pyramid, _SMALL_WIDTH, most) for pyramid in drawn]
    spec = {"concat": tiers, "columns": _COLUMNS, "spacing": 24}
    return vl.finished("Pyramids", spec, headings=headings)


def _tiers(diagnosis: Diagnosis, width: int, most: int) -> vl.Spec:
    """The pyramid itself: cells in rows, each row centred; filled as `_subtitle` explains."""
    # The widest tier of all pyramids decides, so that cells can be compared between drawings.
    cell = min(_CELL, (width - 2 * _MARGIN) / most)
    gap = min(_GAP, cell / 4)
    # About the width of a digit in pixels, with some room around it.
    numbered = cell >= 9 * max(len(str(scu.uid)) for scu in diagnosis.scus)
    tall = _ROW if numbered else _LOW_ROW
    cells, margins = [], []
    for index, tier in enumerate(diagnosis.tiers):
        scus = [scu for scu in diagnosis.scus if scu.weight == tier.weight]
        middle = (index + 0.5) * tall
        for column, scu in enumerate(scus):
            across = width / 2 + (column - len(scus) / 2 + 0.5) * cell
            uid = str(scu.uid) if numbered else ""
            cells.append({"x": across, "y": middle, "uid": uid, "fill": _fill(scu)})
        has = f"{tier.present} of {tier.scus}" if tier.present is not None else f"{tier.scus}"
        margins.append({"y": middle, "weight": f"weight {tier.weight}", "has": has})
    rect = vl.layer(
        "rect",
        {"fill": _FILL},
        width=cell - gap,
        height=tall - _GAP,
        cornerRadius=3 if numbered else 1,
        stroke=vl.ACCENT,
        strokeWidth=1.2,
    )
    uids = {"text": vl.category("uid"), "color": vl.either(f"datum.fill == '{vl.ACCENT}'", "white", vl.ACCENT)}
    sides = [_text("weight", 0, align="left", color=_MUTED), _text("has", width, align="right", color=vl.INK)]
    return vl.panel(
        cells,
        rect,
        vl.layer("text", uids, fontSize=11, baseline="middle"),
        size=(width, tall * len(diagnosis.tiers)),
        title={"text": vl.label(_title(diagnosis)), "subtitle": vl.label(_subtitle(diagnosis))},
        under=[{"data": {"values": margins}, "layer": sides}],
        x=_pixels("x"),
        y=_pixels("y"),
    )


def _labels(diagnosis: Diagnosis) -> vl.Spec:
    """What the SCUs say, heaviest first, in the pyramid's order."""
    shown = diagnosis.scus[:_LABELLED]
    texts = [scu.label if len(scu.label) <= _LONGEST else scu.label[: _LONGEST - 1] + "…" for scu in shown]
    weights = [scu.weight for scu in shown]
    rows = [
        {
            "y": (index + 0.5) * _LINE,
            "text": vl.label(text),
            "uid": str(scu.uid),
            "fill": _fill(scu),
            "first": index > 0 and weights[index - 1] != scu.weight,
        }
        for index, (scu, text) in enumerate(zip(shown, texts, strict=True))
    ]
    if more := len(diagnosis.scus) - len(shown):
        rows.append({"y": (len(shown) + 0.5) * _LINE, "text": f"… and {more} more"})
    square = {"x": {"value": 7}, "y": _pixels("y"), "fill": _FILL}
    numbered = [
        vl.layer("square", square, size=90, stroke=vl.ACCENT, strokeWidth=1.2, opacity=1),
        _text("uid", 40, align="right", color=_MUTED),
    ]
    line = vl.layer("rule", {"y": _pixels("y")}, color=_PALE, strokeWidth=1, yOffset=-_LINE / 2)
    return vl.panel(
        rows,
        {"transform": [{"filter": "datum.first"}], **line},
        {"transform": [{"filter": "datum.uid != null"}], "layer": numbered},
        _text("text", 52, align="left", color=vl.INK),
        size=(WIDTH, len(rows) * _LINE),
    )


def _fill(scu: ScuStanding) -> str:
    if scu.present is False or scu.optimal == "none":
        return "white"
    return _PALE if scu.optimal == "some" else vl.ACCENT


def _pixels(field: str) -> vl.Spec:
    """A place counted in pixels from the upper left corner."""
    return vl.quantity(field, scale=None, axis=None)


def _text(field: str, x: float, *, align: str, color: str) -> vl.Spec:
    channels = {"x": {"value": x}, "y": _pixels("y"), "text": vl.category(field)}
    return vl.layer("text", channels, fontSize=12, baseline="middle", align=align, color=color)


def _title(diagnosis: Diagnosis) -> str:
    return diagnosis.topic if diagnosis.peer is None else f"{diagnosis.topic}: SCUs that {diagnosis.peer} expresses"


def _subtitle(diagnosis: Diagnosis) -> str:
    names = f" ({', '.join(diagnosis.models)})" if len(diagnosis.models) <= _NAMED else ""
    size = f"{counted(len(diagnosis.scus), 'SCU')} from {counted(len(diagnosis.models), 'reference')}{names}"
    if any(scu.optimal for scu in diagnosis.scus):
        return f"{size}; filled: in every optimal summary, pale: in some, hollow: in none"
    if diagnosis.peer is None:
        return size
    return f"{size}; filled: expressed ({sum(bool(scu.present) for scu in diagnosis.scus)}), hollow: missing"


VIEW = Presenter(tables=view_tables, figure=draw_pyramids)


# The section of a report

SCU = "An SCU (summary content unit) is one fact; its weight is the number of references that state it."
MOST_DRAWN = 12
"""Pyramids of a smaller campaign are all drawn."""
DRAWN_AT_ENDS = 4
"""Of a larger one, this many of the hardest and of the easiest."""
MOST_SUMMARIZERS = 16
"""Summarizers whose missed SCUs are listed."""
_ID = "pyramids"


def pyramids_section(
    view: PyramidView, coverage: PyramidCoverage, context: SectionContext, agreement: PyramidAgreement | None = None
) -> Section:
    """Who expresses the heaviest SCUs, what each summarizer misses, how hard topics are, and the tiers drawn.

    Args:
        view: all pyramids, the lowest consensus first; at least one has an SCU.
        coverage: what summarizers express of them.
        context: of the report.
        agreement: how far annotators agree; None where none of them did the same work.
    """
    places = [place for place, pyramid in enumerate(view.pyramids) if pyramid.scus]
    drawn = places
    if len(places) > MOST_DRAWN:
        drawn = [*places[:DRAWN_AT_ENDS], *places[-DRAWN_AT_ENDS:]]
    tables = []
    if coverage.shares:
        tables.append(share_table(coverage))
    if coverage.rarest:
        tables.append(rarest_table(coverage))
    if agreement is not None and agreement.alphas:
        tables.append(agreement_tables(agreement)[0])
    by_consensus = difficulty_table(view)
    parts = [_pyramid_part(view, place, context) for place in drawn]
    for place, share in enumerate(coverage.shares[:MOST_SUMMARIZERS]):
        if share.missed:
            parts.append(_missed_part(coverage, place, share))
    measures = [name for name in context.roles.measures if name.startswith("pyramid.")]
    return Section(
        id=_ID,
        title="Pyramids",
        finding=_coverage_headline(coverage),
        # Consensus is said first, because it limits what any summarizer can express; its table is long and comes last.
        sentences=(SCU, *(line for table in (by_consensus, *tables) for line in table.sentences)),
        blocks=(*tables, by_consensus),
        parts=tuple(parts),
        commands=_section_commands(context, view.pyramids[places[0]], coverage),
        notes=(*_left_out_notes(len(places), len(drawn), coverage), *notes_about(context.table.notes, measures)),
    )


def _coverage_headline(coverage: PyramidCoverage) -> str:
    """Who expresses most of the heaviest SCUs."""
    if not coverage.shares:
        return ""
    best, *others = coverage.shares
    name = shortened(summarizer_label(coverage, best.summarizer))
    which = "the SCUs in the reference" if coverage.single else "the SCUs in more than half of the references"
    is_alone = bool(others) and others[0].share != best.share
    most = ", the most of any" if is_alone else ""
    return f"{name} expresses {percent(best.share)} of {which}{most}"


def _section_commands(context: SectionContext, hardest: Diagnosis, coverage: PyramidCoverage) -> tuple[str, ...]:
    """What shows all pyramids, the hardest one, and what the best summarizer expresses."""
    choices = [PyramidShowOptions(), PyramidShowOptions(topic=hardest.topic)]
    choices += [PyramidShowOptions(summarizer=best.summarizer) for best in coverage.shares[:1]]
    return tuple(context.command("pyramid show", (), options) for options in choices)


def _pyramid_part(view: PyramidView, place: int, context: SectionContext) -> Section:
    """The tiers of a pyramid, and what its SCUs say."""
    pyramid = view.pyramids[place]
    title = context.campaign.topic(pyramid.topic).topic.title
    label = pyramid_label(view, pyramid)
    name = shortened(f"{label}: {title}" if title else label, LONGEST_LABEL)
    counts = ", ".join(f"{tier.scus} of weight {tier.weight}" for tier in pyramid.tiers if tier.scus)
    tiers = [(tier.weight, tier.scus) for tier in pyramid.tiers]
    figure = Block(
        id=f"{_ID}-{place + 1}-tiers",
        template="tiers.html",
        values={
            "caption": f"Pyramid of {name}: a cell for each SCU, the heaviest on top",
            "alt": f"{len(pyramid.scus)} SCUs of {counted(len(pyramid.models), 'reference')}: {counts}.",
            "tiers": tiers,
            "widest": max(count for _, count in tiers),
        },
    )
    blocks = (figure, scu_table(view, pyramid))
    return Section(id=f"{_ID}-{place + 1}", title=name, blocks=blocks, group="topic", about=name)


def _missed_part(coverage: PyramidCoverage, place: int, share: SummarizerShare) -> Section:
    """The heaviest SCUs that a summarizer does not express."""
    name = shortened(summarizer_label(coverage, share.summarizer), LONGEST_LABEL)
    table = missed_table(coverage, share)
    return Section(id=f"{_ID}-missed-{place + 1}", title=name, blocks=(table,), group="summarizer", about=name)


def _left_out_notes(pyramids: int, drawn: int, coverage: PyramidCoverage) -> list[str]:
    """Which pyramids are not drawn, and whose missed SCUs are not listed."""
    notes = []
    if drawn < pyramids:
        ends = in_words(DRAWN_AT_ENDS)
        notes.append(
            f"Only the {ends} with the lowest and the {ends} with the highest consensus of {pyramids} pyramids are "
            "drawn; `pyramid show --topic` draws any."
        )
    if len(coverage.shares) > MOST_SUMMARIZERS:
        notes.append(
            f"Missed SCUs are listed for the top {MOST_SUMMARIZERS} of {len(coverage.shares)} summarizers; "
            "`pyramid show --summarizer` lists those of any summarizer."
        )
    return notes

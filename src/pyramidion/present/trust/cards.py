"""The tables and the figure of a trial, the card as a page of sections, and its small form in a report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Block, Section
from pyramidion.present.trust.sentences import (
    BIASES,
    HARDLY_HELPS,
    USES,
    VERDICTS,
    agreement_sentences,
    bias_sentence,
    drift_sentences,
    headline,
    left_out_sentence,
    lower_first,
    reliability_sentences,
    resolution_sentences,
    severity_sentences,
    trust_sentences,
    validity_sentences,
    verdict_sentence,
    worth_sentences,
)
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import listed, noted, number, percent
from pyramidion.studies.predictions.estimates import PredictedMeasure
from pyramidion.studies.trust.results import Trust, TrustCard, TrustUse

ASSUMED_RANDOM = "The topics with people's answers are treated as a random sample of all topics; no plan drew them."
LAMPS = "trust_lamps.html"
"""The template of the verdicts."""


def trust_tables(trust: Trust) -> list[Table]:
    """The verdicts of each judge or measure with their reasons, then every check; single answers when asked for."""
    tables: list[Table] = []
    for card in trust.cards:
        tables += [_uses_table(card), *_main_tables(card)]
    for card in trust.cards:
        tables += _detail_tables(card)
    if trust.prompts:
        tables.append(
            table_of(
                trust.prompts,
                (
                    "model",
                    Column("judges", of=lambda row: ", ".join(row.judges)),
                    Column("between_prompts", "between prompts", 3),
                    Column("interaction", "prompt × summary", 3),
                    Column("between_summaries", "between summaries", 3),
                    "n",
                ),
                title="variance of answers, by prompt",
            )
        )
    return tables


def _title(card: TrustCard, what: str) -> str:
    return noted(f"{card.name} against people ({card.with_}): {what}", card.note)


def _uses_table(card: TrustCard) -> Table:
    return table_of(
        card.uses,
        (
            Column("use", "may it …", of=lambda use: USES[use.use]),
            Column("verdict", of=lambda use: VERDICTS[use.verdict]),
            Column("reason", "why", of=lambda use: verdict_sentence(card, use)),
        ),
        title=_title(card, "what it may be used for"),
        notes=tuple(filter(None, (left_out_sentence(card),))),
        about=card.name,
    )


def _main_tables(card: TrustCard) -> Iterator[Table]:
    """A table for each part of the card, with its sentences."""
    yield table_of(
        card.correlations,
        ("level", "coefficient", Column("value", digits=2), Column("lower", digits=2), Column("upper", digits=2), "n"),
        record="correlation",
        title=_title(card, "correlations"),
        sentences=validity_sentences(card),
        about=card.name,
    )
    yield _sizes_table(card)
    if card.agreements:
        yield _agreement_table(card)
    if card.people:
        yield _people_table(card)
    if card.severity is not None:
        yield _severity_table(card)
    if card.drift is not None:
        yield _drift_table(card)
    if card.runs is not None:
        yield _runs_table(card)
    if card.biases:
        yield _bias_table(card)
    yield table_of(
        (card.resolution,),
        ("topics", "detectable", "people_detectable", "slope", "topics_needed"),
        title=_title(card, "resolution"),
        sentences=resolution_sentences(card),
        about=card.name,
    )
    yield table_of(
        (card.worth,),
        ("r_squared", "lower", "upper", "ratio", "topics"),
        title=_title(card, "what it is worth next to people"),
        sentences=worth_sentences(card),
        about=card.name,
    )


def _sizes_table(card: TrustCard) -> Table:
    return table_of(
        card.sizes,
        ("least", "most", "pairs", "wrong", "wrong_significant", "share"),
        record="trust-pair-size",
        title=_title(card, "pairs in the wrong order, by the difference that people see"),
        about=card.name,
        heads=2,
    )


def _agreement_table(card: TrustCard) -> Table:
    return table_of(
        card.agreements,
        ("raters", "coefficient", "value", "lower", "upper", "n"),
        title=_title(card, "agreement"),
        sentences=agreement_sentences(card),
        about=card.name,
        heads=2,
    )


def _people_table(card: TrustCard) -> Table:
    return table_of(
        card.people,
        ("person", "advantage", "difference", "p_adjusted", "is_won", "p_by_topic", "is_won_by_topic", "n"),
        title=_title(card, "the alternative annotator test"),
        sentences=(verdict_sentence(card, card.use("replace")),),
        about=card.name,
    )


def _severity_table(card: TrustCard) -> Table:
    return table_of(
        () if card.severity is None else (card.severity,),
        (
            "difference",
            "lower",
            "upper",
            "detectable",
            "spread",
            "people_spread",
            "most_used",
            "share_of_most_used",
            "n",
        ),
        record="trust-severity",
        title=_title(card, "severity and use of the scale"),
        sentences=severity_sentences(card) if card.drift is None else severity_sentences(card)[:2],
        about=card.name,
    )


def _drift_table(card: TrustCard) -> Table:
    return table_of(
        () if card.drift is None else (card.drift,),
        ("change", "lower", "upper", "detectable", "correlation", "changed", "largest_system", "largest_change", "n"),
        record="trust-drift",
        title=_title(card, "drift since the anchor"),
        sentences=drift_sentences(card),
        about=card.name,
    )


def _runs_table(card: TrustCard) -> Table:
    return table_of(
        () if card.runs is None else (card.runs,),
        ("runs", "between_runs", "between_summaries", "reliability", "runs_needed", "equal", "n"),
        record="trust-runs",
        title=_title(card, "reliability"),
        sentences=reliability_sentences(card),
        about=card.name,
    )


def _bias_table(card: TrustCard) -> Table:
    return table_of(
        card.biases,
        (
            Column("kind", "bias by", of=lambda row: BIASES[row.kind]),
            *("effect", "lower", "upper", "p_adjusted", "is_found", "detectable"),
            Column("correlation", "partial r", 2),
            Column("share", "changes with order", 2),
            "n",
        ),
        title=_title(card, "bias"),
        sentences=[bias_sentence(bias, is_points=card.scale is not None) for bias in card.biases],
        about=card.name,
    )


def _detail_tables(card: TrustCard) -> Iterator[Table]:
    """Counts of pairs, confusion and single disagreements: shown when asked for."""
    yield table_of(
        (card.pairs,),
        ("pairs", "separated", "same", "reversed", "undecided_same", "undecided_reversed", "judge_only"),
        title=_title(card, "pairs that people separate"),
        about=card.name,
        detail=True,
    )
    yield table_of(
        (card.replacement,),
        ("winning_rate", "winning_rate_by_topic", "advantage", "lower", "upper", "epsilon", "people", "skipped"),
        title=_title(card, "the alternative annotator test, summed up"),
        about=card.name,
        detail=True,
    )
    if card.confusion:
        yield confusion_table(card, detail=True)
    if card.disagreements:
        yield disagreement_table(card, detail=True)


def confusion_table(card: TrustCard, *, detail: bool = False) -> Table:
    """People's answers in rows, the judge's in columns."""
    values = sorted({cell.value_b for cell in card.confusion})
    counts = {(cell.value_a, cell.value_b): cell.count for cell in card.confusion}
    columns = [Column(f"judge {value:g}", f"{card.name}: {value:g}") for value in values]
    return Table(
        record="confusion",
        title=_title(card, "answers of people (rows) and its own (columns)"),
        columns=(Column("people"), *columns),
        rows=[[f"{row:g}", *(counts.get((row, column), 0) for column in values)] for row in values],
        about=card.name,
        detail=detail,
    )


def disagreement_table(card: TrustCard, *, detail: bool = False) -> Table:
    """The summaries on which it is furthest from people."""
    return table_of(
        card.disagreements,
        ("topic", "summarizer", "people", Column("judge", "it", 2), "difference", Column("comment", "its reason")),
        title=_title(card, "most striking disagreements"),
        about=card.name,
        heads=2,
        detail=detail,
    )


def means_table(card: TrustCard) -> Table:
    """People's and its own means of each system, side by side, the best by people first."""
    order = sorted(card.means, key=lambda system: -card.means[system][0])
    rows = [(system, *card.means[system], card.means[system][1] - card.means[system][0]) for system in order]
    columns = [Column("system"), Column("people", digits=3), Column("its mean", card.name, 3)]
    if card.scale is not None:
        columns.append(Column("difference", digits=3))
    return Table(
        record="trust-means",
        title=_title(card, "means of systems, side by side"),
        columns=tuple(columns),
        rows=[row[: len(columns)] for row in rows],
        about=card.name,
    )


def trust_figure(trust: Trust) -> Chart:
    """Systems as points: people's mean against its own, a panel for each judge or measure."""
    panels = [_scatter(card, trust) for card in trust.cards]
    return vl.finished("People and judge", {"vconcat": panels} if len(panels) > 1 else panels[0])


def _scatter(card: TrustCard, trust: Trust) -> vl.Spec:
    rows = [
        {"system": trust.names.get(system) or system, "people": human, "own": own}
        for system, (human, own) in card.means.items()
    ]
    axes = {
        "x": {"field": "people", "type": "quantitative", "title": card.with_, "scale": {"zero": False}},
        "y": {"field": "own", "type": "quantitative", "title": card.name, "scale": {"zero": False}},
    }
    points = {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": axes}
    labels = {
        "mark": {"type": "text", "align": "left", "dx": 7, "fontSize": 10},
        "encoding": {**axes, "text": {"field": "system"}},
    }
    return {
        "title": f"{card.name} and {card.with_}: means of systems",
        "width": 420,
        "height": 300,
        "data": {"values": rows},
        "layer": [points, labels],
    }


# The card as a page, and in a report


def lamps_block(cards: Sequence[TrustCard], id: str = "lamps") -> Block:
    """The three verdicts of each judge or measure as lamps, with the rule that lit each."""
    shown = [
        {"name": card.name, "lamps": [_lamp(card, use) for use in card.uses], "is_named": len(cards) > 1}
        for card in cards
    ]
    return Block(id=id, template=LAMPS, values={"cards": shown})


def _lamp(card: TrustCard, use: TrustUse) -> dict[str, str]:
    return {
        "verdict": use.verdict,
        "word": VERDICTS[use.verdict],
        "use": USES[use.use],
        "why": verdict_sentence(card, use),
    }


def card_sections(trust: Trust) -> list[Section]:
    """The page: the verdicts first, then each part of the trial; several judges each in a section of their own."""
    first = trust.cards[0]
    title = headline(first) if len(trust.cards) == 1 else f"{listed([card.name for card in trust.cards])} on trial"
    sentences = () if len(trust.cards) == 1 else tuple(headline(card) for card in trust.cards)
    answer = Section(
        id="verdict",
        title="Verdict",
        finding=title,
        sentences=(*sentences, *_first_screen(trust)),
        blocks=(lamps_block(trust.cards),),
    )
    if len(trust.cards) == 1:
        return [answer, *_parts_of(first), _method_section(trust)]
    judges = [
        Section(id=f"judge-{place}", title=card.name, finding=headline(card), parts=tuple(_parts_of(card, f"{place}-")))
        for place, card in enumerate(trust.cards, start=1)
    ]
    return [answer, *judges, _method_section(trust)]


def _first_screen(trust: Trust) -> Iterator[str]:
    """What a reader must know next to the verdicts: a bias, a shift against people, a drift, and what it saves.

    Of several judges, it is their biases and what they left out alone.
    """
    for card in trust.cards:
        whose = f"{card.name}: " if len(trust.cards) > 1 else ""
        for bias in card.biases:
            if bias.is_found:
                sentence = lower_first(bias_sentence(bias, is_points=card.scale is not None))
                yield f"Caution: {whose}{sentence}"
        if card.pairs.unscored is not None:
            yield f"Caution: {whose}{lower_first(left_out_sentence(card))}"
    if len(trust.cards) > 1:
        return
    card = trust.cards[0]
    severity = card.severity
    if severity is not None and severity.p is not None and severity.p < 1 - severity.confidence / 100:
        yield severity_sentences(card)[0]
    if card.drift is not None:
        yield from drift_sentences(card)[:1]
    yield worth_sentences(card)[0]


def _parts_of(card: TrustCard, prefix: str = "") -> Iterator[Section]:
    """The parts of one trial."""
    tables = {table.record: table for table in _main_tables(card)}

    def chosen(*records: str) -> tuple[Table, ...]:
        return tuple(tables[record] for record in records if record in tables and tables[record].rows)

    yield Section(
        id=f"{prefix}order",
        title="Validity",
        finding=_order_finding(card),
        sentences=validity_sentences(card),
        blocks=(*chosen("trust-pair-size"), means_table(card), *chosen("correlation")),
        printed=True,
    )
    biases = tuple(bias_sentence(bias, is_points=card.scale is not None) for bias in card.biases)
    yield Section(
        id=f"{prefix}bias",
        title="Bias",
        finding=_bias_finding(card),
        sentences=biases or ("No check was possible: the data has no texts, preferences or systems of its family.",),
        blocks=chosen("trust-bias"),
        printed=True,
    )
    if card.agreements or card.people:
        yield Section(
            id=f"{prefix}people",
            title="Agreement",
            finding=_agreement_finding(card),
            sentences=(verdict_sentence(card, card.use("replace")), *agreement_sentences(card)),
            blocks=(
                *chosen("trust-person", "trust-agreement"),
                *((confusion_table(card),) if card.confusion else ()),
            ),
            printed=True,
        )
    if card.severity is not None or card.drift is not None:
        yield Section(
            id=f"{prefix}severity",
            title="Severity and drift",
            finding=_severity_finding(card),
            sentences=severity_sentences(card),
            blocks=chosen("trust-severity", "trust-drift"),
        )
    if card.runs is not None:
        yield Section(
            id=f"{prefix}runs",
            title="Reliability",
            finding=reliability_sentences(card)[0] if reliability_sentences(card) else "Reliability",
            sentences=reliability_sentences(card),
            blocks=chosen("trust-runs"),
        )
    yield Section(
        id=f"{prefix}worth",
        title="Resolution and worth",
        finding=_worth_finding(card),
        sentences=(*worth_sentences(card), *resolution_sentences(card)),
        blocks=chosen("trust-worth", "trust-resolution"),
        printed=True,
    )
    if card.disagreements:
        yield Section(
            id=f"{prefix}disagreements",
            title="Disagreements",
            finding="The summaries on which it is furthest from people",
            blocks=(disagreements_block(card, f"{prefix}texts"),),
        )


def _order_finding(card: TrustCard) -> str:
    pairs = card.pairs
    if pairs.ordered_alike is None:
        return "People separate no two systems"
    return f"It orders {percent(pairs.ordered_alike)} of the pairs that people separate as they do"


def _bias_finding(card: TrustCard) -> str:
    kinds = [BIASES[bias.kind] for bias in card.biases if bias.is_found]
    if kinds:
        is_sure = any(bias.is_found and bias.is_noise_removed for bias in card.biases)
        return f"{'Biased' if is_sure else 'Perhaps biased'}: {listed(kinds)}"
    checked = [BIASES[bias.kind] for bias in card.biases if bias.is_found is not None]
    return f"No bias found ({listed(checked)})" if checked else "No check of bias was possible"


def _agreement_finding(card: TrustCard) -> str:
    values = {row.raters: row.value for row in card.agreements if row.coefficient == "kappa"}
    judge, people = values.get("judge"), values.get("people")
    if judge is None:
        return "Agreement with people"
    if people is None:
        return f"It agrees with people at quadratic κ {number(judge)}"
    return f"It agrees with a person at quadratic κ {number(judge)}, two people at {number(people)}"


def _severity_finding(card: TrustCard) -> str:
    row = card.severity
    if row is None or row.difference is None:
        return "What changed since the anchor"
    if row.p is None or row.p >= 1 - row.confidence / 100:
        return "Neither stricter nor more lenient than people"
    relation = "stricter" if row.difference < 0 else "more lenient"
    return f"{number(abs(row.difference))} points {relation} than people"


def _worth_finding(card: TrustCard) -> str:
    row = card.worth
    if row.r_squared is None:
        return "What it saves is unknown"
    if row.r_squared < HARDLY_HELPS:
        return "It saves hardly any labels"
    return f"It saves at most {percent(row.r_squared)} of the labels"


def disagreements_block(card: TrustCard, id: str) -> Block:
    """The most striking disagreements with both texts and the judge's reason."""
    return Block(id=id, template="trust_disagreements.html", values={"name": card.name, "rows": card.disagreements})


def _method_section(trust: Trust) -> Section:
    options = trust.options
    return Section(
        id="methods",
        title="Methods",
        finding="How these numbers are computed",
        sentences=(
            "People separate two systems if a paired t test over topics is significant, with Holm's correction over "
            "all pairs; the same test decides for the judge.",
            "May it rank? Yes, if the lower limit of the share of pairs in the same order reaches 90 %. No, below "
            "80 %, if the lower limit is no better than chance (50 %), or if more than 5 % of the pairs that people "
            "separate are significant the other way round.",
            "May it decide between close systems? Yes, if it separates 80 % of the closer half of these pairs in the "
            "same order and no bias was found. No, if it separates less than half of them, or if more than 5 % are "
            "significant the other way round.",
            f"May it replace people? Yes, if it wins the alternative annotator test (Calderon, Reichart and Dror 2025) "
            f"against half of them (ε = {options.discount:g}), also with answers about one topic as dependent. No, "
            "if it may not rank, or if its agreement with people (κ) may be chance.",
            "Biases are effects at the same human score, within topics; where several people answered, the noise of "
            "their answers is allowed for. p values are corrected over the checks (Holm).",
        ),
        commands=(trust.command,) if trust.command else (),
        appendix=True,
    )


def corrected_means_table(card: TrustCard, combined: PredictedMeasure, names: Mapping[str, str]) -> Table:
    """People's and the judge's means side by side, with the estimate that combines both."""
    has_scale = card.scale is not None
    columns = [
        Column("system", of=lambda row: names.get(row.summarizer) or row.summarizer),
        Column("judged", "judged by people"),
        Column("people", digits=2, of=lambda row: card.means[row.summarizer][0]),
        Column("own", f"{card.name}, the same summaries", 2, of=lambda row: card.means[row.summarizer][1]),
        Column("alone", f"{card.name}, all summaries", 2),
        Column("value", "combined", 2),
        Column("lower", digits=2),
        Column("upper", digits=2),
    ]
    if has_scale:
        columns.append(Column("off", f"{card.name} is off by", 2, of=lambda row: row.alone - row.value))
    rows = [row for row in combined.means if row.summarizer in card.means]
    return table_of(
        rows,
        columns,
        title=_title(card, "means of systems, corrected by people's answers"),
        notes=(ASSUMED_RANDOM,) if combined.designed.is_assumed else (),
        about=card.name,
    )


def _correction_sentence(card: TrustCard, combined: PredictedMeasure) -> str:
    plan = combined.designed.plan
    worth = combined.prediction.fit.ratio
    gain = ""
    if not math.isnan(worth):
        gain = f"; within topics, each answer with it counts as up to {number(worth)} answers without it"
    scored = f"{card.name} scored all {plan.total:,} topics"
    return f"Combined: {scored}, and people's answers on {plan.drawn:,} of them correct it{gain}."


def small_section(trust: Trust, command: str, combined: Mapping[str, PredictedMeasure] | None = None) -> Section:
    """The cards in small, as a section of a report: verdicts, worth, means side by side, reasons next to texts.

    Args:
        trust: the trial.
        command: what to type for it.
        combined: by judge or measure, people's and its answers together, where people judged only a part.
    """
    parts: list[Section] = []
    for place, card in enumerate(trust.cards, start=1):
        means, correction = means_table(card), ""
        if combined is not None and card.measure in combined:
            means = corrected_means_table(card, combined[card.measure], trust.names)
            correction = _correction_sentence(card, combined[card.measure])
        blocks: list[Table | Block] = [lamps_block([card], f"lamps-{place}"), means]
        if any(row.comment for row in card.disagreements):
            blocks.append(disagreements_block(card, f"judge-texts-{place}"))
        parts.append(
            Section(
                id=f"judge-{place}",
                title=card.name,
                sentences=tuple(
                    filter(None, (headline(card), *severity_sentences(card)[:1], *worth_sentences(card), correction))
                ),
                blocks=tuple(blocks),
            )
        )
    names = listed([card.name for card in trust.cards])
    return Section(
        id="judges",
        title="Judges",
        finding=headline(trust.cards[0]) if len(trust.cards) == 1 else f"What {names} may be used for",
        parts=tuple(parts),
        commands=(command,),
        notes=(trust.note,) if trust.note else (),
    )


TRUST = Presenter(tables=trust_tables, answer=trust_sentences, figure=trust_figure)

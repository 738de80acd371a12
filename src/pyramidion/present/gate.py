"""The gate in words: the verdict, what it rests on, and the topics on which the candidate loses most."""

from __future__ import annotations

from pyramidion.present.judge_offsets import offset_sentence
from pyramidion.present.presenter import Presenter
from pyramidion.present.topic_and_run_notes import advise_clusters, describe_noise
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import capital, confidence_interval, counted, listed, number, p_in_words, percent, together
from pyramidion.studies.gate import FEWEST_TOPICS, Gate, GateLedger, GateMeasure, GateSelfTest, SkippedSlices

DIGITS = 4
"""Decimals of a difference in a sentence."""
_COLUMNS = (
    "role",
    Column("baseline_mean", "baseline", DIGITS),
    Column("candidate_mean", "candidate", DIGITS),
    Column("difference", digits=DIGITS),
    Column("lower", digits=DIGITS),
    Column("upper", digits=DIGITS),
    Column("margin", digits=DIGITS),
    "p_adjusted",
    "n",
    "verdict",
)


def gate_tables(gate: Gate) -> list[Table]:
    """The measures and slices with their verdicts, then the topics with the largest losses."""
    if gate.self_test is not None:
        return [_self_test_table(gate.self_test)]
    decision = gate.decision
    measures = table_of(
        gate.measures,
        (Column("label", "measure"), *_COLUMNS),
        title=f"{decision.candidate} against {decision.baseline}: {gate.verdict}",
        sentences=gate_sentences(gate),
        notes=_notes(gate),
    )
    tables = [measures]
    if gate.regressions:
        columns = [Column(name, digits=DIGITS) for name in ("baseline", "candidate", "difference")]
        title = f"{decision.measure}: topics with the largest losses"
        tables.append(table_of(gate.regressions, ("topic", *columns), title=title))
    return tables


def _self_test_table(test: GateSelfTest) -> Table:
    return table_of(
        (test,),
        ("exchanges", "failed", "undecided", Column("share", digits=3), Column("limit", digits=3), "topics"),
        title="self-test: labels exchanged at random within topics",
        sentences=(self_test_sentence(test),),
    )


def gate_sentences(gate: Gate) -> tuple[str, ...]:
    """The verdict first, then what fails or is undecided among the guards, then how missing outputs count."""
    if gate.self_test is not None:
        return (self_test_sentence(gate.self_test),)
    guards = [_guard_sentence(measure) for measure in gate.measures[1:] if measure.verdict != "pass"]
    primary = _primary_sentence(gate)
    # The name of a system stays as it is.
    alone = primary if primary.startswith(gate.decision.candidate) else capital(primary)
    sentences = [f"{capital(gate.verdict)}: {primary}", *guards]
    if gate.ledger is not None:
        sentences = [f"{capital(gate.verdict)}: {_ledger_sentence(gate, gate.ledger)}", alone, *guards]
    elif gate.primary.verdict != gate.verdict:  # a guard decides, so it comes first
        deciding = [measure for measure in gate.measures if measure.verdict == gate.verdict]
        names = listed([measure.label for measure in deciding])
        verb = "fails" if gate.verdict == "fail" else "is undecided"
        if len(deciding) > 1:
            verb = verb.replace("fails", "fail").replace("is ", "are ")
        sentences = [f"{capital(gate.verdict)}: {names} {verb}.", *guards, alone]
    sentences.append(_passing_guards(gate))
    sentences.append(_undecided_as(gate))
    sentences += missing_sentences(gate)
    sentences += remarks_on_data(gate)
    sentences += [offset_sentence(offset) for offset in gate.offsets]
    return tuple(filter(None, sentences))


def _ledger_sentence(gate: Gate, ledger: GateLedger) -> str:
    """What the ledger decides, and whether a single test would have failed."""
    is_reached = ledger.e >= ledger.threshold
    relation = "reaches" if is_reached else "does not reach"
    earlier = counted(ledger.fails_before, "earlier fail")
    sentence = (
        f"the evidence of a loss, e = {ledger.e:.3g}, {relation} {ledger.threshold:.3g}, which decision "
        f"{ledger.decision} of the ledger needs to fail ({earlier})."
    )
    if ledger.left_out is not None:
        new = counted(ledger.left_out, "new topic")
        sentence += f" It leaves out {new} of clusters that it has bet on before: gate whole clusters."
    if gate.verdict == "fail" and not is_reached:
        return f"{sentence} It has failed before, with fewer topics."
    if gate.verdict != "fail" and gate.of_verdict("fail"):
        return f"{sentence} As a single test it would fail."
    return sentence


def self_test_sentence(test: GateSelfTest) -> str:
    """How often the gate fails if nothing is wrong, and whether that is what chance allows."""
    count = f"{test.failed:,} of {test.exchanges:,}"
    result = (
        f"Self-test: with labels exchanged at random within {counted(test.topics, 'topic')}, the gate fails {count} "
        f"times ({percent(test.share, 1)}); chance allows {percent(test.limit, 1)}."
    )
    if test.is_kept:
        return result
    return (
        f"{result} That is more than chance explains: a t test assumes that means of differences are roughly normal, "
        f"and with {counted(test.topics, 'topic')} these are not. Use more topics, or a measure with "
        "fewer equal scores."
    )


def _primary_sentence(gate: Gate) -> str:
    """What the first measure says."""
    measure, decision = gate.primary, gate.decision
    systems = f"{decision.candidate} is {{}} than {decision.baseline} on {measure.measure}"
    if measure.n < 2:
        topics = "no topic has scores of both systems" if not measure.n else "one topic can't show a loss"
        return f"{topics} ({decision.candidate} and {decision.baseline} on {measure.measure})."
    if measure.clusters == 1:
        return f"one cluster can't show a loss ({decision.candidate} and {decision.baseline} on {measure.measure})."
    if measure.margin is None:
        return _sentence_without_margin(gate, systems)
    margin = margin_in_words(measure)
    numbers = measure_numbers(measure)
    if measure.verdict == "fail":
        return f"{systems.format('worse')} by more than {margin}: {numbers}."
    if measure.verdict == "pass":
        return f"{systems.format('not worse')} by more than {margin}: {numbers}."
    return (
        f"the data does not show whether {systems.format('worse')} by more than {margin}: {numbers}."
        f"{_half_width(measure)}{_next_step(measure)}"
    )


def _sentence_without_margin(gate: Gate, systems: str) -> str:
    measure = gate.primary
    if measure.verdict == "fail":
        return f"{systems.format('significantly worse')}: {measure_numbers(measure)}."
    if measure.verdict == "undecided":
        units = counted(measure.n, "topic") if measure.clusters is None else counted(measure.clusters, "cluster")
        loss = number(-(measure.difference or 0.0), DIGITS)
        return f"{systems.format('worse')} by {loss} on each of {units}, which are too few to show it."
    if measure.tie == measure.n:
        return f"{gate.decision.candidate} and {gate.decision.baseline} score the same on all {measure.n:,} topics."
    hidden = ""
    if measure.detectable is not None:
        size = number(measure.detectable, DIGITS)
        hidden = f" A loss below {size} could have stayed hidden: from there on, it is found with 80 % power or more."
    return f"{systems.format('not significantly worse')}: {measure_numbers(measure)}.{hidden}"


def measure_numbers(measure: GateMeasure) -> str:
    """The difference with its interval and p, over how many topics."""
    interval = confidence_interval(measure.confidence, measure.lower, measure.upper, DIGITS) or "no interval"
    test = f"; {p_in_words(measure.p_adjusted)}" if measure.verdict == "fail" and measure.p_adjusted is not None else ""
    corrected = " after Holm's correction" if test and measure.role == "guard" else ""
    difference = number(measure.difference or 0.0, DIGITS)
    clusters = "" if measure.clusters is None else f" in {counted(measure.clusters, 'cluster')}"
    return f"difference {difference} over {counted(measure.n, 'topic')}{clusters} ({interval}{test}{corrected})"


def margin_in_words(measure: GateMeasure) -> str:
    """The margin as it was given: in units, or as a share of the baseline's mean."""
    units = f"{measure.margin or 0.0:.4g}"
    if measure.share is None:
        return units
    return f"{100 * measure.share:g} % of the baseline's mean ({units})"


def _half_width(measure: GateMeasure) -> str:
    if not measure.is_below or measure.lower is None or measure.upper is None:
        return ""
    half = number((measure.upper - measure.lower) / 2, DIGITS)
    return f" With {counted(measure.n, 'topic')}, nothing smaller than ±{half} can be shown."


def _next_step(measure: GateMeasure) -> str:
    if measure.topics_needed is None:
        return " More topics would decide." if measure.lower is None else ""
    more = measure.topics_needed - measure.n
    if more <= 0:
        return " Systems that do not differ pass with this many topics (80 % power): look at the losses, or add topics."
    return f" About {counted(more, 'more topic')} would show it for systems that do not differ (80 % power)."


def _guard_sentence(measure: GateMeasure) -> str:
    """Which guard fails or is undecided, and why."""
    verdict = "fails" if measure.verdict == "fail" else "is undecided"
    name = f"Slice {measure.slice} of {measure.measure}" if measure.slice else f"Guard {measure.measure}"
    if measure.n < 2:
        return f"{name} {verdict}: {measure.reason}."
    worse = "" if measure.margin is None else f" (margin {margin_in_words(measure)})"
    return f"{name} {verdict}: {measure_numbers(measure)}{worse}."


def _passing_guards(gate: Gate) -> str:
    names = [measure.label for measure in gate.measures[1:] if measure.verdict == "pass"]
    if not names:
        return ""
    return f"{counted(len(names), 'guard')} without a significant loss: {listed(names)}."


def _undecided_as(gate: Gate) -> str:
    if gate.verdict != "undecided" or gate.options.undecided is None:
        return ""
    return f"Undecided counts as a {gate.options.undecided}, as `undecided=` says."


def missing_sentences(gate: Gate) -> list[str]:
    """How missing outputs and missing scores count; each once for all measures that lack the same."""
    sentences: dict[str, None] = {}
    for measure in gate.measures:
        systems = (gate.decision.baseline, gate.decision.candidate)
        counts = (measure.missing_baseline, measure.missing_candidate)
        for system, count in zip(systems, counts, strict=True):
            if count:
                missing = f"{system} has no output for {counted(count, 'topic')}"
                sentences[f"{missing}: {_how_missing_counts(measure)}."] = None
        if measure.unscored:
            topics = counted(measure.unscored, "topic")
            sentences[f"{measure.measure}: {topics} left out, because an output has no score."] = None
    return list(sentences)


def _how_missing_counts(measure: GateMeasure) -> str:
    if measure.is_dropped:
        return 'left out, as `missing="drop"` says'
    return f"a missing output counts as {measure.lowest or 0.0:g} on {measure.measure}, the lowest value"


def _notes(gate: Gate) -> tuple[str, ...]:
    notes = [f"Limits at {gate.options.confidence:g} % confidence; above 0, the candidate is better."]
    if len(gate.measures) > 1:
        notes.append("p is corrected for the number of guards (Holm).")
    return tuple(notes)


GATE = Presenter(tables=gate_tables, answer=gate_sentences)


def why_undefined(row: GateMeasure) -> str:
    """Why numbers of a measure are undefined."""
    if row.n == 0:
        return "no topic has scores of both systems"
    reasons = []
    if row.n < FEWEST_TOPICS:
        reasons.append("a single topic has no spread")
    elif row.clusters is not None and row.clusters < FEWEST_TOPICS:
        reasons.append("a single cluster has no spread")
    elif row.lower is None:
        reasons.append("the differences do not vary")
    if row.margin is None:
        reasons.append("no margin was given, which the topics needed depend on")
    else:
        reasons.append("with a margin, no detectable loss is computed")
    return together(*reasons)


def remarks_on_data(gate: Gate) -> list[str]:
    """What one must know about the data, in sentences."""
    cautions = gate.cautions
    remarks = [
        f"{cautions.cluster_note}." if cautions.cluster_note else "",
        advise_clusters(cautions.shared_field, cautions.shared_topics, "gate"),
    ]
    if cautions.runs is not None and cautions.run_share is not None:
        runs = cautions.runs
        remarks.append(describe_noise(runs.runs, cautions.run_share, runs.source, has_fewer=runs.has_fewer))
    if cautions.assessors:
        remarks.append(
            f"The {cautions.assessors} assessors of {gate.decision.measure} are taken as given: the verdict holds for "
            "them. Pairs of pyramidion compare are about similar assessors, too, where the design allows it."
        )
    if cautions.compares_runs:
        remarks.append(_remark_on_self_test(gate))
    return [*filter(None, remarks), *_remarks_on_slices(cautions.skipped)]


def _remarks_on_slices(skipped: SkippedSlices) -> list[str]:
    """About slices that are not tested, and about topics that are in none, if there are any."""
    remarks = []
    if skipped.too_small:
        slices = counted(len(skipped.too_small), "slice")
        remarks.append(
            f"{slices} not tested, with fewer than {FEWEST_TOPICS} topics (or clusters of them) that have scores of "
            f"both: {listed(list(skipped.too_small))}."
        )
    if skipped.without:
        verb = "has" if skipped.without == 1 else "have"
        remarks.append(f"{counted(skipped.without, 'topic')} {verb} no {skipped.field}: in no slice.")
    return remarks


def _remark_on_self_test(gate: Gate) -> str:
    """That two runs of one system were compared, and how often chance alone fails them."""
    alpha = 100 - gate.options.confidence
    share = alpha if len(gate.measures) > 1 else alpha / 2
    return (
        f"Self-test: {gate.decision.baseline} and {gate.decision.candidate} are runs of the same system, so that a "
        f"fail is a false alarm; chance alone causes one in {share:g} % of cases."
    )

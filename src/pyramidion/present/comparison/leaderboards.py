"""Leaderboards in words: who stands where on each measure, what the tests say, and where the variance comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.comparison.analysis_notes import (
    note_on_tests,
    scope_of_assessors,
    why_no_anova,
    why_no_friedman,
    why_no_letters,
    why_no_tukey,
)
from pyramidion.present.comparison.fragility import fragility_tables
from pyramidion.present.comparison.pairs import (
    one_rater_sentence,
    pair_sentences,
    pair_tables,
    scope_sentences,
    sequential_sentence,
    sequential_tables,
)
from pyramidion.present.judge_offsets import offset_sentence
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Row, Table, table_of
from pyramidion.show.wording import capital, counted, listed, p_in_words, percent
from pyramidion.studies.comparison.analysis import DESCRIPTIVE, Analysis, Standing
from pyramidion.studies.comparison.assessors import ComponentRow, RandomAssessors
from pyramidion.studies.comparison.comparison import FEWER_MODELS, Comparison
from pyramidion.studies.comparison.ordinal import OrdinalCheck

FEW_TOPICS = 6
PAIRED_TESTS = "paired t tests with Holm's correction"
WIDEST = 3.0
"""Intervals of components end at this many times the largest component; one that goes on is said to."""
MOST_CHANGED = 3
"""Pairs that are named where another treatment of the answers changes verdicts."""
_LEADERBOARD_WIDTH = 360
_COMPONENTS_WIDTH = 300
_ANOVA = ("source", "ss", "df", "ms", "f", "p")
_TUKEY = ("q", "mse", "df", "critical_difference", "least", "largest", "pairs")
_FRIEDMAN = (Column("chi2", "χ²"), "df", "p", "exact", "nemenyi_difference", "topics")
_DIFFERENCE = ("a", "b", "difference", "tukey", "nemenyi")
_COMPONENT = ("term", Column("value", "variance"), "lower", "upper", "levels")


def comparison_tables(comparison: Comparison) -> list[Table]:
    """For each measure the leaderboard and the pairs that were asked for; the tests on request."""
    has_kind = {
        "look": bool(comparison.sequential),
        "pair": bool(comparison.pairs),
        "fragility": comparison.options.fragility,
    }
    kinds = [kind for kind in TABLES if kind in comparison.chosen_kinds and has_kind.get(kind, True)]
    tables: list[Table] = []
    for measure in comparison.measures:
        for kind in kinds:
            tables += TABLES[kind](comparison, measure)
    return tables


def comparison_answer(comparison: Comparison) -> tuple[str, ...]:
    """Who is better, if two systems were compared or pairs were asked for; over all measures, and what it holds for."""
    measures = sorted(comparison.measures, key=lambda measure: measure != comparison.primary)
    if comparison.sequential:
        looks = [sequential_sentence(pair) for measure in measures for pair in comparison.sequential_on(measure)]
        return (*looks, "The tests and letters of the leaderboard hold for a single look.")
    if not comparison.pairs:
        return ()
    sentences = [sentence for measure in measures for sentence in pair_sentences(comparison.pairs_on(measure))]
    offsets = [offset_sentence(offset) for offset in comparison.offsets]
    return (*sentences, *scope_sentences(comparison), *offsets)


# Leaderboards


def leaderboard_table(comparison: Comparison, measure: str) -> Table:
    """The standings on one measure, and what the tests say."""
    analysis, digits = comparison.analysis(measure), comparison.digits(measure)
    limits = (Column("lower", digits=digits), Column("upper", digits=digits))
    adjusted = Column("adjusted", digits=digits, of=lambda standing: standing.adjusted)
    if not _has_adjusted_means(analysis):
        adjusted = replace(adjusted, of=lambda _: None)
    # An adjusted mean stands next to its interval.
    means_with_limits = (adjusted, *limits) if analysis.random else (*limits, adjusted)
    labels = {summarizer: comparison.label(summarizer) for summarizer in analysis.summarizers}
    return table_of(
        analysis.standings,
        (
            "rank",
            Column("summarizer", comparison.kind),
            Column("name", of=lambda standing: comparison.names.get(standing.summarizer)),
            Column("value", "mean", digits=digits),
            *means_with_limits,
            "letters",
            Column("ranks", of=rank_range),
            Column("n", "topics"),
            Column("missing", of=lambda standing: standing.missing or None),
        ),
        title=leaderboard_title(comparison, measure),
        heads=3,
        sentences=analysis_sentences(
            analysis, labels, kind=comparison.kind, is_one_of_several=len(comparison.measures) > 1
        ),
        notes=(
            *_notes_on_offset(comparison, measure),
            *leaderboard_notes(analysis),
            *_note_on_rater(comparison, measure),
        ),
        about=measure,
    )


def _note_on_rater(comparison: Comparison, measure: str) -> list[str]:
    """That one judge or one assessor gave all scores; where a pair was compared, the answer says it."""
    rater = comparison.single_raters.get(measure)
    return [one_rater_sentence(rater, comparison.kind)] if rater and not comparison.pairs_on(measure) else []


def _notes_on_offset(comparison: Comparison, measure: str) -> list[str]:
    """That these are a judge's means, and how far they are off; where a pair was compared, the answer says it."""
    offset = comparison.offset_of(measure)
    return [] if offset is None or comparison.pairs_on(measure) else [offset_sentence(offset)]


def rank_range(standing: Standing) -> str | None:
    """The ranks that a system may have: `1–3`."""
    if standing.rank_lower is None or standing.rank_upper is None:
        return None
    if standing.rank_lower == standing.rank_upper:
        return str(standing.rank_lower)
    return f"{standing.rank_lower}–{standing.rank_upper}"


def _has_adjusted_means(analysis: Analysis) -> bool:
    """Whether adjusted means differ from plain ones, or would if scores were missing."""
    if analysis.has_missing_scores:
        return True
    return any(
        standing.adjusted is not None and abs(standing.adjusted - standing.value) > 1e-9
        for standing in analysis.standings
    )


def leaderboard_title(comparison: Comparison, measure: str) -> str:
    """The measure, the level of its intervals, and which direction is better."""
    direction = ", lower is better" if measure in comparison.lower_is_better else ""
    if measure in comparison.descriptive:
        direction = f"; {DESCRIPTIVE}"
    note = f"; {comparison.notes[measure]}" if measure in comparison.notes else ""
    return f"{measure} ({comparison.confidence:g} % confidence intervals{direction}{note})"


def leaderboard_notes(analysis: Analysis) -> list[str]:
    """What limits a comparison: few topics, missing scores, intervals that are cut, unequal numbers of models."""
    notes = []
    topics = analysis.scores.topic_count
    if analysis.scores.are_sums:
        notes.append(f"Computed from sums over {counted(topics, 'topic')}.")
    else:
        notes += _notes_on_topics(analysis)
    if analysis.cut_at is not None:
        low, high = analysis.cut_at
        notes.append(f"Intervals that reach past the scale, {low:g} to {high:g}, are cut there.")
    if analysis.has_unequal_models:
        notes.append(f"{FEWER_MODELS}.")
    if analysis.ordinal is not None and analysis.ordinal.changed:
        notes.append(ordinal_sentence(analysis.ordinal))
    return notes


def ordinal_sentence(check: OrdinalCheck) -> str:
    """How the verdicts on pairs change when answers are treated as ordered, not as numbers."""
    pairs = [f"{a} and {b}" for a, b in check.changed[:MOST_CHANGED]]
    if len(check.changed) > MOST_CHANGED:
        pairs.append(counted(len(check.changed) - MOST_CHANGED, "other pair"))
    count = f"{check.as_ordered} of {counted(check.pairs, 'pair')} differ significantly"
    if check.as_ordered == check.as_numbers:
        count += ", as many as before, but other ones"
    else:
        count += f" instead of {check.as_numbers}"
    sentence = (
        f"Treated as ordered answers, not as numbers (proportional odds), {count}; "
        f"the verdict changes for {'; '.join(pairs)}."
    )
    if check.left_out:
        sentence += f" Left out, because all answers are at one end of the scale: {listed(check.left_out)}."
    return sentence


def _notes_on_topics(analysis: Analysis) -> list[str]:
    """Where topics are few, or means are over different ones."""
    notes = []
    topics, counts = analysis.scores.topic_count, analysis.scores.counts
    if topics == 1:
        notes.append("Only 1 topic: no intervals.")
    elif topics < FEW_TOPICS:
        notes.append(f"Only {topics} topics: intervals are wide.")
    incomplete = int((counts < topics).sum())
    if incomplete:
        ranked = "; ranks and letters use adjusted (least-squares) means" if analysis.adjusted else ""
        notes.append(
            f"{incomplete} of {len(counts)} summarizers lack scores on some topics, so their plain means are over "
            f"different topics{ranked}."
        )
    note = note_on_tests(analysis)
    if note:
        notes.append(f"{capital(note)}.")
    return notes


# What the tests say


def analysis_sentences(
    analysis: Analysis,
    labels: Mapping[str, str] | None = None,
    *,
    kind: str = "system",
    is_one_of_several: bool = False,
) -> list[str]:
    """What the tests of a measure say, in plain words.

    Args:
        analysis: of the measure.
        labels: names of summarizers to use instead of their ids.
        kind: what the compared are called, `system` or `summarizer`.
        is_one_of_several: whether other measures are compared as well: then each test names this one.
    """
    measure = analysis.measure if is_one_of_several else ""
    if analysis.cluster:
        clustered = [
            _best_sentence(analysis, labels or {}, measure, kind),
            _rank_interval_sentence(analysis, labels or {}, measure),
            _cluster_sentence(analysis, measure),
            scope_of_assessors(analysis.fixed),
        ]
        return [sentence for sentence in clustered if sentence]
    sentences = [
        _best_sentence(analysis, labels or {}, measure, kind),
        _rank_interval_sentence(analysis, labels or {}, measure),
        _variance_sentence(analysis, measure, kind),
        _letters_sentence(analysis, measure, kind),
        _unnamed_pair_sentence(analysis, kind),
    ]
    if analysis.random:
        sentences += [*random_assessors_sentences(analysis.random), _fixed_assessors_sentence(analysis)]
    else:
        sentences.append(scope_of_assessors(analysis.fixed))
    sentences.append(_ranks_sentence(analysis, measure))
    return [sentence for sentence in sentences if sentence]


def letters_test_name(analysis: Analysis) -> str:
    """What the test behind the letters is called."""
    return PAIRED_TESTS if analysis.paired else "Tukey's test"


def _best_sentence(analysis: Analysis, labels: Mapping[str, str], measure: str, kind: str) -> str:
    """Who is not significantly different from the best."""
    if not analysis.letters:
        return ""
    best = [standing.summarizer for standing in analysis.standings if standing.rank == 1]
    rest = [summarizer for summarizer in analysis.letters if summarizer not in best]
    names = {summarizer: labels.get(summarizer, summarizer) for summarizer in analysis.letters}
    on_measure = f" on {measure}" if measure else ""
    better, extreme = ("higher", "highest") if analysis.is_descriptive else ("better", "best")
    leaders = listed([names[leader] for leader in best])
    if not rest:
        return f"{leaders} are equal{on_measure}." if len(best) > 1 else ""
    of_each = [set(analysis.undecided(leader, rest) or ()) for leader in best]
    undecided = [names[other] for other in rest if any(other in others for others in of_each)]
    if undecided:
        systems = f"the {extreme} {kind}{'s' if len(best) > 1 else ''}{on_measure}"
        if analysis.is_descriptive:
            systems, leaders = f"the highest mean{on_measure}", f"that of {leaders}"
        return f"Not significantly different from {systems}, {leaders}: {listed(undecided)}."
    verb = "is" if len(best) == 1 else "are"
    if len(rest) == len(best) == 1:  # the test of the pair may decide otherwise
        test = letters_test_name(analysis)
        return f"{leaders} is significantly {better} than {names[rest[0]]}{on_measure} ({test})."
    return f"{leaders} {verb} significantly {better} than every other{on_measure}."


def _rank_interval_sentence(analysis: Analysis, labels: Mapping[str, str], measure: str) -> str:
    """Which ranks the leader may have, or the leaders if several are equal."""
    leaders = [standing for standing in analysis.standings if standing.rank == 1 and standing.rank_upper is not None]
    ranges = dict.fromkeys(rank_range(leader) for leader in leaders)
    if len(analysis.summarizers) < 3 or list(ranges) in ([], ["1"]):  # what was said before says it
        return ""
    clauses = []
    for first, last in dict.fromkeys((leader.rank_lower, leader.rank_upper) for leader in leaders):
        names = [
            labels.get(leader.summarizer, leader.summarizer)
            for leader in leaders
            if (leader.rank_lower, leader.rank_upper) == (first, last)
        ]
        verb = "is" if len(names) == 1 else "are"
        clauses.append(f"{listed(names)} {verb} between rank {first} and {last}")
    on_measure = f" on {measure}" if measure else ""
    return f"{'; '.join(clauses)}{on_measure} ({analysis.confidence:g} % confidence)."


def _variance_sentence(analysis: Analysis, measure: str, kind: str) -> str:
    """What the analysis of variance, or the mixed model, says of the systems."""
    for_measure = f" for {measure}" if measure else ""
    if analysis.random:
        test = analysis.random.f_test
        result = f"F({test.numerator}, {test.denominator:.4g}) = {test.f:.2f}, {p_in_words(test.p)}"
        model = f"Mixed model{for_measure} (topics and assessors random)"
        return f"{model}, effect of {kind}: {result}.{_tukey_sentence(analysis)}"
    if analysis.anova is None:
        return f"No analysis of variance{for_measure}: {why_no_anova(analysis)}."
    systems = analysis.anova.row_table
    result = "F is undefined: the residual variance is zero"
    if not np.isnan(systems.f):
        freedom = f"({systems.degrees_of_freedom}, {analysis.anova.degrees_of_freedom})"
        result = f"F{freedom} = {systems.f:.2f}, {p_in_words(systems.p)}"
    model = f"Two-way analysis of variance{for_measure} ({kind} + topic)"
    return f"{model}, effect of {kind}: {result}.{_tukey_sentence(analysis)}"


def _tukey_sentence(analysis: Analysis) -> str:
    """How many pairs differ by Tukey's test; follows the sentence on the variance."""
    tukey = analysis.tukey
    if tukey is None:
        return f" No Tukey test: {why_no_tukey(analysis)}."
    if analysis.pair_count == 1:
        return ""
    if analysis.paired is not None and analysis.has_only_constants:
        return ""
    if analysis.paired is not None:
        return f" Tukey's test would find {tukey.pairs} of {analysis.pair_count} pairs significant."
    critical = f"{tukey.critical_difference:.5g}"
    if np.isnan(tukey.critical_difference):
        critical = f"{tukey.least_difference:.5g} to {tukey.largest_difference:.5g}, depending on the pair"
    significant = f"{tukey.pairs} of {analysis.pair_count} pairs differ significantly"
    return f" {significant} (Tukey's test; critical difference {critical})."


def _letters_sentence(analysis: Analysis, measure: str, kind: str) -> str:
    """Where the letters do not come from Tukey's test, or should not: why, and what they show."""
    on_measure = f" on {measure}" if measure else ""
    unequal = ""
    if analysis.variances is not None and analysis.variances.unequal:
        unequal = (
            f"The {kind}s vary unequally{on_measure} (the largest standard deviation of paired differences is "
            f"{analysis.variances.ratio:.2g} times their root mean square)"
        )
    if analysis.paired is None:
        if not unequal:
            return ""
        remedy = '`letters="paired"` tests each pair with its own variance'
        return f"{unequal}, so Tukey's test may find differences that are not there; {remedy}."
    source = f"letters come from {PAIRED_TESTS}"
    cause = unequal
    if analysis.has_only_constants:
        cause = f"The residual variance is zero{on_measure}"
        source = "letters come from the signs of paired differences, with Holm's correction"
    if analysis.has_missing_scores:
        source += f" on the topics that both {kind}s of a pair have"
        cause = f"Scores are missing{on_measure}"
    sentence = f"{cause}, so {source}" if cause else f"{capital(source)}{on_measure}"
    count = f"{analysis.paired.pairs} of {analysis.pair_count} pairs differ significantly"
    return f"{sentence}: {count}.{_untested_pairs_sentence(analysis.paired.untested)}"


def _unnamed_pair_sentence(analysis: Analysis, kind: str) -> str:
    """Where the test of all systems is significant and no test of two is."""
    test = analysis.letters_test
    if test is None or test.pairs or analysis.pair_count < 2:
        return ""
    is_significant = p_of_systems(analysis) <= 1 - analysis.confidence / 100
    return f"The {kind}s differ, but no pair that differs can be named." if is_significant else ""


def p_of_systems(analysis: Analysis) -> float:
    """The p of the test of all systems at once, of the mixed model or the analysis of variance; NaN without one."""
    if analysis.random:
        return float(analysis.random.f_test.p)
    return float(analysis.anova.row_table.p) if analysis.anova else float("nan")


def _cluster_sentence(analysis: Analysis, measure: str) -> str:
    """Where topics belong together: where the letters come from, and what is left out."""
    on_measure = f" on {measure}" if measure else ""
    left_out = "the analysis of variance and Friedman's test, which treat topics as independent, are left out"
    if analysis.paired is None:
        return f"Topics are clustered by {analysis.cluster}: {left_out}. No letters: {why_no_letters(analysis)}."
    count = f"{analysis.paired.pairs} of {analysis.pair_count} pairs differ significantly"
    return (
        f"Topics are clustered by {analysis.cluster}, so letters come from {PAIRED_TESTS}, clusters being the unit"
        f"{on_measure}: {count}.{_untested_pairs_sentence(analysis.paired.untested)} {capital(left_out)}."
    )


def _untested_pairs_sentence(count: int) -> str:
    if not count:
        return ""
    share = "shares no topic" if count == 1 else "share no topic"
    return f" {counted(count, 'pair')} {share} and can't be tested."


def random_assessors_sentences(model: RandomAssessors) -> list[str]:
    """What differences between systems hold for where assessors are a random sample, and where the model has limits."""
    sentences = [
        "Assessors and topics are treated as random samples, so the tests generalize to similar assessors and topics."
    ]
    components = model.components
    if model.has_few_contrasts:
        assessors = counted(model.assessors, "assessor")
        sentences.append(f"With {assessors}, the error rate of a test at the 5 % level may be 7 %.")
    if components.left_out:
        kept = listed([*components.terms, "error"])
        sentences.append(f"This design can't separate {listed(list(components.left_out))} from {kept}.")
    if components.zero:
        terms = listed(list(components.zero))
        sentences.append(f"Estimated variance of {terms}: 0 (it may be too small to detect).")
    if not components.converged:
        sentences.append("The estimates had not converged after 200 iterations; treat them with caution.")
    return sentences


def _fixed_assessors_sentence(analysis: Analysis) -> str:
    """How many pairs would differ if the assessors, who are treated as a random sample, were taken as given."""
    fixed, random = analysis.tukey_as_given, analysis.tukey
    if fixed is None or analysis.random is None or random is None or analysis.paired is not None:
        return ""
    these = f"these {analysis.random.assessors} assessors"
    if fixed.pairs == random.pairs:
        return f"Treating {these} as fixed gives the same number of significant pairs."
    doubt = ", but other assessors might not confirm all of them" if fixed.pairs > random.pairs else ""
    return (
        f"With {these} treated as fixed, {fixed.pairs} of {analysis.pair_count} pairs would differ significantly "
        f"instead of {random.pairs}{doubt}."
    )


def _ranks_sentence(analysis: Analysis, measure: str) -> str:
    """What Friedman's test says, and Nemenyi's of all pairs."""
    for_measure = f" for {measure}" if measure else ""
    test = analysis.friedman
    if test is None or np.isnan(test.chi2):
        return f"No Friedman test{for_measure}: {why_no_friedman(analysis)}."
    exact = "exact " if test.exact else ""
    return (
        f"Friedman's test{for_measure} over {counted(test.columns, 'topic')}: "
        f"χ²({test.degrees_of_freedom}) = {test.chi2:.2f}, {exact}{p_in_words(test.p)}"
        f"{_nemenyi_clause(analysis)}.{_other_verdict_sentence(analysis, test.p)}"
    )


def _nemenyi_clause(analysis: Analysis) -> str:
    """How many pairs differ by Nemenyi's test, and how many of them by Tukey's as well."""
    if analysis.friedman is None or analysis.pair_count < 2:
        return ""
    pairs = analysis.friedman.pairs
    also = ""
    if analysis.tukey and pairs:
        both = sum(1 for difference in analysis.differences if difference.tukey and difference.nemenyi)
        extent = "all" if both == pairs else str(both)
        also = f", {extent} of which are also significant by Tukey's test"
    return f"; Nemenyi's test finds {pairs} of {analysis.pair_count} pairs significant{also}"


def _other_verdict_sentence(analysis: Analysis, p_of_ranks: float) -> str:
    """A remark where the test of ranks and the test of means decide differently."""
    p_of_means = p_of_systems(analysis)
    level = 1 - analysis.confidence / 100
    by_ranks, by_means = p_of_ranks <= level, p_of_means <= level
    if np.isnan(p_of_means) or by_ranks == by_means:
        return ""
    which = "by ranks within topics, but not by means" if by_ranks else "by means, but not by ranks within topics"
    differences = "The difference is" if analysis.pair_count == 1 else "Differences are"
    return f" {differences} significant {which}; the verdicts here are about means."


# The tests as tables


def _detail_table(
    analysis: Analysis, title: str, rows: Sequence[Row], columns: Sequence[Column | str], reasons: Sequence[str] = ()
) -> Table:
    """What stands behind a leaderboard."""
    measure = analysis.measure
    notes = (capital(analysis.about), *reasons)
    return table_of(rows, columns, title=f"{measure}: {title}", notes=notes, detail=True, about=measure)


def _reasons(rows: Sequence[Row]) -> list[str]:
    """Why something is undefined, each reason once; that the residual is not tested goes without saying."""
    records = [row.fields() for row in rows]
    reasons = [record["reason"] for record in records if "reason" in record and record.get("source") != "residual"]
    return [f"{capital(reason)}." for reason in dict.fromkeys(reasons)]


def _leaderboard_tables(comparison: Comparison, measure: str) -> list[Table]:
    return [leaderboard_table(comparison, measure)]


def _anova_tables(comparison: Comparison, measure: str) -> list[Table]:
    analysis = comparison.analysis(measure)
    rows = analysis.anova_rows()
    return [_detail_table(analysis, "two-way analysis of variance, type II", rows, _ANOVA, _reasons(rows))]


def _tukey_tables(comparison: Comparison, measure: str) -> list[Table]:
    analysis = comparison.analysis(measure)
    rows = [analysis.tukey_row()]
    return [_detail_table(analysis, "Tukey's honestly significant difference", rows, _TUKEY, _reasons(rows))]


def _friedman_tables(comparison: Comparison, measure: str) -> list[Table]:
    analysis = comparison.analysis(measure)
    rows = [analysis.friedman_row()]
    title = "Friedman's test, with Nemenyi's difference of mean ranks"
    return [_detail_table(analysis, title, rows, _FRIEDMAN, _reasons(rows))]


def _difference_tables(comparison: Comparison, measure: str) -> list[Table]:
    analysis = comparison.analysis(measure)
    rows = analysis.differences
    if not rows:
        return []
    columns = (*_DIFFERENCE, "paired") if analysis.paired else _DIFFERENCE
    return [_detail_table(analysis, "pairs that differ by one of the tests", rows, columns, _reasons(rows))]


def _component_tables(comparison: Comparison, measure: str) -> list[Table]:
    return [component_table(comparison, measure)] if comparison.analysis(measure).components else []


def component_table(comparison: Comparison, measure: str) -> Table:
    """Where the variance of the judgments behind a measure comes from."""
    analysis = comparison.analysis(measure)
    rows = analysis.components
    title = "where the variance of judgments comes from"
    reasons = _reasons([row for row in rows if row.lower is None])  # that an error has no levels needs no words here
    return _detail_table(analysis, title, rows, _COMPONENT, reasons)


TABLES: Final[Mapping[str, Callable[[Comparison, str], list[Table]]]] = {
    "mean": _leaderboard_tables,
    "look": sequential_tables,
    "pair": pair_tables,
    "anova": _anova_tables,
    "tukey": _tukey_tables,
    "friedman": _friedman_tables,
    "difference": _difference_tables,
    "component": _component_tables,
    "fragility": fragility_tables,
}
"""By the kind of record, its tables on one measure; in the order in which they are shown."""


# Figures


def draw_leaderboards(comparison: Comparison) -> Chart:
    """All leaderboards, one below the other: means as dots and their intervals as lines, followed by the letters.

    Each is followed by the components of variance if assessors are a sample.
    """
    if not comparison.standings:
        raise InputError("there are no scores to draw")
    panels = []
    for analysis in comparison.analyses:
        labels = {summarizer: comparison.label(summarizer) for summarizer in analysis.summarizers}
        title = leaderboard_title(comparison, analysis.measure)
        panels.append(_leaderboard_panel(analysis.standings, labels, title))
        if analysis.components:
            panels.append(components_panel(analysis.components))
    return vl.finished("Leaderboards", {"vconcat": panels})


def _leaderboard_panel(standings: Sequence[Standing], labels: Mapping[str, str], title: str) -> vl.Spec:
    rows = []
    for standing in standings:
        letters = standing.letters or ""
        label = labels[standing.summarizer]
        rows.append(vl.interval(label, standing.value, standing.lower, standing.upper, letters=letters))
    axis = {"title": vl.label(title), "scale": {"zero": False, "nice": True}, "axis": {"tickCount": 7}}
    beside = [vl.beside("letters", _LEADERBOARD_WIDTH)] if any(row["letters"] for row in rows) else []
    return vl.intervals(rows, axis, *beside, size=(_LEADERBOARD_WIDTH, {"step": 22}))


def components_panel(components: Sequence[ComponentRow]) -> vl.Spec:
    """A dot with its interval for each component of variance, the largest first, and its share of all.

    The error of single runs is part of `error`, and has no share of its own.
    """
    total = sum(component.value or 0.0 for component in components if component.term != "run")
    estimated = [component for component in components if component.value is not None]
    ranked = sorted(estimated, key=lambda component: -(component.value or 0.0))
    widest = WIDEST * (ranked[0].value or 0.0)
    rows = []
    for component in ranked:
        value = component.value or 0.0
        text = percent(value / total) if total and component.term != "run" else ""
        upper = component.upper
        if upper is not None and upper > widest > 0:
            text = f"{text} (up to {upper:.2g})"
            upper = widest
        rows.append(vl.interval(component.term.replace(":", " × "), value, component.lower, upper, share=text))
    first = components[0]
    title = f"{first.measure}: variance of a single judgment, with {first.confidence:g} % intervals"
    axis = {"title": vl.label(title), "scale": {"zero": True, "nice": True}, "axis": {"tickCount": 6}}
    return vl.intervals(rows, axis, vl.beside("share", _COMPONENTS_WIDTH), size=(_COMPONENTS_WIDTH, {"step": 22}))


COMPARISON = Presenter(tables=comparison_tables, answer=comparison_answer, figure=draw_leaderboards)

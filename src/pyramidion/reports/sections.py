"""The sections of a report, in the order of the page, and what each of them asks of the run.

A `make_…` chooses measures and options, asks the evaluation for a result, and has `present/` lay it out; it returns
None where the data has nothing for its section. `SECTIONS` lists them all. Below the list is how each chooses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import Final

from pyramidion.errors import InputError, PyramidionError, UsageError
from pyramidion.measures import Derived, select
from pyramidion.measures.hbr import DEFAULT_COLUMNS
from pyramidion.measures.names import parse
from pyramidion.options import (
    AssessorOptions,
    CompareOptions,
    CorrelateOptions,
    FrequencyOptions,
    HeterogeneityOptions,
    JudgmentAgreementOptions,
    JudgmentRegressionOptions,
    PyramidAgreementOptions,
    ReportSection,
    SampleSizeOptions,
    TopicsOptions,
    TrustOptions,
)
from pyramidion.present import heterogeneity, sample_size
from pyramidion.present.comparison.sections import (
    answer_section,
    heat_map_section,
    leaderboards_section,
    pairs_section,
)
from pyramidion.present.correlation import sections as correlation
from pyramidion.present.description import data_section
from pyramidion.present.judgments import agreement, assessors, frequencies, regression
from pyramidion.present.methods import ReportSettings, has_correlations, methods_section
from pyramidion.present.predictions import estimates_section, no_estimates_section
from pyramidion.present.preferred import preferences_section
from pyramidion.present.pyramids import pyramids_section
from pyramidion.present.section import Section
from pyramidion.present.side_by_side import side_by_side_section
from pyramidion.present.trust.cards import small_section
from pyramidion.pyramids.reliability.agreement import PyramidAgreement
from pyramidion.reports.context import Context
from pyramidion.scores import ScoreTable
from pyramidion.show.wording import listed
from pyramidion.studies.correlations.correlations import Correlations, correlate
from pyramidion.studies.deciding import find_programs
from pyramidion.studies.description import count_coverage
from pyramidion.studies.predictions.estimates import PredictedComparison, PredictedMeasure
from pyramidion.studies.predictions.plans import choose_estimated
from pyramidion.studies.sample_size import SampleSizeStudy
from pyramidion.studies.sample_size.models import explain_fixed_references
from pyramidion.studies.trust.results import TrustCard
from pyramidion.version import VERSION

MOST_QUESTIONS = 12
"""Questions whose answers are counted."""
MOST_COMBINED = 24
"""Measures whose heterogeneity is studied."""
MOST_SUMMARY_PAIRS = 4_000_000
"""Ordered pairs of summaries of one topic, over all topics; with more, heterogeneity is left out."""


def make_answer(context: Context) -> Section:
    """Who is best by the measure that decides: the first screen, always there."""
    return answer_section(context.sections, context.preference_options)


def make_look_inside(context: Context) -> Section | None:
    """Summaries side by side; None without summaries of the summarizers that have scores."""
    return side_by_side_section(context.sections, peers=context.evaluation.choice.peers)


def make_leaderboards(context: Context) -> Section:
    """One leaderboard for each measure, below an overview."""
    return leaderboards_section(context.sections)


def make_pairs(context: Context) -> Section | None:
    """The matrix of pairs; None for a single pair, or if none could be tested."""
    return pairs_section(context.sections)


def make_heat_map(context: Context) -> Section | None:
    """Scores by system and topic; None if there is a single topic."""
    return heat_map_section(context.sections)


def make_judgments(context: Context) -> Section | None:
    """Frequencies of answers by kind of summarizer, and the regression of one question on the others."""
    questions = context.campaign.question_names
    if not context.campaign.judgments:
        return None
    options = FrequencyOptions(question=questions[:MOST_QUESTIONS] if len(questions) > MOST_QUESTIONS else ())
    return frequencies.section(
        context.evaluation.judgment_frequencies(options),
        context.sections,
        options,
        regression=_regress_overall_score(context) if len(questions) > 1 else None,
    )


def make_preferences(context: Context) -> Section | None:
    """Who is preferred to whom; None without preferences, or where they decide and are the answer already."""
    preferred = context.preferred
    if preferred is None or context.roles.is_decided_by_preferences:
        return None
    if not (preferred.pair or preferred.ranking or preferred.duels):
        return None
    return preferences_section(preferred, context.sections, context.preference_options)


def make_correlations(context: Context) -> Section | None:
    """Measures with human scores if there are any, and every two measures; None if there is only one measure."""
    context = _add_judgments(context)
    if len(context.roles.measures) < 2 or context.sections.has_few_systems:
        return None
    results = {target: _correlate_with(context, target) for target in _choose_human_scores(context)}
    every_two = _make_matrix(context, is_whole=not results)
    if not results:
        return every_two
    target, first = next(iter(results.items()))
    commands = [command for result in results.values() for command in _correlation_commands(context, result)]
    points = _make_points(context, first, target)
    return correlation.section(results, context.sections, commands, [part for part in (points, every_two) if part])


def make_how_many(context: Context) -> Section | None:
    """How many references and topics are enough: None without a human score, or with too few of both."""
    target = context.roles.reference
    if target is None or context.sections.has_few_systems:
        return None
    parts: list[Section] = []
    studies: list[SampleSizeStudy] = []
    for part, study in (_study_references(context, target), _study_topics(context, target)):
        if part is not None:
            parts.append(part)
        if study is not None:
            studies.append(study)
    return sample_size.section(parts, studies, context.sections, target) if parts else None


def make_pyramids(context: Context) -> Section | None:
    """Who expresses the heaviest SCUs, and the pyramids drawn; None without pyramids that have SCUs."""
    if all(pyramid.is_nugget_list for pyramid in context.campaign.pyramids):
        return None
    view = context.evaluation.show_pyramids()
    if not any(pyramid.scus for pyramid in view.pyramids):
        return None
    agreement = _agreement_of_annotators(context)
    return pyramids_section(view, context.evaluation.pyramid_coverage(), context.sections, agreement)


def _agreement_of_annotators(context: Context) -> PyramidAgreement | None:
    """How far annotators agree over words and over presence; None where no two of them did the same work."""
    annotators: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pyramid in context.campaign.pyramids:
        if not pyramid.consensus:
            annotators["", pyramid.topic].add(pyramid.annotator)
    for annotation in context.campaign.annotations:
        if not annotation.consensus:
            annotators[annotation.summarizer, annotation.topic].add(annotation.annotator)
    if all(len(names) < 2 for names in annotators.values()):
        return None
    options = PyramidAgreementOptions(confidence=context.options.confidence)
    try:
        return context.evaluation.pyramid_agreement(options)
    except PyramidionError:
        return None  # pyramids of other models can't be compared: `pyramid agreement` says why


def make_estimates(context: Context) -> Section | None:
    """Estimates from people's answers to a sample and predictions of the others; None without a sample."""
    if not context.campaign.sample:
        return None
    measures, using = choose_estimated(context.campaign)
    if not measures:
        return None
    options = CompareOptions(using=using, confidence=context.options.confidence)
    command = context.sections.command("compare", measures, options)
    try:
        comparison = context.evaluation.compare(measures, options)
    except PyramidionError as error:
        return no_estimates_section(str(error), command)
    assert isinstance(comparison, PredictedComparison)
    return estimates_section(comparison, command)


def make_agreement(context: Context) -> Section | None:
    """How far assessors agree; None where no summary was judged twice."""
    if not context.campaign.judgments:
        return None
    options = JudgmentAgreementOptions(confidence=context.options.confidence)
    result = context.evaluation.judgment_agreement(options)
    if not any(alpha.n for alpha in result.alphas):
        return None
    return agreement.section(result, context.sections)


def make_assessors(context: Context) -> Section | None:
    """Who judged what, when and how strictly; None without several assessors or times."""
    judgments = context.campaign.judgments
    has_times = any(judgment.time or judgment.seconds is not None for judgment in judgments)
    if len({judgment.assessor for judgment in judgments}) < 2 and not has_times:
        return None
    options = AssessorOptions(confidence=context.options.confidence)
    return assessors.section(context.evaluation.describe_assessors(options), context.sections)


def make_judges(context: Context) -> Section | None:
    """What each judge may be used for: None unless a judge and people answered the question that decides."""
    target = context.roles.reference
    if target is None:
        return None
    name = parse(target)
    if name.base != "question" or name.arguments:
        return None
    campaign = context.campaign.with_all_raters()
    answered = {judgment.assessor for judgment in campaign.judgments if judgment.question == name.statistic}
    judges = sorted(answered & find_programs(campaign))
    if not judges or len(judges) == len(answered):
        return None
    options = TrustOptions(with_=target, confidence=context.options.confidence, resamples=context.options.resamples)
    try:
        result = context.evaluation.trust(judges, options)
    except PyramidionError:  # too few topics or systems that both judged: the page has the scores without it
        return None
    combined = {card.measure: both for card in result.cards if (both := _combine(context, target, card)) is not None}
    return small_section(result, context.sections.command("trust", judges, options), combined)


def _combine(context: Context, target: str, card: TrustCard) -> PredictedMeasure | None:
    """People's answers and those of a judge together; None if people answered everything, or too little."""
    campaign = context.campaign
    if card.judge not in campaign.judges:  # its answers are among those that count as people's
        return None
    asked = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "peer"}
    question = parse(target).statistic
    answered = {(answer.topic, answer.summarizer) for answer in campaign.judgments if answer.question == question}
    if not asked - answered:
        return None
    options = CompareOptions(
        using=(card.measure,),
        assume_random=None if campaign.sample else "topics",
        confidence=context.options.confidence,
    )
    try:
        comparison = context.evaluation.compare([target], options)
    except PyramidionError:  # not every system was judged: the page has the means of both next to each other
        return None
    return comparison.predicted[0] if isinstance(comparison, PredictedComparison) else None


def make_heterogeneity(context: Context) -> Section | None:
    """How far measures differ, and what they are worth together; None if there is nothing to combine."""
    quality = context.roles.reference
    if quality is None:
        return None
    measures = _choose_measures_to_combine(context, quality)
    if len(measures) < 2 or context.sections.has_few_systems:
        return None
    options = HeterogeneityOptions(with_=quality)
    named = () if set(measures) == set(DEFAULT_COLUMNS) else measures
    command = context.sections.command("study heterogeneity", named, options)
    summaries_by_topic = context.table.only([quality]).frame["topic"].value_counts()["count"]
    pairs = sum(count * (count - 1) for count in summaries_by_topic)
    if pairs > MOST_SUMMARY_PAIRS:
        return heterogeneity.left_out_section(pairs, command)
    try:
        study = context.evaluation.study_heterogeneity(measures, options)
    except InputError:  # no summary has all of the scores
        return None
    if all(row.auc is None for row in study.aucs):
        return None
    notes = []
    left_out = [name for name in context.roles.automatic if name not in (*study.measures, quality)]
    if left_out:
        reason = f"derived from others, or more than {MOST_COMBINED} measures"
        notes.append(f"Not combined here: {listed(left_out)} ({reason}).")
    return heterogeneity.section(study, context.sections, command, notes)


def make_data(context: Context) -> Section:
    """What the data has and lacks; always there: a reader must know what the numbers are based on."""
    return data_section(
        context.sections,
        context.evaluation.describe(),
        context.evaluation.inspection,
        count_coverage(context.table, context.comparison),
    )


def make_methods(context: Context) -> Section:
    """Every signature, seed and version, and what to cite; always there."""
    settings = ReportSettings(
        data_name=context.evaluation.data.name,
        choice=context.evaluation.choice,
        other_resamples=_count_other_resamples(context),
        papers=read_papers(),
    )
    return methods_section(context.sections, settings)


SECTIONS: Final[Mapping[ReportSection, Callable[[Context], Section | None]]] = {
    "look-inside": make_look_inside,
    "leaderboards": make_leaderboards,
    "pairs": make_pairs,
    "heat-map": make_heat_map,
    "judgments": make_judgments,
    "preferences": make_preferences,
    "correlations": make_correlations,
    "how-many": make_how_many,
    "pyramids": make_pyramids,
    "estimates": make_estimates,
    "agreement": make_agreement,
    "assessors": make_assessors,
    "judges": make_judges,
    "heterogeneity": make_heterogeneity,
    "data": make_data,
    "methods": make_methods,
}
"""Below the answer, which is always there, in the order of the page; the last ones are the appendix."""


# Judgments


def _regress_overall_score(context: Context) -> Section:
    """What predicts the human score that counts most in this report."""
    question = (context.roles.reference or "").removeprefix("question.")
    target = question if question in context.campaign.question_names else None
    options = JudgmentRegressionOptions(target=target, confidence=context.options.confidence)
    result = context.evaluation.judgment_regression(options)
    # Without a target, the study chose one: the command spells it out.
    return regression.section(result, context.sections, replace(options, target=result.target))


# Correlations

FEW_MEASURES = 15
"""Up to this many, more human scores are shown."""
MOST_HUMAN_SCORES = 4
MOST_HUMAN_SCORES_WITH_MANY_MEASURES = 2
FEWEST_CORRELATION_RESAMPLES = CorrelateOptions().bootstrap_samples
MOST_IN_MATRIX = 40
MOST_SCATTERS = 5
CONTENT = ("responsiveness", "content", "relevance", "coverage")
"""Words in the names of questions about content, which is what most automatic measures claim to measure."""


def _add_judgments(context: Context) -> Context:
    """With the answers of assessors as scores, also if they were not asked for."""
    if context.roles.judged or not context.campaign.judgments:
        return context
    return replace(context, chosen=[*context.roles.measures, "question"], compared_in=context)


def _choose_human_scores(context: Context) -> list[str]:
    """The human scores: the reference, then questions about content and the pyramid, or else the other questions."""
    roles = context.roles
    if roles.reference is None:
        return []
    annotated = [name for name in roles.measures if name not in (*roles.judged, *roles.automatic)]
    about_content = [name for name in roles.judged if any(word in name for word in CONTENT)]
    pyramid = [name for name in annotated if name.endswith(".modified")][:1]
    ordered = list(dict.fromkeys([roles.reference, *about_content, *pyramid]))
    if len(ordered) == 1:
        ordered = list(dict.fromkeys([*ordered, *roles.judged]))
    most = MOST_HUMAN_SCORES if len(roles.measures) <= FEW_MEASURES else MOST_HUMAN_SCORES_WITH_MANY_MEASURES
    return [name for name in ordered if _measures_to_correlate(context, name)][:most]


def _measures_to_correlate(context: Context, target: str) -> list[str]:
    """What is correlated with a human score: automatic measures, and what people annotated."""
    return [name for name in context.roles.measures if name not in (*context.roles.judged, target)]


def _correlate_with(context: Context, target: str) -> Correlations:
    """All measures with one human score; Spearman's coefficient leads: a system that lies far out decides Pearson's."""
    measures = _measures_to_correlate(context, target)
    resamples = context.options.resamples
    options = CorrelateOptions(
        with_=(target,),
        level=correlation.LEVELS,
        coefficient=("spearman", "kendall", "pearson"),
        cluster=context.options.cluster,
        confidence=context.options.confidence,
        resamples=resamples if resamples > FEWEST_CORRELATION_RESAMPLES else None,
    )
    result = context.evaluation.correlate(measures, options)
    if len(measures) < 2:
        return result
    tested = context.evaluation.correlate(measures, _test_options(options))
    return replace(result, tests=tested.tests, clusters=tested.clusters)


def _test_options(options: CorrelateOptions) -> CorrelateOptions:
    """How two measures are compared: by the coefficient that leads, at system level."""
    return replace(options, test="permutation", level=("system",), coefficient=options.coefficient[:1])


def _correlation_commands(context: Context, result: Correlations) -> list[str]:
    """The commands that print the correlations, and their tests."""
    commands = [context.sections.command("correlate", result.measures, result.options)]
    if result.tests:
        commands.append(context.sections.command("correlate", result.measures, _test_options(result.options)))
    return commands


def _make_matrix(context: Context, *, is_whole: bool) -> Section:
    """Correlations of every two measures at system level."""
    measures = context.roles.measures
    shown = measures[:MOST_IN_MATRIX]
    options = CorrelateOptions(matrix=True, coefficient=("spearman",), confidence=context.options.confidence)
    notes = []
    if len(measures) > MOST_IN_MATRIX:
        notes.append(f"Only the first {MOST_IN_MATRIX} of {len(measures)} measures are shown.")
    result = context.evaluation.correlate(shown, options)
    command = context.sections.command("correlate", shown, options)
    return correlation.matrix_section(result, command, notes, is_whole=is_whole)


def _make_points(context: Context, result: Correlations, target: str) -> Section | None:
    """Means of humans and systems on the measures that agree best."""
    ranked = [row.measure for row in result.ranked(target)]
    automatic = [name for name in ranked if name in context.roles.automatic]
    annotated = [name for name in ranked if name not in context.roles.automatic]
    shown = [*annotated[:1], *automatic][:MOST_SCATTERS]
    humans = _score_humans(context, [*shown, target])
    table = context.table.only([*shown, target])
    options = CorrelateOptions(with_=(target,), coefficient=("spearman",))
    # Not asked of the evaluation, which has one choice of peers: here humans are joined to the systems of the page.
    points = correlate(table.join(*humans), shown, [target], options)
    if not points.points:
        return None
    notes = []
    has_both = len({points.kinds.get(point.summarizer) == "human" for point in points.points}) > 1
    if humans and has_both:
        notes.append(
            "A human's summary is compared with the references by other humans, so it has one fewer reference than "
            "a system's, unless the measure uses jackknifing."
        )
    if len(ranked) > len(shown):
        notes.append(f"Not shown: {listed([name for name in ranked if name not in shown])}.")
    evaluation = context.evaluation.with_peers("all") if humans else context.evaluation
    commands = (
        evaluation.command("correlate", shown, options=options),
        evaluation.command("score", [*shown, target], "--by", "summarizer"),
    )
    return correlation.points_section(points, target, commands, notes)


def _score_humans(context: Context, measures: Sequence[str]) -> list[ScoreTable]:
    """Scores of humans, unless the table has them; nothing where they wrote nothing that can be scored.

    Measures derived from all summarizers of a table, such as regressions, are for the systems only.
    """
    evaluation = context.evaluation
    if evaluation.choice.peers != "systems" or evaluation.data.has_scores:
        return []
    selections = [selection for selection in evaluation.select(measures) if not isinstance(selection.measure, Derived)]
    try:
        scores = evaluation.with_peers("humans").table(selections)
    except PyramidionError:  # what humans lack, such as a parse, is no reason to have no report
        return []
    systems = set(context.table.summarizers)  # imported scores are of whoever has them, systems too
    humans = [name for name in scores.summarizers if name not in systems and scores.kinds.get(name) == "human"]
    return [scores.of_summarizers(humans)] if humans else []


# How many references and topics

MOST_SAMPLED_MEASURES = 6
"""Automatic measures that are studied; the pyramid comes on top."""
FEWEST_TOPICS = 4
FEWER_RESAMPLES = 300
MANY_SUMMARIES = 2_000
"""With more, fewer samples are drawn."""
MOST_SUMMARIES = 50_000
"""With more, sampling references takes too much memory for a report."""
MOST_TOPICS = 5_000
PYRAMID = "pyramid.modified"
_MOST_SIZES = 12


def _study_references(context: Context, target: str) -> tuple[Section | None, SampleSizeStudy | None]:
    """The section about references, and its result; None where there is nothing to study."""
    automatic = context.roles.automatic
    with_references = [name for name in context.roles.measures if _uses_references(name)]
    measures = _choose_measures_to_sample(context, with_references, target)
    if not measures:
        return None, None
    options = SampleSizeOptions(
        with_=(target,), resamples=_choose_resamples(context), confidence=context.options.confidence
    )
    command = context.sections.command("study models", measures, options)
    summaries = len(context.campaign.summaries)
    if summaries > MOST_SUMMARIES:
        reason = f"{summaries:,} summaries are too many to sample references for this page"
        return sample_size.left_out_section("references", reason, command), None
    try:
        study = context.evaluation.study_models(measures, options)
    except (InputError, UsageError):  # a score table, or no topic with two references
        return None, None
    fixed = [name for name in automatic if name != target and not _uses_references(name)]
    notes = [f"Excluded because they do not use references: {listed(fixed)}."] if fixed else []
    notes += _left_out_notes(study, [name for name in automatic if name not in fixed])
    return sample_size.part_section(study, context.sections, command, notes), study


def _study_topics(context: Context, target: str) -> tuple[Section | None, SampleSizeStudy | None]:
    """The section about topics, and its result; None where there are too few."""
    measures = _choose_measures_to_sample(context, context.roles.measures, target)
    total = len(context.table.topics)
    if total < FEWEST_TOPICS or not measures:
        return None, None
    options = TopicsOptions(
        with_=(target,),
        resamples=_choose_resamples(context),
        confidence=context.options.confidence,
        sizes=tuple(choose_sizes(total)),
    )
    command = context.sections.command("study topics", measures, options)
    if total > MOST_TOPICS:
        reason = f"{total:,} topics are too many to sample from for this page"
        return sample_size.left_out_section("topics", reason, command), None
    study = context.evaluation.study_topics(measures, options)
    notes = _left_out_notes(study, context.roles.automatic)
    return sample_size.part_section(study, context.sections, command, notes), study


def _left_out_notes(study: SampleSizeStudy, eligible: Sequence[str]) -> list[str]:
    """Which measures could have been studied, but were not, because there are too many."""
    left_out = [name for name in eligible if name not in (*study.measures, *study.targets)]
    if not left_out:
        return []
    return [f"Left out because there are more than {MOST_SAMPLED_MEASURES} measures: {listed(left_out)}."]


def _choose_measures_to_sample(context: Context, candidates: Sequence[str], target: str) -> list[str]:
    """Some automatic measures of the table, one of each kind first, and the pyramid if it is not the target."""
    automatic = [name for name in context.roles.automatic if name in candidates]
    bases = [parse(name).base for name in automatic]
    # How many of its kind come before a measure is its turn: else six variants of ROUGE-1 would leave out ROUGE-2.
    by_turn = sorted(range(len(automatic)), key=lambda place: bases[:place].count(bases[place]))
    measures = [automatic[place] for place in sorted(by_turn[:MOST_SAMPLED_MEASURES])]
    if PYRAMID in candidates and target != PYRAMID:
        measures.append(PYRAMID)
    return measures


def _uses_references(name: str) -> bool:
    """Whether the study of references can choose them for this measure."""
    try:
        return not explain_fixed_references(select(name))
    except UsageError:  # a column of someone's own
        return False


def choose_sizes(total: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16 … below all; of very many topics only the powers of two."""
    candidates = [base << shift for shift in range(total.bit_length()) for base in (1, 3)]
    sizes = sorted(size for size in candidates if size < total)
    if len(sizes) <= _MOST_SIZES:
        return sizes
    return [size for size in sizes if size & (size - 1) == 0]


def _choose_resamples(context: Context) -> int:
    """Fewer samples where the campaign is large."""
    summaries = len(context.table.summarizers) * len(context.table.topics)
    return FEWER_RESAMPLES if summaries > MANY_SUMMARIES else SampleSizeOptions().resamples


# Heterogeneity


def _choose_measures_to_combine(context: Context, quality: str) -> list[str]:
    """ROUGE by recall, precision and F where there are references, then the other automatic measures of the table."""
    has_references = any(summary.kind == "model" for summary in context.campaign.summaries)
    defaults = DEFAULT_COLUMNS if has_references else ()
    automatic = [name for name in context.roles.automatic if name != quality]
    # A combination of measures agrees with its parts by construction, which says nothing about how diverse they are.
    computed = [name for name in automatic if not _is_derived(name)]
    return list(dict.fromkeys([*defaults, *computed]))[:MOST_COMBINED]


def _is_derived(name: str) -> bool:
    """Whether a measure is computed from others; a column of someone's own is not."""
    try:
        return isinstance(select(name).measure, Derived)
    except UsageError:
        return False


# Methods


def read_papers() -> dict[str, str]:
    """What stands behind what a report shows, as BibTeX by key."""
    text = resources.files("pyramidion.reports").joinpath("templates", "papers.bib").read_text(encoding="utf-8")
    entries = text.replace("VERSION", VERSION).strip().split("\n\n")
    return {re.split("[{,]", entry)[1]: entry for entry in entries}


def _count_other_resamples(context: Context) -> dict[str, int]:
    """Where the page resamples more often or less often than it was asked to."""
    resamples: dict[str, int] = {}
    if has_correlations(context.sections):
        resamples["topic-level correlations"] = max(context.options.resamples, FEWEST_CORRELATION_RESAMPLES)
    return {what: count for what, count in resamples.items() if count != context.options.resamples}

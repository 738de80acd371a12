"""What a run needs to combine people's answers with predictors: the frame of a measure, and the sample."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.campaign import Problems, SampledUnit, TopicData, plain
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import encode
from pyramidion.campaign.raters import PYRAMID
from pyramidion.errors import UsageError, mention
from pyramidion.files import atomic_writer, write_lines, written_together
from pyramidion.files.locks import lock_campaign
from pyramidion.files.opening import read_lines, require_file_or_folder
from pyramidion.measures.auto_pyramid import AutoPyramid
from pyramidion.measures.base import ONE_VALUE, write_option
from pyramidion.measures.names import parse
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.measures.registry import Selection
from pyramidion.options import PlanOptions
from pyramidion.pyramids.suggestions import Idf, closeness
from pyramidion.run.data import DEMO
from pyramidion.run.scu_scores import is_score_file, read_scu_scores
from pyramidion.scores import ScoreMatrix
from pyramidion.studies.predictions.frames import (
    Frame,
    Matcher,
    frame_of_pyramids,
    frame_of_scores,
    frame_of_summaries,
    match_by_annotator,
    match_by_scores,
    match_by_words,
)
from pyramidion.studies.predictions.plans import SamplePlan, plan_sample, require_readable, rows_to_label

if TYPE_CHECKING:
    from pyramidion.run.evaluation import Evaluation


NO_PREDICTOR = "none"
"""What `using` says where people's answers to a sample are used alone."""


def split_names(names: Iterable[str]) -> list[str]:
    """Names of measures that are separated by commas; commas between parentheses or quotes are part of a name.

    >>> split_names(["rouge-1.recall,imported.judge", "rouge-su4(stop=yes,words=250).f"])
    ['rouge-1.recall', 'imported.judge', 'rouge-su4(stop=yes,words=250).f']
    """
    parts: list[str] = []
    for text in names:
        depth, start, is_quoted = 0, 0, False
        for place, character in enumerate(text):
            if character == '"':
                is_quoted = not is_quoted
            elif not is_quoted:
                depth += (character == "(") - (character == ")")
            # A comma within a name separates its options, not two names.
            if character == "," and depth == 0 and not is_quoted:
                parts.append(text[start:place])
                start = place + 1
        parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def predictors_of(names: Iterable[str]) -> list[str]:
    """The predictors that an option names; nothing for "none", which estimates from people's answers alone.

    >>> predictors_of(["none"])
    []
    """
    predictors = split_names(names)
    if NO_PREDICTOR in predictors:
        if len(predictors) > 1:
            raise UsageError(f'`using="{NO_PREDICTOR}"` stands alone: it says that nothing predicts answers')
        return []
    return predictors


def frame_for(evaluation: Evaluation, measure: str | Selection, using: Sequence[str]) -> Frame:
    """Everything that people could be asked about a measure, with their answers and the predictions.

    Raises:
        UsageError: if the measure is none that people answer, or has several values.
    """
    (selection,) = evaluation.select([measure])
    if isinstance(selection.measure, PyramidMeasure):
        return _frame_of_pyramids(evaluation, selection, using)
    if selection.statistic is None and selection.measure.statistics != ONE_VALUE:
        raise UsageError(
            f"{mention('measures', selection.name)}: expected a measure with one value, such as question.X"
        )
    if any(map(is_score_file, using)):
        raise UsageError(
            f"{mention('using', ', '.join(using))}: files are for scores of SCUs; scores of summaries come by "
            "`scores=FILE`, and are named as imported.COLUMN"
        )
    # All in one table, so that texts are read once.
    selections = evaluation.select([selection, *using]) if using else [selection]
    table = evaluation.table(selections)
    name = selection.name
    if name not in table.measures:
        raise UsageError(f"{name}: nobody answered, so there is nothing to correct predictions by")
    predictors: dict[str, ScoreMatrix] = {}
    for predictor in selections[1:]:
        for column in predictor.among(table.measures):
            predictors[column] = table.matrix(column)
    if using and not predictors:
        raise UsageError(f"{mention('using', ', '.join(using))}: has no values here")
    cells: list[tuple[str, str]] = []
    if not evaluation.data.has_scores:
        for topic in chosen_topics(evaluation):
            cells += [(topic.topic.topic, peer.summarizer) for peer in topic.peers]
    return frame_of_scores(name, table.matrix(name), predictors, cells)


def require_people(evaluation: Evaluation, frame: Frame) -> None:
    """Refuse answers that are those of judges: what corrects a prediction must come from people."""
    if evaluation.data.has_scores:
        return
    if evaluation.choice.raters in ("judges", "all"):
        raise UsageError("`raters=`: predictions are corrected by people's answers; leave it out")
    measure, campaign = frame.measure, evaluation.campaign
    name = parse(measure)
    assessor = next((option.value for option in name.options if option.key == "assessor"), "")
    if name.base == "question" and assessor in campaign.judges:
        raise UsageError(
            f"{measure}: {assessor} is a judge; predictions are corrected by people's answers: compare "
            f'question.{name.statistic} with `using="{measure}"`'
        )
    rated = PYRAMID if frame.asks_scus else measure
    if rated in campaign.rater_notes:
        raise UsageError(
            f"{measure}: only judges answered, so there is nothing to correct their answers by; `pyramidion plan` "
            "draws what to ask people"
        )


def answers_per_summary(evaluation: Evaluation, frame: Frame) -> int:
    """How many people answered about each summary, rounded: the frame has their mean as one answer."""
    if frame.asks_scus or evaluation.data.has_scores:
        return 1
    question = frame.measure.removeprefix("question.")
    judgments = [answer for answer in evaluation.campaign.judgments if answer.question == question]
    summaries = {(answer.topic, answer.summarizer) for answer in judgments}
    return max(round(len(judgments) / len(summaries)), 1) if summaries else 1


def chosen_topics(evaluation: Evaluation) -> Iterator[TopicData]:
    """The topics with the summaries of the chosen systems as peers."""
    excluded = set(evaluation.choice.exclude)
    for topic in evaluation.campaign.each_topic(peers=evaluation.choice.peers):
        yield replace(topic, peers=tuple(peer for peer in topic.peers if peer.summarizer not in excluded))


def _frame_of_pyramids(evaluation: Evaluation, selection: Selection, using: Sequence[str]) -> Frame:
    if evaluation.data.has_scores:
        raise UsageError(f"{selection.name}: a score table has no SCUs; give the campaign")
    measure = selection.measure
    assert isinstance(measure, PyramidMeasure)
    if selection.statistic is None:
        raise UsageError("pyramid has several values: name pyramid.recall or pyramid.modified")
    matchers: dict[str, Matcher] = {}
    scored: list[Selection] = []
    programs: set[str] = set()
    files = [name for name in using if is_score_file(name)]
    for name in files:
        matchers[Path(name).stem] = match_by_scores(read_scu_scores(Path(name)))
    measures = [name for name in using if name not in files]
    for predictor in evaluation.select(measures) if measures else []:
        # Of each kind, the best that it can say: about SCUs where possible, else about the whole summary.
        if isinstance(predictor.measure, AutoPyramid):
            if predictor.measure != AutoPyramid():
                raise UsageError(
                    f"{mention('using', predictor.name)}: what it says of each SCU has no threshold and no rounding; "
                    "give auto-pyramid without options, and name whose pyramid it is in the measure that is compared"
                )
            matchers[predictor.name] = _word_matcher(evaluation)
        elif isinstance(predictor.measure, PyramidMeasure):
            annotator = _program_of(predictor)
            programs.add(annotator)
            matchers[predictor.name] = match_by_annotator(annotator)
        else:
            scored.append(predictor)
    scores: dict[str, ScoreMatrix] = {}
    if scored:
        table = evaluation.table(scored)
        for predictor in scored:
            scores |= {column: table.matrix(column) for column in predictor.among(table.measures)}
    frame = frame_of_pyramids(
        chosen_topics(evaluation),
        measure,
        selection.statistic,
        matchers,
        scores=scores,
        programs=frozenset(programs),
    )
    for name, values in zip(frame.predictors, frame.features.T, strict=True):
        if np.isnan(values).all():
            raise UsageError(f"{mention('using', name)}: has no values for these topics, systems and SCUs")
    return frame


def _program_of(predictor: Selection) -> str:
    measure = predictor.measure
    assert isinstance(measure, PyramidMeasure)
    if measure.annotator is None:
        raise UsageError(
            f"{mention('using', predictor.name)}: these are people's answers; name the annotator that is a program, as "
            "in pyramid(annotator=NAME)"
        )
    return measure.annotator


def _word_matcher(evaluation: Evaluation) -> Matcher:
    idf = Idf.of(evaluation.campaign)

    def texts_of(topic: TopicData) -> dict[str, str]:
        return {model.summarizer: plain(model.text) for model in topic.models}

    return match_by_words(texts_of, lambda pyramid, peers, texts: closeness(pyramid, peers, texts, idf))


def draw_sample(evaluation: Evaluation, options: PlanOptions) -> tuple[SamplePlan, Frame]:
    """A sample, which extends the one that there is, and what it was drawn from."""
    earlier: tuple[SampledUnit, ...] = ()
    if options.plan is None or Path(options.plan).exists():
        earlier = read_sample(evaluation, options.plan)
    options, frame = _frame_to_sample(evaluation, options)
    return plan_sample(frame, options, seed=evaluation.choice.seed, earlier=earlier), frame


def _frame_to_sample(evaluation: Evaluation, options: PlanOptions) -> tuple[PlanOptions, Frame]:
    """What is drawn from, and the options with what is drawn, where the data leaves only one possibility."""
    campaign = evaluation.campaign
    campaign.require_single_outputs("plan")
    if options.by is None and campaign.pyramids:
        require_readable(options.by, "by")
    by = options.by or "topic"
    options = replace(options, by=by)
    asks_scus = by == "scu"
    measure = options.measure
    if by == "unit" and measure is None:
        if campaign.pyramids and (campaign.judgments or len(campaign.questions)):
            raise UsageError(
                '`measure=` is missing: say whether single answers are about a question (`measure="question.X"`) or '
                'about SCUs (`measure="pyramid.recall"`)'
            )
        asks_scus = bool(campaign.pyramids)
    if measure is not None:
        asks_scus = isinstance(evaluation.select([measure])[0].measure, PyramidMeasure)
    using = [] if options.by_uncertainty is None else split_names([options.by_uncertainty])
    if asks_scus:
        name = measure or "pyramid.recall"
        if measure is None and options.annotator is not None:
            name = f"pyramid(annotator={write_option(options.annotator)}).recall"
        return options, frame_for(evaluation, name, using)
    cells: list[tuple[str, str]] = []
    for topic in chosen_topics(evaluation):
        cells += [(topic.topic.topic, peer.summarizer) for peer in topic.peers]
    if not cells:
        raise UsageError("there are no summaries of systems to ask about")
    return options, frame_of_summaries(measure or "question", cells)


def write_sample(evaluation: Evaluation, options: PlanOptions, output: Path | None) -> SamplePlan:
    """Draw a sample and write it: into the campaign folder, or to the file that `plan` names."""
    folder = Path(evaluation.data.name)
    is_folder = folder.is_dir() and not evaluation.data.paths and evaluation.data.name != DEMO
    if options.plan is None and not is_folder:
        raise UsageError("`plan=` is missing: only a campaign folder keeps its sample; name a .jsonl file")
    with ExitStack() as stack:
        if options.plan is None:
            stack.enter_context(lock_campaign(folder))
        plan, frame = draw_sample(evaluation, options)
        stack.enter_context(written_together())
        if options.plan is None:
            write_lines(folder / "sample.jsonl", map(encode, plan.units), own=True)
        else:
            write_lines(Path(options.plan), map(encode, plan.units))
        if output is not None:
            asks_scus = frame.asks_scus and plan.by != "topic"
            questions = [] if asks_scus else [question.name for question in evaluation.campaign.questions]
            with atomic_writer(output) as file:
                text = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
                csv.writer(text, lineterminator="\n").writerows(
                    rows_to_label(
                        plan, frame, chosen_topics(evaluation), questions, _answered_by_people(evaluation, frame)
                    )
                )
                text.detach()
    return plan


def _answered_by_people(evaluation: Evaluation, frame: Frame) -> set[tuple[str, int | None, str]]:
    """What people have answered: (topic, SCU, system) of SCUs, or (topic, None, system) with all questions."""
    campaign = evaluation.campaign
    answered: set[tuple[str, int | None, str]] = set()
    if frame.asks_scus and PYRAMID not in campaign.rater_notes:
        for unit in np.flatnonzero(~np.isnan(frame.answers)).tolist():
            question = frame.questions[frame.question_numbers[unit]]
            answered.add((question.topic, question.uid, frame.systems[frame.system_numbers[unit]]))
    questions_by_summary: dict[tuple[str, str], set[str]] = {}
    for answer in campaign.judgments:
        if answer.assessor not in campaign.judges:
            questions_by_summary.setdefault((answer.topic, answer.summarizer), set()).add(answer.question)
    asked = {question.name for question in campaign.questions}
    for (topic, system), questions in questions_by_summary.items():
        if asked <= questions:
            answered.add((topic, None, system))
    return answered


def read_sample(evaluation: Evaluation, path: str | None) -> tuple[SampledUnit, ...]:
    """The units of a sample: those of a file, or else of the campaign; none if there is no sample."""
    if path is None:
        return () if evaluation.data.has_scores else evaluation.campaign.sample
    file = Path(path)
    require_file_or_folder(file)
    if file.is_dir():
        file = file / "sample.jsonl"
    problems = Problems()
    decoder = RowDecoder(SampledUnit, file, problems, broken=[])
    units = [decoder.decode_line(number, line) for number, line in read_lines(file, problems)]
    decoder.close()
    problems.refuse(strict=False)
    kept = tuple(unit for unit in units if unit is not None)
    if not kept:
        raise UsageError(f"{mention('plan', path)}: the file has no units")
    bad = next((unit for unit in kept if not 0 < unit.chance <= 1), None)
    if bad is not None:
        raise UsageError(
            f"{mention('plan', path)}: topic {bad.topic} has the chance {bad.chance:g}; expected a number above 0, up "
            "to 1: what could not have been drawn can't be estimated"
        )
    return kept

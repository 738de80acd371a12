"""What people said of the summaries: how often each answer was given, and what their overall verdict rests on."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from pyramidion.campaign import Campaign
from pyramidion.reports.context import Context
from pyramidion.reports.figures.judgments import draw_coefficients, draw_frequencies
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.studied import capital, listed
from pyramidion.reports.wording import noted, with_interval
from pyramidion.studies.judgments.frequencies import Frequencies, judgment_frequencies
from pyramidion.studies.judgments.regression import (
    JudgmentCoefficient,
    JudgmentFit,
    JudgmentRegression,
    judgment_regression,
)

TITLE = "Linguistic quality and responsiveness"
MOST_QUESTIONS = 12
MOST_ASSESSORS = 8
MOST_VALUES = 10
"""Answers that get a column each; of more, every answer gets a row."""

Means = dict[str, dict[str, float]]
"""By question, by kind of summarizer."""


def make(context: Context) -> Section | None:
    """Frequencies of answers by kind of summarizer, and the regression of one question on the others."""
    campaign = context.campaign
    if not campaign.judgments:
        return None
    asked = campaign.question_names
    found = judgment_frequencies(campaign, questions=asked[:MOST_QUESTIONS])
    means = _means(campaign, found.questions)
    regression = (
        judgment_regression(campaign, target=_target(context), confidence=context.confidence)
        if len(asked) > 1
        else None
    )
    notes = [f"{capital(found.note)}."] if found.note else []
    if len(asked) > MOST_QUESTIONS:
        notes.append(f"Only the first {MOST_QUESTIONS} of {len(asked)} questions are shown.")
    return Section(
        id="judgments",
        title=TITLE if any("responsiveness" in question for question in asked) else "What assessors said",
        sentences=tuple(filter(None, (_basis(campaign), *_what_stands_out(means), *_once(campaign)))),
        blocks=(
            Figure(
                id="judgments-frequencies",
                caption=noted("How often each answer was given, by kind of summarizer", found.note),
                alt=_frequencies_in_words(found, means),
                chart=draw_frequencies(found, columns=2),
            ),
            _frequency_table(found, means),
        ),
        commands=(_command(context, "frequencies"),),
        notes=tuple(notes),
        parts=(_explained(context, regression),) if regression else (),
    )


def _target(context: Context) -> str | None:
    """The question to explain: the human score that counts most in this report; None: by its name."""
    question = (context.reference or "").removeprefix("question.")
    return question if question in context.campaign.question_names else None


def _command(context: Context, study: str, *options: str) -> str:
    """Judgments are of all summaries, whoever is scored."""
    return replace(context, peers="systems", scores=None).command(f"judgments {study}", *options, measures=())


def _basis(campaign: Campaign) -> str:
    assessors = {judgment.assessor for judgment in campaign.judgments}
    summaries = len({(judgment.topic, judgment.summarizer) for judgment in campaign.judgments})
    questions = len(campaign.question_names)
    what = "one question" if questions == 1 else f"{questions} questions"
    told = f"{what} about {summaries} summaries: {len(campaign.judgments):,} answers"
    if assessors == {""}:
        return f"There are answers to {told}; who gave them is not said."
    return f"{'One assessor' if len(assessors) == 1 else f'{len(assessors)} assessors'} answered {told}."


def _means(campaign: Campaign, questions: Sequence[str]) -> Means:
    """Means over all answers: each answer of each assessor counts once."""
    answers: dict[str, dict[str, list[float]]] = {question: defaultdict(list) for question in questions}
    for judgment in campaign.judgments:
        if judgment.question in answers:
            answers[judgment.question][campaign.kind_of(judgment.summarizer)].append(judgment.value)
    return {
        question: {kind: fmean(values) for kind, values in by_kind.items()} for question, by_kind in answers.items()
    }


def _what_stands_out(means: Means) -> list[str]:
    """Where participants do well and badly, and how far they are from humans and from baselines."""
    said: list[str] = []
    participants = {question: kinds["participant"] for question, kinds in means.items() if "participant" in kinds}
    if len(participants) > 1:
        best, worst = max(participants, key=participants.__getitem__), min(participants, key=participants.__getitem__)
        said.append(
            f"Participants are rated best on {best} (mean {participants[best]:.2f}) and worst on {worst} "
            f"({participants[worst]:.2f})."
        )
    elif participants:
        ((question, mean),) = participants.items()
        said.append(f"Participants have a mean of {mean:.2f} on {question}.")
    said += [_against("human", "Humans", means), _against("baseline", "Baselines", means)]
    return said


def _against(kind: str, name: str, means: Means) -> str:
    """How another kind of summarizer compares with participants, question by question."""
    gaps = {
        question: kinds[kind] - kinds["participant"]
        for question, kinds in means.items()
        if kind in kinds and "participant" in kinds
    }
    if not gaps:
        return ""
    ahead = [question for question, gap in gaps.items() if gap > 0]
    widest = max(gaps, key=lambda question: abs(gaps[question]))
    where = (
        "on every question"
        if len(ahead) == len(gaps)
        else "on no question"
        if not ahead
        else f"on {len(ahead)} of {len(gaps)} questions"
    )
    both = means[widest]
    most = f"the difference is largest on {widest}" if len(gaps) > 1 else f"on {widest} it is"
    return (
        f"{name} have higher means than participants {where}; {most} "
        f"({both[kind]:.2f} against {both['participant']:.2f})."
    )


def _once(campaign: Campaign) -> list[str]:
    """That agreement can't be told, where nobody judged what another one did."""
    answers = Counter((one.question, one.topic, one.summarizer) for one in campaign.judgments)
    if max(answers.values()) > 1:
        return []
    return ["No summary has the answers of two assessors, so how far assessors agree can’t be told."]


def _frequencies_in_words(found: Frequencies, means: Means) -> str:
    parts = [
        f"{question}: " + ", ".join(f"{kind} {means[question][kind]:.2f}" for kind in found.of(question))
        for question in found.questions
    ]
    return f"Stacked bars of the shares of answers, one panel a question. Means: {'; '.join(parts)}."


def _frequency_table(found: Frequencies, means: Means) -> Table:
    """A row for each question and kind; where scales differ or are long, a row for each answer too."""
    caption = noted("Shares of answers in per cent", found.note)
    values = sorted({row.value for row in found.rows})
    same = len({tuple(row.value for row in found.of(one)[kind]) for one in found.questions for kind in found.of(one)})
    if same == 1 and len(values) <= MOST_VALUES and all(row.below is None for row in found.rows):
        return Table(
            id="judgments-frequency-table",
            caption=caption,
            columns=(
                Column(name="question", align="left"),
                Column(name="kind", align="left"),
                Column(name="answers"),
                Column(name="mean", digits=2),
                *(Column(name=f"{value:g}", digits=1) for value in values),
            ),
            rows=[
                [question, kind, rows[0].n, means[question][kind], *(100 * row.share for row in rows)]
                for question in found.questions
                for kind, rows in found.of(question).items()
            ],
            header_columns=2,
        )
    return Table(
        id="judgments-frequency-table",
        caption=caption,
        columns=(
            Column(name="question", align="left"),
            Column(name="kind", align="left"),
            Column(name="answer", digits=2),
            Column(name="below", digits=2),
            Column(name="answers"),
            Column(name="per cent", digits=1),
        ),
        rows=[[row.question, row.kind, row.value, row.below, row.count, 100 * row.share] for row in found.rows],
        header_columns=2,
        below="Where there are many different answers they are in ten groups: from `answer` up to `below`.",
    )


def _explained(context: Context, found: JudgmentRegression) -> Section:
    """What the overall verdict rests on."""
    fits = [fit for fit in (found.pooled, *found.fits[:-1]) if not fit.reason]
    shown = fits[: MOST_ASSESSORS + 1]
    several = len(found.fits) > 2
    if not several:
        shown = [fit for fit in shown if fit.pooled]
    notes = [f"{capital(found.note)}."] if found.note else []
    if "overall" not in found.target.lower():
        notes.append(f"No question asks for an overall verdict, so {found.target} is explained by the others.")
    if len(fits) > MOST_ASSESSORS + 1:
        notes.append(f"Figures are of the {MOST_ASSESSORS} assessors with the largest R²; the table has all.")
    figures = [
        Figure(
            id=f"judgments-coefficients-{number}",
            caption=noted(
                f"Weights β for {found.target}{f', {_name(fit)},' if several else ''} with {found.confidence:g} % "
                "intervals; filled: the interval leaves out 0",
                found.note,
            ),
            alt=f"Dots with intervals. {_weights_in_words(fit)}",
            chart=draw_coefficients(found, [fit]),
            group="assessor" if several else "",
            choice=_name(fit) if several else "",
        )
        for number, fit in enumerate(shown)
    ]
    return Section(
        id="judgments-regression",
        title=f"What goes with {found.target}",
        sentences=tuple(_what_matters(found)),
        blocks=(
            *figures,
            *([] if found.pooled.reason else [_pooled_table(found, several=several)]),
            *([_assessor_table(found)] if several else []),
        ),
        commands=(
            _command(
                context,
                "regression",
                f"--target {shlex.quote(found.target)}",
                f"--confidence {context.confidence:g}",
            ),
        ),
        notes=tuple(notes),
    )


def _what_matters(found: JudgmentRegression) -> list[str]:
    """Which qualities go with the verdict, for all assessors together and for each."""
    pooled = found.pooled
    if pooled.reason or pooled.r_squared is None:
        return [f"What goes with {found.target} can’t be told: {pooled.reason}."]
    weights = sorted(pooled.coefficients[1:], key=lambda one: -abs(one.beta or 0.0))
    matter = [one for one in weights if one.significant]
    others = [one.term for one in weights if one.beta is not None and not one.significant]
    share = f"together the questions account for {100 * pooled.r_squared:.0f} % of its variance (n {pooled.n})"
    if matter:
        named = listed([f"{with_interval(one.beta or 0.0, one.lower, one.upper)} on {one.term}" for one in matter])
        said = [
            _largest(found.target, matter),
            f"With one point more on a question it changes by so many points ({found.confidence:g} % intervals), the "
            f"other questions staying as they are: by {named}; {share}.",
        ]
    else:
        said = [f"No weight of a question for {found.target} could be told from 0; {share}."]
    if matter and others:
        what = "weight" if len(others) == 1 else "weights"
        said.append(f"The {what} of {listed(others)} could not be told from 0.")
    said += [f"{capital(one.reason)}." for one in weights if one.reason]
    said += _for_each(found)
    said.append(
        "Questions go together, so a weight near 0 doesn’t mean that assessors don’t care: another question may speak "
        "for it."
    )
    return said


def _largest(target: str, matter: Sequence[JudgmentCoefficient]) -> str:
    """Which weight is largest, or which are: those whose intervals overlap with that of the largest."""
    least = min(abs(limit) for limit in (matter[0].lower, matter[0].upper) if limit is not None)
    leading = [one for one in matter if max(abs(one.lower or 0.0), abs(one.upper or 0.0)) >= least]
    if len(leading) == 1:
        return f"{capital(leading[0].term)} has the largest weight for {target}."
    names = listed([one.term for one in leading])
    return f"{capital(names)} have the largest weights for {target}; their intervals overlap."


def _for_each(found: JudgmentRegression) -> list[str]:
    """For how many assessors a question matters."""
    alone = [fit for fit in found.fits[:-1] if not fit.reason]
    if len(alone) < 2:
        return []
    counts = Counter(one.term for fit in alone for one in fit.coefficients[1:] if one.significant)
    if not counts:
        return [f"For none of the {len(alone)} assessors alone does a single question matter."]
    said = listed([f"{term} for {count}" for term, count in counts.most_common()])
    return [f"Of {len(alone)} assessors taken one by one, the weight is told from 0 of {said}."]


def _pooled_table(found: JudgmentRegression, *, several: bool) -> Table:
    dependent = (
        " Summaries that several assessors judged are several rows of the fit, so these intervals are a little too "
        "narrow."
        if several
        else ""
    )
    return Table(
        id="judgments-pooled",
        caption=noted(f"Weights β for {found.target}{', all assessors together' if several else ''}", found.note),
        columns=(
            Column(name="term", align="left"),
            Column(name="β", digits=3),
            Column(name="lower", digits=3),
            Column(name="upper", digits=3),
            Column(name="p"),
        ),
        rows=[[one.term, one.beta, one.lower, one.upper, one.p] for one in found.pooled.coefficients],
        marked=frozenset((row, 1) for row, one in enumerate(found.pooled.coefficients) if row and one.significant),
        below=f"Marked: the {found.confidence:g} % interval leaves out 0.{dependent}",
    )


def _assessor_table(found: JudgmentRegression) -> Table:
    marked = frozenset(
        (row, 3 + column)
        for row, fit in enumerate(found.fits)
        for column, one in enumerate(fit.coefficients)
        if column and one.significant
    )
    reasons = [f"{_name(fit)}: {fit.reason}." for fit in found.fits if fit.reason]
    return Table(
        id="judgments-assessors",
        caption=noted(f"Weights for each assessor: {found.target}", found.note),
        columns=(
            Column(name="assessor", align="left"),
            Column(name="R²", digits=3),
            Column(name="n"),
            *(Column(name=term, digits=3) for term in found.terms),
        ),
        rows=[[_name(fit), fit.r_squared, fit.n, *(one.beta for one in fit.coefficients)] for fit in found.fits],
        marked=marked,
        below=" ".join([f"Marked: the {found.confidence:g} % interval leaves out 0.", *reasons[:6]]),
    )


def _weights_in_words(fit: JudgmentFit) -> str:
    told = [one for one in fit.coefficients[1:] if one.beta is not None]
    return "; ".join(f"{one.term} {with_interval(one.beta or 0.0, one.lower, one.upper)}" for one in told) + "."


def _name(fit: JudgmentFit) -> str:
    return "all assessors" if fit.pooled else fit.assessor or "(no name)"

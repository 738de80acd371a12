"""What assessors answered, and what predicts their overall scores."""

from __future__ import annotations

from dataclasses import replace

from pyramidion.measures.names import question_in_words
from pyramidion.options import FrequencyOptions, JudgmentRegressionOptions
from pyramidion.present.judgments.frequencies import draw_frequencies
from pyramidion.present.judgments.regression import beta_with_interval, draw_coefficients, fit_label
from pyramidion.present.section import Figure, Section
from pyramidion.reports.context import Context
from pyramidion.show.wording import capital, noted, number
from pyramidion.studies.judgments.frequencies import Frequencies
from pyramidion.studies.judgments.regression import JudgmentFit, JudgmentRegression

MOST_QUESTIONS = 12


def make(context: Context) -> Section | None:
    """Frequencies of answers by kind of summarizer, and the regression of one question on the others."""
    campaign = context.campaign
    if not campaign.judgments:
        return None
    asked = campaign.question_names
    options = FrequencyOptions(question=asked[:MOST_QUESTIONS] if len(asked) > MOST_QUESTIONS else ())
    found = context.evaluation.judgment_frequencies(question=options.question)
    left = f"Only the first {MOST_QUESTIONS} of {len(asked)} questions are shown."
    return Section(
        id="judgments",
        title="Human scores",
        finding=_finding(found),
        mark=found.note,
        sentences=tuple(found.sentences()),
        blocks=(
            *([_figure(found)] if sum(map(len, found.means.values())) > 1 else []),  # one bar says less than the table
            *found.tables(),
        ),
        commands=(context.evaluation.command("judgments frequencies", options=options),),
        notes=(left,) if len(asked) > MOST_QUESTIONS else (),
        parts=(_regression(context),) if len(asked) > 1 else (),
    )


def _finding(found: Frequencies) -> str:
    """The questions that systems are rated best and worst on; of a single question its mean."""
    means = {question: kinds.get("participant", next(iter(kinds.values()))) for question, kinds in found.means.items()}
    if not means:
        return ""
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    if best == worst:
        answers = [one.value for one in found.frequencies if one.count]
        scale = f", with answers from {min(answers):g} to {max(answers):g}" if answers else ""
        return f"{capital(question_in_words(best))} is rated {number(means[best])} on average{scale}"
    submitted = all("participant" in kinds for kinds in found.means.values())
    who = "Submitted systems are rated highest" if submitted else "Ratings are highest"
    return (
        f"{who} on {question_in_words(best)} ({number(means[best])}) and lowest on {question_in_words(worst)} "
        f"({number(means[worst])})"
    )


def _figure(found: Frequencies) -> Figure:
    return Figure(
        id="judgments-frequencies",
        caption=noted("How often each answer was given, by kind of summarizer", found.note),
        alt=_in_words(found),
        draw=lambda: draw_frequencies(found, columns=2),
    )


def _in_words(found: Frequencies) -> str:
    means = "; ".join(
        f"{question}: " + ", ".join(f"{kind} {mean:.2f}" for kind, mean in kinds.items())
        for question, kinds in found.means.items()
    )
    return f"Stacked bars of the shares of answers, one panel for each question. Means: {means}."


def _regression(context: Context) -> Section:
    """What predicts the human score that counts most in this report."""
    question = (context.reference or "").removeprefix("question.")
    target = question if question in context.campaign.question_names else None
    options = JudgmentRegressionOptions(target=target, confidence=context.options.confidence)
    found = context.evaluation.judgment_regression(target=target, confidence=options.confidence)
    assessors, *pooled = found.tables()
    return Section(
        id="judgments-regression",
        title=f"What predicts {found.target}",
        sentences=assessors.sentences,
        blocks=(
            *([] if found.pooled.reason else [_coefficients(found, found.pooled)]),
            *pooled,
            *([assessors] if found.several or not pooled else []),
        ),
        commands=(context.evaluation.command("judgments regression", options=replace(options, target=found.target)),),
    )


def _coefficients(found: JudgmentRegression, fit: JudgmentFit) -> Figure:
    whose = f", {fit_label(fit)}," if found.several else ""
    values = "; ".join(f"{one.term} {beta_with_interval(one)}" for one in fit.questions)
    return Figure(
        id="judgments-coefficients",
        caption=noted(
            f"Coefficients β for {found.target}{whose} with {found.confidence:g} % intervals; filled: significant, the "
            "interval excludes 0",
            found.note,
        ),
        alt=f"Dots with intervals: {values}.",
        draw=lambda: draw_coefficients(found, [fit]),
    )

"""Why the first screen says what it says: which measure decides and why, and what lengths have to do with it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pyramidion.measures.names import parse, short_name
from pyramidion.present.context import SectionContext
from pyramidion.show.wording import capital, counted, listed, number, percent
from pyramidion.studies.deciding import OVERALL, PREFERENCES, PREFERRED, Assessors, Kind, generality, is_overall
from pyramidion.studies.lengths import correlate_with_length, differ_much, mean_lengths

CALLED: dict[Kind, str] = {
    "human": "a human score",
    "preferences": "what people prefer",
    "pyramid": "pyramids, annotated by people",
    "judge": "a judge's score",
    "automatic": "an automatic measure",
    "descriptive": "a description",
}


def explain_decision(context: SectionContext) -> Iterator[str]:
    """Which measure decides, why, and for whom it holds."""
    if context.roles.is_decided_by_preferences:
        yield from _explain_preferences(context)
        return
    measure = context.roles.deciding
    kind = context.roles.kinds[measure]
    if reason := _reason(context, measure, kind):
        yield reason
    yield from _scope(context, measure, kind)


def _reason(context: SectionContext, measure: str, kind: Kind) -> str:
    """Why this measure decides and none of the others; nothing where there is no other."""
    name = _at_start(measure)
    if context.roles.chosen_measure:
        other = _first_by_kind(context)
        instead = f"; without that choice, {other} would" if other else ""
        return f"{name} decides because it was chosen{instead}."
    others = [one for one in context.roles.evaluative if one != measure]
    # Where nothing else could have decided, there is nothing to explain.
    if not others and not context.preferred:
        return f"Going by its name, {measure} is a judge's score." if kind == "judge" and _is_column(measure) else ""
    same = len(context.roles.candidates[kind])
    if kind == "human":
        return f"{name} decides: human scores come first{_which_question(measure, same)}."
    if kind == "pyramid":
        return f"{name} decides: people annotated the pyramids, and there are no human scores that could."
    if kind == "judge":
        by_name = "going by its name it is a judge's score, which comes" if _is_column(measure) else "a judge comes"
        first = f"; it is {_rank(measure)} of {same} such scores" if same > 1 else ""
        return f"{name} decides: {by_name} before automatic measures{first}."
    # People's scores come first as a rule: that they did not decide here needs its reason.
    if any(context.roles.kinds[one] in ("human", "pyramid", "judge") for one in others):
        only = "too few systems or topics have other scores"
    else:
        only = "there are only automatic measures"
    if same < 2:
        return f"{name} decides: {only}."
    which = "the one that DUC and TAC used" if measure in PREFERRED else "the first"
    return f"{name} decides: {only}, and of {same} it is {which}."


def _which_question(measure: str, questions: int) -> str:
    if questions < 2:
        return ""
    if is_overall(measure):
        return f", and it is the most general of {questions} questions"
    taken = "the one about content" if generality(measure) < len(OVERALL) else "the first"
    return f"; none of {questions} is about overall quality, so {taken} was taken (`decide=` takes another)"


def _rank(measure: str) -> str:
    return "the most general" if is_overall(measure) else "the first"


def _first_by_kind(context: SectionContext) -> str:
    """What would decide if nothing had been chosen; empty if that is the same."""
    if context.preferred and not context.roles.candidates["human"]:
        return f"preferences ({CALLED[context.preferred.kind]})"
    kinds: tuple[Kind, ...] = ("human", "pyramid", "judge", "automatic")
    for kind in kinds:
        for name in context.roles.candidates[kind][:1]:
            return "" if name == context.roles.chosen_measure else f"{short_name(name)} ({CALLED[kind]})"
    return ""


def _scope(context: SectionContext, measure: str, kind: Kind) -> Iterator[str]:
    """For whom a verdict holds: one assessor, one judge, some of the systems."""
    answered = context.roles.assessors.get(parse(measure).statistic or "", Assessors())
    if parse(measure).base != "question":
        answered = Assessors()
    if kind == "judge" and _is_column(measure):
        yield "The answer holds for this judge only."
    elif kind == "judge" and answered.single:
        yield f"Only a program, {answered.single}, answered; the answer holds for this judge only."
    elif kind == "judge":
        yield f"Only programs answered: {listed(answered.programs)}."
    elif answered.people and answered.programs:
        yield (
            f"Its mean is over {counted(len(answered.people), 'person', 'people')} and "
            f"{counted(len(answered.programs), 'program')} ({listed(answered.programs)})."
        )
    elif answered.single:
        yield f"One assessor, {answered.single}, answered; the answer holds for this assessor only."
    standings, systems = len(context.comparison.leaderboard(measure)), len(context.table.summarizers)
    if standings < systems:
        yield f"Only {standings} of {systems} {context.comparison.kind}s have a score on it."


def _explain_preferences(context: SectionContext) -> Iterator[str]:
    preferred = context.preferred
    if preferred is None:
        return
    if context.options.decide == PREFERENCES:
        other = short_name(context.roles.candidates["human"][0]) if context.roles.candidates["human"] else ""
        instead = f"; without that choice, {other} ({CALLED['human']}) would" if other else ""
        yield f"Preferences decide because they were chosen{instead}."
    elif preferred.kind == "judge":
        yield "Preferences decide: they are a judge's, and come before automatic measures."
    elif context.roles.evaluative:
        yield "Preferences decide: people gave them, and there are no human scores that could."
    if preferred.programs_left_out:
        yield f"{counted(preferred.programs_left_out, 'preference')} of programs are left out."
    systems = len(context.table.summarizers)
    if len(preferred.systems) < systems:
        yield f"They compare only {len(preferred.systems)} of {systems} {context.comparison.kind}s."


def describe_lengths(context: SectionContext) -> Iterator[str]:
    """Whether mean lengths differ by more than 10 %, and whether what decides goes with length."""
    lengths = context.lengths
    if context.pair:
        lengths = {who: lengths[who] for who in context.pair if who in lengths}
    means = mean_lengths(lengths)
    if not differ_much(list(means.values())):
        return
    (longest, most), *_, (shortest, least) = means.items()
    label = context.comparison.label
    if len(means) == 2:
        longer = f"{percent(most / least - 1)} longer than" if least else "longer than"
        yield (
            f"Lengths differ: summaries of {label(longest)} are {longer} those of {label(shortest)} "
            f"(means of {number(most, 0)} and {number(least, 0)} words)."
        )
    else:
        yield f"Lengths differ: means range from {number(least, 0)} to {number(most, 0)} words."
    yield from _length_and_score(context)


def _length_and_score(context: SectionContext) -> Iterator[str]:
    if context.roles.is_decided_by_preferences:
        share = context.preferred.share_of_longer(context.lengths) if context.preferred else None
        if share is not None:
            yield f"The longer of two summaries was preferred in {percent(share)} of choices."
        return
    matrix = context.table.matrix(context.roles.deciding)
    r, summaries = correlate_with_length(matrix, context.lengths)
    if math.isfinite(r):
        yield (
            f"Within topics, the score's correlation with length is r = {number(r)} "
            f"({counted(summaries, 'summary', 'summaries')})."
        )


def _is_column(measure: str) -> bool:
    """Whether a measure is a column of somebody's own, whose kind only its name tells."""
    return parse(measure).base == "imported"


def _at_start(measure: str) -> str:
    """A measure at the beginning of a sentence: a question in words, others as they are written."""
    words = short_name(measure)
    return words if words == measure else capital(words)

"""People and judges: whose answers count. Those of others are set aside, so that no analysis mixes them unasked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import msgspec

from pyramidion.campaign.campaign import RATED, Answer, Campaign, rater_of
from pyramidion.campaign.nouns import Assessor, Judgment
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import Raters
from pyramidion.show.tables import grouped
from pyramidion.show.wording import listed

PYRAMID = "pyramid"
PREFERENCES = "preferences"
_SEVERAL = ("they are judges", "count", "people")


def choose_raters(campaign: Campaign, raters: Raters | None = None, judges: Sequence[str] = ()) -> Campaign:
    """The campaign with the answers of people, of judges, or of all; the others are set aside.

    By default, of each question (and of preferences and annotations) the answers of people; where only judges
    answered, theirs, and a note says so.

    Args:
        campaign: as its files have it.
        raters: whose answers count.
        judges: names of assessors and of columns of scores that are judges, besides those of campaign.toml.

    Raises:
        UsageError: if there is no such assessor or column, or judges are asked for and there are none.
    """
    campaign = _columns_as_answers(_declare_judges(campaign.with_all_raters(), judges))
    if not campaign.judges:
        if raters == "judges":
            raise UsageError(
                f"{mention('raters', raters)}: no assessor is a judge; name those that are in campaign.toml "
                "(`[assessors]`), or with `judge=`"
            )
        return campaign
    chosen: dict[str, Any] = {}
    set_aside: list[Answer] = []
    notes: dict[str, str] = {}
    for name in RATED:
        kept: list[Answer] = []
        for measure, answers in _by_measure(name, getattr(campaign, name)).items():
            counting = _choose_answers(answers, campaign.judges, raters)
            counting_ids = {id(answer) for answer in counting}
            kept += counting
            set_aside += [answer for answer in answers if id(answer) not in counting_ids]
            if note := _note_judges(counting, campaign.judges):
                notes[measure] = note
        places = {id(answer): place for place, answer in enumerate(getattr(campaign, name))}
        chosen[name] = tuple(sorted(kept, key=lambda answer: places[id(answer)]))
    return replace(campaign, set_aside=tuple(set_aside), rater_notes=notes, **chosen)


def _declare_judges(campaign: Campaign, names: Sequence[str]) -> Campaign:
    """The campaign in which these assessors or columns are judges."""
    if not names:
        return campaign
    answerers: dict[str, None] = {}
    for field in RATED:
        answerers.update(dict.fromkeys(map(rater_of, getattr(campaign, field))))
    columns = list(map(name_of_column, campaign.imported.measures))
    candidates = list(filter(None, [*answerers, *columns, *campaign.assessors]))
    assessors = dict(campaign.assessors)
    for name in map(name_of_column, names):
        check_known(name, candidates, f"{mention('judge', name)}: no assessor and no column of scores has this name")
        assessors[name] = msgspec.structs.replace(assessors.get(name, Assessor()), kind="judge")
    return replace(campaign, assessors=assessors)


def name_of_column(name: str) -> str:
    """The name of a column of scores, however it is given.

    >>> [name_of_column(name) for name in ("gpt_score", "imported.gpt_score")]
    ['gpt_score', 'gpt_score']
    """
    return name.removeprefix("imported.")


def _columns_as_answers(campaign: Campaign) -> Campaign:
    """The campaign in which scores of judges that say which question they answer are judgments, too."""
    questions = {
        name: assessor.question
        for name, assessor in campaign.assessors.items()
        if assessor.is_judge and assessor.question
    }
    if not questions or not len(campaign.imported):
        return campaign
    answered = {(judgment.assessor, judgment.topic, judgment.summarizer) for judgment in campaign.judgments}
    judgments: list[Judgment] = []
    for score in campaign.imported:
        judge = name_of_column(score.measure)
        if judge in questions and (judge, score.topic, score.summarizer) not in answered:
            judgments.append(
                Judgment(
                    topic=score.topic,
                    summarizer=score.summarizer,
                    assessor=judge,
                    question=questions[judge],
                    value=score.value,
                )
            )
    return replace(campaign, judgments=(*campaign.judgments, *judgments))


def _by_measure(name: str, answers: Iterable[Answer]) -> Mapping[str, list[Answer]]:
    """Answers by what they are scores of: each question for itself, all preferences or annotations together."""
    keys: Mapping[str, Callable[[Answer], str]] = {
        "judgments": lambda answer: f"question.{cast(Judgment, answer).question}",
        "preferences": lambda _: PREFERENCES,
        "annotations": lambda _: PYRAMID,
        "coverage": lambda _: "see-coverage",
    }
    return grouped(answers, keys[name])


def _choose_answers(answers: Sequence[Answer], judges: Mapping[str, str], raters: Raters | None) -> Sequence[Answer]:
    """The answers that count."""
    if raters == "all":
        return answers
    of_people = [answer for answer in answers if rater_of(answer) not in judges]
    of_judges = [answer for answer in answers if rater_of(answer) in judges]
    if raters == "people":
        return of_people
    if raters == "judges":
        return of_judges
    return of_people or of_judges


def _note_judges(answers: Iterable[Answer], judges: Mapping[str, str]) -> str:
    """Who answered, where that are not people alone."""
    names = sorted({rater_of(answer) for answer in answers})
    programs = [name for name in names if name in judges]
    if not programs:
        return ""
    if len(programs) == len(names):
        return f"answers of {name_judges(programs)}, not of people"
    return f"answers of people and of {name_judges(programs)} together"


def note_undeclared(names: Sequence[str], why: str) -> str:
    """That assessors counted as people who may be judges, and how to declare them.

    >>> note_undeclared(["gpt-4o"], "it has the name of a language model")
    'gpt-4o counts as a person, although it has the name of a language model. If it is a judge: `judge="gpt-4o"`, or \
    [assessors] "gpt-4o" = { kind = "judge" } in campaign.toml.'

    Args:
        names: of the assessors.
        why: what makes them look like judges.
    """
    first = names[0]
    pronoun, counts, person = ("it is a judge", "counts", "a person") if len(names) == 1 else _SEVERAL
    entry = f'[assessors] "{first}" = {{ kind = "judge" }}'
    return (
        f"{listed(names)} {counts} as {person}, although {why}. If {pronoun}: {mention('judge', first)}, or {entry} in "
        "campaign.toml."
    )


def name_judges(names: Sequence[str]) -> str:
    """`the judge a`, `the judges a and b`."""
    noun = "judge" if len(names) == 1 else "judges"
    return f"the {noun} {listed(names)}"

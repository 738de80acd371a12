"""A campaign that a crowd works on: consent, a comprehension check with two attempts, and how people get back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.person_names import propose_name
from pyramidion.assess.store.crowd_workers import CrowdWorkers
from pyramidion.assess.store.people import Person
from pyramidion.errors import UsageError

ATTEMPTS = 2
"""At the comprehension check: platforms ask for two before someone may be sent away."""
MOST_PLACES = 500
WORKER_PARAMETERS = ("PROLIFIC_PID", "participantId", "workerId", "worker")
"""Under which name platforms send who comes: Prolific, Connect, Mechanical Turk, others."""
VISIT_PARAMETERS = ("SESSION_ID", "assignmentId", "visit")
RIGHT, WRONG = "*", "-"
_SETTINGS, _PLACES = "crowd", "crowd-places"


@dataclass(frozen=True)
class CheckQuestion:
    """A question of the comprehension check, and which of its answers is right."""

    text: str
    answers: tuple[str, ...]
    right: int


@dataclass(frozen=True, kw_only=True)
class CrowdSettings:
    """What an organiser says about the crowd."""

    is_open: bool = False
    key: str = ""
    """Part of the address that is given to the platform, so that others can't guess it."""
    consent: str = ""
    completion_code: str = ""
    return_address: str = ""
    """Where people go when all their work is handed in, with the code, as the platform says."""
    check: str = ""
    """The questions of the comprehension check, as `parse_check` reads them."""

    @property
    def questions(self) -> tuple[CheckQuestion, ...]:
        """The questions of the comprehension check; none if there is no check."""
        return parse_check(self.check)


class Crowd:
    """The crowd of one assessment: its settings, its places and who has taken them."""

    def __init__(self, assessment: Assessment) -> None:
        self.assessment = assessment
        self.workers: CrowdWorkers = CrowdWorkers(assessment.engine)

    @property
    def settings(self) -> CrowdSettings:
        """What the organiser said last."""
        return CrowdSettings(**self.assessment.settings.get(_SETTINGS, {}))

    def change(self, settings: CrowdSettings) -> None:
        """Keep what the organiser says now."""
        self.assessment.settings.set(_SETTINGS, asdict(settings))

    def places(self) -> list[Person]:
        """The assessors whose work people from the crowd do, in the order in which they are taken."""
        by_id = {person.id: person for person in self.assessment.people.all(active=True)}
        return [by_id[id] for id in self.assessment.settings.get(_PLACES, []) if id in by_id]

    def add_places(self, count: int) -> list[Person]:
        """New assessors W1, W2, … for people who are not known yet; plans give them work like others."""
        existing: list[str] = self.assessment.settings.get(_PLACES, [])
        added = [self._add_place(len(existing) + number) for number in range(1, count + 1)]
        self.assessment.settings.set(_PLACES, [*existing, *(person.id for person in added)])
        return added

    def _add_place(self, number: int) -> Person:
        name = f"W{number}"
        taken = {person.name.casefold() for person in self.assessment.people.all()}
        if name.casefold() in taken or name in self.assessment.campaign.summarizer_ids:
            name = propose_name(self.assessment, name)
        return self.assessment.people.add(name, "assessor")

    def take_place(self, worker: str) -> Person | None:
        """The place of someone who may take part: that of before, or the first that is free and has work."""
        stored = self.workers.find(worker)
        if stored is not None and stored.person is not None:
            return self.assessment.people.find(id=stored.person, active=True)
        with_work = {task.person for task in self.assessment.given_out(practice=False)}
        places = [person.id for person in self.places() if person.id in with_work]
        place = self.workers.take_place(worker, places)
        return None if place is None else self.assessment.people.find(id=place)

    def completion(self, person: Person) -> dict[str, str]:
        """The code and the address for someone from the crowd who has handed everything in; otherwise nothing."""
        if not any(worker.person == person.id for worker in self.workers.all()):
            return {}
        work = self.assessment.given_out(person=person.id, practice=False)
        if not work or not all(task.done for task in work):
            return {}
        return {"code": self.settings.completion_code, "address": self.settings.return_address}


def parse_check(text: str) -> tuple[CheckQuestion, ...]:
    r"""The questions of a comprehension check.

    Each question is a line, followed by its answers: the right one begins with `*`, others with `-`.

    >>> parse_check("What do you judge?\n* the summary\n- the documents")
    (CheckQuestion(text='What do you judge?', answers=('the summary', 'the documents'), right=0),)

    Raises:
        UsageError: if a question has no right answer or several, or nothing to choose from.
    """
    questions: list[CheckQuestion] = []
    text_of_question = ""
    answers: list[str] = []
    marks: list[str] = []
    for line in [*map(str.strip, text.splitlines()), ""]:
        if line[:1] in (RIGHT, WRONG) and text_of_question:
            marks.append(line[0])
            answers.append(line[1:].strip())
            continue
        if answers or (text_of_question and line):
            questions.append(_question(text_of_question, answers, marks))
            text_of_question, answers, marks = "", [], []
        text_of_question = text_of_question or line
    if text_of_question:
        questions.append(_question(text_of_question, answers, marks))
    return tuple(questions)


def _question(text: str, answers: Sequence[str], marks: Sequence[str]) -> CheckQuestion:
    """A question with one right answer among several."""
    if len(answers) < 2 or marks.count(RIGHT) != 1:
        raise UsageError(
            f'The question "{text}" needs at least two answers, each on a line of its own: the right one begins with '
            f"{RIGHT}, the others with {WRONG}."
        )
    return CheckQuestion(text, tuple(answers), marks.index(RIGHT))

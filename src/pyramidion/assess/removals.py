"""Removals: topics, systems and answers that an organiser takes out of a campaign, kept so that they can be put back.

Rows of the campaign's files move to a folder of their own, `removed/ID`; work is taken back, and its events stay in the
database. Putting back swaps both again.
"""

from __future__ import annotations

import secrets
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.kinds.base import TaskType
from pyramidion.assess.kinds.form.passes import pass_of
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.settings_file import change_questions, change_summarizer
from pyramidion.assess.store.database import now
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Event, Task
from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.folder import write_rows
from pyramidion.campaign.nouns import Judgment, Noun, Preference, Pyramid, to_plain
from pyramidion.campaign.questions import QuestionSet, to_toml
from pyramidion.campaign.settings import FILE
from pyramidion.errors import InputError, UsageError
from pyramidion.files.writing import write_lines
from pyramidion.show.wording import counted, listed

REMOVALS = "removals"
FOLDER = "removed"
"""The folder of a campaign that has what was removed; no command reads it."""

RemovedKind: TypeAlias = Literal["topic", "summarizer", "question"]
REMOVED_KINDS: tuple[RemovedKind, ...] = get_args(RemovedKind)
ROW_WORDS = {
    "topics": ("description", "descriptions"),
    "summaries": ("summary", "summaries"),
    "judgments": ("answer", "answers"),
    "preferences": ("preference", "preferences"),
    "pyramids": ("pyramid", "pyramids"),
    "annotations": ("annotated peer", "annotated peers"),
    "coverage": ("coverage", "coverages"),
}
IsTaken: TypeAlias = Callable[[Noun], bool]


@dataclass(frozen=True, kw_only=True)
class Removal:
    """What was taken out, and what putting it back needs."""

    id: str
    time: str
    organiser: str
    kind: RemovedKind
    name: str
    """The topic or the summarizer; of questions, what was done."""
    rows: int = 0
    withdrawn: tuple[str, ...] = ()
    replaced: Mapping[str, str] = field(default_factory=dict)
    """By tasks that were taken back, those that took their place."""
    before: Mapping[str, Any] = field(default_factory=dict)
    """What campaign.toml said: [questions], or the declaration of a summarizer."""


def read_removals(assessment: Assessment, kind: RemovedKind | None = None) -> list[Removal]:
    """What was removed and not put back, newest first."""
    stored = reversed(assessment.settings.get(REMOVALS, []))
    removals = [Removal(**{**fields, "withdrawn": tuple(fields["withdrawn"])}) for fields in stored]
    return [removal for removal in removals if kind in (None, removal.kind)]


def find_removal(assessment: Assessment, id: str) -> Removal | None:
    """The removal of an id."""
    return next((removal for removal in read_removals(assessment) if removal.id == id), None)


# What a removal takes


def is_of_topic(topic: str) -> IsTaken:
    """The rows of a topic."""
    return lambda noun: getattr(noun, "topic", None) == topic


def is_of_summarizer(summarizer: str) -> IsTaken:
    """The rows about the summaries of a summarizer."""

    def is_taken(noun: Noun) -> bool:
        if isinstance(noun, Preference):
            return summarizer in (noun.a, noun.b)
        return getattr(noun, "summarizer", None) == summarizer

    return is_taken


def is_off(questions: QuestionSet) -> IsTaken:
    """The answers to questions that are no longer asked, and those that are not on the scale any more."""

    def is_taken(noun: Noun) -> bool:
        if not isinstance(noun, Judgment):
            return False
        question = questions.get(noun.question)
        return question is None or not question.scale[0] <= noun.value <= question.scale[1]

    return is_taken


def count_rows(campaign: Campaign, is_taken: IsTaken) -> Counter[str]:
    """How many rows of each file a removal takes."""
    counts: Counter[str] = Counter()
    for name in NOUNS:
        counts[name] = sum(is_taken(noun) for noun in getattr(campaign, name))
    return +counts


def describe_rows(counts: Mapping[str, int]) -> str:
    """Numbers of rows in words: "4 summaries and 28 answers"."""
    parts = []
    for name, count in counts.items():
        parts.append(counted(count, *ROW_WORDS.get(name, (name, name))))
    return listed(parts)


def tasks_of_topic(assessment: Assessment, topic: str) -> list[Task]:
    """All work on a topic, practice included."""
    return assessment.work.tasks(topic=topic, withdrawn=False)


def tasks_of_summarizer(assessment: Assessment, summarizer: str) -> list[Task]:
    """All work that shows a summary of someone."""
    tasks = assessment.work.tasks(withdrawn=False)
    return [task for task in tasks if summarizer in TASK_TYPES[task.kind].summarizers_in(task.spec)]


def forms_without_questions(assessment: Assessment, questions: QuestionSet) -> list[Task]:
    """The forms of passes in which nothing would be asked any more."""
    forms = assessment.work.tasks(kind="form", withdrawn=False)
    return [form for form in forms if pass_of(form) not in questions.passes]


# Removing


def remove_topic(assessment: Assessment, organiser: Person, topic: str) -> Removal:
    """Take a topic out: its work is taken back, its rows leave the files.

    Raises:
        InputError: if the files can't be changed; then nothing happened.
    """
    withdrawn = tuple(task.id for task in tasks_of_topic(assessment, topic))
    removal = _new_removal(organiser, "topic", topic, withdrawn=withdrawn)
    return _carry_out(assessment, removal, is_of_topic(topic))


def remove_summarizer(assessment: Assessment, organiser: Person, summarizer: str) -> Removal:
    """Take a system out: work about it alone is taken back; lists go on without it, with all other answers.

    Raises:
        UsageError: if pyramids are made of its summaries.
        InputError: if the files can't be changed; then nothing happened.
    """
    refuse_removal_of_model_writer(assessment.campaign, summarizer)
    withdrawn: list[str] = []
    given: list[Task] = []
    histories: list[Event] = []
    replaced: dict[str, str] = {}
    for task in tasks_of_summarizer(assessment, summarizer):
        withdrawn.append(task.id)
        reduced = _without_summarizer(task, summarizer, assessment.work.history(task.id))
        if reduced is not None:
            given.append(reduced[0])
            replaced[task.id] = reduced[0].id
            histories += reduced[1]
    declared = assessment.base.summarizers.get(summarizer)
    before = {} if declared is None else {"summarizer": to_plain(declared)}
    removal = _new_removal(
        organiser,
        "summarizer",
        summarizer,
        withdrawn=tuple(withdrawn),
        replaced=replaced,
        before=before,
    )

    def change() -> None:
        change_summarizer(assessment.folder / FILE, summarizer, None)

    take_declaration = change if declared is not None else None
    return _carry_out(
        assessment, removal, is_of_summarizer(summarizer), add=given, histories=histories, change=take_declaration
    )


def refuse_removal_of_model_writer(campaign: Campaign, summarizer: str) -> None:
    """Refuse to remove someone whose summaries are references: other work is built on these.

    Raises:
        UsageError: with the reason.
    """
    if any(summary.summarizer == summarizer and summary.kind == "model" for summary in campaign.summaries):
        raise UsageError(
            f"{summarizer} wrote references, and other work is built on these: only systems can be removed"
        )
    if any(summarizer in pyramid.models for pyramid in campaign.pyramids if isinstance(pyramid, Pyramid)):
        raise UsageError(f"pyramids are made of the summaries of {summarizer}: only systems can be removed")


def ask_questions(assessment: Assessment, organiser: Person, questions: QuestionSet) -> Removal | None:
    """Let the campaign ask these questions; answers that do not fit any more are removed.

    Returns:
        What was removed; None if all answers still fit.

    Raises:
        InputError: if the questions can't be asked, or the files can't be changed; then nothing happened.
    """
    path = assessment.folder / FILE
    before = assessment.base.questions
    is_taken = is_off(questions)
    names = [question.name for question in questions]
    gone = [question.name for question in before if question.name not in names]
    empty = [task.id for task in forms_without_questions(assessment, questions)]
    if not count_rows(assessment.campaign, is_taken) and not empty:
        with assessment.files.change():
            change_questions(path, to_toml(questions))
        return None
    name = f"answers to {listed(gone)}" if gone else "answers that are off the new scale"
    removal = _new_removal(
        organiser,
        "question",
        name,
        withdrawn=tuple(empty),
        before={"questions": to_toml(before)},
    )
    return _carry_out(assessment, removal, is_taken, change=lambda: change_questions(path, to_toml(questions)))


def _new_removal(
    organiser: Person,
    kind: RemovedKind,
    name: str,
    *,
    withdrawn: tuple[str, ...],
    replaced: Mapping[str, str] | None = None,
    before: Mapping[str, Any] | None = None,
) -> Removal:
    return Removal(
        id=f"{now()[:10]}-{secrets.token_hex(4)}",
        time=now(),
        organiser=organiser.name,
        kind=kind,
        name=name,
        withdrawn=withdrawn,
        replaced=replaced or {},
        before=before or {},
    )


def _carry_out(
    assessment: Assessment,
    removal: Removal,
    is_taken: IsTaken,
    *,
    add: Sequence[Task] = (),
    histories: Sequence[Event] = (),
    change: Callable[[], None] | None = None,
) -> Removal:
    """Take work back, and move the rows to the folder of the removal; if that fails, all is as before."""
    write_files(assessment)  # so that the rows that are kept have all work so far
    removal = replace(removal, rows=_copy_rows(assessment, removal.id, is_taken))
    # Kept before anything is taken, so that it can be put back even if the server is killed in between.
    _keep(assessment, removal)
    assessment.work.exchange(add=add, withdraw=removal.withdrawn, histories=histories)
    try:
        with assessment.files.change():
            _drop_rows(assessment, is_taken)
            if change is not None:
                change()
    except (InputError, OSError):
        assessment.work.exchange(withdraw=[task.id for task in add], restore=removal.withdrawn)
        _forget(assessment, removal)
        assessment.on_change()
        raise
    assessment.on_change()
    return removal


def _copy_rows(assessment: Assessment, id: str, is_taken: IsTaken) -> int:
    """Copy rows of the campaign's files to the folder of a removal; returns how many."""
    folder = assessment.folder / FOLDER / id
    number = 0
    for name, rows in assessment.files.rows_on_disk().items():
        taken = [row.line for row in rows if is_taken(row.noun)]
        if taken:
            folder.mkdir(parents=True, exist_ok=True)
            write_lines(folder / f"{name}.jsonl", taken, own=True)
            number += len(taken)
    return number


def _drop_rows(assessment: Assessment, is_taken: IsTaken) -> None:
    """Leave rows out of the campaign's files."""
    kept: dict[str, list[bytes]] = {}
    for name, rows in assessment.files.rows_on_disk().items():
        if any(is_taken(row.noun) for row in rows):
            kept[name] = [row.line for row in rows if not is_taken(row.noun)]
    write_rows(assessment.folder, kept)


def _without_summarizer(task: Task, summarizer: str, history: Sequence[Event]) -> tuple[Task, list[Event]] | None:
    """A task that lists several summaries, without one of them, with its events; None if nothing is left of it."""
    task_type = TASK_TYPES[task.kind]
    if not task_type.listing_field:
        return None
    listing = task.spec[task_type.listing_field]
    dropped = {number for number in listing if summarizer in _summarizers_of(task_type, task, number)}
    if len(dropped) == len(listing):
        return None
    rest = {number: item for number, item in listing.items() if number not in dropped}
    # It stands where the other one stood in the lists of work, which are sorted by time and id.
    id = f"{task.id}-{secrets.token_hex(2)}"
    reduced = replace(task, id=id, spec={**task.spec, task_type.listing_field: rest})
    events = []
    for event in history:
        changes = {key: value for key, value in event.changes.items() if _number_in(key) not in dropped}
        events.append(replace(event, id=str(uuid.uuid4()), task=reduced.id, changes=changes))
    return reduced, events


def _summarizers_of(task_type: TaskType[Any], task: Task, number: str) -> set[str]:
    """The summarizers of one of the summaries or pairs that a task lists."""
    listing = {number: task.spec[task_type.listing_field][number]}
    return task_type.summarizers_in({**task.spec, task_type.listing_field: listing})


def _number_in(key: str) -> str:
    """The number of the summary or pair that a key of a state is about: `answer/NUMBER/…`, `reason/NUMBER`."""
    parts = key.split("/", 2)
    return parts[1] if len(parts) > 1 else ""


# Putting back


def put_back(assessment: Assessment, removal: Removal) -> None:
    """Bring back what was removed, work and rows.

    Raises:
        UsageError: if that is not possible: the campaign has something else in its place.
    """
    path = assessment.folder / FILE
    folder = assessment.folder / FOLDER / removal.id
    try:
        with assessment.files.change():
            if removal.kind == "question":
                change_questions(path, _merged_questions(assessment.base.questions, removal.before["questions"]))
            if "summarizer" in removal.before:
                change_summarizer(path, removal.name, removal.before["summarizer"])
            rows_by_file: dict[str, list[bytes]] = {}
            for name, rows in assessment.files.rows_on_disk().items():
                file = folder / f"{name}.jsonl"
                if file.exists():
                    before = [row.line for row in rows]
                    # All of them are there if the server was killed before it dropped them.
                    missing = [line for line in file.read_bytes().split(b"\n") if line and line not in before]
                    rows_by_file[name] = [*before, *missing]
            if rows_by_file:
                write_rows(assessment.folder, rows_by_file)
    except InputError as error:
        raise UsageError(f"this can't be put back now: the campaign has something else in its place. {error}") from None
    later = _later_events(assessment, removal)
    assessment.work.exchange(
        withdraw=removal.replaced.values(), restore=removal.withdrawn, histories=later, is_continued=True
    )
    _forget(assessment, removal)
    assessment.on_change()


def _later_events(assessment: Assessment, removal: Removal) -> list[Event]:
    """What was done since on tasks that took the place of others, as events of those that come back."""
    events: list[Event] = []
    for original_id, replacement_id in removal.replaced.items():
        original = assessment.work.task(original_id)
        replacement = assessment.work.task(replacement_id)
        if original is None or replacement is None or replacement.version <= original.version:
            continue
        later = assessment.work.history(replacement_id, after=original.version)
        events += [replace(event, id=str(uuid.uuid4()), task=original_id) for event in later]
        if replacement.done and not original.done:
            # What comes back may have no answer yet.
            reopened = Event(
                id=str(uuid.uuid4()),
                version=replacement.version + 1,
                action="reopen",
                changes={"done": None},
                task=original_id,
                person=replacement.person,
            )
            events.append(reopened)
    return events


def _merged_questions(questions: QuestionSet, before: Mapping[str, Any]) -> dict[str, Any]:
    """[questions] as it was before a removal, with the questions that were added since."""
    added = {
        name: fields
        for name, fields in to_toml(QuestionSet(questions.questions)).items()
        if name not in _names_in(before)
    }
    return {**before, **added}


def _names_in(table: Mapping[str, Any]) -> set[str]:
    """The names of the questions that [questions] declares."""
    names = {name for name, fields in table.items() if isinstance(fields, Mapping)}
    if isinstance(table.get("set"), str):
        names |= {question.name for question in QuestionSet.named(table["set"])}
    return names


def _keep(assessment: Assessment, removal: Removal) -> None:
    _forget(assessment, removal)
    stored = assessment.settings.get(REMOVALS, [])
    assessment.settings.set(REMOVALS, [*stored, asdict(removal)])


def _forget(assessment: Assessment, removal: Removal) -> None:
    stored: Iterable[dict[str, Any]] = assessment.settings.get(REMOVALS, [])
    assessment.settings.set(REMOVALS, [fields for fields in stored if fields["id"] != removal.id])

"""What assessors are asked: the question sets that come with the package, and [questions] of campaign.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.nouns import Question, fields_of, to_plain
from pyramidion.errors import check_known
from pyramidion.files.problems import Place, shorten
from pyramidion.show.tables import grouped

_SETS = Path(__file__).with_name("question_sets.toml")
_SET = "set"
"""The key of [questions] that names a set; as the name of a table it is a question like any other."""


@dataclass(frozen=True)
class QuestionSet:
    """The questions of a campaign, in order: those of a set of the package, then the organiser's own."""

    questions: tuple[Question, ...] = ()
    name: str = ""
    """The set of the package that it is based on, if any."""

    @staticmethod
    def named(name: str) -> QuestionSet:
        """A set of the package: duc2006, tac2008 or tac2009.

        Raises:
            UsageError: if there is no such set.
        """
        check_known(name, list(question_sets()), f"there is no set of questions {name!r}")
        return QuestionSet(question_sets()[name], name)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __len__(self) -> int:
        return len(self.questions)

    def get(self, name: str) -> Question | None:
        """The question of this name, if it is declared."""
        return next((question for question in self.questions if question.name == name), None)

    @property
    def passes(self) -> dict[int, tuple[Question, ...]]:
        """The questions of each pass over the summaries, first pass first."""
        by_pass = grouped(self.questions, lambda question: question.pass_number)
        return {number: tuple(by_pass[number]) for number in sorted(by_pass)}


@cache
def question_sets() -> Mapping[str, tuple[Question, ...]]:
    """The sets that come with the package, by name."""
    tables = tomllib.loads(_SETS.read_text(encoding="utf-8"))
    sets: dict[str, tuple[Question, ...]] = {}
    for set_name, questions in tables.items():
        named = [{"name": name, **fields} for name, fields in questions.items()]
        sets[set_name] = tuple(msgspec.convert(fields, Question) for fields in named)
    return sets


def complete(raw: Mapping[str, Any], at: Place) -> tuple[str, dict[str, Any]]:
    """The set that [questions] names, and the fields of each question: those of the set, unless given otherwise."""
    declared = dict(raw)
    name = ""
    if _SET in declared and not isinstance(declared[_SET], dict):
        name = _require_set(declared.pop(_SET), at)
    fields: dict[str, Any] = {question.name: to_plain(question) for question in question_sets().get(name, ())}
    for key, content in declared.items():
        if isinstance(content, dict):
            fields[key] = {"name": key, **fields.get(key, {}), **content}
        else:
            fields[key] = content  # which the decoder refuses
    return name, fields


def _require_set(name: Any, at: Place) -> str:
    """The name of a set of questions; an error, and no name, if there is no such set."""
    names = list(question_sets())
    if isinstance(name, str) and name in names:
        return name
    remedy = "Correct the name, or declare your own questions as [questions.NAME]."
    at.error(shorten(name), f"a set of questions: {', '.join(names)}", remedy, field=f"questions.{_SET}")
    return ""


def check_questions(questions: Mapping[str, Question], at: Place) -> None:
    """Note every rule that declared questions break; their keys say where they are declared."""
    names: list[str] = []
    for key, question in questions.items():
        low, high = question.scale
        if low >= high:
            at.error(f"[{low}, {high}]", "[lowest, highest]", "Give the lowest value first.", field=f"{key}.scale")
            continue
        if question.name in names:
            found = f"{question.name!r} again"
            at.error(found, "each question once", "Rename or remove one.", field=f"{key}.name")
        names.append(question.name)
        values = high - low + 1
        if len(question.labels) not in (0, 2, values):
            expected = f"{values} labels, one for each value of the scale, or 2, for the lowest and the highest"
            at.error(f"{len(question.labels)} labels", expected, "Add or remove labels.", field=f"{key}.labels")
        for index, example in enumerate(question.examples):
            if not low <= example.value <= high:
                remedy = "Correct the value or the scale."
                place = f"{key}.examples[{index}].value"
                at.error(f"{example.value:g}", f"{low} to {high}, the scale of the question", remedy, field=place)


def to_toml(questions: QuestionSet) -> dict[str, Any]:
    """[questions] as it is written: the name of the set, and what the organiser added to it or changed in it."""
    set_questions = {question.name: question for question in question_sets().get(questions.name, ())}
    table: dict[str, Any] = {}
    if questions.name:
        table[_SET] = questions.name
    for question in questions:
        of_set = set_questions.get(question.name)
        if of_set is None:
            table[question.name] = to_plain(question)
            del table[question.name]["name"]
            continue
        changed = _changed_fields(question, of_set)
        if changed:
            table[question.name] = changed
    return table


def _changed_fields(question: Question, of_set: Question) -> dict[str, Any]:
    """The fields in which a question differs from that of a set, as they are written, and its unknown keys."""
    changed: dict[str, Any] = {}
    for key, field in fields_of(Question).items():
        value = getattr(question, field.name)
        if value != getattr(of_set, field.name):
            changed[key] = to_plain(value)
    return changed | question.unknown

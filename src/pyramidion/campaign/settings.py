"""campaign.toml: the campaign's name, its summarizers, and what its assessors are asked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Id, Noun, Positive, Question, Summarizer, to_plain
from pyramidion.files import atomic_writer
from pyramidion.files.lines import read_text
from pyramidion.files.problems import Place, Problems

FILE = "campaign.toml"
_PLAIN = ("name", "description", "licence", "simulated", "word_limit")


class QuestionSet(Noun, frozen=True, kw_only=True):
    """[questions] with the name of a set, instead of a list of [[questions]]."""

    set: str


class Settings(Noun, frozen=True, kw_only=True):
    """The content of campaign.toml."""

    name: str = ""
    description: str = ""
    licence: str = ""
    simulated: str = ""
    word_limit: Positive | None = None
    summarizers: dict[Id, Summarizer] = msgspec.field(default_factory=dict)
    questions: QuestionSet | tuple[Question, ...] = ()


def read_settings(path: Path, problems: Problems) -> Campaign:
    """A campaign with the fields that campaign.toml gives; without any if it has errors."""
    text = read_text(path, problems)
    if text is None:
        return Campaign()
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+)", str(error))  # otherwise it reads: at end of document
        line = int(place[1]) if place else len(text.splitlines())
        problems.at(path, line).error(str(error), "TOML", "Correct the file; strings need double quotes.")
        return Campaign()
    except (ValueError, RecursionError):
        problems.at(path).error("a value too large or nested too deeply", "TOML", "Remove the value.")
        return Campaign()
    decoder = RowDecoder(Settings, path, problems)
    settings = decoder.decode_object(None, raw) or Settings()
    decoder.close()
    asked = settings.questions
    listed = () if isinstance(asked, QuestionSet) else asked
    _check_questions(listed, problems.at(path))
    return Campaign(
        **{name: getattr(settings, name) for name in (*_PLAIN, "summarizers", "unknown")},
        questions=listed,
        question_set=asked.set if isinstance(asked, QuestionSet) else "",
    )


def _check_questions(questions: Sequence[Question], at: Place) -> None:
    names = [question.name for question in questions]
    for index, question in enumerate(questions):
        low, high = question.scale
        if low >= high:
            remedy = "Give the lowest value first."
            at.error(f"[{low}, {high}]", "[lowest, highest]", remedy, field=f"questions[{index}].scale")
        if question.name in names[:index]:
            found = f"{question.name!r} again"
            at.error(found, "each question once", "Rename or remove one.", field=f"questions[{index}].name")


def write_settings(path: Path, campaign: Campaign) -> None:
    """Write campaign.toml, unknown keys included."""
    settings: dict[str, Any] = {}
    for key in _PLAIN:
        if value := getattr(campaign, key):
            settings[key] = value
    settings |= campaign.unknown
    if campaign.question_set:
        settings["questions"] = {"set": campaign.question_set}
    elif campaign.questions:
        settings["questions"] = [to_plain(question) for question in campaign.questions]
    if campaign.summarizers:
        settings["summarizers"] = {id: to_plain(who) for id, who in campaign.summarizers.items()}
    with atomic_writer(path) as file:
        file.write(tomli_w.dumps(settings).encode())

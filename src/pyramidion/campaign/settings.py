"""campaign.toml: the campaign's name, its summarizers, and what its assessors are asked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import tomli_w

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Id, Noun, Positive, Question, Summarizer, to_plain
from pyramidion.files import atomic_writer
from pyramidion.files.lines import read_text
from pyramidion.files.problems import Problems, shorten

FILE = "campaign.toml"
_PLAIN = ("name", "description", "licence", "simulated", "word_limit")

N = TypeVar("N", bound=Noun)


class Settings(Noun, frozen=True, kw_only=True):
    """The top level of campaign.toml; the tables in it are decoded one by one."""

    name: str = ""
    description: str = ""
    licence: str = ""
    simulated: str = ""
    word_limit: Positive | None = None
    summarizers: dict[Id, Any] = msgspec.field(default_factory=dict)
    questions: dict[str, Any] | list[Any] = msgspec.field(default_factory=list)


def read_settings(path: Path, problems: Problems) -> Campaign:
    """A campaign with the fields that campaign.toml gives; with errors, those that could be decoded."""
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
    settings = _decode(Settings, raw, "", path, problems)
    if settings is None:
        return Campaign()
    asked = settings.questions
    return Campaign(
        **{name: getattr(settings, name) for name in (*_PLAIN, "unknown")},
        summarizers=_summarizers(settings.summarizers, path, problems),
        questions=_questions(asked, path, problems) if isinstance(asked, list) else (),
        question_set=_question_set(asked, path, problems) if isinstance(asked, dict) else "",
    )


def _decode(noun: type[N], raw: Any, at: str, path: Path, problems: Problems) -> N | None:
    decoder = RowDecoder(noun, path, problems)
    decoded = decoder.decode_object(None, raw, at=at)
    decoder.close()
    return decoded


def _summarizers(raw: dict[str, Any], path: Path, problems: Problems) -> dict[str, Summarizer]:
    decoded = {id: _decode(Summarizer, table, f'summarizers."{id}".', path, problems) for id, table in raw.items()}
    return {id: summarizer for id, summarizer in decoded.items() if summarizer is not None}


def _questions(raw: list[Any], path: Path, problems: Problems) -> tuple[Question, ...]:
    at = problems.at(path)
    questions: dict[str, Question] = {}
    for index, table in enumerate(raw):
        question = _decode(Question, table, f"questions[{index}].", path, problems)
        if question is None:
            continue
        low, high = question.scale
        if low >= high:
            remedy = "Give the lowest value first."
            at.error(f"[{low}, {high}]", "[lowest, highest]", remedy, field=f"questions[{index}].scale")
        if questions.setdefault(question.name, question) is not question:
            found = f"{question.name!r} again"
            at.error(found, "each question once", "Rename or remove one.", field=f"questions[{index}].name")
    return tuple(questions.values())


def _question_set(raw: dict[str, Any], path: Path, problems: Problems) -> str:
    match raw:
        case {"set": str(name)} if len(raw) == 1:
            return name
    problems.at(path).error(
        shorten(raw),
        '[questions] with set = "…", or a list of [[questions]]',
        "Name a set of questions, or list them with name, text, scale and pass.",
        field="questions",
    )
    return ""


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

"""campaign.toml: the campaign's name, its summarizers, and what its assessors are asked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Id, Noun, Positive, Question, Summarizer, to_plain
from pyramidion.campaign.questions import QuestionSet, check_questions, complete, to_toml
from pyramidion.files import atomic_writer
from pyramidion.files.lines import read_text
from pyramidion.files.problems import Place, Problems

FILE = "campaign.toml"
_PLAIN = ("name", "description", "licence", "simulated", "word_limit")


class Settings(Noun, frozen=True, kw_only=True):
    """The content of campaign.toml."""

    name: str = ""
    description: str = ""
    licence: str = ""
    simulated: str = ""
    word_limit: Positive | None = None
    summarizers: dict[Id, Summarizer] = msgspec.field(default_factory=dict)
    questions: dict[Id, Question] | tuple[Question, ...] = ()
    """As tables [questions.NAME], or as a list [[questions]] of tables with a name."""


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
    before, asked = problems.errors, ""
    if isinstance(raw.get("questions"), dict):
        asked, raw["questions"] = complete(raw["questions"], problems.at(path))
    decoder = RowDecoder(Settings, path, problems)
    settings = decoder.decode_object(None, raw) or Settings()
    decoder.close()
    questions = QuestionSet(_declared(settings, problems.at(path)), asked)
    return Campaign(
        **{name: getattr(settings, name) for name in (*_PLAIN, "summarizers", "unknown")},
        questions=QuestionSet() if problems.errors > before else questions,  # or answers to them would be errors, too
    )


def _declared(settings: Settings, at: Place) -> tuple[Question, ...]:
    declared = settings.questions
    if not isinstance(declared, dict):
        check_questions({f"questions[{index}]": one for index, one in enumerate(declared)}, at)
        return declared
    for key, question in declared.items():
        if question.name != key:
            remedy = "Leave the name out: it is that of the table."
            at.error(repr(question.name), repr(key), remedy, field=f"questions.{key}.name")
    check_questions({f"questions.{key}": question for key, question in declared.items()}, at)
    return tuple(declared.values())


def write_settings(path: Path, campaign: Campaign) -> None:
    """Write campaign.toml, unknown keys included."""
    settings: dict[str, Any] = {}
    for key in _PLAIN:
        if value := getattr(campaign, key):
            settings[key] = value
    settings |= campaign.unknown
    if questions := to_toml(campaign.questions):
        settings["questions"] = questions
    if campaign.summarizers:
        settings["summarizers"] = {id: to_plain(who) for id, who in campaign.summarizers.items()}
    with atomic_writer(path) as file:
        file.write(tomli_w.dumps(settings).encode())

"""campaign.toml: the campaign's name, its summarizers, and what its assessors are asked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Id, Noun, Positive, Question, Summarizer, to_plain
from pyramidion.campaign.questions import QuestionSet, check_questions, complete, to_toml
from pyramidion.files import atomic_writer, guards
from pyramidion.files.opening import read_text
from pyramidion.files.problems import Place, Problems

FILE = "campaign.toml"
_PLAIN = ("name", "description", "licence", "simulated", "word_limit")
_DEEP_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{guards.JSON_DEPTH}}}""")
"""Parts of a dotted key: `tomllib` keeps every beginning of a key, so memory grows with the square of its parts."""


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
    if deep := _DEEP_KEY.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        problems.at(path, line).error(
            "a key of too many parts", f"at most {guards.JSON_DEPTH} levels", "Shorten the key."
        )
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
    with atomic_writer(path, own=True) as file:
        file.write(tomli_w.dumps(_as_toml(campaign)).encode())


def extend_settings(path: Path, campaign: Campaign, changed: Iterable[str]) -> None:
    """Write the settings that changed into campaign.toml; its comments stay, unless a value there must be replaced."""
    wanted = _as_toml(campaign)
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    before = tomllib.loads(text)
    tops = {name: wanted[name] for name in changed if name in _PLAIN and name in wanted}
    inner: dict[str, Any] = {}
    if new := {id: who for id, who in wanted.get("summarizers", {}).items() if id not in before.get("summarizers", {})}:
        inner["summarizers"] = new
    extended = _with_tops(text, tops)
    if inner:
        extended = extended.rstrip("\n") + ("\n\n" if extended.strip() else "") + tomli_w.dumps(inner)
    with atomic_writer(path, own=True) as file:
        file.write((extended if _parses_as(extended, wanted) else tomli_w.dumps(wanted)).encode())


def _with_tops(text: str, tops: Mapping[str, Any]) -> str:
    """The text with further keys before its first table: in place of a comment that shows the key, else at the end."""
    for name, value in tops.items():
        line = tomli_w.dumps({name: value}).rstrip("\n")
        shown = re.compile(rf"^# ?{name} ?=.*$", re.M)
        if shown.search(text):
            text = shown.sub(lambda _, line=line: line, text, count=1)  # type: ignore[misc]
            continue
        table = re.search(r"^\[", text, re.M)
        head, tail = (text[: table.start()], text[table.start() :]) if table else (text, "")
        text = f"{head}{'' if head.endswith(chr(10)) or not head else chr(10)}{line}\n{tail}"
    return text


def _parses_as(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    decoder = RowDecoder(Settings, Path(FILE), Problems())
    read = [{**one, "questions": []} for one in (found, wanted)]  # which stay as they are
    return decoder.decode_object(None, read[0]) == decoder.decode_object(None, read[1])


def _as_toml(campaign: Campaign) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for key in _PLAIN:
        if value := getattr(campaign, key):
            settings[key] = value
    settings |= campaign.unknown
    if questions := to_toml(campaign.questions):
        settings["questions"] = questions
    if campaign.summarizers:
        settings["summarizers"] = {id: to_plain(who) for id, who in campaign.summarizers.items()}
    return settings


def new_settings(*, name: str, description: str = "", word_limit: int | None = None, questions: str = "") -> str:
    """The text of a new campaign.toml, with comments that show what can be said there."""
    given = {"name": name, "description": description, "word_limit": word_limit}
    examples = {"description": "What is evaluated, in a sentence.", "word_limit": 250}
    lines = ["# A campaign of pyramidion. Lines that start with # are comments: remove the # to use one.", ""]
    for key, value in given.items():
        shown = tomli_w.dumps({key: value or examples[key]}).rstrip("\n")
        lines.append(shown if value else f"# {shown}")
    asked = f'[questions]\nset = "{questions}"' if questions else '# [questions]\n# set = "duc2006"'
    lines += ["", "# What assessors are asked: a set by its name, or a table [questions.NAME] for each.", asked, _SHOWN]
    return "\n".join(lines)


_SHOWN = """
# Who wrote summaries, if their ids do not say it. kind: human, baseline or participant. A summarizer that is not
# listed is human if it wrote model summaries, else a participant. `pyramidion check` reports who is listed but has no
# output.
# [summarizers.27]
# kind = "participant"
# name = "Our system"
# organisation = "Our lab"
"""

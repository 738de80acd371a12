"""campaign.toml: the campaign's name, its summarizers, and what its assessors are asked."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import tomli_w

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Assessor, Id, Noun, Positive, Question, Summarizer, to_plain
from pyramidion.campaign.questions import QuestionSet, check_questions, complete, to_toml
from pyramidion.files import atomic_writer, guards
from pyramidion.files.opening import read_text
from pyramidion.files.problems import Place, Problems
from pyramidion.options import JudgedKind

FILE = "campaign.toml"
PROMPTS = Path(__file__).with_name("prompts")
"""Templates of prompts for judges; `init` writes them into a campaign."""
SCHEMA_FILE = "campaign.schema.json"
_PLAIN = ("name", "description", "licence", "simulated", "word_limit")
_DEEP_KEY = re.compile(rf"""(?<![\w"'-])(?:[\w"'-]+[ \t]*\.[ \t]*){{{guards.JSON_DEPTH}}}""")
"""Parts of a dotted key: `tomllib` keeps every beginning of a key, so memory grows with the square of its parts."""


class Settings(Noun, frozen=True, kw_only=True):
    """The content of campaign.toml."""

    name: str = ""
    """The name of the campaign, as reports show it."""
    description: str = ""
    """What is evaluated, in a sentence."""
    licence: str = ""
    """Under which terms the data may be used."""
    simulated: str = ""
    """What a program made up, such as "judgments"; reports say so."""
    word_limit: Positive | None = None
    """The most words of a summary; a topic's attribute `word_limit` takes its place."""
    summarizers: dict[Id, Summarizer] = msgspec.field(default_factory=dict)
    """Who wrote summaries, as tables [summarizers.ID]."""
    questions: dict[Id, Question] | tuple[Question, ...] = ()
    """What assessors are asked: as tables [questions.NAME], or as a list [[questions]] of tables with a name."""
    assessors: dict[Id, Assessor] = msgspec.field(default_factory=dict)
    """Assessors that are judges, as tables [assessors.NAME]; people need no entry."""


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
    errors_before = problems.errors
    set_name = ""
    if isinstance(raw.get("questions"), dict):
        set_name, raw["questions"] = complete(raw["questions"], problems.at(path))
    decoder = RowDecoder(Settings, path, problems)
    settings = decoder.decode_object(None, raw) or Settings()
    decoder.close()
    questions = QuestionSet(_declared(settings, problems.at(path)), set_name)
    if problems.errors > errors_before:  # then answers to the questions would be errors, too
        questions = QuestionSet()
    fields = {name: getattr(settings, name) for name in (*_PLAIN, "summarizers", "unknown")}
    digests: dict[tuple[str, JudgedKind], str] = {}
    for name, assessor in settings.assessors.items():
        _check_question(name, assessor, questions, problems.at(path))
        for kind in get_args(JudgedKind):
            digests[name, kind] = _digest_prompt(name, assessor, kind, path, problems)
    return Campaign(**fields, questions=questions, assessors=settings.assessors, prompt_digests=digests)


def digest_of_prompt(text: str) -> str:
    """What tells one prompt from another: the start of its SHA-256.

    >>> digest_of_prompt("How fluent is the summary?")
    'e9e8229992e7'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def read_prompt_template(kind: str) -> str:
    """The prompt that comes with pyramidion for a kind of request: questions, coverage or preferences."""
    return (PROMPTS / f"{kind}.txt").read_text(encoding="utf-8")


def prompt_field(kind: JudgedKind) -> str:
    """The field of an assessor that names its prompt for what it is asked.

    >>> [prompt_field(kind) for kind in ("questions", "coverage")]
    ['prompt', 'coverage_prompt']
    """
    return "prompt" if kind == "questions" else f"{kind}_prompt"


def digest_field(kind: JudgedKind) -> str:
    """The field of an assessor that has the digest of its prompt for what it is asked.

    >>> [digest_field(kind) for kind in ("questions", "coverage")]
    ['digest', 'coverage_digest']
    """
    return "digest" if kind == "questions" else f"{kind}_digest"


def _check_question(name: str, assessor: Assessor, questions: QuestionSet, at: Place) -> None:
    """Note an error where an assessor answers a question that is not declared."""
    if assessor.question and questions and questions.get(assessor.question) is None:
        expected = f"a question of campaign.toml: {', '.join(question.name for question in questions)}"
        at.error(repr(assessor.question), expected, "Correct the name.", field=f"assessors.{name}.question")


def _digest_prompt(name: str, assessor: Assessor, kind: JudgedKind, settings_path: Path, problems: Problems) -> str:
    """The digest of a declared assessor's prompt for what it is asked; empty if it has none that can be read."""
    at = problems.at(settings_path)
    field = f"assessors.{name}.{prompt_field(kind)}"
    prompt = assessor.prompt_for(kind)
    if not prompt:
        return ""
    prompt_path = settings_path.parent / prompt
    if not prompt_path.is_file():
        remedy = "Put the prompt there: signatures name its digest, so that other prompts are noticed."
        at.warning(f"{prompt}: no such file", "the file of the prompt", remedy, field=field)
        return ""
    text = read_text(prompt_path, problems)
    if text is None:
        return ""
    digest = digest_of_prompt(text)
    on_record = assessor.digest_for(kind)
    if on_record and on_record != digest:
        # The answers that are there are those of the earlier prompt.
        at.warning(
            f"the prompt {prompt} with the digest {digest}",
            f"{on_record}, with which answers were collected",
            "Give the changed prompt to a judge of another name.",
            field=field,
        )
    return digest


def _declared(settings: Settings, at: Place) -> tuple[Question, ...]:
    declared = settings.questions
    if not isinstance(declared, dict):
        check_questions({f"questions[{index}]": question for index, question in enumerate(declared)}, at)
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
    settings = _as_toml(campaign)
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    before = tomllib.loads(text)
    changed_names = [name for name in changed if name in _PLAIN]
    tops = {name: settings[name] for name in changed_names if name in settings}
    extended = _with_tops(text, tops)
    for table in ("summarizers", "assessors"):
        declared = before.get(table, {})
        new = {id: entry for id, entry in settings.get(table, {}).items() if id not in declared}
        if new:
            head = extended.rstrip("\n")
            gap = "\n\n" if extended.strip() else ""
            extended = head + gap + tomli_w.dumps({table: new})
    for id, entry in settings.get("assessors", {}).items():
        before_entry = before.get("assessors", {}).get(id)
        for field in map(digest_field, get_args(JudgedKind)):
            if before_entry is not None and field in entry and field not in before_entry:
                extended = _with_digest(extended, id, field, entry[field])
    if not _parses_as(extended, settings):
        extended = tomli_w.dumps(settings)
    with atomic_writer(path, own=True) as file:
        file.write(extended.encode())


def _with_digest(text: str, assessor: str, field: str, digest: str) -> str:
    """The text with the digest of a prompt in the entry of an assessor, be it a table or written in one line."""
    name = rf"(?:{re.escape(assessor)}|\"{re.escape(assessor)}\"|'{re.escape(assessor)}')"
    addition = f'{field} = "{digest}"'
    in_one_line = re.compile(rf"^(\s*{name}\s*=\s*\{{[^\n]*?)\s*\}}[ \t]*$", re.M)
    table = re.compile(rf"^\[assessors\.{name}\][ \t]*$", re.M)
    if table.search(text):
        return table.sub(lambda header: f"{header[0]}\n{addition}", text, count=1)
    return in_one_line.sub(lambda entry: f"{entry[1]}, {addition} }}", text, count=1)


def _with_tops(text: str, tops: Mapping[str, Any]) -> str:
    """The text with further keys before its first table: in place of a comment that shows the key, else at the end."""
    for name, value in tops.items():
        line = tomli_w.dumps({name: value}).rstrip("\n")
        shown = re.compile(rf"^# ?{name} ?=.*$", re.M)
        if shown.search(text):
            text = shown.sub(lambda _, line=line: line, text, count=1)  # type: ignore[misc]
            continue
        table = re.search(r"^\[", text, re.M)
        start = table.start() if table else len(text)
        head, tail = text[:start], text[start:]
        if head and not head.endswith("\n"):
            head += "\n"
        text = f"{head}{line}\n{tail}"
    return text


def _parses_as(text: str, settings: Mapping[str, Any]) -> bool:
    """Whether a text says the same as settings; questions are not compared, because they stay as they are."""
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    decoder = RowDecoder(Settings, Path(FILE), Problems())
    decoded = decoder.decode_object(None, {**parsed, "questions": []})
    return decoded == decoder.decode_object(None, {**settings, "questions": []})


def _as_toml(campaign: Campaign) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for key in _PLAIN:
        if value := getattr(campaign, key):
            settings[key] = value
    settings |= campaign.unknown
    if questions := to_toml(campaign.questions):
        settings["questions"] = questions
    if campaign.summarizers:
        settings["summarizers"] = {id: to_plain(summarizer) for id, summarizer in campaign.summarizers.items()}
    if campaign.assessors:
        settings["assessors"] = {id: to_plain(assessor) for id, assessor in campaign.assessors.items()}
    return settings


def new_settings(*, name: str, description: str = "", word_limit: int | None = None, questions: str = "") -> str:
    """The text of a new campaign.toml, with comments that show what can be said there."""
    values = {"name": name, "description": description, "word_limit": word_limit}
    examples = {"description": "What is evaluated, in a sentence.", "word_limit": 250}
    # Editors check the file with the schema that this line names; `start_folder` puts it next to the file.
    lines = [f"#:schema ./{SCHEMA_FILE}", ""]
    lines += ["# A campaign of pyramidion. Lines that start with # are comments: remove the # to use one.", ""]
    for key, value in values.items():
        line = tomli_w.dumps({key: value or examples[key]}).rstrip("\n")
        if not value:
            line = f"# {line}"
        lines.append(line)
    asked = '# [questions]\n# set = "duc2006"'
    if questions:
        asked = f'[questions]\nset = "{questions}"'
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

# Judges: programs among the assessors; people need no entry. The prompt is a file in this folder.
# [assessors.gpt-judge]
# kind = "judge"
# model = "gpt-4o"
# prompt = "prompts/questions.txt"
# temperature = 0
# family = "openai"
"""

"""How the command line spells the options that messages, notes and help mention as keywords of Python.

Below the command line, a text mentions an option between backticks: `with_=`, `matrix=True`, `pair=("A", "B")`, and
records of a finding as `records("difference")`. Nothing else is needed for readers in Python. The command line, and the
report, which shows commands, pass what they print through `spell_flags`.
"""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Mapping
from typing import Any

from pyramidion.options.base import Option, Options

_MENTION = re.compile(r"`(?P<name>[a-z_]+)=(?P<value>[^`]*)`|`(?P<call>(?:records|LineFiles)\([^`]*\))`")
_SAFE_WORD = re.compile(r"[\w@%+=:,./…-]+")
"""What a shell takes as it is; letters of any script."""
PARAMETERS: Mapping[str, str] = {
    "measures": "-m",
    "predictions": "--predictions",
    "references": "--references",
    "sources": "--sources",
    "into": "--into",
    "truth": "--truth",
    "assessor": "--assessor",
    "behind_proxy": "--behind-proxy",
    "database": "--database",
    "host": "--host",
    "port": "--port",
}
"""Parameters of Python functions that are no field of any options, and their flags."""


def spell_flags(text: str) -> str:
    """The text with all mentioned options as one types them on the command line.

    >>> spell_flags('name the column: `columns={"topic": "NAME"}`, or leave out `with_=`')
    'name the column: --columns topic=NAME, or leave out --with'
    >>> spell_flags('`records("difference")` lists them')
    '--show difference lists them'
    """
    if "`" not in text:
        return text
    return _MENTION.sub(_spell_mention, text)


def _spell_mention(mention: re.Match[str]) -> str:
    """What is mentioned as words of a command line; what is neither an option nor a call stays as it is."""
    name, value, call = mention["name"], mention["value"], mention["call"]
    if name is not None and name not in options_by_name() and name not in PARAMETERS:
        return mention[0]
    try:
        if call is not None:
            return _spell_call(call)
        if value in ("", "inf", "nan"):  # no value, or one that is no literal in Python
            return f"{_flag_of(name)} {value}".rstrip()
        return _spell_option(name, ast.literal_eval(value))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # data that only looks like a mention
        return mention[0]


def _spell_option(name: str, value: Any) -> str:
    """An option with its value: --name, the value, each quoted where a shell needs that."""
    option = options_by_name().get(name)
    if option is None:
        return _join_words([PARAMETERS[name], str(value)])
    return _join_words(option.arguments(option.listed(value)))


def _flag_of(name: str) -> str:
    option = options_by_name().get(name)
    return PARAMETERS[name] if option is None else option.flag


def _spell_call(text: str) -> str:
    """The flags that do what a call does: choose records, or give files of lines."""
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call):
        return text
    if call.keywords:
        values = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        return " ".join(_spell_option(name, value) for name, value in values.items())
    if not call.args:
        return "--format json"
    return f"--show {ast.literal_eval(call.args[0])}"


def _join_words(words: list[str]) -> str:
    """Words of a command line, each quoted if a shell needs that."""
    return " ".join(word if _SAFE_WORD.fullmatch(word) else shlex.quote(word) for word in words)


def option_kinds() -> list[type[Options]]:
    """Every class of options of the command line, each once."""
    kinds: list[type[Options]] = [Options]
    for kind in kinds:
        kinds += [child for child in kind.__subclasses__() if child not in kinds]
    return [kind for kind in kinds if kind.__module__.startswith("pyramidion.options.")]


@functools.cache
def options_by_name() -> Mapping[str, Option]:
    """Every option of every analysis by its keyword; where some take one value and some several, one of the latter."""
    by_name: dict[str, Option] = {}
    for kind in option_kinds():
        for option in kind.each():
            if option.name not in by_name or option.repeated:
                by_name[option.name] = option
    return by_name


def spell_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record whose explanations mention options as flags; data stays as it is."""
    for name in EXPLANATIONS:
        explanation = record.get(name)
        if isinstance(explanation, str) and "`" in explanation:
            record = {**record, name: spell_flags(explanation)}
    return record


EXPLANATIONS = ("remedy", "reason", "note", "what")
"""Fields of records that explain the others in words of ours."""

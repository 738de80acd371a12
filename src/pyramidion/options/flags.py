"""How the command line spells options: those that messages mention as keywords of Python, and those of a whole run.

Below the command line, a text mentions an option between backticks: `with_=`, `matrix=True`, `pair=("A", "B")`, and
records of a finding as `records("difference")`. Nothing else is needed for readers in Python. The command line, and the
report, which shows commands, pass what they print through `spell_flags`.
"""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from pyramidion.options.base import Option, Options

_MENTION = re.compile(r"`(?P<name>[a-z_]+)=(?P<value>[^`]*)`|`(?P<call>(?:records|LineFiles)\([^`]*\))`")
MENTION_MARK = "`"
"""What is around every mention: a text without it mentions no option."""
_SAFE_WORD = re.compile(r"[\w@%+=:,./…-]+")
"""What a shell takes as it is; letters of any script."""
_UNLIKE_MENTIONS = (LookupError, ValueError, SyntaxError, TypeError, MemoryError, RecursionError)
"""What data between backticks does that only looks like a mention."""
PARAMETERS: Mapping[str, str] = {
    "measures": "-m",
    "predictions": "--predictions",
    "references": "--references",
    "sources": "--sources",
    "into": "--into",
    "truth": "--truth",
    "assessor": "--assessor",
    "behind_proxy": "--behind-proxy",
    "tls_cert": "--tls-cert",
    "tls_key": "--tls-key",
    "passes": "--passes",
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
    # Most texts mention nothing, and some are long.
    if MENTION_MARK not in text:
        return text
    return _MENTION.sub(_spell_mention, text)


def _spell_mention(mention: re.Match[str]) -> str:
    """What is mentioned as words of a command line; what is neither an option nor a call stays as it is."""
    try:
        if mention["call"] is not None:
            return _spell_call(mention["call"])
        return _spell_option(mention["name"], mention["value"])
    except _UNLIKE_MENTIONS:
        return mention[0]


def _spell_option(name: str, written_value: str) -> str:
    """An option with its value, if it has one, as messages write it.

    Raises:
        LookupError: if there is no such option.
        ValueError: if the value is none of Python's, as are the other errors of `_UNLIKE_MENTIONS`.
    """
    option = options_by_name().get(name)
    flag = PARAMETERS[name] if option is None else option.flag
    if written_value in ("", "inf", "nan"):  # no value, or one that is no literal in Python
        return f"{flag} {written_value}".rstrip()
    value = ast.literal_eval(written_value)
    if option is None:
        return _join_words([flag, str(value)])
    return _join_words(option.arguments(option.wrap_single(value)))


def _spell_call(text: str) -> str:
    """The flags that do what a call does: choose records, or give files of lines."""
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call):
        return text
    if call.keywords:
        options = [_spell_option(str(keyword.arg), ast.unparse(keyword.value)) for keyword in call.keywords]
        return " ".join(options)
    if not call.args:
        return "--format json"
    kind = ast.literal_eval(call.args[0])
    return f"--show {kind}"


def _join_words(words: list[str]) -> str:
    """Words of a command line, each quoted if a shell needs that."""
    return " ".join(map(_quote_word, words))


def _quote_word(word: str) -> str:
    if _SAFE_WORD.fullmatch(word):
        return word
    return shlex.quote(word)


def command_line(
    verb: str,
    data: Sequence[str],
    measures: Iterable[str] = (),
    further_words: Iterable[str] = (),
    *,
    options: Options | None = None,
    choice: Options | None = None,
) -> str:
    """A command line, quoted for a shell; options with their defaults are left out.

    Args:
        verb: the command, such as "compare" or "study models".
        data: the words that name the data.
        measures: given by -m.
        further_words: further words of the command line.
        options: of the analysis.
        choice: those that all analyses share; without those that mean nothing to this one.

    >>> command_line("compare", ["my data.jsonl"], ["rouge-2.f"])
    "pyramidion compare 'my data.jsonl' -m rouge-2.f"
    """
    words = ["pyramidion", *verb.split(), *data]
    for measure in measures:
        words += ["-m", measure]
    words += further_words
    if options is not None:
        words += options.arguments()
    if choice is not None:
        words += choice.arguments(options.unused_choice if options is not None else ())
    return shlex.join(words)


def option_kinds() -> list[type[Options]]:
    """Every class of options of the command line, each once."""
    kinds: dict[type[Options], None] = {}
    waiting: list[type[Options]] = [Options]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("pyramidion.options."):  # those of a simulation are not the command line's
            kinds[kind] = None
    return list(kinds)


@functools.cache
def options_by_name() -> Mapping[str, Option]:
    """Every option of every analysis by its keyword; where some take one value and some several, one of the latter."""
    options = list(chain.from_iterable(kind.each() for kind in option_kinds()))
    by_name = {option.name: option for option in options}
    # An option that takes several values can spell one as well; the reverse would print a list as one word.
    by_name |= {option.name: option for option in options if option.is_repeated}
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

"""Everything that pyramidion raises on purpose, in one hierarchy.

A message says what was found, what was expected and what to do; the command line prints it without a
traceback and exits with the class's `exit_code`.

Messages speak Python: an option is mentioned as a keyword between backticks, such as `with_=` or `matrix=True`, and
records of a finding as `records("difference")`. The command line spells both as its flags (`options.flags`).
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Container, Iterable
from typing import Any

DISTRIBUTION = "pyramidion-eval"
"""What pip installs; `pyramidion` on PyPI is another project's."""
CLOSE = 0.6
"""How much of two names must be the same for one to be a slip of the other."""
MUCH_FARTHER = 0.15
CONSIDERED = 50
"""Names that are near enough; of these the best are suggested."""
LISTED = 40
"""Names that exist and are listed where another one was given."""


class PicklableError(Exception):
    """An exception that can be pickled, whatever its `__init__` takes.

    An error that could not reach the process that waits for it would keep that process waiting for ever.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Made again from its message and its fields, not by calling `__init__` with the message."""
        return _made_again, (type(self), self.args, self.__dict__)


def _made_again(kind: type[PicklableError], arguments: tuple[Any, ...], fields: dict[str, Any]) -> PicklableError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(fields)
    return error


class PyramidionError(PicklableError):
    """Base of all errors that a user can cause and mend."""

    exit_code = 1


class InputError(PyramidionError):
    """The data is wrong: a file, a line, a field, a text."""


class UsageError(PyramidionError):
    """The call is wrong: an unknown measure, an option that does not fit."""

    exit_code = 2


class MissingExtraError(UsageError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature}: an optional part is not installed. Run pip install '{DISTRIBUTION}[{extra}]'")


def mention(name: str, value: object) -> str:
    """An option with a value, as messages mention it: as a keyword of Python between backticks.

    >>> mention("columns", {"summary": "prediction"})
    '`columns={"summary": "prediction"}`'
    """
    return f"`{name}={_literal(value)}`"


def mention_call(name: str, *arguments: object, **keywords: object) -> str:
    """A call, as messages mention it.

    >>> mention_call("records", "difference")
    '`records("difference")`'
    """
    words = [*map(_literal, arguments), *(f"{keyword}={_literal(value)}" for keyword, value in keywords.items())]
    return f"`{name}({', '.join(words)})`"


def _literal(value: object) -> str:
    """A value as one writes it in Python; a backtick, which would end the mention, as its number."""
    if isinstance(value, dict):
        pairs = [f"{_literal(key)}: {_literal(part)}" for key, part in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    if isinstance(value, tuple):
        comma = "," if len(value) == 1 else ""
        return "(" + ", ".join(map(_literal, value)) + comma + ")"
    if isinstance(value, bool | int | float) or value is None:
        return repr(value)
    return json.dumps(str(value), ensure_ascii=False).replace("`", r"\u0060")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a clause about an unknown name: `; did you mean …?` with what comes near, or `;`."""
    near = close_to(name, names)
    if not near:
        return ";"
    return f"; did you mean {' or '.join(near)}?"


def close_to(name: str, names: Iterable[str]) -> list[str]:
    """Up to three names that may have been meant, the nearest first; none that is much farther off than the nearest.

    Of names that are equally near, those that begin with the given one come first.
    """
    lower_name = name.lower()
    names_by_lower = {candidate.lower(): candidate for candidate in names}
    near = difflib.get_close_matches(lower_name, names_by_lower, n=CONSIDERED, cutoff=CLOSE)
    ratios = {candidate: difflib.SequenceMatcher(None, candidate, lower_name).ratio() for candidate in near}
    near.sort(key=lambda candidate: (-ratios[candidate], not candidate.startswith(lower_name)))
    least_ratio = max(ratios.values(), default=0.0) - MUCH_FARTHER
    return [names_by_lower[candidate] for candidate in near[:3] if ratios[candidate] > least_ratio]


def check_known(name: str, names: Iterable[str], message: str) -> None:
    """Refuse a name that is not among those that exist: the message, a suggestion, and all of them.

    Raises:
        UsageError: if it is none of them.
    """
    if isinstance(names, Container) and name in names:
        return  # without a look at all names: a campaign's topics are asked for one by one
    existing = list(dict.fromkeys(names))
    if name in existing:
        return
    listed = ", ".join(existing[:LISTED]) or "none"
    if len(existing) > LISTED:
        listed += f" and {len(existing) - LISTED:,} more"
    raise UsageError(f"{message}{did_you_mean(name, existing)} there are: {listed}")

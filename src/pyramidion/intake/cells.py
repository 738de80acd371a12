"""What a cell of a table holds: nothing, a number, an id, a text or several."""

from __future__ import annotations

import ast
import io
import json
import math
import re
import tokenize
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import Any

from pyramidion.files import guards
from pyramidion.files.problems import Place, shorten

MISSING = frozenset({"", "na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "<na>", "-", "–", "—"})
"""What a cell without a number may say."""
LONGEST_ID = guards.ID_CHARACTERS
"""Characters of an id: what is longer is a text in the wrong column, and each table would repeat it."""
_LONGEST_WHOLE = 300
"""Characters of a whole number that is written as text: a longer one is read as a decimal."""
_WHOLE = re.compile(r"-?\d+")
_WHOLE_AS_DECIMAL = re.compile(r"-?\d+\.0+")
_NEARLY = 0.8
"""The share of numbers in a column of numbers with slips, at least."""
_ODD_TYPES = (bool, list, tuple, Mapping)
"""Values that can be no ids."""
_MISSING_TYPES = ("NAType", "NaTType")
"""The types of missing values in pandas, which need not be installed."""


def is_missing(cell: Any) -> bool:
    """Whether a cell of a data frame or of JSON has no value: null, NaN, pandas' NA and NaT."""
    if cell is None:
        return True
    if isinstance(cell, float):
        return math.isnan(cell)
    return type(cell).__name__ in _MISSING_TYPES


def is_blank(cell: Any) -> bool:
    """Whether a cell holds a text without a visible character."""
    return isinstance(cell, str) and not cell.strip()


def lacks_number(cell: Any) -> bool:
    """Whether a cell that should have a number is empty, or says that there is none."""
    if isinstance(cell, str):
        return cell.strip().lower() in MISSING
    return is_missing(cell)


def number_of(cell: Any) -> float | None:
    """The number in a cell; None if it is missing, or not a number."""
    if isinstance(cell, bool | int | float | Decimal):
        return _as_float(cell)
    if not isinstance(cell, str):
        return None
    text = cell.strip()
    # float() takes "1_000", which is an id or a name in a table, and "nan", which is no number there.
    if "_" in text or text.lower() in MISSING:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _as_float(number: float | Decimal) -> float:
    try:
        return float(number)
    # Integers of Python, as JSON may hold them, can be larger than any float.
    except OverflowError:
        return math.inf


def parse_number(cell: Any) -> Any:
    """A number that is written as text, as a number; whole ones as such. Any other cell as it is."""
    if not isinstance(cell, str):
        return cell
    number = number_of(cell)
    if number is None:
        return cell
    digits = cell.strip().lstrip("+-")
    # int() refuses texts of more than 4,300 digits (sys.set_int_max_str_digits), and takes time for long ones.
    if digits.isdigit() and len(cell) < _LONGEST_WHOLE:
        return int(cell)
    return number


def are_numbers(cells: Iterable[Any]) -> bool:
    """Whether cells hold numbers, and nothing else but missing values."""
    values = [cell for cell in cells if not lacks_number(cell)]
    if not values:
        return False
    return all(number_of(value) is not None for value in values)


def are_nearly_numbers(cells: Iterable[Any]) -> bool:
    """Whether cells hold numbers but for some slips, such as the error message of a request: one in five at most."""
    values = [cell for cell in cells if not lacks_number(cell)]
    if not values:
        return False
    number_count = sum(number_of(value) is not None for value in values)
    return number_count >= _NEARLY * len(values)


def are_texts(cells: Iterable[Any]) -> bool:
    """Whether cells hold words, or lists or objects of them: half of them at least are no numbers."""
    present = [cell for cell in cells if not is_missing(cell)]
    values = [cell for cell in present if not is_blank(cell)]
    if not values:
        return False
    number_count = sum(number_of(value) is not None for value in values)
    # A column of texts may hold some that are only a number, such as a year.
    return 2 * number_count <= len(values)


def as_id(cell: Any, *, integral: bool = False) -> Any:
    """An id as text: 1 and 1.0 are "1"; what can be no id, such as 1.5, stays as it is.

    Args:
        cell: the cell.
        integral: whether the texts of the column are whole numbers that became decimals, as in data frames with
            holes: then "1.0" is "1", too.
    """
    if isinstance(cell, bool) or is_missing(cell):
        return cell
    if isinstance(cell, int):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not integral or not isinstance(cell, str):
        return cell
    text = cell.strip()
    if _WHOLE_AS_DECIMAL.fullmatch(text):
        return text.partition(".")[0]
    return cell


def are_integral(cells: Iterable[Any]) -> bool:
    """Whether the texts among the cells are whole numbers that became decimals, all of them: "1.0", "2.0"."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    others = [text for text in texts if not _WHOLE.fullmatch(text)]
    if not others:
        return False
    return all(map(_WHOLE_AS_DECIMAL.fullmatch, others))


def is_odd_id(cell: Any) -> bool:
    """Whether a cell holds what can be no id: a list, an object, true or false, or a number with a fraction."""
    if not isinstance(cell, float):
        return isinstance(cell, _ODD_TYPES)
    if math.isnan(cell):  # a missing id, not an odd one
        return False
    return not cell.is_integer()


def note_odd_id(at: Place, field: str, role: str, shown: Any) -> None:
    """Note as an error that a row has no proper id.

    Args:
        at: the row.
        field: the column.
        role: what the column holds: the topic, the summarizer or the assessor.
        shown: the cell.
    """
    remedy = "Correct the cell: an id is a text or a whole number."
    at.error(shorten(shown), f"the {role}", remedy, field=field)


def note_long_id(at: Place, field: str, start: str, length: int) -> None:
    """Note as an error that an id is too long.

    Args:
        at: the row.
        field: what the file calls the id.
        start: its first characters, or all of it.
        length: how many there are.
    """
    at.error(
        f"{length:,} characters: {shorten(start)}",
        f"an id of {LONGEST_ID:,} characters at most",
        "This looks like a text, not an id: choose the column with `columns=`, or shorten the id.",
        field=field,
    )


def note_alike_systems(names: Iterable[Any], at: Place, *, field: str) -> None:
    """Warn of systems whose names differ in blanks only: they are most likely one, and are counted as two.

    Args:
        names: of systems.
        at: the file.
        field: the column.
    """
    by_stripped: dict[str, set[str]] = {}
    for name in names:
        if isinstance(name, str):
            by_stripped.setdefault(name.strip(), set()).add(name)
    for alike in by_stripped.values():
        if len(alike) > 1:
            shown = " and ".join(map(repr, sorted(alike)))
            at.at(1).warning(
                f"the systems {shown}, which differ in blanks only",
                "one name for each system",
                "They count as two. Remove the blanks if they are one.",
                field=field,
            )


def keys_of(rows: Iterable[Iterable[str]]) -> list[str]:
    """All keys of the rows, in order of appearance."""
    return list(dict.fromkeys(str(key) for key in chain.from_iterable(rows)))


def as_json(cell: Any) -> Any:
    """A cell as JSON would have it: no key without a value, dates as strings, arrays as lists."""
    if cell is None or isinstance(cell, str | int | float):
        return cell
    value = _as_list(cell)
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value


def _as_list(cell: Any) -> Any:
    """An array of numpy as a list, or a number of numpy as one of Python; any other cell as it is."""
    if hasattr(cell, "tolist"):
        return cell.tolist()
    return cell


def text_of(cell: Any) -> str:
    """The words of a cell, those in a list or an object included."""
    if isinstance(cell, str):
        return cell
    value = _as_list(cell)
    items: Iterable[Any] = ()
    if isinstance(value, Mapping):
        items = value.values()
    elif isinstance(value, list | tuple):
        items = value
    # Of an object, such as a message of a chat, its strings; what is nested more deeply is left out.
    texts = [item for item in items if isinstance(item, str)]
    return " ".join(texts) or shorten(value)


def split_texts(text: str) -> list[str]:
    """The texts of a cell: those of a list as JSON, Python or numpy writes it, else the text itself."""
    stripped = text.strip()
    is_bracketed = stripped.startswith("[") and stripped.endswith("]")
    if not is_bracketed:
        return [text]
    try:
        # JSON first, which is strict; then what str() of a list in Python or of an array prints.
        items = json.loads(stripped)
    except (ValueError, RecursionError):
        items = _parse_strings(stripped)
    if not items:  # no list, or an empty one
        return [text]
    if all(isinstance(item, str) for item in items):
        return list(items)
    return [text]


def _parse_strings(text: str) -> list[Any] | None:
    """The strings of a list in Python's notation, with commas or, as numpy writes it, without; None if it is none."""
    strings: list[Any] = []
    try:
        # Not ast.literal_eval of the whole: numpy prints arrays without commas, where Python would join the strings
        # into one.
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                strings.append(ast.literal_eval(token.string))
            elif token.string.strip() not in ("", "[", "]", ","):
                return None
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError, MemoryError):
        return None
    return strings

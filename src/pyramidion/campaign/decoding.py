"""Decoding: from a line of JSON, or a row of a table, to a noun, with every problem of the line.

The fast path is one msgspec call, and a second one that shows whether the line is as we write it. Only when that fails,
and a key may occur twice, the line is taken apart, so that all of its problems are found and unknown fields are kept.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeGuard, TypeVar, Union, get_args, get_origin

import msgspec

from pyramidion.campaign.nouns import UNKNOWN_KEY, Noun, Text, fields_of, plain
from pyramidion.files import guards
from pyramidion.files.opening import decode_utf8
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import LONGEST_ID, note_long_id

N = TypeVar("N", bound=Noun)
AnyNoun = TypeVar("AnyNoun", bound=Noun)

MANY_KEYS = 40
"""Keys that a message lists."""
_ENCODER = msgspec.json.Encoder()
_UNKNOWN = UNKNOWN_KEY.encode()
_HUGE_DIGITS = 309
_HUGE = re.compile(rb"[0-9]{%d}" % _HUGE_DIGITS)
"""Digits of the smallest whole numbers that no float can hold."""
ESCAPED_KEY = re.compile(rb"\\u00(?:[67]|2[89]|5[fF])")
"""A letter, parenthesis or underscore written as an escape: the only way to hide one of our keys."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {
    str: ("a string", "strings"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    bool: ("true or false", "true or false"),
    type(None): ("null", "null"),
    dict: ("an object {…}", "objects {…}"),
    list: ("a list", "lists"),
}


class RowDecoder(Generic[N]):
    """Decodes the rows of one file into one kind of noun; `close` notes which unknown keys they had.

    Rows that are objects but have errors are added to `broken`.

    Args:
        noun: what a row is.
        path: the file, for messages.
        problems: where problems are noted.
        broken: collects rows that are objects but have errors.
        called: what the file calls fields that it names differently, for messages.
    """

    def __init__(
        self,
        noun: type[N],
        path: Path,
        problems: Problems,
        *,
        broken: list[dict[str, Any]] | None = None,
        called: Mapping[str, str] | None = None,
    ) -> None:
        self.noun = noun
        self.file: Place = problems.at(path)
        self.broken = broken
        self.called: Mapping[str, str] = called or {}
        self._rows = 0
        self._missing: dict[str, list[int | None]] = {}
        """Of each required key that no row had so far: the rows, which may turn out to be all."""
        self._had: set[str] = set()
        """Required keys that some row had."""
        self._keys: dict[str, None] = {}
        """The keys of rows that lack one, for messages."""
        self._place = self.file
        """The row that is being decoded."""
        self._unknown: dict[tuple[type[Noun], str], tuple[Place, str, int]] = {}
        """Of each unknown key: where it first occurs, and how often, so that a million rows give one warning."""
        self._fast = msgspec.json.Decoder(noun)
        # json, not msgspec: only it shows that a key occurs twice.
        self._thorough = json.JSONDecoder(object_pairs_hook=self._object)
        self._repeated: list[str] = []
        self._quoted_keys = [f'"{key}"'.encode() for key in fields_of(noun)]
        self._required = [key for key, field in fields_of(noun).items() if field.required]

    def decode_line(self, number: int, line: bytes) -> N | None:
        """The noun on this line, or None when it has errors (all of them are noted)."""
        noun = self.decode_quickly(line)
        if noun is not None:
            return noun
        raw = self.parse_line(number, line)
        if raw is None:
            return None
        return self.decode_object(number, raw)

    def decode_quickly(self, line: bytes) -> N | None:
        """The noun on a line that has nothing to look at twice; else None."""
        try:
            noun = self._fast.decode(line)
        except (ValueError, RecursionError):  # msgspec's errors and wrong UTF-8 are ValueErrors
            return None
        # One more call of msgspec: a line that comes out the same holds nothing unusual.
        if not self._is_as_we_write(noun, line) and not self._is_plain(noun, line):
            return None
        self._rows += 1
        if len(self._had) < len(self._required):
            self._note_had(self._required)
        return noun

    def parse_line(self, number: int, line: bytes) -> dict[str, Any] | None:
        """The object on this line as it is, or None when it is none (which is noted)."""
        text = decode_utf8(line, Path(self.file.file), number, self.file.problems)
        if text is None:
            return None
        return self._parse(number, text)

    def decode_object(self, number: int | None, raw: Any) -> N | None:
        """The noun of a row that is already a dictionary (Parquet, TOML); None, with a problem, if it is none."""
        self._place = self.file.at(number)
        self._rows += 1
        noun = self._quickly(raw) or self._in_detail(self.noun, raw, "")
        if noun is None and self.broken is not None and isinstance(raw, dict):
            self.broken.append(raw)
        return noun

    def close(self) -> None:
        """Note the unknown keys, each once with the number of times it was found, and the required ones that lack."""
        # Only at the end is it clear whether a key lacks everywhere (it has another name) or here and there.
        for key, lines in self._missing.items():
            self._note_missing(key, lines, all_of_them=1 < len(lines) == self._rows)
        self._missing.clear()
        for (noun, _), (place, at, count) in self._unknown.items():
            note_unknown_key(place, noun, at, count)
        self._unknown.clear()

    def _note_had(self, keys: Iterable[str]) -> None:
        """A row has these keys: those before it that lack one have an error each."""
        for key in keys:
            if key in self._had:
                continue
            self._had.add(key)
            lines_before = self._missing.pop(key, [])
            self._note_missing(key, lines_before)

    def _note_missing(self, key: str, lines: list[int | None], *, all_of_them: bool = False) -> None:
        """A key that some rows lack is an error in each of them; one that all lack is a single one."""
        expected = _describe(fields_of(self.noun)[key].type)
        field = self.called.get(key, key)
        if all_of_them:
            keys = ", ".join(self._keys) or "none"
            found = f"no such key in any of the {self._rows:,} rows; their keys: {keys}"
            self.file.at(lines[0]).error(found, expected, "Rename the key, or add it.", field=field, count=len(lines))
            return
        for line in lines:
            self.file.at(line).error("no such key", expected, "Add the missing key.", field=field)

    def _is_as_we_write(self, noun: N, line: bytes) -> bool:
        """Whether the line is what we would write for the noun: then no key is there twice, and nothing is odd.

        Only a whole number may still be too large for a float.
        """
        if _ENCODER.encode(noun) != line or _UNKNOWN in line:
            return False
        if len(line) < _HUGE_DIGITS:
            return True
        return not _HUGE.search(line)

    def _is_plain(self, noun: N, line: bytes) -> bool:
        """Whether a line says what the decoder made of it: no key twice, and no number that is not finite."""
        if self._may_repeat_a_key(line):
            return False
        seconds = getattr(noun, "seconds", None) or 0
        return finite(getattr(noun, "value", 0)) and finite(seconds)

    def _may_repeat_a_key(self, line: bytes) -> bool:
        """Whether an object on the line may have a key twice, of which the decoder keeps the last."""
        # Keys of inner objects may have the names of ours: counting quotes no longer tells.
        has_objects_within = line.count(b"{") > 1
        if has_objects_within or _UNKNOWN in line:
            return True
        if b"\\u00" in line and ESCAPED_KEY.search(line):
            return True
        for key in self._quoted_keys:  # noqa: SIM110  a plain loop: this runs for every line
            if line.count(key) > 1:
                return True
        return False

    def _parse(self, number: int, text: str) -> dict[str, Any] | None:
        """The object in the text of a line; None, and an error, if there is none or it has a key twice."""
        self._repeated.clear()
        try:
            raw = self._thorough.decode(text)
        except json.JSONDecodeError as error:
            what = error.msg.removesuffix(" at")  # some of these messages end so
            near = shorten(text[max(error.pos - 10, 0) : error.pos + 20])
            found = f"{what} at column {error.colno}: {near}"
        except RecursionError:
            found = "a value nested too deeply"
        except ValueError:  # Python reads no whole number of more than 4300 digits
            found = "a whole number of thousands of digits"
        else:
            for key in dict.fromkeys(self._repeated):
                again = "the key more than once in one object"
                self.file.at(number).error(again, "each key once", "Keep one of them.", field=key)
            if isinstance(raw, dict):
                return None if self._repeated else raw
            found = shorten(raw)
        expected = "one JSON object {…} on the line"
        self.file.at(number).error(found, expected, "Correct or remove the line; lines end in LF.")
        return None

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object of the line; keys that it has more than once are remembered."""
        decoded = dict(pairs)
        if len(decoded) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            self._repeated += [key for key, count in counts.items() if count > 1]
        return decoded

    def _quickly(self, raw: Any) -> N | None:
        """The noun of a row without errors, unknown keys at most at its top; else None."""
        if not isinstance(raw, dict) or not _is_sound(raw):
            return None
        fields = fields_of(self.noun)
        unknown = {key: value for key, value in raw.items() if key not in fields}
        content = raw
        if unknown:
            content = {key: value for key, value in raw.items() if key in fields}
        try:
            decoded = msgspec.convert(content, self.noun)
        except msgspec.ValidationError:
            return None
        if not unknown:
            return decoded
        for key in unknown:
            self._add_unknown(self.noun, key, key)
        return msgspec.structs.replace(decoded, unknown=unknown)

    def _in_detail(self, noun: type[AnyNoun], raw: Any, at: str) -> AnyNoun | None:
        """The noun, or None and every reason why not; `at` is the path to it, with its full stop."""
        if not isinstance(raw, dict):
            self._place.error(shorten(raw), "an object {…}", "Correct the value.", field=at.rstrip("."))
            return None
        before = self._place.problems.errors
        fields = fields_of(noun)
        values: dict[str, Any] = {}
        is_complete = True
        is_row = not at
        names_in_file = self.called if is_row else {}
        if is_row and len(self._had) < len(self._required):
            self._note_had(key for key in self._required if key in raw)
        for key, field in fields.items():
            path = f"{at}{names_in_file.get(key, key)}"
            if key in raw:
                values[field.name] = self._value(field.type, raw[key], path)
                continue
            if not field.required:
                continue
            is_complete = False
            if is_row and key not in self._had:  # it will be clear later whether all rows lack it
                self._remember_missing(key, raw)
            else:
                self._place.error("no such key", _describe(field.type), "Add the missing key.", field=path)
        unknown = {key: value for key, value in raw.items() if key not in fields}
        for key, value in unknown.items():
            if self._has_no_faults({key: value}, at):
                self._add_unknown(noun, key, f"{at}{key}")
        has_errors = self._place.problems.errors > before
        if has_errors or not is_complete:
            return None
        return noun(**values, unknown=unknown)

    def _remember_missing(self, key: str, raw: Mapping[str, Any]) -> None:
        """The row lacks a key that no row has had so far."""
        self._missing.setdefault(key, []).append(self._place.line)
        if len(self._keys) < MANY_KEYS:
            self._keys.update(dict.fromkeys(map(str, raw)))

    def _add_unknown(self, noun: type[Noun], key: str, at: str) -> None:
        """Count an unknown key, and remember where it first occurs."""
        first, first_at, count = self._unknown.get((noun, key), (self._place, at, 0))
        if (self._place.line or 0) < (first.line or 0):  # rows of a folder in parts come in another order
            first, first_at = self._place, at
        self._unknown[noun, key] = (first, first_at, count + 1)

    def _value(self, kind: Any, value: Any, at: str) -> Any:
        """The value of a field, decoded by the first of its types that has the same shape: noun, object or list."""
        is_object = isinstance(value, dict)
        is_list = isinstance(value, list | tuple)
        for option in _options(kind):
            if is_object and _is_noun(option):
                return self._in_detail(option, value, f"{at}.")
            if is_object and get_origin(option) is dict:
                return self._values_by_key(option, value, at)
            if is_list and _is_list(option):
                items_kind = get_args(option)[0]
                return tuple(self._value(items_kind, item, f"{at}[{index}]") for index, item in enumerate(value))
        return self._leaf(kind, value, at)

    def _values_by_key(self, kind: Any, raw: Mapping[str, Any], at: str) -> dict[Any, Any]:
        """An object whose keys are data, such as names of summarizers."""
        key_kind, value_kind = get_args(kind)
        values: dict[Any, Any] = {}
        for key, item in raw.items():
            decoded_key = self._leaf(key_kind, key, f"{at} (a key)")
            values[decoded_key] = self._value(value_kind, item, f"{at}.{key}")
        return values

    def _leaf(self, kind: Any, value: Any, at: str) -> Any:
        """A value without parts, such as a number; None, and an error, if it is of another type."""
        if not self._has_no_faults(value, at):
            return None
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError:
            pass
        is_long = isinstance(value, str) and len(value) > LONGEST_ID
        if is_long and _is_id(kind):
            note_long_id(self._place, at, value, len(value))
        else:
            self._place.error(shorten(value), _describe(kind), _remedy(kind, value), field=at)
        return None

    def _has_no_faults(self, value: Any, at: str) -> bool:
        """Whether a value holds nothing that no field may hold; else each fault is an error."""
        faults = list(_faults(value, at))
        for field, *fault in faults:
            self._place.error(*fault, field=field)
        return not faults


def note_unknown_key(place: Place, noun: type[Noun], key: str, count: int) -> None:
    """Warn of a key that nothing uses.

    Args:
        place: where it first occurs.
        noun: what the rows are.
        key: the path to it.
        count: how often it occurs.
    """
    found = "an unknown key" if count == 1 else f"an unknown key, {count} times"
    expected = f"one of {', '.join(fields_of(noun))}"
    place.warning(found, expected, "It was kept, but nothing uses it.", field=key, count=count)


def has_repeated_key(line: bytes) -> bool:
    """Whether an object on a line of JSON has a key twice; what is no JSON has none."""
    repeats = False

    def compare(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeats
        decoded = dict(pairs)
        repeats = repeats or len(decoded) < len(pairs)
        return decoded

    try:
        json.loads(line, object_pairs_hook=compare)
    except (ValueError, RecursionError):
        return False
    return repeats


def finite(value: float) -> bool:
    """Whether the number is one that arithmetic in floats can hold."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_sound(value: Any, depth: int = 0) -> bool:
    """Whether `_faults` would find nothing: the same questions, asked quickly; a False may be too strict."""
    if isinstance(value, str):
        return value.isascii() or not _SURROGATE.search(value)
    if isinstance(value, dict):
        if UNKNOWN_KEY in value:  # legal, but msgspec would treat it as our own field
            return False
        items: Iterable[Any] = itertools.chain(value, value.values())
    elif isinstance(value, list | tuple):
        items = value
    else:
        return not isinstance(value, int | float) or finite(value)
    if depth > guards.JSON_DEPTH:
        return False
    for item in items:  # noqa: SIM110  a plain loop: this runs for every value
        if not _is_sound(item, depth + 1):
            return False
    return True


def _faults(value: Any, at: str, depth: int = 0) -> Iterator[tuple[str, str, str, str]]:
    """What no field may hold: numbers that are not finite, broken Unicode, endless nesting."""
    if isinstance(value, str):
        if _SURROGATE.search(value):
            yield at, "half of a surrogate pair", "valid Unicode", "Write the character whole."
        return
    if isinstance(value, int | float):
        if not finite(value):
            yield at, f"the number {shorten(value, 30)}", "a finite number", "Leave it out when there is no value."
        return
    if not isinstance(value, dict | list | tuple):
        return
    if depth > guards.JSON_DEPTH:
        yield at, "a value nested too deeply", f"at most {guards.JSON_DEPTH} levels", "Flatten the value."
        return
    if isinstance(value, dict):
        prefix = at
        if at and not at.endswith("."):
            prefix = f"{at}."
        for key, item in value.items():
            yield from _faults(key, f"{prefix}{key}", depth + 1)
            yield from _faults(item, f"{prefix}{key}", depth + 1)
        return
    for index, item in enumerate(value):
        yield from _faults(item, f"{at}[{index}]", depth + 1)


def _remedy(kind: Any, value: Any) -> str:
    """What to do about a value of another type than the field has."""
    if value is None:
        return "Leave the key out when there is no value."
    expected = _describe(kind)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and expected.startswith("a string"):
        return f'Put it in quotes: "{shorten(value, 20)}".'
    if isinstance(value, str) and expected in ("a number", "a whole number"):
        return "Write a number, without quotes."
    return "Correct the value."


def _options(kind: Any) -> tuple[Any, ...]:
    """The members of a union, or the type alone."""
    is_union = get_origin(kind) in (Union, types.UnionType)
    if is_union:
        return get_args(kind)
    return (kind,)


def _is_list(kind: Any) -> bool:
    """Whether the type is that of lists of any length, which are tuples here."""
    return get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis


def _is_id(kind: Any) -> bool:
    """Whether the type is that of ids, which have a longest."""
    return get_origin(kind) is Annotated and get_args(kind)[1].max_length is not None


def _is_noun(kind: Any) -> TypeGuard[type[Noun]]:
    """Whether the type is one of our nouns."""
    return isinstance(kind, type) and issubclass(kind, Noun)


def _describe(kind: Any, *, many: bool = False) -> str:
    """A type in words, in the singular or (`many`) the plural."""
    options = _options(kind)
    if len(options) > 1:
        return _describe_union(options, many=many)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if origin is Annotated:
        return _describe(arguments[0], many=many) + _describe_rule(arguments[1])
    if origin is tuple:
        container = "list" if _is_list(kind) else "pair"
        containers = f"{container}s" if many else f"a {container}"
        return f"{containers} of {_describe(arguments[0], many=True)}"
    if _is_noun(kind):
        return _WORDS[dict][many]
    return _WORDS[origin or kind][many]


def _describe_union(options: Iterable[Any], *, many: bool) -> str:
    """Types of which a value may have any, in words; whole numbers go without saying where there are numbers."""
    number, whole_number = _WORDS[float][many], _WORDS[int][many]
    described = dict.fromkeys(_describe(option, many=many) for option in options)
    for words in list(described):
        if words.startswith(number):
            described.pop(words.replace(number, whole_number), None)
    described.pop("null", None)
    return " or ".join(described)


def _describe_rule(rule: msgspec.Meta) -> str:
    """What values must be besides their type, in words."""
    if rule.min_length:
        return " that is not empty"
    if rule.ge is not None:
        return f" of at least {rule.ge}"
    return ""


def note_empty_text(at: Place, text: Text, field: str = "text") -> None:
    """An empty text is legal, but worth a warning."""
    if not plain(text).strip():
        remedy = "It is scored as it is; leave the row out if the summary is missing."
        at.warning("an empty text", "some words", remedy, field=field)

"""From rows as people have them to rows of the flat form: which column is what, and what its cells mean."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pyramidion.errors import UsageError, did_you_mean
from pyramidion.files.problems import Place
from pyramidion.intake.asking import ask_for_summaries
from pyramidion.intake.looks import Looks, to_type
from pyramidion.intake.roles import (
    OF_SCORES,
    TOGETHER,
    Role,
    are_integral,
    as_id,
    candidates,
    check_roles,
    holds_numbers,
    holds_texts,
    is_bookkeeping,
    is_index,
    is_missing,
    keys_of,
    lacks_number,
    names_systems,
    number_of,
    numbered,
    plain_name,
)
from pyramidion.intake.rows import columns_of
from pyramidion.intake.wide import split_by_system

OWN = ("topic", "summarizer", "summary", "references", "documents", "judgments", "scores", "simulated")
"""The keys of the flat form."""
_AS_IT_IS = ("judgments", "scores", "simulated")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which column of a table is what."""

    topic: str | None = "topic"
    """None: rows are numbered."""
    summarizer: str | None = "summarizer"
    """None: all rows are of one summarizer, `named`."""
    summary: str = "summary"
    """Nothing: the table only adds references or documents to the summaries of others."""
    systems: tuple[str, ...] = ()
    """Columns of summaries, each of the system that it is called after, if there are several."""
    references: tuple[str, ...] = ("references",)
    documents: tuple[str, ...] = ("documents",)
    scores: tuple[str, ...] = ()
    judgments: tuple[str, ...] = ()
    """Columns of numbers: each is a question."""
    by_system: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """If several columns hold summaries: by system, its columns of numbers, each with what it measures."""
    measured: Mapping[str, str] = field(default_factory=dict)
    """By column of numbers, what it measures, where that is not its name."""
    named: str = ""
    others: tuple[str, ...] = ()
    """Columns that nothing uses."""
    integral: frozenset[str] = frozenset()
    """Columns of ids that are whole numbers, but written as decimals."""
    texts: bool = False
    """Whether all cells are text, as in CSV: an empty one is then no reference and no document."""

    @property
    def is_own(self) -> bool:
        """Whether the rows are the flat form itself: nothing has to be renamed, and unknown keys are kept."""
        renamed = (self.topic, self.summarizer, self.summary, self.references, self.documents)
        own = Columns()
        return not self.texts and renamed == (own.topic, own.summarizer, own.summary, own.references, own.documents)

    @property
    def is_plain(self) -> bool:
        """Whether rows can be decoded as they are: our own form, without columns of scores."""
        return self.is_own and not (self.scores or self.judgments or self.integral)

    @property
    def called(self) -> Mapping[str, str]:
        """What the file calls the fields of our own form, where it has one column for them, for messages."""
        held = {"topic": self.topic, "summarizer": self.summarizer, "summary": self.summary}
        held |= {role: columns[0] for role in ("references", "documents") if len(columns := getattr(self, role)) == 1}
        return {role: column for role, column in held.items() if column and column != role}

    def understood(self, name: str) -> str:
        """One line that says what was found where; nothing if the rows are in our own form."""
        if self.is_plain:
            return ""
        parts = [
            f"topic = {self.topic}" if self.topic else "topic = number of the row",
            *([] if self.systems or not self.summary else [self._whose()]),
            f"a system per column: {', '.join(self.systems)}"
            if self.systems
            else (f"summary = {self.summary}" if self.summary else "no summaries"),
            *(f"{role} = {', '.join(held)}" for role in ("references", "documents") if (held := getattr(self, role))),
            *(f"{role}: {self._measures(held)}" for role in ("judgments", "scores") if (held := getattr(self, role))),
        ]
        if not self.references:
            parts.append("no references")
        if self.others:
            parts.append(f"not used: {', '.join(self.others)}")
        return f"{name}: {'; '.join(parts)}"

    def _whose(self) -> str:
        return f"summarizer = {self.summarizer}" if self.summarizer else f"one summarizer, {self.named!r}"

    def _measures(self, columns: Sequence[str]) -> str:
        """The columns of numbers; if each is of one system, by what they measure: `fluency (fluency_A, fluency_B)`."""
        measured = {column: measure for held in self.by_system.values() for column, measure in held.items()}
        if not measured:
            return ", ".join(columns)
        together: dict[str, list[str]] = {}
        for column in columns:
            together.setdefault(measured[column], []).append(column)
        return ", ".join(f"{measure} ({', '.join(held)})" for measure, held in together.items())

    def each(self) -> list[Columns]:
        """The columns of each system, if each has a column of its own; else these."""
        return [self._of_system(name) for name in self.systems] or [self]

    def _of_system(self, system: str) -> Columns:
        measured = self.by_system.get(system, {})
        return replace(
            self,
            summary=system,
            named=system,
            systems=(),
            by_system={},
            measured=measured,
            scores=tuple(column for column in self.scores if column in measured),
            judgments=tuple(column for column in self.judgments if column in measured),
        )

    def row(self, raw: Mapping[str, Any], number: int) -> dict[str, Any]:
        """The row in our own form; what can't be used is left for the decoder to refuse.

        Args:
            raw: the row as JSON has it.
            number: the topic, if no column holds one.
        """
        if self.is_own:
            apart = {*self.scores, *self.judgments}
            row = {
                str(key): value
                for key, value in raw.items()
                if key not in apart and (key == "summary" or key not in OWN or not is_missing(value))
            }
        else:
            row = {key: raw[key] for key in _AS_IT_IS if not is_missing(raw.get(key))}
            if not self.summary:
                row["summary"] = None
            elif self.summary in raw:
                row["summary"] = raw[self.summary]
            for role, columns in (("references", self.references), ("documents", self.documents)):
                held = [text for column in columns for text in self._texts(raw.get(column))]
                if held:
                    row[role] = held
        self._add_ids(row, raw, number)
        for role in ("references", "documents"):
            if isinstance(row.get(role), str | dict):
                row[role] = [row[role]]
        if is_missing(row.get("summary", "")):
            row["summary"] = None
        for role in ("judgments", "scores"):
            found = {self.measured.get(column, column): raw.get(column) for column in getattr(self, role)}
            numbers = {measure: _number(value) for measure, value in found.items() if not lacks_number(value)}
            if numbers:
                row[role] = {**_object(row.get(role)), **numbers}
        if "judgments" in row:
            row["judgments"] = without_missing(row["judgments"])
        if "scores" in row:
            row["scores"] = without_missing(row["scores"])
        return row

    def _add_ids(self, row: dict[str, Any], raw: Mapping[str, Any], number: int) -> None:
        for role, column, otherwise in (
            ("topic", self.topic, str(number)),
            ("summarizer", self.summarizer, self.named),
        ):
            if column is None:
                row[role] = otherwise
            elif column in raw:
                row[role] = as_id(raw[column], integral=column in self.integral)
                if is_missing(row[role]):
                    del row[role]

    def _texts(self, value: Any) -> list[Any]:
        """The texts in a cell: one, or a list of them."""
        if is_missing(value) or (self.texts and not str(value).strip()):
            return []
        if isinstance(value, str):
            return _listed(value) if self.texts or value.startswith("[") else [value]
        return list(value) if isinstance(value, list | tuple) else [value]


def find_columns(
    sample: Sequence[Mapping[str, Any]],
    given: Mapping[str, str],
    at: Place,
    *,
    named: str,
    texts: bool = False,
    lines: bool = False,
    completes: bool = False,
) -> Columns | None:
    """What the columns are, from their names and their first rows; None (and one error) if no column has summaries.

    A remark says what was understood.

    Args:
        sample: the first rows.
        given: what the user says: a column, or several with +, by role.
        at: the file.
        named: the summarizer, if no column has one.
        texts: whether all cells are text.
        lines: whether these are lines of JSON: in our own form, they keep keys that we do not know as they are.
        completes: whether the table may have no summaries, but references or documents of those in others.

    Raises:
        UsageError: if `given` names what is not there.
    """
    if not any(sample):
        return Columns()
    names = keys_of(sample)
    chosen = _given(given, names, at)
    taken = {column for columns in chosen.values() for column in columns}
    free = [name for name in names if name not in taken]
    pick = _Picker(sample, free)
    if "summary" not in chosen or "references" not in chosen:
        found = _summary_and_references(pick, chosen, at, completes=completes)
        if found is None:
            return None
        chosen |= found
    if "documents" not in chosen:
        chosen["documents"] = pick.texts("documents")
    if len(chosen["summary"]) > 1:
        chosen["summarizer"] = ()
    roles: tuple[Role, ...] = ("summarizer", "topic")
    for role in roles:
        if role not in chosen:
            chosen[role] = pick.ids(role) or (pick.runs() if role == "summarizer" else [])
    if not chosen["topic"]:
        chosen["topic"] = pick.numbering(chosen["summarizer"])
    if not chosen["topic"] and chosen["summary"] and (runs := pick.repeated_runs()):
        at.at(1).error(
            f"several runs (column {runs}), but no column of topics: {', '.join(names)}",
            "a column that says which rows are of the same topic",
            f"Name it: {to_type({'topic': ['NAME']}, at.file)}; or add one; or keep one run, without a column {runs}.",
        )
        return None
    chosen = {"judgments": (), "scores": ()} | chosen
    own = not texts and _is_own(names)  # nobody but us writes these: ids and unknown keys are as they are meant
    if "scores" not in given and not (own and lines):
        chosen["scores"] = pick.numbers(besides=OWN)
    by_system: dict[str, dict[str, str]] = {}
    if len(chosen["summary"]) > 1:
        nested = [name for name in ("judgments", "scores") if name in names and name not in taken]
        if nested:
            at.at(1).error(
                f"{nested[0]} of a row with summaries of several systems ({', '.join(chosen['summary'])})",
                "a row for each summary where rows have judgments or scores",
                "Write the table with one row per summary.",
                field=nested[0],
            )
            return None
        by_system = split_by_system([*chosen["judgments"], *chosen["scores"]], chosen["summary"])
        _keep_own_numbers(chosen, by_system, given, at)
    used = {column for columns in chosen.values() for column in columns} | {*_AS_IT_IS}
    ids = [column for role in ("topic", "summarizer") for column in chosen[role]]
    columns = Columns(
        topic=next(iter(chosen["topic"]), None),
        summarizer=next(iter(chosen["summarizer"]), None),
        summary=next(iter(chosen["summary"]), ""),
        systems=tuple(chosen["summary"]) if len(chosen["summary"]) > 1 else (),
        references=_own_default(chosen["references"], "references", () if texts else names),
        documents=_own_default(chosen["documents"], "documents", () if texts else names),
        scores=tuple(chosen["scores"]),
        judgments=tuple(chosen["judgments"]),
        by_system=by_system,
        named=named,
        others=tuple(name for name in names if name not in used and not is_index(name)),
        integral=frozenset(column for column in ids if not own and are_integral(row.get(column) for row in sample)),
        texts=texts,
    )
    if understood := columns.understood(Path(at.file).name):
        at.problems.remark(understood)
    return columns


def _keep_own_numbers(
    chosen: dict[str, Sequence[str]],
    by_system: Mapping[str, Mapping[str, str]],
    given: Mapping[str, str],
    at: Place,
) -> None:
    """Leave out the columns of numbers that name no system, where a row has summaries of several: whose are they?

    Args:
        chosen: by role, the columns; those that are left out are removed.
        by_system: by system, its columns of numbers.
        given: by role, the columns that the user names.
        at: the file, which gets a warning.

    Raises:
        UsageError: if the user names such a column.
    """
    owned = {column for columns in by_system.values() for column in columns}
    systems = ", ".join(chosen["summary"])
    for role in ("judgments", "scores"):
        unowned = [column for column in chosen[role] if column not in owned]
        if unowned and role in given:
            raise UsageError(
                f"--columns {role}={given[role]}: each row of {at.file} has summaries of several systems ({systems}), "
                f"and the column {unowned[0]} does not say of which; name a column of each, such as "
                f"{unowned[0]}_{chosen['summary'][0]}, or give a table with one row per summary"
            )
        chosen[role] = [column for column in chosen[role] if column in owned]
        for column in unowned:
            at.at(1).warning(
                f"one number for the summaries of several systems ({systems})",
                f"a column of each system, such as {column}_{chosen['summary'][0]}",
                "It was left out.",
                field=column,
            )


def _is_own(names: Collection[str]) -> bool:
    return {"topic", "summarizer", "summary"} <= {*names}


def is_flat(path: Path) -> bool:
    """Whether a file holds rows in our own form, which no other format has."""
    return {"topic", "summarizer"} <= {*columns_of(path)}


def _own_default(columns: Sequence[str], role: str, names: Collection[str]) -> tuple[str, ...]:
    """Rows in our own form may have the key later, though the first rows have not (a text table has all columns)."""
    return tuple(columns) or ((role,) if _is_own(names) else ())


def _given(given: Mapping[str, str], names: Sequence[str], at: Place) -> dict[str, Sequence[str]]:
    """The columns that the user named."""
    check_roles(given)
    chosen: dict[str, Sequence[str]] = {}
    for role, value in given.items():
        if role in OF_SCORES:
            raise UsageError(
                f"--columns {role}={value}: only score tables have the role {role!r}, and {at.file} is a table of "
                "summaries"
            )
        columns = [value] if value in names else [one for one in value.split(TOGETHER) if one]
        for column in columns:
            if column not in names:
                raise UsageError(
                    f"--columns {role}={value}: {at.file} has no column {column!r}{did_you_mean(column, names)} "
                    f"it has: {', '.join(names) or 'none'}"
                )
        if (len(columns) != 1 and role in ("topic", "summarizer")) or not columns:
            raise UsageError(f"--columns {role}={value}: expected the name of one column")
        chosen[role] = columns
    return chosen


def _summary_and_references(
    pick: _Picker, chosen: Mapping[str, Sequence[str]], at: Place, *, completes: bool
) -> dict[str, Sequence[str]] | None:
    """The columns of summaries and references; `summary` is the reference where another is clearly the prediction."""
    references = chosen["references"] if "references" in chosen else pick.texts("references")
    if "summary" in chosen:
        if not references and "references" not in chosen and "summary" in pick.free:
            references = pick.take(["summary"])
        return {"summary": chosen["summary"], "references": references}
    found = pick.named("summary") or pick.strings("summary")
    clear = [name for name in found if plain_name(name) != "summary"]
    if len(found) > len(clear) and clear and not references:
        return {"summary": pick.take(clear[:1]), "references": pick.take([found[0]])}
    if len(found) > len(clear) and clear and not _is_own(pick.names):
        at.at(1).error(
            f"the columns {found[0]} and {clear[0]}, which may both be the summaries to score",
            "one column of summaries",
            f"Say which one: --columns summary={clear[0]} or --columns summary={found[0]}.",
        )
        return None
    if not found:
        looks = Looks(pick.names, pick.sample)
        if completes and (references or pick.named("documents")) and not {*looks.unknown} & {*pick.free}:
            return {"summary": (), "references": references}
        ask_for_summaries(looks, pick.free, {**chosen, "references": references}, at, completes=completes)
        return None
    return {"summary": pick.take(found[:1]), "references": references}


@dataclass
class _Picker:
    """Finds columns among those that are still free."""

    sample: Sequence[Mapping[str, Any]]
    free: list[str]

    @property
    def names(self) -> list[str]:
        return keys_of(self.sample)

    def values(self, name: str) -> list[Any]:
        """The cells of a column that are not empty."""
        found = (as_json(row.get(name)) for row in self.sample)
        return [value for value in found if not is_missing(value) and value != ""]

    def is_text(self, name: str) -> bool:
        """Whether a column has words."""
        return holds_texts(self.sample, name)

    def take(self, names: Iterable[str]) -> list[str]:
        taken = list(names)
        gone = set(taken)
        self.free = [name for name in self.free if name not in gone]
        return taken

    def named(self, role: Role) -> list[str]:
        """Free columns that fit the role by name and, unless the name is our own, by what they hold."""
        return [name for name in candidates(role, self.free) if name == role or self.is_text(name)]

    def strings(self, role: Role) -> list[str]:
        """Free columns that fit the role by name and hold strings, though none of them has words."""
        fitting = candidates(role, self.free)
        return [name for name in fitting if all(isinstance(value, str) for value in self.values(name))]

    def texts(self, role: Role) -> list[str]:
        """The column of texts, or several numbered ones."""
        found = self.named(role)[:1] or [name for name in numbered(role, self.free) if self.is_text(name)]
        return self.take(found)

    def ids(self, role: Role) -> list[str]:
        """The first column that fits the role by name and holds ids; one that holds mostly lists or objects does not.

        A few odd values do not change what a column is: their rows are errors.
        """
        fitting = [name for name in candidates(role, self.free) if name == role or self._holds_ids(name)]
        return self.take(fitting[:1])

    def _holds_ids(self, name: str) -> bool:
        values = self.values(name)
        nested = [value for value in values if isinstance(value, list | dict)]
        return not nested or 2 * len(nested) < len(values)

    def runs(self) -> list[str]:
        """A column `run` of names: systems, as in TREC; `run1, run2` may as well be runs of one system."""
        fitting = [name for name in candidates("run", self.free) if names_systems(name) and self.is_text(name)]
        return self.take([name for name in fitting if not all(map(_is_numbered, self.values(name)))][:1])

    def repeated_runs(self) -> str:
        """A column that numbers the runs of several rows: `epoch` with the values 1, 2, 1, 2; nothing if there is none.

        One that is different in each row, such as a random seed, does not.
        """
        for name in candidates("run", self.free):
            values = list(map(str, self.values(name)))
            if 1 < len(set(values)) < len(values):
                return name
        return ""

    def numbering(self, summarizer: Sequence[str]) -> list[str]:
        """A column `index` is the topic if it does not number the rows of several summarizers throughout."""
        for name in self.free:
            if plain_name(name) in ("index", "idx"):
                values = self.values(name)
                if not summarizer or len(set(map(str, values))) < len(values):
                    return self.take([name])
        return []

    def numbers(self, besides: Collection[str] = ()) -> list[str]:
        """Columns of numbers that can be scores."""
        found = [
            name
            for name in self.free
            if name not in besides
            and not is_index(name)
            and not is_bookkeeping(name)
            and holds_numbers(self.sample, name)
        ]
        return self.take(found)


def _is_numbered(value: Any) -> bool:
    """Whether a value only numbers runs: `3`, `run1`, `seed_42`."""
    return re.fullmatch(r"(run|seed|epoch|trial|rep|repeat|repetition)?[\s_-]*\d+", str(value).lower()) is not None


def as_json(value: Any) -> Any:
    """A value of a cell as JSON would have it: no key without a value, dates as strings, arrays as lists."""
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def without_missing(judgments: Any) -> Any:
    """Judgments by question without missing answers; also those in a list of {question, assessor, value}.

    Anything else, including a repeated answer, stays as it is, and the decoder refuses it.
    """
    if isinstance(judgments, list):
        judgments = _by_question(judgments)
    if not isinstance(judgments, dict):
        return judgments
    held = {
        question: {who: _number(one) for who, one in answer.items() if not lacks_number(one)}
        if isinstance(answer, dict)
        else _number(answer)
        for question, answer in judgments.items()
        if not lacks_number(answer)
    }
    return {question: answer for question, answer in held.items() if answer != {} or judgments[question] == {}}


def _by_question(judgments: list[Any]) -> Any:
    """Judgments as `write_flat` writes them to Parquet."""
    nested: dict[str, dict[str, Any]] = {}
    for judgment in judgments:
        match judgment:
            case {"question": str(question), **others} if {*others} <= {"assessor", "value"}:
                assessor = others.get("assessor", "")
                answers = nested.setdefault(question, {})
                if not isinstance(assessor, str) or assessor in answers:
                    return judgments
                answers[assessor] = others.get("value")
            case _:
                return judgments
    return nested


def _number(value: Any) -> Any:
    """A number that is written as text, as a number; whole ones as such. Anything else as it is."""
    if not isinstance(value, str):
        return value
    number = number_of(value)
    if number is None:
        return value
    return int(value) if value.strip().lstrip("+-").isdigit() and len(value) < 300 else number


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(text: str) -> list[str]:
    """The texts of a cell: a list as JSON, Python or numpy writes it, else the text itself."""
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return [text]
    try:
        held = json.loads(stripped)
    except (ValueError, RecursionError):
        held = _strings(stripped)
    return held if isinstance(held, list) and held and all(isinstance(one, str) for one in held) else [text]


def _strings(text: str) -> list[str] | None:
    """The strings of a list in Python's notation, with commas or, as numpy writes it, without."""
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                found.append(ast.literal_eval(token.string))
            elif token.string.strip() not in ("", "[", "]", ","):
                return None
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError, MemoryError):
        return None
    return found if all(isinstance(one, str) for one in found) else None

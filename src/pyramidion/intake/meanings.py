"""What the columns of a table mean: the answers of the recogniser, one dataclass for each kind of table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pyramidion.files.problems import Place
from pyramidion.intake.cells import keys_of
from pyramidion.intake.column_names import exclude, is_index
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import JUDGMENT_ROLES
from pyramidion.wording import listed

FLAT_FIELDS = ("topic", "summarizer", "summary", "references", "documents", "judgments", "scores", "simulated")
"""The keys of our own form of a table with one row per summary."""
LONG_FIELDS = ("measure", "value")
"""The columns by which a score table is long: a row for each score."""
SCORE_FIELDS_ASIDE = ("signature", "note", "record", "run")
"""Columns of a score table of ours that are no measures."""
_SHOWN_MEASURES = 8
"""Measures that a line about a file names."""


@dataclass(frozen=True, kw_only=True)
class SummaryColumns:
    """Which column of a table with one row per summary is what."""

    topic: str | None = "topic"
    """None: rows are numbered."""
    summarizer: str | None = "summarizer"
    """None: all rows are of one summarizer, `named`."""
    summary: str = "summary"
    """Nothing: the table only adds references or documents to the summaries of other tables."""
    systems: tuple[str, ...] = ()
    """Columns of summaries, each of the system that it is called after, if there are several."""
    references: tuple[str, ...] = ("references",)
    documents: tuple[str, ...] = ("documents",)
    scores: tuple[str, ...] = ()
    judgments: tuple[str, ...] = ()
    """Columns of numbers: each is a question."""
    measures_by_system: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """If several columns hold summaries: by system, its columns of numbers, each with what it measures."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """By column of numbers, what it measures, where that is not its name."""
    unowned: tuple[str, ...] = ()
    """Columns of numbers that are left out, because they do not say which of several systems they are about."""
    named: str = ""
    """The summarizer of all rows, if no column has one."""
    unused: tuple[str, ...] = ()
    """Columns that nothing uses."""
    integral: frozenset[str] = frozenset()
    """Columns of ids that are whole numbers, but written as decimals."""
    cells_are_text: bool = False
    """Whether all cells are text, as in CSV: an empty one is then no reference and no document."""

    @property
    def is_own(self) -> bool:
        """Whether the rows are in our own form: nothing has to be renamed, and unknown keys are kept."""
        if self.cells_are_text:
            return False
        has_own_names = (self.topic, self.summarizer, self.summary) == ("topic", "summarizer", "summary")
        return has_own_names and (self.references, self.documents) == (("references",), ("documents",))

    @property
    def is_plain(self) -> bool:
        """Whether rows can be decoded as they are: our own form, without columns of scores."""
        is_converted = bool(self.scores or self.judgments or self.integral)
        return self.is_own and not is_converted

    @property
    def renamed_fields(self) -> Mapping[str, str]:
        """What the file calls the fields of our own form, where it has one column with another name, for messages."""
        columns = {"topic": self.topic, "summarizer": self.summarizer, "summary": self.summary}
        if len(self.references) == 1:
            columns["references"] = self.references[0]
        if len(self.documents) == 1:
            columns["documents"] = self.documents[0]
        return {role: column for role, column in columns.items() if column and column != role}

    def split_systems(self) -> list[SummaryColumns]:
        """The columns of each system, if each has a column of summaries; else these alone."""
        if not self.systems:
            return [self]
        return [self._of_system(system) for system in self.systems]

    def _of_system(self, system: str) -> SummaryColumns:
        measures = self.measures_by_system.get(system, {})
        return replace(
            self,
            summary=system,
            named=system,
            systems=(),
            measures_by_system={},
            measures=measures,
            scores=tuple(column for column in self.scores if column in measures),
            judgments=tuple(column for column in self.judgments if column in measures),
        )

    def note(self, at: Place) -> None:
        """Remark which column is what, and warn of numbers that belong to no system.

        Args:
            at: the file.
        """
        for column in self.unowned:
            at.at(1).warning(
                f"one number for the summaries of several systems ({', '.join(self.systems)})",
                f"a column of each system, such as {column}_{self.systems[0]}",
                "It was left out.",
                field=column,
            )
        sentence = self.describe(Path(at.file).name)
        if sentence:
            at.problems.remark(sentence)

    def describe(self, file_name: str) -> str:
        """One line that says which column is what; nothing if the rows are in our own form."""
        if self.is_plain:
            return ""
        parts = [f"topic = {self.topic or 'number of the row'}", *self._describe_summaries()]
        texts = {"references": self.references, "documents": self.documents}
        parts += [f"{role} = {', '.join(columns)}" for role, columns in texts.items() if columns]
        numbers = {"judgments": self.judgments, "scores": self.scores}
        parts += [f"{role}: {self._list_measures(columns)}" for role, columns in numbers.items() if columns]
        if not self.references:
            parts.append("no references")
        if self.unused:
            parts.append(f"not used: {', '.join(self.unused)}")
        return f"{file_name}: {'; '.join(parts)}"

    def _describe_summaries(self) -> list[str]:
        if self.systems:
            return [f"a system per column: {', '.join(self.systems)}"]
        if not self.summary:
            return ["no summaries"]
        summarizer = f"summarizer = {self.summarizer}" if self.summarizer else f"one summarizer, {self.named!r}"
        return [summarizer, f"summary = {self.summary}"]

    def _list_measures(self, columns: Sequence[str]) -> str:
        """The columns of numbers; if each is of one system, by what they measure: `fluency (fluency_A, fluency_B)`."""
        if not self.measures_by_system:
            return ", ".join(columns)
        measures: dict[str, str] = {}
        for measures_of_system in self.measures_by_system.values():
            measures |= measures_of_system
        columns_by_measure: dict[str, list[str]] = {}
        for column in columns:
            columns_by_measure.setdefault(measures[column], []).append(column)
        return ", ".join(f"{measure} ({', '.join(names)})" for measure, names in columns_by_measure.items())


@dataclass(frozen=True, kw_only=True)
class ScoreColumns:
    """Which column of a score table is what; columns without a role are measures, unless they are unused."""

    roles: Mapping[str, str] = field(default_factory=dict)
    """By column, its role: topic, summarizer, measure, value or run."""
    systems: tuple[str, ...] = ()
    """Columns that each hold the scores of the system that they are called after, if the user says so."""
    unused: tuple[str, ...] = ()

    @property
    def columns(self) -> Mapping[str, str]:
        """By role, its column."""
        return {role: column for column, role in self.roles.items()}

    @property
    def is_long(self) -> bool:
        """Whether each row is one score, with its measure and its value."""
        return {*LONG_FIELDS} <= {*self.roles.values()}

    @property
    def names_systems(self) -> bool:
        """Whether the table says whose scores these are."""
        return bool(self.systems) or "summarizer" in self.columns

    def our_name(self, column: str) -> str:
        """What we call a column: its role, else its own name."""
        return self.roles.get(column, column)

    def is_unnamed(self, columns: Sequence[str]) -> bool:
        """Whether all scores belong to one system, because no column says whose they are.

        Args:
            columns: all columns of the table.
        """
        used_count = sum(column not in self.unused for column in columns)
        return not self.names_systems and "topic" in self.columns and used_count > 1

    def measure_columns(self, columns: Iterable[str]) -> list[str]:
        """The columns that can be measures of a wide table.

        Args:
            columns: all columns of the table.
        """
        return exclude(columns, (*self.roles, *self.unused, *SCORE_FIELDS_ASIDE))

    def describe(self, measures: Sequence[str], notes: Iterable[str]) -> str:
        """Which column is what, and the measures; nothing if the columns have our own names and all are used.

        Args:
            measures: those that were read.
            notes: what is to be known of their values, such as the number of runs.
        """
        unused = [column for column in self.unused if not is_index(column)]
        is_renamed = any(column != role for role, column in self.columns.items())
        has_runs = "run" in self.columns
        if not measures or not (unused or is_renamed or has_runs):
            return ""
        parts = ["a table of scores", *(f"{role} = {column}" for role, column in self.columns.items())]
        if has_runs:
            parts += sorted({note for note in notes if "runs" in note})
        parts.append(f"measures: {listed(measures, most=_SHOWN_MEASURES)}")
        if unused:
            parts.append(f"not used: {listed(unused, most=_SHOWN_MEASURES)}")
        return "; ".join(parts)


@dataclass(frozen=True, kw_only=True)
class JudgmentColumns:
    """Which column of a table of judgments is what."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """By role, its column."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """By question, its column; empty in a long table."""

    @property
    def is_long(self) -> bool:
        """Whether each row is one answer, with its question and its value."""
        return not self.questions

    def find_distinguishing_column(self, rows: Sequence[Mapping[str, object]]) -> str:
        """A column in which most rows with the same key differ; nothing if there is none.

        Args:
            rows: the first rows.
        """
        answers = {self.columns["value"]} if self.is_long else {*self.questions.values()}
        names = keys_of(rows)
        if len(answers) == 1:
            names = exclude(names, answers)  # the only answers are no runs
        table = TableProfile(names, rows)
        key_roles = exclude(self.columns, ("value", "run", "time", "seconds", "comment"))
        keys = [self.columns[role] for role in key_roles]
        if not table.has_mostly_repeats(keys):
            return ""
        return next(iter(table.distinguishing_columns(keys)), "")

    def describe(self, numeric_columns: Iterable[str]) -> str:
        """Which column is what.

        Args:
            numeric_columns: the columns with numbers: others turned out to be no questions.
        """
        numeric = {*numeric_columns}
        shown = [role for role, column in self.columns.items() if JUDGMENT_ROLES[role].aliases]
        parts = [f"{role} = {self.columns[role]}" for role in shown]
        questions = [question for question, column in self.questions.items() if column in numeric]
        if questions:
            parts.append(f"questions: {', '.join(questions)}")
        return ", ".join(parts)

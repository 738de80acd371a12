"""The recogniser of columns: what the columns of a table mean, by their names, their first rows and what the user says.

It answers with a dataclass (`SummaryColumns`, `ScoreColumns`, `JudgmentColumns`), or with a `ColumnQuestion` that the
caller notes as a problem. The names by which columns are found are data, in `roles`. Three kinds of table are
recognised: summaries (one row per summary), scores and judgments. `recognise` tells them apart: a table with a column
of judges or annotators holds judgments, with the texts or without.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Literal

from pyramidion.errors import UsageError, mention
from pyramidion.files.problems import Place
from pyramidion.intake.cells import keys_of, number_of
from pyramidion.intake.column_questions import (
    ColumnQuestion,
    ask_for_answers,
    ask_for_flat_numbers,
    ask_for_judgments,
    ask_for_keys,
    ask_for_raters,
    ask_for_systems,
    ask_for_topics,
    ask_for_topics_of_scores,
    ask_whether_systems,
    ask_which_summary,
    ask_whose_columns,
    ask_whose_texts,
    may_be_reference,
    report_missing_summary_column,
)
from pyramidion.intake.nested import explain_missing
from pyramidion.intake.opened import FROM_TEXT, RowFormat
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    ONLY_IN_JUDGMENTS,
    ONLY_IN_SCORES,
    PLURALS,
    PREFERENCE_ROLES,
    RUN,
    SCORE_ROLES,
    SUMMARY_ROLES,
    TOGETHER,
    Role,
    are_raters,
    can_number_assessors,
    check_roles,
    exclude,
    is_bookkeeping,
    is_index,
    is_numbered_run,
    is_numbering,
    match_reasons,
    may_be_systems,
    name_rater,
    names_systems,
    plain_name,
    split_grid,
)
from pyramidion.intake.wide import split_by_system
from pyramidion.show.wording import listed

FLAT_FIELDS = ("topic", "summarizer", "run", "summary", "references", "documents", "judgments", "scores", "simulated")
"""The keys of our own form of a table with one row per summary."""
LONG_FIELDS = ("measure", "value")
"""The columns by which a score table is long: a row for each score."""
SCORE_FIELDS_ASIDE = ("signature", "note", "record", "run", "reason")
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
    has_documents: bool = True
    """Whether the first rows have such columns."""
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
    has_repeats: bool = False
    """Whether the same summary may come again, because each row has the answers of another assessor about it."""
    run: str | None = None
    """The column that says which of several outputs of a system for a topic a row has; None: there is one of each."""
    columns_are_runs: bool = False
    """Whether several columns of summaries are outputs of one system, not of a system each."""
    repeats_are_runs: bool = False
    """Whether rows with the same topic and summarizer are runs, as the user says; no column numbers them."""

    @property
    def has_runs(self) -> bool:
        """Whether a system may have several outputs for a topic."""
        return self.run is not None or self.repeats_are_runs

    @property
    def is_own(self) -> bool:
        """Whether the rows are in our own form: nothing has to be renamed, and unknown keys are kept."""
        if self.cells_are_text:
            return False
        has_own_names = (self.topic, self.summarizer, self.summary) == ("topic", "summarizer", "summary")
        has_own_texts = (self.references, self.documents) == (("references",), ("documents",))
        return has_own_names and has_own_texts

    @property
    def is_plain(self) -> bool:
        """Whether rows can be decoded as they are: our own form, without columns of scores."""
        has_numbers = bool(self.scores or self.judgments)
        # Ids that became decimals and rows that repeat a summary have to be changed on the way.
        is_changed = self.integral or self.has_repeats
        has_other_run = self.run not in (None, "run")
        if has_numbers or is_changed or has_other_run:
            return False
        return self.is_own

    @property
    def score_measures(self) -> list[str]:
        """What each column of scores measures."""
        return [self.measures.get(column, column) for column in self.scores]

    @property
    def renamed_fields(self) -> Mapping[str, str]:
        """What the file calls the fields of our own form, where it has one column with another name, for messages."""
        columns = {"topic": self.topic, "summarizer": self.summarizer, "summary": self.summary}
        if len(self.references) == 1:
            columns["references"] = self.references[0]
        if len(self.documents) == 1:
            columns["documents"] = self.documents[0]
        present = {role: column for role, column in columns.items() if column}
        return {role: column for role, column in present.items() if column != role}

    def split_systems(self) -> list[SummaryColumns]:
        """The columns of each system, if each has a column of summaries; else these alone."""
        if not self.systems:
            return [self]
        return [self._of_system(system) for system in self.systems]

    def _of_system(self, system: str) -> SummaryColumns:
        if self.columns_are_runs:
            return replace(self, summary=system, systems=())
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
        topic = self.topic or "number of the row"
        parts = [f"topic = {topic}", *self._describe_summaries()]
        if self.run is not None:
            parts.append(f"run = {self.run} (a system with several outputs for a topic: scores are their means)")
        if self.references:
            parts.append(f"references = {', '.join(self.references)}")
        # In our own form, later rows may have documents although the first have none: then nothing is said of them.
        if self.documents and self.has_documents:
            parts.append(f"documents = {', '.join(self.documents)}")
        if self.judgments:
            parts.append(f"judgments: {self._list_measures(self.judgments)}")
        if self.scores:
            parts.append(f"scores: {self._list_measures(self.scores)}")
        if not self.references:
            parts.append("no references")
        if self.unused:
            parts.append(f"not used: {', '.join(self.unused)}")
        return f"{file_name}: {'; '.join(parts)}"

    def _describe_summaries(self) -> list[str]:
        if self.systems and not self.columns_are_runs:
            return [f"a system per column: {', '.join(self.systems)}"]
        if not self.summary:
            return ["no summaries"]
        summarizer = f"one summarizer, {self.named!r}"
        if self.summarizer:
            summarizer = f"summarizer = {self.summarizer}"
        if self.columns_are_runs:
            return [summarizer, f"a run per column: {', '.join(self.systems)} (scores are their means)"]
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
    """By column, its role: topic, summarizer, measure, value, run or reason."""
    systems: tuple[str, ...] = ()
    """Columns that each hold the scores of the system that they are called after, if the user says so."""
    grid: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By system and measure, its column, if each column is a measure of one system."""
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
        return bool(self.systems) or bool(self.grid) or "summarizer" in self.columns

    def our_name(self, column: str) -> str:
        """What we call a column: its role, else its own name."""
        return self.roles.get(column, column)

    def is_unnamed(self, columns: Sequence[str]) -> bool:
        """Whether all scores belong to one system, because no column says whose they are.

        Args:
            columns: all columns of the table.
        """
        if self.names_systems or "topic" not in self.columns:
            return False
        used = exclude(columns, self.unused)
        return len(used) > 1

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
        column_by_role = self.columns
        is_renamed = any(column != role for role, column in column_by_role.items())
        has_runs = "run" in column_by_role
        # A long table with our names of columns is ours most often, or easily read as what it is.
        is_as_ours = not (unused or is_renamed or (has_runs and not self.is_long))
        if is_as_ours or not measures:
            return ""
        parts = ["a table of scores"]
        for role, column in column_by_role.items():
            parts.append(f"{role} = {column}")
        if has_runs:
            notes_on_runs = {note for note in notes if "runs" in note}
            parts += sorted(notes_on_runs)
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
    reasons: Mapping[str, str] = field(default_factory=dict)
    """By question, the column of its reasons, if it has one of its own; the others are in the column `comment`."""
    unused: tuple[str, ...] = ()
    """Columns that nothing uses: bookkeeping."""

    @property
    def is_long(self) -> bool:
        """Whether each row is one answer, with its question and its value."""
        return not self.questions

    def find_distinguishing_column(self, rows: Sequence[Mapping[str, object]]) -> str:
        """A column in which most rows with the same key differ; nothing if there is none.

        Args:
            rows: the first rows.
        """
        answers = {*self.questions.values()}
        if self.is_long:
            answers = {self.columns["value"]}
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
        if self.reasons:
            parts.append(f"reasons: {', '.join(self.reasons.values())}")
        return ", ".join(parts)


TableKind = Literal["summaries", "scores", "judgments", "judged-summaries", "preferences"]
"""What the rows of a table are; `judged-summaries` has a summary and an assessor's answers in each row."""
_ONLY_IN_SUMMARIES = frozenset({"summary", "text", "references", "documents", "judgments"})
"""Fields that only rows of summaries have, in files with types."""
_FORMATS_OF_SCORES: frozenset[RowFormat] = FROM_TEXT | {"parquet"}
"""Formats in which we write score tables."""
_NESTED_FIELDS = ("judgments", "scores", "simulated")
"""Fields of our own form that are read from columns of these names, whatever the other columns are called."""
_OPTIONAL_OF_JUDGMENTS = ("run", "time", "seconds", "comment")
"""Further fields of a judgment, read where columns have exactly these names; runs and comments also under others."""


def recognise(
    table: TableProfile, named: Mapping[str, str] | None = None, *, format: RowFormat | None = None
) -> TableKind:
    """Whether a table holds summaries, scores or judgments.

    It holds summaries if a column may hold them: texts, which are no comments, under a name that says nothing else. It
    holds judgments if a column says who judged.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        format: of the file; None for rows in memory.
    """
    named = named or {}
    if find_preferences(table, named):
        return "preferences"
    assessors = find_assessors(table, named, format=format)
    if assessors and "summary" not in named and not _has_judged_texts(table, named):
        return "judgments"
    if "summary" in named or _has_summaries(table, format):
        return "judged-summaries" if assessors else "summaries"
    if assessors:
        return "judgments"
    score_columns = find_score_columns(table, named)
    if "scores" in named or score_columns.is_long or score_columns.systems:
        return "scores"
    if table.unknown_prose:
        return "summaries"  # nobody knows: then the user is asked which column is which
    if table.prose_columns and not table.score_columns:
        return "summaries"  # texts to score
    if _has_scores(table, format):
        return "scores"
    return "summaries"


def find_preferences(table: TableProfile, named: Mapping[str, str]) -> dict[str, str]:
    """By role, the columns of a table of preferences; nothing if two systems and a winner are not all there.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
    """
    own_roles = {role: column for role, column in named.items() if role in PREFERENCE_ROLES}
    roles = {role: column for role, column in own_roles.items() if column in table.columns}
    for role in PREFERENCE_ROLES.values():
        if role.name in roles:
            continue
        matches = role.match(exclude(table.columns, roles.values()))
        # Long texts under such a name are the summaries that were compared; only reasons and requests may be long.
        if role.name == "winner":
            matches = [name for name in matches if table.column(name).is_short or _are_graded_choices(table, name)]
        elif role.name not in ("topic", "reason"):
            matches = [name for name in matches if table.column(name).is_short]
        if matches:
            roles[role.name] = matches[0]
    required = {role.name for role in PREFERENCE_ROLES.values() if role.is_required}
    if not required <= roles.keys():
        return {}
    if not required.isdisjoint(named):
        return roles
    # A table of summaries, scores or judgments names the system of each row; one of preferences names two.
    sides = [table.column(roles[side]) for side in ("a", "b")]
    are_names = all(side.holds_texts for side in sides)
    # Systems may be numbered: then the winner is one of these numbers, or a position in words.
    systems = {*sides[0].texts, *sides[1].texts}
    is_numbered = bool(systems & {*table.column(roles["winner"]).texts}) and len(systems) < len(table.rows)
    return roles if are_names or is_numbered else {}


def _are_graded_choices(table: TableProfile, name: str) -> bool:
    """Whether a column holds choices between 1, the first, and 2, the second, as AlpacaEval writes them."""
    column = table.column(name)
    if not column.holds_numbers:
        return False
    numbers = [number_of(cell) for cell in column.values]
    return all(number is not None and 1 <= number <= 2 for number in numbers)


def find_assessors(table: TableProfile, named: Mapping[str, str], *, format: RowFormat | None = None) -> str:
    """The column that says who judged, in a table of answers about the summaries of systems; nothing if it has none.

    The numbers of a column `judge` are scores, unless they tell the rows of a summary apart.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        format: of the file; None for rows in memory.
    """
    column = named.get("assessor", "")
    if column in table.columns:
        return column
    keys = _find_keys(table, named)
    if len(keys) < 2 or not _may_have_answers(table, named, keys):
        return ""
    # Lines in our own form keep unknown keys as they are; that a summary comes again says that its rows are answers.
    is_own = format == "jsonl" and {"topic", "summarizer", "summary"} <= {*table.columns}
    if is_own and not table.has_repeats(keys):
        return ""
    for name in exclude(JUDGMENT_ROLES["assessor"].match(table.data_columns), keys):
        if name not in named.values() and _names_assessors(table, name, keys):
            return name
    return ""


def _names_assessors(table: TableProfile, name: str, keys: Sequence[str]) -> bool:
    """Whether a column that is called after judges or annotators names them.

    Args:
        table: its columns and first rows.
        name: the column.
        keys: the columns of topics and systems.
    """
    column = table.column(name)
    if not column.values or not column.is_short:
        return False
    if column.holds_texts or can_number_assessors(name):
        return True
    runs = RUN.match(exclude(table.data_columns, [*keys, name]))
    return any(name in table.distinguishing_columns([*keys, *more]) for more in ([], runs[:1]))


def _may_have_answers(table: TableProfile, named: Mapping[str, str], keys: Sequence[str]) -> bool:
    """Whether a table has a column of numbers, or one that is called after answers.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        keys: the columns of topics and systems.
    """
    aside = {*keys, *JUDGMENT_ROLES["assessor"].match(table.data_columns)}
    columns = exclude(table.data_columns, aside)
    if named.get("value") in columns or JUDGMENT_ROLES["value"].match(columns):
        return True
    return any(table.column(name).holds_numbers for name in columns if not is_bookkeeping(name))


def _has_judged_texts(table: TableProfile, named: Mapping[str, str]) -> bool:
    """Whether a table with a column of assessors has a text that all of them judged: their answers differ.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
    """
    keys = _find_keys(table, named)
    answers = [name for role in ("value", "scores") for name in named.get(role, "").split(TOGETHER)]
    texts = exclude(SUMMARY_ROLES["summary"].match(table.columns), answers)
    aside = [*keys, *RUN.match(table.columns), *JUDGMENT_ROLES["assessor"].match(table.columns)]
    has_numbers = bool(exclude(table.score_columns, aside))
    if has_numbers or not table.has_repeats(keys):
        return bool(texts)
    return any(not table.varies_within(name, *keys) for name in texts)


def _find_keys(table: TableProfile, named: Mapping[str, str]) -> list[str]:
    """The columns of topics and of systems of a table of answers."""
    keys: list[str] = []
    for role in ("summarizer", "topic"):
        matches = _name_or_match(JUDGMENT_ROLES[role], exclude(table.columns, keys), named)
        if role == "topic" and keys and role not in named:
            matches = table.match_topics(matches, keys[0], exclude(table.columns, keys))
        keys += matches[:1]
    return keys


def _has_summaries(table: TableProfile, format: RowFormat | None) -> bool:
    """Whether the name of a column says that it holds summaries, or that rows are ours.

    Args:
        table: its columns and first rows.
        format: of the file; None for rows in memory.
    """
    role = SUMMARY_ROLES["summary"]
    names = [*role.match(table.columns), *role.match_numbered(table.columns)]
    if any(table.column(name).holds_texts for name in names):
        return True
    if format in FROM_TEXT:
        return False
    return not _ONLY_IN_SUMMARIES.isdisjoint(table.columns)


def _has_scores(table: TableProfile, format: RowFormat | None) -> bool:
    """Whether a table without texts of unknown names holds scores.

    Args:
        table: its columns and first rows.
        format: of the file; None for rows in memory.
    """
    has_scores = bool(table.score_columns) or table.has_scores_with_slips
    if format in _FORMATS_OF_SCORES and is_flat_form(table.columns):
        # Only score tables have signatures; we write them.
        return "signature" in table.columns or not table.has_only_bookkeeping
    if format in FROM_TEXT:
        return has_scores or not table.rows
    if not SCORE_ROLES["topic"].match(table.columns):
        return False
    return has_scores or "value" in table.columns


def is_flat_form(columns: Iterable[str]) -> bool:
    """Whether rows with these columns are in our own form, which no other format has."""
    return {"topic", "summarizer"} <= {*columns}


def recognise_summaries(
    table: TableProfile,
    named: Mapping[str, str],
    *,
    file: object,
    format: RowFormat | None = None,
    summarizer: str = "",
    completes: bool = False,
    repeats_are_runs: bool = False,
) -> SummaryColumns | ColumnQuestion:
    """Which column of a table of summaries is what.

    Args:
        table: its columns and first rows.
        named: what the user says: by role, a column, or several with +.
        file: the path of the table, or what stands for rows in memory.
        format: of the file; None for rows in memory.
        summarizer: the summarizer, if no column has one.
        completes: whether the table may have no summaries, but references or documents of those in other tables.
        repeats_are_runs: whether the user says that a system has several outputs for a topic.

    Raises:
        UsageError: if `named` names what is not there.
    """
    if not any(table.rows):
        return SummaryColumns()
    search = _SummarySearch(table, named, file, format, has_runs=repeats_are_runs)
    question = search.find_summaries(completes=completes) or search.find_ids() or search.find_numbers()
    return question or search.answer(summarizer)


class _SummarySearch:
    """Finds the columns of a table of summaries, role by role, among those that play no role yet.

    Each step returns the question that has to be answered before the next one, if there is one.
    """

    def __init__(
        self,
        table: TableProfile,
        named: Mapping[str, str],
        file: object,
        format: RowFormat | None,
        *,
        has_runs: bool,
    ) -> None:
        self.table = table
        self.has_runs = has_runs
        self.columns_are_runs = False
        self.named = named
        self.file = file
        self.cells_are_text = format in FROM_TEXT
        self.are_lines = format == "jsonl"
        self.roles = _columns_named_by_user(named, table, file)
        self.named_columns = {*chain.from_iterable(self.roles.values())}
        self.free = exclude(table.columns, self.named_columns)
        self.measures_by_system: dict[str, dict[str, str]] = {}
        self.unowned: list[str] = []

    @property
    def is_own(self) -> bool:
        """Whether the columns have our own names: ids and unknown keys are then as they are meant."""
        return {"topic", "summarizer", "summary"} <= {*self.table.columns}

    def take(self, columns: Iterable[str]) -> list[str]:
        """The columns, which are free no longer."""
        taken = list(columns)
        self.free = exclude(self.free, taken)
        return taken

    def match(self, role: str) -> list[str]:
        """Free columns that fit a role by name and, unless the name is our own, by what they hold."""
        return [name for name in SUMMARY_ROLES[role].match(self.free) if self._fits(name, role)]

    def _fits(self, name: str, role: str) -> bool:
        """Whether a column whose name fits a role may play it."""
        # Our own name is a promise: what is wrong with its cells is an error, not another meaning.
        if name == role:
            return True
        column = self.table.column(name)
        if SUMMARY_ROLES[role].cells == "texts":
            return column.holds_texts
        return column.holds_ids

    def find_summaries(self, *, completes: bool) -> ColumnQuestion | None:
        """Find the columns of summaries, references and documents."""
        # References before summaries: a name such as reference_summary could be taken for both.
        self._find_texts("references")
        question = None
        if "summary" not in self.named:
            question = self._find_summary(completes=completes)
        elif "summary" in self.free and not self._has("references"):
            self.roles["references"] = self.take(["summary"])
        if question is None:
            self._find_texts("documents")
        return question

    def _has(self, role: str) -> bool:
        return bool(self.roles.get(role))

    def _find_texts(self, role: str) -> None:
        """Find the column of references or documents, or several numbered ones, unless the user names them."""
        if role in self.named:
            return
        columns = self.match(role)[:1]
        if not columns:
            numbered = SUMMARY_ROLES[role].match_numbered(self.free)
            columns = [name for name in numbered if self.table.column(name).holds_texts]
        self.roles[role] = self.take(columns)

    def _find_summary(self, *, completes: bool) -> ColumnQuestion | None:
        """Find the column of summaries: `summary`, which is the reference where another is clearly the prediction."""
        systems = self._match_systems()
        bare_names = [name for name in self.match("summary") if name not in systems]
        if systems and bare_names:
            return ask_whether_systems(systems, bare_names[0])
        if systems:
            self.roles["summary"] = self.take(systems)
            return None
        columns = self.match("summary") or self._match_strings()
        has_systems = "summarizer" in self.roles or bool(self.match("summarizer"))
        numbered = self._match_numbered_summaries()
        if numbered:
            return ask_whose_columns(numbered, has_systems=has_systems)
        if not columns:
            return self._do_without_summaries(completes=completes)
        size = self._size_of_lists(columns[0])
        if size > 1 and plain_name(columns[0]) in PLURALS:
            return ask_whose_texts(columns[0], size, has_systems=has_systems)
        # In XSum and SAMSum, `summary` is the reference, and the output of a model has another name.
        predictions = [name for name in columns if plain_name(name) != "summary"]
        is_ambiguous = 0 < len(predictions) < len(columns)
        if is_ambiguous and not self._has("references"):
            self.roles["references"] = self.take(columns[:1])
            columns = predictions
        elif is_ambiguous and not self.is_own:
            return ask_which_summary(columns[0], predictions[0])
        self.roles["summary"] = self.take(columns[:1])
        return None

    def _match_numbered_summaries(self) -> list[str]:
        """Several columns of one name with numbers: `output1, output2`, or pandas' `Summary, Summary.1`."""
        role = SUMMARY_ROLES["summary"]
        texts = [name for name in self.free if self.table.column(name).holds_texts]
        numbered = role.match_numbered(texts)
        stems = {plain_name(name).rstrip("0123456789") for name in numbered}
        is_our_file = self.is_own and self.are_lines
        if len(stems) != 1 or is_our_file:
            return []
        bare = [name for name in texts if plain_name(name) in stems]
        columns = [*bare, *numbered]
        return columns if len(columns) > 1 else []

    def _match_systems(self) -> list[str]:
        """The columns of a sheet with a column of summaries per system, each topic once: `Summary (v1), Summary (v2)`.

        Nothing if a column names the systems, or if one of the columns may hold references (`summary_human`).
        """
        has_systems = "summarizer" in self.named or bool(self.match("summarizer"))
        if has_systems:
            return []
        prose = {*self.table.prose_columns}
        columns = SUMMARY_ROLES["summary"].match_variants(name for name in self.free if name in prose)
        if any(may_be_reference(name) for name in columns):
            return []
        topics = self.roles.get("topic") or self.match("topic")[:1]
        # A sheet with a column for each system has each topic once; repeated topics mean a row for each system.
        if topics and self.table.has_repeats(topics):
            return []
        return columns

    def _size_of_lists(self, column: str) -> int:
        """How many texts each cell of a column has, if all have a list of as many; else 0.

        Summaries in sentences have now two, now three.
        """
        cells = [row.get(column) for row in self.table.rows]
        lists = [cell for cell in cells if isinstance(cell, list | tuple)]
        # Two rows may have as many sentences by chance.
        if len(lists) < len(cells) or len(cells) <= 2:
            return 0
        sizes = set(map(len, lists))
        return sizes.pop() if len(sizes) == 1 else 0

    def _match_strings(self) -> list[str]:
        """Free columns that are called like summaries and hold strings, though none of them has words."""
        columns = SUMMARY_ROLES["summary"].match(self.free)
        return [name for name in columns if self.table.column(name).holds_strings]

    def _do_without_summaries(self, *, completes: bool) -> ColumnQuestion | None:
        """Ask for the column of summaries, unless the table completes others and has what they lack."""
        has_texts = self._has("references") or bool(self.match("documents"))
        has_unknown_texts = not {*self.table.unknown_prose}.isdisjoint(self.free)
        can_complete = has_texts and not has_unknown_texts
        if completes and can_complete:
            self.roles["summary"] = ()
            return None
        return report_missing_summary_column(self.table, self.free, self.roles, completes=completes)

    def find_ids(self) -> ColumnQuestion | None:
        """Find the columns of topics and summarizers."""
        self.columns_are_runs = self._are_columns_runs()
        if len(self.roles["summary"]) > 1 and not self.columns_are_runs:
            self.roles["summarizer"] = ()  # each column of summaries is one
        self._find_id("summarizer", otherwise=self._find_runs_of_systems)
        self._find_id("topic", otherwise=self._find_numbering)
        self._find_run()
        if self._has("topic") or not self._has("summary"):
            return None
        keys = None
        if not self._has("summarizer") and not self.roles["summary"][1:]:
            keys = self.table.guess_keys(self.free)
        if keys is not None:
            return ask_for_keys(self.table, *keys, self.named)
        run = self._find_repeated_run()
        if not run:
            return None
        return ask_for_topics(self.table.columns, run)

    def _find_id(self, role: str, otherwise: Callable[[], list[str]]) -> None:
        """Find the column of topics or of summarizers, unless the user names it.

        Args:
            role: topic or summarizer.
            otherwise: finds a column that may serve, if none has a name that fits.
        """
        if role in self.roles:
            return
        matches = self.match(role)
        if role == "topic" and self._has("summarizer"):
            matches = self.table.match_topics(matches, self.roles["summarizer"][0], self.free)
        self.roles[role] = self.take(matches[:1]) or otherwise()

    def _are_columns_runs(self) -> bool:
        """Whether several columns of summaries are runs, as the user says: rows name their systems, or come once."""
        is_possible = self.has_runs and len(self.roles["summary"]) > 1
        if not is_possible:
            return False
        if "summarizer" in self.roles or self.match("summarizer"):
            return True
        # Without names of systems, a topic that comes in several rows leaves open whose outputs they are.
        topics = self.roles.get("topic") or self.match("topic")[:1]
        has_open_rows = bool(topics) and self.table.has_repeats(topics)
        return not has_open_rows

    def _find_runs_of_systems(self) -> list[str]:
        """A column `run` of names: systems, as in TREC; `run1, run2` may as well be runs of one system."""
        for name in filter(names_systems, RUN.match(self.free)):
            column = self.table.column(name)
            labels = map(str, column.json_values)
            if column.holds_texts and not all(map(is_numbered_run, labels)):
                return self.take([name])
        return []

    def _find_numbering(self) -> list[str]:
        """A column `index` is the topic if it does not number the rows of several summarizers throughout."""
        for name in filter(is_numbering, self.free):
            labels = [*map(str, self.table.column(name).json_values)]
            has_repeats = len({*labels}) < len(labels)
            if has_repeats or not self._has("summarizer"):
                return self.take([name])
        return []

    def _find_run(self) -> None:
        """Find the column of runs, unless the user names it: it tells the rows of a topic and summarizer apart."""
        if "run" in self.roles:
            return
        self.roles["run"] = ()
        keys = [*self.roles["topic"], *self.roles["summarizer"]]
        if not self._has("topic") or not self.table.has_repeats(keys):
            return
        for name in RUN.match(self.free):
            if not self.table.has_repeats([*keys, name]):
                self.roles["run"] = self.take([name])
                return

    def _find_repeated_run(self) -> str:
        """A column that numbers the runs of several rows: `epoch` with the values 1, 2, 1, 2; nothing if there is none.

        One that is different in each row, such as a random seed, does not.
        """
        for name in RUN.match(self.free):
            labels = [*map(str, self.table.column(name).json_values)]
            if 1 < len({*labels}) < len(labels):
                return name
        return ""

    def find_numbers(self) -> ColumnQuestion | None:
        """Find the columns of scores; where a row has summaries of several systems, those that say of which."""
        self.roles.setdefault("judgments", ())
        self.roles.setdefault("scores", ())
        keeps_unknown_keys = self.is_own and self.are_lines
        if "scores" not in self.named and not keeps_unknown_keys:
            self.roles["scores"] = self.take(filter(self._may_be_scores, self.free))
        has_several_systems = len(self.roles["summary"]) > 1
        if not has_several_systems or self.columns_are_runs:
            return None
        return self._split_numbers()

    def _may_be_scores(self, name: str) -> bool:
        """Whether a column holds numbers, and neither its name nor our own form says that they are something else."""
        is_aside = name in FLAT_FIELDS or is_index(name) or is_bookkeeping(name)
        if is_aside:
            return False
        return self.table.column(name).holds_nearly_numbers

    def _split_numbers(self) -> ColumnQuestion | None:
        """Find out which of several systems each column of numbers is about; others are left out."""
        systems = self.roles["summary"]
        unnamed_columns = exclude(self.table.columns, self.named_columns)
        for nested_field in ("judgments", "scores"):
            if nested_field in unnamed_columns:
                return ask_for_flat_numbers(nested_field, systems)
        numbers = [*self.roles["judgments"], *self.roles["scores"]]
        self.measures_by_system = split_by_system(numbers, systems)
        owned = {*chain.from_iterable(self.measures_by_system.values())}
        for role in ("judgments", "scores"):
            unowned = exclude(self.roles[role], owned)
            if unowned and role in self.named:
                raise _unowned_number(role, self.named[role], unowned[0], systems, self.file)
            self.roles[role] = exclude(self.roles[role], unowned)
            self.unowned += unowned
        return None

    def answer(self, summarizer: str) -> SummaryColumns:
        """The columns that were found."""
        roles = self.roles
        summaries = roles["summary"]
        systems: Sequence[str] = ()
        if len(summaries) > 1:
            systems = summaries
        used = {*chain.from_iterable(roles.values()), *_NESTED_FIELDS}
        ids = [*roles["topic"], *roles["summarizer"]]
        keeps_ids = self.is_own and not self.cells_are_text
        if keeps_ids:
            ids = []
        return SummaryColumns(
            topic=_first(roles["topic"]),
            summarizer=_first(roles["summarizer"]),
            summary=_first(summaries) or "",
            systems=tuple(systems),
            references=self._texts_or_own("references"),
            documents=self._texts_or_own("documents"),
            has_documents=bool(roles["documents"]),
            scores=tuple(roles["scores"]),
            judgments=tuple(roles["judgments"]),
            measures_by_system=self.measures_by_system,
            unowned=tuple(self.unowned),
            named=summarizer,
            unused=tuple(exclude(self.table.data_columns, used)),
            integral=frozenset(name for name in ids if self.table.column(name).is_integral),
            cells_are_text=self.cells_are_text,
            run=_first(roles["run"]),
            columns_are_runs=self.columns_are_runs,
        )

    def _texts_or_own(self, role: str) -> tuple[str, ...]:
        """The columns of a role; in our own form its own key, which later rows may have (a text table has all)."""
        columns = tuple(self.roles[role])
        if columns or self.cells_are_text:
            return columns
        if self.is_own:
            return (role,)
        return ()


def _first(columns: Sequence[str]) -> str | None:
    return columns[0] if columns else None


def _columns_named_by_user(named: Mapping[str, str], table: TableProfile, file: object) -> dict[str, Sequence[str]]:
    """By role, the columns of a table of summaries that the user names.

    Raises:
        UsageError: if a role or a column is not there, or several columns are named where one is needed.
    """
    check_roles(named)
    known_columns = {*table.columns}
    columns_by_role: dict[str, Sequence[str]] = {}
    for role, text in named.items():
        if role in ONLY_IN_JUDGMENTS:
            raise UsageError(
                f"{mention('columns', {role: text})}: only tables with a column of judges have the role {role!r}; name "
                f"it, too: {mention('columns', {'assessor': 'NAME'})}"
            )
        if role in ONLY_IN_SCORES:
            raise UsageError(
                f"{mention('columns', {role: text})}: only score tables have the role {role!r}, "
                f"and {file} is a table of summaries"
            )
        names = [name for name in text.split(TOGETHER) if name]
        if text in known_columns:  # a name may have a plus in it
            names = [text]
        unknown_names = exclude(names, known_columns)
        if unknown_names:
            name = unknown_names[0]
            raise UsageError(
                f"{mention('columns', {role: text})}: {file} has no column {name!r}"
                f"{explain_missing(name, table.columns, table.rows)}"
            )
        can_be_several = bool(names) and SUMMARY_ROLES[role].has_several
        if len(names) != 1 and not can_be_several:
            raise UsageError(f"{mention('columns', {role: text})}: expected the name of one column")
        columns_by_role[role] = names
    return columns_by_role


def _unowned_number(role: str, text: str, column: str, systems: Sequence[str], file: object) -> UsageError:
    """The error where the user names a column of numbers that does not say which system it is about."""
    return UsageError(
        f"{mention('columns', {role: text})}: each row of {file} has summaries of several systems "
        f"({', '.join(systems)}), and the column {column} does not say of which; name a column of each, such as "
        f"{column}_{systems[0]}, or give a table with one row per summary"
    )


def recognise_scores(
    table: TableProfile, named: Mapping[str, str], *, uses_bookkeeping: bool = True
) -> ScoreColumns | ColumnQuestion:
    """Which column of a score table is what; a question if the columns of numbers may be systems or measures.

    Without a column of systems, `gpt4, llama, bart` are probably systems, and `rouge1, fluency` are measures of one.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names; those that the table does not have belong to another one.
        uses_bookkeeping: whether latencies, lengths and the like are scores even next to other columns.

    Raises:
        UsageError: if `named` names a column both as a system and as something else.
    """
    columns = find_score_columns(table, named, uses_bookkeeping=uses_bookkeeping)
    measures = columns.measure_columns(table.number_columns)
    if "scores" not in named and not columns.systems and not columns.is_long and are_raters(measures):
        return ask_for_raters(measures)
    if "topic" not in columns.columns and table.rows:
        return ask_for_topics_of_scores(table, columns.columns.get("summarizer"), columns.systems or measures)
    is_clear = "scores" in named or columns.names_systems or columns.is_long
    if is_clear or "topic" not in columns.columns:
        return columns
    numbers = columns.measure_columns(table.number_columns)
    if len(numbers) < 2 or not may_be_systems(numbers):
        return columns
    if table.has_repeats([columns.columns["topic"]]):
        return columns  # a sheet with a column per system has each topic once
    grid = split_grid(numbers)
    if all(map(name_rater, numbers)) or any(map(name_rater, grid)):
        return ask_for_raters(numbers)
    if grid:
        return replace(columns, grid=grid)
    return ask_for_systems(table, numbers)


def find_score_columns(table: TableProfile, named: Mapping[str, str], *, uses_bookkeeping: bool = True) -> ScoreColumns:
    """Which column of a score table is what.

    Not used are columns that only number the rows; without `uses_bookkeeping`, latencies, lengths and the like, if a
    wide table of another program has anything else; and all others if the user says which ones are scores.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names; those that the table does not have belong to another one.
        uses_bookkeeping: whether latencies, lengths and the like are scores even next to other columns.

    Raises:
        UsageError: if `named` names a column both as a system and as something else.
    """
    systems = _columns_of_systems(table.columns, named)
    free = exclude(table.columns, systems)
    roles = _match_score_roles(table, free, named, has_systems=bool(systems))
    _add_run(roles, table, free, named)
    if "topic" not in roles.values():  # better than nothing, if it is not a mere number of the row
        numbering = [name for name in free if is_numbering(name)]
        roles |= dict.fromkeys(numbering[:1], "topic")
    roles = {column: role for column, role in roles.items() if role not in systems}  # a system may be called `run`
    _add_reason(roles, table, free)
    unused = _unused_score_columns(table, named, roles, uses_bookkeeping=uses_bookkeeping)
    return ScoreColumns(roles=roles, systems=tuple(systems), unused=tuple(name for name in free if name in unused))


def _columns_of_systems(columns: Collection[str], named: Mapping[str, str]) -> list[str]:
    """The columns that the user names as systems, if these are several: each holds the scores of one system.

    Args:
        columns: of the score table.
        named: by role, the columns that the user names.

    Raises:
        UsageError: if such a column is named as something else, too.
    """
    text = named.get("score", "")
    systems = [name for name in text.split(TOGETHER) if name in columns]
    if text in columns or len(systems) < 2:
        return []
    for role in ("topic", *exclude(ONLY_IN_SCORES, ["score"])):
        if named.get(role) in systems:
            raise UsageError(
                f"{mention('columns', {'score': text, role: named[role]})}: the column "
                f"{named[role]!r} is either a system or the {role}; name it once"
            )
    return systems


def _match_score_roles(
    table: TableProfile, free: Sequence[str], named: Mapping[str, str], *, has_systems: bool
) -> dict[str, str]:
    """By column, its role: topic, summarizer, and in a long table measure and value.

    Args:
        table: its columns and first rows.
        free: the columns that are no systems.
        named: by role, the columns that the user names.
        has_systems: whether columns are systems: then none names them.
    """
    roles: dict[str, str] = {}
    # Systems first: topics are what several of them share.
    for role in ("summarizer", "topic", *LONG_FIELDS):
        if role == "summarizer" and has_systems:
            continue
        matches = exclude(_name_or_match(SCORE_ROLES[role], free, named), roles)
        if role == "topic" and roles and role not in named:
            matches = table.match_topics(matches, next(iter(roles)), free)
        roles |= dict.fromkeys(matches[:1], role)
    shown_order = ("topic", "summarizer", *LONG_FIELDS)
    roles = dict(sorted(roles.items(), key=lambda item: shown_order.index(item[1])))
    if _is_long(roles, table):
        return roles
    for column, role in list(roles.items()):
        if role in LONG_FIELDS and column != role:  # in a wide table, `score` is a measure
            del roles[column]
    return roles


def _is_long(roles: Mapping[str, str], table: TableProfile) -> bool:
    """Whether a score table has a row for each score, with the measure in words.

    Args:
        roles: by column, its role.
        table: its columns and first rows.
    """
    column_by_role = {role: column for column, role in roles.items()}
    if not {*LONG_FIELDS} <= column_by_role.keys():
        return False
    if not table.rows:
        return True
    return table.column(column_by_role["measure"]).holds_texts


def _name_or_match(role: Role, columns: Sequence[str], named: Mapping[str, str]) -> list[str]:
    """The column that the user names for a role, if the table has it; else those that fit by name."""
    if named.get(role.name) in columns:
        return [named[role.name]]
    return role.match(columns)


def _add_run(roles: dict[str, str], table: TableProfile, free: Sequence[str], named: Mapping[str, str]) -> None:
    """Add the column of runs, which are systems if they have names and no other column has systems, as in TREC."""
    runs = _name_or_match(RUN, free, named)
    if named.get("run") not in runs:
        runs = exclude(runs, roles)
    if not runs:
        return
    run = runs[0]
    has_names = names_systems(run) and table.column(run).holds_texts
    if has_names and "summarizer" not in roles.values():
        roles[run] = "summarizer"
    else:
        roles[run] = "run"


def _add_reason(roles: dict[str, str], table: TableProfile, free: Sequence[str]) -> None:
    """Add the column of reasons for the scores, if there is just one: of words, and called after reasons."""
    names = exclude(free, roles)
    texts = [name for name in names if all(isinstance(cell, str) for cell in table.column(name).values)]
    words = [name for name in texts if table.column(name).holds_texts]
    reasons = JUDGMENT_ROLES["comment"].match(words)
    if not reasons:
        numbers = exclude(table.number_columns, roles)
        reasons = [*match_reasons(numbers, words).values()]
    if len(reasons) == 1:
        roles[reasons[0]] = "reason"


def _unused_score_columns(
    table: TableProfile, named: Mapping[str, str], roles: Mapping[str, str], *, uses_bookkeeping: bool
) -> set[str]:
    """The columns of a score table that nothing uses."""
    free = exclude(table.columns, (*roles, *SCORE_FIELDS_ASIDE))
    scores = {*named.get("scores", "").split(TOGETHER)}.intersection(table.columns) - {""}
    unused = {*filter(is_index, free)}
    unused |= {*roles.values()} - roles.keys()  # another column plays the role of this name
    if scores:
        return unused | {*exclude(free, scores)}
    is_ours = "signature" in table.columns or {*LONG_FIELDS} <= {*roles.values()}
    if uses_bookkeeping or is_ours:
        return unused
    bookkeeping = {*filter(is_bookkeeping, free)}
    measures = exclude(free, unused | bookkeeping)
    has_only_texts = all(table.column(name).holds_texts for name in measures)
    if has_only_texts:
        return unused
    return unused | bookkeeping


def recognise_judgments(
    columns: Sequence[str],
    named: Mapping[str, str],
    *,
    file: object,
    rows: Sequence[Mapping[str, object]] = (),
    uses_bookkeeping: bool = True,
) -> JudgmentColumns | ColumnQuestion:
    """Which column of a table of judgments is what.

    Args:
        columns: of the table, without those of texts.
        rows: the first rows, by which topics are told from numbers of rows.
        named: by role, the column that the user names; any other key is a question with its column, and then only such
            columns are questions.
        file: the path of the table.
        uses_bookkeeping: whether latencies, lengths and the like are questions even next to other columns.

    Raises:
        UsageError: if `named` names a column that is not there.
    """
    for role, column in named.items():
        if column not in columns:
            raise UsageError(
                f"{mention('columns', {role: column})}: {file} has no column {column!r}; it has: {', '.join(columns)}"
            )
    questions = {name: column for name, column in named.items() if name not in JUDGMENT_ROLES}
    roles = _match_judgment_roles(TableProfile(columns, rows), named, [*questions.values()])
    has_answers = {"question", "value"} <= roles.keys()
    is_long = has_answers and not questions
    if not is_long:
        for role in exclude(("question", "value"), named):  # such a column is a question of a wide table
            roles.pop(role, None)
        if not questions:
            rest = exclude(columns, (*roles.values(), *filter(is_index, columns)))
            reasons = match_reasons(rest, rest)
            questions = {name: name for name in exclude(rest, reasons.values())}
            if not uses_bookkeeping:
                questions = _without_bookkeeping(questions)
    required = [role.name for role in JUDGMENT_ROLES.values() if role.is_required]
    missing_roles = exclude(required, roles)
    if missing_roles:
        return ask_for_judgments(columns, missing_roles, [*roles.values()])
    if not questions and not is_long:
        certain = exclude(roles, ("assessor", "question", "value"))
        return ask_for_answers(columns, [roles[role] for role in certain], is_imported=uses_bookkeeping)
    reasons = match_reasons(questions, exclude(columns, (*roles.values(), *questions.values())))
    used = (*roles.values(), *questions.values(), *reasons.values(), *filter(is_index, columns))
    return JudgmentColumns(columns=roles, questions=questions, reasons=reasons, unused=tuple(exclude(columns, used)))


def _without_bookkeeping(questions: Mapping[str, str]) -> dict[str, str]:
    """The questions without latencies, lengths and the like, unless these are all that there is."""
    answers = {name: column for name, column in questions.items() if not is_bookkeeping(name)}
    return answers or dict(questions)


def _match_judgment_roles(table: TableProfile, named: Mapping[str, str], questions: Sequence[str]) -> dict[str, str]:
    """By role, the column that the user names, else the first that fits by name."""
    columns = table.columns
    roles = {role: named[role] for role in JUDGMENT_ROLES if role in named}
    _add_match(roles, "summarizer", columns, questions)
    if "topic" not in roles and "summarizer" in roles and table.rows:
        free = exclude(columns, (*roles.values(), *questions))
        topics = table.match_topics(JUDGMENT_ROLES["topic"].match(free), roles["summarizer"], free)
        roles |= dict(zip(["topic"], topics, strict=False))
    for role in ("topic", "assessor", "question", "value"):
        _add_match(roles, role, columns, questions)
    roles = {role: roles[role] for role in JUDGMENT_ROLES if role in roles}
    for role in _OPTIONAL_OF_JUDGMENTS:
        if role in columns:
            roles.setdefault(role, role)
    _add_match(roles, "run", columns, questions)
    _add_match(roles, "comment", columns, questions)
    return roles


def _add_match(roles: dict[str, str], role: str, columns: Sequence[str], questions: Sequence[str]) -> None:
    """Add the first free column that fits a role of judgments by name, if none plays it yet."""
    if role in roles:
        return
    free = exclude(columns, (*roles.values(), *questions))
    matches = JUDGMENT_ROLES[role].match(free)
    if matches:
        roles[role] = matches[0]

"""What the columns of a table with one row per summary mean: `SummaryColumns`, or a `ColumnQuestion` to be answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from pyramidion.errors import UsageError, mention
from pyramidion.files.problems import Place
from pyramidion.intake.column_questions import (
    ColumnQuestion,
    ask_for_flat_numbers,
    ask_for_keys,
    ask_for_topics,
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
    ONLY_IN_JUDGMENTS,
    ONLY_IN_SCORES,
    PLURALS,
    RUN,
    SUMMARY_ROLES,
    TOGETHER,
    check_roles,
    exclude,
    is_bookkeeping,
    is_index,
    is_numbered_run,
    is_numbering,
    names_systems,
    plain_name,
)
from pyramidion.intake.wide import split_by_system

FLAT_FIELDS = ("topic", "summarizer", "run", "summary", "references", "documents", "judgments", "scores", "simulated")
"""The keys of our own form of a table with one row per summary."""


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


_NESTED_FIELDS = ("judgments", "scores", "simulated")
"""Fields of our own form that are read from columns of these names, whatever the other columns are called."""


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
        if role == "documents" and self._holds_document_ids(name):
            return False
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
        self._find_id("topic", otherwise=lambda: self._find_document_ids() or self._find_numbering())
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

    def _find_document_ids(self) -> list[str]:
        """A column `article` or `story` that holds ids instead of texts: the topic, if no other one is."""
        names = SUMMARY_ROLES["documents"].match(self.free)
        return self.take([name for name in names if self._holds_document_ids(name)][:1])

    def _holds_document_ids(self, name: str) -> bool:
        """Whether a column that is called after documents names topics: a word or number, once for a system."""
        if name == "documents" or "topic" in self.named or self.match("topic"):
            return False
        column = self.table.column(name)
        is_label = column.is_short and column.word_count <= 1
        systems = self.roles.get("summarizer") or self.match("summarizer")[:1]
        return is_label and column.unique_count > 1 and not self.table.has_repeats([name, *systems])

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

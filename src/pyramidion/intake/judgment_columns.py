"""What the columns of a table of judgments mean: `JudgmentColumns`, or a `ColumnQuestion` to be answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pyramidion.errors import UsageError, mention
from pyramidion.intake.cells import keys_of
from pyramidion.intake.column_questions import (
    ColumnQuestion,
    ask_for_answers,
    ask_for_judgments,
)
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    exclude,
    is_bookkeeping,
    is_index,
    match_reasons,
)


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


_OPTIONAL_OF_JUDGMENTS = ("run", "time", "seconds", "comment")
"""Further fields of a judgment, read where columns have exactly these names; runs and comments also under others."""


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

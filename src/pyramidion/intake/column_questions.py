"""What to ask where the columns of a table are not clear: what was found, and the option that the user can type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.errors import mention
from pyramidion.files.problems import Place
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import PREFERENCE_ROLES, SUMMARY_ROLES, TOGETHER, exclude, is_index, split_words

IN_MEMORY = "(rows in memory)"
"""What problems name instead of a file."""
_REFERENCE_WORDS = frozenset(
    {"gold", "golden", "ref", "reference", "references", "target", "truth", "human", "expected"}
)
_SUMMARY_WORDS = frozenset(
    {"summary", "summ", "pred", "prediction", "output", "out", "generated", "gen", "hyp", "response", "completion"}
)
"""Words that hint at what a column holds."""
_TURN_ROUND = "If each column is a topic, turn the table round: a row for each topic, a column for each system."
_SHOWN_GUESSES = 3
"""Columns that a remedy offers for one role, at most."""
_MUCH_LONGER = 3
"""How many times as long as the shortest texts those of documents are, at least."""


@dataclass(frozen=True)
class ColumnQuestion:
    """What only the user knows about a table: nothing can be read before it is answered."""

    found: str
    expected: str
    remedy: str
    """What to type, and what it means."""
    field: str | None = None

    def note(self, at: Place) -> None:
        """Note it as an error of the first line of a file."""
        at.at(1).error(self.found, self.expected, self.remedy, field=self.field)


def option_for(columns_by_role: Mapping[str, Sequence[str]]) -> str:
    """The option that says which column is what."""
    return mention("columns", {role: TOGETHER.join(columns) for role, columns in columns_by_role.items()})


def report_missing_summary_column(
    table: TableProfile,
    free_columns: Sequence[str],
    columns_by_role: Mapping[str, Sequence[str]],
    *,
    completes: bool = False,
) -> ColumnQuestion:
    """Ask which column holds the summaries: all columns, what each looks like, and the option to type.

    Args:
        table: the whole table.
        free_columns: columns that play no role yet.
        columns_by_role: those that do.
        completes: whether it may have references only, of summaries in other files.
    """
    sides = [PREFERENCE_ROLES[side].match(table.short_columns) for side in ("a", "b")]
    if all(sides):
        return _ask_for_winner(table, [sides[0][0], sides[1][0]])
    # Long texts are asked about first; short ones only where there is nothing else that could be summaries.
    texts = [name for name in table.unknown_prose if name in free_columns]
    has_systems = bool(SUMMARY_ROLES["summarizer"].match(table.id_columns))
    if len(texts) > 1 and _are_numbered(texts):
        question = ask_whose_columns(texts, has_systems=has_systems)
        return replace(question, remedy=f"{question.remedy} {_TURN_ROUND}")
    if not texts:
        texts = _short_texts(table, free_columns)
        words = [name for name in texts if _may_be_grades(table, name)]
        if words and words == texts and len(table.id_columns) == 2:
            return _ask_for_numbers(table, words)
    guess = _guess_roles(table, texts, columns_by_role)
    has_topics = bool(SUMMARY_ROLES["topic"].match(table.id_columns))
    if not texts and not has_topics and table.score_columns:
        return ask_for_topics_of_scores(table, None, table.score_columns)
    remedies = [_name_the_guess(guess)] if texts else []
    has_references = bool(columns_by_role.get("references"))
    is_one_system = len(guess["summary"]) == 1
    if is_one_system and completes and len(texts) == 1 and not has_references:
        remedies = [
            f"If these are references: {option_for({'references': texts})}",
            f"If they are summaries: {option_for({'summary': texts})}",
        ]
    elif is_one_system and _may_be_a_system_each(table, texts, guess):
        remedies.append(f"If each column is a system: {option_for({'summary': texts})}")
    has_other_texts = has_references or bool(table.match("documents"))
    if has_other_texts and not texts:
        remedies.append("If the summaries are in another file, give both files: they are joined by topic")
    scores = table.score_columns
    # Then even columns that are called like latencies may be meant: there is nothing else to score.
    if not scores and not texts:
        scores = table.number_columns
    if scores and SUMMARY_ROLES["topic"].match(table.id_columns):
        remedies.append(f"If this is a table of scores: {option_for({'scores': scores})}")
    if not remedies:
        remedies.append("Add a column of summaries, or of numbers")
    return ColumnQuestion(
        f"the columns {table.describe()}",
        "a column of summaries, such as summary or prediction",
        f"{'. '.join(remedies)}.",
    )


def _ask_for_winner(table: TableProfile, sides: Sequence[str]) -> ColumnQuestion:
    """Ask which column says who of the two systems of each row won.

    Args:
        table: the whole table.
        sides: the columns of the two systems.
    """
    choices = [name for name in table.label_columns if name not in sides]
    # Sorting is stable: names that speak of winners first.
    choices.sort(key=lambda name: "winner" not in split_words(name))
    remedy = "Add a column `winner` with model_a, model_b or tie."
    if choices:
        remedy = f"Name the column that says who won: {option_for({'winner': choices[:1]})}."
    return ColumnQuestion(
        f"the systems {' and '.join(sides)} in each row, but no winner: {table.describe()}",
        "a column that says which of the two is better",
        remedy,
    )


def _may_be_grades(table: TableProfile, name: str) -> bool:
    """Whether a column has few different words that come again and again: "good", "poor"."""
    column = table.column(name)
    return column.is_short and 2 * column.unique_count <= len(column.values)


def _ask_for_numbers(table: TableProfile, words: Sequence[str]) -> ColumnQuestion:
    """Ask for numbers in place of words such as "good", whose order nobody knows; or for the summaries."""
    return ColumnQuestion(
        f"the columns {table.describe()}",
        "numbers, or a column of summaries, such as summary or prediction",
        f"If {' and '.join(words)} holds grades, write numbers for its words, such as 1 for the worst. If it holds the "
        f"summaries: {option_for({'summary': words[:1]})}.",
    )


def _name_the_guess(guess: Mapping[str, Sequence[str]]) -> str:
    """What to type if the guess is right."""
    option = option_for(guess)
    is_one_system = len(guess["summary"]) == 1
    is_one_role = len(guess) == 1
    if is_one_system and is_one_role:
        return f"Say which one it is: {option}"
    if is_one_system:
        return f"Say which is which: {option}"
    if is_one_role:
        return f"Name the columns of summaries, one per system: {option}"
    return f"Say which is which: {option}, each column of summaries a system"


def _may_be_a_system_each(table: TableProfile, texts: Sequence[str], guess: Mapping[str, Sequence[str]]) -> bool:
    """Whether several columns of texts, all of them guessed to be something, may as well be a system each."""
    guessed_count = sum(map(len, guess.values()))
    if len(texts) == 1 or guessed_count != len(texts):
        return False
    return not SUMMARY_ROLES["summarizer"].match(table.id_columns)


def _short_texts(table: TableProfile, free_columns: Sequence[str]) -> list[str]:
    """Columns of any words that are neither ids nor known to be texts of another role."""
    named: list[str] = []
    for role in ("topic", "summarizer", "documents", "references"):
        named += table.match(role)
    unnamed = exclude(free_columns, named)
    return [name for name in unnamed if table.column(name).word_count]


def _guess_roles(
    table: TableProfile, texts: Sequence[str], columns_by_role: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """By role, the columns of texts that most likely play it."""
    if not texts:
        return {"summary": []}
    # Sorting is stable: names that speak of summaries or outputs first, else the order of the table.
    summaries = sorted(texts, key=lambda name: _SUMMARY_WORDS.isdisjoint(split_words(name)))
    guess: dict[str, list[str]] = {}
    if len(summaries) > 1 and not columns_by_role.get("references"):
        reference = _guess_reference(table, summaries)
        summaries.remove(reference)
        guess["references"] = [reference]
    if not (columns_by_role.get("documents") or table.match("documents")):
        documents = _guess_documents(table, texts, summaries[1:])
        summaries = [name for name in summaries if name not in documents]
        if documents:
            guess["documents"] = documents
    # Rows name their systems, so one column has the summaries: the one that differs within topics.
    if SUMMARY_ROLES["summarizer"].match(table.id_columns):
        summaries.sort(key=lambda name: not _varies(table, name))
        del summaries[1:]
    return {"summary": summaries, **guess}


def may_be_reference(name: str) -> bool:
    """Whether the name of a column of texts hints at references: `summary_human`, `gold_v2`."""
    return not _REFERENCE_WORDS.isdisjoint(split_words(name))


def _are_numbered(texts: Sequence[str]) -> bool:
    """Whether columns differ in a number alone, such as output1 and output2: they play one role."""
    stems = {name.rstrip("0123456789") for name in texts}
    return len(stems) == 1


def _guess_reference(table: TableProfile, texts: Sequence[str]) -> str:
    """The column of references: by its name; else the shortest that is the same for all summaries of a topic."""
    hinted = [name for name in texts if may_be_reference(name)]
    if hinted:
        return hinted[0]
    shared = [name for name in texts if not _varies(table, name)]
    # All columns alike within topics tell nothing: each row may then be a topic of its own.
    if shared and len(shared) < len(texts):
        return min(shared, key=lambda name: table.column(name).word_count)
    return texts[1]


def _guess_documents(table: TableProfile, texts: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """The columns of documents: those whose texts are much longer than the shortest."""
    # Compared with the shortest of all texts, which is a summary or a reference.
    shortest = min(table.column(name).word_count for name in texts)
    return [name for name in candidates if table.column(name).word_count >= _MUCH_LONGER * shortest]


def _varies(table: TableProfile, name: str) -> bool:
    """Whether the rows of some topic differ in a column."""
    topics = SUMMARY_ROLES["topic"].match(table.id_columns)
    return any(table.varies_within(name, topic) for topic in topics)


def ask_which_summary(summary: str, prediction: str) -> ColumnQuestion:
    """Ask which of two columns holds the summaries to score, where a third one holds the references."""
    return ColumnQuestion(
        f"the columns {summary} and {prediction}, which may both be the summaries to score",
        "one column of summaries",
        f"Say which one: {option_for({'summary': [prediction]})} or {option_for({'summary': [summary]})}.",
    )


def ask_whether_systems(systems: Sequence[str], other: str) -> ColumnQuestion:
    """Ask whether columns of summaries with similar names are systems, where another column may hold the summaries.

    Args:
        systems: columns such as summary_A and summary_B.
        other: a column such as summary.
    """
    as_systems = option_for({"summary": systems, "references": [other]})
    without_references = option_for({"summary": systems})
    return ColumnQuestion(
        f"the columns {', '.join(systems)}, which may be systems, next to the column {other}",
        "one column of summaries, or one for each system",
        f"If {other} holds the references: {as_systems}. If the others are the systems: {without_references}. "
        f"If {other} holds the summaries to score: {option_for({'summary': [other]})}.",
    )


def ask_for_topics(columns: Sequence[str], run: str) -> ColumnQuestion:
    """Ask for the column of topics of a table with several runs: without it, runs can't be counted.

    Args:
        columns: of the table.
        run: the column of runs.
    """
    option = option_for({"topic": ["NAME"]})
    return ColumnQuestion(
        f"several runs (column {run}), but no column of topics: {', '.join(columns)}",
        "a column that says which rows are of the same topic",
        f"Name it: {option}; or add one; or keep one run, without a column {run}.",
    )


def ask_for_keys(table: TableProfile, topic: str, system: str, named: Mapping[str, str]) -> ColumnQuestion:
    """Ask whether two columns are the topics and the systems: otherwise all rows would be of one system.

    Args:
        table: the whole table.
        topic: the column that may hold topics.
        system: the column that may hold systems.
        named: by role, the columns that the user has named already.
    """
    already_named = {role: [columns] for role, columns in named.items()}
    return ColumnQuestion(
        f"the columns {table.describe()}",
        "a column of topics and one of systems",
        f"If {topic} has the topics and {system} the systems: "
        f"{option_for({'topic': [topic], 'summarizer': [system], **already_named})}. "
        "If all rows are of one system, add a column `id` with another id in each row.",
    )


def ask_for_flat_numbers(field: str, systems: Sequence[str]) -> ColumnQuestion:
    """Say that an object of judgments or scores can't be of several systems.

    Args:
        field: the column with such objects.
        systems: the columns of summaries.
    """
    return ColumnQuestion(
        f"{field} of a row with summaries of several systems ({', '.join(systems)})",
        "a row for each summary where rows have judgments or scores",
        "Write the table with one row per summary.",
        field=field,
    )


def ask_for_topics_of_scores(table: TableProfile, system: str | None, numbers: Sequence[str]) -> ColumnQuestion:
    """Ask what a table of scores without topics is about: systems are compared topic by topic.

    Args:
        table: the whole table.
        system: the column of systems, if there is one.
        numbers: the columns of numbers.
    """
    keys = table.guess_keys(exclude(table.data_columns, numbers))
    remedies: list[str] = []
    if system is None and keys is not None:
        topic, guessed_system = keys
        option = option_for({"topic": [topic], "summarizer": [guessed_system]})
        remedies.append(f"If {topic} has the topics and {guessed_system} the systems: {option}")
    elif system is not None and len(numbers) > 1 and not table.has_repeats([system]):
        remedies.append(_TURN_ROUND.removesuffix("."))
        remedies.append("If the numbers are means over topics, give the scores of each topic instead")
    else:
        keys_of_systems = [system] if system else []
        words = exclude(table.short_columns, [*numbers, *keys_of_systems])
        topics = [name for name in words if not table.has_repeats([name, *keys_of_systems])]
        remedies += [f"If {name} has the topics: {option_for({'topic': [name]})}" for name in topics[:_SHOWN_GUESSES]]
        remedies.append("Add a column `id` that says which topic each row is about, if no column does")
    return ColumnQuestion(
        f"the columns {table.describe()}", "scores of each system for each topic", f"{'. '.join(remedies)}."
    )


def ask_for_systems(table: TableProfile, numbers: Sequence[str]) -> ColumnQuestion:
    """Ask whether the columns of numbers of a score table are systems or measures.

    Args:
        table: the whole table.
        numbers: the columns of numbers.
    """
    as_topics = f" {_TURN_ROUND}" if _are_numbered(numbers) else ""
    return ColumnQuestion(
        f"the columns {table.describe()}",
        "a column of systems, or columns of numbers whose names say what was measured",
        f"If each column of numbers is a system: {option_for({'score': numbers})}. "
        f"If each is a measure of one system: {option_for({'scores': numbers})}.{as_topics}",
    )


def ask_for_raters(names: Sequence[str]) -> ColumnQuestion:
    """Ask for a row for each rater, where raters have a column each.

    Args:
        names: the columns.
    """
    return ColumnQuestion(
        f"the columns {', '.join(names)}, which seem to be raters, each with a column",
        "a row for each answer, with a column rater that says whose it is; or columns that are called after what was "
        "measured",
        f"Write the table with one row per rater. If each column is a measure: {option_for({'scores': names})}.",
    )


def ask_whose_texts(column: str, size: int, *, has_systems: bool) -> ColumnQuestion:
    """Ask whether a list of texts is of several systems, several runs of one, or the sentences of one summary.

    Args:
        column: with a list in each row.
        size: how many texts each list has.
        has_systems: whether a column names the system of each row.
    """
    items = [f"{column}[{number}]" for number in range(size)]
    return ColumnQuestion(
        f"{size} texts in each cell of the column {column}",
        "one summary, or one for each system",
        f"{_as_systems_or_runs(items, has_systems=has_systems)} If they are the sentences of one summary: "
        f"{option_for({'summary': [column]})}.",
        field=column,
    )


def ask_whose_columns(columns: Sequence[str], *, has_systems: bool) -> ColumnQuestion:
    """Ask whether columns of summaries that differ in a number are several systems, or several runs of one.

    Args:
        columns: such as output1 and output2.
        has_systems: whether a column names the system of each row.
    """
    remedy = _as_systems_or_runs(columns, has_systems=has_systems)
    if not has_systems:
        remedy += f" If only one of them counts: {option_for({'summary': columns[:1]})}."
    return ColumnQuestion(
        f"the columns {', '.join(columns)}, which may be systems or runs",
        "one column of summaries, or one for each system",
        remedy,
    )


def _as_systems_or_runs(columns: Sequence[str], *, has_systems: bool) -> str:
    """What to type if texts are of several systems, and if they are runs of one."""
    option = option_for({"summary": columns})
    runs = f"If they are runs of one system: {option} {mention('runs', True)} (scores are averaged)."
    return runs if has_systems else f"If each is of another system: {option}. {runs}"


def ask_for_answers(columns: Sequence[str], taken: Sequence[str], *, is_imported: bool) -> ColumnQuestion:
    """Ask which column of a table of judgments holds the answers.

    Args:
        columns: of the table.
        taken: columns that play a role for certain.
        is_imported: whether the table is imported as judgments: then an option may name a question.
    """
    free = exclude(columns, (*taken, *filter(is_index, columns)))
    remedy = "Add a column for each question, with the answers."
    if free:
        role = "QUESTION" if is_imported else "scores"
        remedy = f"Say which column has the answers, for instance: {mention('columns', {role: free[0]})}."
    return ColumnQuestion(
        f"the columns {', '.join(columns)}",
        "topic, summarizer, and a column for each question; or topic, summarizer, question and value",
        remedy,
    )


def ask_for_judgments(columns: Sequence[str], missing_roles: Sequence[str], taken: Sequence[str]) -> ColumnQuestion:
    """Ask which columns of a table are those of judgments.

    Args:
        columns: of the table.
        missing_roles: the roles that each table of judgments needs, and that no column plays.
        taken: columns that play a role for certain.
    """
    free = exclude(columns, (*taken, *filter(is_index, columns)))
    names = [*free, "A", "B"]
    columns_by_role = dict(zip(missing_roles, names, strict=False))
    remedy = f"Say which is which, for instance: {mention('columns', columns_by_role)}."
    if list(missing_roles) == ["topic"] and len(free) <= 1:  # the one column that is free holds the answers
        remedy = "Add a column `id` that says which topic each row is about."
    return ColumnQuestion(
        f"the columns {', '.join(columns)}",
        "topic, summarizer, and a column for each question; or topic, summarizer, question and value",
        remedy,
    )

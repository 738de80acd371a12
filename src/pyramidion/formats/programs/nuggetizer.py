"""nuggetizer: what castorini's nuggetizer assigned: vital and okay nuggets, and which of them each answer supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.nouns import Importance, Match
from pyramidion.files.opening import stem_of
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.json_values import id_of, list_in, objects_in, text_in, text_or_empty
from pyramidion.formats.programs.nugget_lists import NuggetLists

IMPORTANCES: Mapping[Any, Importance | None] = {"vital": "vital", "okay": "okay", "failed": None, None: None}
"""What the program writes; "failed" where the model gave no usable answer."""
ASSIGNMENTS = ("support", "partial_support", "not_support", "failed")


def detect(glimpse: Glimpse) -> bool:
    """Whether the rows are answers, or lists of nuggets, of nuggetizer."""
    return glimpse.names_all(("qid", "nuggets", "importance")) and glimpse.table_kind in ("json", "jsonl")


def read(paths: Sequence[Path], problems: Problems, *, annotator: str = "nuggetizer") -> Campaign:
    """The answers of `nuggetizer assign`, with their nuggets; lists of `nuggetizer create` may be given with them.

    Args:
        paths: JSON lines.
        problems: takes errors and warnings.
        annotator: the name under which the assignment is kept.
    """
    builder = NuggetLists(paths[0].stem, annotator=annotator)
    for at, row in objects_in(paths, problems):
        topic = id_of(row.get("qid"))
        if topic is None:
            at.error(found="no id", expected="the id of the query", remedy="Correct the row.", field="qid")
            continue
        if "candidate_text" in row:
            at.error(
                found="a retrieved passage",
                expected="an answer (answer_text)",
                remedy="Import what nuggetizer writes when it assigns nuggets to answers.",
                field="candidate_text",
            )
            continue
        builder.add_query(topic, text_or_empty(row.get("query")))
        is_answer = "answer_text" in row
        summarizer = id_of(row.get("run_id")) or stem_of(Path(at.file))
        matches = _read_nuggets(builder, topic, row, at, needs_assignment=is_answer)
        if not is_answer:
            continue
        if (topic, summarizer) in builder.peers:
            at.error(
                found=f"another answer of {summarizer!r} to {topic!r}",
                expected="one answer of each run to each query",
                remedy="Keep one of them, or give the runs different names (run_id).",
            )
            continue
        builder.add_peer(topic, summarizer, row["answer_text"], at)
        if (topic, summarizer) in builder.peers:
            builder.add_matches(topic, summarizer, matches)
    builder.note_no_row_in(paths, problems, "rows of nuggetizer")
    _note_no_answers(builder, problems.at(paths[0]))
    builder.note_holes(problems.at(paths[0]))
    builder.add_pyramids()
    return builder.build()


def _read_nuggets(
    builder: NuggetLists, topic: str, row: Mapping[str, Any], at: Place, *, needs_assignment: bool
) -> list[Match]:
    """Add the nuggets of a row, and say which of them its answer supports."""
    matches: dict[int, Match] = {}
    for nugget in list_in(row, "nuggets", at):
        if not isinstance(nugget, dict):
            at.error(found=shorten(nugget), expected="an object {…}", remedy="Correct the row.", field="nuggets")
            continue
        text = text_in(nugget, "text", at)
        importance = nugget.get("importance")
        if not text or not _is_known(importance, IMPORTANCES, "importance", at):
            continue
        uid = builder.add_nugget(topic, text, IMPORTANCES[importance], at)
        assignment = nugget.get("assignment")
        if not needs_assignment or not _is_known(assignment, ASSIGNMENTS, "assignment", at):
            continue
        reasoning = text_or_empty(nugget.get("reasoning"))
        is_partial = assignment == "partial_support"
        if uid in matches:
            at.error(found=f"the nugget {text!r} twice", expected="each once", remedy="Keep one.", field="nuggets")
        matches[uid] = Match(uid=uid, present=assignment == "support", partial=is_partial, comment=reasoning)
    return list(matches.values())


def _is_known(value: Any, words: Sequence[str] | Mapping[Any, Any], field: str, at: Place) -> bool:
    """Whether a value is one of the words that the program writes; else an error."""
    if (value is None or isinstance(value, str)) and value in words:
        return True
    names = ", ".join(word for word in words if word)
    at.error(found=shorten(value), expected=f"one of {names}", remedy="Correct the value.", field=f"nuggets.{field}")
    return False


def _note_no_answers(builder: NuggetLists, at: Place) -> None:
    """An error if there are nuggets, but no answer that they were assigned to."""
    if builder.peers or not builder.nuggets or at.problems.errors:
        return
    at.error(
        found="nuggets without answers",
        expected="answers that the nuggets were assigned to",
        remedy="Import what `nuggetizer assign` writes; its rows have answer_text.",
    )


FORMAT = Format(
    name="nuggetizer",
    description="answers with vital and okay nuggets, as castorini's nuggetizer assigns them (JSON lines)",
    detector=detect,
    within=("*.jsonl",),
    several=True,
    reader=read,
    options={"annotator": "the name under which the assignment is kept; by default nuggetizer"},
)

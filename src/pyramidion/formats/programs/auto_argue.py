"""auto-argue: reports that Auto-ARGUE judged, and the nugget banks that it judged them with.

A nugget is a question with answers. A report supports it if its sentences give one of the answers (or all of them,
where the question says AND), as Auto-ARGUE counts it; some of several answers that are all needed are partial support.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.nouns import Importance, Match
from pyramidion.files.opening import stem_of
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.glimpse import names_keys
from pyramidion.formats.json_values import Item, id_of, listed, object_at, objects_in, objects_of, text_or_empty
from pyramidion.formats.programs.nugget_lists import NuggetLists
from pyramidion.show.wording import counted

ANSWERS = "SENTENCE_ANSWERS_QUESTION"
IMPORTANCES: Mapping[Any, Importance] = {"vital": "vital", "okay": "okay"}


@dataclass(frozen=True)
class _BankQuestion:
    """A question of a nugget bank."""

    uid: int
    answers: frozenset[str]
    needs_all: bool

    def match(self, given: frozenset[str]) -> Match:
        """Whether answers that a report gives are enough."""
        gold = given & self.answers
        is_enough = gold == self.answers if self.needs_all else bool(gold)
        is_present = is_enough and bool(gold)
        return Match(uid=self.uid, present=is_present, partial=bool(gold) and not is_present)


def read(paths: Sequence[Path], problems: Problems, *, annotator: str = "auto-argue") -> Campaign:
    """The judged reports of all files, with the nugget banks of their topics.

    Args:
        paths: files of judgments (JSON lines) and of nugget banks (JSON, or JSON lines), or folders with both.
        problems: takes errors and warnings.
        annotator: the name under which the judgments are kept.
    """
    builder = NuggetLists(paths[0].stem, annotator=annotator)
    banks: dict[str, dict[str, _BankQuestion]] = {}
    reports: list[tuple[Place, Item]] = []
    for at, row in objects_in(paths, problems):
        if "nugget_bank" in row:
            _add_bank(builder, banks, row, at)
        elif "report" in row and "judgments" in row:
            reports.append((at, row))
        else:
            at.error(
                found=f"an object with {', '.join(map(shorten, list(row)[:4]))}",
                expected="a judged report (report, judgments) or a nugget bank (nugget_bank)",
                remedy="Give the files that Auto-ARGUE writes, and its nugget banks.",
            )
    for at, row in reports:
        _add_report(builder, banks, row, at)
    if not reports and not problems.errors:
        problems.at(paths[0]).error(
            found="no judged report",
            expected="the judgments of Auto-ARGUE (.judgments.jsonl)",
            remedy="Give them together with the nugget banks.",
        )
    builder.note_holes(problems.at(paths[0]))
    builder.add_pyramids()
    return builder.build()


def _add_bank(builder: NuggetLists, banks: dict[str, dict[str, _BankQuestion]], row: Item, at: Place) -> None:
    """Add the questions of a topic's nugget bank."""
    topic = id_of(row.get("query_id"))
    if topic is None:
        at.error(found="no id", expected="the id of the topic", remedy="Correct the file.", field="query_id")
        return
    if topic in banks:
        at.error(
            found=f"another nugget bank of {topic!r}",
            expected="one for each topic",
            remedy="Give one of them.",
            field="query_id",
        )
        return
    builder.add_query(topic, text_or_empty(row.get("title_query")))
    bank = banks[topic] = {}
    questions = object_at(row, "nugget_bank")
    unusable = 0
    for key, question in questions.items():
        if not isinstance(question, dict):
            at.error(found=shorten(question), expected="an object {…}", remedy="Correct it.", field="nugget_bank")
            continue
        text = text_or_empty(question.get("question")) or key
        answers = _answers_with_documents(question)
        if not answers:
            unusable += 1
            continue
        importance = IMPORTANCES.get(_word(question.get("importance")))
        comment = "; ".join(sorted(answers))
        uid = builder.add_nugget(topic, text, importance, at, comment=f"Answers: {comment}")
        needs_all = question.get("aggregator_type") == "AND"
        bank[text] = _BankQuestion(uid=uid, answers=answers, needs_all=needs_all)
    if unusable:
        at.warning(
            found=f"{counted(unusable, 'question')} without an answer that has a document",
            expected="answers with references",
            remedy="They were left out, as Auto-ARGUE does.",
            count=unusable,
        )
    if row.get("claim_bank"):
        at.warning(
            found="claims", expected="questions", remedy="Auto-ARGUE scores questions only; claims were left out."
        )


def _word(value: Any) -> str:
    return text_or_empty(value).lower()


def _answers_with_documents(question: Item) -> frozenset[str]:
    """The answers of a question that name a document; only these can be found in a report."""
    answers = question.get("answers")
    entries = answers.items() if isinstance(answers, dict) else ()
    with_documents = [text for text, answer in entries if objects_of(object_at(answer).get("references"))]
    return frozenset(map(str, with_documents))


def _add_report(builder: NuggetLists, banks: Mapping[str, Mapping[str, _BankQuestion]], row: Item, at: Place) -> None:
    """Add a report, and which nuggets of its topic its sentences answer."""
    metadata = object_at(row, "report", "metadata")
    topic = id_of(metadata.get("topic_id"))
    if topic is None:
        at.error(found="no id", expected="the id of the topic", remedy="Correct the row.", field="report.metadata")
        return
    if topic not in banks:
        at.error(
            found=f"a report on {topic!r} without a nugget bank",
            expected="a nugget bank with this query_id",
            remedy="Give the nugget banks together with the judgments.",
            field="report.metadata.topic_id",
        )
        return
    summarizer = id_of(metadata.get("run_id")) or stem_of(Path(at.file))
    sentences = objects_of(row.get("judgments"))
    texts = tuple(text_or_empty(sentence.get("text")) for sentence in sentences)
    if (topic, summarizer) in builder.peers:
        at.error(
            found=f"another report of {summarizer!r} on {topic!r}",
            expected="one report of each run on each topic",
            remedy="Keep one of them.",
        )
        return
    builder.add_peer(topic, summarizer, list(texts), at)
    given = _given_answers(sentences, banks[topic], at)
    matches = [nugget.match(frozenset(given[text])) for text, nugget in banks[topic].items()]
    builder.add_matches(topic, summarizer, matches)


def _given_answers(sentences: Sequence[Item], bank: Mapping[str, _BankQuestion], at: Place) -> Mapping[str, set[str]]:
    """By question, the answers that the sentences of a report give."""
    given: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for judgment in objects_of(sentence.get("judgments")):
            if judgment.get("judgment_type_id") != ANSWERS:
                continue
            for nugget in objects_of(object_at(judgment, "response").get("matched_nuggets")):
                question = text_or_empty(nugget.get("question_text"))
                if question not in bank:
                    at.error(
                        found=f"the question {shorten(question)}",
                        expected="a question of the topic's nugget bank",
                        remedy="Give the nugget banks that the reports were judged with.",
                        field="judgments",
                    )
                    continue
                answers = nugget.get("matched_answer")
                given[question].update(text for text in listed(answers) if isinstance(text, str))
    return given


FORMAT = Format(
    name="auto-argue",
    description="reports that Auto-ARGUE judged (JSON lines), with the nugget banks (JSON)",
    detector=names_keys(("judgment_type_id", "report"), ("nugget_bank", "query_id")),
    within=("*.json", "*.jsonl"),
    several=True,
    reader=read,
    options={"annotator": "the name under which the judgments are kept; by default auto-argue"},
)

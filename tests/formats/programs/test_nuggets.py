"""nuggetizer and auto-argue: nuggets become SCUs, and what answers support becomes annotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from formats.miniature import Import, Put, only
from pyramidion.campaign import CampaignWarning, Problems, write_folder
from pyramidion.formats import detect_format, find_format

NUGGETS = [
    {"text": "Python is a high-level programming language", "importance": "vital", "assignment": "support"},
    {"text": "Python was created by Guido van Rossum", "importance": "vital", "assignment": "support"},
    {"text": "Python is used for data science", "importance": "okay", "assignment": "partial_support"},
    {"text": "Python supports multithreading", "importance": "okay", "assignment": "not_support"},
]
ANSWER: dict[str, Any] = {
    "query": "What is Python?",
    "qid": "q1",
    "answer_text": "Python is a language.",
    "response_length": 4,
    "run_id": "run-123",
    "nuggets": NUGGETS,
}
"""The example that nuggetizer's repository gives of what `assign` writes."""


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_answers_become_summaries_and_nuggets_a_pyramid_without_models(put: Put, import_as: Import) -> None:
    path = put("a.jsonl", lines(ANSWER))
    assert detect_format(path) is find_format("nuggetizer")
    campaign, problems = import_as("nuggetizer", path)
    assert list(problems) == []
    [pyramid], [annotation] = campaign.pyramids, campaign.annotations
    assert (pyramid.topic, pyramid.annotator, pyramid.models) == ("q1", "nuggetizer", ())
    assert [(scu.uid, scu.importance) for scu in pyramid.scus] == [(1, "vital"), (2, "vital"), (3, "okay"), (4, "okay")]
    assert pyramid.scus[0].label == "Python is a high-level programming language"
    found = [(match.uid, match.present, match.partial) for match in annotation.scus]
    assert found == [(1, True, False), (2, True, False), (3, False, True), (4, False, False)]
    assert (campaign.topics[0].title, campaign.summaries[0].summarizer) == ("What is Python?", "run-123")


def test_a_campaign_of_nuggets_is_written_and_read_again_without_a_problem(put: Put, import_as: Import) -> None:
    campaign, _ = import_as("nuggetizer", put("a.jsonl", lines(ANSWER)))
    write_folder(campaign, Path("campaign"))
    with pytest.warns(CampaignWarning):  # there are no references
        again = pyramidion.load("campaign")
    assert (again.pyramids, again.annotations) == (campaign.pyramids, campaign.annotations)


def test_runs_share_the_nuggets_of_a_topic_and_lists_may_come_with_them(put: Put) -> None:
    created = {"query": "What is Python?", "qid": "q1", "nuggets": [{"text": "A fact", "importance": "vital"}]}
    first = put("runs/a.jsonl", lines(ANSWER))
    put("runs/b.jsonl", lines({**ANSWER, "run_id": None}, created))
    problems = Problems()
    campaign = find_format("nuggetizer").read(first.parent, problems)
    assert problems.errors == 0
    assert [len(pyramid.scus) for pyramid in campaign.pyramids] == [5]
    assert [annotation.summarizer for annotation in campaign.annotations] == ["run-123", "b"]


def change(field: str, value: Any) -> dict[str, Any]:
    return {**ANSWER, "nuggets": [{**NUGGETS[0], field: value}]}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([change("importance", "essential")], "found 'essential'; expected one of vital, okay, failed"),
        ([change("assignment", "maybe")], "expected one of support, partial_support, not_support, failed"),
        ([change("assignment", None)], "nuggets.assignment"),
        ([change("text", None)], "text: found null; expected a text"),
        ([{**ANSWER, "qid": None}], "qid: found no id"),
        ([{**ANSWER, "nuggets": "x"}], "nuggets: found 'x'; expected a list"),
        ([{**ANSWER, "nuggets": ["x"]}], "expected an object"),
        ([ANSWER, ANSWER], "another answer of 'run-123' to 'q1'"),
        ([ANSWER, {**change("importance", "okay"), "run_id": "b"}], "expected vital, as before"),
        ([{"qid": "q1", "query": "?", "nuggets": NUGGETS}], "found nuggets without answers"),
        ([{"qid": "q1", "candidate_text": "A.", "docid": "d", "nuggets": NUGGETS}], "found a retrieved passage"),
    ],
)
def test_what_is_wrong_is_an_error_with_its_place(put: Put, import_as: Import, rows: list[Any], said: str) -> None:
    _, problems = import_as("nuggetizer", put("a.jsonl", lines(*rows)))
    assert said in only(problems)
    assert problems.errors == 1


def question(text: str, *answers: str, importance: str | None = "vital", aggregator: str = "OR") -> dict[str, Any]:
    references = [{"doc_id": "d1"}]
    gold = {answer: {"answer": answer, "references": references} for answer in answers}
    fields = {"question": text, "answers": gold, "importance": importance, "aggregator_type": aggregator}
    return {**fields, "query_id": "300", "question_id": text}


def bank_of(*questions: dict[str, Any]) -> dict[str, Any]:
    entries = {entry["question"]: entry for entry in questions}
    return {"query_id": "300", "title_query": "Machu Picchu", "format_version": "v3", "nugget_bank": entries}


BANK = bank_of(
    question("Where is it?", "in Peru", "in South America"),
    question("Who limits visitors?", "UNESCO", "Peru", aggregator="AND"),
    question("When was it built?", "15th century", importance="okay"),
)


def sentence(text: str, *matched: tuple[str, str]) -> dict[str, Any]:
    judgments = [
        {"judgment_type_id": "SENTENCE_ATTESTED", "response": {"is_attested": True}, "provenance": {"doc_id": "d1"}}
    ]
    nuggets = [{"question_text": question, "matched_answer": [answer]} for question, answer in matched]
    answered = {"judgment_type_id": "SENTENCE_ANSWERS_QUESTION", "response": {"matched_nuggets": nuggets}}
    return {"text": text, "citations": [{"doc_id": "d1", "text": "…"}], "judgments": [*judgments, answered]}


REPORT: dict[str, Any] = {
    "report": {"metadata": {"team_id": "team", "run_id": "run", "topic_id": "300"}, "responses": []},
    "judgments": [
        sentence("It is in Peru.", ("Where is it?", "in Peru")),
        sentence("UNESCO limits visitors.", ("Who limits visitors?", "UNESCO")),
    ],
}


@pytest.fixture
def judged(put: Put) -> Path:
    put("argue/300.json", json.dumps(BANK))
    return put("argue/run.judgments.jsonl", lines(REPORT)).parent


def test_a_report_supports_a_question_by_one_answer_or_by_all_of_them(judged: Path, import_as: Import) -> None:
    assert detect_format(judged) is find_format("auto-argue")
    campaign, problems = import_as("auto-argue", judged)
    assert problems.errors == 0
    [pyramid], [annotation] = campaign.pyramids, campaign.annotations
    assert [(scu.label, scu.importance) for scu in pyramid.scus] == [
        ("Where is it?", "vital"),
        ("Who limits visitors?", "vital"),
        ("When was it built?", "okay"),
    ]
    assert [(match.present, match.partial) for match in annotation.scus] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert campaign.summaries[0].text == ("It is in Peru.", "UNESCO limits visitors.")
    # Auto-ARGUE: one of three nuggets is correct; vital ones weigh 2, okay ones 1: 2 of 5.
    table = pyramidion.score(campaign, "nugget")
    values = {row["measure"]: row["value"] for row in table.to_polars().iter_rows(named=True)}
    assert values["nugget.all-strict"] == pytest.approx(1 / 3)
    assert values["nugget.weighted-strict"] == pytest.approx(2 / 5)


def test_questions_without_documents_are_left_out_as_auto_argue_does(put: Put, import_as: Import) -> None:
    bare = {**question("Why?", "for fun"), "answers": {"for fun": {"answer": "for fun"}}}
    put("argue/300.json", json.dumps(bank_of(*BANK["nugget_bank"].values(), bare)))
    put("argue/run.jsonl", lines(REPORT))
    campaign, problems = import_as("auto-argue", Path("argue"))
    assert "1 question without an answer that has a document" in only(problems)
    assert len(campaign.pyramids[0].scus) == 3


@pytest.mark.parametrize(
    ("bank", "report", "said"),
    [
        (BANK, {**REPORT, "report": {"metadata": {"topic_id": "301"}}}, "a report on '301' without a nugget bank"),
        (BANK, {**REPORT, "report": {}}, "found no id; expected the id of the topic"),
        (BANK, {**REPORT, "judgments": [sentence("X.", ("Unasked?", "y"))]}, "the question 'Unasked?'"),
        ({**BANK, "query_id": None}, REPORT, "query_id: found no id"),
        (BANK, {"other": 1}, "expected a judged report (report, judgments) or a nugget bank"),
        (BANK, BANK, "another nugget bank of '300'"),
    ],
)
def test_what_is_wrong_with_reports_is_an_error(put: Put, bank: Any, report: Any, said: str) -> None:
    paths = [put("300.json", json.dumps(bank)), put("run.jsonl", lines(report))]
    problems = Problems()
    find_format("auto-argue").read(paths, problems)
    assert said in "\n".join(map(str, problems))
    assert problems.errors


MINIATURES: dict[str, dict[str, str | bytes]] = {
    "nuggetizer": {"assigned.jsonl": lines(ANSWER, {**ANSWER, "qid": "q2"}, {**ANSWER, "run_id": "b"})},
    "auto-argue": {"300.json": json.dumps(BANK), "run.judgments.jsonl": lines(REPORT)},
}


def test_a_report_on_nuggets_is_written(put: Put) -> None:
    rows = [
        {**ANSWER, "qid": f"q{number}", "run_id": run, "nuggets": NUGGETS[: 4 - number]}
        for run in ("a", "b")
        for number in range(3)
    ]
    data = put("runs.jsonl", lines(*rows))
    pyramidion.report(data, "report.html")
    assert "nugget.vital-strict" in Path("report.html").read_text(encoding="utf-8")

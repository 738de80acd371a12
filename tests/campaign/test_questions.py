"""What assessors are asked: the sets of the package, and [questions] of campaign.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyramidion.campaign import Problems, Question, QuestionSet, write_folder
from pyramidion.campaign.questions import question_sets
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError

DUC_LABELS = ("Very Poor", "Poor", "Barely Acceptable", "Good", "Very Good")


def declared(folder: Path, toml: str) -> QuestionSet:
    (folder / "campaign.toml").write_text(toml)
    (folder / "summaries.jsonl").write_text("")
    problems = Problems()
    questions = CampaignSource(folder).read(problems).questions
    assert list(problems) == []
    return questions


def test_duc_2006_asks_seven_questions_in_three_passes() -> None:
    # Dang (2006), sections 3.1 and 3.2; the names are those of NIST's tables
    questions = QuestionSet.named("duc2006")
    assert {number: [one.name for one in several] for number, several in questions.passes.items()} == {
        1: ["grammaticality", "non-redundancy", "referential-clarity", "focus", "coherence"],
        2: ["content-responsiveness"],
        3: ["overall-responsiveness"],
    }
    assert all((one.scale, one.labels) == ((1, 5), DUC_LABELS) for one in questions)
    assert all(one.text and one.required for one in questions)


@pytest.mark.parametrize(("name", "highest"), [("tac2008", 5), ("tac2009", 10)])
def test_tac_asks_two(name: str, highest: int) -> None:
    questions = QuestionSet.named(name)
    assert [one.name for one in questions] == ["linguistic-quality", "overall-responsiveness"]
    assert all(one.scale == (1, highest) for one in questions)
    assert all(one.label_of(1) == "Very Poor" and one.label_of(highest) == "Very Good" for one in questions)
    assert questions.questions[0].label_of(4) == ("Good" if highest == 5 else "")


def test_an_unknown_set_lists_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"duc206.*did you mean duc2006.*tac2008, tac2009"):
        QuestionSet.named("duc206")


def test_questions_are_tables_or_a_list(tmp_path: Path) -> None:
    own = """
    [questions.focus]
    text = "On the subject?"
    scale = [0, 2]
    labels = ["no", "partly", "yes"]
    pass = 2
    required = false
    examples = [{ value = 2, text = "All about the storm." }]
    """
    (focus,) = declared(tmp_path, own)
    assert (focus.name, focus.text, focus.scale, focus.pass_number) == ("focus", "On the subject?", (0, 2), 2)
    assert not focus.required
    assert [focus.label_of(value) for value in (0, 1, 2, 3)] == ["no", "partly", "yes", ""]
    assert [(one.value, one.text) for one in focus.examples] == [(2, "All about the storm.")]
    listed = own.replace("[questions.focus]", '[[questions]]\nname = "focus"')
    assert declared(tmp_path, listed) == QuestionSet((focus,))


def test_no_questions_are_an_empty_set(tmp_path: Path) -> None:
    assert declared(tmp_path, "") == QuestionSet()
    assert declared(tmp_path, "[questions]") == QuestionSet()
    assert not QuestionSet()


def test_a_question_may_be_called_set(tmp_path: Path) -> None:
    assert declared(tmp_path, "[questions.set]") == QuestionSet((Question(name="set"),))


def test_an_organiser_adds_to_a_set_and_changes_single_fields_of_it(tmp_path: Path) -> None:
    toml = """
    [questions]
    set = "tac2009"

    [questions.linguistic-quality]
    scale = [1, 5]
    examples = [{ value = 1, text = "A list of names." }]

    [questions.usefulness]
    pass = 3
    """
    questions = declared(tmp_path, toml)
    given = question_sets()["tac2009"]
    assert questions.name == "tac2009"
    assert [one.name for one in questions] == ["linguistic-quality", "overall-responsiveness", "usefulness"]
    changed = questions.get("linguistic-quality")
    assert changed is not None
    assert (changed.scale, changed.text, changed.labels) == ((1, 5), given[0].text, given[0].labels)
    assert questions.get("overall-responsiveness") == given[1]
    campaign = CampaignSource(tmp_path).read(Problems())
    write_folder(campaign, tmp_path)
    assert CampaignSource(tmp_path).read(Problems()).questions == questions
    written = (tmp_path / "campaign.toml").read_text()
    assert given[0].text not in written  # only what differs from the set


def test_answers_to_a_set_are_checked(folder: Path) -> None:
    (folder / "campaign.toml").write_text('[questions]\nset = "duc2006"\n')
    problems = Problems()
    CampaignSource(folder).read(problems)
    assert [(one.severity, one.line, one.field, one.found) for one in problems] == [
        ("error", 1, "question", "'overall'"),
        ("error", 2, "question", "'overall'"),
    ]
    rows = (folder / "judgments.jsonl").read_text().replace('"overall"', '"overall-responsiveness"')
    (folder / "judgments.jsonl").write_text(rows.replace("4.5", "6"))
    problems = Problems()
    CampaignSource(folder).read(problems)
    assert [(one.severity, one.line, one.field, one.found) for one in problems] == [("warning", 2, "value", "6")]


def test_without_declared_questions_every_question_is_fine(folder: Path) -> None:
    (folder / "campaign.toml").write_text("")
    problems = Problems()
    CampaignSource(folder).read(problems)
    assert len(problems) == 0

"""People and judges: whose answers count, what signatures say about judges, and what is never mixed."""

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Assessor, Campaign, Judgment, PeerAnnotation, Preference, Problems, Summary
from pyramidion.campaign.folder import read_folder
from pyramidion.campaign.raters import choose_raters
from pyramidion.errors import UsageError
from pyramidion.options import Choice
from pyramidion.run.evaluation import Evaluation

JUDGE = '[assessors]\n"robot" = { kind = "judge", model = "m-1", prompt = "prompt.txt", temperature = 0.5 }\n'
TOPICS = ("t1", "t2", "t3")
SYSTEMS = ("A", "B")
PROMPT_DIGEST = "37a7e26179d9"
"""The first 12 digits of what `sha256sum` prints for the prompt."""


def judgment(topic: str, system: str, assessor: str, value: float, question: str = "q", **more: Any) -> dict[str, Any]:
    return {
        "topic": topic,
        "summarizer": system,
        "assessor": assessor,
        "question": question,
        "value": value,
        **more,
    }


def write_campaign(folder: Path, judgments: Sequence[dict[str, Any]], settings: str = JUDGE) -> Path:
    folder.mkdir(exist_ok=True)
    summaries = [
        {"topic": topic, "summarizer": system, "kind": "peer", "text": f"{topic} {system}"}
        for topic in TOPICS
        for system in SYSTEMS
    ]
    summaries += [{"topic": topic, "summarizer": "M", "kind": "model", "text": "a reference"} for topic in TOPICS]
    (folder / "summaries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in summaries))
    (folder / "judgments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judgments))
    (folder / "campaign.toml").write_text(settings)
    (folder / "prompt.txt").write_text("Rate the summary.\n")
    return folder


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Ann gives 4, the robot 2 in both of its runs; only the robot answers the question `alone`."""
    rows = [judgment(topic, system, "Ann", 4) for topic in TOPICS for system in SYSTEMS]
    for topic in TOPICS:
        for system in SYSTEMS:
            rows += [judgment(topic, system, "robot", 2, run=run) for run in (1, 2)]
            rows.append(judgment(topic, system, "robot", 1, "alone", comment="short", seconds=1.5, order=3))
    return write_campaign(tmp_path / "campaign", rows)


@pytest.mark.parametrize(
    ("raters", "mean", "note"),
    [
        (None, 4, None),
        ("people", 4, None),
        ("judges", 2, "answers of the judge robot, not of people"),
        # Ann's 4 and the robot's 2 count once each, although the robot answered twice.
        ("all", 3, "answers of people and of the judge robot together"),
    ],
)
def test_a_question_is_the_mean_over_the_chosen_raters(
    judged: Path, raters: Any, mean: float, note: str | None
) -> None:
    table = pyramidion.score(judged, "question.q", raters=raters)
    assert {score.value for score in table} == {mean}
    assert table.notes.get("question.q") == note


def test_where_only_judges_answered_their_answers_count_and_a_note_says_so(judged: Path) -> None:
    table = pyramidion.score(judged, "question.alone")
    assert {score.value for score in table} == {1}
    assert table.notes["question.alone"] == "answers of the judge robot, not of people"


def test_people_are_never_filled_up_with_judges_topic_by_topic(tmp_path: Path) -> None:
    rows = [judgment("t1", system, "Ann", 4) for system in SYSTEMS]
    rows += [judgment(topic, system, "robot", 1) for topic in TOPICS for system in SYSTEMS]
    table = pyramidion.score(write_campaign(tmp_path / "campaign", rows), "question.q")
    assert {(score.topic, score.value) for score in table} == {("t1", 4)}


def test_one_judge_is_asked_for_by_name(judged: Path) -> None:
    table = pyramidion.score(judged, "question(assessor=robot).q")
    assert {score.value for score in table} == {2}


def test_a_signature_names_model_prompt_digest_and_temperature(judged: Path) -> None:
    (signature,) = pyramidion.score(judged, "question.alone").signatures("question.alone")
    assert f"|judges:robot;model=m-1;prompt={PROMPT_DIGEST};temperature=0.5|v:" in signature
    (people,) = pyramidion.score(judged, "question.q").signatures("question.q")
    assert "judges" not in people


def test_judgments_keep_run_comment_seconds_and_order(judged: Path) -> None:
    campaign = read_folder(judged, Problems())
    answer = next(judgment for judgment in campaign.judgments if judgment.question == "alone")
    assert (answer.run, answer.comment, answer.seconds, answer.order) == (1, "short", 1.5, 3)


def _describe(folder: Path, raters: Any) -> list[dict[str, Any]]:
    evaluation = Evaluation(folder, Choice(raters=raters))
    return list(evaluation.describe_assessors(question="q").records("assessor-work"))


def test_analyses_of_judgments_look_at_people_unless_told_otherwise(judged: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pyramidion.campaign.CampaignWarning)
        chosen = {
            raters: {record["assessor"] for record in _describe(judged, raters)}
            for raters in ("people", "judges", "all")
        }
    assert chosen == {"people": {"Ann"}, "judges": {"robot"}, "all": {"Ann", "robot"}}


def test_answers_of_judges_come_with_a_warning_where_judgments_are_looked_at(judged: Path) -> None:
    with pytest.warns(pyramidion.campaign.CampaignWarning, match="the judge robot, not of people: question.alone"):
        Evaluation(judged).judgment_frequencies()


@pytest.mark.parametrize(
    ("settings", "field", "found"),
    [
        ('[assessors.robot]\nkind = "machine"\n', "assessors.robot.kind", "machine"),
        ('[assessors.robot]\nkind = "judge"\ntemperature = -1\n', "assessors.robot.temperature", "-1"),
        ('[assessors.robot]\nkind = "judge"\nmodel = 4\n', "assessors.robot.model", "4"),
        ('[assessors.robot]\nkind = "judge"\nprompt = "none.txt"\n', "assessors.robot.prompt", "none.txt"),
        ('[assessors.robot]\nkind = "judge"\nmodle = "m"\n', "assessors.robot.modle", "unknown key"),
        (
            '[assessors.robot]\nkind = "judge"\nprompt = "prompt.txt"\ndigest = "abc"\n',
            "assessors.robot.prompt",
            PROMPT_DIGEST,
        ),
        (
            '[assessors.robot]\nkind = "judge"\npreferences_prompt = "prompt.txt"\npreferences_digest = "abc"\n',
            "assessors.robot.preferences_prompt",
            PROMPT_DIGEST,
        ),
        (
            '[assessors.robot]\nkind = "judge"\nquestion = "x"\n[questions.q]\nscale = [1, 5]\n',
            "assessors.robot.question",
            "'x'",
        ),
    ],
)
def test_settings_of_judges_are_checked_like_others(tmp_path: Path, settings: str, field: str, found: str) -> None:
    problems = Problems()
    read_folder(write_campaign(tmp_path / "campaign", [], settings), problems)
    (problem,) = problems
    assert problem.field == field
    assert found in problem.found


def test_a_column_that_is_called_a_judge_is_named_in_its_signature(tmp_path: Path) -> None:
    folder = write_campaign(tmp_path / "campaign", [], "")
    scores = tmp_path / "scores.csv"
    rows = [f"{topic},{system},{place}" for place, topic in enumerate(TOPICS) for system in SYSTEMS]
    scores.write_text("\n".join(["topic,summarizer,quick_score", *rows]) + "\n")
    plain = pyramidion.score(folder, "imported.quick_score", scores=scores)
    named = pyramidion.score(folder, "imported.quick_score", scores=scores, judge="quick_score")
    assert not any("judges:" in signature for signature in plain.signatures("imported.quick_score"))
    assert all("|judges:quick_score" in signature for signature in named.signatures("imported.quick_score"))
    alone = pyramidion.score(scores, judge="quick_score")
    assert all("|judges:quick_score" in signature for signature in alone.signatures("imported.quick_score"))


def test_a_column_that_says_its_question_answers_it(tmp_path: Path) -> None:
    settings = '[assessors.quick]\nkind = "judge"\nquestion = "q"\n'
    folder = write_campaign(tmp_path / "campaign", [judgment("t1", "A", "Ann", 5)], settings)
    scores = tmp_path / "scores.csv"
    scores.write_text("topic,summarizer,quick\nt1,A,2\nt1,B,3\n")
    assert [score.value for score in pyramidion.score(folder, "question.q", scores=scores)] == [5]
    by_judges = pyramidion.score(folder, "question.q", scores=scores, raters="judges")
    assert [score.value for score in by_judges] == [2, 3]


def test_an_unknown_judge_is_refused_with_what_there_is(judged: Path) -> None:
    with pytest.raises(UsageError, match=r"did you mean robot\?"):
        pyramidion.score(judged, "question.q", judge="robto")
    with pytest.raises(UsageError, match="no assessor is a judge"):
        pyramidion.score([{"topic": "1", "summarizer": "A", "summary": "a", "references": ["a"]}], raters="judges")


def test_a_score_table_does_not_say_who_answered(judged: Path) -> None:
    with pytest.raises(UsageError, match="does not say who answered"):
        pyramidion.compare(pyramidion.score(judged, "question.q"), raters="judges")


@pytest.mark.parametrize("model", ["m-2", "m-1"])
def test_systems_that_two_judges_scored_are_not_compared(tmp_path: Path, model: str) -> None:
    """The baseline was judged by m-1, the candidate by another model, or by the same one."""
    tables = []
    for system, judge in (("A", "m-1"), ("B", model)):
        rows = [judgment(topic, system, "robot", place) for place, topic in enumerate(TOPICS)]
        folder = write_campaign(tmp_path / system, rows, JUDGE.replace("m-1", judge))
        tables.append(pyramidion.score(folder, "question.q"))
    both = tables[0].join(tables[1])
    if model == "m-1":
        assert len(pyramidion.compare(both).standings) == 2
        return
    with pytest.raises(UsageError, match=r"scored by two different judges: A by robot .*model=m-1.*, B by .*model=m-2"):
        pyramidion.compare(both)
    assert len(pyramidion.compare(both, mix_judges=True).standings) == 2


def test_a_system_of_people_is_not_compared_with_one_of_a_judge(tmp_path: Path) -> None:
    rows = [judgment(topic, "A", "Ann", 3) for topic in TOPICS] + [judgment(topic, "B", "robot", 3) for topic in TOPICS]
    with pytest.raises(UsageError, match="A by people, B by robot"):
        pyramidion.compare(write_campaign(tmp_path / "campaign", rows), "question.q", raters="all")


def test_preferences_and_annotations_of_judges_are_set_aside_and_come_back() -> None:
    summaries = tuple(Summary(topic="t1", summarizer=name, kind="peer", text="a") for name in SYSTEMS)
    answers = {
        "judgments": tuple(
            Judgment(topic="t1", summarizer="A", question="q", value=1, assessor=name) for name in ("Ann", "robot")
        ),
        "preferences": tuple(
            Preference(topic="t1", a="A", b="B", choice="a", assessor=name) for name in ("robot", "Ann")
        ),
        "annotations": (PeerAnnotation(topic="t1", summarizer="A", scus=(), annotator="robot"),),
    }
    whole = Campaign(summaries=summaries, assessors={"robot": Assessor(kind="judge")}, **answers)  # type: ignore[arg-type]
    chosen = choose_raters(whole)
    assert [judgment.assessor for judgment in chosen.judgments] == ["Ann"]
    assert [preference.assessor for preference in chosen.preferences] == ["Ann"]
    # Nobody else annotated.
    assert [annotation.annotator for annotation in chosen.annotations] == ["robot"]
    assert chosen.rater_notes == {"pyramid": "answers of the judge robot, not of people"}
    back = chosen.with_all_raters()
    assert {*map(id, back.judgments)} == {*map(id, whole.judgments)}
    assert {*map(id, back.preferences)} == {*map(id, whole.preferences)}


def test_the_lead_baseline_keeps_the_answers_of_judges(judged: Path, tmp_path: Path) -> None:
    topics = [{"topic": topic, "documents": [{"id": "d", "text": "One sentence. Another."}]} for topic in TOPICS]
    (judged / "topics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in topics))
    campaign = Evaluation(judged).add_lead(words=5)
    assert {judgment.assessor for judgment in campaign.judgments} == {"Ann", "robot"}


def test_settings_with_judges_are_written_back_and_merged(judged: Path, tmp_path: Path) -> None:
    from pyramidion.campaign import write_folder

    campaign = read_folder(judged, Problems())
    write_folder(campaign, tmp_path / "copy")
    copy = read_folder(tmp_path / "copy", Problems())
    assert copy.assessors == campaign.assessors
    assert copy.assessors["robot"].temperature == 0.5


def test_what_is_loaded_has_the_answers_of_all(judged: Path) -> None:
    assert {judgment.assessor for judgment in pyramidion.load(judged).judgments} == {"Ann", "robot"}

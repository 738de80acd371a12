"""A model as an assessor, by files: requests, a server with planted behaviour, answers in the campaign."""

import errno
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import pyramidion
from judging.fake_server import FakeServer, prefer_first, rate_by_length, summary_in, troubled
from pyramidion import judge
from pyramidion.campaign import Problems
from pyramidion.campaign.folder import read_folder
from pyramidion.cli import program
from pyramidion.errors import InputError, PyramidionError, UsageError
from pyramidion.judging.sending import send_requests
from pyramidion.options import JudgeSendOptions

SETTINGS = """# What we ask.
[questions.fluency]
text = "Is it fluent?"
[questions.focus]
text = "Is it about one thing?"

[assessors]
"robot" = { kind = "judge", model = "m-1", temperature = 0 }
"""


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Three topics, systems of 2, 4 and 6 words, and a pyramid of two SCUs in each topic."""
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "campaign.toml").write_text(SETTINGS)
    topics = [f"t{number}" for number in range(1, 4)]
    write_lines(folder / "topics.jsonl", [{"topic": topic, "title": f"Storm {topic}"} for topic in topics])
    rows: list[dict[str, Any]] = []
    for topic in topics:
        rows.append({"topic": topic, "summarizer": "M", "kind": "model", "text": "The harbour closed"})
        for system, words in (("short", 2), ("middle", 4), ("long", 6)):
            text = " ".join([topic, *["word"] * (words - 1)])
            rows.append({"topic": topic, "summarizer": system, "kind": "peer", "text": text})
    write_lines(folder / "summaries.jsonl", rows)
    scus = [{"uid": uid, "label": label, "contributors": [{"model": "M"}]} for uid, label in ((1, "one"), (7, "two"))]
    write_lines(
        folder / "pyramids.jsonl", [{"topic": t, "annotator": "C", "models": ["M"], "scus": scus} for t in topics]
    )
    return folder


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answer_all(folder: Path, tmp_path: Path, answer: Callable[[str], str], **options: Any) -> Any:
    """Plan, have a server answer, and read the answers."""
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    judge.plan(folder, requests, llm="robot", **options)
    with FakeServer(answer) as server:
        judge.send(requests, answers, endpoint=server.endpoint)
    return judge.read(answers, folder)


def test_a_judge_that_likes_length_answers_every_question_about_every_summary(campaign: Path, tmp_path: Path) -> None:
    reading = answer_all(campaign, tmp_path, rate_by_length)
    assert [(count.kind, count.count) for count in reading.counts] == [("answered", 9)]
    judgments = read_folder(campaign, Problems()).judgments
    assert len(judgments) == 18
    # The server gives a point for each two words.
    assert {(judgment.summarizer, judgment.value) for judgment in judgments} == {
        ("short", 1),
        ("middle", 2),
        ("long", 3),
    }
    assert {judgment.comment for judgment in judgments} == {"value 1", "value 2", "value 3"}
    assert sorted({judgment.order or 0 for judgment in judgments}) == list(range(1, 10))
    table = pyramidion.score(campaign, "question.fluency")
    assert table.notes["question.fluency"] == "answers of the judge robot, not of people"


def test_the_settings_keep_their_comments_and_get_the_digest_of_the_prompt(campaign: Path, tmp_path: Path) -> None:
    answer_all(campaign, tmp_path, rate_by_length)
    text = (campaign / "campaign.toml").read_text()
    assert text.startswith("# What we ask.\n")
    assert re.search(r'"robot" = \{ kind = "judge", model = "m-1", temperature = 0, digest = "[0-9a-f]{12}" \}', text)


def test_requests_are_blinded_shuffled_by_seed_and_in_the_batch_form(campaign: Path, tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    judge.plan(campaign, requests, llm="robot", body={"top_p": "0.9"}, max_tokens=50)
    rows = lines_of(requests)
    assert {row["url"] for row in rows} == {"/v1/chat/completions"}
    assert rows[0]["body"]["temperature"] == 0
    assert (rows[0]["body"]["top_p"], rows[0]["body"]["max_tokens"]) == (0.9, 50)
    schema = rows[0]["body"]["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["reason", "fluency", "focus"]
    for system in ("short", "middle", "long"):
        assert system not in requests.read_text()
    first = requests.read_bytes()
    judge.plan(campaign, requests, llm="robot", body={"top_p": "0.9"}, max_tokens=50)
    assert requests.read_bytes() == first
    judge.plan(campaign, requests, llm="robot", seed=1)
    assert [summary_in(row["body"]["messages"][0]["content"]) for row in lines_of(requests)] != [
        summary_in(row["body"]["messages"][0]["content"]) for row in rows
    ]


def test_anthropics_form_has_params_and_its_results_are_read(campaign: Path, tmp_path: Path) -> None:
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    judge.plan(campaign, requests, llm="robot", provider="anthropic", questions="focus")
    rows = lines_of(requests)
    assert {tuple(row) for row in rows} == {("custom_id", "params")}
    assert rows[0]["params"]["max_tokens"] == 1024
    with pytest.raises(UsageError, match="Anthropic's form"):
        judge.send(requests, answers, endpoint="http://127.0.0.1:9/v1")
    kinds = [
        {
            "type": "succeeded",
            "message": {"content": [{"type": "text", "text": "Score: 4"}], "stop_reason": "end_turn"},
        },
        {"type": "succeeded", "message": {"content": [], "stop_reason": "refusal"}},
        {"type": "succeeded", "message": {"content": [{"type": "text", "text": "4"}], "stop_reason": "max_tokens"}},
        {"type": "expired"},
    ]
    write_lines(
        answers, [{"custom_id": row["custom_id"], "result": kind} for row, kind in zip(rows, kinds, strict=False)]
    )
    reading = judge.read(answers, campaign)
    counts = {count.kind: count.count for count in reading.counts}
    assert counts == {"answered": 1, "refused": 1, "truncated": 1, "failed": 1, "missing": 5}


def test_a_judge_with_a_liking_for_the_first_shows_in_both_orders(campaign: Path, tmp_path: Path) -> None:
    reading = answer_all(campaign, tmp_path, prefer_first, kind="preferences")
    assert reading.answers == 18
    preferences = read_folder(campaign, Problems()).preferences
    assert {preference.choice for preference in preferences} == {"a"}
    assert {(preference.a, preference.b) for preference in preferences} == {
        (a, b) for a in ("short", "middle", "long") for b in ("short", "middle", "long") if a != b
    }


def test_coverage_becomes_annotations_of_the_judge_with_evidence_in_the_text(campaign: Path, tmp_path: Path) -> None:
    def mark(prompt: str) -> str:
        first_word = summary_in(prompt).split()[0]
        return json.dumps(
            {
                "scus": [
                    {"uid": 1, "evidence": first_word, "present": True},
                    {"uid": 7, "evidence": "", "present": False},
                ]
            }
        )

    answer_all(campaign, tmp_path, mark, kind="coverage")
    annotations = read_folder(campaign, Problems()).annotations
    assert len(annotations) == 9
    assert {(annotation.annotator, annotation.pyramid) for annotation in annotations} == {("robot", "C")}
    assert {(match.uid, match.present) for match in annotations[0].scus} == {(1, True), (7, False)}
    assert annotations[0].scus[0].contributors == (((0, 2),),)
    # One of two SCUs of equal weight, and a model has two on average: 1 / 2.
    table = pyramidion.score(campaign, "pyramid(annotator=robot).modified")
    assert {score.value for score in table} == {0.5}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ('{"reason": "r", "fluency": 4, "focus": 3}', "answered"),
        ('```json\n{"fluency": 4, "focus": 3}\n```', "answered"),
        ('{"fluency": "4/5", "focus": {"score": 3, "reason": "ok"}}', "answered"),
        ("Fluency: 4\nFocus: 3", "answered"),
        ('Here is my answer:\n{"reason": "r", "fluency": 4, "focus": 3}\nI hope it helps.', "answered"),
        ('<think>\n{"fluency": 1, "focus": 1}? No.\n</think>\n\n{"fluency": 4, "focus": 3}', "answered"),
        ("Fluency: 1? No.\n</think>\nFluency: 4\nFocus: 3", "answered"),
        ("<think>\nFluency: 1\nFocus: 1, or more", "malformed"),
        ('{"fluency": 4, "focus": 3} or {"fluency": 2, "focus": 3}', "malformed"),
        ("Score: 4", "malformed"),
        ('{"fluency": 4}', "malformed"),
        ('{"fluency": 4, "focus": 9}', "malformed"),
        ('{"fluency": 4, "focus": true}', "malformed"),
        ('{"fluency": 4, "fluency": 2, "focus": 3}', "malformed"),
        ('{"fluency": 4, "focus": 3', "malformed"),
        ("I'm sorry, I can't judge this.", "malformed"),
        ("", "malformed"),
    ],
    ids=[f"answer{number}" for number in range(17)],
)
def test_what_is_not_as_asked_is_counted_and_never_guessed(
    campaign: Path, tmp_path: Path, answer: str, kind: str
) -> None:
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    judge.plan(campaign, requests, llm="robot", where={"topic": "t1"}, exclude=["short", "middle"])
    (row,) = lines_of(requests)
    body = {"choices": [{"message": {"content": answer}, "finish_reason": "stop"}]}
    write_lines(answers, [{"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}}])
    reading = judge.read(answers, campaign)
    assert [(count.kind, count.count) for count in reading.counts] == [(kind, 1)]
    values = {judgment.question: judgment.value for judgment in read_folder(campaign, Problems()).judgments}
    assert values == ({"fluency": 4, "focus": 3} if kind == "answered" else {})


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        ({"message": {"content": None, "refusal": "no"}}, "refused"),
        ({"message": {"content": "4"}, "finish_reason": "content_filter"}, "refused"),
        ({"message": {"content": '{"fluency": 4, "fo'}, "finish_reason": "length"}, "truncated"),
    ],
)
def test_refusals_and_truncated_answers_are_kinds_of_their_own(
    campaign: Path, tmp_path: Path, choice: dict[str, Any], kind: str
) -> None:
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    judge.plan(campaign, requests, llm="robot", where={"topic": "t1"}, exclude=["short", "middle"])
    with FakeServer(rate_by_length, reply=lambda _: choice) as server:
        judge.send(requests, answers, endpoint=server.endpoint)
    reading = judge.read(answers, campaign, dry_run=True)
    assert [(count.kind, count.count) for count in reading.counts] == [(kind, 1)]
    assert [unread.kind for unread in reading.unread] == [kind]


def test_the_command_that_the_note_names_lists_all_answers_that_can_not_be_used(campaign: Path, tmp_path: Path) -> None:
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    judge.plan(campaign, requests, llm="robot", times=2)
    with FakeServer(lambda _: "no idea") as server:
        judge.send(requests, answers, endpoint=server.endpoint)
    command = ["judge", "read", str(answers), "--into", str(campaign), "--dry-run"]
    done = CliRunner().invoke(program, command)
    assert "8 more; --show judge-unread lists all" in done.stdout
    done = CliRunner().invoke(program, [*command, "--show", "judge-unread"])
    assert done.exit_code == 0
    assert done.stdout.count("not as asked") == 18


def test_what_the_campaign_has_is_not_asked_again(campaign: Path, tmp_path: Path) -> None:
    answer_all(campaign, tmp_path, rate_by_length, questions=["focus"])
    plan = judge.plan(campaign, tmp_path / "more.jsonl", llm="robot").planned
    assert (plan.requests, plan.asked, plan.already) == (9, 9, 9)
    assert lines_of(tmp_path / "more.plan.jsonl")[1]["questions"] == ["fluency"]


def test_a_sample_chooses_what_is_asked(campaign: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    write_lines(sample, [{"topic": f"t{n}", "drawn": n == 2, "chance": 0.3, "seed": 0} for n in (1, 2, 3)])
    judge.plan(campaign, tmp_path / "requests.jsonl", llm="robot", plan=sample)
    assert {row["topic"] for row in lines_of(tmp_path / "requests.plan.jsonl")[1:]} == {"t2"}


def test_the_units_of_a_sample_are_asked_answered_and_read(campaign: Path, tmp_path: Path) -> None:
    sample = tmp_path / "sample.jsonl"
    write_lines(sample, [{"topic": f"t{n}", "drawn": n == 2, "chance": 0.3, "seed": 0} for n in (1, 2, 3)])
    answer_all(campaign, tmp_path, rate_by_length, plan=sample)
    judgments = [answer for answer in read_folder(campaign, Problems()).judgments if answer.assessor == "robot"]
    assert {answer.topic for answer in judgments} == {"t2"}
    assert {answer.summarizer for answer in judgments} == {"short", "middle", "long"}
    assert {answer.question for answer in judgments} == {"focus", "fluency"}


def test_tokens_and_cost_are_counted_roughly(campaign: Path, tmp_path: Path) -> None:
    plan = judge.plan(campaign, tmp_path / "r.jsonl", llm="robot", price_input=1.0, price_output=2.0).planned
    sizes = [len(row["body"]["messages"][0]["content"].encode()) for row in lines_of(tmp_path / "r.jsonl")]
    assert plan.input_tokens == pytest.approx(sum(sizes) / 4, abs=len(sizes))
    assert plan.cost == pytest.approx((plan.input_tokens + 2 * plan.output_tokens) / 1e6)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("Rate {{ summary }}", "does not show questions"),
        ("{{ summary }} {{ questions }} {{ nothing }}", "'nothing' is undefined"),
        ("{{ summary }} {% for q in questions %}", "expected a Jinja template"),
        ("{{ summary }}{{ questions.__class__.__mro__ }}", "unsafe|undefined"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ summary }}{{ questions }}{{ f() }}", "calls itself"),
    ],
)
def test_a_prompt_that_can_not_be_filled_in_is_refused(
    campaign: Path, tmp_path: Path, template: str, message: str
) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text(template)
    with pytest.raises(PyramidionError, match=message):
        judge.plan(campaign, tmp_path / "requests.jsonl", llm="robot", prompt=prompt)


def test_a_person_who_has_answered_does_not_become_a_judge(campaign: Path, tmp_path: Path) -> None:
    answers = [{"topic": "t1", "summarizer": "short", "question": "focus", "assessor": "Ann", "value": 3}]
    write_lines(campaign / "judgments.jsonl", answers)
    with pytest.raises(UsageError, match="who counts as a person"):
        judge.plan(campaign, tmp_path / "requests.jsonl", llm="Ann")


def test_answers_to_another_prompt_are_not_those_of_the_judge(campaign: Path, tmp_path: Path) -> None:
    answer_all(campaign, tmp_path, rate_by_length, questions=["focus"])
    prompt = tmp_path / "other.txt"
    prompt.write_text("{{ summary }} {{ questions }}")
    with pytest.raises(UsageError, match="name another judge"):
        judge.plan(campaign, tmp_path / "r2.jsonl", llm="robot", prompt=prompt)
    with pytest.raises(UsageError, match=r"campaign\.toml says m-1"):
        judge.plan(campaign, tmp_path / "r2.jsonl", llm="robot", model="m-2")


def test_one_judge_has_a_prompt_for_each_kind_of_request(campaign: Path, tmp_path: Path) -> None:
    """Its answers, its annotations and its preferences can be looked at together: for a bias by position, say."""
    answer_all(campaign, tmp_path, rate_by_length)
    (before,) = pyramidion.score(campaign, "question.fluency").signatures("question.fluency")
    answer_all(campaign, tmp_path, prefer_first, kind="preferences")
    read = read_folder(campaign, Problems())
    assert {preference.assessor for preference in read.preferences} == {"robot"}
    assert {judgment.assessor for judgment in read.judgments} == {"robot"}
    entry = read.assessors["robot"]
    assert entry.digest
    assert entry.preferences_digest not in ("", entry.digest)
    (after,) = pyramidion.score(campaign, "question.fluency").signatures("question.fluency")
    assert after == before
    prompt = tmp_path / "other.txt"
    prompt.write_text("{{ first }} {{ second }}")
    with pytest.raises(UsageError, match="name another judge"):
        judge.plan(campaign, tmp_path / "r2.jsonl", llm="robot", kind="preferences", prompt=prompt, again=True)


def test_pyramid_scores_of_a_judge_are_signed_with_its_prompt_for_coverage(campaign: Path, tmp_path: Path) -> None:
    def mark_all(_: str) -> str:
        return json.dumps({"scus": [{"uid": uid, "evidence": "", "present": True} for uid in (1, 7)]})

    answer_all(campaign, tmp_path, rate_by_length)
    prompt = campaign / "scus.txt"
    prompt.write_text("{{ summary }} {% for scu in scus %}{{ scu.uid }}{% endfor %}")
    answer_all(campaign, tmp_path, mark_all, kind="coverage", prompt=prompt)
    entry = read_folder(campaign, Problems()).assessors["robot"]
    measure = "pyramid(annotator=robot).modified"
    (signature,) = pyramidion.score(campaign, measure).signatures(measure)
    assert f"prompt={entry.coverage_digest};" in signature
    (signature,) = pyramidion.score(campaign, "question.fluency").signatures("question.fluency")
    assert f"prompt={entry.digest};" in signature


# Sending


def plan_many(folder: Path, path: Path) -> Path:
    judge.plan(folder, path, llm="robot", times=4)
    return path


def test_what_is_refused_for_now_or_broken_is_asked_again(campaign: Path, tmp_path: Path) -> None:
    requests, answers = plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl"
    happens = [429, "broken", "cut", 503, "slow"]
    with FakeServer(rate_by_length, lambda number: happens[number] if number < 5 else None) as server:
        options = JudgeSendOptions(endpoint=server.endpoint, parallel=4)
        sending = send_requests(requests, answers, options, first_delay_seconds=0.01)
        assert (sending.sent.answered, sending.sent.repeats) == (36, 4)
        again = send_requests(requests, answers, options)
        assert (again.sent.answered, again.sent.before) == (36, 36)
        assert sum(server.answered.values()) == 36
    assert len({row["custom_id"] for row in lines_of(answers)}) == 36


def test_a_request_without_an_answer_stays_open_and_is_listed(campaign: Path, tmp_path: Path) -> None:
    requests, answers = plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl"
    with FakeServer(rate_by_length, lambda number: 500 if number < 2 else None) as server:
        options = JudgeSendOptions(endpoint=server.endpoint, parallel=1, retries=1)
        sending = send_requests(requests, answers, options, first_delay_seconds=0.01)
    assert (sending.sent.answered, sending.sent.unanswered) == (35, 1)
    assert [(failure.why, failure.count) for failure in sending.failures] == [("status 500", 1)]


def test_a_line_that_was_cut_off_is_removed_and_asked_again(campaign: Path, tmp_path: Path) -> None:
    requests, answers = plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl"
    with FakeServer(rate_by_length) as server:
        judge.send(requests, answers, endpoint=server.endpoint)
        content = answers.read_bytes()
        answers.write_bytes(content[:-20])
        sending = judge.send(requests, answers, endpoint=server.endpoint)
        assert (sending.sent.before, sending.sent.answered) == (35, 36)
        answers.write_bytes(b"no json\n" + content)
        with pytest.raises(InputError, match=r"a\.jsonl:1"):
            judge.send(requests, answers, endpoint=server.endpoint)


def test_the_key_is_sent_and_never_kept(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests, answers = plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl"
    monkeypatch.setenv("MY_KEY", "sk-secret")
    with FakeServer(lambda _: "you sent sk-secret") as server:
        judge.send(requests, answers, endpoint=server.endpoint, key_variable="MY_KEY")
        assert server.keys == {"Bearer sk-secret"}
    assert "sk-secret" not in answers.read_text()
    with FakeServer(rate_by_length, lambda _: 401) as server, pytest.raises(UsageError, match="MY_KEY") as error:
        judge.send(requests, tmp_path / "b.jsonl", endpoint=server.endpoint, key_variable="MY_KEY")
    assert "sk-secret" not in str(error.value)


def test_an_address_where_nothing_is_or_that_is_none_is_refused(campaign: Path, tmp_path: Path) -> None:
    requests = plan_many(campaign, tmp_path / "r.jsonl")
    with FakeServer(rate_by_length) as server:
        endpoint = server.endpoint
    options = JudgeSendOptions(endpoint=endpoint)
    with pytest.raises(UsageError, match="is the server running"):
        send_requests(requests, tmp_path / "a.jsonl", options, first_delay_seconds=0.01)
    for endpoint in (
        "ftp://127.0.0.1",
        "http://127.0.0.1:99999/v1",
        "http://[::1",
        "http://example.org/a b",
        "http://é",
    ):
        with pytest.raises(UsageError, match="expected an address"):
            judge.send(requests, tmp_path / "a.jsonl", endpoint=endpoint)


def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sécret\nX: y")
    with pytest.raises(UsageError, match="OPENAI_API_KEY has characters") as error:
        judge.send(plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl", endpoint="http://127.0.0.1:9/v1")
    assert "cret" not in str(error.value)


def test_a_full_disk_ends_the_run_with_its_error_and_what_was_stored_stays(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests, answers = plan_many(campaign, tmp_path / "r.jsonl"), tmp_path / "a.jsonl"
    written = itertools.count()

    def write(file: int, content: bytes) -> None:
        if next(written) == 5:
            os.write(file, content[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        os.write(file, content)

    monkeypatch.setattr("pyramidion.judging.sending._write_all", write)
    with FakeServer(rate_by_length) as server:
        with pytest.raises(OSError, match="No space left"):
            judge.send(requests, answers, endpoint=server.endpoint, parallel=1)
        sending = judge.send(requests, answers, endpoint=server.endpoint)
    assert (sending.sent.before, sending.sent.answered) == (5, 36)


@pytest.mark.parametrize("content", [b'{"settings": 1}', b"my notes"])
def test_a_file_that_is_no_file_of_answers_keeps_its_last_line(campaign: Path, tmp_path: Path, content: bytes) -> None:
    answers = tmp_path / "notes.txt"
    answers.write_bytes(content)
    with pytest.raises(InputError, match="is it the right file"):
        judge.send(plan_many(campaign, tmp_path / "r.jsonl"), answers, endpoint="http://127.0.0.1:9/v1")
    assert answers.read_bytes() == content


def test_answers_go_neither_into_a_campaign_nor_into_a_pipe(campaign: Path, tmp_path: Path) -> None:
    requests = plan_many(campaign, tmp_path / "r.jsonl")
    with pytest.raises(UsageError, match="holds data of the campaign"):
        judge.send(requests, campaign / "preferences.jsonl", endpoint="http://127.0.0.1:9/v1")
    assert not (campaign / "preferences.jsonl").exists()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe"):
        judge.send(requests, tmp_path / "pipe", endpoint="http://127.0.0.1:9/v1")


@pytest.mark.parametrize("wrong", [5, None, "", "a\0b", b"x"])
def test_what_is_no_path_is_an_error_that_names_the_argument(wrong: Any) -> None:
    with pytest.raises(UsageError, match="`output="):
        judge.plan("demo", wrong, llm="robot")
    with pytest.raises(UsageError, match="`answers="):
        judge.read(wrong, "campaign")
    with pytest.raises(UsageError, match="`into="):
        judge.read("answers.jsonl", wrong)
    with pytest.raises(UsageError, match="`requests="):
        judge.send(wrong, "answers.jsonl", endpoint="http://127.0.0.1:9/v1")


def _start_send(requests: Path, answers: Path, endpoint: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "pyramidion", "judge", "send", str(requests), str(answers), "--endpoint", endpoint]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _count_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _wait_for_lines(path: Path, count: int, process: "subprocess.Popen[bytes]") -> None:
    while _count_lines(path) < count and process.poll() is None:
        time.sleep(0.005)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills as on Linux")
def test_a_thousand_requests_survive_429s_broken_answers_and_three_kills(tmp_path: Path) -> None:
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    rows: list[dict[str, Any]] = [
        {
            "custom_id": f"id-{number:04d}",
            "method": "POST",
            "url": "/v1/chat/completions",
            "body": {"model": "m", "messages": [{"role": "user", "content": f"request {number}"}]},
        }
        for number in range(1000)
    ]
    write_lines(requests, rows)
    prompts = {row["custom_id"]: row["body"]["messages"][0]["content"] for row in rows}
    asked_at_kills: list[dict[str, int]] = []
    with FakeServer(rate_by_length, troubled(seed=4)) as server:
        for count in (200, 450, 700):
            process = _start_send(requests, answers, server.endpoint)
            _wait_for_lines(answers, count, process)
            assert process.poll() is None
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            whole = answers.read_bytes().rpartition(b"\n")[0].splitlines()
            acknowledged = {prompts[json.loads(line)["custom_id"]] for line in whole}
            time.sleep(0.3)  # what was on its way when the client was killed
            asked = {prompt: server.asked[prompt] for prompt in acknowledged}
            asked_at_kills.append(asked)
        process = _start_send(requests, answers, server.endpoint)
        assert process.wait(timeout=120) == 0
        # What was in the file at a kill was never asked again.
        for asked in asked_at_kills:
            assert {prompt: server.asked[prompt] for prompt in asked} == asked
        twice = sum(count > 1 for count in server.answered.values())
    ids = [row["custom_id"] for row in lines_of(answers)]
    assert len(ids) == len(set(ids)) == 1000
    # Only those that were on their way at a kill: at most eight at each.
    assert twice <= 3 * 8


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals as on Linux")
def test_ctrl_c_lets_what_was_sent_come_to_its_end(campaign: Path, tmp_path: Path) -> None:
    requests, answers = tmp_path / "r.jsonl", tmp_path / "a.jsonl"
    judge.plan(campaign, requests, llm="robot", times=100)
    with FakeServer(rate_by_length, lambda number: "slow" if number >= 16 else None) as server:
        process = _start_send(requests, answers, server.endpoint)
        _wait_for_lines(answers, 16, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        answered = sum(server.answered.values())
    assert answers.read_bytes().endswith(b"\n")
    assert _count_lines(answers) == answered < 900


def test_commands_print_documented_records_and_end_with_their_codes(campaign: Path, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "records.md").read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `([a-z-]+)` \| .*? \| (.*?) \|$", page, re.M))
    requests, answers = str(tmp_path / "r.jsonl"), str(tmp_path / "a.jsonl")
    records: list[dict[str, Any]] = []
    codes: list[int] = []
    with FakeServer(lambda _: "no idea", lambda number: 500 if number < 1 else None) as server:
        for words in (
            ["plan", str(campaign), "--llm", "robot", "-o", requests],
            ["send", requests, answers, "--endpoint", server.endpoint, "--retries", "0", "--parallel", "1"],
            ["send", requests, answers, "--endpoint", server.endpoint],
            ["read", answers, "--into", str(campaign)],
        ):
            done = CliRunner().invoke(program, ["judge", *words, "--format", "json"])
            codes.append(done.exit_code)
            records += map(json.loads, done.stdout.splitlines())
    assert codes == [0, 1, 0, 0]
    kinds = {record["record"] for record in records}
    assert kinds == {"judge-plan", "judge-sending", "judge-failure", "judge-reading", "judge-unread"}
    for record in records:
        assert set(record) - {"record", "reason"} <= set(documented[record["record"]].split(", "))
    assert [record["count"] for record in records if record["record"] == "judge-reading"] == [9]

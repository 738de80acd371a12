"""Campaigns that grow: start one, add texts, documents, judgments and scores; all of it or nothing is written."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import pyramidion
from cli.conftest import run  # noqa: F401  # a fixture
from cli.running import Run, records
from pyramidion import formats
from pyramidion.campaign import (
    Campaign,
    CampaignError,
    CampaignWarning,
    ImportConflictError,
    Summary,
    folder,
    importing,
)
from pyramidion.campaign.nouns import Noun, encode
from pyramidion.errors import PyramidionError, UsageError
from pyramidion.files.scratch import OLD, remove_leftovers, unfinished_name
from pyramidion.scores import Score, ScoreTable, write_scores


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


TEXTS = {
    "models/D1.txt": "A ferry burned.\n",
    "models/D2.txt": "It rained.\n",
    "sysA/D1.txt": "The ferry burned.\n",
    "sysA/D2.txt": "Rain fell.\n",
    "sysB/D1": "Fire.\n",
    "sysB/D2": "Wet.\n",
}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that no test changes: each takes a copy, because importing it takes twenty times as long."""
    folder = tmp_path_factory.mktemp("imported")
    pyramidion.init(folder / "campaign", word_limit=250)
    pyramidion.import_campaign("folder", put(folder / "texts", TEXTS), into=folder / "campaign")
    return folder


@pytest.fixture
def campaign(imported: Path, tmp_path: Path) -> Path:
    shutil.copytree(imported, tmp_path, dirs_exist_ok=True)
    return tmp_path / "campaign"


def test_a_campaign_starts_empty_with_a_commented_file(tmp_path: Path) -> None:
    folder = pyramidion.init(tmp_path / "new", name='A "name"', word_limit=250)
    campaign = pyramidion.load(folder)
    assert (campaign.name, campaign.word_limit, campaign.summaries) == ('A "name"', 250, ())
    assert list(pyramidion.check(folder)) == []
    assert (folder / "campaign.toml").read_text().count("#") > 5
    with pytest.raises(UsageError, match="is not empty"):
        pyramidion.init(folder)
    with pytest.raises(UsageError, match="there is no set of questions 'duc'"):
        pyramidion.init(tmp_path / "other", questions="duc")
    asked = pyramidion.load(pyramidion.init(tmp_path / "other", questions="duc2006")).questions
    assert asked.name == "duc2006"


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_compressed_file_of_a_campaign_grows_like_a_plain_one(
    campaign: Path, tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    row = b'{"topic":"D1","summarizer":"sysA","question":"q","value":3}\n'
    (campaign / "judgments.jsonl").write_bytes(compress(row))
    (tmp_path / "new.csv").write_text("topic,summarizer,question,value\nD2,sysA,q,4\n")
    pyramidion.import_campaign("judgments", tmp_path / "new.csv", into=campaign)
    assert [one.value for one in pyramidion.load(campaign).judgments] == [3, 4]
    assert not pyramidion.check(campaign).errors


def test_what_campaign_toml_shows_in_comments_can_be_used(tmp_path: Path) -> None:
    path = pyramidion.init(tmp_path / "new") / "campaign.toml"
    lines = path.read_text().splitlines()
    used = [line.removeprefix("# ") if " = " in line or line.startswith("# [") else line for line in lines]
    path.write_text("\n".join(used))
    campaign = pyramidion.load(path.parent)
    assert (campaign.word_limit, campaign.summarizers["27"].organisation) == (250, "Our lab")


def test_a_folder_for_each_system_is_added(campaign: Path) -> None:
    read = pyramidion.load(campaign)
    assert [(one.topic, one.kind, one.summarizer, one.text) for one in read.summaries if one.topic == "D1"] == [
        ("D1", "peer", "sysA", "The ferry burned."),
        ("D1", "peer", "sysB", "Fire."),
        ("D1", "model", "models", "A ferry burned."),
    ]
    assert list(pyramidion.check(campaign)) == []


def test_the_plan_is_shown_and_a_dry_run_writes_nothing(campaign: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    further = put(tmp_path / "sysC", {"D1.txt": "Smoke.\n", "D2.txt": "Water.\n"})
    before = files_of(campaign)
    code, out, _ = run("import", "summaries", str(further), "--into", str(campaign), "--dry-run", "--format", "json")
    assert code == 0
    assert records(out) == [
        {"record": "import-plan", "what": "summaries", "new": 2, "extended": 0, "equal": 0, "conflicts": 0}
    ]
    assert files_of(campaign) == before
    code, out, _ = run("import", "summaries", str(further), "--into", str(campaign))
    assert code == 0
    assert "New: 2 summaries; no conflicts." in out
    humans = put(tmp_path / "models", {"B/D1.txt": "A ferry on fire.\n", "B/D2.txt": "Heavy rain.\n"})
    plan = pyramidion.import_campaign("summaries", humans, into=campaign)
    assert plan.sentences()[0] == "New: 2 summaries (2 of them models); no conflicts."
    late = put(tmp_path / "late" / "C", {"D1.txt": "Fire at sea.\n"})
    plan = pyramidion.import_campaign("summaries", late, into=campaign, option={"kind": "model"})
    assert plan.new_models == 1
    with pytest.raises(UsageError, match="has no option 'kinds'; did you mean kind"):
        pyramidion.import_campaign("summaries", late, into=campaign, option={"kinds": "model"})
    who = {one.summarizer for one in pyramidion.load(campaign).summaries}
    assert who == {"models", "sysA", "sysB", "sysC", "B", "C"}


def test_an_import_that_was_killed_at_its_end_is_cleaned_up_by_the_next_one(campaign: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,system,assessor,fluency\nD1,sysA,x,3\n")
    assert pyramidion.import_campaign("judgments", answers, into=campaign).written
    after = files_of(campaign)
    left = campaign / unfinished_name(OLD)
    left.write_bytes(b"what was there before")
    os.utime(left, (0, 0))
    remove_leftovers.cache_clear()
    assert not pyramidion.import_campaign("judgments", answers, into=campaign).written  # there is nothing left to do
    assert files_of(campaign) == after


def test_conflicts_exit_1_and_write_nothing_unless_replaced(campaign: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,system,assessor,fluency\nD1,sysA,x,3\nD2,sysA,x,4\n")
    assert run("import", "judgments", str(answers), "--into", str(campaign))[0] == 0
    before = files_of(campaign)
    answers.write_text("topic,system,assessor,fluency\nD1,sysA,x,3\nD2,sysA,x,5\nD2,sysB,x,1\n")
    code, out, _ = run("import", "judgments", str(answers), "--into", str(campaign), "--format", "json")
    assert code == 1
    assert records(out) == [
        {"record": "import-plan", "what": "judgments", "new": 1, "extended": 0, "equal": 1, "conflicts": 1},
        {
            "record": "import-conflict",
            "what": "judgments",
            "key": ["D2", "sysA", "x", "fluency"],
            "field": "value",
            "there": "4",
            "given": "5",
        },
    ]
    assert files_of(campaign) == before
    with pytest.raises(ImportConflictError, match="Nothing was written"):
        pyramidion.import_campaign("judgments", answers, into=campaign)
    assert run("import", "judgments", str(answers), "--into", str(campaign), "--replace")[0] == 0
    values = {(one.topic, one.summarizer): one.value for one in pyramidion.load(campaign).judgments}
    assert values == {("D1", "sysA"): 3, ("D2", "sysA"): 5, ("D2", "sysB"): 1}


def test_judgments_of_summaries_that_are_not_there_are_one_error_and_nothing_is_written(
    campaign: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.csv"
    rows = "".join(f"D{number},sysA,3\n" for number in range(1, 30))
    answers.write_text(f"topic,system,fluency\n{rows}")
    before = files_of(campaign)
    with pytest.raises(CampaignError) as caught:
        pyramidion.import_campaign("judgments", answers, into=campaign)
    (problem,) = caught.value.problems
    assert (problem.count, problem.expected) == (27, "a summary of summaries.jsonl")
    assert problem.found == "('D3', 'sysA'), ('D4', 'sysA'), ('D5', 'sysA') and 24 others"
    assert files_of(campaign) == before


def test_names_are_joined_as_the_campaign_spells_them(campaign: Path, tmp_path: Path) -> None:
    table = tmp_path / "judge.csv"
    table.write_text("topic,summarizer,judge\nd1,sysA,4\nd2,SYSA,3\n")
    pyramidion.import_campaign("scores", table, into=campaign)
    assert [(one.topic, one.summarizer) for one in pyramidion.load(campaign).imported] == [
        ("D1", "sysA"),
        ("D2", "sysA"),
    ]
    assert (campaign / "scores" / "judge.parquet").exists()


def test_scores_of_a_further_system_join_the_table_that_is_there(campaign: Path, tmp_path: Path) -> None:
    table = tmp_path / "judge.csv"
    for row in ("D1,sysA,4", "D1,sysB,3"):
        table.write_text(f"topic,summarizer,judge\n{row}\n")
        pyramidion.import_campaign("scores", table, into=campaign)
    assert [one.value for one in pyramidion.load(campaign).imported] == [4, 3]
    table.write_text("topic,summarizer,judge\nD1,sysB,2\n")
    assert pyramidion.import_campaign("scores", table, into=campaign, dry_run=True).refused
    pyramidion.import_campaign("scores", table, into=campaign, replace=True)
    assert sorted(one.value for one in pyramidion.load(campaign).imported) == [2, 4]


@pytest.mark.parametrize(
    "files",
    [
        {"D1/n1.txt": "Smoke.", "D2/n1.txt": "Rain.", "D2/n2.txt": "Sun."},
        {"D1/docs/n1": "Smoke.", "D2/docs/n1": "Rain.", "D2/docs/n2": "Sun."},
        {"topics/D1/docs/n1.txt": "Smoke.", "topics/D2/docs/n1.txt": "Rain.", "topics/D2/docs/n2.txt": "Sun."},
    ],
)
def test_documents_are_added_to_their_topics(campaign: Path, tmp_path: Path, files: dict[str, str]) -> None:
    plan = pyramidion.import_campaign("documents", put(tmp_path / "docs", files), into=campaign)
    assert [(one.what, one.new) for one in plan.planned] == [("documents", 3)]
    topics = {one.topic: [document.text for document in one.documents] for one in pyramidion.load(campaign).topics}
    assert topics == {"D1": ["Smoke."], "D2": ["Rain.", "Sun."]}


def test_documents_of_a_topics_file_are_added_with_its_attributes(campaign: Path, tmp_path: Path) -> None:
    path = tmp_path / "further.jsonl"
    row = {"topic": "D1", "documents": [{"id": "n1", "text": "Smoke."}], "attributes": {"part": "A"}}
    path.write_text(json.dumps(row) + "\n")
    pyramidion.import_campaign("documents", path, into=campaign)
    assert pyramidion.load(campaign).topics[0].attributes == {"part": "A"}


def test_flat_records_are_added_whole_and_as_summaries_without_their_references(campaign: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat.jsonl"
    row = {"topic": "D1", "summarizer": "sysC", "summary": "Smoke.", "references": ["A ferry burned."]}
    flat.write_text(json.dumps(row) + "\n")
    plan = pyramidion.import_campaign("summaries", flat, into=campaign, dry_run=True)
    assert [(one.what, one.new) for one in plan.planned] == [("summaries", 1)]
    with pytest.warns(CampaignWarning, match=r"ref1 \(those of models\)"):  # the same reference under another name
        plan = pyramidion.import_campaign("flat", flat, into=campaign)
    assert [(one.what, one.new, one.equal) for one in plan.planned] == [("topics", 0, 1), ("summaries", 2, 0)]


def test_the_work_of_a_colleague_is_added_from_their_campaign(campaign: Path, tmp_path: Path) -> None:
    other = put(tmp_path / "other", {f"{name}": text.decode() for name, text in files_of(campaign).items()})
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,system,assessor,fluency\nD1,sysA,y,3\n")
    pyramidion.import_campaign("judgments", answers, into=other)
    plan = pyramidion.import_campaign("campaign", other, into=campaign)
    assert {one.what: one.new for one in plan.planned} == {"topics": 0, "summaries": 0, "judgments": 1}
    assert pyramidion.load(campaign).judgments == pyramidion.load(other).judgments


def test_a_replaced_text_that_was_judged_is_said(campaign: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,system,fluency\nD1,sysA,3\n")
    pyramidion.import_campaign("judgments", answers, into=campaign)
    put(tmp_path / "sysA", {"D1.txt": "Another text.\n"})
    code, _, err = run("import", "summaries", str(tmp_path / "sysA"), "--into", str(campaign), "--replace")
    assert code == 0
    assert "new texts for 1 summary that were judged or annotated" in err


def test_texts_that_are_there_under_another_name_are_said(campaign: Path, tmp_path: Path) -> None:
    copied = put(tmp_path / "A", {"D1.txt": TEXTS["sysA/D1.txt"], "D2.txt": TEXTS["sysA/D2.txt"]})
    with pytest.warns(
        CampaignWarning, match=r"1 new summarizer with texts that are there already: A \(those of sysA\)"
    ):
        pyramidion.import_campaign("summaries", copied, into=campaign)


def test_files_become_a_new_campaign(tmp_path: Path) -> None:
    flat = tmp_path / "flat.jsonl"
    row = {"topic": "D1", "summarizer": "sysC", "summary": "Smoke.", "references": ["A ferry burned."]}
    flat.write_text(json.dumps(row) + "\n")
    planned = pyramidion.import_campaign("flat", flat, campaign=tmp_path / "new", dry_run=True)
    assert (planned.written, planned.summary, (tmp_path / "new").exists()) == (False, "", False)
    plan = pyramidion.import_campaign("flat", flat, campaign=str(tmp_path / "new"))
    assert plan.written
    assert plan.summary == f"2 summaries of 1 topic written to {tmp_path / 'new'}"
    assert plan.planned == planned.planned
    assert pyramidion.load(tmp_path / "new").summaries == pyramidion.load(flat).summaries
    with pytest.raises(UsageError, match="is not empty"):
        pyramidion.import_campaign("flat", flat, campaign=tmp_path / "new")
    scores = tmp_path / "judge.csv"
    scores.write_text("topic,summarizer,judge\nD1,sysC,3\n")
    pyramidion.import_campaign("scores", [scores], campaign=tmp_path / "judge.parquet")
    assert pyramidion.score(tmp_path / "judge.parquet").measures == ("imported.judge",)
    message = "either `into`, a campaign to add to, or `campaign`, a new folder"
    with pytest.raises(UsageError, match=message):
        pyramidion.import_campaign("flat", flat)
    with pytest.raises(UsageError, match=message):
        pyramidion.import_campaign("flat", flat, into=tmp_path / "new", campaign=tmp_path / "other")


def test_the_plan_of_a_new_campaign_is_printed_as_asked(tmp_path: Path, run: Run) -> None:  # noqa: F811
    flat = tmp_path / "flat.jsonl"
    flat.write_text('{"topic": "D1", "summarizer": "sysC", "summary": "Smoke."}\n')
    code, out, _ = run("import", "flat", str(flat), str(tmp_path / "new"), "--dry-run", "--format", "json")
    assert code == 0
    assert [(row["what"], row["new"]) for row in records(out)] == [("topics", 1), ("summaries", 1)]


def test_each_row_is_encoded_once_and_written_as_it_was_checked(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[object] = []

    def count(noun: Noun) -> bytes:
        encoded.append(noun)
        return encode(noun)

    for module in (importing, folder):
        monkeypatch.setattr(module, "encode", count)
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,system,fluency\nD1,sysA,3\nD2,sysA,4\n")
    pyramidion.import_campaign("judgments", answers, into=campaign)
    assert len(encoded) == 2
    encoded.clear()
    answers.write_text("topic,system,fluency\nD1,sysA,3\nD2,sysA,5\n")
    pyramidion.import_campaign("judgments", answers, into=campaign, replace=True)
    assert len(encoded) == 1
    encoded.clear()
    pyramidion.import_campaign("folder", tmp_path / "texts", campaign=tmp_path / "new")
    assert len(encoded) == len(pyramidion.load(tmp_path / "new").summaries) + len(pyramidion.load(campaign).topics)


def test_two_rows_with_one_key_are_no_new_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a reader that does not look at keys."""

    def read(*_: object) -> Campaign:
        return Campaign(summaries=tuple(Summary(topic="D1", summarizer="1", kind="peer", text=text) for text in "ab"))

    made_up = formats.Format(name="made-up", description="", reader=read)
    monkeypatch.setattr(formats, "find_format", lambda _: made_up)
    monkeypatch.setattr(formats, "all_formats", lambda: (made_up,))
    with pytest.raises(CampaignError, match=r"the key .* again"):
        pyramidion.import_campaign("made-up", tmp_path, campaign=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_another_direction_of_a_measure_is_an_error_before_it_is_written(campaign: Path, tmp_path: Path) -> None:
    table = tmp_path / "judge.csv"
    table.write_text("topic,summarizer,judge\nD1,sysA,4\n")
    pyramidion.import_campaign("scores", table, into=campaign)
    before = files_of(campaign)
    low = Score("judge", "D2", "sysA", 3, higher_is_better=False)
    write_scores(ScoreTable.of([low]), tmp_path / "low.parquet")
    with pytest.raises(CampaignError, match="another direction for 'judge' than in the campaign"):
        pyramidion.import_campaign("scores", tmp_path / "low.parquet", into=campaign)
    assert files_of(campaign) == before


def test_usage_is_explained(campaign: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    table = tmp_path / "a.csv"
    table.write_text("topic,system,fluency\nD1,sysA,3\n")
    for arguments, said in (
        (("judgments", table), "--into CAMPAIGN"),
        (("judgments", table, tmp_path / "new"), "--into"),
        (("judgments", table, "--into", tmp_path / "none"), "pyramidion init"),
        (("judgments", table, "--into", tmp_path), "pyramidion init"),
        (("judgements", table, "--into", campaign), "did you mean"),
        (("judgments", table, "--into", campaign, "--option", "a=b"), "no options"),
        (("judgments", table, "--into", campaign, "--columns", "topic"), "expected key=value"),
    ):
        code, _, err = run("import", *map(str, arguments))
        assert code == 2, (arguments, err)
        assert said in err, (arguments, err)


MUTATED = {
    "judgments": b"topic,system,assessor,focus,coherence\nD1,sysA,x,3,4\nD1,sysB,x,,2\n",
    "documents": b'{"topic":"D1","documents":[{"id":"n1","text":"Smoke."}],"attributes":{"part":"A"}}\n',
    "flat": b'{"topic":"D1","summarizer":"sysC","summary":"Smoke.","references":["A ferry burned."]}\n',
}
PIECES = (b"null", b"-1", b"1e999", b'"', b"{", b"[]", b",", b"\n", b"NaN", b"\xff\xfe", b"\x00", b"true", "é".encode())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")
@pytest.mark.parametrize("what", MUTATED)
def test_mutated_files_are_refused_or_leave_a_campaign_without_errors(
    what: str, campaign: Path, tmp_path: Path
) -> None:
    draw = random.Random(15)
    copy = tmp_path / "copy"
    shutil.copytree(campaign, copy)
    before = files_of(campaign)
    for _ in range(150):
        content = bytearray(MUTATED[what])
        for _ in range(draw.randint(1, 6)):
            place = draw.randrange(len(content) + 1)
            if draw.random() < 0.4:
                content[place : place + 1] = bytes([draw.randrange(256)])
            elif draw.random() < 0.4:
                del content[place : place + draw.randint(1, 8)]
            else:
                content[place:place] = draw.choice(PIECES)
        source = tmp_path / ("a.csv" if what == "judgments" else "a.jsonl")
        source.write_bytes(bytes(content))
        try:
            pyramidion.import_campaign(what, source, into=copy, replace=draw.random() < 0.5)
        except PyramidionError:
            assert files_of(copy) == before  # the campaign without errors that it was
        else:
            assert pyramidion.check(copy).errors == 0, bytes(content)
            shutil.rmtree(copy)
            shutil.copytree(campaign, copy)

"""Outputs of other evaluation programs: texts and scores, directly as data and by import. The miniatures are made up."""

from __future__ import annotations

import bz2
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import Campaign, Problems, write_flat
from pyramidion.errors import InputError, PyramidionError, UsageError
from pyramidion.formats import detect_format, find_format
from pyramidion.run.data import source_of

LM_EVAL = {
    "doc_id": 3,
    "doc": {"article": "The ferry burned."},
    "target": "A ferry burned.",
    "arguments": {"gen_args_0": {"arg_0": "Summarize: .."}},
    "resps": [["Ferry fire."]],
    "filtered_resps": ["Ferry fire."],
    "filter": "none",
    "metrics": ["rouge1"],
    "doc_hash": "a",
    "prompt_hash": "b",
    "target_hash": "c",
    "rouge1": 0.5,
}
INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "sum", "model": "m1"},
    "samples": [
        {
            "id": 1,
            "epoch": 1,
            "input": "The ferry burned.",
            "target": "A ferry burned.",
            "output": {"completion": "Ferry fire."},
            "scores": {"judge": {"value": 4}, "match": {"value": "P"}, "parts": {"value": {"a": 1, "b": "C"}}},
        },
        {"id": 2, "epoch": 1, "input": "x", "target": "y", "error": {"message": "timeout"}},
    ],
}
PROMPTFOO_ROW = {
    "testIdx": 0,
    "promptIdx": 0,
    "provider": {"id": "m1"},
    "prompt": {"raw": "Summarize: The ferry burned.", "label": "p1"},
    "vars": {"article": "The ferry burned.", "reference": "A ferry burned."},
    "testCase": {"vars": {"article": "The ferry burned."}},
    "response": {"output": "Ferry fire."},
    "failureReason": 0,
    "success": True,
    "score": 0.8,
    "namedScores": {"quality": 0.8},
    "gradingResult": {
        "pass": True,
        "score": 0.8,
        "reason": "ok",
        "componentResults": [
            {"pass": True, "score": 0.8, "reason": "ok", "assertion": {"type": "llm-rubric", "metric": "quality"}},
            {"pass": True, "score": 1, "reason": "ok", "assertion": {"type": "contains"}},
            {"pass": False, "score": 0, "reason": "ok", "assertion": {"type": "contains"}},
        ],
    },
}
PROMPTFOO = {
    "evalId": "e-1",
    "results": {
        "version": 3,
        "prompts": [],
        "stats": {},
        "results": [PROMPTFOO_ROW, PROMPTFOO_ROW | {"testIdx": 1, "failureReason": 2}],
    },
    "config": {},
}
DEEPEVAL = {
    "testCases": [
        {
            "name": "t1",
            "input": "The ferry burned.",
            "actualOutput": "Ferry fire.",
            "expectedOutput": "A ferry burned.",
            "success": True,
            "order": 0,
            "metricsData": [
                {"name": "Summarization", "threshold": 0.5, "success": True, "score": 0.7, "strictMode": False},
                {"name": "Broken", "error": "no key", "score": 0},
            ],
        }
    ],
    "hyperparameters": {"model": "m1"},
    "testPassed": 1,
}
SACREROUGE = {
    "instance_id": "d9901-A",
    "summarizer_id": "1",
    "summarizer_type": "peer",
    "metrics": {"overall_responsiveness": 3, "rouge-2_jk": {"recall": 8.1, "precision": 7.9, "f1": 8.0}},
}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def read(path: Path, **options: str) -> tuple[Campaign, Problems]:
    problems = Problems()
    found = detect_format(path)
    assert found is not None
    return found.read(path, problems, **options), problems


def content(campaign: Campaign) -> tuple[Any, ...]:
    peers = [(one.topic, one.summarizer, one.text) for one in campaign.summaries if one.kind == "peer"]
    models = [(one.topic, one.text) for one in campaign.summaries if one.kind == "model"]
    documents = [document.text for topic in campaign.topics for document in topic.documents]
    return peers, models, documents, {(one.measure, one.topic): one.value for one in campaign.imported}


def test_lm_eval(tmp_path: Path) -> None:
    path = write(
        tmp_path / "my__model" / "samples_cnn_2025.jsonl", LM_EVAL, LM_EVAL | {"doc_id": 4, "target": "['a', \"b's\"]"}
    )
    campaign, problems = read(path)
    assert list(map(str, problems)) == []
    peers, models, documents, scores = content(campaign)
    assert peers == [("3", "my__model", "Ferry fire."), ("4", "my__model", "Ferry fire.")]
    assert models == [("3", "A ferry burned."), ("4", "a"), ("4", "b's")]
    assert (documents[0], scores) == ("The ferry burned.", {("rouge1", "3"): 0.5, ("rouge1", "4"): 0.5})
    write(path.parent / "results_2025.json", {"model_name": "my/model"})
    assert read(path)[0].summarizer_ids[-1] == "my/model"


def test_lm_eval_with_several_filters_reads_one_of_them(tmp_path: Path) -> None:
    other = LM_EVAL | {"filter": "strict", "filtered_resps": ["Strict."], "rouge1": 0.1}
    path = write(tmp_path / "samples.jsonl", LM_EVAL, other)
    campaign, problems = read(path)
    assert content(campaign)[0][0][2] == "Ferry fire."
    assert "took the filter 'none'" in problems.remarks[0]
    assert content(read(path, filter="strict")[0])[0][0][2] == "Strict."
    with pytest.raises(UsageError, match="has the filters none, strict"):
        read(path, filter="other")


def test_inspect(tmp_path: Path) -> None:
    campaign, problems = read(write(tmp_path / "log.json", INSPECT))
    assert [(one.severity, one.count) for one in problems] == [("warning", 1)]
    peers, models, documents, scores = content(campaign)
    assert (peers, models, documents) == (
        [("1", "m1", "Ferry fire.")],
        [("1", "A ferry burned.")],
        ["The ferry burned."],
    )
    assert scores == {("judge", "1"): 4, ("match", "1"): 0.5, ("parts.a", "1"): 1, ("parts.b", "1"): 1}


@pytest.mark.parametrize("header", ["header.json", "_journal/start.json"])
def test_inspect_archives(tmp_path: Path, header: str) -> None:
    path = tmp_path / "log.eval"
    first = {
        "id": "a",
        "epoch": 1,
        "input": [{"role": "system", "content": "s"}, {"role": "user", "content": "attachment://9"}],
        "target": ["r1", "r2"],
        "output": {"choices": [{"message": {"content": [{"type": "text", "text": "Ferry."}]}}]},
        "attachments": {"9": "A long text."},
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(header, json.dumps({key: INSPECT[key] for key in ("version", "eval")}))
        archive.writestr("samples/a_epoch_1.json", json.dumps(first))
        archive.writestr("samples/a_epoch_2.json", json.dumps(first | {"epoch": 2}))
    campaign, problems = read(path, epoch="each")
    assert len(problems) == 0
    assert content(campaign)[:3] == (
        [("a", "m1 epoch 1", "Ferry."), ("a", "m1 epoch 2", "Ferry.")],
        [("a", "r1"), ("a", "r2")],
        ["A long text."],
    )


def packed_otherwise(path: Path, method: int, content: bytes, size: int) -> None:
    """A log with one sample, whose bytes are packed by this method, and which says that it has this size."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"model": "m"}}))
        archive.writestr("samples/1_epoch_1.json", content)
    packed = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):  # in both headers of the second member
        at = packed.index(mark, packed.index(mark) + 4)
        packed[at + offset : at + offset + 2] = method.to_bytes(2, "little")
        packed[at + offset + 14 : at + offset + 18] = size.to_bytes(4, "little")
    path.write_bytes(packed)


def test_inspect_archives_packed_with_zstandard(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    sample = json.dumps(INSPECT["samples"][0]).encode()  # type: ignore[index]
    packed_otherwise(path, 93, zstandard.compress(sample), len(sample))
    campaign, problems = read(path)
    assert list(map(str, problems)) == []
    assert content(campaign)[0] == [("1", "m", "Ferry fire.")]


@pytest.mark.parametrize(
    ("method", "compress"),
    [(93, zstandard.compress), (zipfile.ZIP_BZIP2, bz2.compress), (zipfile.ZIP_LZMA, bz2.compress)],
)
def test_inspect_archives_that_hold_more_than_they_say_are_refused(
    tmp_path: Path, method: int, compress: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "log.eval"
    sample = json.dumps({**INSPECT["samples"][0], "pad": " " * 2**26}).encode()  # type: ignore[index]
    packed_otherwise(path, method, compress(sample), 1000)
    tracemalloc.start()
    campaign, problems = read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**24
    assert (campaign.summaries, problems.errors) == ((), 1)


@pytest.mark.parametrize("lines", [False, True])
def test_promptfoo(tmp_path: Path, lines: bool) -> None:
    rows = PROMPTFOO["results"]["results"]  # type: ignore[index]
    path = write(tmp_path / "r.jsonl", *rows) if lines else write(tmp_path / "r.json", PROMPTFOO)
    campaign, problems = read(path)
    assert [one.count for one in problems] == [1]
    peers, models, documents, scores = content(campaign)
    assert (peers, models[0]) == ([("0", "m1", "Ferry fire.")], ("0", "A ferry burned."))
    assert documents[0] == "The ferry burned."
    assert scores == {("score", "0"): 0.8, ("quality", "0"): 0.8, ("contains 1", "0"): 1, ("contains 2", "0"): 0}


def test_deepeval(tmp_path: Path) -> None:
    for held in (DEEPEVAL, {"testRunData": DEEPEVAL}):
        campaign, problems = read(write(tmp_path / "run.json", held))
        assert len(problems) == 0
        assert content(campaign) == (
            [("t1", "m1", "Ferry fire.")],
            [("t1", "A ferry burned.")],
            ["The ferry burned."],
            {("Summarization", "t1"): 0.7},
        )


def test_sacrerouge(tmp_path: Path) -> None:
    summaries: list[dict[str, Any]] = [
        {
            "instance_id": "d9901-A",
            "summarizer_id": "1",
            "summarizer_type": "peer",
            "summary": {"text": ["One.", "Two."]},
        },
        {"instance_id": "d9901-A", "summarizer_id": "A", "summarizer_type": "reference", "summary": "A ferry."},
    ]
    pyramid = {
        "instance_id": "d9901-A",
        "summaries": ["A ferry."],
        "summarizer_ids": ["A"],
        "scus": [
            {"scu_id": 1, "label": "ferry", "contributors": [{"summary_index": 0, "parts": [{"start": 2, "end": 7}]}]}
        ],
    }
    annotation = summaries[0] | {
        "scus": [{"scu_id": 1, "label": "ferry", "contributors": [{"parts": [{"start": 0, "end": 3}]}]}]
    }
    paths = [
        write(tmp_path / "metrics.jsonl", SACREROUGE),
        write(tmp_path / "summaries.jsonl", *summaries),
        write(tmp_path / "pyramids.jsonl", pyramid, annotation),
    ]
    problems = Problems()
    campaign = find_format("sacrerouge").read(paths, problems)
    assert list(map(str, problems)) == []
    assert content(campaign)[0] == [("d9901-A", "1", ("One.", "Two."))]
    assert [one.summarizer for one in campaign.summaries if one.kind == "model"] == ["A"]
    assert campaign.imported.measures == (
        "overall_responsiveness",
        "rouge-2_jk.recall",
        "rouge-2_jk.precision",
        "rouge-2_jk.f1",
    )
    assert "0 to 100" in campaign.description
    assert (campaign.pyramids[0].scus[0].contributors[0].parts, len(campaign.annotations)) == (((2, 7),), 1)
    judged = find_format("sacrerouge").read(paths[0], problems, judgments="overall_responsiveness")
    assert [(one.question, one.value) for one in judged.judgments] == [("overall_responsiveness", 3)]


def test_datasets_as_saved_to_disk(tmp_path: Path) -> None:
    folder = tmp_path / "preds"
    for split in ("train", "test"):
        (folder / split).mkdir(parents=True)
        rows = [{"id": n, "prediction": f"{split} {n}", "reference": "r"} for n in range(2)]
        pl.DataFrame(rows).write_ipc_stream(folder / split / "data-00000-of-00001.arrow")
        write(
            folder / split / "state.json", {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": split}
        )
        write(folder / split / "dataset_info.json", {"features": {}})
    write(folder / "dataset_dict.json", {"splits": ["train", "test"]})
    campaign, problems = read(folder)
    assert content(campaign)[0] == [("0", "preds", "test 0"), ("1", "preds", "test 1")]
    assert problems.remarks[0] == "preds: split 'test'"
    assert content(read(folder, split="train")[0])[0][0][2] == "train 0"
    assert content(read(folder / "train")[0])[0][0][2] == "train 0"
    with pytest.raises(UsageError, match="has the splits train, test"):
        read(folder, split="dev")


def test_datasets_as_cloned(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nconfigs: []\n---\n")
    (folder / "load.py").write_text("raise SystemExit")
    for part in range(2):
        frame = pl.DataFrame({"id": [part], "article": ["d"], "highlights": ["r"], "pred": [f"p{part}"]})
        frame.write_parquet(folder / "data" / f"test-0000{part}-of-00002.parquet")
    campaign, _ = read(folder)
    assert content(campaign)[0] == [("0", "repo", "p0"), ("1", "repo", "p1")]


def test_a_flat_file_can_be_imported_as_records(tmp_path: Path) -> None:
    from pyramidion.demo import CAMPAIGN_FOLDER

    demo = source_of(CAMPAIGN_FOLDER).read(Problems())
    write_flat(demo, tmp_path / "demo.jsonl")
    problems = Problems()
    again = find_format("records").read(tmp_path / "demo.jsonl", problems)
    assert problems.errors == 0
    assert len(again.summaries) == len(demo.summaries)


MINIATURES: dict[str, tuple[str, Any]] = {
    "lm-eval": ("samples.jsonl", LM_EVAL),
    "inspect": ("log.json", INSPECT),
    "promptfoo": ("results.json", PROMPTFOO),
    "deepeval": ("run.json", DEEPEVAL),
    "sacrerouge": ("metrics.jsonl", SACREROUGE),
}


@pytest.mark.parametrize("name", MINIATURES)
def test_each_is_recognised_by_its_content(tmp_path: Path, name: str) -> None:
    file, held = MINIATURES[name]
    path = write(tmp_path / file, held)
    assert [one.name for one in [detect_format(path)] if one] == [name]
    assert len(source_of(path).read(Problems()).imported) > 0


def mutate(draw: Callable[[Any], Any], value: Any) -> Any:
    """The value with one thing changed somewhere inside: dropped, or of another type."""
    other = st.sampled_from([None, 7, -1.5, "", "x", [], {}, [[None]], {"a": None}, True, 10**400, "\ud800"])
    if isinstance(value, dict) and value and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(sorted(value)))
        if draw(st.integers(0, 4)) == 0:
            return {one: held for one, held in value.items() if one != key}
        return value | {key: mutate(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 4)):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], mutate(draw, value[at]), *value[at + 1 :]]
    return draw(other)


@pytest.mark.parametrize("name", MINIATURES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_mutated_files_never_end_in_a_traceback(tmp_path_factory: pytest.TempPathFactory, name: str, data: Any) -> None:
    file, held = MINIATURES[name]
    path = write(tmp_path_factory.mktemp("outside") / file, mutate(data.draw, held), mutate(data.draw, held))
    for reader in (find_format(name), detect_format(path)):
        problems = Problems()
        try:
            if reader is not None:
                reader.read(path, problems)
        except PyramidionError:
            pass
        assert all(str(problem).isprintable() for problem in problems)


@pytest.mark.parametrize("name", [name for name in MINIATURES if name != "sacrerouge"])
def test_a_folder_stands_for_the_logs_in_it(tmp_path: Path, name: str) -> None:
    file, held = MINIATURES[name]
    for system in ("m1", "m2"):
        write(tmp_path / "logs" / system / file, json.loads(json.dumps(held).replace('"m1"', f'"{system}"')))
    write(tmp_path / "logs" / "settings.json", {"model_name": "other"})
    problems = Problems()
    campaign = source_of(tmp_path / "logs").read(problems)
    assert problems.errors == 0
    assert f"2 files of the format {name}" in problems.remarks[0]
    assert {one.summarizer for one in campaign.summaries if one.kind == "peer"} == {"m1", "m2"}


def test_lm_eval_with_several_tasks_names_topics_after_them(tmp_path: Path) -> None:
    for task in ("cnn", "x_sum"):
        for day in (3, 1):
            row = LM_EVAL | {"filtered_resps": [f"{task} {day}"], "doc_hash": task}
            write(tmp_path / "m" / f"samples_{task}_2025-01-0{day}T10-11-12.345.jsonl", row)
    campaign, problems = read(tmp_path)
    assert content(campaign)[0] == [("cnn/3", "m", "cnn 3"), ("x_sum/3", "m", "x_sum 3")]
    older = ", ".join(f"samples_{task}_2025-01-01T10-11-12.345.jsonl" for task in ("cnn", "x_sum"))
    assert problems.remarks == [
        f"{tmp_path}: found 4 files of the format lm-eval",
        f"{tmp_path / 'm'}: newest run of each task; skipped older: {older}. To compare runs, name each: "
        '`system={"NAME": "FILE"}`',
        f"{tmp_path / 'm'}: topics are prefixed with their task (cnn, x_sum); choose one with "
        '`option={"task": "cnn"}`',
    ]
    assert content(read(tmp_path, task="x_sum")[0])[0] == [("3", "m", "x_sum 3")]
    with pytest.raises(UsageError, match=r"task=xsum: no such task; did you mean x_sum\? there are: cnn, x_sum"):
        read(tmp_path, task="xsum")


def test_a_folder_without_files_of_the_format_says_what_was_expected(tmp_path: Path) -> None:
    write(tmp_path / "other.json", {})
    problems = Problems()
    find_format("lm-eval").read(tmp_path, problems)
    assert "found none; expected files of the format lm-eval (samples*.jsonl) in this folder." in str(*problems)


def test_a_folder_of_several_kinds_of_tables_names_all(tmp_path: Path) -> None:
    write(tmp_path / "runs" / "a.jsonl", {"id": 1, "prediction": "x"})
    for name in ("b.csv", "c.csv"):
        (tmp_path / "runs" / name).write_text("id,prediction\n1,x\n")
    with pytest.raises(InputError, match=r"1 \.jsonl and 2 \.csv files; .*: .*runs/\*\.jsonl .*runs/\*\.csv$"):
        source_of(tmp_path / "runs").read(Problems())


def test_an_empty_folder_is_called_that(tmp_path: Path) -> None:
    expected = r"found an empty folder; expected a campaign folder \(with summaries\.jsonl\), or one in another format"
    with pytest.raises(InputError, match=expected):
        source_of(tmp_path).read(Problems())


def test_a_folder_of_tables_says_how_to_give_them(tmp_path: Path) -> None:
    write(tmp_path / "runs" / "a.jsonl", {"id": 1, "prediction": "x"})
    with pytest.raises(InputError, match=r"without summaries\.jsonl, with 1 \.jsonl file; .*: .*runs/\*\.jsonl"):
        source_of(tmp_path / "runs").read(Problems())
    with pytest.raises(InputError, match=r"/\*/\*\.jsonl"):
        source_of(tmp_path).read(Problems())


def test_references_of_sacrerouge_in_lists_of_objects_are_an_error_of_the_line(tmp_path: Path) -> None:
    path = tmp_path / "summaries.jsonl"
    row = {"instance_id": "d1", "summarizer_id": "A", "summarizer_type": "peer", "summary": {"text": "a b"}}
    path.write_text(json.dumps(row | {"references": [[{"text": "a c"}]]}) + "\n", encoding="utf-8")
    problems = Problems()
    find_format("sacrerouge").read(path, problems)
    assert [(problem.line, problem.field) for problem in problems] == [(1, "references")]


def test_an_epoch_that_is_no_number_among_numbers_is_an_error_of_its_sample(tmp_path: Path) -> None:
    _, log = MINIATURES["inspect"]
    samples = [{**log["samples"][0], "epoch": epoch} for epoch in (1, 2, "half")]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**log, "samples": samples}))
    _, problems = read(path)
    [error] = [problem for problem in problems if problem.severity == "error"]
    assert (error.field, "half" in error.found) == ("epoch", True)

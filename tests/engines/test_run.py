"""Runs in shards: the same scores as in one piece, whatever is stopped, killed, damaged or wrong."""

import json
import socket
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import pyramidion
from flat_tables import flat_rows, write
from pyramidion.campaign import Summary, TopicData
from pyramidion.campaign.flat.reading import Seen, digest_of
from pyramidion.engines import dask, keys, plan
from pyramidion.engines.run import engine_of
from pyramidion.engines.storage import open_storage
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.function import from_function
from pyramidion.options import ShardOptions

pytestmark = pytest.mark.slow
ORDER = ["measure", "topic", "summarizer"]
MEASURES = ["rouge-1", "rouge-2.f", "rouge-l"]


def scores_in(folder: Path) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted((folder / "scores").iterdir())]).sort(ORDER)


def attempts(folder: Path) -> dict[str, str]:
    return {path.name: json.loads(path.read_bytes())["attempt"] for path in (folder / "manifest").iterdir()}


def score(data: Path, output: Path, measures: Any = MEASURES, **options: Any) -> Any:
    return pyramidion.score_into(data, output, measures, **({"workers": 1, "partition": 7} | options))


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_the_shards_hold_the_scores_that_one_piece_has(tmp_path: Path, ending: str) -> None:
    data = write(flat_rows(10), tmp_path / f"flat{ending}")
    run = score(data, tmp_path / "run")
    whole = pyramidion.score(data, MEASURES)
    assert_frame_equal(scores_in(tmp_path / "run"), whole.to_polars().sort(ORDER))
    assert (run.facts.shards, run.facts.rows, run.facts.topics, run.facts.kept) == (5, 30, 10, 0)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["facts"]["topic_count"] == 10
    assert manifest["facts"]["signatures"]["rouge-2.f"][0].startswith("rouge-2.f|")


def test_rows_without_ids_are_numbered_throughout_the_file(tmp_path: Path) -> None:
    rows = [{"summary": row["summary"], "references": row["references"]} for row in flat_rows(10, 1)]
    data = write(rows, tmp_path / "mine.jsonl")
    score(data, tmp_path / "run", partition=3)
    assert_frame_equal(scores_in(tmp_path / "run"), pyramidion.score(data, MEASURES).to_polars().sort(ORDER))


def test_blank_lines_and_a_missing_last_line_end_change_nothing(tmp_path: Path) -> None:
    rows = [json.dumps(row) for row in flat_rows(6)]
    (tmp_path / "a.jsonl").write_text("\ufeff" + "\n\n".join(rows), encoding="utf-8")
    write(rows, tmp_path / "b.jsonl")
    for name in "ab":
        score(tmp_path / f"{name}.jsonl", tmp_path / name, partition=4)
    assert_frame_equal(scores_in(tmp_path / "a"), scores_in(tmp_path / "b"))


def test_shards_count_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(flat_rows(10), tmp_path / "flat.jsonl")
    monkeypatch.setattr(plan, "SHARD_BYTES", 300)
    assert score(data, tmp_path / "run", partition=1000).facts.shards > 10


def test_a_second_run_scores_only_what_is_not_finished(tmp_path: Path) -> None:
    data, out = write(flat_rows(10), tmp_path / "flat.parquet"), tmp_path / "run"
    score(data, out)
    before, content = attempts(out), {path.name: path.read_bytes() for path in (out / "scores").iterdir()}
    (out / "scores" / "000001.parquet").write_bytes(b"half a sh")
    (out / "manifest" / "000003.json").unlink()
    assert score(data, out).facts.kept == 3
    changed = {name for name, attempt in attempts(out).items() if attempt != before[name]}
    assert changed == {"000001.json", "000003.json"}
    assert {path.name: path.read_bytes() for path in (out / "scores").iterdir()} == content


DAMAGE = [b"", b"{", b"null", b"[]", b"{}", b"\xff\x00" * 20, b"[" * 10_000]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ["manifest/000001.json", "keys/000001.bin", "manifest.json", "scores/000001.parquet"])
def test_what_is_damaged_is_made_again(tmp_path: Path, name: str, damage: bytes) -> None:
    data, out = write(flat_rows(4), tmp_path / "flat.jsonl"), tmp_path / "run"
    score(data, out)
    content = {path.name: path.read_bytes() for path in (out / "scores").iterdir()}
    if not name.startswith("manifest.json"):
        (out / "manifest.json").unlink()
    (out / name).write_bytes(damage)
    assert score(data, out).facts.rows == 12
    assert {path.name: path.read_bytes() for path in (out / "scores").iterdir()} == content
    assert json.loads((out / "manifest.json").read_bytes())["rows"] == 12


def test_an_entry_of_another_shard_does_not_count(tmp_path: Path) -> None:
    data, out = write(flat_rows(4), tmp_path / "flat.jsonl"), tmp_path / "run"
    score(data, out)
    content = {path.name: path.read_bytes() for path in (out / "scores").iterdir()}
    for folder, ending in (("manifest", "json"), ("scores", "parquet")):
        (out / folder / f"000001.{ending}").write_bytes((out / folder / f"000000.{ending}").read_bytes())
    assert score(data, out).facts.kept == 1
    assert {path.name: path.read_bytes() for path in (out / "scores").iterdir()} == content


def test_a_damaged_plan_is_refused(tmp_path: Path) -> None:
    data, out = write(flat_rows(4), tmp_path / "flat.jsonl"), tmp_path / "run"
    score(data, out)
    for damage in DAMAGE:
        (out / "plan.json").write_bytes(damage)
        with pytest.raises(InputError, match=r"plan\.json: can't be read"):
            score(data, out)


@pytest.mark.parametrize("name", ["^.*$", "*", "^s", "a\x00b"])
def test_a_column_may_have_any_name(tmp_path: Path, name: str) -> None:
    data = write(flat_rows(4), tmp_path / "flat.parquet")
    expected = pyramidion.score(data, "rouge-1").to_polars().sort(ORDER)
    pl.read_parquet(data).rename({"summary": name}).write_parquet(data)
    options: dict[str, Any] = {"columns": {"summary": name}}
    assert_frame_equal(pyramidion.score(data, "rouge-1", **options).to_polars().sort(ORDER), expected)
    score(data, tmp_path / "run", ["rouge-1"], **options)
    assert_frame_equal(scores_in(tmp_path / "run"), expected)


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_a_file_without_rows_gives_no_scores(tmp_path: Path, ending: str) -> None:
    data = tmp_path / f"flat{ending}"
    if ending == ".jsonl":
        data.write_bytes(b"")
    else:
        pl.DataFrame(flat_rows(1)).head(0).write_parquet(data)
    try:
        assert score(data, tmp_path / "run").facts.scores == 0
    except InputError as error:
        assert "flat" in str(error)


def test_a_device_in_place_of_a_file_of_the_run_is_no_file(tmp_path: Path) -> None:
    data, out = write(flat_rows(4), tmp_path / "flat.jsonl"), tmp_path / "run"
    score(data, out)
    for name in ("manifest/000000.json", "scores/000001.parquet"):
        (out / name).unlink()
        (out / name).symlink_to("/dev/zero")
        with pytest.raises((InputError, OSError)):
            score(data, out)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"measures": ["rouge-1"]}, "other measures"),
        ({"partition": 8}, "another `partition=`"),
        ({"on_error": "skip"}, "another `on_error=`"),
    ],
)
def test_a_folder_with_another_run_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    data = write(flat_rows(4), tmp_path / "flat.jsonl")
    score(data, tmp_path / "run")
    with pytest.raises(UsageError, match=said):
        score(data, tmp_path / "run", **changes)


def test_data_that_has_changed_is_refused(tmp_path: Path) -> None:
    score(write(flat_rows(4), tmp_path / "flat.jsonl"), tmp_path / "run")
    with pytest.raises(UsageError, match="data that has changed"):
        score(write(flat_rows(5), tmp_path / "flat.jsonl"), tmp_path / "run")


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    data = write(flat_rows(4), tmp_path / "flat.jsonl")
    with pytest.raises(UsageError, match=r"not empty: flat\.jsonl"):
        score(data, tmp_path)


def test_errors_name_the_line_and_nothing_is_finished(tmp_path: Path) -> None:
    rows: list[Any] = flat_rows(10)
    rows[16]["summary"] = 3
    with pytest.raises(InputError, match=r"flat\.jsonl:17: error: summary: found 3"):
        score(write(rows, tmp_path / "flat.jsonl"), tmp_path / "run")
    assert not (tmp_path / "run" / "manifest.json").exists()


def test_skipped_rows_are_listed_and_counted_by_reason(tmp_path: Path) -> None:
    rows: list[Any] = flat_rows(10)
    rows[3] = "no JSON"
    rows[16]["summary"] = 3
    rows[18]["summary"] = 4
    run = score(write(rows, tmp_path / "flat.jsonl"), tmp_path / "run", on_error="skip")
    listed = [json.loads(line) for line in (tmp_path / "run" / "skipped.jsonl").read_bytes().splitlines()]
    assert [row["line"] for row in listed] == [4, 17, 19]
    assert run.facts.summaries == 27
    assert {one.why: one.count for one in run.skipped}["summary: not a string or a list of strings"] == 2
    kept = [row for row in rows if isinstance(row, dict) and isinstance(row["summary"], str)]
    whole = pyramidion.score(kept, MEASURES).to_polars().sort(ORDER)
    assert_frame_equal(scores_in(tmp_path / "run"), whole)


def test_a_row_that_a_measure_fails_on_is_skipped_alone(tmp_path: Path) -> None:
    def length(summary: Summary, topic: TopicData) -> float:
        if "hurt" in summary.text:
            raise ValueError("this text hurts")
        return float(len(summary.text))

    rows = flat_rows(10)
    run = score(
        write(rows, tmp_path / "flat.jsonl"), tmp_path / "run", [from_function("fragile", length)], on_error="skip"
    )
    hurting = [number for number, row in enumerate(rows, start=1) if "hurt" in row["summary"]]
    listed = [json.loads(line) for line in (tmp_path / "run" / "skipped.jsonl").read_bytes().splitlines()]
    assert [row["line"] for row in listed] == hurting
    assert run.facts.summaries == 30 - len(hurting)
    assert [one.why for one in run.skipped] == ["ValueError: this text hurts"]


def test_a_key_that_occurs_in_two_shards_is_an_error(tmp_path: Path) -> None:
    rows = flat_rows(10)
    rows[25] = dict(rows[2])
    with pytest.raises(
        InputError, match=r"1 row with a \(topic, summarizer\) that occurs before.*rows 1 to 7.*22 to 28"
    ):
        score(write(rows, tmp_path / "flat.jsonl"), tmp_path / "run")


def test_a_topic_with_other_references_in_another_shard_is_an_error(tmp_path: Path) -> None:
    rows = flat_rows(10)
    rows[25] = {**rows[2], "summarizer": "new", "references": ["something else"]}
    with pytest.raises(InputError, match="1 topic with other references or documents elsewhere"):
        score(write(rows, tmp_path / "flat.jsonl"), tmp_path / "run")


def test_a_folder_of_files_is_one_table(tmp_path: Path) -> None:
    rows = flat_rows(10)
    (tmp_path / "data").mkdir()
    write(rows[:15], tmp_path / "data" / "a.parquet")
    write(rows[15:], tmp_path / "data" / "b.jsonl")
    score(tmp_path / "data", tmp_path / "run")
    whole = pyramidion.score(write(rows, tmp_path / "whole.jsonl"), MEASURES)
    assert_frame_equal(scores_in(tmp_path / "run"), whole.to_polars().sort(ORDER))


def test_excluded_summarizers_are_left_out(tmp_path: Path) -> None:
    data = write(flat_rows(4), tmp_path / "flat.jsonl")
    score(data, tmp_path / "run", exclude="s1")
    assert set(scores_in(tmp_path / "run")["summarizer"]) == {"s0", "s2"}


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ("flat.csv", {}, "a run in shards reads .parquet"),
        ("demo", {}, "reads files"),
        ("flat.jsonl", {"measures": ["hbr(rouge-1.f,rouge-2.f)"]}, "derived from the scores of all"),
        ("flat.jsonl", {"peers": "all"}, "`peers=`"),
        ("flat.jsonl", {"engine": "spark"}, "expected local, dask or dask://"),
        ("missing.jsonl", {}, "no such file"),
        ("ftp://host/flat.jsonl", {}, "paths start with s3://"),
    ],
)
def test_what_can_t_be_run_in_shards_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, options: dict[str, Any], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(flat_rows(2), tmp_path / "flat.jsonl")
    options = {"measures": MEASURES, "workers": 1, **options}
    with pytest.raises((UsageError, InputError), match=said):
        pyramidion.score_into(data, "run", **options)


def test_a_running_cluster_has_its_own_workers() -> None:
    with pytest.raises(UsageError, match="has its own workers"):
        engine_of(ShardOptions(engine="dask://127.0.0.1:1", workers=2))


@given(
    shards=st.lists(st.lists(st.integers(0, 12), unique=True, max_size=8), min_size=1, max_size=5),
    at_once=st.integers(1, 40),
)
def test_keys_that_are_in_two_shards_are_found(tmp_path_factory: Any, shards: list[list[int]], at_once: int) -> None:
    folder = tmp_path_factory.mktemp("keys")
    opened = []
    for number, numbers in enumerate(shards):
        seen = Seen(keys={digest_of(one): 1 for one in numbers}, topics={str(one): (1, one % 3) for one in numbers})
        (folder / str(number)).write_bytes(keys.packed_keys(seen))
        opened.append(keys.open_digests(folder / str(number)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "AT_ONCE", at_once)
        again = keys.find_repeated([one for one, _ in opened])
        topics, wrong, first = keys.find_disagreeing([one for _, one in opened])
    total, distinct = sum(map(len, shards)), len({one for numbers in shards for one in numbers})
    assert (again[0] if again else 0) == total - distinct
    assert (topics, wrong, first) == (distinct, 0, None)


@pytest.mark.parametrize("address", ["dask://localhost", "dask://127.0.0.1:", "dask://tcp://scheduler"])
def test_the_address_of_a_scheduler_needs_a_port(address: str) -> None:
    with pytest.raises(UsageError, match="expected dask://HOST:PORT"):
        engine_of(ShardOptions(engine=address))


def test_a_port_where_nobody_greets_is_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "GREETING_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(InputError, match="port of the dashboard"):
        dask._require_scheduler(f"127.0.0.1:{silent.getsockname()[1]}")


def test_workers_that_are_gone_or_silent_are_not_waited_for() -> None:
    class Client:
        def __init__(self, **seconds: float) -> None:
            self.workers = {name: {"last_seen": time.time() - ago} for name, ago in seconds.items()}

        def scheduler_info(self, n_workers: int) -> dict[str, Any]:  # Dask's own name
            return {"workers": self.workers}

    with pytest.raises(InputError, match=r"no workers are left; .*run the same command again"):
        dask._require_live_workers(Client(), "dask")
    with pytest.raises(InputError, match="no workers answer"):
        dask._require_live_workers(Client(a=100.0), "dask")
    with pytest.warns(match="no answer from a "):
        dask._require_live_workers(Client(a=100.0, b=1.0), "dask")
    dask._require_live_workers(Client(a=1.0), "dask")


def test_a_worker_of_another_version_that_joins_late_scores_nothing() -> None:
    job: Any = None
    with pytest.raises(InputError, match="Install the same version"):
        dask._outcome_of_same_version("0.0.1", job, job)


@pytest.mark.parametrize("place", ["s3://", "gs:///", "az://"])
def test_an_object_store_without_a_bucket_is_a_usage_error(place: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected a bucket"):
        open_storage(place)
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"topic": "t", "summarizer": "A", "summary": "a", "references": ["a"]}\n', encoding="utf-8")
    with pytest.raises(UsageError):
        pyramidion.score_into(rows, place, ["rouge-1.f"])
    with pytest.raises(UsageError):
        pyramidion.score_into(place, tmp_path / "run", ["rouge-1.f"])

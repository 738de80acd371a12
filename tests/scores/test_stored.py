"""The scores of a run in shards are read like a score table; what sums suffice for is never a matrix."""

import dataclasses
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import pyramidion
from flat_tables import flat_rows, write
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import stored
from pyramidion.studies.comparison import comparison
from pyramidion.studies.correlations import large as large_correlations

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in shards with a gap: not everyone has a summary of every topic."""
    place = tmp_path_factory.mktemp("stored")
    rows = flat_rows(40, 4)
    data = write([row for number, row in enumerate(rows) if number % 11], place / "flat.jsonl")
    pyramidion.score_into(data, place / "run", ["rouge-1", "rouge-2.f"], partition=30, workers=1)
    return place


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "BLOCK_ROWS", 25)
    monkeypatch.setattr(comparison, "LARGE", 1)


def records(found: Any) -> list[dict[str, Any]]:
    return sorted(
        (dict(one) for one in found.records()),
        key=lambda one: str(sorted((k, str(v)) for k, v in one.items() if isinstance(v, str))),
    )


def same(a: Any, b: Any) -> bool:
    return bool(np.isclose(a, b, rtol=1e-9, atol=1e-12)) if isinstance(a, float) and isinstance(b, float) else a == b


def test_averages_are_those_of_the_data(folder: Path) -> None:
    from_run = pyramidion.Evaluation(folder / "run").averages(["rouge-1.f", "rouge-2.f"])
    from_data = pyramidion.Evaluation(folder / "flat.jsonl").averages(["rouge-1.f", "rouge-2.f"])
    expected = {(one.measure, one.summarizer): one for one in from_data.averages}
    assert {(one.measure, one.summarizer) for one in from_run.averages} == set(expected)
    for one in from_run.averages:
        other = expected[one.measure, one.summarizer]
        assert one.value == pytest.approx(other.value, rel=1e-12)
        assert (one.n, one.missing) == (other.n, other.missing)


@pytest.mark.usefixtures("small_blocks")
def test_a_comparison_by_sums_is_that_of_the_matrix(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As with millions of topics, where permutations of ranks are too many for an exact p.
    monkeypatch.setattr("pyramidion.statistics.friedman.permutation_p", lambda ranks: None)
    by_sums = pyramidion.compare(folder / "run", ["rouge-1.f", "rouge-2.f"])
    by_matrix = pyramidion.compare(folder / "flat.jsonl", ["rouge-1.f", "rouge-2.f"])
    assert "Computed from sums over 40 topics." in by_sums.tables()[0].notes
    ours, theirs = records(by_sums), records(by_matrix)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        differ = {key for key in {*one, *other} if not same(one.get(key), other.get(key))}
        assert differ <= {"note", "reason"}, (one, other)


def test_correlations_of_means_are_those_of_the_matrix(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(data: str, **options: Any) -> list[dict[str, Any]]:
        correlations = pyramidion.correlate(folder / data, **options)
        points = [dataclasses.asdict(one) for one in correlations.points]
        return [*correlations.records(), *points, *({"said": one} for one in correlations.sentences())]

    def refuse(*_: Any) -> None:
        raise AssertionError("the scores were read into memory")

    calls: list[dict[str, Any]] = [
        {"measures": ["rouge-1.f"], "with_": ["rouge-2.f"]},
        {"measures": ["rouge-1"], "with_": ["rouge-2.f"], "coefficient": ["kendall"], "sides": "one", "seed": 3},
        {"measures": ["rouge-1", "rouge-2.f"], "matrix": True},
    ]
    expected = [found("flat.jsonl", **call) for call in calls]
    monkeypatch.setattr(large_correlations, "LARGE", 1)
    monkeypatch.setattr(stored.StoredScores, "table", refuse)
    for call, wanted in zip(calls, expected, strict=True):
        ours = found("run", **call)
        assert len(ours) == len(wanted)
        for one, other in zip(ours, wanted, strict=True):
            assert {key for key in {*one, *other} if not same(one.get(key), other.get(key))} == set(), (one, other)


@pytest.mark.parametrize("options", [{"level": ["topic"]}, {"interval": "bootstrap"}, {"accuracy": True}])
def test_what_means_do_not_tell_is_read(folder: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    call: dict[str, Any] = {"measures": ["rouge-1.f"], "with_": ["rouge-2.f"], "resamples": 20, **options}
    monkeypatch.setattr(large_correlations, "LARGE", 1)
    from_run = pyramidion.correlate(folder / "run", **call)
    assert list(from_run.records()) == list(pyramidion.correlate(folder / "flat.jsonl", **call).records())


def test_correlations_of_a_run_of_millions_of_scores_take_little_memory(folder: Path, tmp_path: Path) -> None:
    """3.2 million values of two measures: as a table in memory they take 400 MB more."""
    run = tmp_path / "run"
    shutil.copytree(folder / "run", run)
    generator = np.random.default_rng(0)
    manifest = json.loads((run / "manifest.json").read_text())
    topics, systems = 100_000, 16
    for number in range(len(manifest["shards"])):
        (run / "scores" / f"{number:06}.parquet").unlink()
    like = pl.read_parquet(folder / "run" / "scores" / "000000.parquet").head(0)
    manifest["shards"] = [{}, {}]
    (run / "manifest.json").write_text(json.dumps(manifest))
    for number, measure in enumerate(("rouge-1.f", "rouge-2.f")):
        rows = pl.DataFrame(
            {
                "measure": pl.repeat(measure, topics * systems, eager=True),
                "topic": np.repeat([f"topic-{one}" for one in range(topics)], systems),
                "summarizer": [f"s{one}" for one in range(systems)] * topics,
                "value": generator.random(topics * systems) + np.tile(np.arange(systems) / 9, topics),
                "signature": pl.repeat("", topics * systems, eager=True),
            }
        )
        rows.select(pl.col(name).cast(dtype) for name, dtype in like.schema.items()).write_parquet(
            run / "scores" / f"{number:06}.parquet"
        )
    code = (
        "import re, sys, pyramidion\n"
        "from pyramidion.studies.correlations import large\n"
        "large.LARGE = int(sys.argv[2])\n"
        "found = pyramidion.correlate(sys.argv[1], ['rouge-1.f'], with_=['rouge-2.f'])\n"
        "most = re.search(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read())[1]\n"
        "print(found.correlations[0].value, int(most) // 1024)\n"
    )
    used = {}
    for least in (1_000_000, 10**9):
        done = subprocess.run(
            [sys.executable, "-c", code, str(run), str(least)], capture_output=True, text=True, check=True
        )
        used[least] = [float(one) for one in done.stdout.split()]
    (value, little), (same_value, much) = used.values()
    assert value == pytest.approx(same_value, rel=1e-9)
    assert little < 300 < much, (little, much)


def test_other_analyses_read_the_columns_that_they_need(folder: Path) -> None:
    from_run = pyramidion.correlate(folder / "run", ["rouge-1.f"], with_=["rouge-2.f"], seed=3)
    from_data = pyramidion.correlate(folder / "flat.jsonl", ["rouge-1.f"], with_=["rouge-2.f"], seed=3)
    assert list(from_run.records()) == list(from_data.records())
    pairs = pyramidion.compare(folder / "run", "rouge-2.f", pair=[("s0", "s1")])
    assert pairs.pairs[0].n == pyramidion.compare(folder / "flat.jsonl", "rouge-2.f", pair=[("s0", "s1")]).pairs[0].n


def test_a_measure_that_the_run_does_not_have_is_named(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"rouge-l\.f"):
        pyramidion.compare(folder / "run", "rouge-l.f")


def test_a_run_that_is_not_finished_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    (tmp_path / "plan.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="the run is not finished"):
        pyramidion.compare(tmp_path, "rouge-1.f")


@pytest.mark.parametrize(
    "change", [lambda old: b"", lambda old: old[: len(old) // 2], lambda old: old.replace(b"s1", b"s2")]
)
def test_a_shard_that_the_run_did_not_write_so_is_refused(folder: Path, tmp_path: Path, change: Any) -> None:
    shutil.copytree(folder / "run", tmp_path / "run")
    shard = tmp_path / "run" / "scores" / "000001.parquet"
    shard.write_bytes(change(shard.read_bytes()))
    with pytest.raises(InputError, match=r"000001\.parquet: is not what the run wrote"):
        pyramidion.compare(tmp_path / "run", "rouge-1.f")

"""The scores of a run in shards are read like a score table; what sums suffice for is never a matrix."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from flat_tables import flat_rows, write
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import stored
from pyramidion.studies.comparison import large

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
    monkeypatch.setattr(large, "LARGE", 1)


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
def test_a_comparison_by_sums_is_that_of_the_matrix(folder: Path) -> None:
    by_sums = pyramidion.compare(folder / "run", ["rouge-1.f", "rouge-2.f"])
    by_matrix = pyramidion.compare(folder / "flat.jsonl", ["rouge-1.f", "rouge-2.f"])
    assert "Computed from sums over 40 topics." in by_sums.remarks["rouge-1.f"]
    ours, theirs = records(by_sums), records(by_matrix)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        differ = {key for key in {*one, *other} if not same(one.get(key), other.get(key))}
        assert differ <= {"note", "reason"}, (one, other)


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

"""One run over one campaign: read once, scored once, repeated by the command it prints."""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion import Choice, Evaluation
from pyramidion.errors import InputError, UsageError
from pyramidion.run import score_cache as module
from pyramidion.scores import write_scores

FLAT = [
    {"topic": str(topic), "summarizer": who, "summary": f"{text} {topic}", "references": ["the ferry burned"]}
    for topic in range(3)
    for who, text in (("A", "a ferry burned"), ("B", "rain"), ("C", "the ferry"))
]


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each measure is scored."""
    counts: Counter[str] = Counter()
    score_shards = getattr(module, "score_shards")  # noqa: B009  # imported there

    def counting(shards: Any, selections: Any, **options: Any) -> Any:
        counts.update(selection.name for selection in selections)
        return score_shards(shards, selections, **options)

    monkeypatch.setattr(module, "score_shards", counting)
    return counts


def test_nothing_is_scored_twice(scored: Counter[str]) -> None:
    run = Evaluation("demo")
    run.table("rouge-2.recall")
    run.compare(["rouge-2.recall", "rouge-1"])
    run.table("rouge-1.f")
    run.evidence(["rouge-1"])
    assert scored == {"rouge-2.recall": 1, "rouge-1": 1}


def test_all_statistics_of_a_measure_can_follow_some_of_them() -> None:
    run = Evaluation("demo")
    run.table(["rouge-1.f", "pyramid.modified"])
    key = ("measure", "topic", "summarizer")
    later, together = run.table(["rouge-1", "pyramid"]), pyramidion.score("demo", ["rouge-1", "pyramid"])
    assert later.to_polars().sort(key).equals(together.to_polars().sort(key))
    assert later.unscored == together.unscored


def test_a_table_has_what_was_asked_for_in_that_order() -> None:
    run = Evaluation("demo")
    run.table(["rouge-1.recall", "rouge-2.recall"])
    assert run.table(["rouge-2.recall", "question.focus", "rouge-1.recall"]).measures == (
        "rouge-2.recall",
        "question.focus",
        "rouge-1.recall",
    )


def test_later_scores_are_those_of_a_single_run() -> None:
    run = Evaluation("demo")
    run.table("rouge-1.recall")
    together = pyramidion.score("demo", ["rouge-1.recall", "scaled-rank(of=rouge-2.recall)"])
    later = run.table(["rouge-1.recall", "scaled-rank(of=rouge-2.recall)"])
    key = ("measure", "topic", "summarizer")
    assert later.to_polars().sort(key).equals(together.to_polars().sort(key))


def test_a_generator_of_rows_is_read_once_and_used_often() -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield from FLAT

    run = Evaluation(rows())
    assert len(run.table("rouge-1.recall")) == 9
    assert len(run.campaign.summaries) == 12
    assert len(run.compare("rouge-2.recall").standings) == 3


def test_excluded_summarizers_are_neither_scored_nor_compared() -> None:
    run = Evaluation(FLAT, Choice(exclude=("B",)))
    assert {one.summarizer for one in run.compare("rouge-1.recall").standings} == {"A", "C"}
    table = pyramidion.score(FLAT, "rouge-1.recall")
    assert pyramidion.score(table, exclude=["B"]).summarizers == ("A", "C")
    for data in (FLAT, table):
        with pytest.raises(UsageError, match='`exclude="X"`: no'):
            Evaluation(data, Choice(exclude=("X",))).table("rouge-1.recall")


def test_a_command_line_is_complete_and_quoted(tmp_path: Path) -> None:
    data = tmp_path / "my data.jsonl"
    data.write_text('{"topic": "a", "summarizer": "s", "summary": "x"}\n', encoding="utf-8")
    choice = Choice(where={"part": "A"}, scores=("more scores.csv",), peers="all", exclude=("x y",), seed=7)
    line = Evaluation(str(data), choice).command("compare", ["rouge-2(stem=no).recall"])
    assert shlex.split(line) == [
        *("pyramidion", "compare", str(data), "-m", "rouge-2(stem=no).recall"),
        *("--peers", "all", "--where", "part=A", "--exclude", "x y", "--scores", "more scores.csv", "--seed", "7"),
    ]


def test_where_no_topic_fits_it_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no topic has part=Z"):
        Evaluation("demo", Choice(where={"part": "Z"})).table("rouge-1.recall")


def test_progress_counts_every_summary() -> None:
    done: Counter[str] = Counter()
    Evaluation("demo", progress=lambda what, count, _: done.update({what: count})).table("rouge-1.recall")
    assert done == {"summaries scored": 220}


def test_a_measure_as_a_whole_takes_the_place_of_its_single_columns() -> None:
    run = Evaluation("demo")
    run.table("question.focus")
    assert len(run.table("question").measures) > 1
    assert run.table("question.focus").measures == ("question.focus",)


def test_participants_are_the_systems_without_baselines(tmp_path: Path) -> None:
    everyone = set(pyramidion.score("demo", "rouge-1.f", peers="all").summarizers)
    systems = set(pyramidion.score("demo", "rouge-1.f").summarizers)
    participants = pyramidion.score("demo", "rouge-1.f", peers="participants")
    assert systems - set(participants.summarizers) == {"1", "2", "3"}
    assert everyone - systems == {"A", "B", "C", "D"}
    write_scores(pyramidion.score("demo", "rouge-1.f"), tmp_path / "scores.parquet")
    chosen = pyramidion.Evaluation(tmp_path / "scores.parquet", pyramidion.Choice(peers="participants")).table()
    assert set(chosen.summarizers) == set(participants.summarizers)
    with pytest.raises(UsageError, match="none of the peers"):
        pyramidion.Evaluation(tmp_path / "scores.parquet", pyramidion.Choice(peers="humans")).table()


def test_an_empty_file_has_nothing_to_correlate(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(UsageError):
        pyramidion.correlate(empty, ["rouge-1", "rouge-2"], matrix=True)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_a_small_file_of_blank_lines_is_refused_at_once(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"blank.{ending}"
    path.write_bytes(b"\n" * 1_000_001)
    with pytest.raises(InputError, match="blank lines"):
        pyramidion.score(path, ["rouge-1.f"])

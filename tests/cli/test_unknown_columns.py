"""Tables whose columns have names of their own: what is scored, what is asked, and what is never ranked by mistake."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.campaign import CampaignError

REFERENCES = {
    "d1": "The ferry from Kiel burned on Monday; ninety people were saved by boats.",
    "d2": "Bonn's mayor stepped down on Friday following an audit of the city's funds.",
    "d3": "Forecasters expect heavy rain in the north through the weekend.",
}
SUMMARIES = {
    "d1": "A ferry caught fire off Kiel on Monday and all ninety passengers were rescued.",
    "d2": "The mayor of Bonn resigned after the audit found missing funds in the office.",
    "d3": "Heavy rain is expected in the north until the end of the week, forecasters say.",
}
Rows = list[dict[str, Any]]


def rows(*, system: str, summary: str, references: str = "gold", **others: Callable[[int], Any]) -> Rows:
    """Two systems on three topics, with these names of columns."""
    return [
        {"doc_id": id, system: who, summary: SUMMARIES[id] + extra, references: REFERENCES[id]}
        | {name: value(number) for name, value in others.items()}
        for who, extra in (("bart", ""), ("gpt", " Officials confirmed it."))
        for number, id in enumerate(REFERENCES)
    ]


WRITERS: dict[str, Callable[[Path, Rows], object]] = {
    "x.csv": lambda path, held: pandas.DataFrame(held).to_csv(path, index=False),
    "x.jsonl": lambda path, held: path.write_text("".join(json.dumps(row) + "\n" for row in held)),
    "x.parquet": lambda path, held: pl.DataFrame(held).write_parquet(path),
}


def write(folder: Path, name: str, held: Rows) -> str:
    WRITERS[f"x{Path(name).suffix}"](folder / name, held)
    return str(folder / name)


def measures(output: str) -> set[str]:
    return {row["measure"] for row in records(output) if row["record"] == "mean"}


def test_a_summary_with_a_version_in_its_name_is_scored_not_the_latency(run: Run, tmp_path: Path) -> None:
    held = rows(system="model_name", summary="generated_summary_v2", latency_ms=lambda n: 90 + n)
    code, out, err = run("compare", write(tmp_path, "x.csv", held), "-m", "rouge1", "--format", "json")
    assert (code, measures(out)) == (0, {"rouge1.f"})
    assert "summary = generated_summary_v2; references = gold; not used: latency_ms" in err


def test_texts_of_unknown_names_are_never_ranked_by_a_number(run: Run, tmp_path: Path) -> None:
    held = rows(system="model_name", summary="zz_long", references="aa_col", latency_ms=lambda n: 90 + n)
    path = write(tmp_path, "x.csv", held)
    code, out, err = run("compare", path)
    assert (code, out) == (1, "")
    assert "doc_id (3 values: d1, d2, d3), model_name (2 values: bart, gpt), zz_long (texts of about 1" in err
    assert "latency_ms (numbers, such as 90, 91, 92)" in err
    assert "--columns summary=zz_long,references=aa_col." in err
    assert "table of scores" not in err
    code, out, _ = run("compare", path, "-m", "rouge1", "--columns", "summary=zz_long,references=aa_col")
    assert code == 0


def test_where_scores_and_summaries_are_possible_both_ways_are_told(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", rows(system="system", summary="zz", references="gold", faith=lambda n: n))
    code, _, err = run("compare", path)
    assert code == 1
    assert "--columns summary=zz. If this is a table of scores: --columns scores=faith." in err
    code, out, err = run("compare", path, "--columns", "scores=faith", "--format", "json")
    assert (code, measures(out)) == (0, {"imported.faith"})
    assert "a table of scores; topic = doc_id; summarizer = system; measures: faith" in err


@pytest.mark.parametrize("name", WRITERS)
def test_scores_with_a_column_of_words_are_a_score_table(run: Run, tmp_path: Path, name: str) -> None:
    text = "This one is rather long, but it says everything that matters ({})."
    held = [
        {"doc_id": f"d{n}", "model": who, "faith": n + (who == "A"), "comment": text.format(n)}
        for who in "AB"
        for n in range(4)
    ]
    code, out, err = run("compare", write(tmp_path, name, held), "--format", "json")
    assert (code, measures(out)) == (0, {"imported.faith"})
    assert "a table of scores; topic = doc_id; summarizer = model; reason = comment; measures: faith" in err


LATENCIES: Rows = [
    {"id": n, "system": who, "zz": f"Ferry burns {who}", "latency_ms": 300 + n} for who in "AB" for n in range(4)
]
"""Short texts of an unknown name, and no scores."""


def test_short_texts_are_not_ranked_by_their_latency(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", LATENCIES)
    code, out, err = run("compare", path)
    assert (code, out) == (1, "")
    assert "--columns summary=zz." in err
    code, out, _ = run("compare", path, "--columns", "scores=latency_ms", "--format", "json")
    assert (code, measures(out)) == (0, {"imported.latency_ms"})


def test_a_table_of_nothing_but_latencies_is_asked_about(run: Run, tmp_path: Path) -> None:
    held = [{"topic": row["id"], "summarizer": row["system"], "latency_ms": row["latency_ms"]} for row in LATENCIES]
    code, _, err = run("compare", write(tmp_path, "x.csv", held))
    assert (code, "If this is a table of scores: --columns scores=latency_ms." in err) == (1, True)


def test_latencies_next_to_scores_are_not_used_unless_they_are_named(run: Run, tmp_path: Path) -> None:
    held = [row | {"faith": row["id"] + (row["system"] == "A"), "n_words": 7} for row in LATENCIES]
    held = [{key: row[key] for key in ("id", "system", "faith", "latency_ms", "n_words")} for row in held]
    path = write(tmp_path, "x.csv", held)
    code, out, err = run("compare", path, "--format", "json")
    assert (code, measures(out)) == (0, {"imported.faith"})
    assert "measures: faith; not used: latency_ms and n_words" in err
    code, out, err = run("compare", path, "--format", "json", "--columns", "scores=faith+latency_ms")
    assert (code, measures(out)) == (0, {"imported.faith", "imported.latency_ms"})
    assert "not used: n_words" in err


def test_latencies_are_scores_where_the_user_says_that_a_file_holds_scores(run: Run, tmp_path: Path) -> None:
    held = [{"id": row["id"], "system": row["system"], "length": row["latency_ms"]} for row in LATENCIES]
    scores = write(tmp_path, "lengths.csv", held)
    data = write(tmp_path, "x.jsonl", [{**row, "summary": row["zz"]} for row in LATENCIES])
    code, out, _ = run("score", data, "--scores", scores, "-m", "imported.length", "--format", "json")
    assert (code, len(records(out))) == (0, 8)
    assert run("import", "scores", scores, str(tmp_path / "lengths.parquet"))[0] == 0
    # A table of ours is one of scores, whatever its measures are called.
    code, out, _ = run("compare", str(tmp_path / "lengths.parquet"), "--format", "json")
    assert (code, measures(out)) == (0, {"length"})


@pytest.mark.parametrize("name", WRITERS)
def test_a_measure_of_a_long_table_or_of_ours_may_be_called_length(run: Run, tmp_path: Path, name: str) -> None:
    keys: Rows = [{"topic": f"d{n}", "summarizer": who} for who in "AB" for n in range(4)]
    long = [key | {"measure": one, "value": n} for n, key in enumerate(keys) for one in ("length", "faith")]
    code, out, _ = run("compare", write(tmp_path, name, long), "--format", "json")
    assert (code, measures(out)) == (0, {"length", "imported.faith"})
    if name != "x.jsonl":
        ours = [key | {"length": n, "faith": n, "signature": "s"} for n, key in enumerate(keys)]
        code, out, _ = run("compare", write(tmp_path, name, ours), "--format", "json")
        assert (code, measures(out)) == (0, {"length", "imported.faith"})


def test_a_slip_in_a_score_is_still_an_error_of_its_cell_next_to_a_latency(run: Run, tmp_path: Path) -> None:
    held = [{"topic": n, "summarizer": "A", "faith": n if n else "good", "latency_ms": 5} for n in range(5)]
    code, _, err = run("compare", write(tmp_path, "x.csv", held))
    assert (code, "faith: found 'good'; expected a finite number" in err) == (1, True)


def test_references_of_an_unknown_name_in_a_file_of_their_own_are_asked_about(run: Run, tmp_path: Path) -> None:
    files = [
        write(tmp_path, f"{who}.csv", [{"id": id, "output": text} for id, text in SUMMARIES.items()]) for who in "ab"
    ]
    files.append(write(tmp_path, "refs.csv", [{"id": id, "gg": text} for id, text in REFERENCES.items()]))
    code, _, err = run("compare", *files)
    assert code == 1
    assert "If these are references: --columns references=gg. If they are summaries: --columns summary=gg." in err
    assert run("compare", *files, "--columns", "references=gg")[0] == 0


@pytest.mark.parametrize("form", [pandas.DataFrame, pl.DataFrame, list, iter])
def test_frames_say_what_to_write_in_python(form: Callable[[Rows], Any]) -> None:
    held = rows(system="model_name", summary="zz", references="aa", latency_ms=lambda n: 90 + n)
    with pytest.raises(CampaignError, match=r'columns=\{"summary": "zz", "references": "aa"\}'):
        pyramidion.compare(form(held))
    found = pyramidion.compare(form(held), "rouge1", columns={"summary": "zz", "references": "aa"})
    assert {row["measure"] for row in found.records() if row["record"] == "mean"} == {"rouge1.f"}


@pytest.mark.parametrize("form", [pandas.DataFrame, pl.DataFrame, list, iter])
def test_frames_of_scores_are_score_tables(form: Callable[[Rows], Any]) -> None:
    held = [{"doc_id": n, "model": who, "faith": n + 0.5 * (who == "A")} for who in "AB" for n in range(4)]
    found = pyramidion.compare(form(held))
    means = {row["summarizer"]: row["value"] for row in found.records() if row["record"] == "mean"}
    assert means == {"A": 2.0, "B": 1.5}


def test_a_column_that_a_score_table_lacks_is_an_error(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", [{"doc_id": "d1", "model": "A", "faith": 1}])
    code, _, err = run("compare", path, "--columns", "scores=fiath")
    assert (code, "no file has a column 'fiath'; did you mean faith?" in err) == (2, True)


def test_references_may_be_in_a_file_of_their_own(run: Run, tmp_path: Path) -> None:
    whole = rows(system="model", summary="prediction")
    together = write(tmp_path, "whole.csv", whole)
    apart = [{name: row[name] for name in ("doc_id", "model", "prediction")} for row in whole]
    files = (
        write(tmp_path, "outputs.csv", apart),
        write(tmp_path, "refs.jsonl", [{"doc_id": id, "gold": text} for id, text in REFERENCES.items()]),
    )
    code, out, err = run("score", *files, "-m", "rouge1", "--format", "json", "--columns", "summary=prediction")
    assert (code, "refs.jsonl: topic = doc_id; no summaries; references = gold" in err) == (0, True)
    assert records(out) == records(run("score", together, "-m", "rouge1", "--format", "json")[1])
    code, _, err = run("score", files[1], "-m", "rouge1")
    assert (code, "If the summaries are in another file, give both files" in err) == (1, True)


def test_a_topic_twice_in_a_file_of_references_is_an_error(run: Run, tmp_path: Path) -> None:
    outputs = write(tmp_path, "outputs.csv", [{"doc_id": id, "prediction": SUMMARIES[id]} for id in SUMMARIES])
    twice = [{"doc_id": id, "gold": text} for text in ("one text", "another") for id in REFERENCES]
    code, _, err = run("score", outputs, write(tmp_path, "refs.csv", twice))
    assert (code, "expected each topic once in a table without summaries" in err) == (1, True)

"""A file per system and per set of references: text files line by line, tables by topic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import Run, records

TEXTS = ["A ferry burned off Kiel on Monday.", "The mayor of Bonn stepped down.", "Rain is expected in the north."]
ROWS = "".join(json.dumps({"id": number, "prediction": text}) + "\n" for number, text in enumerate(TEXTS))
REFERENCES = "".join(json.dumps({"id": number, "reference": text}) + "\n" for number, text in enumerate(TEXTS))


def values_of(out: str) -> dict[str, float]:
    return {row["topic"]: row["value"] for row in records(out)}


@pytest.mark.parametrize("name", ["x.jsonl", "x.txt", "x.ndjson", "x.out"])
def test_the_texts_of_json_lines_are_scored_and_not_the_json(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(ROWS)
    (tmp_path / "r.txt").write_text("\n".join(TEXTS) + "\n")
    code, out, err = run(
        *("score", "--predictions", str(tmp_path / name), "--references", str(tmp_path / "r.txt")),
        *("-m", "rouge1", "--format", "json"),
    )
    assert code == 0
    assert values_of(out) == {"0": 1, "1": 1, "2": 1}
    assert f"{name}: topic = id; summary = prediction" in err


@pytest.mark.parametrize(
    ("name", "content", "lengths"),
    [
        ("x.csv", "id,prediction\n0,A ferry\n", {"0": 2}),
        ("x.tsv", "made up\tnumber\nA ferry burned off the coast\t3\n", {"1": 6}),
        ("x.json", '[{"summary": ["A ferry burned.", "All were saved."]}]', {"1": 6}),
    ],
)
def test_a_table_has_one_column_of_texts(
    run: Run, tmp_path: Path, name: str, content: str, lengths: dict[str, float]
) -> None:
    (tmp_path / name).write_text(content)
    code, out, _ = run("score", "--predictions", str(tmp_path / name), "-m", "length", "--format", "json")
    assert code == 0
    assert values_of(out) == lengths


def test_tables_that_name_topics_are_joined_by_them_whatever_their_order(run: Run, tmp_path: Path) -> None:
    system, references = tmp_path / "x.jsonl", tmp_path / "r.jsonl"
    system.write_text(ROWS)
    references.write_text("".join(reversed(REFERENCES.splitlines(keepends=True))))
    by_flags = run(
        *("score", "--predictions", str(system), "--references", str(references), "-m", "rouge1", "--format", "json")
    )
    as_data = run("score", str(system), str(references), "-m", "rouge1", "--format", "json")
    assert by_flags[0] == as_data[0] == 0
    assert values_of(by_flags[1]) == values_of(as_data[1]) == {"0": 1, "1": 1, "2": 1}


def test_several_references_of_a_row_are_several_references(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("A ferry burned.\n")
    (tmp_path / "r.jsonl").write_text('{"references": ["A ferry burned.", "Rain fell."]}\n')
    code, out, _ = run(
        *("score", "--predictions", str(tmp_path / "x.txt"), "--references", str(tmp_path / "r.jsonl")),
        *("-m", "rouge-1.recall", "--format", "json"),
    )
    assert code == 0
    assert values_of(out) == {"1": pytest.approx(0.6)}  # 3 of the 5 words of both references


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (ROWS, "".join(reversed(REFERENCES.splitlines(keepends=True))), "another order of them"),
        (ROWS, REFERENCES.replace('"id": 0', '"id": 9'), "other topics"),
        ('{"a": "one two", "b": "three four"}\n' * 3, REFERENCES, "one column of texts, or one called summary"),
        (
            '{"id": 1, "system": "A", "summary": "x"}\n{"id": 1, "system": "B", "summary": "y"}\n' * 2,
            REFERENCES,
            "the summaries of several systems (column system)",
        ),
        ("", REFERENCES, "a table without rows"),
        (ROWS.replace('"id": 1', '"id": 0'), REFERENCES, "id: found a topic twice, or none"),
    ],
)
def test_what_does_not_go_together_is_an_error(
    run: Run, tmp_path: Path, predictions: str, references: str, message: str
) -> None:
    (tmp_path / "x.jsonl").write_text(predictions)
    (tmp_path / "r.jsonl").write_text(references)
    (tmp_path / "s.txt").write_text("\n".join(TEXTS) + "\n")
    code, out, err = run(
        *("score", "--predictions", str(tmp_path / "x.jsonl"), "--references", str(tmp_path / "r.jsonl")),
        *("--sources", str(tmp_path / "s.txt"), "-m", "rouge1"),
    )
    assert (code, out) == (1, "")
    assert message in err


def test_tables_without_a_common_topic_are_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(ROWS)
    (tmp_path / "r.jsonl").write_text(REFERENCES.replace('"id": ', '"id": 1'))
    code, _, err = run(
        *(
            "score",
            "--predictions",
            str(tmp_path / "x.jsonl"),
            "--references",
            str(tmp_path / "r.jsonl"),
            "-m",
            "rouge1",
        )
    )
    assert code == 1
    assert "the same ids of topics in both" in err


def test_a_text_that_looks_like_a_list_is_a_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("[Music] A ferry burned.\n{laughs} The mayor left.\n")
    code, out, _ = run("score", "--predictions", str(tmp_path / "x.txt"), "-m", "length", "--format", "json")
    assert code == 0
    assert [row["value"] for row in records(out)] == [4, 4]

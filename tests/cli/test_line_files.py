"""Text files that go together line by line: what they may not be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import Run, records

TEXTS = ["A ferry burned off Kiel on Monday.", "The mayor of Bonn stepped down.", "Rain is expected in the north."]
ROWS = "".join(json.dumps({"id": number, "prediction": text}) + "\n" for number, text in enumerate(TEXTS))
REFERENCES = "".join(json.dumps({"id": number, "reference": text}) + "\n" for number, text in enumerate(TEXTS))


@pytest.mark.parametrize("name", ["x.jsonl", "x.txt", "x.ndjson", "x.out"])
def test_lines_of_json_are_not_scored_as_summaries(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(ROWS)
    (tmp_path / "r.txt").write_text("\n".join(TEXTS) + "\n")
    code, out, err = run(
        "score", "--predictions", str(tmp_path / name), "--references", str(tmp_path / "r.txt"), "-m", "rouge1"
    )
    assert (code, out) == (1, "")
    assert f"{name}: error: found a table; expected a text file with one text per line. Write its texts to a" in err


@pytest.mark.parametrize(("name", "content"), [("x.csv", "id,prediction\n0,A ferry\n"), ("x.tsv", "id\tprediction\n")])
def test_nor_is_the_header_of_a_table(run: Run, tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    code, _, err = run("score", "--predictions", str(tmp_path / name), "-m", "length")
    assert code == 1
    assert "found a table" in err


def test_tables_of_predictions_and_references_are_given_as_data(run: Run, tmp_path: Path) -> None:
    system, references = tmp_path / "x.jsonl", tmp_path / "r.jsonl"
    system.write_text(ROWS)
    references.write_text(REFERENCES)
    code, _, err = run("score", "--predictions", str(system), "--references", str(references), "-m", "rouge1")
    assert code == 1
    assert f"Give tables as DATA: {system} {references}; they are joined by topic." in err
    code, out, _ = run("score", str(system), str(references), "-m", "rouge1", "--format", "json")
    assert code == 0
    assert [row["value"] for row in records(out)] == [1, 1, 1]


def test_a_text_that_looks_like_a_list_is_a_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("[Music] A ferry burned.\n{laughs} The mayor left.\n")
    code, out, _ = run("score", "--predictions", str(tmp_path / "x.txt"), "-m", "length", "--format", "json")
    assert code == 0
    assert [row["value"] for row in records(out)] == [4, 4]

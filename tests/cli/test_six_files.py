"""Six files as a team has them: each goes to scores, a comparison and a report with one command and no edit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run, records, write

WORDS = [
    "ferry",
    "harbour",
    "storm",
    "mayor",
    "council",
    "vote",
    "bridge",
    "river",
    "train",
    "strike",
    "match",
    "goal",
    "rain",
    "snow",
    "fire",
    "police",
]


def texts(seed: int, count: int = 12) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=12)) + "." for _ in range(count)]


REFERENCES, ARTICLES = texts(0), [" ".join(two) for two in zip(texts(0), texts(1), strict=True)]
SYSTEMS = {"alpha": texts(0)[:6] + texts(2)[6:], "beta": texts(3)}


def renamed(folder: Path) -> list[str]:
    """JSON lines of one file per system, with other names than ours and whole numbers as ids."""
    for name, outputs in SYSTEMS.items():
        rows = zip(outputs, REFERENCES, strict=True)
        write(
            folder, f"{name}.jsonl", *({"example_id": n, "model_output": a, "gold": b} for n, (a, b) in enumerate(rows))
        )
    return [str(folder / f"{name}.jsonl") for name in SYSTEMS]


def long_csv(folder: Path) -> list[str]:
    """A CSV as pandas writes it, with its index, and an article in each row."""
    rows = [
        {"article": article, "highlights": reference, "model": name, "generated": output, "doc_id": n}
        for name, outputs in SYSTEMS.items()
        for n, (output, reference, article) in enumerate(zip(outputs, REFERENCES, ARTICLES, strict=True))
    ]
    pandas.DataFrame(rows).to_csv(folder / "outputs.csv")
    return [str(folder / "outputs.csv")]


def line_files(folder: Path) -> list[str]:
    """Text files, a line for each summary."""
    for name, lines in {**SYSTEMS, "ref": REFERENCES, "src": ARTICLES}.items():
        write(folder, f"{name}.txt", *lines)
    predictions = [word for name in SYSTEMS for word in ("--predictions", str(folder / f"{name}.txt"))]
    return [*predictions, "--references", str(folder / "ref.txt"), "--sources", str(folder / "src.txt")]


def dataset_rows(folder: Path) -> list[str]:
    """Rows as Hugging Face has them: `summary` is the reference, a column of another name the prediction."""
    rows = [
        {"id": f"x{n}", "document": article, "summary": reference, "prediction": output, "system": name}
        for name, outputs in SYSTEMS.items()
        for n, (output, reference, article) in enumerate(zip(outputs, REFERENCES, ARTICLES, strict=True))
    ]
    pl.DataFrame(rows).write_parquet(folder / "xsum.parquet")
    return [str(folder / "xsum.parquet")]


def judged(folder: Path) -> list[str]:
    """A judge's CSV with whole numbers as ids that became decimals, and missing values."""
    frame = pandas.DataFrame(
        [
            {"id": float(n), "model": name, "relevance": None if n == 3 else (n * seed) % 5 + 1, "reason": "because"}
            for seed, name in enumerate(SYSTEMS, start=2)
            for n in range(12)
        ]
    )
    frame.to_csv(folder / "judge.csv", na_rep="NaN")
    return [*renamed(folder), "--scores", str(folder / "judge.csv")]


FILES: list[Callable[[Path], list[str]]] = [renamed, long_csv, line_files, dataset_rows, judged]


@pytest.mark.slow
@pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
def test_a_file_goes_to_scores_comparison_and_report(
    run: Run, tmp_path: Path, make: Callable[[Path], list[str]]
) -> None:
    words = make(tmp_path)
    code, out, err = run("score", *words, "-m", "rouge1", "--format", "json")
    assert code == 0, err
    assert len(records(out)) == 24
    assert {one["summarizer"] for one in records(out)} == set(SYSTEMS)
    assert "summary = " in err or "a system per column" in err or make is line_files
    code, out, err = run("compare", *words, "-m", "rouge1")
    assert code == 0, err
    assert out.startswith("alpha is better than beta on rouge1.f: ")
    page = tmp_path / "report.html"
    code, _, err = run("report", *words, "-o", str(page))
    assert code == 0, err
    assert all(name in page.read_text(encoding="utf-8") for name in (*SYSTEMS, "rouge-2.f"))


def test_a_judges_scores_are_compared_by_their_bare_name(run: Run, tmp_path: Path) -> None:
    code, out, err = run("compare", *judged(tmp_path), "-m", "relevance", "--show", "mean", "--format", "json")
    assert code == 0, err
    assert {(one["measure"], one["n"]) for one in records(out)} == {("imported.relevance", 11)}


@pytest.mark.slow
@pytest.mark.parametrize("form", [pandas.DataFrame, pl.DataFrame])
def test_a_frame_goes_to_scores_comparison_and_report(tmp_path: Path, form: Callable[..., Any]) -> None:
    rows = [
        {"qid": n, "llm": name, "response": output, "expected": reference}
        for name, outputs in SYSTEMS.items()
        for n, (output, reference) in enumerate(zip(outputs, REFERENCES, strict=True))
    ]
    frame = form([row | {"example_id": row.pop("qid")} for row in map(dict, rows)])
    assert len(pyramidion.score(frame, "rougeL")) == 24
    assert pyramidion.compare(frame, "rouge1").answer()[0].startswith("alpha is better than beta")
    assert pyramidion.report(frame, tmp_path / "report.html", "rouge1").exists()


def mutated(content: bytes, draw: random.Random) -> bytes:
    """The bytes with a few changes: flipped, deleted, repeated, or values of other types."""
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(max(len(content), 1))
        match draw.randrange(5):
            case 0:
                content = content[:at] + bytes([draw.randrange(256)]) + content[at + 1 :]
            case 1:
                content = content[:at] + content[at + draw.randint(1, 40) :]
            case 2:
                content = content[: at + 20] + content[at:]
            case 3:
                other = draw.choice([b"null", b"7", b"[]", b"{}", b"NaN", b'"\\ud800"', b"1e999", b"", b'"'])
                content = content.replace(draw.choice([b'"ferry', b"1", b":", b",", b"\n"]), other, draw.randint(1, 3))
            case _:
                content = content[:at]
    return content


def originals(folder: Path) -> list[Path]:
    rows = [{"id": n, "prediction": "a ferry burned", "reference": "the ferry", "judge": n} for n in range(4)]
    write(folder, "rows.jsonl", *rows)
    write(folder, "rows.json", json.dumps(rows))
    frame = pl.DataFrame(rows)
    frame.write_csv(folder / "rows.csv")
    frame.write_parquet(folder / "rows.parquet")
    frame.write_ipc_stream(folder / "rows.arrow")
    write(folder, "judge.csv", "id,model,judge", "1,A,3", "2,A,4")
    return [
        folder / name for name in ("rows.jsonl", "rows.json", "rows.csv", "rows.parquet", "rows.arrow", "judge.csv")
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("count", [12, pytest.param(500, marks=pytest.mark.soak)])
def test_mutated_files_never_end_in_a_traceback(run: Run, tmp_path: Path, count: int) -> None:
    draw = random.Random(7)
    for path in originals(tmp_path):
        content = path.read_bytes()
        for _ in range(count):
            path.write_bytes(mutated(content, draw))
            code, _, err = run("score", str(path), "-m", "rouge-1.f", "-m", "imported")
            assert code in (0, 1, 2)
            assert "Traceback" not in err

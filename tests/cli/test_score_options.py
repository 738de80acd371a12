"""`score` with averages, files and the output of ROUGE-1.5.5: what goes together, and what does not."""

import csv
from pathlib import Path

import pytest

from cli.running import Run, records, write

BY = ["--by", "summarizer"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--average", "micro"], "--by summarizer"),
        (["--bootstrap", "percentile"], "--by summarizer"),
        (["--details"], "--format rouge155"),
        ([*BY, "--average", "counts", "--bootstrap", "percentile"], "counts are sums"),
        (["--format", "rouge155", "--average", "counts"], "macro (-t 0) or micro (-t 1)"),
        (["--format", "rouge155", "--bootstrap", "percentile"], "bootstrap of ROUGE-1.5.5"),
        (["--format", "rouge155", "-o", "x.csv"], "leave --format out"),
        (["--format", "json", "-o", "x.csv"], "leave --format out"),
        ([*BY, "-o", "x.parquet"], ".csv, .jsonl"),
        (["-o", "x.txt"], ".parquet, .csv, .jsonl"),
    ],
    ids=str,
)
def test_options_that_would_be_ignored_are_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("score", "demo", "-m", "rouge-1", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_averages_are_written_to_a_file(run: Run, flat: Path, tmp_path: Path) -> None:
    arguments = ["score", str(flat), "-m", "rouge-1.recall", *BY, "--bootstrap", "rouge155"]
    _, printed, _ = run(*arguments, "--format", "json")
    code, out, err = run(*arguments, "-o", str(tmp_path / "means.jsonl"))
    assert (code, out) == (0, "")
    assert "averages written" in err
    assert (tmp_path / "means.jsonl").read_text(encoding="utf-8") == printed
    run(*arguments, "-o", str(tmp_path / "means.csv"))
    with (tmp_path / "means.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["summarizer"], float(row["value"])) for row in rows] == [("A", 0.5), ("B", 0.0)]


def test_every_null_of_an_average_has_a_reason(run: Run, flat: Path) -> None:
    for bootstrap in ([], ["--bootstrap", "percentile"], ["--bootstrap", "rouge155"]):
        _, out, _ = run("score", str(flat), "-m", "rouge-1.recall", *BY, *bootstrap, "--format", "json")
        for row in records(out):
            assert ("reason" in row) == (None in row.values())


def test_micro_details_are_counts_under_the_letters_of_scores(run: Run, flat: Path) -> None:
    arguments = ["score", str(flat), "-m", "rouge-1", "-m", "rouge-w1.2", "--format", "rouge155", "--details"]
    _, out, _ = run(*arguments, "--average", "micro")
    # "a ferry burned" against "the ferry burned down": 4 tokens in the model, 3 in the peer, 2 hits;
    # W: (4^1.2)^1.2, 3^1.2 and 2^1.2.
    assert "A ROUGE-1 Eval 1.A R:4 P:3 F:2" in out.splitlines()
    (line,) = [line for line in out.splitlines() if line.startswith("A ROUGE-W-1.2 Eval")]
    numbers = [float(part.partition(":")[2]) for part in line.split()[-3:]]
    assert numbers == pytest.approx([4**1.44, 3**1.2, 2**1.2], rel=1e-14)


def test_items_are_in_the_order_of_the_numbers_that_they_begin_with(run: Run, tmp_path: Path) -> None:
    row = {"summarizer": "A", "summary": "a ferry", "references": ["the ferry"]}
    data = write(tmp_path, "flat.jsonl", *({"topic": topic, **row} for topic in ("10", "9", "x", "d")))
    _, out, _ = run("score", str(data), "-m", "rouge-1", "--format", "rouge155", "--details")
    items = [line.split()[3] for line in out.splitlines() if " Eval " in line]
    assert items == ["9.A", "10.A", "d.A", "x.A"]


def test_a_configuration_of_nist_prints_what_the_perl_program_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(__file__).parents[1] / "golden" / "nist" / "duc2006" / "tree" / "NISTeval" / "ROUGE"
    monkeypatch.chdir(folder)
    measures = [argument for kind in ("1", "2", "3", "4", "l", "w1.2", "su4") for argument in ("-m", f"rouge-{kind}")]
    _, out, _ = run("score", "rougejk.in", *measures, "--peers", "all", "--format", "rouge155", "--details")
    assert out.splitlines() == (folder / "rougejk.m.out").read_text().splitlines()

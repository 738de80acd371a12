"""Tables in the shapes that teams have: each with the one command, and the means of systems that Python counts.

ROUGE-1 of summaries is counted here, word by word (F of clipped counts, as rouge-score defines it); the words are lower
case and ASCII, so that tokenizers don't matter. Scores are drawn, and their means are those of the draws.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.errors import UsageError

TOPICS = 6
SYSTEMS = ("gpt", "llama")
WORDS = [
    "the",
    "ferry",
    "burned",
    "off",
    "coast",
    "of",
    "kiel",
    "on",
    "monday",
    "mayor",
    "resigned",
    "rain",
    "is",
    "expected",
    "in",
    "north",
    "crew",
    "rescued",
    "port",
]
_RANDOM = random.Random(4)
REFERENCES = [" ".join(_RANDOM.choice(WORDS) for _ in range(8)) for _ in range(TOPICS)]
SUMMARIES = {
    system: [" ".join(word if _RANDOM.random() < share else "noise" for word in text.split()) for text in REFERENCES]
    for system, share in zip(SYSTEMS, (0.7, 0.5), strict=True)
}
RATINGS = {system: [_RANDOM.randint(1, 5) for _ in range(TOPICS)] for system in SYSTEMS}


def rouge_1(summary: str, reference: str) -> float:
    """F of the words that two texts share, each as often as both have it."""
    ours, theirs = Counter(summary.split()), Counter(reference.split())
    hits = (ours & theirs).total()
    return 2 * hits / (ours.total() + theirs.total())


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


ROUGE = {
    system: mean([rouge_1(*pair) for pair in zip(SUMMARIES[system], REFERENCES, strict=True)]) for system in SYSTEMS
}
MEANS = {system: mean(RATINGS[system]) for system in SYSTEMS}
SHARES = {system: mean([float(rating > 2) for rating in RATINGS[system]]) for system in SYSTEMS}
Row = dict[str, Any]


def texts(**names: str) -> list[Row]:
    """A row for each summary; `names` are those of columns that are called otherwise."""
    rows = []
    for topic in range(TOPICS):
        for system in SYSTEMS:
            row = {
                "id": f"t{topic}",
                "model": system,
                "summary": SUMMARIES[system][topic],
                "reference": REFERENCES[topic],
            }
            rows.append({names.get(column, column): cell for column, cell in row.items()})
    return rows


def scores(spell: Callable[[int], Any], column: str = "score") -> list[Row]:
    """A row for each summary with its rating, as it is spelled."""
    return [
        {"id": f"t{topic}", "model": system, column: spell(RATINGS[system][topic])}
        for topic in range(TOPICS)
        for system in SYSTEMS
    ]


def cells(rows: Sequence[Row], separator: str = ",") -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, rows[0], delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def lines(rows: Sequence[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def without(rows: Sequence[Row], column: str, **more: Callable[[Row], Any]) -> list[Row]:
    """The rows without a column, with others that are made from them."""
    kept = []
    for row in rows:
        others = {name: cell for name, cell in row.items() if name != column}
        kept.append(others | {name: make(row) for name, make in more.items()})
    return kept


def of_system(system: str, **names: str) -> list[Row]:
    return [without([row], "model")[0] for row in texts(**names) if row["model"] == system]


WIDE: list[Row] = [
    {"id": topic, "reference": REFERENCES[topic], **{system: SUMMARIES[system][topic] for system in SYSTEMS}}
    for topic in range(TOPICS)
]
AGREEMENT = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")
BARE = texts()
TEXT_FILES: dict[str, tuple[dict[str, str | bytes], str, dict[str, float]]] = {
    "names with capitals, blanks and brackets": (
        {
            "x.csv": cells(
                texts(
                    id="Item ID", model="Model Name", summary="Generated Summary", reference="Reference Summary (gold)"
                )
            )
        },
        "x.csv",
        ROUGE,
    ),
    "tabs": ({"x.tsv": cells(BARE, "\t")}, "x.tsv", ROUGE),
    "semicolons": ({"x.csv": cells(BARE, ";")}, "x.csv", ROUGE),
    "bars": ({"x.csv": cells(BARE, "|")}, "x.csv", ROUGE),
    "byte-order mark": ({"x.csv": cells(BARE).encode("utf-8-sig")}, "x.csv", ROUGE),
    "UTF-16": ({"x.csv": cells(BARE).encode("utf-16")}, "x.csv", ROUGE),
    "gzip": ({"x.csv.gz": gzip.compress(cells(BARE).encode())}, "x.csv.gz", ROUGE),
    "an index without a name": (
        {"x.csv": cells([{"": number, **row} for number, row in enumerate(BARE)])},
        "x.csv",
        ROUGE,
    ),
    "cells of several lines": (
        {"x.csv": cells([{**row, "summary": row["summary"].replace(" ", "\n", 2)} for row in BARE])},
        "x.csv",
        ROUGE,
    ),
    "a list of objects": ({"x.json": json.dumps(BARE, indent=1)}, "x.json", ROUGE),
    "a list of objects called JSON lines": ({"x.jsonl": json.dumps(BARE, indent=1)}, "x.jsonl", ROUGE),
    "lists by column": (
        {"x.json": json.dumps({name: [row[name] for row in BARE] for name in BARE[0]})},
        "x.json",
        ROUGE,
    ),
    "pandas by column": ({"x.json": pandas.DataFrame(BARE).to_json()}, "x.json", ROUGE),
    "pandas in parts": ({"x.json": pandas.DataFrame(BARE).to_json(orient="split")}, "x.json", ROUGE),
    "rows below other keys": ({"x.json": json.dumps({"config": {"seed": 1}, "results": BARE})}, "x.json", ROUGE),
    "references in a list": (
        {"x.jsonl": lines(without(BARE, "reference", references=lambda row: [row["reference"]]))},
        "x.jsonl",
        ROUGE,
    ),
    "references in a list as text": (
        {"x.csv": cells(without(BARE, "reference", references=lambda row: repr([row["reference"]])))},
        "x.csv",
        ROUGE,
    ),
    "numbered references": (
        {"x.csv": cells(without(BARE, "reference", ref1=lambda row: row["reference"], ref2=lambda _: "unlike"))},
        "x.csv",
        ROUGE,
    ),
    "a chat": (
        {
            "x.jsonl": lines(
                without(
                    BARE,
                    "summary",
                    messages=lambda row: [
                        {"role": "user", "content": "Summarize."},
                        {"role": "assistant", "content": row["summary"]},
                    ],
                )
            )
        },
        "x.jsonl",
        ROUGE,
    ),
    "an answer of an interface": (
        {
            "x.jsonl": lines(
                without(BARE, "summary", response=lambda row: {"choices": [{"message": {"content": row["summary"]}}]})
            )
        },
        "x.jsonl",
        ROUGE,
    ),
    "a column per system": ({"x.csv": cells(WIDE)}, "x.csv --columns summary=gpt+llama", ROUGE),
    "an object of systems": (
        {
            "x.jsonl": lines(
                [
                    {"id": row["id"], "reference": row["reference"], "outputs": {name: row[name] for name in SYSTEMS}}
                    for row in WIDE
                ]
            )
        },
        "x.jsonl",
        {f"outputs.{system}": value for system, value in ROUGE.items()},
    ),
    "a file per system": (
        {f"{system}.jsonl": lines(of_system(system, summary="output")) for system in SYSTEMS},
        "gpt.jsonl llama.jsonl",
        ROUGE,
    ),
    "German names": (
        {"x.csv": cells(texts(id="Nr", model="Modell", summary="Zusammenfassung", reference="Referenz"), ";")},
        "x.csv",
        ROUGE,
    ),
    "numbers of rows beside topics of another name": (
        {
            "x.csv": cells(
                [
                    {"id": number, "chapter": row["id"], **without([row], "id")[0]}
                    for number, row in enumerate(BARE[::-1])
                ]
            )
        },
        "x.csv",
        ROUGE,
    ),
    "a comma in a name between semicolons": (
        {"x.csv": cells(texts(summary="Summary (short, plain)"), ";")},
        "x.csv",
        ROUGE,
    ),
    "a list of systems": (
        {
            "x.json": json.dumps(
                [
                    {
                        "id": row["id"],
                        "reference": row["reference"],
                        "outputs": [{"model": name, "text": row[name]} for name in SYSTEMS],
                    }
                    for row in WIDE
                ]
            )
        },
        "x.json",
        ROUGE,
    ),
    "an object that names the system": (
        {"x.jsonl": lines(without(BARE, "model", model=lambda row: {"name": row["model"], "version": "1"}))},
        "x.jsonl",
        ROUGE,
    ),
    "a column per run": (
        {"x.csv": cells(without(BARE, "summary", output1=lambda row: row["summary"], output2=lambda _: "unlike"))},
        "x.csv --columns summary=output1+output2 --runs",
        {system: value / 2 for system, value in ROUGE.items()},
    ),
    "references in another file, in another order": (
        {
            "x.csv": cells(without(BARE, "reference")),
            "y.csv": cells([{"id": row["id"], "gold": row["reference"]} for row in of_system("gpt")[::-1]]),
        },
        "x.csv y.csv",
        ROUGE,
    ),
    "ids as numbers and as texts": (
        {
            "x.jsonl": lines(without(BARE, "reference", id=lambda row: int(row["id"][1:]))),
            "y.jsonl": lines([{"id": str(row["id"]), "reference": row["reference"]} for row in WIDE]),
        },
        "x.jsonl y.jsonl",
        ROUGE,
    ),
}
SCORE_FILES: dict[str, tuple[dict[str, str | bytes], str, dict[str, float]]] = {
    "plain": ({"x.csv": cells(scores(str, "Coherence (1-5)"))}, "x.csv", MEANS),
    "decimal commas": (
        {"x.csv": cells(scores(lambda rating: f"{rating},5"), ";")},
        "x.csv",
        {system: value + 0.5 for system, value in MEANS.items()},
    ),
    "percent": (
        {"x.csv": cells(scores(lambda rating: f"{rating}0 %"))},
        "x.csv",
        {system: 10 * value for system, value in MEANS.items()},
    ),
    "of five": ({"x.csv": cells(scores(lambda rating: f"{rating}/5"))}, "x.csv", MEANS),
    "numbers with words": (
        {"x.csv": cells(scores(lambda rating: f"{rating} - {AGREEMENT[rating - 1]}"))},
        "x.csv",
        MEANS,
    ),
    "agreement in words": ({"x.csv": cells(scores(lambda rating: AGREEMENT[rating - 1].title()))}, "x.csv", MEANS),
    "true and false as text": ({"x.csv": cells(scores(lambda rating: str(rating > 2), "passed"))}, "x.csv", SHARES),
    "true and false": ({"x.jsonl": lines(scores(lambda rating: rating > 2, "passed"))}, "x.jsonl", SHARES),
    "yes and no": ({"x.csv": cells(scores(lambda rating: ("no", "yes")[rating > 2]))}, "x.csv", SHARES),
    "pass and fail": ({"x.csv": cells(scores(lambda rating: ("fail", "pass")[rating > 2]))}, "x.csv", SHARES),
    "an object of scores": (
        {"x.jsonl": lines(without(scores(int), "score", scores=lambda row: {"coherence": row["score"]}))},
        "x.jsonl",
        MEANS,
    ),
    "a list of scores": (
        {
            "x.jsonl": lines(
                without(scores(int), "score", scores=lambda row: [{"name": "coherence", "value": row["score"]}])
            )
        },
        "x.jsonl",
        MEANS,
    ),
    "an object of ratings beside texts": (
        {
            "x.jsonl": lines(
                [
                    {**text, "ratings": {"coherence": rating["score"]}}
                    for text, rating in zip(BARE, scores(int), strict=True)
                ]
            )
        },
        "x.jsonl -m coherence",
        MEANS,
    ),
    "a list of raters": (
        {
            "x.jsonl": lines(
                without(
                    scores(int), "score", ratings=lambda row: [{"rater": name, "style": row["score"]} for name in "AB"]
                )
            )
        },
        "x.jsonl",
        MEANS,
    ),
    "judges with numbers beside runs": (
        {
            "x.csv": cells(
                [{**row, "judge": judge, "run": run} for row in scores(int) for judge in (0, 1) for run in (0, 1)]
            )
        },
        "x.csv",
        MEANS,
    ),
    "answers of judges in words": (
        {
            "x.jsonl": lines(
                [
                    {**row, "response": f"{judge} finds it clear. [[{row['response']}]]", "judge": judge}
                    for row in scores(int, "response")
                    for judge in ("one", "two")
                ]
            )
        },
        "x.jsonl",
        MEANS,
    ),
    "a last row of means": (
        {
            "x.csv": cells(
                [{"id": topic, **{name: RATINGS[name][topic] for name in SYSTEMS}} for topic in range(TOPICS)]
                + [{"id": "Average", **dict.fromkeys(SYSTEMS, 99)}]
            )
        },
        "x.csv --columns score=gpt+llama",
        MEANS,
    ),
    "columns that pandas numbered": (
        {
            "x.csv": cells(
                [
                    {
                        "id": row["id"],
                        "Summary": row["gpt"],
                        "Rating": RATINGS["gpt"][row["id"]],
                        "Summary.1": row["llama"],
                        "Rating.1": RATINGS["llama"][row["id"]],
                    }
                    for row in WIDE
                ]
            )
        },
        "x.csv --columns summary=Summary+Summary.1",
        {"Summary": MEANS["gpt"], "Summary.1": MEANS["llama"]},
    ),
}
MISSING = ("NaN", "None", "N/A", "-", "–", "", "null", "#N/A")


def put(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def means_of(out: str) -> dict[str, float]:
    """The means by system, which must be those of one measure."""
    rows = [row for row in records(out) if row["record"] == "mean"]
    assert len({row["measure"] for row in rows}) == 1
    return {row["summarizer"]: row["value"] for row in rows}


@pytest.mark.parametrize(("files", "words", "expected"), TEXT_FILES.values(), ids=TEXT_FILES)
def test_summaries_are_scored_by_one_command(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str | bytes],
    words: str,
    expected: dict[str, float],
) -> None:
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("compare", *shlex.split(words), "-m", "rouge1", "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(expected)


@pytest.mark.parametrize("ending", [".arrow", ".feather", ".parquet"])
def test_columns_of_arrow_are_scored(run: Run, tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(BARE)
    path = tmp_path / f"x{ending}"
    if ending == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)
    code, out, err = run("compare", str(path), "-m", "rouge1", "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(ROUGE)


@pytest.mark.parametrize(("files", "words", "expected"), SCORE_FILES.values(), ids=SCORE_FILES)
def test_scores_are_compared_as_they_are_spelled(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str | bytes],
    words: str,
    expected: dict[str, float],
) -> None:
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("compare", *shlex.split(words), "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(expected)


@pytest.mark.parametrize("missing", MISSING)
def test_a_cell_that_says_that_there_is_no_number_is_missing(run: Run, tmp_path: Path, missing: str) -> None:
    rows = scores(str)
    rows[0]["score"] = missing
    put(tmp_path, {"x.csv": cells(rows)})
    code, out, err = run("compare", str(tmp_path / "x.csv"), "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx({"gpt": mean(RATINGS["gpt"][1:]), "llama": MEANS["llama"]})


def test_what_was_read_as_a_number_is_said(run: Run, tmp_path: Path) -> None:
    put(tmp_path, {"x.csv": cells(scores(lambda rating: AGREEMENT[rating - 1]))})
    _, _, err = run("compare", str(tmp_path / "x.csv"))
    first = AGREEMENT[RATINGS["gpt"][0] - 1]
    assert f"read as numbers: score ('{first}' is {RATINGS['gpt'][0]})" in err


def test_a_later_cell_of_another_form_is_an_error_of_its_row(run: Run, tmp_path: Path) -> None:
    rows = scores(lambda rating: f"{rating}0%") * 20
    for number, row in enumerate(rows):
        row = row.copy()
        row["id"] = f"t{number // 2}"
        rows[number] = row
    rows[230]["score"] = "many"
    put(tmp_path, {"x.csv": cells(rows)})
    code, _, err = run("compare", str(tmp_path / "x.csv"))
    assert (code, "x.csv:232: error: score: found 'many'" in err) == (1, True)


OPTION = r"--columns '[^']+'(?: --runs)?|--columns [^\s']+(?: --runs)?|--runs"
QUESTIONS: dict[str, tuple[dict[str, str | bytes], str, str, str, dict[str, float]]] = {
    "topics and systems of unknown names": (
        {"x.csv": cells(texts(id="chapter", model="flavour"))},
        "x.csv -m rouge1",
        "expected a column of topics and one of systems",
        OPTION,
        ROUGE,
    ),
    "scores of topics and systems of unknown names": (
        {"x.csv": cells([{"chapter": row["id"], "flavour": row["model"], "s": row["s"]} for row in scores(int, "s")])},
        "x.csv",
        "expected scores of each system for each topic",
        OPTION,
        MEANS,
    ),
    "numbered outputs with their numbers": (
        {
            "x.csv": cells(
                [
                    {
                        "id": row["id"],
                        "Output 1": row["gpt"],
                        "Output 2": row["llama"],
                        "Score 1": RATINGS["gpt"][row["id"]],
                        "Score 2": RATINGS["llama"][row["id"]],
                    }
                    for row in WIDE
                ]
            )
        },
        "x.csv",
        "which may be systems or runs",
        OPTION,
        {"Output 1": MEANS["gpt"], "Output 2": MEANS["llama"]},
    ),
    "runs in columns": (
        {"x.csv": cells(without(BARE, "summary", output1=lambda row: row["summary"], output2=lambda _: "unlike"))},
        "x.csv -m rouge1",
        "which may be systems or runs",
        OPTION,
        {system: value / 2 for system, value in ROUGE.items()},
    ),
    "judges of an unknown name beside runs": (
        {
            "x.csv": cells(
                [{**row, "who": who, "run": run} for row in scores(int) for who in ("one", "two") for run in (0, 1)]
            )
        },
        "x.csv",
        "These rows differ in the column who",
        OPTION,
        MEANS,
    ),
    "runs of an unknown name": (
        {"x.csv": cells([{**row, "nth": nth} for row in scores(int) for nth in ("a", "b")])},
        "x.csv",
        "These rows differ in the column nth",
        OPTION,
        MEANS,
    ),
    "a column per system under other names": (
        {"x.csv": cells(WIDE)},
        "x.csv -m rouge1",
        "expected a column of summaries",
        r"--columns \S+",
        ROUGE,
    ),
    "ids under an unknown name": (
        {
            "x.csv": cells(without(BARE, "reference")),
            "y.csv": cells([{"doc": row["id"], "gold": row["reference"]} for row in of_system("gpt")]),
        },
        "x.csv y.csv -m rouge1",
        "ids in all files or in none",
        r"--columns topic=\w+",
        ROUGE,
    ),
    "texts in a list": (
        {
            "x.jsonl": lines(
                [
                    {"id": row["id"], "reference": row["reference"], "summaries": [row[name] for name in SYSTEMS]}
                    for row in WIDE
                ]
            )
        },
        "x.jsonl -m rouge1",
        "2 texts in each cell of the column summaries",
        r"--columns '[^']+'|--columns \S+",
        {f"summaries[{number}]": ROUGE[system] for number, system in enumerate(SYSTEMS)},
    ),
    "raters with a column each": (
        {
            "x.csv": cells(
                without(scores(int), "score", **{"Rater 1": lambda row: row["score"], "Rater 2": lambda _: 3})
            )
        },
        "x.csv",
        "which seem to be raters",
        "",
        {},
    ),
    "raters, systems and questions in the names": (
        {
            "x.csv": cells(
                [
                    {
                        "id": topic,
                        **{
                            f"{rater}_{system}_{question}": RATINGS[system][topic]
                            for rater in ("rater1", "rater2")
                            for system in SYSTEMS
                            for question in ("coherence", "fluency")
                        },
                    }
                    for topic in range(TOPICS)
                ]
            )
        },
        "x.csv",
        "which seem to be raters",
        "",
        {},
    ),
    "thousands or decimals": (
        {"x.csv": cells(scores(lambda rating: f"{rating},000"), ";")},
        "x.csv",
        "expected",
        "",
        {},
    ),
    "words of an unknown order": (
        {"x.csv": cells(scores(lambda rating: ("poor", "fair", "good", "fine", "great")[rating - 1]))},
        "x.csv",
        "write numbers for its words, such as 1 for the worst",
        "",
        {},
    ),
    "a title above the names": (
        {"x.csv": "Our evaluation,,\n" + cells(scores(str))},
        "x.csv",
        "If this is a title, remove the line",
        "",
        {},
    ),
    "no id in common": (
        {
            "x.csv": cells(without(BARE, "reference")),
            "y.csv": cells([{"id": f"doc-{row['id']}", "gold": row["reference"]} for row in of_system("gpt")]),
        },
        "x.csv y.csv -m rouge1",
        "found other ids than in",
        "",
        {},
    ),
    "a column twice": (
        {"x.csv": cells(scores(str)).replace("id,model,score", "id,score,score")},
        "x.csv",
        "'score' more than once",
        "",
        {},
    ),
}


@pytest.mark.parametrize(("files", "words", "said", "option", "expected"), QUESTIONS.values(), ids=QUESTIONS)
def test_what_is_not_clear_is_asked_for_and_the_option_leads_to_the_answer(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str | bytes],
    words: str,
    said: str,
    option: str,
    expected: dict[str, float],
) -> None:
    put(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    code, _, err = run("compare", *shlex.split(words))
    assert code == 1
    assert said in err
    if not option:
        return
    typed = re.findall(option, err)[0].rstrip(".")
    code, out, err = run("compare", *shlex.split(words), *shlex.split(typed), "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(expected)


def test_raters_in_rows_are_people(run: Run, tmp_path: Path) -> None:
    """What the question about raters in columns asks for."""
    rows = [{**row, "rater": rater} for row in scores(int) for rater in ("1", "2")]
    put(tmp_path, {"x.csv": cells(rows)})
    code, out, err = run("compare", str(tmp_path / "x.csv"), "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(MEANS)


def test_categories_and_texts_are_no_scores(run: Run, tmp_path: Path) -> None:
    rows = [
        {**row, "topic_area": f"{1 + number % 3} - news", "split": "test"} for number, row in enumerate(scores(int))
    ]
    rows = [{**row, "output": "yes", "expected": "yes"} for row in rows]
    put(tmp_path, {"x.csv": cells(without(rows, "score"))})
    code, out, err = run("score", str(tmp_path / "x.csv"), "-m", "rouge1", "--format", "json")
    assert (code, {row["value"] for row in records(out)}) == (0, {1.0})
    assert "read as numbers" not in err
    assert "not used: topic_area, split" in err


def test_two_lines_of_names_are_one_as_the_message_shows(run: Run, tmp_path: Path) -> None:
    lines_of_names = [",".join(["", *(name for name in SYSTEMS for _ in range(2))]), "id" + ",coherence,fluency" * 2]
    numbers = [f"{topic},{RATINGS['gpt'][topic]},1,{RATINGS['llama'][topic]},1" for topic in range(TOPICS)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join([*lines_of_names, *numbers]))
    code, _, err = run("compare", str(path))
    assert (code, "write them in one, such as gpt_coherence; else" in err, "1 problem" in err) == (1, True, True)
    path.write_text("\n".join(["id,gpt_coherence,gpt_fluency,llama_coherence,llama_fluency", *numbers]))
    code, out, err = run("compare", str(path), "-m", "coherence", "--format", "json")
    assert code == 0, err
    assert means_of(out) == pytest.approx(MEANS)


def test_a_system_per_row_and_a_topic_per_column_is_to_be_turned_round(run: Run, tmp_path: Path) -> None:
    rows = [{"model": name, **{f"t{n}": rating for n, rating in enumerate(RATINGS[name])}} for name in SYSTEMS]
    put(tmp_path, {"x.csv": cells(rows)})
    code, _, err = run("compare", str(tmp_path / "x.csv"))
    assert (code, "a row for each topic, a column for each system" in err) == (1, True)


def test_a_last_row_of_means_is_left_out_with_a_warning_that_check_shows(run: Run, tmp_path: Path) -> None:
    put(tmp_path, {"x.csv": cells([*scores(int), {"id": "Mean", "model": "", "score": 99}])})
    code, out, err = run("check", str(tmp_path / "x.csv"))
    assert (code, "found a last row called Mean" in " ".join((out + err).split())) == (0, True)


@pytest.mark.parametrize("table", [scores(int), BARE], ids=["scores", "texts"])
def test_systems_that_differ_in_blanks_are_named(run: Run, tmp_path: Path, table: list[Row]) -> None:
    put(tmp_path, {"x.csv": cells([*table[1:], {**table[0], "model": "gpt "}])})
    code, _, err = run("compare", str(tmp_path / "x.csv"))
    assert (code, "the systems 'gpt' and 'gpt ', which differ in blanks only" in " ".join(err.split())) == (0, True)


@pytest.mark.parametrize(
    ("name", "leader"), [("hallucinations", "low"), ("error_rate", "low"), ("hallucination_free", "high")]
)
def test_low_values_of_what_counts_faults_are_good(run: Run, tmp_path: Path, name: str, leader: str) -> None:
    put(tmp_path, {"x.csv": cells(scores(int, name))})
    code, out, _ = run("compare", str(tmp_path / "x.csv"), "--format", "json")
    first = next(row["summarizer"] for row in records(out) if row["record"] == "mean" and row["rank"] == 1)
    best = {"high": max(MEANS, key=lambda system: MEANS[system]), "low": min(MEANS, key=lambda system: MEANS[system])}
    assert (code, first) == (0, best[leader])
    typed = f"imported(better=high).{name}"
    out = run("compare", str(tmp_path / "x.csv"), "-m", typed, "--format", "json")[1]
    assert next(row["summarizer"] for row in records(out) if row["record"] == "mean") == best["high"]


FRAME = pandas.DataFrame(BARE)
SCORED = pandas.DataFrame(scores(int, "coherence")).assign(fluency=1)
IN_MEMORY: dict[str, tuple[Any, dict[str, Any], dict[str, float]]] = {
    "a generator": (iter(BARE), {"measures": "rouge1"}, ROUGE),
    "lists by column": ({name: [row[name] for row in BARE] for name in BARE[0]}, {"measures": "rouge1"}, ROUGE),
    "arrays by column": ({name: FRAME[name].to_numpy() for name in FRAME}, {"measures": "rouge1"}, ROUGE),
    "Series by column": ({name: pl.Series(FRAME[name]) for name in FRAME}, {"measures": "rouge1"}, ROUGE),
    "frames by system": (
        {name: FRAME[FRAME["model"] == name].drop(columns="model") for name in SYSTEMS},
        {"measures": "rouge1"},
        ROUGE,
    ),
    "ids in the index": (FRAME.set_index("id"), {"measures": "rouge1"}, ROUGE),
    "a lazy frame": (pl.LazyFrame(BARE), {"measures": "rouge1"}, ROUGE),
    "a table of Arrow": (pl.DataFrame(BARE).to_arrow(), {"measures": "rouge1"}, ROUGE),
    "two levels of columns": (SCORED.pivot(index="id", columns="model"), {"measures": "coherence"}, MEANS),
    "ids in an index without a name": (
        SCORED.pivot(index="id", columns="model", values="coherence").rename_axis(index=None, columns=None),
        {"columns": {"score": "gpt+llama"}},
        MEANS,
    ),
    "decimals": (
        SCORED.assign(coherence=SCORED["coherence"].map(Decimal)),
        {"measures": "coherence"},
        MEANS,
    ),
}


@pytest.mark.parametrize(("data", "options", "expected"), IN_MEMORY.values(), ids=IN_MEMORY)
def test_what_is_in_memory_is_compared_by_one_call(
    data: Any, options: dict[str, Any], expected: dict[str, float]
) -> None:
    means = pyramidion.compare(data, **options).records("mean")
    assert {row["summarizer"]: row["value"] for row in means} == pytest.approx(expected)


def test_a_list_of_frames_is_refused_with_what_to_give() -> None:
    frames: Any = [FRAME, FRAME]
    with pytest.raises(UsageError, match="a dictionary with the name of each system"):
        pyramidion.compare(frames)

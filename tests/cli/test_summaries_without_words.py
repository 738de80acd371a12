"""Summaries in which a measure finds no word are missing or scored as 0: the answer says so, wherever they count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.measures.base import MeasureWarning

TEXT = "A ferry burned off the coast of Kiel on Monday."
CHINESE, ARABIC = "渡船在港口起火", "احترقت العبارة قبالة الساحل"
JAPANESE, THAI, HINDI = "フェリーが港で燃えた", "เรือข้ามฟากไฟไหม้", "नौका में आग लगी"
RUSSIAN, KOREAN = "Паром сгорел у берегов Киля", "여객선이 항구에서 불탔다"
GERMAN = "Die Fähre brannte am Montag vor der Küste; alle Passagiere wurden gerettet."
FRENCH = "Le ferry a brûlé lundi au large de Brest ; les passagers ont été sauvés."
DEFAULT_TOKENS = {"rouge1": "rouge-score", "rougeLsum": "rouge-score", "rouge-1.f": "rouge155"}
EMPTY_NOTE = "2 empty summaries of B are treated as missing"
ZERO_NOTE = "2 empty summaries of B are scored as 0"
SCRIPT_NOTE = "4 summaries of A and B without letters a–z are scored as 0 (tokens=unicode reads every script)"


def rows(a: list[str], b: list[str], reference: str = TEXT) -> list[dict[str, Any]]:
    return [
        {"topic": f"t{number}", "system": who, "summary": text, "reference": reference}
        for who, texts in (("A", a), ("B", b))
        for number, text in enumerate(texts)
    ]


HALF = "A ferry burned off the"  # half of the words
EMPTY = rows([TEXT, HALF, TEXT, TEXT], ["", TEXT, " \n", TEXT])


def write(path: Path, held: list[dict[str, Any]]) -> str:
    pl.DataFrame(held).write_csv(path)
    return str(path)


@pytest.mark.parametrize("measure", ["rouge1", "rouge-2.recall", "rouge-l.f"])
@pytest.mark.parametrize("command", ["score", "compare"])
def test_empty_summaries_are_noted_in_every_answer(run: Run, tmp_path: Path, command: str, measure: str) -> None:
    path = write(tmp_path / "x.csv", EMPTY)
    code, out, _ = run(command, path, "-m", measure)
    assert code == 0
    assert EMPTY_NOTE in out
    code, out, _ = run(command, path, "-m", measure, "--format", "json")
    assert {row["note"] for row in records(out) if row["record"] in ("score", "mean")} == {EMPTY_NOTE}


def test_so_are_they_in_averages_and_files(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", EMPTY)
    assert EMPTY_NOTE in run("score", path, "-m", "rouge1", "--by", "summarizer")[1]
    assert run("score", path, "-m", "rouge1", "-o", str(tmp_path / "out.csv"))[0] == 0
    assert EMPTY_NOTE in (tmp_path / "out.csv").read_text()


def test_parts_of_a_run_say_it_without_counts(run: Run, tmp_path: Path) -> None:
    pl.DataFrame(EMPTY).write_parquet(tmp_path / "x.parquet")
    assert run("score", str(tmp_path / "x.parquet"), "-m", "rouge1", "-o", f"{tmp_path / 'out'}/")[0] == 0
    code, out, _ = run("compare", str(tmp_path / "out"), "--format", "json")
    assert code == 0
    assert {row["note"] for row in records(out) if row["record"] == "mean"} == {
        "some empty summaries are treated as missing"
    }


def mean_of_b(run: Run, *words: str) -> tuple[float, int, str]:
    code, out, err = run("compare", *words, "-m", "rouge1", "--format", "json")
    assert code == 0
    assert "no value for" not in err  # the note says why
    (mean,) = [row for row in records(out) if row["record"] == "mean" and row["summarizer"] == "B"]
    return mean["value"], mean["n"], mean["note"]


def test_an_empty_cell_of_a_table_is_no_output_unless_the_user_says_that_it_is_one(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", EMPTY)
    assert mean_of_b(run, path) == (1.0, 2, EMPTY_NOTE)
    assert mean_of_b(run, path, "--empty", "zero") == (0.5, 4, ZERO_NOTE)


def test_an_empty_summary_in_a_campaign_folder_has_the_score_0_as_in_duc(run: Run, tmp_path: Path) -> None:
    lines = [
        {"topic": row["topic"], "summarizer": row["system"], "kind": "peer", "text": row["summary"]} for row in EMPTY
    ]
    lines += [{"topic": f"t{number}", "summarizer": "H", "kind": "model", "text": TEXT} for number in range(4)]
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "summaries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert mean_of_b(run, str(folder)) == (0.5, 4, ZERO_NOTE)
    assert mean_of_b(run, str(folder), "--empty", "missing") == (1.0, 2, EMPTY_NOTE)


def test_micro_averages_leave_empty_summaries_out_as_well(run: Run, tmp_path: Path) -> None:
    words = ("score", write(tmp_path / "x.csv", EMPTY), "-m", "rouge-1.recall", "--by", "summarizer")
    code, out, _ = run(*words, "--average", "micro", "--format", "json")
    assert code == 0
    averages = {row["summarizer"]: (row["value"], row["n"]) for row in records(out)}
    assert averages == {"A": (pytest.approx(35 / 40), 4), "B": (1.0, 2)}


def test_for_a_gate_an_empty_cell_is_a_missing_output(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", EMPTY)
    code, out, _ = run("gate", path, "--against", "A", "-m", "rouge1", "--format", "json")
    assert code == 0
    (measure,) = [row for row in records(out) if row["record"] == "gate-measure"]
    assert (measure["missing_candidate"], measure["n"], measure["candidate_mean"]) == (2, 4, 0.5)


@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")
def test_a_length_of_0_needs_no_note() -> None:
    assert pyramidion.score(EMPTY, measures=["length"]).notes == {}


@pytest.mark.parametrize("measure", ["rouge1", "rougeLsum", "rouge-1.f"])
@pytest.mark.parametrize("text", [CHINESE, ARABIC, JAPANESE, THAI, HINDI, RUSSIAN, KOREAN])
def test_a_script_that_the_tokenizer_drops_is_refused_with_remedies_that_work(
    run: Run, tmp_path: Path, text: str, measure: str
) -> None:
    path = write(tmp_path / "x.csv", rows([text, text], [text, text], reference=text))
    base, dot, statistic = measure.partition(".")
    readable, chosen = f"{base}(tokens=unicode)", f"{base}(tokens={DEFAULT_TOKENS[measure]})"
    code, out, err = run("score", path, "-m", measure, "--format", "json")
    assert (code, out) == (2, "")
    assert f"as in {readable}; {chosen} scores them as they are" in err
    code, out, err = run("score", path, "-m", f"{readable}{dot}{statistic}", "--format", "json")
    assert code == 0
    assert {(row["value"], row.get("note", "")) for row in records(out)} == {(1.0, "")}
    code, out, err = run("score", path, "-m", f"{chosen}{dot}{statistic}", "--format", "json")
    assert code == 0
    assert {(row["value"], row["note"]) for row in records(out)} == {(0.0, SCRIPT_NOTE)}
    assert "tokens=unicode reads every script" in err


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_number_or_a_name_does_not_make_another_script_readable(run: Run, tmp_path: Path, suffix: str) -> None:
    summary, reference = "OpenAI在2024年发布模型", "2024年模型由OpenAI发布"
    frame = pl.DataFrame(rows([summary], [summary], reference=reference))
    path = tmp_path / f"x.{suffix}"
    if suffix == "csv":
        frame.write_csv(path)
    elif suffix == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    code, _, err = run("score", str(path), "-m", "rouge1")
    assert code == 2
    assert "rouge1(tokens=unicode)" in err
    # By hand: both have 8 tokens (openai, 2024 and 6 characters), of which 7 are shared.
    _, out, _ = run("score", str(path), "-m", "rouge1(tokens=unicode)", "--format", "json")
    assert {round(row["value"], 6) for row in records(out)} == {0.875}


READ_BADLY = "rouge1 reads only the letters a–z: "
LETTERS_NOTE = "other letters than a–z are dropped (tokens=unicode reads them)"


@pytest.mark.parametrize(
    ("summaries", "reference", "expected"),
    [
        pytest.param([GERMAN] * 3, GERMAN, "in all 12 texts other letters are dropped", id="German"),
        pytest.param([FRENCH] * 3, FRENCH, "in all 12 texts other letters are dropped", id="French"),
        pytest.param(["Die Fa\u0308hre brannte"], TEXT, "in 2 of 4 texts other letters are dropped", id="marks"),
        pytest.param([GERMAN] + [TEXT] * 5, TEXT, "in 2 of 24 texts other letters are dropped", id="one topic of six"),
        pytest.param([TEXT + " 渡船着火"] * 2, TEXT, "in 4 of 8 texts other letters are dropped", id="mixed scripts"),
        pytest.param(
            [CHINESE] + [TEXT] * 30, TEXT, "2 of 124 texts are in another script (“渡船在港口起火”)", id="one"
        ),
        pytest.param([CHINESE] * 2, TEXT, "4 of 8 texts are in another script", id="English references"),
        pytest.param(["“The ferry” burned – 🔥️ …"] * 2, TEXT, "", id="quotes and emoji"),
        pytest.param([TEXT.replace("Kiel", "Malmö")] + [TEXT] * 20, TEXT, "", id="a name with an accent"),
        pytest.param([TEXT + " (渡船)"] + [TEXT] * 20, TEXT, "", id="a foreign word"),
        pytest.param([TEXT] * 2, TEXT, "", id="English"),
    ],
)
@pytest.mark.parametrize("is_campaign", [False, True])
def test_dropped_letters_are_noted_where_they_are_more_than_some_words(
    run: Run, tmp_path: Path, summaries: list[str], reference: str, expected: str, is_campaign: bool
) -> None:
    table = rows(summaries, summaries, reference=reference)
    path = write(tmp_path / "x.csv", table)
    if is_campaign:
        assert run("import", "records", path, str(tmp_path / "campaign"))[0] == 0
        path = str(tmp_path / "campaign")
    code, out, err = run("score", path, "-m", "rouge1", "--format", "json")
    assert code == 0
    assert (READ_BADLY in err) == bool(expected)
    notes = {row.get("note", "") for row in records(out)}
    assert any(LETTERS_NOTE in note for note in notes) == bool(expected)
    if not is_campaign:  # there a reference counts once, here with every summary
        assert expected in err
    assert READ_BADLY not in run("score", path, "-m", "rouge1(tokens=unicode)")[2]
    assert READ_BADLY not in run("score", path, "-m", "rouge1(tokens=rouge-score)")[2]


def test_references_in_another_script_are_refused_only_where_they_are_more_than_a_tenth(
    run: Run, tmp_path: Path
) -> None:
    def table(foreign: int, english: int) -> str:
        texts = [CHINESE] * foreign + [TEXT] * english
        held = [
            {"topic": f"t{number}", "system": "A", "summary": text, "reference": text}
            for number, text in enumerate(texts)
        ]
        return write(tmp_path / "x.csv", held)

    assert run("score", table(1, 9), "-m", "rouge1")[0] == 0
    assert run("score", table(2, 9), "-m", "rouge1")[0] == 2


def test_python_warns_of_scripts_that_rouge_score_drops() -> None:
    texts = rows([CHINESE] * 2, [CHINESE] * 2, reference=CHINESE)
    with pytest.warns(MeasureWarning, match="rouge-score reads only ASCII; tokens=unicode reads every script"):
        found = pyramidion.score(texts, measures=["rouge1(tokens=rouge-score)"])
    assert found.notes == {"rouge1.f": SCRIPT_NOTE}


def test_unicode_tokens_of_rouge_score_are_those_of_rouge() -> None:
    held = rows(["渡船 起火", "a ferry"], ["起火 了", "Straße ferry"], reference="渡船 在 起火 a strasse")
    names = ["rouge1(tokens=unicode).f", "rouge-1(tokens=unicode,stem=no).f"]
    table = pyramidion.score(held, measures=names)
    ours, theirs = (table.only([name]).frame["value"].to_list() for name in table.measures)
    assert ours == pytest.approx(theirs)

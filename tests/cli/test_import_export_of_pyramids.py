"""Import and export of pyramids as a user meets them on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.running import Run
from formats.ducview_files import GOLDEN, annotation, pyramid
from pyramidion import formats
from pyramidion.campaign import Campaign, Judgment


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command with strings and paths, in a fresh working folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run(*map(str, arguments))


def put(name: str, content: str) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_several_files_are_imported_together_and_exported_again(run: Run) -> None:
    files = sorted(GOLDEN.glob("ferry*.p[ya][rn]"))
    code, _, err = run("import", "ducview", *files, "campaign", "--strict")
    assert (code, err) == (0, "8 summaries of 1 topic, 2 pyramids, 6 annotations written to campaign\n")
    assert run("check", "campaign", "--strict")[0] == 0
    assert run("export", "ducview", "campaign", "out")[0] == 0
    written = {path.read_bytes() for path in Path("out").iterdir()}
    assert {path.read_bytes() for path in files} == written


def test_files_and_folders_are_data_as_they_are(run: Run) -> None:
    code, out, _ = run("pyramid", "score", GOLDEN / "comet.peer7.pan", "--format", "json")
    (row,) = map(json.loads, out.splitlines())
    assert code == 0
    # pyramids.json: D 14, X 7, original .777778
    assert (row["summarizer"], row["D"], row["X"], round(row["original"], 6)) == ("peer7", 14, 7, 0.777778)
    code, out, _ = run("pyramid", "score", GOLDEN, "--format", "json")
    assert (code, len(out.splitlines())) == (0, 8)


@pytest.mark.parametrize("kind", ["pyr", "pan"])
@pytest.mark.parametrize("through", ["a campaign", "files"])
def test_annotators_who_agree_on_everything_have_an_alpha_of_one(run: Run, kind: str, through: str) -> None:
    stem, content = ("X1", pyramid()) if kind == "pyr" else ("X1.5", annotation())
    data = [put(f"{stem}.{annotator}.{kind}", content) for annotator in ("one", "two")]
    if through == "a campaign":
        assert run("import", "ducview", *data, "campaign", "--strict")[0] == 0
        data = [Path("campaign")]
    code, out, _ = run("pyramid", "agreement", *data, "--format", "json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {row["unit"] for row in rows} == ({"word"} if kind == "pyr" else {"presence", "peer-word"})
    assert {(row["alpha"], *row["annotators"]) for row in rows} == {(1.0, "one", "two")}


def test_repairs_are_listed_and_strict_refuses_them(run: Run) -> None:
    path = put("X1.pyr", pyramid(regex=""))
    code, _, err = run("import", "ducview", path, "campaign")
    assert code == 0
    assert "X1.pyr:1: warning: startDocumentRegEx: found no startDocumentRegEx" in err
    assert run("import", "ducview", path, "other", "--strict")[0] == 1
    assert not Path("other").exists()


@pytest.mark.parametrize("arguments", [("check",), ("pyramid", "score"), ("import", "ducview")])
def test_a_bomb_is_refused_whoever_opens_it(run: Run, arguments: tuple[str, ...]) -> None:
    entities = "".join(f'<!ENTITY lol{number} "{f"&lol{number - 1};" * 10}">' for number in range(1, 10))
    put("bomb.pan", f'<!DOCTYPE lolz [<!ENTITY lol0 "lol">{entities}]><lolz>&lol9;</lolz>')
    more = ["campaign"] if arguments[0] == "import" else []
    code, out, err = run(*arguments, "bomb.pan", *more)
    assert code == 1
    assert (out + err).count("bomb.pan:1: error: found an entity declared in the DTD") == 1


def test_options_of_formats_are_checked_in_both_directions(run: Run) -> None:
    path = put("X1.5.pan", annotation())
    code, _, err = run("import", "ducview", path, "campaign", "--option", "anotator=me")
    assert (code, "did you mean annotator" in err) == (2, True)
    assert run("import", "ducview", path, "campaign", "--option", "annotator=me")[0] == 0
    code, _, err = run("export", "ducview", "campaign", "out", "--option", "scores=yes")
    assert (code, "did you mean score" in err) == (2, True)
    assert run("export", "ducview", "campaign", "out", "--option", "score=yes")[0] == 0
    assert "<qualityScore>" in Path("out/X1.5.me.pan").read_text()
    assert run("export", "flat", "campaign", "x.jsonl", "--option", "a=b")[0] == 2


def test_formats_that_are_read_from_one_place_refuse_two(run: Run) -> None:
    put("a/A.txt", "a")
    put("b/A.txt", "b")
    code, _, err = run("import", "folder", "a", "b", "campaign")
    assert (code, "is read from one file or folder; found 2" in err) == (2, True)
    code, _, err = run("import", "flat", "a", "b", "campaign")
    assert (code, "is read from one file; found 2" in err) == (2, True)


def test_what_check_would_refuse_is_not_written(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer about a summary that is not there, from a reader that does not look at it."""

    def read(*_: object) -> Campaign:
        return Campaign(judgments=(Judgment(topic="D1", summarizer="1", question="focus", value=3),))

    made_up = formats.Format(name="made-up", description="", reader=read)
    monkeypatch.setattr(formats, "find_format", lambda _: made_up)
    monkeypatch.setattr(formats, "all_formats", lambda: (made_up,))
    (tmp_path / "x").write_text("")
    code, _, err = run("import", "made-up", str(tmp_path / "x"), str(tmp_path / "new"))
    assert code == 1, err
    assert "found " in err
    assert not (tmp_path / "new").exists()


def test_export_of_foreign_data_takes_options_for_reading_it(run: Run, tmp_path: Path) -> None:
    files, again = str(tmp_path / "files"), str(tmp_path / "again")
    assert run("export", "ducview", "demo", files)[0] == 0
    read_and_written = ("--option", "unmatched=marked", "--option", "score=yes")
    code, _, err = run("export", "ducview", f"{files}/D02.16.tags.pan", again, *read_and_written)
    assert code == 0, err
    code, _, err = run("export", "ducview", "demo", str(tmp_path / "x"), "--option", "unmatched=marked")
    assert (code, "unmatched" in err) == (2, True)  # a campaign is read without options
    code, _, err = run("export", "flat", files, str(tmp_path / "x.jsonl"), "--option", "unmarked=marked")
    assert (code, "did you mean unmatched" in err) == (2, True), err

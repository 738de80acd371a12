"""`--columns`: which roles there are, which files have them, and what is no table."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.running import Run, records, write

ROLES = (
    "roles are: topic, summarizer, summary, references, documents, run, scores, judgments; "
    "in score tables also measure, value"
)


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = [
        {"id": id, "model": who, "output": f"A ferry {who}.", "reference": "A ferry burned.", "seed": 7}
        for who in ("base", "new")
        for id in (1, 2)
    ]
    return str(write(tmp_path, "mine.jsonl", *rows))


@pytest.fixture
def runs(tmp_path: Path) -> str:
    keys = [(id, who, seed) for id in (1, 2) for who in ("base", "new") for seed in (0, 1)]
    rows = [f"{id},{who},{seed},{id + seed}" for id, who, seed in keys]
    return str(write(tmp_path, "runs.csv", "topic,summarizer,seed,judge", *rows))


def test_an_unknown_role_is_an_error_whatever_the_data_is(run: Run, data: str, runs: str) -> None:
    for words in ([runs], [data], [data, runs], [data, "--scores", runs], ["demo"], ["demo", "--scores", runs]):
        code, _, err = run("compare", *words, "--columns", "rum=seed")
        assert (code, "--columns rum=seed: there is no role 'rum'; did you mean run?" in err) == (2, True)
        assert ROLES in err


@pytest.mark.parametrize(("name", "role"), [("source", "documents"), ("system", "summarizer"), ("item", "topic")])
def test_a_name_of_columns_that_is_no_role_leads_to_its_role(run: Run, data: str, name: str, role: str) -> None:
    _, _, err = run("compare", data, "--columns", f"{name}=x")
    assert f"there is no role {name!r}; did you mean {role}?" in err


def test_an_unknown_role_is_an_error_of_an_import_of_scores(run: Run, tmp_path: Path, runs: str) -> None:
    code, _, err = run("import", "scores", runs, str(tmp_path / "x.parquet"), "--columns", "rum=seed")
    assert (code, "there is no role 'rum'; did you mean run?" in err) == (2, True)


@pytest.mark.parametrize("role", ["measure", "value"])
def test_roles_of_score_tables_are_not_those_of_summaries(run: Run, data: str, role: str) -> None:
    code, _, err = run("compare", data, "--columns", f"{role}=seed")
    assert code == 2
    assert f"only score tables have the role {role!r}, and {data} is a table of summaries" in err


def test_the_run_is_that_of_the_scores_even_if_the_summaries_have_such_a_column(run: Run, data: str, runs: str) -> None:
    for words in ([data, runs], [data, "--scores", runs]):
        code, _, err = run("compare", *words, "-m", "judge", "--columns", "run=seed")
        assert (code, "mean of 2 runs" in err) == (0, True)


def test_a_campaign_has_no_columns(run: Run, tmp_path: Path, data: str) -> None:
    campaign = str(tmp_path / "campaign")
    assert run("import", "flat", data, campaign)[0] == 0
    for name in ("demo", campaign):
        code, _, err = run("compare", name, "--columns", "summary=foo")
        assert (code, f"--columns summary=foo: {name} is not a table; only tables have columns to name" in err) == (
            2,
            True,
        )


def test_a_column_of_summaries_does_not_change_a_score_table_among_the_files(run: Run, data: str, runs: str) -> None:
    asked = ("score", data, runs, "-m", "judge", "--format", "json")
    code, out, _ = run(*asked, "--columns", "summary=output")
    assert (code, records(out)) == (0, records(run(*asked)[1]))


def test_each_of_several_score_tables_has_its_own_columns(run: Run, tmp_path: Path, runs: str) -> None:
    other = str(write(tmp_path, "other.csv", "zz,summarizer,style", "1,base,3", "1,new,4", "2,base,4", "2,new,5"))
    for files in ((runs, other), (other, runs)):
        code, out, _ = run("compare", *files, "--columns", "topic=zz", "--format", "json")
        assert code == 0
        means = {row["measure"] for row in records(out) if row["record"] == "mean"}
        assert means == {"imported.judge", "imported.style"}

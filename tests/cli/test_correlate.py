"""`pyramidion correlate`: records as documented, tables for people, and what is refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from cli.running import Run, records
from meta_golden import expected, score_rows
from pyramidion.campaign.sources import CampaignSource

DEMO = ("correlate", "demo", "-m", "rouge-2.recall", "-m", "js", "--with", "question.overall-responsiveness")


@pytest.fixture
def summeval(tmp_path: Path) -> Path:
    """The golden matrices as a table of scores."""
    rows = list(score_rows("summeval"))
    wanted = [row for row in rows if row["measure"] in ("ROUGE-1-F", "ROUGE-2-F", "relevance")]
    text = "".join(f"{row['measure']},{row['topic']},{row['summarizer']},{row['value']!r}\n" for row in wanted)
    path = tmp_path / "scores.csv"
    path.write_text(f"measure,topic,summarizer,value\n{text}", encoding="utf-8")
    return path


@pytest.mark.parametrize("method", ["permutation", "williams"])
def test_a_test_counts_what_its_level_correlates(run: Run, method: str) -> None:
    """`describe demo` counts 17 + 3 summarizers, 11 topics and 220 peer summaries."""
    levels = ("--level", "system", "--level", "topic", "--level", "global", "--resamples", "9")
    _, out, _ = run(*DEMO, *levels, "--test", method, "--format", "json")
    found = {row["level"]: row["n"] for row in records(out) if row["record"] == "correlation-test"}
    assert found == {"system": 20, "topic": 11, "global": 220}


def test_a_table_of_scores_gives_the_golden_values(run: Run, summeval: Path) -> None:
    code, out, _ = run(
        "correlate", str(summeval), "--with", "imported.relevance", "-m", "imported.ROUGE-2-F", "-m",
        "imported.ROUGE-1-F", "--level", "system", "--level", "topic", "--interval", "bootstrap", "--seed", "55",
        "--test", "permutation", "--resample", "both", "--resamples", "999", "--format", "json",
    )  # fmt: skip
    assert code == 0
    golden = expected("summeval", "correlations")["relevance"]
    correlations = [row for row in records(out) if row["record"] == "correlation"]
    assert len(correlations) == 12
    for row in correlations:
        wanted = golden[row["measure"].removeprefix("imported.")][f"{row['level']}_{row['coefficient']}"]
        assert row["value"] == pytest.approx(wanted, abs=1e-5)
        assert row["with"] == "imported.relevance"
        assert (row["seed"], row["undefined"], row["n"]) == (55, 0, 16 if row["level"] == "system" else 50)
    (test,) = [
        row
        for row in records(out)
        if row["record"] == "correlation-test" and (row["level"], row["coefficient"]) == ("topic", "pearson")
    ]
    wanted = expected("summeval", "perm_both")["values"]["ROUGE-2-F vs ROUGE-1-F|relevance|topic_pearson"]
    assert (test["first"], test["second"], test["method"]) == (
        "imported.ROUGE-2-F",
        "imported.ROUGE-1-F",
        "permutation",
    )
    assert test["p"] == pytest.approx(wanted["p"])


def test_by_default_all_measures_and_coefficients_at_system_level(run: Run) -> None:
    code, out, _ = run("correlate", "demo", "--with", "question.focus", "--format", "json")
    assert code == 0
    rows = records(out)
    assert {row["coefficient"] for row in rows} == {"pearson", "spearman", "kendall"}
    assert {(row["level"], row["with"]) for row in rows} == {("system", "question.focus")}
    assert {row["method"] for row in rows if row["coefficient"] != "pearson"} == {"test"}
    assert {row["method"] for row in rows if row["coefficient"] == "pearson"} == {"robust"}
    assert {"rouge-1.recall", "question.coherence", "pyramid.modified"} <= {row["measure"] for row in rows}
    assert "question.focus" not in {row["measure"] for row in rows}


def test_people_see_which_measure_is_better_when_low(run: Run) -> None:
    code, out, err = run(*DEMO, "--coefficient", "spearman")
    assert code == 0
    assert re.search(r"js +spearman +-0\.\d+", out)
    assert "Simulated judgments: question.overall-responsiveness" in out
    assert "For js, lower is better: agreement shows as a negative correlation." in out
    assert "two-sided: by the distribution of p" in out
    assert not err
    *_, out, _ = run(*DEMO, "--coefficient", "spearman", "--sides", "one")
    assert "one-sided interval has only a lower limit; --sides two gives both" in out


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv"])
def test_every_format_has_every_kind(run: Run, format: str) -> None:
    for option in ((), ("--test", "williams"), ("--micro",), ("--accuracy",), ("--matrix",)):
        arguments = DEMO[:-2] if option == ("--matrix",) else DEMO
        code, out, err = run(*arguments, *option, "--format", format, "--coefficient", "pearson")
        assert code == 0, err
        assert "rouge-2.recall" in out


def test_humans_and_topics_are_chosen(run: Run) -> None:
    def n(*options: str) -> int:
        code, out, err = run(*DEMO, *options, "--coefficient", "kendall", "--format", "json")
        assert code == 0, err
        return int(records(out)[0]["n"])

    assert (n(), n("--peers", "all"), n("--peers", "humans")) == (20, 24, 4)
    assert n("--level", "topic", "--where", "part=A", "--resamples", "10") < n("--level", "topic", "--resamples", "10")


def test_a_figure_is_drawn(run: Run, tmp_path: Path) -> None:
    code, _, err = run(*DEMO, "--peers", "all", "--figure", str(tmp_path / "scatter.svg"))
    assert code == 0
    assert "figure:" in err
    assert ">human<" in (tmp_path / "scatter.svg").read_text(encoding="utf-8")
    code, *_ = run(*DEMO[:-2], "--matrix", "--figure", str(tmp_path / "matrix.svg"))
    assert code == 0
    assert "Pearson, system level" in (tmp_path / "matrix.svg").read_text(encoding="utf-8")


def test_the_data_is_read_once_with_a_figure_too(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, times = CampaignSource.read, []

    def counted(*arguments: Any) -> Any:
        times.append(1)
        return read(*arguments)

    monkeypatch.setattr(CampaignSource, "read", counted)
    for drawn in ("scatter", "intervals"):
        code, _, err = run(*DEMO, "--peers", "all", "--figure", str(tmp_path / f"{drawn}.svg"), "--draw", drawn)
        assert (code, err) == (0, f"figure: {tmp_path / drawn}.svg\n")
    assert len(times) == 2
    assert "Pearson correlation with" in (tmp_path / "intervals.svg").read_text(encoding="utf-8")


def test_what_is_undefined_is_null_with_a_reason(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("topic,summarizer,same,human\n1,a,1,1\n1,b,1,2\n1,c,1,3\n", encoding="utf-8")
    code, out, _ = run("correlate", str(path), "--with", "imported.human", "--format", "json", "--level", "topic")
    assert code == 0
    for row in records(out):
        assert row["value"] is row["p"] is row["lower"] is row["upper"] is None
        assert row["undefined"] == 1
        assert "vary" in row["reason"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("demo",), "--with is missing"),
        (("demo", "--with", "question.focuss"), "did you mean question.focus"),
        (("demo", "--with", "question.focus", "--matrix"), "leave one out"),
        (("demo", "--matrix", "--test", "williams"), "use --with instead of --matrix"),
        (("demo", "--with", "question.focus", "-m", "rouge-1.f", "--test", "williams"), "at least two measures"),
        (("demo", "--with", "question.focus", "--figure", "x.gif"), ".svg, .png, .pdf or .html"),
        (
            ("demo", "--with", "question.focus", "--format", "csv", "--show", "micro", "--show", "accuracy"),
            "CSV is one table",
        ),
        (("demo", "--with", "question.focus", "--resamples", "0"), "--resamples 0: expected at least 1"),
        (("demo", "--with", "question.focus", "--level", "city"), "'city' is not one of"),
        (("demo", "--with", "question.focus", "--draw", "tests"), "add --test permutation"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = run("correlate", *arguments)
    assert code == 2
    assert complaint in err
    assert not out


def test_measures_without_any_defined_correlation_are_in_no_clusters(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"t{topic},{system},{topic},1,{topic + 1}" for topic in range(4) for system in "ABC"]
    path.write_text("\n".join(["topic,summarizer,x,y,z", *rows]) + "\n", encoding="utf-8")
    words = ["-m", "x", "-m", "z", "--with", "y", "--test", "permutation", "--resamples", "20"]
    code, _, err = run("correlate", str(path), *words)
    assert code == 0, err

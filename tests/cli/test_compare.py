"""`pyramidion compare` beyond the leaderboard: tests, pairs and the formats they come in."""

import csv
import io
import re
from pathlib import Path

import pytest

import pyramidion
from cli.running import Run, records

GOLDEN = Path(__file__).parents[1] / "golden" / "statistics"
FIELDS = {
    "mean": "measure summarizer value n missing lower upper confidence method seed rank rank_lower rank_upper letters "
    "letters_by adjusted mean_rank",
    "anova": "measure source ss df ms f p assessors",
    "tukey": "measure q mse df critical_difference least largest pairs confidence assessors",
    "friedman": "measure chi2 df p exact nemenyi_difference topics pairs confidence",
    "difference": "measure a b difference tukey nemenyi paired",
    "pair": "measure a b difference lower upper p p_adjusted p_permutation effect effect_lower effect_upper win tie loss n sentence better exact least_p "
    "correction confidence method seed df assessors margin verdict",
}


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Three summarizers, eight topics, one cell missing."""
    values: dict[str, list[int | None]] = {
        "x": [3, 4, 4, 5, 3, 4, 5, 4],
        "y": [2, 3, 2, 4, 2, 3, 3, 2],
        "z": [1, 1, 2, 2, 1, 1, 2, None],
    }
    rows = [f"{topic},{who},{value}" for who, row in values.items() for topic, value in enumerate(row) if value]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(["topic,summarizer,judge", *rows]) + "\n", encoding="utf-8")
    return path


def test_json_has_every_record_with_its_fields(run: Run) -> None:
    code, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--pair", "15", "16", "--format", "json")
    assert code == 0
    found = records(out)
    assert {row["record"] for row in found} == set(FIELDS)
    for row in found:
        assert set(row) - {"record", "reason", "note"} == set(FIELDS[row["record"]].split())
        undefined = [key for key, value in row.items() if value is None]
        assert bool(undefined) == ("reason" in row)


def test_several_measures_come_in_one_stream(run: Run) -> None:
    measures = ["rouge-1.recall", "question.focus"]
    names = [word for name in measures for word in ("-m", name)]
    _, out, _ = run("compare", "demo", *names, "--assessors", "fixed", "--format", "json")
    for record, count in (("anova", 3), ("tukey", 1), ("friedman", 1), ("mean", 20)):
        found = [row["measure"] for row in records(out) if row["record"] == record]
        assert found == [name for name in measures for _ in range(count)]


def test_missing_cells_are_said_in_every_format(run: Run, judged: Path) -> None:
    for format in ("table", "markdown", "latex"):
        _, out, _ = run("compare", str(judged), "--format", format)
        assert "1 of 24 scores are missing" in out
        assert "adjusted" in out
    _, out, _ = run("compare", str(judged), "--format", "json")
    (tukey,) = [row for row in records(out) if row["record"] == "tukey"]
    assert tukey["critical_difference"] is None
    assert tukey["least"] < tukey["largest"]
    assert "differs by pair" in tukey["reason"]
    assert "Tukey–Kramer" in tukey["note"]


def test_csv_is_one_table_of_means_or_of_pairs(run: Run, judged: Path) -> None:
    _, out, _ = run("compare", str(judged), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["summarizer"] for row in rows] == ["x", "y", "z"]
    assert [row["letters"] for row in rows] == ["A", "B", "C"]
    _, out, _ = run("compare", str(judged), "--format", "csv", "--all-pairs")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["a"], row["b"]) for row in rows] == [("x", "y"), ("x", "z"), ("y", "z")]
    _, out, _ = run("compare", str(judged), "--format", "csv", "--show", "anova")
    assert [row["source"] for row in csv.DictReader(io.StringIO(out))] == ["summarizer", "topic", "residual"]
    code, _, err = run("compare", str(judged), "--format", "csv", "--show", "anova", "--show", "tukey")
    assert code == 2
    assert "CSV is one table" in err


def test_tables_say_who_is_better_in_a_sentence(run: Run, judged: Path) -> None:
    _, out, _ = run("compare", str(judged), "--pair", "x", "y")
    assert "x is better than y on imported.judge: by 1.3750 on average over 8 topics" in out
    assert "x is significantly better than every other." in out
    _, out, _ = run("compare", str(judged), "--pair", "x", "y", "--format", "latex")
    assert "% x is better than y" in out


def test_many_pairs_are_summed_up(run: Run) -> None:
    _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--against", "12", "--show", "pair")
    assert "12 is better than 18" in out
    assert "18 pairs undecided: no significant difference." in out


def test_pairs_that_no_scores_could_tell_are_said_to_be_such(run: Run) -> None:
    _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--all-pairs", "--show", "pair", "--method", "sign-flip")
    assert "190 pairs could not have reached significance" in out
    assert "p can't be below 0.186" in out  # 190 · 2/2¹¹


def test_of_two_summarizers_the_worse_is_named(run: Run, judged: Path) -> None:
    lines = [line for line in judged.read_text(encoding="utf-8").splitlines() if ",z," not in line]
    judged.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _, out, _ = run("compare", str(judged))
    assert "x is significantly better than y (Tukey's test)." in out


def test_mean_ranks_are_those_inside_of_topics(run: Run, judged: Path) -> None:
    _, out, _ = run("compare", str(judged), "--show", "mean", "--format", "json")
    ranks = {row["summarizer"]: row["mean_rank"] for row in records(out)}
    # seven topics have all three; on the third y and z share the ranks 1 and 2
    assert ranks == pytest.approx({"x": 3.0, "y": (6 * 2 + 1.5) / 7, "z": (6 * 1 + 1.5) / 7})


def test_a_figure_of_another_kind_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    for command in (["compare"], ["power"], ["judgments", "agreement"]):
        code, _, err = run(*command, str(tmp_path / "nothing.jsonl"), "--figure", "figure.bmp")
        assert code == 2
        assert ".svg, .png, .pdf or .html" in err


def test_all_pairs_and_some_pairs_are_not_asked_for_together(run: Run, judged: Path) -> None:
    code, out, err = run("compare", str(judged), "--all-pairs", "--against", "x")
    assert (code, out) == (2, "")
    assert "--all-pairs compares every pair" in err


def test_what_is_shown_can_be_chosen(run: Run, judged: Path) -> None:
    _, out, _ = run("compare", str(judged), "--show", "friedman", "--show", "tukey", "--show", "difference")
    assert "nemenyi difference" in out
    assert "largest" in out
    assert re.search(r"x +z +2\.6\d+ +yes +yes", out)  # a pair that differs by both tests
    assert "rank" not in out.split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--pair", "x", "w"], "no summarizer 'w'"),
        (["--pair", "x", "x"], "two different summarizers"),
        (["--against", "q"], "no summarizer 'q'"),
        (["--pair", "x", "y", "--permutations", "0"], "--permutations 0: expected at least 1"),
        (["--confidence", "100"], "--confidence 100: expected"),
    ],
)
def test_calls_that_make_no_sense_are_refused(run: Run, judged: Path, arguments: list[str], message: str) -> None:
    code, out, err = run("compare", str(judged), *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_p_values_are_never_shown_as_zero(run: Run) -> None:
    _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--show", "anova")
    assert "< 0.001" in out
    assert "0.000 " not in out


def test_humans_beside_systems_without_jackknife_are_noted(run: Run) -> None:
    _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--peers", "all")
    assert "fewer models" in out
    _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--peers", "all", "--format", "json")
    assert all("fewer models" in row["note"] for row in records(out))
    _, out, _ = run("compare", "demo", "-m", "rouge-2(jackknife=yes).recall", "--peers", "all")
    assert "fewer models" not in out


def test_intervals_with_the_own_variance_are_wider_where_topics_differ(run: Run) -> None:
    widths = {}
    for method in ("t", "own"):
        _, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--interval", method, "--format", "json")
        means = [row for row in records(out) if row["record"] == "mean"]
        assert {row["method"] for row in means} == {method}
        widths[method] = sum(row["upper"] - row["lower"] for row in means)
    assert widths["own"] > widths["t"]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
def test_figures_carry_the_letters(run: Run, judged: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"figure.{ending}"
    code, _, _ = run("compare", str(judged), "--figure", str(target))
    assert code == 0
    if ending in ("svg", "html"):
        assert ">A<" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "The residual variance is zero and all means are equal: there is no difference to test."),
        (1, "The residual variance is zero: pairs are tested by the signs of their differences."),
    ],
)
def test_without_residual_variance_words_and_counts_agree(run: Run, tmp_path: Path, size: int, said: str) -> None:
    # Ten topics, because 2/2⁹ is above .05/15 and no pair would differ.
    rows = [f"T{topic},S{who},{topic + size * who}" for topic in range(1, 11) for who in range(6)]
    (tmp_path / "x.csv").write_text("\n".join(["topic,summarizer,judge", *rows]))
    code, out, _ = run("compare", str(tmp_path / "x.csv"))
    assert code == 0
    assert f"{15 * size} of 15 pairs differ significantly" in " ".join(out.split())
    assert said in " ".join(out.split())


RATIOS = {"x": (0.9, 0.1, 0.8), "y": (0.2, 0.9, 0.1)}


@pytest.mark.parametrize("name", ["rouge1", "rougeLsum", "rouge-1.f"])
def test_intervals_of_a_measure_end_where_its_scale_ends(run: Run, tmp_path: Path, name: str) -> None:
    """Also those of rouge-score's names; but not where somebody wrote percentages under that name."""
    for factor, ends in ((1, True), (100, False)):
        rows = [f"{topic},{who},{factor * one}" for who, row in RATIOS.items() for topic, one in enumerate(row)]
        (tmp_path / "s.csv").write_text("\n".join([f"topic,summarizer,{name}", *rows]), encoding="utf-8")
        _, out, _ = run("compare", str(tmp_path / "s.csv"), "--format", "json")
        means = [row for row in records(out) if row["record"] == "mean"]
        assert len(means) == 2
        for row in means:
            assert row["lower"] <= row["value"] <= row["upper"]
            assert (row["lower"] >= 0 and row["upper"] <= 1) == ends
        text = run("compare", str(tmp_path / "s.csv"))[1]
        assert ("0 to 1, are cut there" in text) == ends


def test_one_topic_shows_nothing_and_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("topic,summarizer,judge\n1,x,3\n1,y,4\n", encoding="utf-8")
    _, out, _ = run("compare", str(tmp_path / "s.csv"), "--pair", "x", "y")
    assert "on imported.judge: one topic can't show significance (difference −1.0000)." in out
    assert "Only 1 topic: no intervals." in out


def test_no_rouge_is_warned_about_where_there_are_no_references(run: Run, tmp_path: Path) -> None:
    text = "word " * 150
    rows = [
        f'{{"topic": "{topic}", "summarizer": "{who}", "summary": "{text}", "judgments": {{"focus": {topic + len(who)}}}}}'
        for topic in range(3)
        for who in ("a", "bb")
    ]
    (tmp_path / "f.jsonl").write_text("\n".join(rows), encoding="utf-8")
    code, _, err = run("compare", str(tmp_path / "f.jsonl"))
    assert code == 0
    assert "rouge-l" not in err.replace("rouge-l.f: no value", "")


def test_of_several_measures_each_sentence_about_a_test_names_its_measure() -> None:
    found = pyramidion.compare("demo", ["rouge-1.f", "rouge-2.f"])
    about = [[measure for measure in ("rouge-1.f", "rouge-2.f") if measure in line] for line in found.sentences()]
    assert about == [["rouge-1.f"]] * 4 + [["rouge-2.f"]] * 5  # with why its letters are not Tukey's
    alone = pyramidion.compare("demo", ["rouge-1.f"]).sentences()
    assert not any("rouge" in line for line in alone)


def test_the_command_line_refuses_parts_of_a_topic_and_says_how_to_choose_one(run: Run) -> None:
    arguments = ("compare", "demo", "-m", "rouge-2.recall", "--pair", "16", "17", "--sequential")
    code, _, err = run(*arguments)
    assert code == 2
    assert "D01-A and D01-B have the same parent" in err
    code, out, _ = run(*arguments, "--where", "part=A", "--format", "json")
    assert code == 0
    assert [row["n"] for row in records(out) if row["record"] == "look"] == [2, 3]

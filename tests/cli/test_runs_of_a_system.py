"""Several outputs of one system for a topic (epochs, seeds, trials): runs, which are averaged, and no systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import pyramidion
from cli.running import Run, records
from pyramidion.campaign import Campaign, CampaignError
from pyramidion.errors import InputError

TEXT = "A ferry burned off the coast of Kiel on Monday."
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
    "and",
    "crew",
    "left",
    "ship",
    "after",
    "fire",
    "spread",
    "to",
    "cars",
    "deck",
]
Rows = list[dict[str, Any]]


def rows(**others: list[Any]) -> Rows:
    """Two runs on three topics, with further columns, whose values alternate."""
    return [
        {"topic": f"t{topic}", "summary": f"{TEXT} {run} {topic}", "reference": f"{TEXT} {topic}"}
        | {name: values[run] for name, values in others.items()}
        for topic in range(3)
        for run in range(2)
    ]


def outputs(*, topics: int = 6, systems: str = "AB", runs: int = 3, seed: int = 0) -> Rows:
    """Outputs of systems in several runs: some words of the reference, and some others."""
    generator = np.random.default_rng(seed)
    held = []
    for topic in range(topics):
        reference = [str(word) for word in generator.choice(WORDS, 20)]
        for system in systems:
            length = int(generator.integers(4, 16))
            for run in range(runs):
                kept = reference[: length + int(generator.integers(0, 2))]
                others = [str(word) for word in generator.choice(WORDS, 5)]
                held.append(
                    {
                        "topic": f"t{topic}",
                        "system": system,
                        "run": run,
                        "summary": " ".join(kept + others),
                        "reference": " ".join(reference),
                        "judge": float(generator.integers(1, 6)),
                    }
                )
    return held


def scored_apart(held: Rows, measure: str) -> dict[tuple[str, str], list[float]]:
    """By topic and system, the score of each run as if it were a system of its own."""
    apart = [row | {"system": f"{row['system']}/{row['run']}"} for row in held]
    scores: dict[tuple[str, str], list[float]] = {}
    for score in pyramidion.score([{k: v for k, v in row.items() if k != "run"} for row in apart], measures=[measure]):
        scores.setdefault((score.topic, score.summarizer.partition("/")[0]), []).append(score.value)
    return scores


@pytest.fixture(scope="module")
def held() -> Rows:
    return outputs()


@pytest.fixture(scope="module")
def means(held: Rows) -> dict[tuple[str, str], float]:
    return {key: float(np.mean(values)) for key, values in scored_apart(held, "rouge1").items()}


COLUMNS: dict[str, dict[str, list[Any]]] = {
    "epochs": {"epoch": [1, 2]},
    "runs from 0": {"run": [0, 1]},
    "names of seeds": {"seed": ["s1", "s2"]},
    "numbered runs": {"run": ["run1", "run2"]},
    "samples": {"sample": [0, 1]},
    "repetitions of a named system": {"system": ["A", "A"], "repetition": [1, 2]},
}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_a_column_of_runs_is_recognised(tmp_path: Path, columns: dict[str, list[Any]]) -> None:
    table = pyramidion.score(rows(**columns), measures=["rouge1"])
    assert (len(table.summarizers), len(table)) == (1, 3)
    assert table.by_run().height == 6
    assert table.notes["rouge1.f"] == "mean of 2 runs"
    pl.DataFrame(rows(**columns)).write_csv(tmp_path / "x.csv")
    assert list(pyramidion.score(tmp_path / "x.csv", measures=["rouge1"]).frame["value"]) == list(table.frame["value"])


def test_another_name_of_the_column_is_given(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "x.csv")
    pl.DataFrame(rows(system=["A", "A"], nth=["a", "b"])).write_csv(path)
    code, _, err = run("compare", path, "-m", "rouge1")
    assert (code, "--columns run=nth (runs are averaged)" in err) == (1, True)
    assert run("score", path, "-m", "rouge1", "--columns", "run=nth")[0] == 0


def test_runs_without_topics_are_refused() -> None:
    held = [{name: value for name, value in row.items() if name != "topic"} for row in rows(epoch=[1, 2])]
    with pytest.raises(CampaignError, match=r"several runs \(column epoch\), but no column of"):
        pyramidion.score(held)


@pytest.mark.parametrize("names", [["bm25", "lead"], ["UPF_run_one", "UPF_run_two"]])
def test_runs_with_names_are_systems_as_in_trec(names: list[str]) -> None:
    assert set(pyramidion.score(rows(run=names), measures=["rouge1"]).summarizers) == set(names)


def test_a_seed_that_is_the_same_everywhere_is_no_run() -> None:
    table = pyramidion.score(rows(seed=[42, 42])[::2], measures=["rouge1"])
    assert (len(table), table.run_scores) == (3, None)


def test_scores_are_the_means_of_those_of_single_outputs(held: Rows, means: dict[tuple[str, str], float]) -> None:
    table = pyramidion.score(held, measures=["rouge1", "imported.judge"])
    for topic, system, value in table.only(["rouge1.f"]).frame.select("topic", "summarizer", "value").iter_rows():
        assert value == pytest.approx(means[topic, system])
    by_run = table.only(["rouge1.f"]).by_run()
    apart = scored_apart(held, "rouge1")
    for (topic, system), values in apart.items():
        rows_of_cell = by_run.filter((pl.col("topic") == topic) & (pl.col("summarizer") == system))
        assert list(rows_of_cell["run"]) == ["1", "2", "3"]
        assert list(rows_of_cell["value"]) == pytest.approx(values)
    judged = table.only(["imported.judge"])
    of_cell = [row["judge"] for row in held if (row["topic"], row["system"]) == ("t0", "B")]
    assert judged.matrix("imported.judge").values[1, 0] == pytest.approx(np.mean(of_cell))
    assert judged.by_run().height == len(held)


def test_a_pair_is_tested_on_means_and_the_share_of_generation_noise_is_by_hand(held: Rows) -> None:
    pair = pyramidion.compare(held, measures=["rouge1"]).pairs[0]
    apart = scored_apart(held, "rouge1")
    scores = np.array([[apart[f"t{topic}", system] for system in "AB"] for topic in range(6)])
    differences = scores.mean(axis=2)[:, 0] - scores.mean(axis=2)[:, 1]
    assert pair.p == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    # Miller 2024: the variance of a topic's mean is that of its expected scores and the variance of runs over K.
    noise = scores.var(axis=2, ddof=1).sum(axis=1).mean() / 3
    assert pair.runs == 3
    assert pair.run_share == pytest.approx(noise / differences.var(ddof=1))
    assert "Generation noise (between a system's runs) accounts for" in pair.note


def test_runs_of_scores_that_are_joined_are_no_systems_and_keep_their_noise(run: Run, tmp_path: Path) -> None:
    held = outputs(runs=2)
    judged = [{name: row[name] for name in ("topic", "system", "run", "judge")} for row in held]
    pl.DataFrame(judged).write_csv(tmp_path / "judge.csv")
    single = [{k: v for k, v in row.items() if k not in ("run", "judge")} for row in held if row["run"] == 0]
    pl.DataFrame(single).write_csv(tmp_path / "x.csv")
    arguments = ("-m", "judge", "--scores", str(tmp_path / "judge.csv"), "--format", "json")
    code, out, _ = run("compare", str(tmp_path / "x.csv"), *arguments)
    (pair,) = (row for row in records(out) if row["record"] == "pair")
    (alone,) = pyramidion.compare(tmp_path / "judge.csv").pairs
    assert (code, pair["runs"]) == (0, 2)
    assert pair["run_share"] == pytest.approx(alone.run_share)
    assert pair["p"] == pytest.approx(alone.p)


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_runs_survive_flat_files_and_folders(run: Run, tmp_path: Path, held: Rows, ending: str) -> None:
    pl.DataFrame(held).drop("judge").write_csv(tmp_path / "x.csv")
    assert run("import", "flat", str(tmp_path / "x.csv"), str(tmp_path / "campaign"))[0] == 0
    flat = tmp_path / f"flat{ending}"
    assert run("export", "flat", str(tmp_path / "campaign"), str(flat))[0] == 0
    expected = pyramidion.score(held, measures=["rouge1"]).by_run()["value"].to_list()
    for path in (tmp_path / "campaign", flat):
        assert pyramidion.score(path, measures=["rouge1"]).by_run()["value"].to_list() == pytest.approx(expected)
        assert run("check", str(path))[0] == 0


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_runs_survive_score_tables(tmp_path: Path, held: Rows, ending: str) -> None:
    table = pyramidion.score(held, measures=["rouge1"])
    path = tmp_path / f"scores{ending}"
    pyramidion.scores.write_scores(table, path)
    again = pyramidion.scores.read_scores(path)
    assert again.by_run()["run"].to_list() == table.by_run()["run"].to_list()
    assert again.by_run()["value"].to_list() == pytest.approx(table.by_run()["value"].to_list())
    assert again.frame["value"].to_list() == pytest.approx(table.frame["value"].to_list())
    assert again.notes == table.notes


def folder(path: Path, summaries: Rows, **files: Rows) -> str:
    path.mkdir()
    for name, nouns in ({"summaries": summaries} | files).items():
        (path / f"{name}.jsonl").write_text("".join(json.dumps(noun) + "\n" for noun in nouns))
    return str(path)


PEERS: Rows = [
    {"topic": "t", "summarizer": "A", "kind": "peer", "text": TEXT},
    {"topic": "t", "summarizer": "A", "kind": "peer", "text": f"{TEXT} x", "run": 2},
]
MODEL = {"topic": "t", "summarizer": "ref1", "kind": "model", "text": TEXT}
ANSWER = {"topic": "t", "summarizer": "A", "assessor": "P", "question": "overall-responsiveness", "value": 3}
PYRAMID = {"topic": "t", "annotator": "C", "models": ["ref1"], "scus": []}
BROKEN: dict[str, tuple[Rows, dict[str, Rows], str]] = {
    "the same run": ([*PEERS, PEERS[1]], {}, r"each \(topic, summarizer, run\) once"),
    "a model with runs": ([*PEERS, MODEL, {**MODEL, "run": 2}], {}, "only peers have runs"),
    "run 0": ([PEERS[0], {**PEERS[1], "run": 0}], {}, "run"),
    "a judgment": ([*PEERS, MODEL], {"judgments": [ANSWER]}, "which has 2 outputs there"),
    "an annotation": (
        [*PEERS, MODEL],
        {
            "pyramids": [PYRAMID],
            "annotations": [{"topic": "t", "summarizer": "A", "annotator": "C", "scus": []}],
        },
        "which has 2 outputs there",
    ),
    "a preference": (
        [*PEERS, MODEL, {**PEERS[0], "summarizer": "B"}],
        {"preferences": [{"topic": "t", "a": "B", "b": "A", "choice": "a", "assessor": "P"}]},
        "which has 2 outputs there",
    ),
}


@pytest.mark.parametrize(("summaries", "files", "expected"), BROKEN.values(), ids=BROKEN)
def test_what_runs_make_ambiguous_is_an_error(
    tmp_path: Path, summaries: Rows, files: dict[str, Rows], expected: str
) -> None:
    with pytest.raises(CampaignError, match=expected):
        pyramidion.score(folder(tmp_path / "c", summaries, **files), measures=["rouge1"])


def test_a_run_of_the_judge_and_a_run_of_the_system_are_kept_apart(tmp_path: Path) -> None:
    other = {**PEERS[0], "summarizer": "B"}
    judgments = [{**ANSWER, "summarizer": "B", "value": value, "run": run} for run, value in ((1, 2), (2, 4))]
    path = folder(tmp_path / "c", [*PEERS, MODEL, other], judgments=judgments)
    table = pyramidion.score(path, measures=["rouge1", "question.overall-responsiveness"])
    assert table.only(["question.overall-responsiveness"]).frame["value"].to_list() == [3.0]
    assert table.only(["rouge1.f"]).by_run()["run"].to_list() == ["1", "2", "1"]


@pytest.mark.parametrize("command", [("judge", "plan"), ("plan",), ("assess",)])
def test_work_about_one_summary_of_each_system_refuses_runs(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    path = folder(tmp_path / "c", [*PEERS, MODEL])
    options = {"judge": ("--llm", "m", "-o", str(tmp_path / "r.jsonl")), "plan": ("--by", "topic"), "assess": ()}
    code, _, err = run(*command, path, *options[command[0]])
    assert code != 0
    assert "found 2 outputs of 'A' for topic 't'" in err


def test_judgments_joined_to_outputs_of_runs_are_refused(tmp_path: Path, held: Rows) -> None:
    pl.DataFrame(held).drop("judge").write_csv(tmp_path / "x.csv")
    answers = [{"topic": "t0", "system": "A", "judge": "gpt", "fluency": 3}]
    pl.DataFrame(answers).write_csv(tmp_path / "j.csv")
    with pytest.raises(CampaignError, match="which has 3 outputs there"):
        pyramidion.compare([tmp_path / "x.csv", tmp_path / "j.csv"])


def test_a_run_in_shards_refuses_runs(run: Run, tmp_path: Path, held: Rows) -> None:
    flat = [
        {"topic": row["topic"], "summarizer": row["system"], "run": row["run"] + 1}
        | {"summary": row["summary"], "references": [row["reference"]]}
        for row in held
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in flat))
    code, _, err = run("score", str(path), "-m", "rouge1", "-o", str(tmp_path / "out"))
    assert (code, "a run in shards can't average them" in err) == (1, True)


AVERAGED: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "-m", "rouge1.f", "-m", "rouge2.f"),
    "correlate": ("correlate", "-m", "rouge2.f", "--with", "rouge1.f", "--level", "global", "--resamples", "20"),
    "power": ("power", "-m", "rouge1.f", "--difference", "0.05"),
    "gate": ("gate", "--against", "A", "--candidate", "B", "-m", "rouge1.f"),
    "averages": ("score", "-m", "rouge1.f", "--by", "summarizer"),
}
LEFT_OUT = ("note", "command", "runs", "run_share", "signature", "signatures", "sentence", "reason")


def answer_of(out: str) -> Rows:
    """The records, without notes on runs."""
    return [{name: value for name, value in row.items() if name not in LEFT_OUT} for row in records(out)]


@pytest.mark.parametrize("command", AVERAGED.values(), ids=AVERAGED)
def test_commands_answer_as_for_a_table_of_the_means(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    held = outputs(systems="ABC", topics=5)
    pl.DataFrame(held).drop("judge").write_csv(tmp_path / "x.csv")
    table = pyramidion.score(tmp_path / "x.csv", measures=["rouge1.f", "rouge2.f"])
    table.frame.select(pl.col("measure", "topic", "summarizer").cast(pl.String), "value").write_csv(tmp_path / "m.csv")
    name, *options = command
    code, out, _ = run(name, str(tmp_path / "x.csv"), *options, "--format", "json")
    expected_code, expected, _ = run(name, str(tmp_path / "m.csv"), *options, "--format", "json")
    assert code == expected_code
    assert len(answer_of(out)) > 0
    for row, expected_row in zip(answer_of(out), answer_of(expected), strict=True):
        assert row == pytest.approx(expected_row, nan_ok=True)


def test_evidence_is_averaged_over_outputs(held: Rows) -> None:
    # One setting of `study choices` is the score of that measure: means over topics of means over runs.
    evaluation = pyramidion.Evaluation(held)
    (first, *_) = evaluation.evidence(["rouge1"])
    (evidence,) = first.evidence.values()
    assert evidence.peers == ("A", "B")
    values = evidence.values(np.ones((1, len(evidence.models)), dtype=bool))[0]
    table = evaluation.table(["rouge1"])
    of_first = table.matrix("rouge1.f").values[:, 0]
    assert values[:, evidence.statistics.index("f")] == pytest.approx(of_first)


def log(path: Path, epochs: int) -> str:
    samples = [
        {"id": topic, "epoch": epoch, "input": TEXT, "target": TEXT, "output": {"completion": f"{TEXT} {epoch}"}}
        | {"scores": {"judge": {"value": epoch + topic}}}
        for topic in range(3)
        for epoch in range(1, epochs + 1)
    ]
    held = {"version": 2, "status": "success", "eval": {"task": "sum", "model": "m1"}, "samples": samples}
    path.write_text(json.dumps(held))
    return str(path)


def test_epochs_of_a_log_are_runs_of_one_system(run: Run, tmp_path: Path) -> None:
    path = log(tmp_path / "x.json", 3)
    code, out, err = run("score", path, "-m", "imported.judge", "--format", "json")
    assert code == 0
    assert "3 epochs are runs of m1: scores are their means" in err
    scores = [row for row in records(out) if row["record"] == "score"]
    assert {row["summarizer"] for row in scores} == {"m1"}
    assert [(row["topic"], row["run"], row["value"]) for row in scores[:3]] == [
        ("0", "1", 1),
        ("0", "2", 2),
        ("0", "3", 3),
    ]
    table = pyramidion.score(path, measures=["imported.judge"])
    assert table.frame["value"].to_list() == [2.0, 3.0, 4.0]


@pytest.mark.parametrize(("epoch", "systems"), [("2", {"m1"}), ("each", {"m1 epoch 1", "m1 epoch 2"})])
def test_epochs_of_a_log_can_be_chosen(run: Run, tmp_path: Path, epoch: str, systems: set[str]) -> None:
    arguments = ("-m", "rouge1", "--format", "json", "--option", f"epoch={epoch}")
    code, out, _ = run("score", log(tmp_path / "x.json", 2), *arguments)
    scores = [row for row in records(out) if row["record"] == "score"]
    assert (code, {row["summarizer"] for row in scores}) == (0, systems)
    assert all("run" not in row for row in scores)


def test_an_epoch_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    code, _, err = run("compare", log(tmp_path / "x.json", 2), "-m", "rouge1", "--option", "epoch=3")
    assert code == 2
    assert "--option epoch=3: " in err
    assert "has the epochs 1, 2" in err


def test_further_responses_of_lm_eval_are_runs(run: Run, tmp_path: Path) -> None:
    held = [
        {"doc_id": n, "doc": {"article": TEXT}, "target": TEXT, "resps": [[TEXT, "x"]], "filtered_resps": [[TEXT, "x"]]}
        for n in range(2)
    ]
    path = tmp_path / "samples_x_2024-01-01.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in held))
    code, _, err = run("score", str(path), "-m", "rouge1")
    assert (code, "2 responses to a document are runs of" in err) == (0, True)
    table = pyramidion.score(path, measures=["rouge1.f"])
    assert table.frame["value"].to_list() == [0.5, 0.5]  # the text itself, and nothing of it


def test_repeated_tests_of_promptfoo_are_runs(tmp_path: Path) -> None:
    held = [
        {"testIdx": test, "promptIdx": 0, "provider": {"id": "m1"}, "testCase": {"vars": {"reference": TEXT}}}
        | {"response": {"output": output}, "score": score}
        for test in range(2)
        for output, score in ((TEXT, 1.0), ("x", 0.0))
    ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"evalId": "e", "results": {"results": held}, "prompts": []}))
    table = pyramidion.score(path, measures=["rouge1.f", "imported.score"])
    assert table.frame["value"].to_list() == [0.5] * 4
    assert table.by_run().height == 8


def test_lengths_and_texts_of_runs_do_not_stop_a_report(tmp_path: Path, held: Rows) -> None:
    pyramidion.report(held, tmp_path / "r.html", measures=["rouge1"])
    page = (tmp_path / "r.html").read_text()
    assert "Of a system with several outputs for a topic, the first is shown" in page


def test_a_campaign_without_runs_asks_for_nothing(demo_campaign: Campaign) -> None:
    assert demo_campaign.with_first_outputs() is demo_campaign
    demo_campaign.require_single_outputs("plan")
    with pytest.raises(InputError, match="plan: found 2 outputs"):
        twice = (*demo_campaign.summaries, demo_campaign.summaries[-1])
        Campaign(summaries=twice).require_single_outputs("plan")

"""Two prompts of one model are two systems, in the logs of every harness; users can name them. The logs are made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Problems
from pyramidion.errors import UsageError
from pyramidion.options import Choice
from pyramidion.run.data import DEMO, locate_source

TOPICS = ("1", "2", "3")
REFERENCES = {"1": "A ferry burned.", "2": "The mayor resigned.", "3": "Rain fell."}
TERSE = {"1": "Ferry burned.", "2": "Mayor resigned.", "3": "Rain."}
LONG = {"1": "A ferry burned near Kiel.", "2": "The mayor resigned on Friday.", "3": "Rain fell in the north."}


def write(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def inspect_log(path: Path, outputs: dict[str, str], **evaluation: Any) -> Path:
    samples = [
        {"id": topic, "epoch": 1, "input": topic, "target": REFERENCES[topic], "output": {"completion": text}}
        for topic, text in outputs.items()
    ]
    header = {"task": "sum", "model": "openai/gpt-4o", **evaluation}
    return write(path, {"version": 2, "status": "success", "eval": header, "samples": samples})


def deepeval_run(path: Path, outputs: dict[str, str], **hyperparameters: Any) -> Path:
    cases = [
        {"name": topic, "input": topic, "actualOutput": text, "expectedOutput": REFERENCES[topic], "metricsData": []}
        for topic, text in outputs.items()
    ]
    return write(path, {"testCases": cases, "hyperparameters": {"model": "gpt-4o", **hyperparameters}})


def lm_eval_samples(path: Path, outputs: dict[str, str]) -> Path:
    rows = [
        {
            "doc_id": topic,
            "doc": {"article": topic},
            "doc_hash": f"hash{topic}",
            "target": REFERENCES[topic],
            "resps": [[text]],
            "filtered_resps": [text],
            "filter": "none",
        }
        for topic, text in outputs.items()
    ]
    write(path.parent / "results_2025.json", {"model_name": "gpt2"})
    return write(path, *rows)


def promptfoo_rows(labels: tuple[str, str], provider: Any = "openai:gpt-4o") -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for number, (label, outputs) in enumerate(zip(labels, (TERSE, LONG), strict=True)):
        for topic, text in outputs.items():
            rows.append(
                {
                    "testIdx": int(topic),
                    "promptIdx": number,
                    "provider": provider,
                    "prompt": {"raw": "Summarize {{article}} in a few words, please.", "label": label},
                    "vars": {"article": topic, "reference": REFERENCES[topic]},
                    "testCase": {"vars": {}},
                    "response": {"output": text},
                    "score": 1,
                }
            )
    return {"evalId": "e", "results": {"version": 3, "prompts": [], "results": rows}}


def outputs_by_system(paths: list[Path], **choice: Any) -> dict[str, dict[str, str]]:
    """By system and topic, the summary that a run over the files would score."""
    problems = Problems()
    names = list(map(str, paths))
    campaign = locate_source(names if len(names) > 1 else names[0], Choice(**choice)).source.read(problems)
    assert [str(problem) for problem in problems] == []
    outputs: dict[str, dict[str, str]] = {}
    for summary in [summary for summary in campaign.summaries if summary.kind == "peer"]:
        outputs.setdefault(summary.summarizer, {})[summary.topic] = str(summary.text)
    return outputs


def test_inspect_logs_of_one_model_are_told_apart_by_task_argument_or_file(tmp_path: Path) -> None:
    first, second = tmp_path / "run1.json", tmp_path / "run2.json"
    inspect_log(first, TERSE, task="terse")
    inspect_log(second, LONG, task="long")
    by_task = {"openai/gpt-4o (terse)": TERSE, "openai/gpt-4o (long)": LONG}
    assert outputs_by_system([first, second]) == by_task

    inspect_log(first, TERSE, task_args={"prompt": "a"})
    inspect_log(second, LONG, task_args={"prompt": "b"})
    by_argument = {"openai/gpt-4o (prompt=a)": TERSE, "openai/gpt-4o (prompt=b)": LONG}
    assert outputs_by_system([first, second]) == by_argument

    inspect_log(first, TERSE)
    inspect_log(second, LONG)
    assert outputs_by_system([first, second]) == {"run1": TERSE, "run2": LONG}
    assert outputs_by_system([first]) == {"openai/gpt-4o": TERSE}


def test_deepeval_runs_of_one_model_are_told_apart_by_a_hyperparameter_or_file(tmp_path: Path) -> None:
    first = deepeval_run(
        tmp_path / "a.json", TERSE, **{"prompt": "Summarize the article. " * 9, "prompt version": "v1"}
    )
    second = deepeval_run(tmp_path / "b.json", LONG, **{"prompt": "Write a summary. " * 9, "prompt version": "v2"})
    assert outputs_by_system([first, second]) == {"gpt-4o (v1)": TERSE, "gpt-4o (v2)": LONG}

    deepeval_run(first, TERSE)
    deepeval_run(second, LONG)
    assert outputs_by_system([first, second]) == {"a": TERSE, "b": LONG}


def test_lm_eval_tasks_about_the_same_documents_are_systems(tmp_path: Path) -> None:
    first = lm_eval_samples(tmp_path / "m" / "samples_terse_2025-01-01.jsonl", TERSE)
    second = lm_eval_samples(tmp_path / "m" / "samples_long_2025-01-01.jsonl", LONG)

    assert outputs_by_system([first, second]) == {"gpt2 (terse)": TERSE, "gpt2 (long)": LONG}
    assert outputs_by_system([first, second], option={"task": "terse"}) == {"gpt2": TERSE}


def test_lm_eval_runs_of_one_model_in_two_folders_are_called_after_them(tmp_path: Path) -> None:
    first = lm_eval_samples(tmp_path / "terse" / "samples_cnn_2025-01-01.jsonl", TERSE)
    second = lm_eval_samples(tmp_path / "long" / "samples_cnn_2025-01-02.jsonl", LONG)

    assert outputs_by_system([first, second]) == {"gpt2 (terse)": TERSE, "gpt2 (long)": LONG}


def test_lm_eval_runs_in_one_folder_can_be_named(tmp_path: Path) -> None:
    first = lm_eval_samples(tmp_path / "m" / "samples_cnn_2025-01-01.jsonl", TERSE)
    second = lm_eval_samples(tmp_path / "m" / "samples_cnn_2025-01-02.jsonl", LONG)
    names = {"before": str(first), "after": str(second)}

    assert outputs_by_system([first, second], system=names) == {"before": TERSE, "after": LONG}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("terse", "long"), ("openai:gpt-4o terse", "openai:gpt-4o long")),
        (("", ""), ("openai:gpt-4o prompt 1", "openai:gpt-4o prompt 2")),
        (("same", "same"), ("openai:gpt-4o prompt 1", "openai:gpt-4o prompt 2")),
        (
            ("Summarize {{article}} in a few words, please.", "x" * 90),
            ("openai:gpt-4o prompt 1", "openai:gpt-4o prompt 2"),
        ),
    ],
)
def test_promptfoo_systems_are_provider_and_label_or_number(
    tmp_path: Path, labels: tuple[str, str], expected: tuple[str, str]
) -> None:
    path = write(tmp_path / "results.json", promptfoo_rows(labels))

    assert outputs_by_system([path]) == dict(zip(expected, (TERSE, LONG), strict=True))


def test_an_empty_label_of_a_promptfoo_provider_is_none(tmp_path: Path) -> None:
    path = write(tmp_path / "results.json", promptfoo_rows(("terse", "long"), provider={"id": "m1", "label": ""}))

    assert outputs_by_system([path]) == {"m1 terse": TERSE, "m1 long": LONG}


def test_users_name_the_systems_behind_files(tmp_path: Path) -> None:
    first = inspect_log(tmp_path / "run1.json", TERSE)
    second = inspect_log(tmp_path / "run2.json", LONG)
    names = {"short prompt": str(first), "long prompt": str(second)}

    assert outputs_by_system([first, second], system=names) == {"short prompt": TERSE, "long prompt": LONG}


def test_users_name_the_systems_behind_tables(tmp_path: Path) -> None:
    paths: list[Path] = []
    for name, outputs in (("x", TERSE), ("y", LONG)):
        rows = [{"id": topic, "output": text, "reference": REFERENCES[topic]} for topic, text in outputs.items()]
        paths.append(write(tmp_path / f"{name}.jsonl", *rows))
    names = {"short": str(paths[0]), "long": str(paths[1])}

    assert outputs_by_system(paths, system=names) == {"short": TERSE, "long": LONG}
    assert outputs_by_system(paths[:1], system={"short": names["short"]}) == {"short": TERSE}
    table = pyramidion.score(list(map(str, paths)), ["rouge1"], system=names)
    assert table.summarizers == ("short", "long")


def test_a_table_that_names_its_systems_gets_no_other_name(tmp_path: Path) -> None:
    rows = [{"id": topic, "model": "m", "output": text} for topic, text in TERSE.items()]
    path = write(tmp_path / "x.jsonl", *rows)

    with pytest.raises(UsageError, match="names its systems itself, by model"):
        outputs_by_system([path], system={"short": str(path)})


def test_a_name_is_for_a_file_of_the_data(tmp_path: Path) -> None:
    first = inspect_log(tmp_path / "run1.json", TERSE)

    with pytest.raises(UsageError, match=r"other\.json is not among the data"):
        outputs_by_system([first], system={"A": "other.json"})
    with pytest.raises(UsageError, match="is called 'A' already"):
        outputs_by_system([first], system={"A": str(first), "B": str(first)})
    with pytest.raises(UsageError, match="is no file with the outputs of one system"):
        pyramidion.score(DEMO, ["rouge1"], system={"A": DEMO})


def test_one_name_for_several_logs_is_refused(tmp_path: Path) -> None:
    first = inspect_log(tmp_path / "run1.json", TERSE)
    second = inspect_log(tmp_path / "run2.json", LONG)

    with pytest.raises(UsageError, match="found 2 files, and each is a system"):
        outputs_by_system([first, second], option={"summarizer": "m"})

"""The ledger of a gate: e-values, e-LOND, continued decisions, and lines that were edited."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreTable
from pyramidion.statistics.online import SPENDING_TOTAL, loss_e_value, spent_level
from pyramidion.studies.gate import Gate


def table(baseline: Any, candidate: Any) -> ScoreTable:
    topics = [f"t{topic}" for topic in range(len(baseline))]
    return ScoreTable.from_columns(
        measure=["q"] * 2 * len(topics),
        topic=topics * 2,
        summarizer=["A"] * len(topics) + ["B"] * len(topics),
        value=[*map(float, baseline), *map(float, candidate)],
    )


def gate(path: Path, baseline: Any, candidate: Any, **keywords: Any) -> Gate:
    scale = keywords.pop("scale", (0, 1))
    return pyramidion.gate(table(baseline, candidate), "q", against="A", ledger=path, scale=scale, **keywords)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_e_value_is_at_most_1_on_average_without_a_loss() -> None:
    """Exactly: over all 2¹⁰ outcomes of ten differences of ±1."""
    outcomes = np.array([[1 if number >> bit & 1 else -1 for bit in range(10)] for number in range(2**10)], float)
    assert np.mean([loss_e_value(row, 1.0) for row in outcomes]) == pytest.approx(1.0)


def test_the_e_value_grows_with_losses_and_does_not_depend_on_the_order() -> None:
    differences = np.random.default_rng(0).uniform(-1, 0.5, 60)
    assert loss_e_value(differences, 1.0) == pytest.approx(loss_e_value(differences[::-1], 1.0))
    assert loss_e_value(differences, 1.0) > 20 > 1 > loss_e_value(-differences, 1.0)


def test_all_levels_together_spend_no_more_than_alpha() -> None:
    """The sum of the first hundred thousand, and bounds of the rest: ∫ dx/(x log² x) = 1/log x, a falling function."""
    last = 10**5
    total = sum(1 / (decision * math.log(decision + 1) ** 2) for decision in range(1, last + 1))
    least, most = total + 1 / math.log(last + 2), total + 1 / math.log(last)
    assert least < most < SPENDING_TOTAL < most * 1.0001
    assert spent_level(1, 0, alpha=1.0) == pytest.approx(1 / math.log(2) ** 2 / SPENDING_TOTAL)
    assert spent_level(3, 2, alpha=0.05) == pytest.approx(3 * spent_level(3, 0, alpha=0.05))


def test_a_clear_loss_fails_and_is_recorded(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    baseline = generator.uniform(0.5, 1, 60)
    result = gate(tmp_path / "gate.jsonl", baseline, baseline - 0.4)
    assert (result.verdict, result.exit_code) == ("fail", 3)
    (entry,) = lines(tmp_path / "gate.jsonl")
    assert (entry["decision"], entry["verdict"], entry["alpha"]) == (1, "fail", 0.05)
    assert entry["e"] >= 1 / entry["spent"]
    assert gate(tmp_path / "gate.jsonl", baseline, generator.permutation(baseline)).verdict == "pass"
    assert [line["fails_before"] for line in lines(tmp_path / "gate.jsonl")] == [0, 1]


def test_what_one_test_would_fail_may_pass_in_a_ledger(tmp_path: Path) -> None:
    baseline = np.full(12, 0.6)
    candidate = baseline - np.tile([0.02, 0.05, 0.08], 4)
    result = gate(tmp_path / "gate.jsonl", baseline, candidate)
    assert (result.verdict, result.primary.verdict) == ("pass", "fail")
    assert "As a single test it would fail." in result.sentences()[0]
    with_margin = gate(tmp_path / "gate.jsonl", baseline, candidate, margin=0.01)
    assert with_margin.verdict == "undecided"


def test_more_topics_continue_a_decision_and_other_outputs_begin_one(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    baseline, candidate = np.random.default_rng(2).uniform(0, 1, (2, 30))
    gate(path, baseline[:10], candidate[:10])
    gate(path, baseline, candidate)
    gate(path, baseline, candidate[::-1])
    gate(path, baseline, candidate)
    assert [line["decision"] for line in lines(path)] == [1, 1, 2, 1]
    assert lines(path)[1]["topics"][:10] == lines(path)[0]["topics"]


def test_a_fail_stays_one_when_topics_are_added(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    baseline = np.full(90, 0.5)
    candidate = np.concatenate([np.full(30, 0.0), np.full(60, 1.0)])
    assert gate(path, baseline[:30], candidate[:30]).verdict == "fail"
    assert gate(path, baseline, candidate).verdict == "fail"


@pytest.mark.parametrize("damage", ["edit", "remove", "cut", "other"])
def test_a_damaged_ledger_is_an_error_with_the_line(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "gate.jsonl"
    for seed in range(3):
        gate(path, *np.random.default_rng(seed).uniform(0, 1, (2, 10)))
    written = path.read_text(encoding="utf-8").splitlines()
    if damage == "edit":
        written[1] = written[1].replace('"verdict": "pass"', '"verdict": "fail"')
    elif damage == "remove":
        del written[1]
    elif damage == "cut":
        written[1] = written[1][:50]
    else:
        written[1] = "{}"
    path.write_text("\n".join(written) + "\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"gate\.jsonl:2: "):
        gate(path, [0.1, 0.2], [0.1, 0.3])
    assert path.read_bytes() == before


def test_a_ledger_needs_a_scale_that_the_values_keep(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a ledger needs the scale of q"):
        gate(tmp_path / "gate.jsonl", [1, 2], [1, 2], scale=())
    with pytest.raises(InputError, match="found values from 1 to 2"):
        gate(tmp_path / "gate.jsonl", [1, 2], [1, 2])
    assert not (tmp_path / "gate.jsonl").exists()


def test_a_hundred_equal_commits_that_share_topics_hardly_ever_fail() -> None:
    """300 ledgers of 100 commits against one baseline on 40 topics: all fails are false, so FDR is the share of
    ledgers with a fail. It is at most α (here with three standard errors)."""
    generator = np.random.default_rng(3)
    ledgers_with_a_fail = 0
    levels = [spent_level(decision, 0, alpha=0.05) for decision in range(1, 101)]
    for _ in range(300):
        baseline = generator.integers(1, 6, 40)
        candidates = generator.integers(1, 6, (100, 40))
        e_values = [loss_e_value((candidate - baseline).astype(float), 4.0) for candidate in candidates]
        ledgers_with_a_fail += any(e >= 1 / level for e, level in zip(e_values, levels, strict=True))
    assert ledgers_with_a_fail / 300 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)

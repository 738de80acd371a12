"""The ledger of a gate: e-values, e-LOND, continued decisions, and lines that were edited."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreTable
from pyramidion.statistics.betting import betting_wealth
from pyramidion.statistics.online import SPENDING_TOTAL, loss_process, spent_level
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


@pytest.mark.parametrize("sizes", [None, np.array([1.0, 4, 2, 2, 1, 8, 3, 1, 1, 5])])
def test_the_evidence_is_1_on_average_without_a_loss(sizes: Any) -> None:
    """Exactly, after each topic: over all 2¹⁰ outcomes of ten differences of ±1."""
    outcomes = np.array([[1 if number >> bit & 1 else -1 for bit in range(10)] for number in range(2**10)], float)
    evidence = np.array([loss_process(row, 1.0, level=0.01, sizes=sizes) for row in outcomes])
    assert evidence.mean(axis=0) == pytest.approx(np.ones(10))


def test_the_evidence_grows_with_losses() -> None:
    differences = np.random.default_rng(0).uniform(-1, 0.5, 60)
    assert loss_process(differences, 1.0, level=0.05)[-1] > 20 > 1 > loss_process(-differences, 1.0, level=0.05)[-1]


def test_bets_are_those_of_the_betting_sequence_for_one_side() -> None:
    """`betting_wealth`, which is checked against confseq, bets by log(2/α): at α = 2·level by log(1/level). Its bets are
    the same where neither is cut, which is so after the first 60 of these."""
    differences = np.array([-1.0, -1.0, 1.0] * 100)
    evidence = loss_process(differences, 1.0, level=0.02)
    two_sided = betting_wealth(differences, bounds=(-1.0, 1.0), confidence=96)
    assert np.diff(np.log(evidence))[60:] == pytest.approx(np.diff(np.log(two_sided))[60:])


def test_what_was_bet_stays_when_topics_and_larger_clusters_are_added() -> None:
    differences = np.random.default_rng(1).uniform(-1, 1, 40)
    sizes = np.arange(1.0, 41)
    whole = loss_process(differences, 1.0, level=0.01, sizes=sizes)
    assert whole[:25] == pytest.approx(loss_process(differences[:25], 1.0, level=0.01, sizes=sizes[:25]))


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


def test_new_topics_follow_those_that_the_ledger_has_in_the_order_that_it_stores(tmp_path: Path) -> None:
    """The order of the first look is drawn by the seed; a look at all topics at once, in the order of both looks, has
    the same evidence."""
    path = tmp_path / "gate.jsonl"
    baseline, candidate = np.random.default_rng(2).uniform(0, 1, (2, 30))
    gate(path, baseline[:10], candidate[:10])
    gate(path, baseline, candidate)
    first, second = lines(path)
    assert first["topics"] != sorted(first["topics"])
    assert second["topics"][:10] == first["topics"]
    differences = dict(zip([f"t{topic}" for topic in range(30)], candidate - baseline, strict=True))
    in_order = np.array([differences[topic] for topic in second["topics"]])
    level = spent_level(1, 0, alpha=0.05)
    assert second["e"] == pytest.approx(loss_process(in_order, 1.0, level=level)[-1])
    gate(tmp_path / "other.jsonl", baseline[:10], candidate[:10], seed=1)
    assert lines(tmp_path / "other.jsonl")[0]["topics"] != first["topics"]


def clustered(count: int) -> list[dict[str, Any]]:
    """Scores on topics of which each two share a document, c0, c1, …; the candidate loses by 0.3 on average."""
    losses = np.random.default_rng(4).uniform(0, 0.6, 60)
    return [
        {"topic": f"t{topic:02}", "summarizer": system, "q": value, "document_id": f"c{topic // 2}"}
        for topic in range(count)
        for system, value in (("A", 0.9), ("B", 0.9 - float(losses[topic])))
    ]


def test_a_ledger_bets_on_whole_clusters(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    options: dict[str, Any] = {"against": "A", "scale": (0, 1), "ledger": path, "cluster": "document_id"}
    result = pyramidion.gate(clustered(40), "q", **options)
    assert (result.primary.clusters, lines(path)[0]["cluster"]) == (20, "document_id")
    losses = {row["topic"]: row["q"] - 0.9 for row in clustered(40) if row["summarizer"] == "B"}
    means = np.array([losses[topic] for topic in lines(path)[0]["topics"]]).reshape(20, 2).mean(axis=1)
    level = spent_level(1, 0, alpha=0.05)
    assert lines(path)[0]["e"] == pytest.approx(loss_process(means, 1.0, level=level)[-1])
    pyramidion.gate(clustered(40), "q", against="A", scale=(0, 1), ledger=path)
    assert [line["decision"] for line in lines(path)] == [1, 2]


def test_topics_that_join_a_cluster_that_was_bet_on_are_left_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    options: dict[str, Any] = {"against": "A", "scale": (0, 1), "ledger": path, "cluster": "document_id"}
    pyramidion.gate(clustered(11), "q", **options)
    result = pyramidion.gate(clustered(20), "q", **options)
    assert result.ledger is not None
    assert result.ledger.left_out == 1
    assert "leaves out 1 new topic of clusters that it has bet on before" in result.sentences()[0]
    assert "t11" not in lines(path)[1]["topics"]


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


def test_a_ledger_takes_the_scale_that_values_keep(tmp_path: Path) -> None:
    topics = [f"t{topic}" for topic in range(12)]
    scores = ScoreTable.from_columns(
        measure=["rouge-1.f"] * 24,
        topic=topics * 2,
        summarizer=["A"] * 12 + ["B"] * 12,
        value=[*range(40, 52), *range(41, 53)],
    )
    with pytest.raises(UsageError, match=r"values are not on the usual one \(0 to 1\): give it"):
        pyramidion.gate(scores, "rouge-1.f", against="A", ledger=tmp_path / "gate.jsonl")
    given = pyramidion.gate(scores, "rouge-1.f", against="A", ledger=tmp_path / "gate.jsonl", scale=(0, 100))
    assert given.verdict == "pass"


def test_a_hundred_equal_commits_that_share_topics_hardly_ever_fail() -> None:
    """300 ledgers of 100 commits against one baseline on 40 topics: all fails are false, so FDR is the share of
    ledgers with a fail. It is at most α (here with three standard errors)."""
    generator = np.random.default_rng(3)
    ledgers_with_a_fail = 0
    levels = [spent_level(decision, 0, alpha=0.05) for decision in range(1, 101)]
    for _ in range(300):
        baseline = generator.integers(1, 6, 40)
        candidates = generator.integers(1, 6, (100, 40))
        differences = (candidates - baseline).astype(float)
        e_values = [loss_process(row, 4.0, level=level)[-1] for row, level in zip(differences, levels, strict=True)]
        ledgers_with_a_fail += any(e >= 1 / level for e, level in zip(e_values, levels, strict=True))
    assert ledgers_with_a_fail / 300 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)


def test_a_ledger_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ledger.jsonl")
    with pytest.raises(InputError, match="found a pipe"):
        gate(tmp_path / "ledger.jsonl", np.zeros(10), np.ones(10))


def test_a_line_of_brackets_is_no_decision(tmp_path: Path) -> None:
    (tmp_path / "ledger.jsonl").write_text("[" * 100_000 + "\n")
    with pytest.raises(InputError, match="found no JSON"):
        gate(tmp_path / "ledger.jsonl", np.zeros(10), np.ones(10))

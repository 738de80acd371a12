"""The ledger of a gate: every decision so far, so that fails over many commits stay controlled (e-LOND).

A file of JSON lines, committed next to the code. Each line has a digest of itself and of the line before it: a line
that was edited, or a line that is missing, is found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.errors import InputError, UsageError
from pyramidion.files import write_lines
from pyramidion.files.opening import require_file_or_folder
from pyramidion.options import GateOptions
from pyramidion.statistics.online import loss_process, spent_level
from pyramidion.statistics.pairs import random_order
from pyramidion.studies.clusters import TopicClusters
from pyramidion.studies.gate import Gate, GatedScores, GateLedger, Verdict, exit_code_of
from pyramidion.studies.scales import Scale, choose_scale

Entry = Mapping[str, Any]
FIELDS = (
    *("decision", "date", "verdict", "baseline", "candidate", "measures", "margins", "cluster", "signatures", "topics"),
    *("data", "p", "e", "alpha", "spent", "fails_before", "digest"),
)


def read_ledger(path: Path) -> list[Entry]:
    """The decisions so far; none if there is no file yet.

    Raises:
        InputError: with the line, if one can't be read, was edited, or follows a line that is missing; also if the
            path leads to a pipe or a device.
    """
    if not path.exists():
        return []
    require_file_or_folder(path)
    entries: list[Entry] = []
    previous = ""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{path}:{number}: found no JSON; expected a decision of a gate. {_RESTORE}") from None
        if not isinstance(entry, dict) or set(entry) != set(FIELDS):
            raise InputError(f"{path}:{number}: expected a decision of a gate with {', '.join(FIELDS)}. {_RESTORE}")
        if entry["digest"] != _digest(entry, previous):
            raise InputError(f"{path}:{number}: the line was edited, or a line before it is missing. {_RESTORE}")
        previous = entry["digest"]
        entries.append(entry)
    return entries


_RESTORE = "Restore the ledger from version control, or start a new one under another name."


def _digest(entry: Entry, previous: str) -> str:
    content = {name: entry[name] for name in FIELDS if name != "digest"}
    return hashlib.sha256((previous + json.dumps(content, sort_keys=True)).encode()).hexdigest()


def fingerprint(scores: Sequence[GatedScores], topics: Sequence[str]) -> str:
    """A digest of the scores of both systems on these topics."""
    values = []
    for scored in scores:
        by_topic = dict(
            zip(scored.topics, zip(scored.baseline.tolist(), scored.candidate.tolist(), strict=True), strict=True)
        )
        values.append([scored.measure, scored.slice, [by_topic.get(topic) for topic in topics]])
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def record_decision(
    gate: Gate,
    scores: Sequence[GatedScores],
    path: Path,
    *,
    scales: Mapping[str, Scale],
    signatures: Mapping[str, Sequence[str]],
    date: str,
    clusters: TopicClusters | None = None,
    seed: int = 0,
) -> Gate:
    """The gate as the ledger decides it; the decision is written to the ledger.

    Args:
        gate: what single tests decide.
        scores: of the measure that decides, of guards and of slices.
        path: of the ledger.
        scales: by measure, its lowest and highest value.
        signatures: by measure, those of its scores.
        date: of the decision.
        clusters: which topics belong together; None if they are independent.
        seed: of the order of topics that the ledger has not seen.
    """
    row, verdict, entries = decide_with_ledger(
        gate,
        scores,
        read_ledger(path),
        gate.options,
        scales=scales,
        signatures=signatures,
        date=date,
        clusters=clusters,
        seed=seed,
    )
    write_ledger(path, entries)
    decision = replace(gate.decision, verdict=verdict, exit_code=exit_code_of(verdict, gate.options))
    return replace(gate, decision=decision, ledger=row)


def decide_with_ledger(
    gate: Gate,
    scores: Sequence[GatedScores],
    entries: Sequence[Entry],
    options: GateOptions,
    *,
    scales: Mapping[str, Scale],
    signatures: Mapping[str, Sequence[str]],
    date: str,
    clusters: TopicClusters | None = None,
    seed: int = 0,
) -> tuple[GateLedger, Verdict, list[Entry]]:
    """The decision by e-LOND, the verdict that follows, and the ledger with its line at the end."""
    # Compared with what a file says: without rounding, 1 − 95/100 is 0.050000000000000044.
    alpha = round(1 - options.confidence / 100, 12)
    if any(entry["alpha"] != alpha for entry in entries):
        raise UsageError(f"the ledger was kept at α = {entries[0]['alpha']:g}; keep `confidence=`, or start another")
    identity = {
        "baseline": gate.decision.baseline,
        "candidate": gate.decision.candidate,
        "measures": [measure.label for measure in gate.measures],
        "margins": [str(margin) for margin in options.margin],
        "cluster": options.cluster,
    }
    earlier = _find_earlier(entries, identity, scores)
    decision = max((entry["decision"] for entry in entries), default=0) + 1
    failed = {entry["decision"] for entry in entries if entry["verdict"] == "fail"}
    fails_before = len(failed)
    seen: list[str] = []
    if earlier is not None:
        # More topics of the same outputs are one decision that goes on: its bets go on, and no further part of α is
        # spent.
        decision, fails_before, seen = earlier["decision"], earlier["fails_before"], list(earlier["topics"])
    order = _order_topics(_topics_of(scores), seen, clusters, seed)
    # Bets are tuned to a level that only the number of the decision sets: fails so far depend on the same topics.
    level = spent_level(decision, 0, alpha=alpha)
    e = _combined_e_value(scores, scales, options, order, level)
    spent = spent_level(decision, fails_before, alpha=alpha)
    is_fail = e >= 1 / spent or decision in failed
    verdict = _verdict(gate, is_fail)
    row = GateLedger(
        decision=decision,
        is_continued=earlier is not None,
        e=e,
        threshold=1 / spent,
        spent=spent,
        alpha=alpha,
        fails_before=fails_before,
        left_out=order.left_out or None,
    )
    entry = {
        **identity,
        "decision": decision,
        "date": date,
        "verdict": verdict,
        "signatures": {measure: list(names) for measure, names in signatures.items()},
        "topics": list(order.topics),
        "data": fingerprint(scores, order.topics),
        "p": gate.primary.p,
        "e": e,
        "alpha": alpha,
        "spent": spent,
        "fails_before": fails_before,
    }
    ordered = {name: entry[name] for name in FIELDS if name != "digest"}
    ordered["digest"] = _digest(ordered, entries[-1]["digest"] if entries else "")
    return row, verdict, [*entries, ordered]


def write_ledger(path: Path, entries: Sequence[Entry]) -> None:
    """Write all decisions, or nothing."""
    write_lines(path, (json.dumps(entry, ensure_ascii=True).encode() for entry in entries))


def _find_earlier(entries: Sequence[Entry], identity: Mapping[str, Any], scores: Sequence[GatedScores]) -> Entry | None:
    """The last decision about the same outputs, if there is one: same names, and same scores on all of its topics."""
    topics = set(_topics_of(scores))
    for entry in reversed(entries):
        is_same = all(entry[name] == value for name, value in identity.items())
        if is_same and topics >= set(entry["topics"]) and entry["data"] == fingerprint(scores, entry["topics"]):
            return entry
    return None


def _topics_of(scores: Sequence[GatedScores]) -> list[str]:
    """The topics that any measure or slice has, each once."""
    return list(dict.fromkeys(topic for scored in scores for topic in scored.topics))


@dataclass(frozen=True, kw_only=True, eq=False)
class BettingOrder:
    """The order in which the ledger bets on topics, those of a cluster together."""

    topics: tuple[str, ...]
    codes: Integers
    """The number of each topic's cluster; topics have numbers of their own if they are independent."""
    left_out: int
    """Topics that joined a cluster that was bet on before: what they show is not independent of it."""


def _order_topics(
    topics: Sequence[str], seen: Sequence[str], clusters: TopicClusters | None, seed: int
) -> BettingOrder:
    """Topics that were bet on as they were, then new ones in random order, whole clusters at a time."""
    # Sorted first: the order that the seed draws must not depend on the order of lines in a file.
    names = sorted(topics)
    codes = np.arange(len(names)) if clusters is None else clusters.codes(names)
    code_of = dict(zip(names, codes.tolist(), strict=True))
    codes_seen = {code_of[topic] for topic in seen}
    new_codes = sorted(set(code_of.values()) - codes_seen)
    drawn = random_order(len(new_codes), seed)
    rank_of = {new_codes[place]: rank for rank, place in enumerate(drawn.tolist())}
    new_topics = [topic for topic in names if code_of[topic] in rank_of]
    new_topics.sort(key=lambda topic: rank_of[code_of[topic]])
    order = (*seen, *new_topics)
    return BettingOrder(
        topics=order,
        codes=np.array([code_of[topic] for topic in order], dtype=np.int64),
        left_out=len(names) - len(order),
    )


def _combined_e_value(
    scores: Sequence[GatedScores], scales: Mapping[str, Scale], options: GateOptions, order: BettingOrder, level: float
) -> float:
    """The e-value against "no measure has a loss": half of the stake is on the first measure, half on all guards."""
    e_values = [_e_value(scored, scales.get(scored.measure), options.scale, order, level) for scored in scores]
    if len(e_values) == 1:
        return e_values[0]
    # A mean of e-values is an e-value, however they depend on each other; a product would not be.
    return e_values[0] / 2 + float(np.mean(e_values[1:])) / 2


def _e_value(
    scores: GatedScores, own_scale: Scale | None, given: Sequence[float], order: BettingOrder, level: float
) -> float:
    values = np.concatenate([scores.baseline, scores.candidate])
    scale = choose_scale(scores.measure, values, own_scale, given)
    if scale is None or not np.isfinite(scale).all():
        unusual = ""
        if own_scale is not None:
            unusual = f", where values are not on the usual one ({own_scale[0]:g} to {own_scale[1]:g})"
        raise UsageError(
            f"a ledger needs the scale of {scores.measure}, which bounds its differences{unusual}: give it, such as "
            "`scale=(1, 5)`"
        )
    highest = scale[1] - scale[0]
    if scores.margin is not None:
        # The margin is added to the differences, so that they may reach further than the scale is wide.
        highest += scores.margin.units + scores.margin.share * max(abs(scale[0]), abs(scale[1]))
    shifted = scores.beyond_margin(np.zeros((1, len(scores.topics)), dtype=np.bool_))[0]
    place_of = {topic: place for place, topic in enumerate(scores.topics)}
    is_scored = np.array([topic in place_of for topic in order.topics], dtype=np.bool_)
    if not is_scored.any():
        return 1.0
    places = [place_of[topic] for topic in order.topics if topic in place_of]
    codes = order.codes[is_scored]
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    sizes = np.diff(np.append(starts, len(codes))).astype(np.float64)
    means = np.add.reduceat(shifted[places], starts) / sizes
    return float(loss_process(means, highest, level=level, sizes=sizes)[-1])


def _verdict(gate: Gate, is_fail: bool) -> Verdict:
    """A fail is the ledger's; what a single test would fail is undecided with a margin, and else passes."""
    if is_fail:
        return "fail"
    for measure in gate.measures:
        if measure.verdict == "undecided" or (measure.verdict == "fail" and measure.is_shown):
            return "undecided"
    return "pass"

"""A large folder is read in parts: all rows of a topic are in one of them, and the problems are those of the whole."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import pyramidion
from campaign.conftest import ROWS, SETTINGS
from pyramidion.campaign import Problems, folder
from pyramidion.campaign.campaign import NOUNS
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.run.data import CampaignData

NOISE = [
    '{"topic": "D1", "summarizer": "S1", "kind": "peer", "text": "again"}',
    '{"topic": "D3", "summarizer": "S9", "kind": "peer", "text": ""}',
    '{"topic": "D4", "summarizer": "A", "kind": "model", "text": "Fog."}',
    '{"topic": 5, "summarizer": "S1", "kind": "peer", "text": "a number"}',
    '{"topic": "D2", "summarizer": "S2"}',
    '{"topic":"D2","summarizer":"S1","kind":"peer","text":"again, without blanks"}',
    '{"topic":"D1","topic":"D2","summarizer":"S7","kind":"peer","text":"two topics"}',
    '{"topic":null,"summarizer":"S1"}',
    "not JSON",
    '{"topic": "D1", "summarizer": "S1", "assessor": "X", "question": "overall", "value": 3}',
    '{"topic": "D7", "summarizer": "nobody", "assessor": "X", "question": "overall", "value": 3}',
]


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(ROWS)), st.sampled_from(NOISE)), max_size=8),
    st.integers(1, 2000),
    st.sampled_from([(", ", ": "), (",", ":")]),
)
def test_parts_hold_the_rows_and_problems_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    noise: list[tuple[str, str]],
    part_bytes: int,
    separators: tuple[str, str],
) -> None:
    path = tmp_path_factory.mktemp("parts")
    (path / "campaign.toml").write_text(SETTINGS)
    for name, rows in ROWS.items():
        lines = [
            *(json.dumps(row, separators=separators) for row in rows),
            *(line for file, line in noise if file == name),
        ]
        (path / name).write_text("".join(f"{line}\n" for line in lines))
    of_whole, of_parts = Problems(), Problems()
    whole = folder.read_folder(path, of_whole)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(folder, "PART_BYTES", part_bytes)
        parts = list(folder.read_parts(path, of_parts))
    assert sorted(map(str, of_parts)) == sorted(map(str, of_whole))
    for name in NOUNS:
        found = [(number, row) for number, part in enumerate(parts) for row in getattr(part, name)]
        assert sorted(map(repr, (row for _, row in found))) == sorted(map(repr, getattr(whole, name)))
    part_of = {row.topic: number for number, part in enumerate(parts) for name in NOUNS for row in getattr(part, name)}
    for number, part in enumerate(parts):
        assert all(part_of[row.topic] == number for name in NOUNS for row in getattr(part, name))


@pytest.mark.slow
def test_a_campaign_in_parts_has_the_same_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    measures = ["rouge-2.recall", "pyramid.modified", "question.focus", "js", "rouge-1(jackknife=yes).f"]
    data: Path = CAMPAIGN_FOLDER
    for peers in ("systems", "all"):
        whole = pyramidion.score(data, measures, peers=peers)
        with monkeypatch.context() as patched:
            patched.setattr(folder, "PART_BYTES", 20_000)
            evaluation = pyramidion.Evaluation(data, pyramidion.Choice(peers=peers))
            parts = evaluation.table(measures)
            assert isinstance(evaluation.data, CampaignData)
            assert not evaluation.data.is_in_memory  # it was never read as a whole
            assert pyramidion.Evaluation(data).table().measures == pyramidion.score(data).measures
        assert list(parts) == list(whole)
        assert (parts.names, parts.kinds, parts.unscored) == (whole.names, whole.kinds, whole.unscored)


@pytest.mark.parametrize("packed", [bytes, gzip.compress, zstandard.compress])
def test_parts_find_their_lines_again_wherever_they_are(
    packed: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f'{{"topic": "D{n % 7}", "summarizer": "S{n}", "kind": "peer", "text": "é {n}"}}' for n in range(40)]
    lines = "\ufeff" + "".join(f" {row}\r\n" + "\n" * (number % 3) for number, row in enumerate(rows))
    (tmp_path / "summaries.jsonl").write_bytes(packed(lines.encode()))
    of_whole, of_parts = Problems(), Problems()
    whole = folder.read_folder(tmp_path, of_whole)
    monkeypatch.setattr(folder, "PART_BYTES", 300)
    parts = list(folder.read_parts(tmp_path, of_parts))
    assert len(parts) > 2
    found = [one.summarizer for part in parts for one in part.summaries]
    assert sorted(found) == sorted(one.summarizer for one in whole.summaries) == sorted(f"S{n}" for n in range(40))
    assert sorted(map(str, of_parts)) == sorted(map(str, of_whole))


def test_who_wrote_models_is_human_in_every_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"topic": f"D{n}", "summarizer": "M", "kind": "model", "text": "It rained."} for n in range(9)]
    rows += [{"topic": f"D{n}", "summarizer": "S", "kind": "peer", "text": "Rain."} for n in range(9)]
    rows += [
        {"topic": f"D{n}", "summarizer": "A", "kind": "model" if n == 8 else "peer", "text": "Wet."} for n in range(9)
    ]
    (tmp_path / "summaries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    scored: dict[str, list[tuple[Any, Any]]] = {}
    for part_bytes in (10**6, 300):
        monkeypatch.setattr(folder, "PART_BYTES", part_bytes)
        for peers in ("systems", "humans", "all"):
            table = pyramidion.Evaluation(tmp_path, pyramidion.Choice(peers=peers)).table("rouge-1.recall")
            scored.setdefault(peers, []).append((sorted(table), table.kinds))
    for peers, (whole, parts) in scored.items():
        assert parts == whole, peers
    assert {one.summarizer for one in scored["systems"][0][0]} == {"S"}

"""Streaming: ten times the rows need hardly more memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="peak memory is known on Unix only")

SCRIPT = """
import resource, sys
from pathlib import Path
from pyramidion.simulate import *

kind, path = sys.argv[1], Path(sys.argv[2])
for topics in map(int, sys.argv[3:]):
    if kind == "scores":
        write_simulated_scores(ScoreDesign(topics=topics, summarizers=100), path)
    else:
        write_simulated_campaign(CampaignDesign(topics=topics, summarizers=100, models=4), path)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peaks(kind: str, path: Path, *topic_counts: int) -> list[int]:
    """Peak memory in kB of a process so far, after it wrote each of these numbers of topics of a hundred summarizers."""
    command = [sys.executable, "-c", SCRIPT, kind, str(path), *map(str, topic_counts)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [int(line) for line in printed.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "topics", "name"),
    [("scores", 4000, "scores.parquet"), ("campaign", 50, "flat.parquet"), ("campaign", 50, "flat.jsonl")],
)
def test_ten_times_the_rows_need_at_most_half_as_much_memory_again(
    kind: str, topics: int, name: str, tmp_path: Path
) -> None:
    small, large = peaks(kind, tmp_path / name, topics, 10 * topics)
    assert large < 1.5 * small

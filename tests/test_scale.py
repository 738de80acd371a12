"""Size: a million flat rows fit in memory."""

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

MEASURE = """
import re, sys
from pyramidion.cli import main
sys.argv = ["pyramidion", "score", sys.argv[1], "-m", "rouge-1.recall", "-m", "rouge-2.recall", "-o", sys.argv[2]]
try:
    main()
except SystemExit as end:
    assert not end.code
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)  # of this program alone
"""


@pytest.mark.parametrize(
    ("count", "megabytes"),
    [
        pytest.param(50_000, 500, marks=pytest.mark.slow),
        pytest.param(1_000_000, 1500, marks=pytest.mark.soak),
    ],
)
def test_flat_rows_are_read_validated_and_scored_within_the_memory_limit(
    tmp_path: Path, count: int, megabytes: int
) -> None:
    text = "ferry burned off the coast of a small town and nobody was hurt said the harbour office on Monday"
    words = text.split()
    data, scores = tmp_path / "flat.jsonl", tmp_path / "scores.parquet"

    def rows(reference: str) -> str:
        """Ten summaries of one topic, whose name is still open."""
        summaries = [" ".join(words[: summarizer + 5]) for summarizer in range(10)]
        return "".join(
            json.dumps(
                {"topic": "TOPIC", "summarizer": f"system-{number}", "summary": summary, "references": [reference]}
            )
            + "\n"
            for number, summary in enumerate(summaries)
        )

    kinds = [rows(" ".join(words[first:]) * 2) for first in range(7)]
    with data.open("w", encoding="utf-8") as file:
        file.writelines(kinds[topic % 7].replace("TOPIC", f"topic-{topic}") for topic in range(count // 10))
    command = [sys.executable, "-c", MEASURE, str(data), str(scores)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert pl.scan_parquet(scores).select(pl.len()).collect().item() == 2 * count
    assert int(done.stdout) < megabytes

"""ROUGE on public campaigns, against matrices that were computed elsewhere and checked with the Perl program.

The data may not be shipped: set PYRAMIDION_DATA to a folder with the campaigns realsumm and summeval, beside which a
folder golden/meta_scores holds the matrices; without it these tests are skipped.
"""

import json
import os
from pathlib import Path

import pytest

import pyramidion

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
STATISTICS = {"R": "recall", "P": "precision", "F": "f"}

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns"),
]


@pytest.mark.filterwarnings("ignore:rouge-l treats each line as a sentence")
@pytest.mark.parametrize("name", ["realsumm", "summeval"])
def test_every_score_is_that_of_the_matrices(name: str) -> None:
    expected = json.loads((DATA.parent / "golden" / "meta_scores" / f"{name}.json").read_text(encoding="utf-8"))
    for metric, rows in expected["rouge"].items():
        _, kind, letter = metric.split("-")
        measure = f"rouge-{kind.lower()}(rounding=rouge155).{STATISTICS[letter]}"
        table = pyramidion.score(DATA / name, measure)
        found = {(who, topic): value for _, topic, who, value, _ in table.frame.iter_rows()}
        cells = {
            (who, topic): value
            for who, row in zip(expected["summarizers"], rows, strict=True)
            for topic, value in zip(expected["topics"], row, strict=True)
        }
        assert {key: found[key] for key in cells} == pytest.approx(cells, abs=1e-9), metric

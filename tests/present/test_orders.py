"""The study of orders in words."""

from typing import Any

import pytest

from pyramidion.present.orders import divergence_sentence
from pyramidion.studies.orders.divergence import Divergence

TEN = {
    "models": 10,
    "topics": 3,
    "pairs": 135,
    "threshold": 0.1,
    "divergent": 68,
    "lasting_mean": 5.5,
    "lasting_never": 0,
    "first_mean": 4.0,
    "first_never": 0,
    "merging": 0,
    "exhaustive": True,
    "separated": {},
}
DIFFER = "68 of 135 pairs differ by more than 0.1 with the pyramid of all others (10 models)"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, f"{DIFFER}; on average, every pyramid of order 5.50 or higher separates them."),
        (
            {"exhaustive": False, "lasting_never": 2, "merging": 1},
            f"{DIFFER}; on average, every sampled pyramid of order 5.50 or higher separates them; 2 are not separated "
            "below order 9; 1 separate and merge again at a higher order.",
        ),
        ({"lasting_never": 68}, f"{DIFFER}; 68 are not separated below order 9."),
        ({"divergent": 0}, "No two of 10 models differ by more than 0.1."),
    ],
)
def test_a_divergence_is_said_with_what_is_known_of_it(changes: dict[str, Any], sentence: str) -> None:
    assert divergence_sentence(Divergence(**{**TEN, **changes})) == sentence

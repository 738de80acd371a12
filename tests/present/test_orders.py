"""The study of orders in words."""

from typing import Any

import pytest

from pyramidion.present.orders import divergence_sentence, size_sentence
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
    "first_size": 0.0312,
    "last_size": 0.094,
    "shrinking": 0,
    "never": 20,
    "never_largest": 0.055,
    "exhaustive": True,
    "separated": {},
    "sizes": {},
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


GAP = "Where divergent pairs first separate, the lowest score of the better one is 0.031 above the highest of the worse one"
NAN = float("nan")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {},
            f"{GAP} on average (0.094 at order 8); this gap shrinks from an order to the next for none of them; 20 of 135 "
            "pairs are never separated: they differ by up to 0.055 with the pyramid of all others.",
        ),
        (
            {"last_size": NAN, "shrinking": 3, "never": 0},
            f"{GAP} on average; this gap shrinks from an order to the next for 3 of them.",
        ),
        (
            {"first_size": NAN, "never": 135},
            "135 of 135 pairs are never separated: they differ by up to 0.055 with the pyramid of all others.",
        ),
        ({"first_size": NAN, "never": 0}, ""),
    ],
)
def test_sizes_of_divergence_are_said_with_the_pairs_that_never_diverge(changes: dict[str, Any], sentence: str) -> None:
    assert size_sentence(Divergence(**{**TEN, **changes})) == sentence

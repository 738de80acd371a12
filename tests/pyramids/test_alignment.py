"""SCUs of two annotators are paired by the words that both have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pyramidion.campaign.nouns import Contributor, Pyramid, Scu
from pyramidion.pyramids.reliability.alignment import AlignedScus, align_scus

TEXTS = {"A": "one two three four", "B": "five six seven"}


def pyramid(*scus: tuple[int, dict[str, str]]) -> Pyramid:
    """SCUs from the words that they have of each model."""
    return Pyramid(
        topic="T",
        models=("A", "B"),
        scus=tuple(
            Scu(
                uid=uid,
                label=str(uid),
                contributors=tuple(
                    Contributor(
                        model=model,
                        parts=tuple(
                            (TEXTS[model].index(word), TEXTS[model].index(word) + len(word)) for word in words.split()
                        ),
                    )
                    for model, words in contributors.items()
                ),
            )
            for uid, contributors in scus
        ),
    )


def test_the_most_alike_belong_together_and_the_least_alike_come_first() -> None:
    ann = pyramid((1, {"A": "one two", "B": "five"}), (2, {"A": "three"}), (3, {"A": "four"}))
    bob = pyramid((5, {"A": "three"}), (6, {"A": "one two"}), (7, {"B": "seven"}))
    assert align_scus(ann, bob, TEXTS) == [
        AlignedScus(first=3, second=None, overlap=0.0),
        AlignedScus(first=None, second=7, overlap=0.0),
        AlignedScus(first=1, second=6, overlap=2 / 3),
        AlignedScus(first=2, second=5, overlap=1.0),
    ]


WORDS = st.lists(st.sets(st.sampled_from(TEXTS["A"].split()), min_size=1), max_size=4)


@given(WORDS, WORDS)
def test_every_scu_is_in_one_pair_and_a_pyramid_agrees_with_itself(
    ours: list[set[str]], theirs: list[set[str]]
) -> None:
    ann, bob = (
        pyramid(*((uid, {"A": " ".join(sorted(words))}) for uid, words in enumerate(some, start=1)))
        for some in (ours, theirs)
    )
    pairs = align_scus(ann, bob, TEXTS)
    assert sorted(one.first for one in pairs if one.first) == list(range(1, len(ours) + 1))
    assert sorted(one.second for one in pairs if one.second) == list(range(1, len(theirs) + 1))
    assert all(one.overlap == 1 for one in align_scus(ann, ann, TEXTS))

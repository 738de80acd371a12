"""Random texts through ROUGE-1.5.5 itself and through ours: the same five decimals on every item."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from parity.perl_rouge import PerlRouge, why_not
from pyramidion.campaign import Campaign, Summary
from pyramidion.text.overlap import count_overlaps
from text.golden import OptionSet, score_item

pytestmark = [
    pytest.mark.parity,
    pytest.mark.slow,
    pytest.mark.skipif(why_not() is not None, reason=f"ROUGE-1.5.5 does not run here: {why_not()}"),
]

WORDS = (
    "the The a of to and told better best documents elements government agreements U.S. don't x-ray 42nd they flies "
    "café naïve señor -- ... dogs dog barked barking relational hopping quickly"
)
METRICS = ["ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"]
STANDARD = ("-n", "4", "-w", "1.2", "-2", "4", "-U")
OPTION_SETS = {
    "stems": (("-m",), OptionSet()),
    "plain": ((), OptionSet({"stem": False})),
    "stop words": (("-m", "-s"), OptionSet({"stop": True})),
    "best model": (("-m", "-f", "B"), OptionSet(best=True)),
    "10 words": (("-m", "-l", "10"), OptionSet({"words": 10})),
    "25 words": (("-l", "25"), OptionSet({"words": 25, "stem": False})),
    "40 bytes": (("-m", "-b", "40"), OptionSet({"bytes": 40})),
    "100 bytes": (("-m", "-b", "100"), OptionSet({"bytes": 100})),
    "recall preferred": (("-m", "-p", "0.2"), OptionSet(alpha=0.2)),
}


def random_text(rng: random.Random) -> str:
    """Lines of few word types, so that ties and clipping are common; blanks and empty lines where they hurt."""
    words = rng.sample(WORDS.split(), rng.randint(3, 30))
    lines = []
    for _ in range(rng.randint(1, 6)):
        line = " ".join(rng.choices(words, k=rng.randint(1, 20)))
        lines.append(rng.choice(["", "", "", " ", "\t "]) + line + rng.choice(["", "", " ", "\r"]))
        if rng.random() < 0.15:
            lines.append(rng.choice(["", "  "]))
    return "\n".join(lines) + rng.choice(["", "\n"])


def files_of(items: list[dict[str, Any]]) -> list[tuple[bytes, list[bytes]]]:
    return [(item["peer"].encode(), [ref.encode() for ref in item["refs"]]) for item in items]


@pytest.fixture(scope="module")
def perl(tmp_path_factory: pytest.TempPathFactory) -> PerlRouge:
    folder: Path = tmp_path_factory.mktemp("rouge155")
    return PerlRouge(folder)


@pytest.mark.parametrize("name", OPTION_SETS)
def test_random_items_score_as_in_the_perl_program(perl: PerlRouge, name: str) -> None:
    options, option_set = OPTION_SETS[name]
    rng = random.Random(name)
    # The first word keeps models from being empty, on which the Perl program stops.
    items: list[dict[str, Any]] = [
        {"peer": random_text(rng), "refs": ["word " + random_text(rng) for _ in range(rng.randint(1, 3))]}
        for _ in range(120)
    ]
    printed = perl.score(files_of(items), *STANDARD, *options)
    for (number, metric), expected in printed.items():
        assert score_item(items[number], metric, option_set, count_overlaps) == expected, (items[number], metric)
    assert len(printed) == len(items) * len(METRICS)


def test_skip_bigrams_without_limit_score_as_in_the_perl_program(perl: PerlRouge) -> None:
    rng = random.Random(3)
    items: list[dict[str, Any]] = [{"peer": random_text(rng), "refs": [random_text(rng)]} for _ in range(60)]
    printed = perl.score(files_of(items), "-n", "1", "-x", "-2", "-1", "-U", "-m")
    for (number, metric), expected in printed.items():
        assert score_item(items[number], metric, OptionSet(), count_overlaps) == expected, (items[number], metric)
    assert {metric for _, metric in printed} == {"ROUGE-1", "ROUGE-S*", "ROUGE-SU*"}


HEADS: tuple[str, ...] = (
    "ferry",
    "Ferries",
    "burned",
    "New York",
    "old  house",
    " lead",
    "trail ",
    "NIL",
    "nils",
    "mice",
    "better",
    "on",
)
HEADS += ("U.S.", "é", "Éclairs", "the cats were", " ", "1990s", "--", "\tx y", "went", "prime minister's")
RELATIONS = ("subj", "NIL", "nil", "obj", "prep_of", "Running")


def random_elements(rng: random.Random, shared: list[str]) -> str:
    """Lines of a SIMPLE file, most of them shared with the other texts of the item; some files are empty."""
    count = rng.choice([0, 1, 5, 20])
    return "".join((rng.choice(shared) if rng.random() < 0.8 else random_element(rng)) + "\n" for _ in range(count))


def random_element(rng: random.Random) -> str:
    return "|".join([rng.choice(HEADS), rng.choice(HEADS), rng.choice(RELATIONS)])


@pytest.mark.parametrize(
    ("options", "ours"),
    [(("-m",), ""), ((), "stem=no"), (("-m", "-f", "B"), "models=best"), (("-m", "-p", "0.2"), "alpha=0.2")],
)
def test_random_basic_elements_score_as_in_the_perl_program(
    perl: PerlRouge, options: tuple[str, ...], ours: str
) -> None:
    rng = random.Random(ours)
    items: list[dict[str, Any]] = []
    for _ in range(60):
        shared = [random_element(rng) for _ in range(12)]
        refs = [random_elements(rng, shared) for _ in range(rng.choice([1, 1, 2, 4]))]
        items.append({"peer": random_elements(rng, shared), "refs": refs})
    data = Campaign(
        summaries=tuple(
            Summary(topic=str(number), summarizer=id, kind="peer" if id == "X" else "model", text=text)
            for number, item in enumerate(items)
            for id, text in [("X", item["peer"]), *((str(ref), text) for ref, text in enumerate(item["refs"]))]
        )
    )
    for mode in ("H", "HM", "HMR", "HM1", "HMR1", "HMR2"):
        printed = perl.score(files_of(items), *options, "-3", mode, "-z", "SIMPLE")
        given = ",".join(filter(None, ["parser=simple", "rounding=rouge155", ours]))
        table = pyramidion.score(data, f"be-{mode.lower()}({given})")
        found = {
            (int(row["topic"]), row["measure"].rpartition(".")[2]): row["value"]
            for row in table.frame.iter_rows(named=True)
        }
        expected = {
            (number, statistic): values[place]
            for ((number, _), values), (place, statistic) in product(
                printed.items(), enumerate(("recall", "precision", "f"))
            )
        }
        assert found == expected, mode

"""Options are defined once: the command line, the Python keywords and the documentation follow."""

import inspect
import shlex
from dataclasses import fields
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion import options as o
from pyramidion.cli.options import options_of
from pyramidion.errors import UsageError

KINDS = [kind for kind in vars(o).values() if isinstance(kind, type) and issubclass(kind, o.Options)][1:]


def parsed(kind: type[o.Options], words: list[str]) -> o.Options:
    """What the command line makes of these words."""
    found: dict[str, Any] = {}

    @click.command
    @options_of(kind)
    def command(**given: Any) -> None:
        found.update(given)

    command(words, standalone_mode=False)
    return kind(**found)


@pytest.mark.parametrize("kind", KINDS)
def test_without_words_the_command_line_gives_the_defaults(kind: type[o.Options]) -> None:
    assert parsed(kind, []) == kind()
    assert kind().arguments() == []


@pytest.mark.parametrize(
    "given_options",
    [
        o.Choice(
            peers="all", where={"part": "A B"}, exclude=("1", "2"), scores=("a b.csv", "c.csv"), seed=3, strict=True
        ),
        o.CompareOptions(pair=(("a", "b c"), ("-x", "y")), against="z", interval="own", confidence=99.0),
        o.CorrelateOptions(with_=("question.x",), level=("topic", "global"), coefficient=("kendall",), test="williams"),
        o.TopicsOptions(with_=("itself",), sizes=(1, 2, 4), beyond=(30.0,), resamples=20, by="part"),
        o.JudgmentAgreementOptions(metric=("ordinal",), confusion=("A", "B"), over="topics"),
    ],
)
def test_the_words_of_options_lead_back_to_them(given_options: o.Options) -> None:
    words = shlex.split(shlex.join(given_options.arguments()))
    assert parsed(type(given_options), words) == given_options


@given(st.floats(allow_nan=False))
def test_a_confidence_is_a_percentage_and_never_a_share(value: float) -> None:
    if 1 <= value < 100:
        assert o.CompareOptions(confidence=value).confidence == value
    else:
        with pytest.raises(UsageError, match="--confidence"):
            o.CompareOptions(confidence=value)


def test_all_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        o.CompareOptions(interval="bca", permutations=0, correction="sidak")  # type: ignore[arg-type]
    assert str(caught.value).splitlines() == [
        "--correction sidak: expected holm, bonferroni, benjamini-hochberg, none",
        "--interval bca: expected t, own, percentile, studentized",
        "--permutations 0: expected at least 1",
    ]


@pytest.mark.parametrize("name", ["confidense", "peer"])
def test_an_unknown_keyword_gets_a_hint(name: str) -> None:
    meant = {"confidense": "confidence", "peer": "peers"}[name]
    with pytest.raises(UsageError, match=f"no option '{name}'; did you mean .*{meant}.*there are: .*seed"):
        pyramidion.compare("demo", "rouge-1.recall", **{name: 90})


@pytest.mark.parametrize(
    ("given", "taken"),
    [({"pair": ("a", "b")}, {"pair": (("a", "b"),)}), ({"pair": [("a", "b")]}, {"pair": (("a", "b"),)})],
)
def test_one_value_stands_for_a_list_of_one(given: dict[str, Any], taken: dict[str, Any]) -> None:
    assert o.CompareOptions.of(given) == o.CompareOptions(**taken)


def test_verbs_show_their_options() -> None:
    parameters = inspect.signature(pyramidion.compare).parameters
    assert list(parameters)[:2] == ["data", "measures"]
    for kind in (o.CompareOptions, o.Choice):
        assert {field.name for field in fields(kind)} <= set(parameters)
    assert parameters["confidence"].default == 95.0
    assert "confidence: Confidence level, in percent." in (pyramidion.compare.__doc__ or "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_has_a_help_that_ends_in_a_full_stop_or_an_example(kind: type[o.Options]) -> None:
    for one in kind.each():
        assert one.help[0].isupper() or False, one.name
        assert one.help.rstrip("…)").endswith((".", ",")) or one.help.endswith("…"), one.name

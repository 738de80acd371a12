"""Options are defined once: the command line, the Python keywords and the documentation follow."""

import inspect
import shlex
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion import options as o
from pyramidion import pyramid, study
from pyramidion.cli.options import options_of
from pyramidion.errors import InputError, UsageError
from pyramidion.options import keywords
from pyramidion.options.value_types import fits_type
from pyramidion.run.evaluation import Evaluation
from pyramidion.scores import ScoreTable
from pyramidion.show import table_formats
from tools import option_keywords

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


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_are_right_so_that_only_what_is_chosen_has_to_be_checked(kind: type[o.Options]) -> None:
    assert [option.find_problem(option.default) for option in kind.each()] == [""] * len(kind.each())


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
        with pytest.raises(UsageError, match="confidence="):
            o.CompareOptions(confidence=value)


def test_all_that_is_wrong_is_reported_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        o.CompareOptions(interval="bca", permutations=0, correction="sidak")  # type: ignore[arg-type]
    assert str(caught.value).splitlines() == [
        '`correction="sidak"`: expected holm, bonferroni, benjamini-hochberg, none',
        '`interval="bca"`: expected t, own, percentile, studentized',
        "`permutations=0`: expected at least 1",
    ]


@pytest.mark.parametrize("name", ["confidense", "peer"])
def test_an_unknown_keyword_gets_a_hint(name: str) -> None:
    meant = {"confidense": "confidence", "peer": "peers"}[name]
    misspelt: dict[str, Any] = {name: 90}
    with pytest.raises(UsageError, match=f"no option '{name}'; did you mean .*{meant}.*there are: .*seed"):
        pyramidion.compare("demo", "rouge-1.recall", **misspelt)


@pytest.mark.parametrize(
    ("given", "taken"),
    [({"pair": pair}, {"pair": (("a", "b"),)}) for pair in (("a", "b"), [("a", "b")], ["a", "b"], [["a", "b"]])],
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


def test_the_typed_keywords_follow_from_the_options() -> None:
    written = option_keywords.PATH.read_text(encoding="utf-8")
    assert written == option_keywords.keywords_module(), "run `python tools/option_keywords.py`"


@pytest.mark.parametrize("kind", KINDS)
def test_the_typed_keywords_of_options_are_their_fields(kind: type[o.Options]) -> None:
    typed = getattr(keywords, option_keywords.keywords_name(kind))
    assert set(get_type_hints(typed)) == {field.name for field in fields(kind)}
    assert typed.__required_keys__ == frozenset()


def _functions_with_keywords() -> Iterator[tuple[str, Any]]:
    """Every public function of the modules of verbs, and every method of an evaluation, that takes `**keywords`."""
    for owner in (pyramidion, study, pyramid, table_formats, Evaluation):
        for name, function in vars(owner).items():
            if name.startswith("_") or not inspect.isfunction(function) or "pyramidion" not in function.__module__:
                continue
            if inspect.unwrap(function).__code__.co_flags & inspect.CO_VARKEYWORDS:
                yield f"{owner.__name__}.{name}", function


@pytest.mark.parametrize(("name", "function"), list(_functions_with_keywords()))
def test_the_keywords_of_public_functions_are_typed(name: str, function: Any) -> None:
    annotation = inspect.unwrap(function).__annotations__["keywords"]
    typed = getattr(keywords, annotation.removeprefix("Unpack[").removesuffix("]"))
    parameters = inspect.signature(function).parameters.values()
    shown = {parameter.name for parameter in parameters if parameter.kind is inspect.Parameter.KEYWORD_ONLY}
    assert annotation.startswith("Unpack["), name
    assert set(get_type_hints(typed)) - {"progress"} == shown - {"keep_counts"}


def test_a_type_checker_knows_the_keywords() -> None:
    """The type check of the tests fails if an error that is ignored here is none."""

    def check_types(table: ScoreTable, evaluation: Evaluation) -> None:
        pyramidion.compare(table, confidence=95, pair=("a", "b"), seed=1)
        pyramidion.compare(table, confidense=95)  # type: ignore[call-arg]
        pyramidion.compare(table, confidence="95")  # type: ignore[arg-type]
        pyramidion.correlate(table, with_="a", level="systems")  # type: ignore[arg-type]
        study.models(table, with_="a", confidense=95)  # type: ignore[call-arg]
        evaluation.compare(None, o.PowerOptions())  # type: ignore[arg-type]
        evaluation.compare(seed=1)  # type: ignore[call-arg]

    assert callable(check_types)


def test_an_analysis_takes_options_as_an_object_or_as_keywords() -> None:
    evaluation = pyramidion.Evaluation("demo")
    by_object = evaluation.compare("rouge-1.recall", o.CompareOptions(confidence=90))
    by_keywords = evaluation.compare("rouge-1.recall", confidence=90)
    assert list(by_object.records()) == list(by_keywords.records())
    with pytest.raises(UsageError, match="give CompareOptions or keywords, not both: found options and confidence"):
        evaluation.compare("rouge-1.recall", o.CompareOptions(), confidence=90)


def test_keywords_of_a_verb_are_split_into_data_and_analysis() -> None:
    choice, options = o.split_keywords({"seed": 3, "pair": ("a", "b"), "progress": print}, o.CompareOptions)
    assert choice == o.Choice(seed=3)
    assert options == o.CompareOptions(pair=(("a", "b"),))


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_has_a_help_that_ends_in_a_full_stop_or_an_example(kind: type[o.Options]) -> None:
    for one in kind.each():
        assert one.help[0].isupper() or False, one.name
        assert one.help.rstrip("…)").endswith((".", ",")) or one.help.endswith("…"), one.name


WRONG_VALUES = (5, 1.5, True, b"x", object(), [object()], {1: 2}, len)


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_of_another_type_is_an_error_that_names_the_option(kind: type[o.Options]) -> None:
    for option in kind.each():
        for value in WRONG_VALUES:
            if fits_type(option.wrap_single(value), option.type):
                continue
            with pytest.raises(UsageError, match=f"`{option.name}="):
                kind.of({option.name: value})


@pytest.mark.parametrize("output", [None, 5, "", b"x", "a\0b", "\ud800"])
def test_an_output_that_is_no_path_is_an_error_that_names_the_argument(output: Any) -> None:
    rows = [{"topic": "t", "summarizer": "A", "summary": "a b", "references": ["a c"]}]
    with pytest.raises(UsageError, match="`path="):
        pyramidion.report(rows, output)
    with pytest.raises(UsageError, match="`output="):
        pyramidion.score_into(rows, output)
    with pytest.raises(UsageError, match="`folder="):
        pyramidion.init(output)
    with pytest.raises(UsageError, match="`sources="):
        pyramidion.import_campaign("flat", output, campaign="new")
    with pytest.raises(UsageError, match="progress: expected a function"):
        pyramidion.score(rows, ["rouge-1.f"], progress=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("measures", [5, [5], [None], object()])
def test_measures_that_are_none_are_an_error_of_ours(measures: Any) -> None:
    rows = [{"topic": "t", "summarizer": "A", "summary": "a b", "references": ["a c"]}]
    for verb in (pyramidion.score, pyramidion.compare):
        with pytest.raises(UsageError):
            verb(rows, measures)
    with pytest.raises(UsageError):
        pyramidion.report(rows, "report.html", measures)
    with pytest.raises(UsageError, match="format="):
        pyramidion.import_campaign(measures, "rows.jsonl", campaign="new")


def test_a_name_that_no_file_can_have_is_no_data() -> None:
    with pytest.raises(InputError, match="a name that no file can have"):
        pyramidion.load("a\0b")

"""From names to measures and back."""

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
import pyramidion.measures as measures_module
from pyramidion.cli import program
from pyramidion.errors import UsageError
from pyramidion.measures import registry
from pyramidion.measures.base import Measure
from pyramidion.measures.function import from_function
from pyramidion.measures.imported import Imported
from pyramidion.measures.judged import QuestionMeasure
from pyramidion.measures.registry import Selection, column_named, families, select, select_all
from pyramidion.measures.rouge import Rouge
from pyramidion.text.overlap import OverlapKind

kinds = st.one_of(
    st.integers(1, 9).map(lambda n: OverlapKind("n", n)),
    st.just(OverlapKind("l")),
    st.floats(1, 9.9, allow_nan=False).map(lambda w: OverlapKind("w", round(w, 3))),
    st.integers(-1, 10**7).map(lambda gap: OverlapKind("s", gap)),
    st.integers(-1, 30).map(lambda gap: OverlapKind("su", gap)),
)
limits = st.none() | st.integers(1, 10_000)
rouges = st.builds(
    Rouge,
    kind=kinds,
    stem=st.booleans(),
    stop=st.booleans(),
    words=limits,
    models=st.sampled_from(["average", "best"]),
    alpha=st.floats(0, 1),
    tokens=st.sampled_from(["rouge155", "unicode"]),
    sentences=st.sampled_from(["lines", "split"]),
    rounding=st.sampled_from(["none", "rouge155"]),
    su_drops_last_unigram=st.booleans(),
)
measures = st.one_of(
    rouges,
    st.builds(QuestionMeasure, assessor=st.none() | st.text(min_size=1, max_size=8)),
    st.builds(Imported, better=st.sampled_from(["high", "low"])),
)


@given(measures, st.sampled_from(["recall", "precision", "f"]))
def test_the_canonical_name_of_a_measure_means_that_measure(measure: Measure, statistic: str) -> None:
    assert select(measure.name(statistic)) == Selection(measure, statistic)
    assert select(measure.name()) == Selection(measure)


def test_defaults_are_dropped_and_options_come_in_declared_order() -> None:
    assert select("rouge-2(alpha=0.5,words=250,stop=yes,stem=yes).f").name == "rouge-2(stop=yes,words=250).f"


@pytest.mark.parametrize("family", list(families()))
def test_every_option_is_documented_and_every_example_is_recognised(family: type[Measure]) -> None:
    fields = [field for field in dataclasses.fields(family) if field.name != "chosen_options"]  # what a name wrote out
    for field in fields:
        assert field.metadata.get("identity") or field.metadata.get("positional") or field.metadata["doc"]
    for example in family.examples():
        assert isinstance(select(example).measure, family)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rouge-22", "did you mean rouge-2"),
        ("rogue-2.recall", "did you mean rouge-2"),
        ("rouge-2.recal", "did you mean recall"),
        ("rouge-2(stopp=yes)", "did you mean stop"),
        ("rouge-2(stop=perhaps)", "expected yes or no"),
        ("rouge-2(words=many)", "expected a whole number"),
        ("rouge-2(words=0)", "from 1 up"),
        ("rouge-2(words=5,bytes=5)", "not both"),
        ("rouge-2(use=1,jackknife=yes)", "at least 2"),
        ("rouge-2(alpha=2)", "from 0 to 1"),
        ("rouge-2(models=worst)", "one of average, best"),
        ("rouge-2(stop=yes,stop=no)", "given twice"),
        ("rouge-2(rouge-1)", "takes options key=value"),
        ("question(jackknife=yes).focus", "can't be jackknifed"),
        ("rouge-w0.5", "from 1 up"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select(name)


def test_all_wrong_names_are_reported_at_once() -> None:
    with pytest.raises(UsageError, match=r"rouge-x(?s:.)*rouge-y"):
        select_all(["rouge-x", "rouge-2", "rouge-y"])


COLUMNS = ("question.overall", "imported.judge", "question.focus", "imported.focus", 'imported."gpt 4"', "js")


@pytest.mark.parametrize(
    ("bare", "found"), [("overall", "question.overall"), ("judge", "imported.judge"), ("gpt 4", 'imported."gpt 4"')]
)
def test_a_bare_name_finds_the_one_question_or_imported_column(bare: str, found: str) -> None:
    assert column_named(bare, COLUMNS) == found
    assert select(bare, columns=COLUMNS).name == found


def test_a_bare_name_of_two_columns_names_both() -> None:
    with pytest.raises(UsageError, match=r"'focus' means question\.focus and imported\.focus"):
        select("focus", columns=COLUMNS)


def test_a_measure_of_ours_is_computed_and_never_taken_from_a_column_of_that_name() -> None:
    assert select("js", columns=["imported.js"]) == select("js")
    assert select("imported.js", columns=["imported.js"]) == Selection(Imported(), "js")


@pytest.mark.parametrize(("wrong", "near"), [("overal", "overall"), ("gpt4", "gpt 4"), ("rogue-2", "rouge-2")])
def test_an_unknown_bare_name_names_what_comes_near(wrong: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"there is no measure or column '{wrong}'; did you mean.* {near}"):
        select(wrong, columns=COLUMNS)


def test_derived_measures_find_bare_columns_too() -> None:
    assert select("scaled-rank(of=overall)", columns=COLUMNS).name == "scaled-rank(of=question.overall)"


def test_the_signature_writes_every_option_out() -> None:
    measure = select("rouge-2(jackknife=yes).recall").measure
    signature = measure.signature("recall", models=4, seed=0)
    assert signature.startswith("rouge-2.recall|alpha:0.5|bytes:|jackknife:yes|")
    assert "|models:average|" in signature
    assert signature.endswith("|nmodels:4|v:0.2.0")
    for field in Rouge.option_fields():
        assert f"|{field.name}:" in signature


def test_the_signature_of_drawn_models_has_the_seed_and_that_of_unicode_tokens_the_tables() -> None:
    assert "|seed:7|" in select("rouge-2(use=2)").measure.signature("f", models=2, seed=7)
    assert "|unicode:" in select("rouge-2(tokens=unicode)").measure.signature("f", models=2, seed=0)


def test_a_function_needs_a_name_that_parses() -> None:
    with pytest.raises(UsageError):
        from_function("no name!", lambda summary, topic: 0.0)


class Elsewhere(QuestionMeasure):
    """A family that another package brings."""

    @classmethod
    def from_base(cls, base: str) -> dict[str, object] | None:
        return {} if base == "elsewhere" else None

    @classmethod
    def examples(cls) -> tuple[str, ...]:
        return ("elsewhere",)


def brought(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Let the installed packages name one more measure."""
    entry = metadata.EntryPoint(name="elsewhere", value=value, group="pyramidion.measures")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
    registry._plug_ins.cache_clear()


@pytest.fixture
def _fresh_families() -> Iterator[None]:
    yield
    registry._plug_ins.cache_clear()


@pytest.mark.usefixtures("_fresh_families")
def test_another_package_brings_a_measure_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures_module, "Elsewhere", Elsewhere, raising=False)
    brought(monkeypatch, "pyramidion.measures:Elsewhere")
    assert isinstance(select("elsewhere").measure, Elsewhere)


@pytest.mark.usefixtures("_fresh_families")
@pytest.mark.parametrize("value", ["no_such_module:X", "pyramidion.measures:parse"])
def test_a_measure_that_can_not_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    brought(monkeypatch, value)
    assert isinstance(select("rouge-2").measure, Rouge)  # ours go on working
    with pytest.raises(UsageError, match="the measure 'elsewhere'"):
        select("elsewhere")


class Impostor(Elsewhere):
    """A family of another package with the name of one of ours."""

    @classmethod
    def examples(cls) -> tuple[str, ...]:
        return ("elsewhere", "rouge-2")


@pytest.mark.usefixtures("_fresh_families")
def test_a_measure_of_another_package_with_a_name_of_ours_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measures_module, "Impostor", Impostor, raising=False)
    brought(monkeypatch, "pyramidion.measures:Impostor")
    assert isinstance(select("rouge-2").measure, Rouge)
    with pytest.raises(UsageError, match="another measure is called rouge-2 already; give it another name"):
        select("elsewhere")
    program.main(["list", "measures"], standalone_mode=False)
    assert "another measure is called rouge-2 already" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        program.main(["doctor", "--format", "json"], standalone_mode=False)
    wrong = [row for row in map(json.loads, capsys.readouterr().out.splitlines()) if row["state"] == "wrong"]
    assert [row["what"] for row in wrong] == ["measures of other packages"]


@pytest.mark.usefixtures("_fresh_families")
def test_of_two_packages_that_bring_one_name_the_second_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures_module, "Elsewhere", Elsewhere, raising=False)
    value, group = "pyramidion.measures:Elsewhere", "pyramidion.measures"
    entries = [metadata.EntryPoint(name=name, value=value, group=group) for name in ("first", "second")]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
    registry._plug_ins.cache_clear()
    assert isinstance(select("elsewhere").measure, Elsewhere)
    with pytest.raises(UsageError, match=r"'second' .* another measure is called elsewhere already"):
        select("nothing-of-this-name")


@pytest.mark.parametrize("name", ["rouge-2", "rouge-su7", "rouge2", "rougeLsum", "js", "pyramid", "question", "hbr"])
def test_a_function_can_not_take_the_name_of_a_measure_that_exists(name: str) -> None:
    with pytest.raises(UsageError, match=f"^there is already a measure {name}; give yours another name"):
        from_function(name, lambda summary, topic: 42.0)


@dataclass(frozen=True, kw_only=True)
class FalseRouge(Measure):
    """Somebody's own class, called like a measure of ours."""

    base_names = ("rouge-2",)


def test_a_measure_that_is_given_as_an_object_can_not_take_the_name_of_one_of_ours() -> None:
    rows = [{"topic": "1", "summarizer": "a", "summary": "x y", "references": ["x y"]}]
    with pytest.raises(UsageError, match="there is already a measure rouge-2"):
        pyramidion.score(rows, [FalseRouge()])

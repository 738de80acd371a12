"""The grammar of measure names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import UsageError
from pyramidion.measures.names import MeasureName, MeasureOption, parse

bases = st.from_regex(r"[A-Za-z][A-Za-z0-9_*-]{0,8}(\.[0-9]{1,2})?", fullmatch=True)
keys = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}", fullmatch=True)
statistics = st.none() | keys | st.text(max_size=8)
names = st.recursive(
    st.builds(MeasureName, bases, st.just(()), statistics),
    lambda inner: st.builds(
        MeasureName,
        bases,
        st.lists(st.builds(MeasureOption, keys, st.text(max_size=8)) | inner, max_size=3).map(tuple),
        statistics,
    ),
    max_leaves=6,
)


@given(names)
def test_every_name_parses_back_to_itself(name: MeasureName) -> None:
    assert parse(str(name)) == name


@given(st.text(max_size=30))
def test_any_text_is_a_name_or_a_usage_error(text: str) -> None:
    try:
        parsed = parse(text)
    except UsageError as error:
        assert "can't be read" in str(error)
    else:
        assert parse(str(parsed)) == parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rouge-2.recall", MeasureName("rouge-2", (), "recall")),
        ("rouge-w1.2.f", MeasureName("rouge-w1.2", (), "f")),
        ("rouge-w1.2", MeasureName("rouge-w1.2")),
        ("rouge-su*", MeasureName("rouge-su*")),
        (
            "rouge-su4(stop=yes,words=250).f",
            MeasureName("rouge-su4", (MeasureOption("stop", "yes"), MeasureOption("words", "250")), "f"),
        ),
        ("hbr(rouge-1.recall,js)", MeasureName("hbr", (MeasureName("rouge-1", (), "recall"), MeasureName("js")))),
        ("question.content-responsiveness", MeasureName("question", (), "content-responsiveness")),
        ('question."Is it good?"', MeasureName("question", (), "Is it good?")),
        ("kl(background=)", MeasureName("kl", (MeasureOption("background", ""),))),
        (
            "scaled-rank(of=rouge-2(stop=yes,words=9).recall)",
            MeasureName("scaled-rank", (MeasureOption("of", "rouge-2(stop=yes,words=9).recall"),)),
        ),
        ('x(f="a,b)")', MeasureName("x", (MeasureOption("f", "a,b)"),))),
    ],
)
def test_names_of_the_design_are_taken_apart(text: str, expected: MeasureName) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize("text", ["", "2rouge", "rouge-2(", "rouge-2(stop=yes", "rouge-2.", "rouge-2.recall.x", 'q."a'])
def test_a_broken_name_shows_where(text: str) -> None:
    with pytest.raises(UsageError, match="▸"):
        parse(text)

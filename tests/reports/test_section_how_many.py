"""How many references and topics: the section says what its commands say, and only where it can be seen."""

from dataclasses import replace

import pytest

from pyramidion.campaign import Campaign, Judgment, Summary
from pyramidion.options import ReportOptions
from pyramidion.present.section import Figure, Section
from pyramidion.reports.sections import MOST_SAMPLED_MEASURES, choose_sizes, make_how_many
from reports.sections_under_test import cells, context_of, records_of, table_of

HUMAN = "question.overall-responsiveness"


@pytest.fixture(scope="module")
def demo() -> Section:
    section = make_how_many(context_of("demo"))
    assert section is not None
    return section


def small(*, models: int, topics: int) -> Campaign:
    """Peers that say more and more of what the models say, and judgments that follow them."""
    words = ["a", "ferry", "burned", "off", "Kiel", "and", "nobody", "was", "hurt"]
    ids = [f"t{number}" for number in range(topics)]
    texts = {"v": 1, "w": 3, "x": 4, "y": 6, "z": 8}
    return Campaign(
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind=kind, text=f"{text} {topic}")  # type: ignore[arg-type]
            for place, topic in enumerate(ids)
            for who, kind, text in [
                *((f"M{model}", "model", " ".join(words[model:])) for model in range(models)),
                *((who, "peer", " ".join(words[: count + place % 2])) for who, count in texts.items()),
            ]
        ),
        judgments=tuple(
            Judgment(topic=topic, summarizer=who, question="overall", assessor="1", value=count // 2)
            for topic in ids
            for who, count in texts.items()
        ),
    )


@pytest.mark.parametrize("part", [0, 1])
def test_means_and_gains_are_those_of_the_command(demo: Section, part: int) -> None:
    inside = demo.parts[part]
    (command,) = inside.commands
    records = records_of(command)
    full = {one["measure"]: one["mean"] for one in records if one["record"] == "point" and one["kind"] == "actual"}
    gains = {one["measure"]: one for one in records if one["record"] == "gain"}
    table = table_of(demo, "gain", inside.id)
    assert cells(table, f"all {4 if part == 0 else 11}", by="measure") == full
    assert cells(table, "gain", by="measure") == {name: one["gain"] for name, one in gains.items()}
    enough = {name: one["least"] for name, one in gains.items()}
    if part == 1:  # of topics, more than half overlap too much to say how many
        enough = {name: "more than 5" if least and 5 < least < 11 else least for name, least in enough.items()}
    assert cells(table, "enough (within 0.01)", by="measure") == enough
    drawn = {one["k"]: one for one in records if (one["measure"], one.get("kind")) == ("rouge-2.recall", "drawn")}
    shown = cells(table_of(demo, "point", inside.id), "rouge-2.recall", by=inside.title.lower())
    assert shown["1"] == f"{drawn[1]['mean']:.4f} {drawn[1]['mark']}".strip()
    assert shown["2"] == f"{drawn[2]['mean']:.4f} {drawn[2]['mark']}".strip()


def test_the_answer_comes_first_and_says_what_the_fewest_and_all_give(demo: Section) -> None:
    references, enough, topics, _ = demo.sentences
    shown = table_of(demo, "gain", "how-many-references")
    one, all_four = (cells(shown, name, by="measure")["rouge-1.recall"] for name in ("1 reference", "all 4"))
    assert references.startswith(f"With 1 reference, rouge-1.recall correlates at {one:.2f} with {HUMAN} on average")
    assert references.endswith(f"with all 4, at {all_four:.2f}.")
    least = cells(shown, "enough (within 0.01)", by="measure")["rouge-1.recall"]
    assert f"{least} of 4 references:" in enough
    assert topics.startswith("With 1 topic, rouge-1.recall correlates")


def test_what_is_extrapolated_comes_with_its_interval(demo: Section) -> None:
    (sentence,) = (one for one in demo.parts[0].sentences if one.startswith("Extrapolated to 8 references"))
    shown = cells(table_of(demo, "point", "how-many-references"), "rouge-1.recall", by="references")["8 (extrapolated)"]
    lower, upper = shown.partition("[")[2].rstrip("]").split(", ")
    assert f"(95 % interval {lower} to {upper})" in sentence


def test_simulated_judgments_are_said(demo: Section) -> None:
    for part in demo.parts:
        assert f"Simulated judgments: {HUMAN}." in table_of(demo, "point", part.id).notes


def test_the_command_names_what_is_not_the_default() -> None:
    options = ReportOptions(confidence=90.0)
    section = make_how_many(context_of(small(models=2, topics=4), options=options, seed=7))
    assert section is not None
    for part in section.parts:
        assert "--confidence 90" in part.commands[0]
        assert part.commands[0].endswith("--seed 7")


def test_figures_have_words_for_every_curve(demo: Section) -> None:
    figures = [block for part in demo.parts for block in part.blocks if isinstance(block, Figure)]
    assert len(figures) == 2
    for figure in figures:
        assert figure.draw().to_svg().startswith("<svg")
        assert all(name in figure.alt for name in ("rouge-1.recall", "rouge-su4.recall", "pyramid.modified"))


def test_one_model_or_three_topics_say_nothing_of_how_many() -> None:
    assert make_how_many(context_of(small(models=1, topics=3))) is None
    few_models = make_how_many(context_of(small(models=1, topics=4)))
    few_topics = make_how_many(context_of(small(models=2, topics=3)))
    assert few_models is not None
    assert few_topics is not None
    assert [part.title for part in few_models.parts] == ["Topics"]
    assert [part.title for part in few_topics.parts] == ["References"]


def test_without_judgments_and_pyramids_there_is_no_section() -> None:
    assert make_how_many(context_of(replace(small(models=2, topics=4), judgments=()))) is None


def test_of_many_measures_one_of_each_kind_is_drawn_first_and_the_rest_is_named() -> None:
    many = ["rouge-1", "rouge-2", "rouge-3", "rouge-4.recall", "question"]
    section = make_how_many(context_of(small(models=2, topics=4), *many))
    assert section is not None
    shown = cells(table_of(section, "gain", "how-many-topics"), "gain", by="measure")
    assert {"rouge-1.recall", "rouge-2.recall", "rouge-3.recall", "rouge-4.recall"} < set(shown)
    assert len(shown) == MOST_SAMPLED_MEASURES
    assert any(
        note.startswith("Left out because there are more than 6") and "rouge-3.f" in note
        for note in section.parts[1].notes
    )


def test_measures_that_no_models_can_be_drawn_for_are_in_the_study_of_topics_alone() -> None:
    section = make_how_many(context_of("demo", "rouge-2.recall", "rouge-2(jackknife=yes).recall", "question.focus"))
    assert section is not None
    models, topics = section.parts
    assert "jackknife" not in models.commands[0]
    assert "jackknife" in topics.commands[0]
    assert any("jackknife" in note for note in models.notes)


@pytest.mark.parametrize(
    ("total", "sizes"), [(4, [1, 2, 3]), (11, [1, 2, 3, 4, 6, 8]), (1000, [2**n for n in range(10)])]
)
def test_numbers_of_topics_double_and_stay_below_all(total: int, sizes: list[int]) -> None:
    assert choose_sizes(total) == sizes

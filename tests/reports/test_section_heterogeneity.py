"""Heterogeneity: the section says what its command says, and is honest about HBR."""

import pytest

import pyramidion
from pyramidion.present.section import Figure, Section
from pyramidion.reports import sections
from pyramidion.reports.sections import make_heterogeneity
from reports.sections_under_test import cells, context_of, records_of, table_of


@pytest.fixture(scope="module")
def demo() -> Section:
    section = make_heterogeneity(context_of("demo"))
    assert section is not None
    return section


def test_rouge_is_there_by_recall_precision_and_f_though_the_table_has_recall_only(demo: Section) -> None:
    names = set(cells(table_of(demo, "auc"), "AUC", by="measure"))
    wanted = {f"rouge-{n}.{kind}" for n in ("1", "2", "l", "su4") for kind in ("recall", "precision", "f")}
    assert names == {"HBR", *wanted}


def test_values_are_those_of_the_command(demo: Section) -> None:
    (command,) = demo.commands
    aucs = [one for one in records_of(command) if one["record"] == "auc"]
    table = table_of(demo, "auc")
    shown = cells(table, "AUC", by="measure")
    firm = cells(table, "robustness (worst 10 %)", by="measure")
    for one in aucs:
        name = "HBR" if one["measure"].startswith("hbr") else one["measure"]
        assert shown[name] == one["auc"]
        assert firm[name] == one["robustness"]


def test_the_rank_of_hbr_is_said_as_it_is(demo: Section) -> None:
    table = table_of(demo, "auc")
    aucs = cells(table, "AUC", by="measure")
    better = sum(value > aucs["HBR"] for value in aucs.values())
    words = ("first", "second", "third", "fourth", "fifth")
    assert f"ranks {words[better]} of 13" in demo.sentences[0]
    assert f"AUC {aucs['HBR']:.3f}" in demo.sentences[0]
    assert max(aucs, key=lambda name: aucs[name]) in demo.sentences[0]


def test_nothing_is_said_of_robustness_on_too_few_topics(demo: Section) -> None:
    # 10 % of eleven topics, rounded up, are two.
    assert not any("does worst" in sentence for sentence in demo.sentences)


def test_the_heading_says_whether_the_combination_beats_its_best_measure(demo: Section) -> None:
    aucs = cells(table_of(demo, "auc"), "AUC", by="measure")
    best, auc = max(((name, value) for name, value in aucs.items() if name != "HBR"), key=lambda one: one[1])
    assert aucs["HBR"] < auc
    assert demo.finding == (
        f"Combining 12 measures (HBR) does not beat the best of them: AUC {aucs['HBR']:.3f}, {best} {auc:.3f}"
    )


def test_simulated_judgments_are_said(demo: Section) -> None:
    assert "Simulated judgments: question.overall-responsiveness." in table_of(demo, "auc").notes


def test_the_figure_has_words(demo: Section) -> None:
    (figure,) = (block for block in demo.blocks if isinstance(block, Figure))
    assert figure.draw().to_svg().startswith("<svg")
    assert "HBR" in figure.alt


def test_without_a_human_score_there_is_no_section() -> None:
    assert make_heterogeneity(context_of("demo", "rouge-1.recall", "rouge-2.recall")) is None


def test_too_many_pairs_are_left_to_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MOST_SUMMARY_PAIRS", 10)
    section = make_heterogeneity(context_of("demo", "question.focus", "rouge-1.recall"))
    assert section is not None
    # 11 topics, each with 20 · 19 ordered pairs of summaries.
    assert section.sentences[0].startswith("4,180 pairs")
    assert section.blocks == ()
    assert section.commands == ("pyramidion study heterogeneity demo --with question.focus",)


def test_scores_alone_are_enough_where_there_are_two_measures() -> None:
    scores = pyramidion.score("demo", ["rouge-1.recall", "rouge-2.f", "question.focus"])
    section = make_heterogeneity(context_of(scores))
    assert section is not None
    assert set(cells(table_of(section, "auc"), "AUC", by="measure")) == {"HBR", "rouge-1.recall", "rouge-2.f"}


def test_the_title_says_which_measure_agrees_best_and_where_hbr_stands(demo: Section) -> None:
    aucs = cells(table_of(demo, "auc"), "AUC", by="measure")
    best = max((name for name in aucs if name != "HBR"), key=lambda name: aucs[name])
    assert f"{max(aucs.values()):.3f}" in demo.finding
    assert f"{aucs['HBR']:.3f}" in demo.finding
    assert (best in demo.finding) == (aucs[best] > aucs["HBR"])

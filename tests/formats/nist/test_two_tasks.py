"""DUC 2007 has two tasks with different word limits, and its packages have judgments without texts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import pyramidion
from formats.nist.packages import GOLDEN, imported
from pyramidion.campaign import Campaign, Judgment, Problems, Summarizer, Summary, Topic, write_folder
from pyramidion.campaign.folder import read_folder
from pyramidion.errors import UsageError
from pyramidion.files.problems import Problem
from pyramidion.formats import find_format
from pyramidion.formats.nist.nist_pyramids import _join_kinds

pytestmark = pytest.mark.slow


def without(tmp_path: Path, *patterns: str) -> tuple[Campaign, Problems]:
    """The miniature of DUC 2007 without some of its files."""
    tree = tmp_path / "tree"
    shutil.copytree(GOLDEN / "duc2007" / "tree", tree)
    for pattern in patterns:
        for path in list(tree.glob(pattern)):
            shutil.rmtree(path)
    problems = Problems()
    return find_format("nist").read(tree, problems), problems


def test_each_task_has_its_word_limit() -> None:
    campaign, _ = imported("duc2007", "tree")
    assert campaign.word_limit is None
    limits = {topic.topic: campaign.word_limit_of(topic.topic) for topic in campaign.topics}
    assert limits == {"D0791": 250, "D0792": 250, "D0791-A": 100, "D0791-B": 100, "D0791-C": 100}
    facts = {row["what"]: row["value"] for row in pyramidion.Evaluation(campaign).describe().records()}
    assert facts["word limit"] == "100 (3 topics), 250 (2 topics)"


def test_a_task_whose_texts_are_not_there_keeps_its_own_limit(tmp_path: Path) -> None:
    """Without ROUGE's texts the names of annotations still say that the main task has 250 words."""
    campaign, _ = without(tmp_path, "mainEval/ROUGE/peers", "mainEval/ROUGE/models")
    assert campaign.word_limit is None
    assert {campaign.word_limit_of("D0791"), campaign.word_limit_of("D0791-A")} == {250, 100}


def test_texts_over_the_limit_are_found_task_by_task() -> None:
    topics = (
        Topic(topic="main", attributes={"word_limit": 4}),
        Topic(topic="update", attributes={"word_limit": 2}),
    )
    summaries = tuple(
        Summary(topic=topic.topic, summarizer="1", kind="peer", text=f"{topic.topic} has three") for topic in topics
    )
    campaign = Campaign(topics=topics, summaries=summaries)
    found = [problem for problem in pyramidion.check(campaign) if "over the word limit" in problem.found]
    assert [(problem.expected, "1 on update" in problem.found) for problem in found] == [("at most 2 words", True)]


def test_words_campaign_needs_one_limit() -> None:
    campaign, _ = imported("duc2007", "tree")
    with pytest.raises(UsageError, match=r"different word limits \(100, 250\)"):
        pyramidion.score(campaign, "rouge-2(words=campaign).recall")
    assert len(pyramidion.score(campaign, "rouge-2(words=campaign).recall", where={"task": "main"}))


def test_judgments_of_summaries_without_texts_are_kept(tmp_path: Path) -> None:
    whole, _ = imported("duc2007", "tree")
    campaign, problems = without(tmp_path, "mainEval/ROUGE/peers", "mainPyramidEval", "mainEval/BE/BEpeers")
    assert len(campaign.judgments) == len(whole.judgments)
    assert len(campaign.summaries) < len(whole.summaries)
    (remark,) = (remark for remark in problems.remarks if "were kept" in remark)
    assert "not in the package" in remark
    write_folder(campaign, tmp_path / "campaign")
    read_problems = Problems()
    again = read_folder(tmp_path / "campaign", read_problems)
    assert read_problems.errors == 0
    assert len(again.judgments) == len(whole.judgments)
    (warning,) = (problem for problem in read_problems if "not in summaries.jsonl" in problem.found)
    assert "judgments about summaries" in warning.found


def test_a_judgment_of_nobody_is_still_an_error(tmp_path: Path) -> None:
    campaign = Campaign(
        topics=(Topic(topic="t"),),
        summarizers={"1": Summarizer(), "2": Summarizer()},
        summaries=(Summary(topic="t", summarizer="1", kind="peer", text="x"),),
        judgments=tuple(Judgment(topic="t", summarizer=name, question="q", value=3) for name in ("1", "2", "22")),
    )
    write_folder(campaign, tmp_path)
    problems = Problems()
    read_folder(tmp_path, problems)
    assert problems.errors == 1
    found = [problem.found for problem in problems if "judgment" in problem.found]
    assert found == ["1 judgment about summaries that are not in summaries.jsonl"]


def test_what_is_odd_about_many_files_is_one_warning() -> None:
    def odd(number: int) -> Problem:
        return Problem(
            severity="warning",
            file=f"{number}.pan",
            line=3,
            field="uid",
            found=f"the uid {number} of 'x{number}'",
            expected="another",
            remedy="It was repaired.",
        )

    (joined,) = _join_kinds(map(odd, range(300)))
    assert (joined.found, joined.count) == ("the uid 0 of 'x0' (and the like in 299 more files)", 300)
    assert len(list(_join_kinds(map(odd, range(20))))) == 20

"""Nugget scores are those of AutoNuggetizer."""

from __future__ import annotations

import math

import pytest

import pyramidion
from pyramidion.campaign import Campaign, PeerAnnotation, Pyramid, Summary
from pyramidion.campaign.nouns import Importance, Match, Scu
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.nugget import STATISTICS, score_nuggets

IMPORTANCES: dict[str, Importance | None] = {"v": "vital", "o": "okay", "?": None}


def nuggets(kinds: str) -> Pyramid:
    """A list of nuggets: v vital, o okay, ? neither is said."""
    scus = [Scu(uid=uid, label=f"fact {uid}", importance=IMPORTANCES[kind]) for uid, kind in enumerate(kinds, start=1)]
    return Pyramid(topic="t", models=(), scus=tuple(scus), annotator="n")


def assigned(support: str, summarizer: str = "s") -> PeerAnnotation:
    """What an answer supports: + support, ~ partial support, - not."""
    matches = [Match(uid=uid, present=sign == "+", partial=sign == "~") for uid, sign in enumerate(support, start=1)]
    return PeerAnnotation(topic="t", summarizer=summarizer, scus=tuple(matches), annotator="n")


# Strict vital, vital, strict all, all: what calculate_nugget_scores of nuggetizer 0.0.6 returns for these lists.
# Weighted ones by hand, with okay nuggets weighing ½: (2 + ½·½)/(2 + 2·½) = 0.75 for the first.
PUBLISHED = {
    ("vvoo", "++~-"): (1.0, 1.0, 0.5, 0.625, 2 / 3, 0.75),
    ("vvvoo", "+~-+~"): (1 / 3, 0.5, 0.4, 0.6, 1.5 / 4, 2.25 / 4),
    ("vo", "--"): (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ("vvo?", "+-~+"): (0.5, 0.5, 0.5, 0.625, 1.5 / 3, 1.75 / 3),
}


@pytest.mark.parametrize(("kinds", "support"), PUBLISHED)
def test_scores_are_those_of_nuggetizer(kinds: str, support: str) -> None:
    assert score_nuggets(nuggets(kinds), assigned(support)) == pytest.approx(PUBLISHED[kinds, support])


def test_an_okay_nugget_weighs_what_the_option_says() -> None:
    pyramid, annotation = nuggets("vvvoo"), assigned("+~-+~")
    for okay, same in ((0.0, "vital"), (1.0, "all")):
        scores = dict(zip(STATISTICS, score_nuggets(pyramid, annotation, okay=okay), strict=True))
        assert scores["weighted-strict"] == scores[f"{same}-strict"]
        assert scores["weighted"] == scores[same]


def test_without_a_vital_nugget_there_is_no_vital_score() -> None:
    scores = dict(zip(STATISTICS, score_nuggets(nuggets("oo"), assigned("+-")), strict=True))
    assert math.isnan(scores["vital-strict"])
    assert scores["all-strict"] == 0.5


@pytest.fixture
def campaign() -> Campaign:
    summaries = [Summary(topic="t", summarizer=name, kind="peer", text=f"Answer of {name}.") for name in ("a", "b")]
    annotations = (assigned("++~-", "a"), assigned("+---", "b"))
    return Campaign(summaries=tuple(summaries), pyramids=(nuggets("vvoo"),), annotations=annotations)


def test_a_campaign_with_nuggets_is_scored_by_default(campaign: Campaign) -> None:
    table = pyramidion.score(campaign)
    assert set(table.measures) == {"nugget.vital-strict", "nugget.all-strict"}
    values = {(row["measure"], row["summarizer"]): row["value"] for row in table.to_polars().iter_rows(named=True)}
    assert values["nugget.vital-strict", "a"] == 1.0
    assert values["nugget.vital-strict", "b"] == 0.5


def test_an_answer_that_nobody_looked_at_has_no_score(campaign: Campaign) -> None:
    table = pyramidion.score(pyramidion.load(campaign), "nugget.all")
    assert len(table) == 2
    with pytest.raises(UsageError, match=r"okay=2\.0: expected a number from 0 to 1"):
        pyramidion.score(campaign, "nugget(okay=2).all")


def test_lists_of_nuggets_have_no_pyramid_scores(campaign: Campaign) -> None:
    with pytest.raises(InputError, match="lists of nuggets, without models; the measure `nugget` scores them"):
        pyramidion.pyramid.show(campaign)
    assert list(pyramidion.pyramid.check(campaign)) == []

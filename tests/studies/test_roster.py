"""Who is in a campaign, as an organiser wants to see it."""

from __future__ import annotations

from inline_snapshot import snapshot

import pyramidion
from pyramidion.campaign import Campaign, Judgment, Summarizer, Summary


def test_the_roster_has_everyone_who_wrote_or_was_declared_participants_first() -> None:
    def summary(topic: str, who: str, kind: str) -> Summary:
        return Summary(topic=topic, summarizer=who, kind=kind, text="x")  # type: ignore[arg-type]

    campaign = Campaign(
        summarizers={"1": Summarizer(kind="baseline"), "27": Summarizer(name="lcc.duc06", organisation="LCC"), "9": Summarizer()},
        summaries=(summary("D1", "A", "model"), summary("D1", "27", "peer"), summary("D2", "27", "peer"), summary("D1", "1", "peer")),
        judgments=tuple(
            Judgment(topic="D1", summarizer="27", assessor=who, question="focus", value=3) for who in ("x", "y")
        ),
    )  # fmt: skip
    found = pyramidion.Evaluation(campaign).describe(roster=True)
    assert list(found.records()) == snapshot(
        [
            {
                "record": "roster",
                "id": "27",
                "name": "lcc.duc06",
                "organisation": "LCC",
                "kind": "participant",
                "topics": 2,
                "judged": 1,
                "annotated": 0,
            },
            {
                "record": "roster",
                "id": "9",
                "name": "",
                "organisation": "",
                "kind": "participant",
                "topics": 0,
                "judged": 0,
                "annotated": 0,
            },
            {
                "record": "roster",
                "id": "1",
                "name": "",
                "organisation": "",
                "kind": "baseline",
                "topics": 1,
                "judged": 0,
                "annotated": 0,
            },
            {
                "record": "roster",
                "id": "A",
                "name": "",
                "organisation": "",
                "kind": "human",
                "topics": 1,
                "judged": 0,
                "annotated": 0,
            },
        ]
    )
    assert found.sentences() == snapshot(
        ["4 summarizers: 2 participants, 1 baseline, 1 human.", "Without any summary: 9."]
    )


def test_the_demo_has_its_roster() -> None:
    found = pyramidion.Evaluation("demo").describe(roster=True)
    kinds = found.to_polars()["kind"].value_counts().sort("kind").rows()
    assert kinds == [("baseline", 3), ("human", 4), ("participant", 17)]
    facts = {row["what"]: row["value"] for row in pyramidion.Evaluation("demo").describe().records()}
    assert (facts["references per topic"], facts["outputs per system"]) == (4, 11)

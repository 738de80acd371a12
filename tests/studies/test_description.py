"""What `describe` counts; the rows of Table 1 of Amigó, Gonzalo & Verdejo 2012 among them."""

from pyramidion.campaign import Campaign, Document, Judgment, Preference, Summary, Topic
from pyramidion.studies.description import describe


def test_assessed_systems_and_outputs_are_counted_apart_from_those_that_were_written() -> None:
    """Three systems write for two topics; one is judged on both, one is compared on one, one is never assessed."""
    peers = [Summary(topic=topic, summarizer=name, kind="peer", text="x") for topic in "tu" for name in "123"]
    models = [Summary(topic=topic, summarizer=name, kind="model", text="x") for topic in "tu" for name in "AB"]
    human_peer = Summary(topic="t", summarizer="A", kind="peer", text="x")
    campaign = Campaign(
        summaries=(*peers, *models, human_peer),
        judgments=(
            *(Judgment(topic=topic, summarizer="1", question="q", value=3) for topic in "tu"),
            Judgment(topic="t", summarizer="A", question="q", value=5),
        ),
        preferences=(Preference(topic="t", a="1", b="2", choice="a"),),
    )
    facts = {fact.what: fact.value for fact in describe(campaign).facts}
    assert (facts["systems"], facts["outputs of systems"], facts["outputs per system"]) == (3, 6, 2)
    assert (facts["assessed systems"], facts["assessed outputs of systems"]) == (2, 3)
    assert facts["assessed outputs per system"] == "1 to 2, median 2"


def test_background_documents_are_counted_apart() -> None:
    documents = tuple(Document(id=str(number), text="x") for number in range(5))
    campaign = Campaign(
        topics=(
            Topic(topic="t-A", documents=documents[:2]),
            Topic(topic="t-B", documents=documents[2:], background=documents[:2]),
        ),
        summaries=(Summary(topic="t-A", summarizer="1", kind="peer", text="x"),),
    )
    facts = {fact.what: fact.value for fact in describe(campaign).facts}
    assert (facts["documents"], facts["background documents"]) == (5, 2)
    assert "assessed systems" not in facts

"""Looking inside: which topics, which words, which SCUs; and that what is left out is said."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

import pyramidion
from pyramidion.campaign import (
    Campaign,
    Contributor,
    Document,
    Judgment,
    Match,
    PeerAnnotation,
    Preference,
    Pyramid,
    Scu,
    Summary,
    Topic,
    plain,
)
from pyramidion.errors import UsageError
from pyramidion.present import side_by_side
from pyramidion.present.scores import marked_texts
from pyramidion.present.section import Block, Section
from pyramidion.reports.sections import make_look_inside
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Table
from pyramidion.show.wording import visible
from pyramidion.studies.side_by_side import LONGEST, LONGEST_SOURCES, runs_of, spans_of, view_of
from reports.sections_under_test import context_of

MODEL = "A ferry burned off Kiel.\nNobody was hurt."
PEER = "The ferry burned quickly. Nobody was there."


def small(**more: Any) -> Campaign:
    texts = {"M": MODEL, "p": PEER, "q": "Rain fell."}
    campaign = Campaign(
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who == "M" else "peer", text=text)
            for topic in ("1", "2")
            for who, text in texts.items()
        )
    )
    return replace(campaign, **more)


def made(campaign: Campaign | str, *measures: str) -> tuple[Section, Any]:
    section = make_look_inside(context_of(campaign, *measures))
    assert section is not None
    (block,) = section.blocks
    assert isinstance(block, Block)
    return section, block.data


def marked(side: dict[str, Any], runs: list[int]) -> list[str]:
    return [side["text"][start:stop] for start, stop in spans_of(runs)]


def test_words_of_shared_bigrams_are_marked_in_both_texts() -> None:
    _, data = made(small(), "rouge-2.recall")
    topic = data["topics"][0]
    peer = next(one for one in topic["peers"] if one["name"] == "p")
    assert data["measure"] == "rouge-2"
    # By hand: "ferry burned" and "nobody was" stand in both; two sentences are two stretches.
    assert marked(peer, peer["matched"][0]) == ["ferry burned", "Nobody was"]
    assert marked(topic["models"][0], peer["matching"][0]) == ["ferry burned", "Nobody was"]


def test_marks_are_those_of_the_command_look() -> None:
    _, data = made("demo", "rouge-2.recall", "question.overall-responsiveness")
    campaign = pyramidion.load("demo")
    from pyramidion.measures.registry import select
    from pyramidion.measures.rouge import Rouge

    rouge = select("rouge-2").measure
    assert isinstance(rouge, Rouge)
    topic = data["topics"][2]
    given = campaign.topic(topic["id"])
    for peer in topic["peers"][:5]:
        summary = next(one for one in given.peers if one.summarizer == peer["name"].rpartition("(")[2][:-1])
        for model, runs in zip(given.models, peer["matched"], strict=True):
            places = {place for start, stop in spans_of(runs) for place in range(start, stop)}
            for token in rouge.look(summary.text, model.text).peer:
                assert (token.start in places) == token.matched
                assert plain(summary.text)[token.start : token.end].lower() == token.surface


def test_scus_are_marked_where_annotators_marked_them_and_listed_by_weight() -> None:
    scus = (
        Scu(uid=7, label="nobody was hurt", contributors=(Contributor(model="M", parts=((25, 40),)),)),
        Scu(
            uid=3,
            label="a ferry burned",
            contributors=(Contributor(model="M", parts=((0, 14),)), Contributor(model="N", parts=((0, 3),))),
        ),
    )
    matches = (Match(uid=3, contributors=(((4, 16),),)), Match(uid=7, present=False))
    campaign = small(
        pyramids=(Pyramid(topic="1", models=("M", "N"), scus=scus, annotator="x"),),
        annotations=(PeerAnnotation(topic="1", summarizer="p", annotator="x", scus=matches),),
    )
    _, data = made(campaign, "rouge-2.recall")
    topic = next(one for one in data["topics"] if one["id"] == "1")
    assert topic["scus"] == [[2, "a ferry burned"], [1, "nobody was hurt"]]
    (model,) = topic["models"]
    assert [(at, marked(model, runs)) for at, runs in model["scus"]] == [
        (0, ["A ferry burned"]),
        (1, ["Nobody was hurt"]),
    ]
    peer = next(at for at, one in enumerate(topic["peers"]) if one["name"] == "p")
    view = view_of(topic, [peer])
    assert [scu["in"] for scu in view["scus"]] == [[True], [False]]
    pieces = view["peers"][0]["pieces"]
    assert "".join(piece["text"] for piece in pieces) == PEER
    assert [piece["text"] for piece in pieces if piece["scus"]] == ["ferry burned"]
    assert [piece["level"] for piece in pieces if piece["scus"]] == [1]


def test_a_topic_has_its_scores_and_what_is_missing_is_none() -> None:
    from pyramidion.campaign import Judgment

    judged = (
        Judgment(topic="1", summarizer="p", question="overall", value=4),
        Judgment(topic="2", summarizer="q", question="overall", value=2),
    )
    _, data = made(small(judgments=judged), "rouge-1.recall", "question.overall")
    assert [name for name, _ in data["measures"]] == ["rouge-1.recall", "question.overall"]
    topic = next(one for one in data["topics"] if one["id"] == "1")
    scores = {one["name"]: one["scores"] for one in topic["peers"]}
    assert scores["p"] == [0.5, 4.0]  # 4 of the model's 8 words: ferry, burned, nobody, was
    assert scores["q"] == [0.0, None]


def test_the_difference_of_two_ratings_is_that_of_the_exact_means() -> None:
    from pyramidion.campaign import Judgment

    answers = {"p": (4, 4, 5), "q": (1, 2, 2)}
    judged = tuple(
        Judgment(topic="1", summarizer=who, assessor=str(number), question="overall", value=value)
        for who, values in answers.items()
        for number, value in enumerate(values)
    )
    _, data = made(small(judgments=judged), "question.overall")
    scores = {one["name"]: one["scores"][0] for one in data["topics"][0]["peers"]}
    assert f"{scores['p'] - scores['q']:.2f}" == "2.67"  # 13/3 − 5/3, not 4.33 − 1.67


def test_a_long_text_is_cut_with_a_note() -> None:
    long = small()
    endless = tuple(replace_text(one, "ferry " * 5000) if one.summarizer == "q" else one for one in long.summaries)
    section, data = made(replace(long, summaries=endless), "rouge-1.recall")
    cut = next(one for one in data["topics"][0]["peers"] if one["name"] == "q")
    assert len(cut["text"]) == LONGEST
    assert cut["words"] == 5000
    assert section.notes == snapshot(("Texts are cut off after 10,000 characters.",))


def replace_text(summary: Summary, text: str) -> Summary:
    return Summary(topic=summary.topic, summarizer=summary.summarizer, kind=summary.kind, text=text)


def test_topics_beyond_the_limit_are_left_out_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "MOST_BYTES", 100_000)
    section, data = made("demo")
    assert 1 <= len(data["topics"]) < 11
    assert len(json.dumps(data["topics"], ensure_ascii=False).encode()) < 130_000
    assert any(f"Showing the {len(data['topics'])} of 11 topics" in note for note in section.notes)


def test_without_summaries_there_is_no_section_and_without_models_nothing_is_marked() -> None:
    from pyramidion.scores import Score, ScoreTable

    imported = ScoreTable.of(
        Score(measure="judge", topic=topic, summarizer=who, value=value)
        for topic in "12"
        for who, value in (("p", 1.0), ("q", 2.0))
    )
    assert make_look_inside(context_of(Campaign(imported=imported))) is None
    peers = tuple(one for one in small().summaries if one.kind == "peer")
    section, data = made(Campaign(imported=imported, summaries=peers))
    assert data["topics"][0]["models"] == []
    assert not any("Shaded" in sentence for sentence in section.sentences)


def test_the_demo_has_every_topic_inside_and_names_the_commands() -> None:
    section, data = made("demo")
    assert len(data["topics"]) == 11
    assert all(len(topic["peers"]) == 20 and len(topic["models"]) == 4 for topic in data["topics"])
    assert any(command.startswith("pyramidion look demo -m rouge-2 ") for command in section.commands)
    assert any("simulated" in note for note in section.notes)


spans = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda pair: tuple(sorted(pair))), max_size=8)


@given(spans, st.integers(1, 60))
def test_runs_cover_exactly_what_the_spans_cover(given_spans: list[tuple[int, int]], end: int) -> None:
    covered = {place for start, stop in given_spans for place in range(start, min(stop, end))}
    found = [place for start, stop in spans_of(runs_of(given_spans, end=end)) for place in range(start, stop)]
    assert found == sorted(covered)


@given(st.text())
def test_what_is_made_visible_keeps_every_place(text: str) -> None:
    seen = visible(text)
    assert len(seen) == len(text)
    assert not any(mark in seen for mark in "\x00\x1b\u202e\u2066")
    assert visible(seen) == seen


def test_what_scripts_need_stays() -> None:
    for needed in ("می\u200cخواهم", "a\u00a0b", "line\nline\ttab", "👩\u200d👧", "שלום\u200f!"):
        assert visible(needed) == needed


def test_the_data_in_the_page_is_what_was_made(tmp_path: Path) -> None:
    text = "</script><img src=x onerror=alert(1)>\u202e\u00a0& <b>"
    rows = [
        {"topic": topic, "summarizer": who, "summary": text, "references": [text]}
        for topic in ("1", "2")
        for who in ("p", "q")
    ]
    page = pyramidion.report(rows, tmp_path / "report.html", ["rouge-1.recall"]).read_text("utf-8")
    start = page.index('id="look-inside-view-data">') + len('id="look-inside-view-data">')
    data = json.loads(page[start : page.index("</script>", start)])
    assert data["topics"][0]["peers"][0]["text"] == visible(text)
    assert "<img" not in page


@pytest.mark.filterwarnings("ignore::pyramidion.measures.base.MeasureWarning")
@pytest.mark.parametrize("text", ["", "...", "天气很好。", "😀 🎉", ("",), ()])
@pytest.mark.parametrize("emptied", ["p", "M", "everybody"])
def test_texts_without_words_have_no_marks_and_the_page_is_written(
    text: str | tuple[str, ...], emptied: str, tmp_path: Path
) -> None:
    changed = tuple(
        Summary(topic=one.topic, summarizer=one.summarizer, kind=one.kind, text=text)
        if one.topic == "1" and emptied in (one.summarizer, "everybody")
        else one
        for one in small().summaries
    )
    campaign = small(summaries=changed)
    if text == "天气很好。" and emptied != "p":  # references that the default tokens can't read are an error
        with pytest.raises(UsageError, match="tokens=unicode"):
            pyramidion.report(campaign, tmp_path / "r.html")
        return
    _, data = made(campaign, "rouge-2.recall")
    topic = next(one for one in data["topics"] if one["id"] == "1")
    assert [peer["matched"] for peer in topic["peers"]] == [[[]], [[]]]
    assert [peer["matching"] for peer in topic["peers"]] == [[[]], [[]]]
    assert "Summaries side by side" in pyramidion.report(campaign, tmp_path / "r.html").read_text(encoding="utf-8")
    looked = Evaluation(campaign).look("1", "p")
    assert not any(token.matched for _, matches in looked.references for token in (*matches.peer, *matches.model))
    assert [side.strip() for _, *sides in marked_texts(looked) for side in sides] == [
        plain(one.text).strip() for who in ("p", "M") for one in changed if (one.topic, one.summarizer) == ("1", who)
    ]


@pytest.mark.filterwarnings("ignore::pyramidion.files.problems.CampaignWarning")
def test_a_table_with_an_empty_summary_has_a_report(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    rows = [
        "topic,system,summary,reference",
        "1,a,A ferry burned.,A ferry burned off Kiel.",
        "1,b,,A ferry burned off Kiel.",
    ]
    table.write_text("\n".join(rows), encoding="utf-8")
    assert pyramidion.report(table, tmp_path / "r.html").exists()


def test_source_reasons_and_every_topic_stand_next_to_the_texts() -> None:
    topics = [
        Topic(topic="1", documents=(Document(id="d", text="A ferry burned off Kiel on Monday."),)),
        Topic(topic="2", documents=tuple(Document(id=str(place), text="x" * 5_000) for place in range(4))),
    ]
    values = {("1", "p"): 4, ("1", "q"): 2, ("2", "p"): 1, ("2", "q"): 5}
    judgments = [
        Judgment(
            topic=topic, summarizer=who, question="overall", assessor="gpt-4o", value=value, comment=f"{value} points"
        )
        for (topic, who), value in values.items()
    ]
    preference = Preference(topic="1", a="q", b="p", choice="b", assessor="Ann", reason="It names the place.")
    campaign = small(topics=tuple(topics), judgments=tuple(judgments), preferences=(preference,))
    section, data = made(campaign, "rouge-2.recall", "question.overall")
    first, second = data["topics"]
    assert first["source"] == {
        "text": "A ferry burned off Kiel on Monday.", "documents": 1, "words": 7, "cut": False
    }  # fmt: skip
    assert second["source"]["cut"]
    assert len(second["source"]["text"]) == LONGEST_SOURCES + 3 * len("\n\n")
    reasons = {peer["name"]: peer["reasons"] for peer in first["peers"]}
    assert reasons["q"] == [["gpt-4o, overall, 2", "2 points"]]
    assert reasons["p"] == [["gpt-4o, overall, 4", "4 points"], ["Ann, preferred to q", "It names the place."]]
    (every,) = section.parts
    (table,) = every.blocks
    assert every.sentences == ("p is better on 1 of 2 topics, q on 1.",)
    assert isinstance(table, Table)
    assert [list(row) for row in table.rows] == [["1", "p", 4.0, 2.0, 2.0, 5], ["2", "q", 1.0, 5.0, -4.0, 5]]

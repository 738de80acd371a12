"""Model-free measures as a user meets them: names, options, update inputs, and what is said when values are missing."""

from __future__ import annotations

import json
import math
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import Campaign, Document, Summary, Topic
from pyramidion.campaign.nouns import Text
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.measures import backgrounds
from pyramidion.measures.base import MeasureWarning
from pyramidion.measures.model_free import ModelFree
from pyramidion.measures.registry import select
from pyramidion.measures.topic_words import topic_signatures
from pyramidion.text.inputs import FEATURES

OLD = "The flood took the bridge. The flood took boats, and residents left their houses."
NEW = "Engineers repair the bridge. Insurance pays for houses after the flood."
ABOUT_OLD = "A flood took boats and the bridge."
ABOUT_NEW = "Engineers repair the bridge; insurance pays."


@pytest.fixture
def tables(tmp_path: Path) -> str:
    """A small background with document frequencies, so that nothing has to be installed."""
    words = {"flood": (20, 10), "bridge": (40, 30), "house": (300, 200), "of": (90_000, 900), "market": (99_550, 950)}
    lines = [f"{word}\t{count}\t{df}" for word, (count, df) in words.items()]
    path = tmp_path / "background.tsv"
    path.write_text("\n".join(["# documents: 1,000", *lines]), encoding="utf-8")
    return str(path)


def campaign(
    summaries: dict[str, Text], documents: Sequence[Text] = (OLD, NEW), background: Sequence[Text] = ()
) -> Campaign:
    def of(texts: Sequence[Text]) -> tuple[Document, ...]:
        return tuple(Document(id=str(number), text=text) for number, text in enumerate(texts))

    return Campaign(
        topics=(Topic(topic="T", documents=of(documents), background=of(background)),),
        summaries=tuple(
            Summary(topic="T", summarizer=summarizer, kind="peer", text=text) for summarizer, text in summaries.items()
        ),
    )


def values(data: Campaign, name: str) -> dict[str, float]:
    table = pyramidion.score(data, name)
    return {str(who): value for _, _, who, value, _ in table.frame.iter_rows()}


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("feature", FEATURES)
def test_a_name_has_no_statistic_and_parses_back(feature: str) -> None:
    name = f"{feature}(preset=simetrix,stem=no,ngram=2,input=average,background=a.tsv,idf=b.tsv,stop=none)"
    selection = select(name)
    assert selection.name == name == selection.measure.name("")
    assert select(feature).measure == ModelFree(feature=feature)
    with pytest.raises(UsageError, match="has one value and no statistics"):
        select(f"{feature}.value")


def test_divergences_are_better_when_low() -> None:
    low = {feature for feature in FEATURES if not ModelFree(feature=feature).higher_is_better}
    assert low == {"kl-input-summary", "kl-summary-input", "js", "js-smoothed"}
    table = pyramidion.score(campaign({"good": OLD, "bad": "A court met."}), ["js", "unigram-probability"])
    assert table.higher_is_better == {"js": False, "unigram-probability": True}
    best = {one.measure: one.summarizer for one in pyramidion.compare(table).standings if one.rank == 1}
    assert best["js"] == "good"


def test_a_score_table_that_was_written_keeps_name_and_direction(tmp_path: Path) -> None:
    from pyramidion.scores import read_scores, write_scores

    write_scores(pyramidion.score(campaign({"1": OLD}), "js(stem=no)"), tmp_path / "scores.parquet")
    assert read_scores(tmp_path / "scores.parquet").higher_is_better == {"js(stem=no)": False}
    assert pyramidion.score(tmp_path / "scores.parquet").higher_is_better == {"js(stem=no)": False}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("js(smoothing=1)", "js: smoothing= has no effect here"),
        ("js(unseen=skip)", "js: unseen= has no effect here"),
        ("unigram-probability(unseen=skip,smoothing=1)", "smoothing= has no effect here; add unseen=smooth"),
        ("cosine(logarithm=2)", "cosine: logarithm= has no effect here"),
        ("js(cutoff=3)", "js: cutoff= has no effect here"),
        ("cosine(direction=any)", "cosine: direction= has no effect here"),
        ("js(ngram=0)", "js: ngram=0: expected 1"),
        ("js-smoothed(smoothing=-1)", "js-smoothed: smoothing=-1.0: expected a number above 0"),
        ("js(preset=tool)", "expected one of paper, simetrix"),
        ("js(jackknife=yes)", "can't be jackknifed"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        select(name)


def test_the_signature_tells_what_the_preset_means_and_which_background_was_used(tables: str) -> None:
    measure = ModelFree(feature="topic-share", background=tables, preset="simetrix")
    parts = dict(part.split(":", 1) for part in measure.signature("", models=0, seed=0).split("|")[1:])
    assert parts["cutoff"] == repr(10 * math.log(10))
    assert parts["direction"] == "any"
    assert parts["smoothing"] == parts["logarithm"] == ""  # no bearing on topic words
    assert parts["background-name"] == "background.tsv"
    assert parts["background-size"] == "189910"  # with the stop word of, as the tool counts it
    of_paper = ModelFree(feature="topic-share", background=tables).signature("", models=0, seed=0)
    assert "|background-size:99910|" in of_paper  # without it
    assert parts["background-documents"] == "1000"
    assert len(parts["background-hash"]) == 12
    divergence = ModelFree(feature="kl-input-summary", background=tables).signature("", models=0, seed=0)
    assert "|smoothing:0.0005|" in divergence
    assert "|logarithm:2|" in divergence
    assert "background-hash" not in divergence
    assert "nmodels" not in divergence


# --- options ---------------------------------------------------------------------------------------------------------


def test_presets_are_short_for_their_options() -> None:
    data = campaign({"1": ABOUT_OLD, "2": ABOUT_NEW})
    spelt_out = "kl-summary-input(smoothing=0.005,logarithm=e,rounding=simetrix)"
    assert values(data, "kl-summary-input(preset=simetrix)") == values(data, spelt_out)
    in_nats = values(data, "js(logarithm=e)")
    assert values(data, "js") == pytest.approx({who: value / math.log(2) for who, value in in_nats.items()})


def test_simetrix_rounds_to_what_the_tool_prints() -> None:
    [rounded] = values(campaign({"1": ABOUT_OLD}), "js(preset=simetrix)").values()
    [exact] = values(campaign({"1": ABOUT_OLD}), "js(preset=simetrix,rounding=none)").values()
    assert rounded == round(exact, 5) != exact


def test_stems_stop_words_and_pairs_change_what_is_a_word(tmp_path: Path) -> None:
    data = campaign({"1": "Floods of houses"}, ["the flood of the house"])
    assert values(data, "js")["1"] == pytest.approx(0, abs=1e-12)
    assert values(data, "js(stem=no)")["1"] == pytest.approx(1)
    assert values(data, "js(stop=none)")["1"] > 0
    (tmp_path / "stop.txt").write_text("The\nof\nflood\nfloods\n", encoding="utf-8")
    assert values(campaign({"1": "houses"}, ["the flood of the house"]), f"js(stop={tmp_path / 'stop.txt'})")[
        "1"
    ] == pytest.approx(0, abs=1e-12)
    assert values(data, "js(ngram=2)")["1"] == pytest.approx(0, abs=1e-12)


def test_update_inputs_are_the_documents_the_background_or_their_mean() -> None:
    data = campaign({"old": ABOUT_OLD, "new": ABOUT_NEW}, documents=[NEW], background=[OLD])
    new, old, mean = (values(data, f"js(input={which})") for which in ("documents", "background", "average"))
    assert new == values(campaign({"old": ABOUT_OLD, "new": ABOUT_NEW}, documents=[NEW]), "js")
    assert old == values(campaign({"old": ABOUT_OLD, "new": ABOUT_NEW}, documents=[OLD]), "js")
    assert mean == pytest.approx({who: (new[who] + old[who]) / 2 for who in new})
    assert new["new"] < new["old"]
    assert old["old"] < old["new"]


def test_topics_without_background_documents_get_no_value_from_them() -> None:
    names = ["js", "js(input=average)", "js(input=background)"]
    table = pyramidion.score(campaign({"1": ABOUT_OLD, "2": ABOUT_NEW}), names)
    assert table.measures == ("js",)
    assert table.unscored == {"js(input=average)": 2, "js(input=background)": 2}


def test_direction_any_takes_words_that_the_input_has_too_rarely(tables: str) -> None:
    # The background is nearly all market, which the input has but once.
    text = " ".join(["flood"] * 60 + ["river"] * 39 + ["market"])
    words = {direction: topic_signatures(text, background=tables, direction=direction) for direction in ("over", "any")}
    assert [word.word for word in words["over"]] == ["flood", "river"]
    assert {word.word for word in words["any"]} == {"flood", "river", "market"}


def test_topic_signatures_come_with_their_counts_the_strongest_first(tables: str) -> None:
    found = topic_signatures([OLD, ("The flood.", "No bridge.")], background=tables)
    assert [(word.word, word.count, word.background) for word in found[:1]] == [("flood", 3, 20.0)]
    statistics = [word.statistic for word in found]
    assert statistics == sorted(statistics, reverse=True)
    assert min(statistics) > 10.83
    assert topic_signatures("", background=tables) == []


def test_topic_words_of_pairs_need_a_background_of_pairs(tables: str, tmp_path: Path) -> None:
    data = campaign({"1": ABOUT_OLD})
    with pytest.raises(UsageError, match="need a background that counts pairs"):
        pyramidion.score(data, f"topic-share(ngram=2,background={tables})")
    (tmp_path / "pairs.tsv").write_text("flood bridge\t1\nbank houses\t2000000\nflood\t5\n", encoding="utf-8")
    share = values(data, f"topic-share(ngram=2,background={tmp_path / 'pairs.tsv'})")
    assert 0 < share["1"] <= 1


def test_measures_that_read_alike_are_scored_in_one_pass_and_alike(tables: str) -> None:
    data = campaign({"1": ABOUT_OLD, "2": ABOUT_NEW, "3": "flood"}, background=[OLD])
    names = [
        f"{feature}({options}background={tables})"
        for feature in FEATURES
        for options in ("", "preset=simetrix,", "input=average,", "stem=no,", "ngram=2,")
        if not (feature.startswith("topic") and options == "ngram=2,")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MeasureWarning)
        together = pyramidion.score(data, names)
        for name in names:
            alone = pyramidion.score(data, name)
            assert np.array_equal(alone.matrix(name).values, together.matrix(name).values, equal_nan=True)


def test_evidence_of_one_topic_is_that_of_the_batch() -> None:
    [topic] = campaign({"1": ABOUT_OLD, "2": ABOUT_NEW}).each_topic()
    evidence = ModelFree(feature="js").evidence(topic)
    assert evidence is not None
    assert evidence.peers == ("1", "2")
    assert evidence.values(np.ones((1, 0), dtype=np.bool_))[0, :, 0] == pytest.approx(
        list(values(campaign({"1": ABOUT_OLD, "2": ABOUT_NEW}), "js").values())
    )


def test_humans_are_scored_beside_the_input_like_everyone() -> None:
    data = pyramidion.load("demo")
    table = pyramidion.score(data, "js", peers="all")
    assert len(table) == len(data.summaries)


# --- what is said ----------------------------------------------------------------------------------------------------


def test_words_that_the_input_lacks_are_counted_over_all_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramidion.engines import local

    monkeypatch.setattr(local, "GROUP_PEERS", 1)  # a group for each topic
    topics = tuple(Topic(topic=id, documents=(Document(id="1", text=OLD),)) for id in ("A", "B"))
    summaries = tuple(
        Summary(topic=id, summarizer="1", kind="peer", text="flood court jury verdict") for id in ("A", "B")
    )
    table = pyramidion.score(
        Campaign(topics=topics, summaries=summaries), ["unigram-probability(preset=simetrix)", "js"]
    )
    (note,) = table.notes.values()
    assert note == "skipped 6 words that the source documents do not have"


@pytest.mark.parametrize(
    ("input", "note"),
    [
        # flood is in the documents, court in the background, jury in neither
        ("documents", "skipped 2 words that the source documents do not have"),
        ("background", "skipped 3 words that the background documents do not have"),
        (
            "average",
            "skipped 5 words that the source or the background documents do not have (both comparisons counted)",
        ),
    ],
)
def test_skipped_words_are_those_that_the_input_lacks(input: str, note: str) -> None:
    data = campaign({"1": "flood flood court jury"}, documents=[OLD], background=["The court met."])
    table = pyramidion.score(data, f"unigram-probability(input={input},unseen=skip)")
    assert list(table.notes.values()) == [note]
    assert not pyramidion.score(data, f"unigram-probability(input={input})").notes


def test_an_off_topic_summary_has_the_highest_probability_where_unseen_words_are_skipped() -> None:
    """As in SIMetrix (spec: document it): nothing is more probable than saying nothing."""
    data = campaign({"on": ABOUT_OLD, "off": "The jury met in court."})
    found = values(data, "unigram-probability(preset=simetrix)")
    assert found["off"] == 0 > found["on"]


def test_the_paper_smooths_words_that_the_input_lacks() -> None:
    """Equation 2 of Louis & Nenkova 2009 in plain arithmetic: p = (c + δ) / (N + δ·1.5·|V|), δ = .0005.

    The input has flood twice and bridge once, so N = 3 and |V| = 2; the summary has flood twice and jury once.
    """
    data = campaign({"1": "flood flood jury"}, documents=["flood flood bridge"])
    denominator = 3 + 0.0005 * 1.5 * 2
    expected = 2 * math.log10(2.0005 / denominator) + math.log10(0.0005 / denominator)
    assert values(data, "unigram-probability")["1"] == pytest.approx(expected, rel=1e-12)
    assert values(data, "multinomial-probability")["1"] == pytest.approx(expected + math.log10(3), rel=1e-12)
    coarser = 2 * math.log10(2.5 / 4.5) + math.log10(0.5 / 4.5)
    assert values(data, "unigram-probability(smoothing=0.5)")["1"] == pytest.approx(coarser, rel=1e-12)


@pytest.mark.parametrize("text", ["Boats sank.", ("Boats sank.",)])
def test_the_paper_reads_headlines_and_simetrix_does_not(text: Text) -> None:
    def score_with(headline: str, text: Text, name: str) -> float:
        document = Document(id="1", headline=headline, text=text)
        peer = Summary(topic="T", summarizer="1", kind="peer", text="flood boats")
        data = Campaign(topics=(Topic(topic="T", documents=(document,)),), summaries=(peer,))
        return values(data, name)["1"]

    joined = score_with("", "Flood in town. Boats sank.", "js(headlines=no)")
    without = score_with("", text, "js")
    assert score_with("Flood in town", text, "js") == pytest.approx(joined, rel=1e-12)
    assert score_with("Flood in town", text, "js(headlines=no)") == pytest.approx(without, rel=1e-12)
    tool = score_with("Flood in town", text, "js(preset=simetrix)")
    assert tool == score_with("", text, "js(preset=simetrix)")
    assert "|headlines:yes|" in pyramidion.score("demo", "js").signatures("js")[0]


def test_a_topic_without_documents_has_no_value() -> None:
    table = pyramidion.score(campaign({"1": ABOUT_OLD}, documents=[]), list(FEATURES[:4]))
    assert len(table) == 0
    assert table.unscored == dict.fromkeys(FEATURES[:4], 1)


@pytest.mark.parametrize("document", ["", "of the and", "…", "Наводнение"])
def test_an_input_without_words_has_no_value_and_says_so(document: str) -> None:
    with pytest.warns(MeasureWarning) as said:
        table = pyramidion.score(campaign({"1": ABOUT_OLD}, documents=[document]), "js(tokens=ascii)")
    assert len(table) == 0
    assert table.unscored == {"js": 1}
    assert any("some inputs have only stop words" in str(one.message) for one in said)


@pytest.mark.parametrize("summary", ["", "of the and", "!?"])
def test_a_summary_without_words_is_scored_as_simetrix_does_and_says_so(summary: str) -> None:
    with pytest.warns(MeasureWarning, match="some summaries have only stop words"):
        table = pyramidion.score(campaign({"1": (summary,)}), ["js", "kl-input-summary", "multinomial-probability"])
    found = {str(measure): value for measure, _, _, value, _ in table.frame.iter_rows()}
    assert found["js"] == pytest.approx(0.5)
    assert math.isfinite(found["kl-input-summary"])
    assert found["multinomial-probability"] == 0


def test_an_input_without_topic_words_has_no_coverage_and_says_so(tables: str) -> None:
    names = [f"topic-{what}(background={tables},cutoff=1000.0)" for what in ("share", "coverage", "cosine")]
    with pytest.warns(MeasureWarning, match="some inputs have no topic words"):
        table = pyramidion.score(campaign({"1": ABOUT_OLD}), names)
    assert table.measures == (names[0],)  # no word of the summary is a topic word: that is 0
    assert table.frame["value"].to_list() == [0]
    as_tool = [name.replace("(", "(preset=simetrix,") for name in names]
    with pytest.warns(MeasureWarning, match="get 0, as in SIMetrix, for topic-co"):
        table = pyramidion.score(campaign({"1": ABOUT_OLD}), as_tool)
    assert table.frame["value"].to_list() == [0, 0, 0]  # SIMetrix returns 0 before it divides by their number


@pytest.mark.filterwarnings("ignore:some ")  # said before, of texts that are mostly lost
def test_texts_of_another_script_are_refused() -> None:
    data = campaign({"1": "Наводнение разрушило мост"}, ["Наводнение разрушило мост через реку"])
    with pytest.raises(UsageError, match=re.escape("as in js(tokens=unicode); js(tokens=ascii) scores them as they")):
        pyramidion.score(data, "js")


def test_texts_of_another_script_are_not_lost_silently() -> None:
    data = campaign({"1": "Наводнение разрушило мост"}, ["Наводнение разрушило мост через реку"])
    with pytest.warns(MeasureWarning) as said:
        pyramidion.score(data, "js(tokens=ascii)")
    assert any("tokens=unicode reads every script" in str(one.message) for one in said)
    assert 0 < values(data, "js(tokens=unicode)")["1"] < 1


def test_accents_and_typographic_quotes_are_no_reason_to_warn() -> None:
    data = campaign({"1": "The café “Zoë” took the bridge – naïve."}, [OLD + " “Élan”, they said …"])
    assert values(data, "js")["1"] > 0


@pytest.mark.parametrize("text", ["\ud800 flood", "flood\x00bridge", "İ K flood", "\u200d", "flood " * 10_000])
def test_strange_texts_have_finite_values(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MeasureWarning)
        found = values(campaign({"1": text}), "js")
    assert 0 <= found["1"] <= 1


# --- backgrounds that are not there ----------------------------------------------------------------------------------


@pytest.fixture
def no_wordfreq(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    backgrounds._wordfreq.cache_clear()
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    yield
    backgrounds._wordfreq.cache_clear()


@pytest.mark.usefixtures("no_wordfreq")
def test_without_wordfreq_only_what_needs_a_background_asks_for_it(tables: str, tmp_path: Path) -> None:
    data = campaign({"1": ABOUT_OLD})
    for feature in FEATURES:
        if feature in ("cosine", "topic-share", "topic-coverage", "topic-cosine"):
            with pytest.raises(MissingExtraError, match=r"pip install 'pyramidion-eval\[background\]'"):
                pyramidion.score(data, feature)
            assert len(pyramidion.score(data, f"{feature}(background={tables})")) == 1
        else:
            assert len(pyramidion.score(data, feature)) == 1
    (tmp_path / "idf.tsv").write_text("flood\t3.5\n", encoding="utf-8")
    assert 0 < values(data, f"cosine(idf={tmp_path / 'idf.tsv'})")["1"] <= 1


def test_the_command_line_gives_golden_values_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`sim-08-bank`, system gist, of SIMetrix with its own data: KLInputSummary 1.47494, unsmoothedJSD 0.24479."""
    from pyramidion.cli import main

    golden = Path(__file__).parents[1] / "golden" / "model_free" / "simetrix_inputs.jsonl"
    inputs = map(json.loads, golden.read_text(encoding="utf-8").splitlines())
    one = next(found for found in inputs if found["id"] == "sim-08-bank")
    documents = [document["text"] for document in one["docs"]]
    [gist] = [summary["text"] for summary in one["summaries"] if summary["system"] == "gist"]
    row: dict[str, Any] = {"topic": "bank", "summarizer": "gist", "summary": gist, "documents": documents}
    (tmp_path / "data.jsonl").write_text(json.dumps(row), encoding="utf-8")
    names = ["kl-input-summary(preset=simetrix)", "js(preset=simetrix)"]
    data = str(tmp_path / "data.jsonl")
    monkeypatch.setattr(sys, "argv", ["pyramidion", "score", data, "-m", names[0], "-m", names[1], "--format", "json"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {record["measure"]: record["value"] for record in records} == {names[0]: 1.47494, names[1]: 0.24479}


def test_a_line_without_words_is_one_empty_word_for_simetrix_alone() -> None:
    """SIMetrix counts such a line as an empty word, so that the input has three words and not two."""
    campaigns = [
        Campaign(
            topics=(Topic(topic="t", documents=(Document(id="d", text=text),)),),
            summaries=(Summary(topic="t", summarizer="s", kind="peer", text="ferry"),),
        )
        for text in ("ferry burned\n***\n \n", "ferry burned")
    ]
    for preset, expected in (("simetrix", math.log10(1 / 3)), ("paper", math.log10(1 / 2))):
        name = f"unigram-probability(preset={preset},unseen=skip)"
        (with_line,), (without,) = (pyramidion.score(campaign, [name]) for campaign in campaigns)
        assert with_line.value == pytest.approx(expected, abs=1e-5)
        assert without.value == pytest.approx(math.log10(1 / 2), abs=1e-5)

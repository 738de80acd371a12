"""What is written is read back equal: the folder, the flat forms, campaign.toml."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import (
    Campaign,
    CampaignError,
    Contributor,
    Coverage,
    Document,
    Example,
    Judgment,
    Match,
    PeerAnnotation,
    Preference,
    Problems,
    Pyramid,
    Question,
    QuestionSet,
    Scu,
    Summarizer,
    Summary,
    Topic,
    plain,
    write_flat,
    write_folder,
)
from pyramidion.campaign.flat.tables import FlatRow
from pyramidion.campaign.nouns import CoverageUnit, Status, Text
from pyramidion.campaign.settings import Settings
from pyramidion.campaign.sources import CampaignSource
from pyramidion.scores import Score, ScoreTable, read_scores, write_scores

strings = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
ids = strings.filter(bool) | st.sampled_from(["1.0", "2.0", "007", "1e3", "null", "NaN", " x "])
texts: st.SearchStrategy[Text] = strings | st.lists(strings, max_size=3).map(tuple)
numbers = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
leaves = numbers | strings | st.booleans()
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(strings, inner, max_size=2))
json_values = st.none() | values
KNOWN = {
    field.encode_name
    for noun in (Topic, Document, Summary, Judgment, FlatRow, Settings)
    for field in msgspec.structs.fields(noun)
} - {"(unknown)"}
MEANT = ("prediction", "source", "article", "reference", "ref1", "highlights", "id", "system", "rouge1", "doc2")
"""Keys by which other people call what we call otherwise: in our own form they mean nothing."""


new_keys = (ids | st.just("(unknown)") | st.sampled_from(MEANT)).filter(lambda key: key not in KNOWN)
unknown: st.SearchStrategy[dict[str, Any]] = st.dictionaries(new_keys, json_values, max_size=2)
documents = st.lists(
    st.builds(Document, id=ids, text=texts, date=strings, headline=strings, unknown=unknown),
    max_size=2,
    unique_by=lambda document: document.id,
).map(tuple)


KIND_OF_SUMMARY: tuple[tuple[Literal["model", "peer"]], ...] = (("model",), ("peer",))


def parts_in(text: Text) -> st.SearchStrategy[tuple[tuple[int, int], ...]]:
    length = len(plain(text))
    if not length:
        return st.just(())
    part = st.integers(0, length - 1).flatmap(lambda start: st.tuples(st.just(start), st.integers(start + 1, length)))
    return st.lists(part, max_size=2).map(tuple)


times = st.just("") | st.datetimes().map(str) | st.dates().map(str) | st.just("2026-05-04T09:30:00.25+02:00")
seconds = st.none() | st.integers(0, 2**53) | st.floats(0, allow_nan=False, allow_infinity=False)
states: st.SearchStrategy[Status | None] = st.sampled_from([None, "annotated", "reviewed", "final"])


@st.composite
def questions(draw: st.DrawFn) -> Question:
    low = draw(st.integers(-3, 3))
    high = low + draw(st.integers(1, 3))
    return Question(
        name=draw(ids.filter(lambda name: name != "set")),
        text=draw(strings),
        scale=(low, high),
        labels=tuple(draw(st.just([]) | st.lists(strings, min_size=high - low + 1, max_size=high - low + 1))),
        pass_number=draw(st.integers(1, 4)),
        required=draw(st.booleans()),
        examples=tuple(draw(st.lists(st.builds(Example, value=st.integers(low, high), text=strings), max_size=2))),
    )


@st.composite
def question_sets(draw: st.DrawFn) -> QuestionSet:
    """A set of the package or none, with questions that are added to it or changed in it."""
    own = draw(st.lists(questions(), max_size=2, unique_by=lambda question: question.name))
    name = draw(st.sampled_from(["", "duc2006", "tac2008", "tac2009"]))
    if not name:
        return QuestionSet(tuple(own))
    given = list(QuestionSet.named(name))
    if own and len(own[0].name) % 2:
        given[0] = msgspec.structs.replace(own.pop(), name=given[0].name)
    return QuestionSet((*given, *own), name)


@st.composite
def pyramids(draw: st.DrawFn, models: list[Summary]) -> Pyramid:
    contributor = st.sampled_from(models).flatmap(
        lambda model: st.builds(Contributor, model=st.just(model.summarizer), parts=parts_in(model.text))
    )
    scu = st.builds(
        Scu,
        uid=st.integers(0, 2**62),
        label=strings,
        comment=strings,
        contributors=st.lists(contributor, max_size=2).map(tuple),
    )
    return Pyramid(
        topic=models[0].topic,
        annotator=draw(strings),
        models=tuple(model.summarizer for model in models),
        weights=draw(st.sampled_from([None, "contributors", "models"])),
        status=draw(states),
        consensus=draw(st.booleans()),
        time=draw(times),
        scus=tuple(draw(st.lists(scu, max_size=2, unique_by=lambda one: one.uid))),
    )


@st.composite
def imported_score(draw: st.DrawFn, summary: Summary) -> Score:
    measure = draw(ids)
    return Score(
        measure=measure,
        topic=summary.topic,
        summarizer=summary.summarizer,
        value=draw(st.floats(allow_nan=False, allow_infinity=False)),
        signature=draw(strings),
        higher_is_better=len(measure) % 2 == 0,  # of a measure, not of a value
        note=measure if len(measure) % 3 == 0 else "",
    )


@st.composite
def campaigns(draw: st.DrawFn) -> Campaign:
    topics = [
        Topic(
            topic=id,
            title=draw(strings),
            narrative=draw(strings),
            part=draw(strings),
            documents=draw(documents),
            background=draw(documents),
            attributes=draw(st.dictionaries(strings | st.just("(unknown)"), leaves, max_size=2)),
            unknown=draw(unknown),
        )
        for id in draw(st.lists(ids, min_size=1, max_size=2, unique=True))
    ]
    writers = draw(st.lists(ids, min_size=1, max_size=3, unique=True))
    summaries = [
        Summary(
            topic=topic.topic,
            summarizer=writer,
            kind=kind,
            text=draw(texts),
            extra=kind == "model" and draw(st.booleans()),
            unknown=draw(unknown),
        )
        for topic in topics
        for writer in writers
        for kind in draw(st.sampled_from(KIND_OF_SUMMARY))
    ]
    found: list[Pyramid] = []
    annotations: list[PeerAnnotation] = []
    coverage: list[Coverage] = []
    for topic in topics:
        models = [one for one in summaries if one.topic == topic.topic and one.kind == "model"]
        if not models or draw(st.booleans()):
            continue
        pyramid = draw(pyramids(models))
        found.append(pyramid)
        peer = draw(st.sampled_from([one for one in summaries if one.topic == topic.topic]))
        marked = st.lists(parts_in(peer.text), max_size=2).map(tuple)
        annotations.append(
            PeerAnnotation(
                topic=topic.topic,
                summarizer=peer.summarizer,
                annotator=draw(strings),
                scus=tuple(
                    Match(uid=scu.uid, present=draw(st.booleans()), contributors=draw(marked)) for scu in pyramid.scus
                ),
                unmatched=draw(st.none() | marked),
                status=draw(states),
                consensus=draw(st.booleans()),
                time=draw(times),
            )
        )
        units = [
            CoverageUnit(unit=unit, percent=draw(st.integers(0, 100)), peer_units=draw(parts_in(peer.text)))
            for unit in draw(parts_in(models[0].text))
        ]
        coverage.append(
            Coverage(
                topic=topic.topic,
                summarizer=peer.summarizer,
                model=models[0].summarizer,
                units=tuple(units),
                assessor="",
            )
        )
    asked = draw(question_sets())
    names = st.sampled_from([question.name for question in asked]) if asked else ids
    return Campaign(
        name=draw(strings),
        description=draw(strings),
        licence=draw(strings),
        simulated=draw(strings),
        word_limit=draw(st.none() | st.integers(1, 2**40)),
        summarizers={
            writer: Summarizer(
                kind=draw(st.sampled_from(["human", "baseline", "participant"])),
                name=draw(strings),
                organisation=draw(strings),
            )
            for writer in writers
        },
        questions=asked,
        unknown=draw(st.dictionaries(new_keys, values, max_size=2)),
        topics=tuple(topics),
        summaries=tuple(summaries),
        judgments=tuple(
            Judgment(
                topic=one.topic,
                summarizer=one.summarizer,
                question=draw(names),
                value=draw(numbers),
                assessor=draw(strings),
                run=run,
                time=draw(times),
                seconds=draw(seconds),
                comment=draw(strings),
                unknown=draw(unknown),
            )
            for one in summaries
            for run in range(1, draw(st.integers(1, 2)) + 1)
        ),
        preferences=tuple(
            Preference(
                topic=topic.topic,
                a=writers[0],
                b=other,
                choice=draw(st.sampled_from(["a", "b", "tie"])),
                assessor=draw(strings),
                reason=draw(strings),
                time=draw(times),
                seconds=draw(seconds),
            )
            for topic in topics
            for other in writers[1:]
        ),
        pyramids=tuple(found),
        annotations=tuple(annotations),
        coverage=tuple(coverage),
        imported=ScoreTable.of(draw(imported_score(one)) for one in summaries[:2]),
    )


@st.composite
def flat_campaigns(draw: st.DrawFn, *, parquet: bool) -> Campaign:
    """Campaigns that the flat form can hold: models called ref1 … refN, topics with documents only, peers."""
    text: st.SearchStrategy[Text] = strings if parquet else texts
    extra = st.just({}) if parquet else unknown
    document = st.builds(Document, id=ids, text=text, date=strings, headline=strings, unknown=extra)
    topics, models, peers, judgments = [], [], [], []
    for id in draw(st.lists(ids, min_size=1, max_size=3, unique=True)):
        found = draw(st.lists(document, max_size=2, unique_by=lambda document: document.id))
        topics.append(Topic(topic=id, documents=tuple(found)))
        models += [
            Summary(topic=id, summarizer=f"ref{index}", kind="model", text=reference)
            for index, reference in enumerate(draw(st.lists(text, max_size=2)), start=1)
        ]
        for writer in draw(st.lists(ids.filter(lambda name: name[:3] != "ref"), min_size=1, max_size=2, unique=True)):
            peers.append(Summary(topic=id, summarizer=writer, kind="peer", text=draw(text), unknown=draw(extra)))
            answers = draw(st.dictionaries(ids, st.dictionaries(strings, numbers, min_size=1, max_size=2), max_size=2))
            judgments += [
                Judgment(
                    topic=id,
                    summarizer=writer,
                    question=question,
                    assessor=assessor,
                    value=float(value) if parquet else value,
                )
                for question, by_assessor in answers.items()
                for assessor, value in by_assessor.items()
            ]
    return Campaign(
        name="flat",
        simulated=draw(strings),
        topics=tuple(topics),
        summaries=(*models, *peers),
        judgments=tuple(judgments),
    )


def read_back(campaign: Campaign, name: str) -> tuple[Campaign, Problems]:
    problems = Problems()
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / name
        if path.suffix:
            write_flat(campaign, path)
        else:
            write_folder(campaign, path)
        return CampaignSource(path).read(problems), problems


@settings(max_examples=100, deadline=None)
@given(campaigns())
def test_a_folder_is_read_back_equal(campaign: Campaign) -> None:
    read, problems = read_back(campaign, "folder")
    assert [str(problem) for problem in problems if problem.severity == "error"] == []
    assert read == campaign


@settings(max_examples=20, deadline=None)
@given(campaigns())
def test_writing_a_folder_twice_gives_the_same_bytes(campaign: Campaign) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary)
        write_folder(campaign, path)
        first = {file.name: file.read_bytes() for file in path.iterdir() if file.is_file()}
        write_folder(CampaignSource(path).read(Problems()), path)
        assert {file.name: file.read_bytes() for file in path.iterdir() if file.is_file()} == first


@settings(max_examples=100, deadline=None)
@given(flat_campaigns(parquet=False))
def test_a_flat_jsonl_file_is_read_back_equal(campaign: Campaign) -> None:
    read, problems = read_back(campaign, "flat.jsonl")
    assert [str(problem) for problem in problems if problem.severity == "error"] == []
    assert read == campaign


@settings(max_examples=100, deadline=None)
@given(flat_campaigns(parquet=True))
def test_a_flat_parquet_file_is_read_back_equal(campaign: Campaign) -> None:
    read, problems = read_back(campaign, "flat.parquet")
    assert [str(problem) for problem in problems if problem.severity == "error"] == []
    assert read == campaign


@pytest.mark.parametrize("name", ["folder", "flat.jsonl", "flat.parquet"])
@settings(max_examples=60, deadline=None)
@given(campaigns())
def test_whatever_is_read_can_be_written_and_read_again(name: str, campaign: Campaign) -> None:
    read, problems = read_back(campaign, name)
    assert [str(problem) for problem in problems if problem.severity == "error"] == []
    peers = [plain(one.text) for one in campaign.summaries if one.kind == "peer"]
    assert [plain(one.text) for one in read.summaries if one.kind == "peer"] == peers
    again, problems = read_back(read, name)
    assert (problems.errors, again) == (0, replace(read, name=again.name))


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet"])
def test_whole_and_other_numbers_of_one_row_are_written(name: str) -> None:
    summary = Summary(topic="T", summarizer="S", kind="peer", text="words")
    given = {"a": 1, "b": 0.5, "c": 2**60}
    answers = [Judgment(topic="T", summarizer="S", question=name, value=value) for name, value in given.items()]
    read, problems = read_back(Campaign(summaries=(summary,), judgments=tuple(answers)), name)
    assert problems.errors == 0
    assert {one.question: one.value for one in read.judgments} == given


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet"])
def test_a_peer_that_is_called_like_a_reference_gets_another_name_and_that_is_said(tmp_path: Path, name: str) -> None:
    kinds: dict[str, Any] = {"ref1": "peer", "A": "model", "ref1 (peer)": "peer"}
    summaries = [Summary(topic="T", summarizer=who, kind=kind, text=who) for who, kind in kinds.items()]
    problems = Problems()
    write_flat(Campaign(summaries=tuple(summaries)), tmp_path / name, problems=problems)
    assert any("look like references" in one.found for one in problems)
    read = CampaignSource(tmp_path / name).read(problems)
    assert problems.errors == 0
    assert {one.summarizer: one.text for one in read.summaries} == {
        "ref1": "A",
        "ref1 (peer) (peer)": "ref1",
        "ref1 (peer)": "ref1 (peer)",
    }


def test_an_unknown_key_is_written_back_where_it_was(folder: Path) -> None:
    line = '{"topic":"D3","documents":[{"id":"x","text":"y","source":{"page":3}}],"colour":"red"}'
    (folder / "topics.jsonl").write_text((folder / "topics.jsonl").read_text() + line + "\n")
    problems = Problems()
    campaign = CampaignSource(folder).read(problems)
    assert problems.errors == 0
    write_folder(campaign, folder)
    assert (folder / "topics.jsonl").read_text().splitlines()[-1] == line


def test_an_unknown_key_never_takes_the_place_of_a_known_one(folder: Path) -> None:
    line = '{"topic":"D1","summarizer":"Z","kind":"peer","text":"t","(unknown)":{"topic":"D2"}}'
    (folder / "summaries.jsonl").write_text((folder / "summaries.jsonl").read_text() + line + "\n")
    campaign = CampaignSource(folder).read(Problems())
    assert campaign.summaries[-1].topic == "D1"
    write_folder(campaign, folder)
    assert (folder / "summaries.jsonl").read_text().splitlines()[-1] == line


def test_score_tables_already_in_the_folder_are_left_alone(folder: Path) -> None:
    import polars as pl

    (folder / "scores").mkdir()
    table = folder / "scores" / "rouge.parquet"
    frame = {"measure": ["rouge-2.recall"], "topic": ["D1"], "summarizer": ["S1"], "value": [0.25], "signature": ["x"]}
    pl.DataFrame(frame).write_parquet(table)
    before = table.read_bytes()
    campaign = CampaignSource(folder).read(Problems())
    write_folder(campaign, folder)
    problems = Problems()
    assert CampaignSource(folder).read(problems).imported == campaign.imported
    assert len(problems) == 0
    assert table.read_bytes() == before


def score(measure: str, topic: str, value: float = 1, **more: Any) -> Score:
    return Score(measure=measure, topic=topic, summarizer="S1", value=value, **more)


def written_scores(folder: Path) -> dict[str, list[Score]]:
    return {path.name: list(read_scores(path)) for path in sorted((folder / "scores").iterdir())}


def test_score_tables_hold_what_the_campaign_holds_and_nothing_else(folder: Path) -> None:
    for name, scores in {
        "gone": [score("gone", "D1")],
        "half": [score("half", "D1", signature="h|v:1", note="rough"), score("half", "D2")],
        "other": [score("other", "D1")],
    }.items():
        table = replace(ScoreTable.of(scores), names={"S1": "Anna"})
        write_scores(table, folder / "scores" / f"{name}.parquet")
    campaign = CampaignSource(folder).read(Problems())
    kept = [score("half", "D1", signature="h|v:1", note="rough"), score("other", "D1", value=2), score("new", "D2")]
    write_folder(replace(campaign, imported=ScoreTable.of(kept)), folder)
    assert written_scores(folder) == {
        "half.parquet": kept[:1],
        "imported.parquet": kept[2:],
        "other.parquet": kept[1:2],
    }
    assert read_scores(folder / "scores" / "half.parquet").names == {"S1": "Anna"}
    write_folder(replace(campaign, imported=ScoreTable()), folder)
    assert written_scores(folder) == {}


def test_nothing_is_written_where_a_score_table_cannot_be_read(folder: Path) -> None:
    campaign = CampaignSource(folder).read(Problems())
    (folder / "scores").mkdir()
    (folder / "scores" / "precious.parquet").write_bytes(b"PAR1 but broken")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(CampaignError, match=r"precious\.parquet"):
        write_folder(replace(campaign, name="other", judgments=()), folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_files_of_nouns_that_are_gone_are_removed(folder: Path) -> None:
    summaries = CampaignSource(folder).read(Problems()).summaries
    write_folder(Campaign(name="less", summaries=summaries), folder)
    assert sorted(path.name for path in folder.iterdir()) == ["campaign.toml", "summaries.jsonl"]

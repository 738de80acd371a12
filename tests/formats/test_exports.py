"""Every format that is written: what it keeps is read back, and what it loses is said."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from campaign.test_round_trips import campaigns
from pyramidion.campaign import (
    Campaign,
    Contributor,
    Coverage,
    CoverageUnit,
    Document,
    Judgment,
    Match,
    PeerAnnotation,
    Preference,
    Problems,
    Pyramid,
    Question,
    QuestionSet,
    SampledUnit,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.losses import parts_of
from pyramidion.errors import PyramidionError
from pyramidion.formats import all_formats, find_format
from pyramidion.formats.base import Format
from pyramidion.formats.plain.line_files import LineFiles
from pyramidion.scores import Score, ScoreTable

WRITTEN = [format.name for format in all_formats() if format.writes]


def read_back(format: Format, target: Path, problems: Problems, campaign: Campaign) -> Campaign:
    if format.name == "lines":
        files: dict[str, list[Path]] = {"model": [], "peer": []}
        for kind, name in sorted({(one.kind, one.summarizer) for one in campaign.summaries if not one.extra}):
            files[kind].append(target / f"{name}.txt")
        sources = target / "sources.txt"
        return LineFiles(
            files["peer"], files["model"], ids=target / "ids.txt", sources=sources if sources.exists() else None
        ).read(problems)
    source = {"rouge-xml": target / "rouge.xml", "simetrix": target / "mapping.txt"}.get(format.name, target)
    options = {"folder": str(target)} if "folder" in format.options else {}
    return format.read(source, problems, **options)


def rich() -> Campaign:
    """A campaign that has every part, with names that every format can write."""
    topics, summaries, judgments, pyramids, annotations = [], [], [], [], []
    for id in ("D0601", "D0602"):
        source = Document(
            id="APW1", text="A source. It has words.", date="2005-01-31", headline="News", unknown={"u": 1}
        )
        asked: dict[str, Any] = {"title": "Title", "narrative": "Narrative", "parent": "D06", "part": "A"}
        topics.append(
            Topic(
                topic=id,
                documents=(source,),
                background=(source,),
                attributes={"length": 250},
                unknown={"u": 1},
                **asked,
            )
        )
        kinds: dict[str, Any] = {"A": "model", "B": "model", "1": "peer", "2": "peer"}
        summaries += [
            Summary(topic=id, summarizer=who, kind=kind, text=("Some words here.", "More words."), unknown={"u": 1})
            for who, kind in kinds.items()
        ]
        summaries.append(Summary(topic=id, summarizer="C", kind="model", text="Other words.", extra=True))
        judgments += [
            Judgment(
                topic=id,
                summarizer=who,
                assessor="E",
                question="content-responsiveness",
                value=3,
                run=run,
                time="2026-05-04",
                seconds=3,
                comment="Good.",
                unknown={"u": 1},
            )
            for who in ("A", "C", "1", "2")
            for run in (1, 2)
        ]
        stage: dict[str, Any] = {"status": "final", "consensus": True, "time": "2026-05-04", "unknown": {"u": 1}}
        contributors = tuple(Contributor(model=model, parts=((0, 4),)) for model in ("A", "B"))
        scu = Scu(uid=1, label="unit", contributors=contributors)
        pyramids.append(Pyramid(topic=id, models=("A", "B"), scus=(scu,), adjudicator="Ann", **stage))
        match = Match(uid=1, contributors=(((0, 4),),))
        annotations += [
            PeerAnnotation(topic=id, summarizer=who, scus=(match,), unmatched=(), adjudicator="Ann", **stage)
            for who in ("1", "2")
        ]
    units = (CoverageUnit(unit=(0, 4), percent=50),)
    return Campaign(
        name="rich",
        description="Words.",
        licence="CC0",
        simulated="texts",
        word_limit=250,
        summarizers={"1": Summarizer(kind="baseline", name="lead")},
        questions=QuestionSet((Question(name="content-responsiveness"),)),
        topics=tuple(topics),
        summaries=tuple(summaries),
        judgments=tuple(judgments),
        preferences=(Preference(topic="D0601", a="1", b="2", choice="a"),),
        pyramids=tuple(pyramids),
        annotations=tuple(annotations),
        coverage=(Coverage(topic="D0601", summarizer="1", model="A", units=units),),
        sample=(SampledUnit(topic="D0601", drawn=True, chance=0.5),),
        imported=ScoreTable.of(Score(measure="js", topic=one.topic, summarizer="1", value=0.5) for one in topics),
        unknown={"u": 1},
    )


SPOKEN_OF = {
    "ducview": {"topics.attributes"},
    "lite-pyramid": {"models", "sentences"},
    "simetrix": {"models", "imported"},
}
"""What a writer says in words of its own, stores next to what is read here, or what its reader finds out itself."""


@pytest.mark.parametrize("name", WRITTEN)
def test_a_format_keeps_what_it_says_and_says_what_it_loses(name: str, tmp_path: Path) -> None:
    format, campaign, problems = find_format(name), rich(), Problems()
    target = tmp_path / "target"
    format.write(campaign, target, problems)
    said = list(problems)[-1]
    read = read_back(format, target, problems, campaign)
    assert [str(one) for one in problems if one.severity == "error"] == []
    after = {part.name: part.count for part in parts_of(read)}
    lost = {part.name for part in parts_of(campaign) if part.count > after[part.name]}
    assert lost & (format.keeps - SPOKEN_OF.get(name, set())) <= {"topics.bare"}
    assert said.expected == f"only what the format {name} can store"
    for part in parts_of(campaign):
        within = part.name.partition(".")[0]
        if part.name not in format.keeps and (within in format.keeps or within == part.name):
            assert part.words in said.found, part


@settings(max_examples=60, deadline=None)
@given(campaign=campaigns())
def test_whatever_a_format_writes_it_reads(campaign: Campaign) -> None:
    """One property for all formats: drawing a campaign takes longer than writing and reading it."""
    for name in WRITTEN:
        format, problems = find_format(name), Problems()
        with tempfile.TemporaryDirectory() as temporary:
            target = Path(temporary) / "target"
            try:
                format.write(campaign, target, problems)
            except PyramidionError:
                continue
            read_back(format, target, problems, campaign)
            assert [str(problem) for problem in problems if problem.severity == "error"] == [], name

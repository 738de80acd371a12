"""What organisers fear is found by `check`: each planted defect once, and nothing where nothing was planted."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summary
from pyramidion.campaign.inspection import Inspection, inspect_campaign

Rows = list[dict[str, Any]]
Plant = Callable[[dict[str, Rows]], None]

TOPICS = {
    "D1": "ferry harbour smoke captain passengers lifeboat engine coastguard deck rescue pier crew",
    "D2": "election ballot senator recount district candidate turnout precinct governor vote party poll",
    "D3": "comet telescope orbit astronomer nucleus tail probe ice dust observatory sky lens",
    "D4": "vaccine clinic virus dose nurse trial outbreak patients hospital fever test immunity",
    "D5": "glacier meltwater valley moraine avalanche hikers ridge snow crevasse peak summit climber",
    "D6": "orchestra violin conductor symphony rehearsal cello concert hall audience tenor score opera",
}
SYSTEMS = ("1", "2", "3", "4")


def text(topic: str, who: int) -> str:
    words = TOPICS[topic].split()
    chosen = words[who:] + words[:who]
    return f"The report by number {who} says that {' and '.join(chosen[:8])} mattered"


def campaign() -> dict[str, Rows]:
    """Six topics with documents, two models, four systems, two assessors, a pyramid with annotations each."""
    rows: dict[str, Rows] = {name: [] for name in ("topics", "summaries", "judgments", "pyramids", "annotations")}
    for number, topic in enumerate(TOPICS):
        document = {"id": "n1", "text": f"Today in the news: {TOPICS[topic]}. More is expected."}
        rows["topics"].append({"topic": topic, "documents": [document]})
        for place, who in enumerate(("A", "B")):
            rows["summaries"].append({"topic": topic, "summarizer": who, "kind": "model", "text": text(topic, place)})
        scus = [{"uid": 1, "label": "It mattered", "contributors": [{"model": "A", "parts": [[0, 3]]}]}]
        rows["pyramids"].append({"topic": topic, "annotator": "C", "models": ["A", "B"], "scus": scus})
        for place, who in enumerate(SYSTEMS):
            key = {"topic": topic, "summarizer": who}
            rows["summaries"].append({**key, "kind": "peer", "text": text(topic, place + 2)})
            rows["annotations"].append({**key, "annotator": "C", "scus": [{"uid": 1, "present": place > 1}]})
            for assessor in ("x", "y"):
                value = 1 + (number + place + (assessor == "x")) % 5
                rows["judgments"].append({**key, "assessor": assessor, "question": "focus", "value": value})
    return rows


def one(rows: Rows, **fields: str) -> dict[str, Any]:
    (found,) = (row for row in rows if all(row[key] == value for key, value in fields.items()))
    return found


def write(folder: Path, rows: dict[str, Rows], settings: str = "word_limit = 40\n") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "campaign.toml").write_text(settings)
    for name, held in rows.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in held))
    return folder


def missing_run(rows: dict[str, Rows]) -> None:
    gone = one(rows["summaries"], topic="D3", summarizer="2")
    for name in ("summaries", "judgments", "annotations"):
        kept = [row for row in rows[name] if (row["topic"], row["summarizer"]) != (gone["topic"], "2")]
        rows[name] = kept


def too_long(rows: dict[str, Rows]) -> None:
    one(rows["summaries"], topic="D2", summarizer="3")["text"] += " and so on" * 20


def twice_in_a_topic(rows: dict[str, Rows]) -> None:
    one(rows["summaries"], topic="D4", summarizer="3")["text"] = one(rows["summaries"], topic="D4", summarizer="1")[
        "text"
    ]


def a_run_twice(rows: dict[str, Rows]) -> None:
    for topic in TOPICS:
        copied = one(rows["summaries"], topic=topic, summarizer="1")["text"]
        one(rows["summaries"], topic=topic, summarizer="4")["text"] = copied


def twice_in_two_topics(rows: dict[str, Rows]) -> None:
    one(rows["summaries"], topic="D4", summarizer="3")["text"] = one(rows["summaries"], topic="D2", summarizer="3")[
        "text"
    ]


def swapped(rows: dict[str, Rows]) -> None:
    first, second = (one(rows["summaries"], topic=topic, summarizer="4") for topic in ("D5", "D6"))
    first["text"], second["text"] = second["text"], first["text"]


def a_model_as_peer(rows: dict[str, Rows]) -> None:
    one(rows["summaries"], topic="D4", summarizer="3")["text"] = one(rows["summaries"], topic="D4", summarizer="B")[
        "text"
    ]


def missing_judgment(rows: dict[str, Rows]) -> None:
    rows["judgments"] = [row for row in rows["judgments"] if (row["topic"], row["summarizer"]) != ("D6", "1")]


def missing_assessor(rows: dict[str, Rows]) -> None:
    key = {"topic": "D5", "summarizer": "1", "assessor": "x"}
    rows["judgments"] = [row for row in rows["judgments"] if any(row[name] != value for name, value in key.items())]


def missing_annotation(rows: dict[str, Rows]) -> None:
    rows["annotations"] = [row for row in rows["annotations"] if (row["topic"], row["summarizer"]) != ("D2", "4")]


def one_answer(rows: dict[str, Rows]) -> None:
    for row in rows["judgments"]:
        if row["assessor"] == "y":
            row["value"] = 3


def off_the_scale(rows: dict[str, Rows]) -> None:
    for extra in range(20):  # enough answers to know the scale
        rows["judgments"] += [
            {**row, "assessor": f"z{extra}", "value": 1 + (extra + place) % 5}
            for place, row in enumerate([row for row in rows["judgments"] if row["assessor"] == "x"])
        ]
    rows["judgments"][0]["value"] = 33


def missing_model(rows: dict[str, Rows]) -> None:
    rows["pyramids"] = [row for row in rows["pyramids"] if row["topic"] != "D3"]
    rows["annotations"] = [row for row in rows["annotations"] if row["topic"] != "D3"]
    rows["summaries"] = [row for row in rows["summaries"] if (row["topic"], row["summarizer"]) != ("D3", "B")]


def missing_documents(rows: dict[str, Rows]) -> None:
    del one(rows["topics"], topic="D3")["documents"]


PLANTED: list[tuple[Plant, str, str]] = [
    (missing_run, "1 missing output: 2 (D3)", "summaries.jsonl"),
    (too_long, "1 peer of 24 over the word limit, by 3; the longest has", "summaries.jsonl"),
    (twice_in_a_topic, "1 text from more than one system, such as from 1 and 3 on D4", "summaries.jsonl"),
    (a_run_twice, "the same texts from 1 and 4 (1 and 4: 6 of 6 topics)", "summaries.jsonl"),
    (twice_in_two_topics, "1 text in more than one topic, such as that of 3 on D2 and 3 on D4", "summaries.jsonl"),
    (swapped, "2 summaries seem to belong to another topic, such as 4 on D5 (closer to D6)", "summaries.jsonl"),
    (a_model_as_peer, "1 system summary is identical to a reference: 3 on D4 (B)", "summaries.jsonl"),
    (missing_judgment, "no answer to 'focus' for 1 summary: 1 (D6)", "judgments.jsonl"),
    (missing_assessor, "fewer assessors than usual for 'focus' on 1 summary: 1 (D5)", "judgments.jsonl"),
    (missing_annotation, "no annotation of 1 peer: 4 (D2)", "annotations.jsonl"),
    (one_answer, "always the same answer: y always gave 3 to 'focus' (24 times)", "judgments.jsonl"),
    (off_the_scale, "1 answer off the scale of 'focus': 33", "judgments.jsonl"),
    (missing_model, "fewer model summaries for 1 topic: D3", "summaries.jsonl"),
    (missing_documents, "no documents for 1 topic: D3", "topics.jsonl"),
]
ALONG: dict[Plant, str] = {twice_in_two_topics: "1 summary seems to belong to another topic", missing_documents: ""}
"""What a defect implies besides."""


def found(inspection: Inspection) -> list[str]:
    assert inspection.errors == 0
    return [problem.found for problem in inspection]


def test_a_sound_campaign_has_no_problem_and_is_complete(tmp_path: Path) -> None:
    inspection = pyramidion.check(write(tmp_path / "c", campaign()))
    assert found(inspection) == []
    assert {row.what: (row.expected, row.missing) for row in inspection.completeness} == {
        "outputs of systems": (24, 0),
        "model summaries": (12, 0),
        "topics with documents": (6, 0),
        "answers to focus": (48, 0),
        "annotations of peers": (24, 0),
    }


@pytest.mark.parametrize(("plant", "said", "file"), PLANTED, ids=lambda one: getattr(one, "__name__", ""))
def test_a_planted_defect_is_found_and_nothing_else(tmp_path: Path, plant: Plant, said: str, file: str) -> None:
    rows = campaign()
    plant(rows)
    inspection = pyramidion.check(write(tmp_path / "c", rows))
    mine = [problem for problem in inspection if problem.found.startswith(said)]
    assert len(mine) == 1, found(inspection)
    assert Path(mine[0].file).name == file
    others = [problem.found for problem in inspection if problem not in mine]
    assert [other for other in others if not (ALONG.get(plant) and other.startswith(ALONG[plant]))] == []


def test_a_declared_system_without_output_is_found(tmp_path: Path) -> None:
    settings = '[summarizers.9]\nname = "Late"\n[summarizers.1]\nname = "First"\n'
    inspection = pyramidion.check(write(tmp_path / "c", campaign(), settings))
    assert found(inspection) == ["1 summarizer without any summary: 9"]


def test_answers_off_a_declared_scale_are_found(tmp_path: Path) -> None:
    rows = campaign()
    rows["judgments"][3]["value"] = 7
    settings = '[[questions]]\nname = "focus"\nscale = [1, 5]\n[[questions]]\nname = "coherence"\n'
    assert found(pyramidion.check(write(tmp_path / "c", rows, settings))) == [
        "7",
        "no answer to 1 question: coherence",
    ]


def test_all_defects_at_once_are_found(tmp_path: Path) -> None:
    rows = campaign()
    together = [one for one in PLANTED if one[0] not in (a_run_twice, a_model_as_peer, one_answer, twice_in_a_topic)]
    for plant, *_ in together:
        plant(rows)
    all_found = " ".join(found(pyramidion.check(write(tmp_path / "c", rows))))
    for said in (
        *("missing output", "over the word limit", "in more than one topic", "to belong to another topic"),
        *("no answer to", "fewer assessors", "no annotation of", "off the scale", "fewer model", "no documents"),
    ):
        assert said in all_found


def test_a_line_is_named_where_it_is_known(tmp_path: Path) -> None:
    rows = campaign()
    too_long(rows)
    (problem,) = pyramidion.check(write(tmp_path / "c", rows))
    line = (tmp_path / "c" / "summaries.jsonl").read_text().splitlines()[(problem.line or 0) - 1]
    assert (json.loads(line)["topic"], json.loads(line)["summarizer"]) == ("D2", "3")


def test_a_design_that_leaves_things_out_is_no_problem(tmp_path: Path) -> None:
    rows = campaign()
    rows["judgments"] = [row for row in rows["judgments"] if row["topic"] in ("D1", "D2")]  # two topics are judged
    rows["pyramids"] = [row for row in rows["pyramids"] if row["topic"] == "D1"]  # one has a pyramid
    rows["annotations"] = [row for row in rows["annotations"] if row["topic"] == "D1"]
    rows["summaries"] = [  # an optional run, on two topics only
        row for row in rows["summaries"] if row["summarizer"] != "4" or row["topic"] in ("D1", "D2")
    ]
    rows["annotations"] = [row for row in rows["annotations"] if row["summarizer"] != "4"]  # not annotated at all
    assert found(pyramidion.check(write(tmp_path / "c", rows))) == []


def test_systems_that_copy_the_documents_may_give_the_same_text(tmp_path: Path) -> None:
    rows = campaign()
    for topic in ("D1", "D2"):
        for who in ("1", "2"):
            extract = f"Today in the news: {TOPICS[topic]}."
            one(rows["summaries"], topic=topic, summarizer=who)["text"] = extract
    assert found(pyramidion.check(write(tmp_path / "c", rows))) == []


def public() -> Iterator[Path]:
    folder = os.environ.get("PYRAMIDION_DATA")
    yield from (
        (path for path in sorted(Path(folder).iterdir()) if (path / "summaries.jsonl").exists()) if folder else ()
    )


@pytest.mark.slow
@pytest.mark.skipif(not list(public()), reason="PYRAMIDION_DATA names no folder with campaigns")
@pytest.mark.parametrize("path", list(public()), ids=lambda path: path.name)
def test_nothing_is_invented_on_public_data(path: Path) -> None:
    inspection = pyramidion.check(path)
    assert [line for line in found(inspection) if "without references" not in line] == []
    assert {row.missing for row in inspection.completeness} == {0}


def test_the_demo_has_one_system_that_is_off_topic_by_design() -> None:
    (line,) = found(pyramidion.check("demo"))
    assert line.startswith("11 summaries seem to belong to another topic, such as 18 on D01-A")


def count_calls(work: Callable[[], object]) -> int:
    """How many functions the work calls, those of C included: the same number on every machine, busy or not."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    profile = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(profile)
    return calls


@pytest.mark.slow
def test_the_work_grows_with_the_texts_and_not_faster() -> None:
    def calls(topics: int) -> int:
        words = [f"w{number}" for number in range(2000)]
        rows = [
            {"topic": f"t{number}", "summarizer": who, "references": [" ".join(chosen)], "documents": [" ".join(chosen)],
             "summary": " ".join(chosen[place:])}
            for number in range(topics)
            for chosen in [[words[(number * 37 + step * 11) % 2000] for step in range(60)] + [f"own{number}"]]
            for place, who in enumerate(("a", "b", "c"))
        ]  # fmt: skip
        return count_calls(lambda: pyramidion.check(rows))

    calls(50)
    assert calls(1600) < 9 * calls(200)  # eight times the data


def test_many_systems_with_the_same_text_cost_no_more_than_their_number() -> None:
    """All pairs of 1,500 systems on 4 topics would be 4.5 million."""
    summaries = [
        Summary(topic=topic, summarizer=str(who), kind="peer", text="the same seven words from each system")
        for topic in ("D1", "D2", "D3", "D4")
        for who in range(1500)
    ]
    campaign = Campaign(summaries=tuple(summaries))
    inspection = Inspection()
    assert count_calls(lambda: inspect_campaign(campaign, inspection, path="DATA")) < 1_000_000
    assert "1 text in more than one topic" in str(inspection.kept[0])
    assert "the same texts from 0 and 1" in str(inspection.kept[1])

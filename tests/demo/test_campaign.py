"""The demo campaign against its sources, read here a second time with a few lines that share no code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.sources import CampaignSource
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.errors import InputError
from tools.demo_campaign.build import SOURCE, build, read_sources
from tools.demo_campaign.summarizers.words import FUNCTION_WORDS

CAMPAIGN = CAMPAIGN_FOLDER
TAG = re.compile(r"\{([^|]+)\|([^}]+)\}")
TELEGRAPHIC, OFF_TOPIC, CUT = "17", "18", "20"


@dataclass
class Raw:
    """A source file as plain lines: untagged sentence → its tags (unit, words)."""

    documents: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    models: dict[str, list[tuple[str, list[tuple[str, str]]]]] = field(default_factory=dict)

    @property
    def weights(self) -> Counter[str]:
        return Counter(
            unit for sentences in self.models.values() for unit in {unit for _, tags in sentences for unit, _ in tags}
        )


def tags_of(line: str) -> list[tuple[str, str]]:
    return [(unit, match[2]) for match in TAG.finditer(line) for unit in match[1].split(",")]


def read_raw(path: Path) -> Raw:
    raw = Raw()
    kind, rows = "", list[Any]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            _, kind, *rest = line.split()
            rows = []
            if kind == "model":
                raw.models[rest[0]] = rows
            elif kind == "document":
                raw.documents[rest[0]] = rows
        elif line.strip() and kind == "model":
            rows.append((TAG.sub(r"\2", line.strip()), tags_of(line)))
        elif line.strip() and kind == "document":
            rows.append((TAG.sub(r"\2", line.strip()), line.strip()))
    return raw


RAW = {path.stem: read_raw(path) for path in sorted(SOURCE.glob("*.txt"))}


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CAMPAIGN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


SUMMARIES = {(row["topic"], row["summarizer"]): row for row in rows("summaries")}
ANNOTATIONS = {(row["topic"], row["summarizer"]): row for row in rows("annotations")}
PYRAMIDS = {row["topic"]: row for row in rows("pyramids")}
PEERS = [key for key, row in SUMMARIES.items() if row["kind"] == "peer"]


def source_of(topic: str, summarizer: str, sentence: str) -> tuple[str, str]:
    """(topic, tagged line) of the one source sentence that an output sentence comes from."""
    found = []
    for name, raw in RAW.items():
        for lines in raw.documents.values():
            for plain, tagged in lines:
                if plain == sentence or (name == topic and summarizer == CUT and plain.startswith(sentence)):
                    found.append((name, tagged))
                elif name == topic and summarizer == TELEGRAPHIC:
                    lost = Counter(plain.split()) - Counter(sentence.split())
                    grown = Counter(sentence.split()) - Counter(plain.split())
                    if not grown and not any(has_content(word) for word in lost):
                        found.append((name, tagged))
    # A few words before the cut may begin several sentences; none of these then has a whole unit.
    assert len(found) == 1 or (found and summarizer == CUT), (topic, summarizer, sentence)
    return found[0]


def has_content(word: str) -> bool:
    return word.strip("\"'“”‘’(),;:.!?–—-").casefold() not in FUNCTION_WORDS | {""}


def units_of(topic: str, summarizer: str, sentence: str) -> Iterator[tuple[str, str, list[str]]]:
    """(topic, unit, tagged words) for each unit that an output sentence wholly expresses."""
    name, tagged = source_of(topic, summarizer, sentence)
    by_unit: dict[str, list[str]] = {}
    for unit, words in tags_of(tagged):
        by_unit.setdefault(unit, []).append(words)
    for unit, parts in by_unit.items():
        if summarizer != CUT or all(part in sentence for part in parts):
            yield name, unit, parts


def test_every_file_is_read_without_a_single_problem() -> None:
    problems = Problems()
    campaign = CampaignSource(CAMPAIGN).read(problems)
    assert [str(problem) for problem in problems] == []
    assert campaign.word_limit == 100


def test_the_campaign_has_what_it_promises() -> None:
    topics = rows("topics")
    updates = [row for row in topics if row.get("part") == "B"]
    assert len({row.get("parent", row["topic"]) for row in topics}) >= 8
    assert len(updates) >= 3
    by_id = {row["topic"]: row for row in topics}
    for row in topics:
        assert 6 <= len(row["documents"]) <= 8
        assert row["title"]
        assert row["narrative"]
        assert all(120 <= len(" ".join(one["text"]).split()) <= 250 for one in row["documents"])
        dates = [one["date"] for one in row["documents"]]
        assert dates == sorted(dates)
    for row in updates:
        earlier = by_id[f"{row['parent']}-A"]
        assert row["background"] == earlier["documents"]
        assert row["documents"][0]["date"] >= earlier["documents"][-1]["date"]
    assert set(RAW) == set(by_id) == set(PYRAMIDS)
    assert len({summarizer for _, summarizer in PEERS}) >= 14


@pytest.mark.slow
def test_building_again_gives_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    script = "import sys, pathlib, tools.demo_campaign.build as b; b.build(*map(pathlib.Path, sys.argv[1:]))"
    command = [sys.executable, "-c", script, str(SOURCE), str(tmp_path)]
    root = SOURCE.parents[2]
    subprocess.run(command, check=True, cwd=root, env={**os.environ, "PYTHONHASHSEED": "77"})
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in CAMPAIGN.iterdir()}
    assert sorted(built) == sorted(kept)
    for name, content in built.items():
        assert content == kept[name], name


def test_every_summary_keeps_the_limit() -> None:
    for (topic, summarizer), row in SUMMARIES.items():
        words = len(" ".join(row["text"]).split())
        low = 88 if row["kind"] == "model" else 50
        assert low <= words <= 100, (topic, summarizer, words)


@pytest.mark.parametrize("topic", sorted(RAW))
def test_every_scu_has_the_contributors_that_the_tags_give(topic: str) -> None:
    raw = RAW[topic]
    pyramid = PYRAMIDS[topic]
    assert {f"u{scu['uid']}" for scu in pyramid["scus"]} == set(raw.weights)
    for scu in pyramid["scus"]:
        unit = f"u{scu['uid']}"
        assert len({one["model"] for one in scu["contributors"]}) == len(scu["contributors"]) == raw.weights[unit]
        for contributor in scu["contributors"]:
            sentences = raw.models[contributor["model"]]
            text = "\n".join(sentence for sentence, _ in sentences)
            assert text == "\n".join(SUMMARIES[topic, contributor["model"]]["text"])
            assert all(0 <= start < end <= len(text) for start, end in contributor["parts"])
            tagged = [words for _, tags in sentences for one, words in tags if one == unit]
            assert [text[start:end] for start, end in contributor["parts"]] == tagged


@pytest.mark.parametrize("topic", sorted(RAW))
def test_every_peer_sentence_traces_to_one_source_sentence(topic: str) -> None:
    for key in PEERS:
        if key[0] == topic:
            family = topic.partition("-")[0]
            origins = {source_of(*key, sentence)[0] for sentence in SUMMARIES[key]["text"]}
            if key[1] == OFF_TOPIC:
                assert all(origin.partition("-")[0] != family for origin in origins)
            else:
                assert origins == {topic}


@pytest.mark.parametrize("topic", sorted(RAW))
def test_pyramid_scores_from_the_tags_are_those_from_the_annotations(topic: str) -> None:
    weights = RAW[topic].weights
    from_pyramid = {scu["uid"]: len(scu["contributors"]) for scu in PYRAMIDS[topic]["scus"]}
    for key in PEERS:
        if key[0] != topic:
            continue
        matched: Counter[str] = Counter()
        unmatched = 0
        for sentence in SUMMARIES[key]["text"]:
            units = list(units_of(*key, sentence))
            ours = [unit for name, unit, _ in units if name == topic and weights[unit]]
            matched.update(ours)
            unmatched += len(units) - len(ours) if units else 1
        annotation = ANNOTATIONS[key]
        contributors = sum(len(match["contributors"]) for match in annotation["scus"])
        assert sum(from_pyramid[match["uid"]] for match in annotation["scus"]) == sum(weights[unit] for unit in matched)
        assert contributors + len(annotation["unmatched"]) == matched.total() + unmatched, key
        assert {f"u{match['uid']}": len(match["contributors"]) for match in annotation["scus"]} == matched


@pytest.mark.parametrize("topic", sorted(RAW))
def test_the_parts_of_every_annotation_are_the_tagged_words(topic: str) -> None:
    for key in PEERS:
        if key[0] != topic or key[1] == TELEGRAPHIC:
            continue
        text = "\n".join(SUMMARIES[key]["text"])
        wanted = Counter(
            (unit, tuple(parts))
            for sentence in SUMMARIES[key]["text"]
            for name, unit, parts in units_of(*key, sentence)
            if name == topic and RAW[topic].weights[unit]
        )
        found = Counter(
            (f"u{match['uid']}", tuple(text[start:end] for start, end in parts))
            for match in ANNOTATIONS[key]["scus"]
            for parts in match["contributors"]
        )
        assert found == wanted, key


def test_the_telegraphic_parts_hold_every_content_word_of_the_tag() -> None:
    for key in PEERS:
        if key[1] != TELEGRAPHIC:
            continue
        text = "\n".join(SUMMARIES[key]["text"])
        said = {
            unit: {word.strip(",.;:“”\"'") for part in parts for word in part.split() if has_content(word)}
            for sentence in SUMMARIES[key]["text"]
            for _, unit, parts in units_of(*key, sentence)
        }
        for match in ANNOTATIONS[key]["scus"]:
            words = {
                w.strip(",.;:“”\"'") for parts in match["contributors"] for a, b in parts for w in text[a:b].split()
            }
            assert said[f"u{match['uid']}"] <= words, key


def test_simulated_stands_wherever_judgments_show(demo_campaign: Campaign) -> None:
    settings = (CAMPAIGN / "campaign.toml").read_text(encoding="utf-8")
    campaign = demo_campaign
    assert "simulated" in campaign.name
    assert "simulated" in campaign.description
    assert "judgments are simulated" in (CAMPAIGN / "README.md").read_text(encoding="utf-8")
    assert campaign.questions
    assert all("simulated" in question.text.casefold() for question in campaign.questions)
    assert all(judgment.assessor.startswith("simulated-") for judgment in campaign.judgments)
    assert "simulated" in settings


def test_humans_and_peers_are_judged_on_every_question_and_some_twice(demo_campaign: Campaign) -> None:
    campaign = demo_campaign
    asked = {question.name for question in campaign.questions}
    answered: dict[tuple[str, str], set[str]] = {}
    opinions: dict[tuple[str, str], set[str]] = {}
    for judgment in campaign.judgments:
        key = judgment.topic, judgment.summarizer
        answered.setdefault(key, set()).add(judgment.question)
        opinions.setdefault(key, set()).add(judgment.assessor)
    assert set(answered) == set(SUMMARIES)
    assert all(questions == asked for questions in answered.values())
    assert {len(assessors) for assessors in opinions.values()} == {1, 2}


def test_a_broken_source_names_all_its_problems_and_builds_nothing(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    good = (SOURCE / "D07.txt").read_text(encoding="utf-8")
    (source / "D07.txt").write_text(good.replace("== model D", "== model E"), encoding="utf-8")
    (source / "D08.txt").write_text("topic: D08\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        build(source, tmp_path / "campaign")
    assert "D07.txt:1: error: models A, B, C, E" in str(caught.value)
    assert "D08.txt:1: error: the header has no title" in str(caught.value)
    assert not (tmp_path / "campaign").exists()
    with pytest.raises(InputError):
        read_sources(tmp_path)

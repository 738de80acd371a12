"""The commands that a report prints give the numbers that it shows, whatever part of the data it is about."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import pyramidion
from pyramidion.cli import program
from pyramidion.measures.names import short_name
from pyramidion.options import Choice, ReportOptions
from pyramidion.present.section import Block, Section
from pyramidion.reports.page import make_sections
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Table
from reports.sections_under_test import items, records_of

COUNTED = {"best", "pairs"}
"""Tables that count what the records list: pairs that differ, systems that do not."""


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Section]:
    """A report on a part of the demo with a column of other scores, in a file whose name must be quoted."""
    scores = tmp_path_factory.mktemp("other data") / "my scores.csv"
    rows = [
        f"{one.topic},{one.summarizer},{len(one.text) % 97}"
        for one in pyramidion.load("demo").summaries
        if one.kind == "peer"
    ]
    scores.write_text("\n".join(["topic,summarizer,judge", *rows]), encoding="utf-8")
    run = Evaluation("demo", Choice(where={"part": "A"}, scores=(scores,), seed=3))
    return {section.id: section for section in make_sections(run, None, ReportOptions(confidence=90))[1]}


@pytest.fixture(scope="module")
def records(sections: dict[str, Section]) -> dict[str, list[dict[str, Any]]]:
    """By command, the records it prints."""
    return {command: records_of(command) for section in sections.values() for command in commands(section)}


def commands(section: Section) -> Iterator[str]:
    yield from section.commands
    for part in section.parts:
        yield from commands(part)


def numbers(value: Any) -> Iterator[float]:
    """All numbers in records; a share may be shown in per cent."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (rounded(value), rounded(100 * value))


def rounded(value: float) -> float:
    """A mean over topics may differ in its last digit from one that was summed in another order."""
    return float(f"{value:.10g}")


@pytest.mark.slow
def test_every_number_of_a_table_is_in_the_records_of_the_commands(
    sections: dict[str, Section], records: dict[str, list[dict[str, Any]]]
) -> None:
    compared = 0
    for section in sections.values():
        found = [one for command in commands(section) for one in records[command]]
        known = {*numbers(found), *mean_answers(found)}
        for table in items(section):
            if not isinstance(table, Table) or table.about in COUNTED or table.record in ("pyramid-share", "setting"):
                continue
            if table.about == "topics":
                continue  # differences of what the records list; see the next test
            for row in table.rows:
                shown = [rounded(cell) for cell in row[table.heads :] if isinstance(cell, int | float)]
                assert set(shown) <= known, (section.id, table.title, row)
                compared += len(shown)
    assert compared > 1000


@pytest.mark.slow
def test_every_topic_of_two_systems_has_their_scores_and_how_much_longer_one_text_is(
    sections: dict[str, Section], records: dict[str, list[dict[str, Any]]]
) -> None:
    section = sections["look-inside"]
    (table,) = [table for table in items(section) if isinstance(table, Table) and table.about == "topics"]
    scores = {*numbers([record for command in commands(section) for record in records[command]])}
    first, second = (id_in(column.title) for column in table.columns[2:4])
    lengths = pyramidion.score("demo", "length").to_polars().select("topic", "summarizer", "value")
    words = {(topic, system): value for topic, system, value in lengths.iter_rows()}
    assert len(table.rows) == 3  # those of part A on which the two differ
    for topic, _, *cells in table.rows:
        first_score, second_score, difference, more_words = (float(str(cell)) for cell in cells)
        assert {rounded(first_score), rounded(second_score)} <= scores
        assert difference == pytest.approx(first_score - second_score)
        assert more_words == words[topic, first] - words[topic, second]


def id_in(shown: object) -> str:
    """The system that the report calls `name (id)`; of several that share a place, the first."""
    return str(shown).split("(")[1].split(")")[0]


def mean_answers(records: list[dict[str, Any]]) -> set[float]:
    """By question and kind of summarizer: the records count each answer."""
    answers = [one for one in records if one["record"] == "frequency"]
    groups = {(one["question"], one["kind"]) for one in answers}
    sums = {group: sum(one["value"] * one["count"] for one in answers if of(one) == group) for group in groups}
    return {rounded(sums[of(one)] / one["n"]) for one in answers}


def of(record: dict[str, Any]) -> tuple[str, str]:
    return record["question"], record["kind"]


@pytest.mark.slow
def test_the_best_of_each_measure_and_the_counts_of_pairs_are_those_of_compare(
    sections: dict[str, Section], records: dict[str, list[dict[str, Any]]]
) -> None:
    found = records[sections["answer"].commands[0]]
    tukey = {one["measure"]: one for one in found if one["record"] == "tukey"}
    first = {one["measure"]: one for one in reversed(found) if one["record"] == "mean" and one["rank"] == 1}
    _, best = sections["answer"].blocks
    assert isinstance(best, Table)
    assert len(best.rows) == len(first) == len(tukey) == 15
    words = {short_name(name): one for name, one in first.items()}
    for name, who, mean, candidates in best.rows:
        one = words[str(name).rstrip("\u00a0*")]
        assert id_in(who) == one["summarizer"]
        means = [one["value"], one["adjusted"]]  # the adjusted one where assessors are a sample
        assert any(float(str(mean)) == pytest.approx(value, abs=5e-3) for value in means)
        letters = [
            set(other["letters"]) & set(one["letters"])
            for other in found
            if other["record"] == "mean" and other["measure"] == one["measure"]
        ]
        assert str(candidates) == f"{sum(map(bool, letters))} of {len(letters)}"
    differences = [one for one in records[sections["pairs"].commands[0]] if one["record"] == "difference"]
    counts = sections["pairs"].blocks[0]
    assert isinstance(counts, Table)
    for name, _, by_tukey, _, by_nemenyi in counts.rows:
        mine = [one for one in differences if one["measure"] == str(name).rstrip("\u00a0*")]
        assert (by_tukey, by_nemenyi) == (sum(one["tukey"] for one in mine), sum(one["nemenyi"] for one in mine))


@pytest.mark.slow
def test_scores_by_topic_are_those_of_score(
    sections: dict[str, Section], records: dict[str, list[dict[str, Any]]]
) -> None:
    section = sections["heat-map"]
    (heat,) = section.blocks
    assert isinstance(heat, Block)
    found = {(one["measure"], one["topic"], one["summarizer"]): one["value"] for one in records[section.commands[0]]}
    shown = {
        (one["name"], heat.data["topics"][topic], id_in(heat.data["names"][who])): (value, one["digits"])
        for one in heat.data["measures"]
        for who, row in zip(one["rows"], one["values"], strict=True)
        for topic, value in zip(one["topics"], row, strict=True)
        if value is not None
    }
    assert shown.keys() == found.keys()
    assert all(value == round(found[key], digits) for key, (value, digits) in shown.items())


@pytest.mark.slow
def test_the_share_of_the_top_tiers_is_that_of_the_pyramids_shown(
    sections: dict[str, Section], records: dict[str, list[dict[str, Any]]]
) -> None:
    section = sections["pyramids"]
    (shares,) = (one for one in items(section) if isinstance(one, Table) and one.record == "pyramid-share")
    name, _, expressed, top, *_ = shares.rows[0]
    scus = [one for one in records[section.commands[2]] if one["record"] == "pyramid-scu" and one["weight"] >= 3]
    assert {one["summarizer"] for one in scus} == {id_in(name)}
    assert (expressed, top) == (sum(one["present"] for one in scus), len(scus))


@pytest.mark.slow
def test_every_command_prints_something(records: dict[str, list[dict[str, Any]]]) -> None:
    assert [command for command, found in records.items() if not found] == []


@pytest.mark.slow
def test_the_report_repeats_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = pyramidion.report("demo", "first.html", ["rouge-1.f", "question.focus"], where={"part": "B"}, seed=4)
    shown = page.read_text("utf-8")
    (command,) = re.findall("<code>(pyramidion report .*?)</code>", shown)
    run = CliRunner().invoke(program, shlex.split(command)[1:])
    assert (run.exit_code, run.stdout) == (0, "")
    assert Path("report.html").read_text("utf-8") == shown

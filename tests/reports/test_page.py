"""The report page: self-contained, complete, and safe with hostile names."""

import base64
import hashlib
import html
import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import get_args

import defusedxml.ElementTree
import pytest

import pyramidion
from pyramidion.campaign import Campaign, CampaignError, CampaignWarning, Judgment, Summarizer, Summary
from pyramidion.errors import InputError
from pyramidion.options import ReportOptions, ReportSection
from pyramidion.present.chart import write_chart
from pyramidion.present.comparison.leaderboards import draw_leaderboards
from pyramidion.reports.filters import prose
from pyramidion.reports.page import lead, make_sections, write_report
from pyramidion.reports.sections import SECTIONS
from pyramidion.run.evaluation import Evaluation
from pyramidion.scores import Score, ScoreTable

HOSTILE = '</script><script>alert("x")</script>'


def campaign() -> Campaign:
    texts = {"A": "a ferry burned off Kiel", HOSTILE: "a ferry burned", "b": "rain"}
    longer_texts = {**texts, HOSTILE: "a ferry burned off", "b": "rain off Kiel"}  # scores vary over topics
    texts_by_topic = {"1": texts, "2": texts, "3": longer_texts}
    return Campaign(
        name=HOSTILE,
        description=HOSTILE,
        summarizers={"b": Summarizer(name=HOSTILE)},
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who == "A" else "peer", text=f"{text} {topic}")
            for topic, texts in texts_by_topic.items()
            for who, text in texts.items()
        ),
    )


def script_of(page: str) -> str:
    found = re.findall(r"<script>(.*?)</script>", page, flags=re.S)
    assert len(found) == 1
    return str(found[0])


def test_the_sections_come_in_the_order_that_the_option_lists() -> None:
    assert tuple(SECTIONS) == get_args(ReportSection)


def test_several_tables_give_the_page_their_names(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("old", "new")]
    for path in paths:
        row = '{"id": %d, "summary": "a ferry ' + path.stem + '", "reference": "a ferry burned"}\n'
        path.write_text(row % 1 + row % 2, encoding="utf-8")
    page = pyramidion.report(paths, tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r"<h1>(.*?)</h1>", page) == ["old, new"]


def test_the_page_needs_nothing_from_outside_and_runs_only_its_own_script(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert set(re.findall(r"<script\b[^>]*>", page)) <= {
        "<script>",
        *re.findall(r'<script type="application/json"[^>]*>', page),
    }
    assert "alert" not in script_of(page)
    assert "&lt;script&gt;" in page
    assert re.findall(r"\b(?:src|href|action)=\"(?!#)", page) == []
    assert "<link" not in page
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])  # type: ignore[index]
    digest = base64.b64encode(hashlib.sha256(script_of(page).encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert ' style="' not in page  # the policy would refuse it


def test_data_for_the_script_is_json_that_can_not_end_its_element(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html", "rouge-1.f").read_text(encoding="utf-8")
    blocks = re.findall(r'<script type="application/json" id="([^"]*)">(.*?)</script>', page, flags=re.S)
    found = {id: json.loads(text) for id, text in blocks}
    assert HOSTILE in found["heat-data"]["names"]
    assert all("<" not in text and "&" not in text for _, text in blocks)


@pytest.mark.slow
def test_every_id_occurs_once_and_every_reference_leads_somewhere(demo_report: Path) -> None:
    page = demo_report.read_text(encoding="utf-8")
    body = page[: page.index("<script>")]
    ids = re.findall(r'\sid="([^"]*)"', body)
    assert [id for id, count in Counter(ids).items() if count > 1] == []
    wanted = re.findall(r'(?:href="#|aria-labelledby="|\sfor="|url\(#)([^")]*)', body)
    assert set(wanted) - set(ids) == set()


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("demo") / "report.html"
    return pyramidion.report("demo", path, ["rouge-1.f", "question.focus"]).read_text("utf-8")


@pytest.mark.slow
def test_headings_descend_one_level_at_a_time(demo_page: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])\b", demo_page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_page_shows_every_measure_with_figure_interval_and_signature(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html", ["rouge-1.recall", "rouge-l.f"]).read_text("utf-8")
    for measure in ("rouge-1.recall", "rouge-l.f"):
        assert f">{measure}</h3>" in page
        assert f"{measure} (95 % confidence intervals)" in page
        assert f"{measure}|alpha:0.5|" in page
    assert page.count('<th scope="col" class="r">lower</th>') == 2


@pytest.mark.slow
def test_figures_have_words_for_those_who_can_not_see_them(demo_page: str) -> None:
    drawings = [one for one in re.findall(r"<svg\b[^>]*>", demo_page) if ' aria-hidden="true"' not in one]
    assert drawings
    assert all(' role="img" ' in one and ' aria-label="' in one for one in drawings)
    assert "from oracle (16) (" in demo_page


@pytest.mark.slow
def test_simulated_judgments_are_marked(demo_page: str) -> None:
    assert '>question.focus <span class="mark">simulated judgments</span></h3>' in demo_page
    assert "Focus (simulated judgments): adjusted means" in demo_page


def test_progress_is_reported_for_scores_and_sections(tmp_path: Path) -> None:
    done: Counter[str] = Counter()
    run = Evaluation(campaign(), progress=lambda what, count, total: done.update({what: count}))
    write_report(tmp_path / "report.html", run, "rouge-1.f")
    assert done["summaries scored"] == 6
    assert done["sections of the report"] == len(SECTIONS)


@pytest.mark.slow
def test_the_methods_say_how_to_repeat_the_report(tmp_path: Path) -> None:
    page = pyramidion.report(
        "demo", tmp_path / "report.html", "rouge-1.f", peers="all", where={"part": "A"}, confidence=90, seed=7
    ).read_text("utf-8")
    command = "pyramidion report demo -m rouge-1.f --confidence 90 --peers all --where part=A --seed 7 -o report.html"
    assert f"<code>{command}</code>" in page
    assert "@inproceedings{lin-2004-rouge," in page
    assert "@inproceedings{nenkova-passonneau-2004," not in page  # no pyramid score in it


def test_warnings_of_the_data_are_listed(tmp_path: Path) -> None:
    rows = tmp_path / "flat.jsonl"
    row = {"topic": "1", "summarizer": "A", "summary": "rain", "references": ["rain"], "colour": "blue"}
    rows.write_text(json.dumps(row), encoding="utf-8")
    with pytest.warns(CampaignWarning, match="1 warning in the data"):
        page = pyramidion.report(rows, tmp_path / "report.html", "rouge-1.f").read_text("utf-8")
    assert "1 warning and no errors found in the data." in page
    assert "an unknown key" in page


def test_strict_refuses_data_with_warnings_and_writes_nothing(tmp_path: Path) -> None:
    rows = tmp_path / "flat.jsonl"
    row = {"topic": "1", "summarizer": "A", "summary": "rain", "references": ["rain"], "colour": "blue"}
    rows.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(CampaignError, match="an unknown key"):
        pyramidion.report(rows, tmp_path / "report.html", "rouge-1.f", strict=True)
    assert not (tmp_path / "report.html").exists()


def test_a_campaign_without_scores_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no scores to report"):
        pyramidion.report(Campaign(), tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_a_figure_says_level_and_note(tmp_path: Path) -> None:
    write_chart(draw_leaderboards(pyramidion.compare("demo", "question.focus", confidence=90)), tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert "question.focus (90 % confidence intervals; simulated judgments)" in drawn


@pytest.mark.parametrize("ending", [".svg", ".html"])
def test_a_figure_runs_nothing_and_needs_nothing_from_outside(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"figure{ending}"
    write_chart(draw_leaderboards(pyramidion.compare(campaign(), ["rouge-1.recall"])), path)
    content = path.read_text(encoding="utf-8")
    assert "<script" not in content
    assert "&lt;script&gt;" in content
    assert re.findall(r"(?:href|src)=\"http", content) == []
    drawing = content[content.index("<svg") : content.index("</svg>") + len("</svg>")]
    assert defusedxml.ElementTree.fromstring(drawing).tag.endswith("svg")


def test_all_numbers_of_a_measure_have_the_same_decimals(tmp_path: Path) -> None:
    values = {"low": [0.2, 0.9, 0.4], "high": [1.5, 0.8, 2.9]}  # intervals that cross 1
    rows = [(who, str(topic), value) for who, given in values.items() for topic, value in enumerate(given)]
    imported = ScoreTable.of(
        Score(topic=topic, summarizer=who, measure="judge", value=value) for who, topic, value in rows
    )
    page = pyramidion.report(Campaign(imported=imported), tmp_path / "report.html").read_text("utf-8")
    table = page[page.index('id="leaderboard-0-mean-imported-judge"') :]
    numbers = re.findall(r">−?\d+\.(\d+)<", table[: table.index("</table>")])
    assert len(numbers) == 2 * 3
    assert {len(decimals) for decimals in numbers} == {2}


def test_measures_without_any_value_are_named(tmp_path: Path) -> None:
    bare = Campaign(
        summaries=(Summary(topic="1", summarizer="s", kind="peer", text="rain"),),
        judgments=(Judgment(topic="1", summarizer="s", question="fluency", value=3),),
    )
    page = pyramidion.report(bare, tmp_path / "report.html").read_text("utf-8")
    assert "<li>rouge-2.f: no value for 1 summary, because the data lacks what the measure needs.</li>" in page


def test_means_over_different_topics_have_a_note(tmp_path: Path) -> None:
    whole = campaign()
    uneven = replace(
        whole, summaries=tuple(one for one in whole.summaries if (one.topic, one.summarizer) != ("2", "b"))
    )
    said = "1 of 2 summarizers lack scores on some topics, so their plain means are over different topics"
    assert said in pyramidion.report(uneven, tmp_path / "uneven.html", "rouge-1.f").read_text("utf-8")
    assert "lack scores" not in pyramidion.report(whole, tmp_path / "whole.html", "rouge-1.f").read_text("utf-8")


@pytest.mark.parametrize("name", ["\x1b[31mred", 'q"uote', "it's", "\\back", "a\nb", "日本"])
def test_figures_bear_any_name(tmp_path: Path, name: str) -> None:
    rows = [
        {"topic": topic, "summarizer": name, "summary": "a", "references": ["a"], "judgments": {name: 3}}
        for topic in ("1", "2")
    ]
    page = pyramidion.report(rows, tmp_path / "report.html").read_text("utf-8")
    assert page.count("<svg") >= 2
    assert "\x1b" not in page


def test_no_line_breaks_a_percentage_or_a_p_value() -> None:
    assert prose("95 % of 1 % (% of all)") == "95\u00a0% of 1\u00a0% (% of all)"
    assert prose("(α = 0.88)") == "(α\u00a0=\u00a00.88)"
    assert prose("topic D03-B is easy") == 'topic <span class="whole">D03-B</span> is easy'
    assert prose("p = 0.026, p < 0.001; stop = 0") == "p\u00a0=\u00a00.026, p\u00a0&lt;\u00a00.001; stop = 0"


def test_no_line_breaks_a_name_from_its_number() -> None:
    assert prose("kl-greedy (6) <i> (all of it)") == "kl-greedy\u00a0(6) &lt;i&gt; (all of it)"
    assert prose("next is system-07 on rouge-2.f.") == 'next is <span class="whole">system-07</span> on rouge-2.f.'


def test_the_truth_behind_simulated_texts_is_no_measure() -> None:
    truth = ("imported.simulated-quality", "imported.judge")
    scores = [
        Score(measure=measure.removeprefix("imported."), topic=topic, summarizer=who, value=value)
        for measure in truth
        for topic in "12"
        for who, value in (("a", 0.2), ("b", 0.4))
    ]
    given = Campaign(imported=ScoreTable.of(scores), simulated="texts")
    context, _ = make_sections(Evaluation(given), None, ReportOptions(sections=("data",)))
    assert context.roles.measures == ("imported.judge",)
    context, _ = make_sections(Evaluation(given), truth, ReportOptions(sections=("data",)))
    assert context.roles.measures == truth


def test_the_first_screen_has_the_sentences_of_a_description_that_people_read() -> None:
    assert lead("Made by `a command`. One|two:3|" + "x:1|" * 20 + "v:1. More.") == "Made by a command. More."
    assert lead("First. " + "word " * 60) == "First."
    assert lead("word " * 60) == "word " * 39 + "word …"
    assert lead("") == ""

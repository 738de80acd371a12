"""The simulated judgments: reproducible, on their scale, and following what they should follow."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.demo import CAMPAIGN_FOLDER
from tools.demo_campaign.build import modified_score
from tools.demo_campaign.defects import Defects
from tools.demo_campaign.judgments import ASSESSORS, CONTENT, GAIN, OVERALL, QUESTIONS, READING, Item, judge, latent
from tools.demo_campaign.summarizers import PARTICIPANTS

CLEAN = Defects(grammar=0.0, redundancy=0.0, reference=0.0, focus=0.0, coherence=0.0)
QUALITY = {
    "grammaticality": "grammar",
    "non-redundancy": "redundancy",
    "referential-clarity": "reference",
    "focus": "focus",
    "coherence": "coherence",
}
SYSTEMS = {one.name: one.id for one in PARTICIPANTS}
shares = st.floats(0, 1)
items = st.builds(
    Item,
    st.just("T"),
    st.sampled_from(["1", "2"]),
    st.floats(0, 1.2),
    st.builds(Defects, grammar=shares, redundancy=shares, reference=shares, focus=shares, coherence=shares),
)


@pytest.fixture(scope="module")
def means() -> dict[str, dict[str, float]]:
    """Question → summarizer → mean answer in the demo campaign."""
    answers: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for line in (CAMPAIGN_FOLDER / "judgments.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        answers[row["question"]][row["summarizer"]].append(row["value"])
    return {question: {id: mean(all_) for id, all_ in rows.items()} for question, rows in answers.items()}


def systems(rows: dict[str, float]) -> dict[str, float]:
    return {name: rows[id] for name, id in SYSTEMS.items()}


def test_the_modified_score_of_the_papers_example_is_right() -> None:
    # The Lockerbie pyramid of Nenkova & Passonneau 2004, section 2.1: P' = 6/14.
    weights = [4, 3, 3, 2, 2, 1, 1, 1, 1]
    assert modified_score(weights, [4, 2], models=4) == pytest.approx(6 / 14)
    assert modified_score([], [], models=4) == 0.0


@given(items)
def test_answers_are_whole_numbers_from_one_to_five(item: Item) -> None:
    answers = judge([item], main={"T": 2})
    assert {answer.value for answer in answers} <= {1, 2, 3, 4, 5}
    assert {answer.question for answer in answers} == {question.name for question in QUESTIONS}


@given(items, st.sampled_from(sorted(QUALITY)), shares)
def test_more_of_a_defect_never_helps(item: Item, question: str, more: float) -> None:
    worse = replace(
        item, defects=replace(item.defects, **{QUALITY[question]: max(more, getattr(item.defects, QUALITY[question]))})
    )
    assert latent(worse)[question] <= latent(item)[question]
    assert latent(worse)[OVERALL] <= latent(item)[OVERALL] + 1e-12
    assert latent(worse)[CONTENT] == latent(item)[CONTENT]


@given(items, st.floats(0, 1.2))
def test_more_content_never_hurts(item: Item, score: float) -> None:
    richer = replace(item, pyramid_score=max(score, item.pyramid_score))
    assert latent(richer)[CONTENT] >= latent(item)[CONTENT]
    assert latent(richer)[OVERALL] >= latent(item)[OVERALL]


def test_the_formulas_are_those_of_the_documentation() -> None:
    # By hand: c = .3/.75 = .4; grammaticality 5 - 4·2·.25 = 3, so l = 1 - .2·.5 = .9.
    item = Item("T", "1", 0.3, replace(CLEAN, grammar=0.25))
    wanted = latent(item)
    assert wanted["grammaticality"] == pytest.approx(3.0)
    assert wanted[CONTENT] == pytest.approx(2.6)
    assert wanted[OVERALL] == pytest.approx(1 + 1.6 * 0.9**0.5)
    assert sum(READING.values()) == pytest.approx(1.0)
    assert set(READING) == set(GAIN) == set(QUALITY)


def test_the_seed_decides_and_nothing_else() -> None:
    many = [Item("T", str(number), 0.4, CLEAN) for number in range(40)]
    first = judge(many, main={"T": 0}, seed=1)
    assert first == judge(many, main={"T": 0}, seed=1)
    assert first != judge(many, main={"T": 0}, seed=2)
    alone = judge(many[7:8], main={"T": 0}, seed=1)
    assert alone == [answer for answer in first if answer.summarizer == "7"]


def test_a_severe_assessor_gives_less() -> None:
    many = [Item("T", str(number), 0.4, CLEAN) for number in range(400)]

    def content(main: int) -> float:
        id = ASSESSORS[main].id
        found = judge(many, main={"T": main})
        return mean(one.value for one in found if one.question == CONTENT and one.assessor == id)

    by_severity = sorted(range(len(ASSESSORS)), key=lambda index: ASSESSORS[index].content)
    assert [content(index) for index in by_severity] == sorted(content(index) for index in by_severity)


def test_content_follows_oracle_random_off_topic(means: dict[str, dict[str, float]]) -> None:
    for question in (CONTENT, OVERALL):
        rows = systems(means[question])
        assert max(rows, key=lambda name: rows[name]) == "oracle"
        assert rows["oracle"] > rows["random"] > rows["off-topic"]
        assert min(rows, key=lambda name: rows[name]) == "off-topic"


def test_each_defective_summarizer_is_last_on_its_question(means: dict[str, dict[str, float]]) -> None:
    for question, name in (
        ("grammaticality", "telegraphic"),
        ("non-redundancy", "repeating"),
        ("focus", "off-topic"),
        ("coherence", "off-topic"),
    ):
        rows = systems(means[question])
        assert min(rows, key=lambda one: rows[one]) == name, question


def test_the_baseline_is_readable_and_has_little_content(means: dict[str, dict[str, float]]) -> None:
    # Dang 2006: the baseline is first on referential clarity and coherence (Tables 5 and 7), second on
    # non-redundancy (Table 4) and near the bottom on content responsiveness (Table 8).
    rows = systems(means["coherence"])
    assert max(rows, key=lambda name: rows[name]) == "lead-most-recent"
    for question in ("referential-clarity", "non-redundancy"):
        rows = systems(means[question])
        assert "lead-most-recent" in sorted(rows, key=lambda name: -rows[name])[:4]
    rows = systems(means[CONTENT])
    assert rows["lead-most-recent"] < median(rows.values())


def test_humans_are_above_all_fair_systems(means: dict[str, dict[str, float]]) -> None:
    for question in (CONTENT, OVERALL):
        fair = {name: value for name, value in systems(means[question]).items() if name != "oracle"}
        assert min(means[question][human] for human in "ABCD") > max(fair.values())

"""Campaigns in the shape of past ones: parts, people who do some topics only, several questions, known variances."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import Campaign, Problems, plain
from pyramidion.campaign.sources import CampaignSource
from pyramidion.cli.simulate import simulate as app
from pyramidion.errors import UsageError
from pyramidion.simulate import CampaignDesign, simulate_campaign, write_simulated_campaign
from pyramidion.simulate.draws import Stream, assigned
from pyramidion.statistics.components import Components, fit_components

TAC = CampaignDesign.shaped(
    "tac2008", topics=8, summarizers=6, unjudged=2, documents=2, document_words=40, pyramids=True
)
DUC = CampaignDesign.shaped("duc2006", topics=10, summarizers=4, documents=2, document_words=40)
LIKERT = CampaignDesign(
    topics=60,
    summarizers=12,
    models=0,
    judgments=True,
    questions="tac2008",
    assessor_count=12,
    assessors_per_summary=1,
    words=8,
    units=4,
)


@pytest.fixture(scope="module")
def tac() -> Campaign:
    return simulate_campaign(TAC).campaign


@pytest.fixture(scope="module")
def duc() -> Campaign:
    return simulate_campaign(DUC).campaign


def test_a_part_has_the_documents_of_the_part_before_it_as_background(tac: Campaign) -> None:
    topics = {topic.topic: topic for topic in tac.topics}
    assert list(topics)[:4] == ["T1-A", "T1-B", "T2-A", "T2-B"]
    for number in range(1, 9):
        first, second = topics[f"T{number}-A"], topics[f"T{number}-B"]
        assert (first.parent, first.part, second.parent, second.part) == (f"T{number}", "A", f"T{number}", "B")
        assert first.background == ()
        assert second.background == first.documents
        assert len({one.id for one in (*second.documents, *second.background)}) == 4
        assert max(one.date for one in first.documents) < min(one.date for one in second.documents)


def test_what_a_later_part_need_not_tell_is_what_the_part_before_it_told(tac: Campaign) -> None:
    texts: dict[tuple[str, str], str] = defaultdict(str)
    for summary in tac.summaries:
        texts[summary.topic, summary.kind] += plain(summary.text) + " "
    old = set(texts["T1-A", "model"].split("."))
    assert not set(texts["T1-B", "model"].split(".")) & old - {" ", ""}
    assert {one.strip() for one in texts["T1-B", "peer"].split(".")} & {one.strip() for one in old if one.strip()}


def test_humans_write_models_of_some_topics_and_everyone_of_equally_many(tac: Campaign, duc: Campaign) -> None:
    for campaign, humans, topics in ((duc, 10, 10), (tac, 8, 8)):
        writers = defaultdict(set)
        for summary in campaign.summaries:
            if summary.kind == "model":
                writers[summary.topic.split("-")[0]].add(summary.summarizer)
        assert {len(each) for each in writers.values()} == {4}
        assert len(writers) == topics
        shares = Counter(one for each in writers.values() for one in each)
        assert len(shares) == humans and set(shares.values()) == {4}


def test_one_assessor_judges_a_topic_with_all_its_parts_and_models(tac: Campaign, duc: Campaign) -> None:
    for campaign, questions in ((tac, 2), (duc, 7)):
        assert len(campaign.questions) == questions
        judging = defaultdict(set)
        for judgment in campaign.judgments:
            judging[judgment.topic.split("-")[0]].add(judgment.assessor)
        assert {len(each) for each in judging.values()} == {1}
        assert len(Counter(one for each in judging.values() for one in each)) == len(judging)
        judged = {(one.topic, one.summarizer) for one in campaign.judgments}
        assert len(campaign.judgments) == questions * len(judged)
        models = {(one.topic, one.summarizer) for one in campaign.summaries if one.kind == "model"}
        assert models <= judged


def test_runs_that_are_not_judged_have_summaries_only(tac: Campaign) -> None:
    last = {"simulated-5", "simulated-6"}
    assert len([one for one in tac.summaries if one.summarizer in last]) == 2 * 16
    assert not [one for one in tac.judgments if one.summarizer in last]
    assert not [one for one in tac.annotations if one.summarizer in last]
    assert all("not judged" in tac.summarizers[id].name for id in last)
    truth = simulate_campaign(TAC).truth.frame
    assert set(truth.filter(~pl.col("judged"))["summarizer"]) == last


@pytest.mark.parametrize("people", [1, 2, 3])
def test_several_assessors_may_judge_a_summary(people: int) -> None:
    design = dataclasses.replace(DUC, assessors_per_summary=people, assessor_count=3, questions="tac2008")
    each = Counter((one.topic, one.summarizer, one.question) for one in simulate_campaign(design).campaign.judgments)
    assert set(each.values()) == {people}


@given(people=st.integers(1, 12), topics=st.integers(1, 40), seed=st.integers(0, 99), data=st.data())
@settings(max_examples=50, deadline=None)
def test_work_is_shared_equally(people: int, topics: int, seed: int, data: st.DataObject) -> None:
    wanted = data.draw(st.integers(1, people))
    teams = [assigned(people, wanted, seed, Stream.MODELS, place) for place in range(topics)]
    assert all(len(set(team)) == wanted for team in teams)
    shares = Counter(one for team in teams for one in team)
    whole = topics // people * wanted
    assert all(whole <= shares[one] <= whole + wanted for one in range(people))


def test_the_truth_tells_severity_and_deviations_that_have_the_known_variances() -> None:
    design = dataclasses.replace(LIKERT, summarizers=60, topics=1, assessor_count=200, assessors_per_summary=1)
    truth = simulate_campaign(dataclasses.replace(design, system_assessor_sd=0.5, severity_sd=0.4)).truth
    assert truth.variances is not None and truth.assessors is not None
    known = {(question, term): value for question, term, value in truth.variances.iter_rows()}
    assert {value for (_, term), value in known.items() if term == "error"} == {0.25}
    for question, rows in truth.assessors.group_by("question"):
        severity = rows.unique("assessor")["severity"].to_numpy()
        deviations = rows["deviation"].to_numpy()
        # A sample variance of n normal values has the standard deviation σ²√(2/(n − 1)).
        for values, term in ((severity, "assessor"), (deviations, "summarizer:assessor")):
            variance = known[str(question[0]), term]
            assert abs(values.var(ddof=1) - variance) < 4 * variance * np.sqrt(2 / (len(values) - 1))


@pytest.mark.slow
@pytest.mark.parametrize("sd", [0.0, 0.3, 0.6])
def test_estimated_variances_are_near_the_known_ones(sd: float) -> None:
    """Language is judged near the middle of the scale: rounding adds about 1/12 to the error, and little is cut off."""
    found = []
    for seed in range(8):
        design = dataclasses.replace(LIKERT, system_assessor_sd=sd, severity_sd=0.3, language_sd=0.1, seed=seed)
        campaign = simulate_campaign(design).campaign
        rows = [one for one in campaign.judgments if one.question == "simulated-linguistic-quality"]
        who, topics, people = (
            np.unique([getattr(one, name) for one in rows], return_inverse=True)[1]
            for name in ("summarizer", "topic", "assessor")
        )
        fit = fit_components(who, topics, people, np.array([float(one.value) for one in rows]))
        assert isinstance(fit, Components)
        found.append([fit.value("summarizer:assessor"), fit.value("error")])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(len(found))
    # An estimate that can't fall below 0 is above 0 on average even where there is nothing to find.
    assert abs(means[0] - sd**2) < 4 * errors[0] + 0.1 * sd**2 + (0.02 if sd == 0 else 0)
    # The noise, the language of single summaries (0.3²) and rounding.
    assert abs(means[1] - (0.25 + 0.09 + 1 / 12)) < 4 * errors[1] + 0.04


def test_more_interaction_is_found_as_more_disagreement_about_systems() -> None:
    """The same draws with a larger spread: assessors differ more about systems, and nothing else is drawn anew."""
    steady = dataclasses.replace(LIKERT, topics=6, summarizers=4, severity_sd=0, judgment_noise_sd=0, language_sd=0)
    truths = [simulate_campaign(dataclasses.replace(steady, system_assessor_sd=sd)).truth for sd in (0.5, 1.0)]
    small, large = (truth.assessors["deviation"].to_numpy() for truth in truths if truth.assessors is not None)
    assert np.allclose(2 * small, large)


def test_the_files_hold_the_truth_and_pass_the_check(tmp_path: Path) -> None:
    truth = write_simulated_campaign(TAC, tmp_path / "tac")
    problems = Problems()
    campaign = CampaignSource(tmp_path / "tac").read(problems)
    assert not problems
    assert campaign.topics == simulate_campaign(TAC).campaign.topics
    assert truth.variances is not None and truth.assessors is not None
    assert pl.read_csv(tmp_path / "tac" / "truth-variances.csv").equals(truth.variances)
    assert pl.read_csv(tmp_path / "tac" / "truth-assessors.csv").equals(truth.assessors)


def test_simulated_stands_wherever_a_name_of_a_shape_shows(tac: Campaign) -> None:
    shown = [
        *(one.assessor for one in tac.judgments),
        *(one.summarizer for one in tac.summaries),
        *(one.name for one in tac.questions),
        *(one.text for one in tac.questions),
        *(one.id for topic in tac.topics for one in (*topic.documents, *topic.background)),
        *(one.title for one in tac.topics),
        *(one.name for one in tac.summarizers.values() if one.name),
    ]
    assert all("simulated" in one.lower() for one in shown)
    assert tac.simulated == "texts, judgments"


def test_the_options_of_a_shape_can_be_changed_on_the_command_line(tmp_path: Path) -> None:
    options = [
        "--topics",
        "3",
        "--summarizers",
        "4",
        "--documents",
        "1",
        "--unjudged",
        "1",
        "--system-assessor-sd",
        "0.5",
    ]
    result = CliRunner().invoke(app, ["campaign", "--shape", "tac2008", *options, "-o", str(tmp_path / "tac")])
    assert result.exit_code == 0, result.output
    assert "24 simulated summaries (topics 3 × parts 2 × summarizers 4, models 4, seed 0)" in result.stdout
    assert "Known variances of the judgments: severity 0.09, system × assessor 0.25, noise 0.25." in result.stdout
    expected = CampaignDesign.shaped(
        "tac2008", topics=3, summarizers=4, documents=1, unjudged=1, system_assessor_sd=0.5
    )
    assert CampaignSource(tmp_path / "tac").read(Problems()).judgments == simulate_campaign(expected).campaign.judgments


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"humans": 3}, "humans"),
        ({"assessors_per_summary": 9}, "assessors-per-summary"),
        ({"unjudged": 73}, "unjudged"),
        ({"units": 8000}, "units"),
        ({"parts": 0}, "parts"),
        ({"questions": "tac2009"}, "questions"),
        ({"topic": 5}, "topics"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        CampaignDesign.shaped("tac2008", **wrong)


def test_an_unknown_shape_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="duc2006, tac2008"):
        CampaignDesign.shaped("duc2004")  # type: ignore[arg-type]


def test_a_flat_file_can_not_hold_parts(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="pyramids, parts of topics and judgments of references need a campaign folder"
    ):
        write_simulated_campaign(TAC, tmp_path / "tac.jsonl")

"""`compare --using`: people's answers to a sample and predictors of the rest, from the campaign to the sentence."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.errors import InputError, UsageError
from pyramidion.run.evaluation import Evaluation
from pyramidion.run.prediction_data import frame_for
from pyramidion.statistics.predictions import estimate_means
from pyramidion.studies.predictions.estimates import PredictedComparison


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A copy of the demo, which can be written to."""
    folder = tmp_path / "campaign"
    shutil.copytree(str(files("pyramidion.demo") / "campaign"), folder)
    return folder


def keep_answers(campaign: Path, topics: set[str]) -> None:
    """Leave only the judgments of some topics."""
    path = campaign / "judgments.jsonl"
    kept = [line for line in path.read_text().splitlines() if json.loads(line)["topic"] in topics]
    path.write_text("\n".join(kept) + "\n")


def drawn_topics(campaign: Path) -> set[str]:
    units = [json.loads(line) for line in (campaign / "sample.jsonl").read_text().splitlines()]
    return {unit["topic"] for unit in units if unit["drawn"]}


def compare(data: Path | str, measure: str, **options: object) -> PredictedComparison:
    found = pyramidion.compare(data, measure, **options)  # type: ignore[arg-type]
    assert isinstance(found, PredictedComparison)
    return found


def test_drawn_topics_are_estimated_and_the_sentence_says_what_was_labelled(campaign: Path, run: Run) -> None:
    run("plan", str(campaign), "--share", "60", "--by", "topic", "--seed", "1")
    keep_answers(campaign, drawn_topics(campaign))
    code, output, _ = run(
        "compare", str(campaign), "-m", "question.focus", "--using", "rouge-2.recall", "--pair", "16", "4"
    )
    assert code == 0
    sentences = output.split("question.focus, from")[0]
    assert "topics, drawn at random, each judged in all systems)" in sentences
    assert "rouge-2.recall predicted the rest and was corrected by their answers." in sentences
    code, output, _ = run(
        "compare", str(campaign), "-m", "question.focus", "--using", "rouge-2.recall", "--format", "json"
    )
    by_kind: dict[str, list[dict[str, object]]] = {}
    for record in records(output):
        by_kind.setdefault(str(record["record"]), []).append(record)
    assert list(by_kind) == ["predicted-plan", "predicted-mean", "predicted-pair", "predicted-fit"]
    assert len(by_kind["predicted-pair"]) == 20 * 19 / 2
    assert by_kind["predicted-plan"][0]["drawn"] == len(drawn_topics(campaign))


def test_means_without_use_of_the_predictor_are_those_of_the_answers(campaign: Path) -> None:
    pyramidion.plan(campaign, share=60, by="topic", seed=2)
    keep_answers(campaign, drawn_topics(campaign))
    found = compare(campaign, "question.focus", using="rouge-2.recall").predicted[0]
    plain = pyramidion.score(campaign, "question.focus").means()
    expected = dict(plain.select("summarizer", "value").iter_rows())
    units = found.designed.units
    means = estimate_means(units, np.zeros_like(found.prediction.slopes)).means
    assert dict(zip(found.frame.systems, means, strict=True)) == pytest.approx(expected)


def test_answers_that_were_not_drawn_change_nothing_and_are_counted(campaign: Path) -> None:
    pyramidion.plan(campaign, share=60, by="topic", seed=3)
    full = compare(campaign, "question.focus", using="rouge-2.recall")
    keep_answers(campaign, drawn_topics(campaign))
    part = compare(campaign, "question.focus", using="rouge-2.recall")
    assert full.predicted[0].designed.outside > 0
    assert part.predicted[0].designed.outside == 0
    assert full.predicted[0].prediction.means == pytest.approx(part.predicted[0].prediction.means, abs=1e-12)
    assert any("are not used: the plan did not draw them" in note for note in full.tables()[0].notes)


def test_scus_in_all_systems_give_an_estimate_near_the_scores_of_all_answers(campaign: Path, run: Run) -> None:
    run("plan", str(campaign), "--share", "50", "--by", "scu", "--seed", "4")
    found = compare(campaign, "pyramid.modified", using="auto-pyramid").predicted[0]
    scores = dict(pyramidion.score(campaign, "pyramid.modified").means().select("summarizer", "value").iter_rows())
    inside = [row.lower <= scores[row.summarizer] <= row.upper for row in found.means]
    # 20 limits of 95 %, which depend on each other; the seed is fixed.
    assert sum(inside) >= 17
    assert found.designed.plan.clusters == "SCUs"


def test_where_everything_is_answered_the_means_are_the_scores_and_nothing_was_predicted(run: Run) -> None:
    for measure in ("pyramid.modified", "pyramid.recall", "pyramid(weights=equal).recall", "question.focus"):
        found = compare("demo", measure, using="rouge-2.recall")
        scores = dict(pyramidion.score("demo", measure).means().select("summarizer", "value").iter_rows())
        assert {row.summarizer: row.value for row in found.predicted[0].means} == pytest.approx(scores, abs=1e-12)
    code, output, _ = run("compare", "demo", "-m", "question.focus", "--using", "rouge-2.recall")
    assert code == 0
    assert "nothing was predicted" in output


def test_without_a_plan_the_assumption_is_asked_for_and_repeated(campaign: Path, run: Run) -> None:
    topics = sorted({json.loads(line)["topic"] for line in (campaign / "judgments.jsonl").read_text().splitlines()})
    keep_answers(campaign, set(topics[:7]))
    words = ["compare", str(campaign), "-m", "question.focus", "--using", "rouge-2.recall"]
    code, _, errors = run(*words)
    assert code == 2
    assert "were not drawn by a plan" in errors
    assert "--assume-random topics" in errors
    code, output, _ = run(*words, "--assume-random", "topics")
    assert code == 0
    assert "assumed to be a random sample of topics" in output


def test_few_topics_give_means_and_no_interval(campaign: Path) -> None:
    pyramidion.plan(campaign, share=30, by="topic", seed=5)
    found = compare(campaign, "question.focus", using="rouge-2.recall").predicted[0]
    assert found.designed.plan.drawn < 5
    assert np.isnan([row.lower for row in found.means]).all()
    assert found.means[0].reason == "too few topics were judged for an interval: 5 or more must be"


def test_a_system_that_nobody_judged_is_named(campaign: Path) -> None:
    pyramidion.plan(campaign, share=60, by="topic", seed=6)
    path = campaign / "judgments.jsonl"
    kept = [line for line in path.read_text().splitlines() if json.loads(line)["summarizer"] != "16"]
    path.write_text("\n".join(kept) + "\n")
    with pytest.raises(UsageError, match="no one judged 16"):
        compare(campaign, "question.focus", using="rouge-2.recall")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "pyramid.original", "--using", "auto-pyramid"], "divides by the number of SCUs in the peer itself"),
        (["-m", "pyramid", "--using", "auto-pyramid"], "pyramid.recall or pyramid.modified"),
        (["--using", "rouge-2.recall"], "-m is missing"),
        (["-m", "question.focus", "--using", "rouge-2.recall", "--sequential"], "--sequential can't be combined"),
        (["-m", "pyramid.recall", "--using", "pyramid.modified"], "annotator"),
        (["-m", "pyramid.recall", "--using", "auto-pyramid(threshold=0.4)"], "has no threshold"),
        (["-m", "rouge-2.recall", "--plan", "x.jsonl"], "--using"),
    ],
)
def test_what_can_not_be_predicted_is_refused_with_the_reason(run: Run, words: list[str], message: str) -> None:
    code, _, errors = run("compare", "demo", *words)
    assert code == 2
    assert message in errors


def test_single_answers_use_what_was_said_about_other_systems(campaign: Path) -> None:
    pyramidion.plan(campaign, share=40, by="unit", measure="pyramid.recall", seed=7)
    found = compare(campaign, "pyramid.recall", using="auto-pyramid").predicted[0]
    assert found.prediction.slopes.shape[1] == 2
    assert found.prediction.has_interval


def test_by_uncertainty_the_chances_of_the_plan_are_used(campaign: Path) -> None:
    pyramidion.plan(campaign, share=40, by="scu", by_uncertainty="auto-pyramid", seed=8)
    found = compare(campaign, "pyramid.recall", using="auto-pyramid").predicted[0]
    assert found.designed.units.strata is None
    assert len(np.unique(found.designed.units.chances)) > 10


def test_pyramid_score_predicts_the_modified_score_and_the_recall(campaign: Path, run: Run) -> None:
    pyramidion.plan(campaign, share=40, by="scu", seed=9)
    code, output, _ = run("pyramid", "score", str(campaign), "--using", "auto-pyramid", "--format", "json")
    assert code == 0
    means = [record for record in records(output) if record["record"] == "predicted-mean"]
    assert {str(record["measure"]) for record in means} == {"pyramid.modified", "pyramid.recall"}
    expected = {
        row.summarizer: row.value
        for row in compare(campaign, "pyramid.recall", using="auto-pyramid").predicted[0].means
    }
    found = {record["summarizer"]: record["value"] for record in means if record["measure"] == "pyramid.recall"}
    assert found == pytest.approx(expected)
    assert "whole pyramids" in run("pyramid", "score", "demo", "--using", "auto-pyramid", "--order", "2")[2]


def test_a_programs_scores_of_scus_predict_as_the_matcher_that_gave_them(campaign: Path, tmp_path: Path) -> None:
    """The scores are those of auto-pyramid, so that both estimates are the same."""
    pyramidion.plan(campaign, share=20, by="scu", seed=1, plan=str(tmp_path / "drawn.jsonl"))
    frame = frame_for(Evaluation(campaign), "pyramid.recall", ["auto-pyramid"])
    table = tmp_path / "nli.csv"
    lines = ["topic,system,scu,entailment"]
    for unit, score in enumerate(frame.features[:, 0].tolist()):
        question, system = frame.questions[frame.question_numbers[unit]], frame.systems[frame.system_numbers[unit]]
        lines.append(f"{question.topic},{system},{question.uid},{score!r}")
    table.write_text("\n".join(lines), encoding="utf-8")

    def differences(using: str) -> list[float]:
        result = pyramidion.compare(campaign, "pyramid.recall", using=using, plan=str(tmp_path / "drawn.jsonl"))
        return [row["difference"] for row in result.records("predicted-pair")]

    assert differences(str(table)) == pytest.approx(differences("auto-pyramid"), abs=1e-12)
    for text, error, message in (
        ("\n".join([*lines, lines[1]]), InputError, "another score for SCU"),
        (lines[0] + "\nD1,1,x,0.5", InputError, "the number of an SCU"),
        (lines[0] + "\nnowhere,1,1,0.5", UsageError, "no values for these topics"),
        ("topic,scu,score\n", UsageError, "no scores"),
        ("topic,scu,score\nD1,1,1", UsageError, "expected topic, summarizer, scu and score"),
    ):
        table.write_text(text, encoding="utf-8")
        with pytest.raises(error, match=message):
            differences(str(table))

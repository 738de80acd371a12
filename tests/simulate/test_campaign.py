"""Simulated campaigns: valid in every form, exact where they say so, and their overlap follows their content."""

from __future__ import annotations

import dataclasses
import math
import re
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from pyramidion.campaign import Campaign, PeerAnnotation, Problems, Pyramid, Summary, plain
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError
from pyramidion.scores import read_scores
from pyramidion.simulate import CampaignDesign, simulate_campaign, write_simulated_campaign
from pyramidion.simulate.theory import expected_correlations

FULL = CampaignDesign(topics=6, summarizers=5, models=3, documents=2, judgments=True, pyramids=True)
FLAT = dataclasses.replace(FULL, pyramids=False)
STEADY = CampaignDesign(
    topics=3,
    summarizers=12,
    topic_sd=0,
    interaction_sd=0,
    selection_noise=0,
    system_sd=1,
    judgments=True,
    severity_sd=0,
    judgment_noise_sd=0,
    pyramids=True,
)

# From docs/concepts/simulation.md.
FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+", "a and as at been by each for from had has in is its not of on some that the their this to was with"
    )
)

designs = st.builds(
    CampaignDesign,
    topics=st.integers(1, 3),
    summarizers=st.integers(1, 5),
    models=st.integers(0, 3),
    seed=st.integers(0, 2**63 - 1),
    words=st.integers(8, 60),
    units=st.integers(1, 12),
    zipf=st.sampled_from([0.0, 1.0, 10.0]),
    quality=st.sampled_from([0.001, 0.5, 0.999]),
    system_sd=st.sampled_from([0.0, 0.5, 1e9]),
    topic_sd=st.sampled_from([0.0, 0.5, 1e9]),
    interaction_sd=st.sampled_from([0.0, 0.5]),
    selection_noise=st.sampled_from([0.0, 1.0, 1000.0]),
    synonyms=st.sampled_from([0.0, 0.2, 1.0]),
    documents=st.integers(0, 2),
    document_words=st.integers(8, 100),
    judgments=st.booleans(),
    assessor_count=st.integers(1, 3),
    judgment_noise_sd=st.sampled_from([0.0, 0.5, 100.0]),
)


def read(path: Path) -> tuple[Campaign, Problems]:
    problems = Problems()
    return CampaignSource(path).read(problems), problems


def by_key(campaign: Campaign) -> dict[tuple[str, str], Summary]:
    return {(summary.topic, summary.summarizer): summary for summary in campaign.summaries}


def cells(campaign: Campaign, measure: str) -> dict[tuple[str, str], float]:
    return {(one.topic, one.summarizer): one.value for one in campaign.imported if one.measure == measure}


def answers(campaign: Campaign) -> dict[tuple[str, str, str, str], float]:
    return {(one.topic, one.summarizer, one.question, one.assessor): one.value for one in campaign.judgments}


def own_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower())) - FUNCTION_WORDS


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@given(designs, st.sampled_from(["folder", "flat.jsonl", "flat.parquet"]), st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_small_design_gives_a_valid_campaign(
    tmp_path: Path, design: CampaignDesign, form: str, pyramids: bool
) -> None:
    if form == "folder" and design.models:
        design = dataclasses.replace(design, pyramids=pyramids)
    path = tmp_path / form
    shutil.rmtree(tmp_path / "folder", ignore_errors=True)
    write_simulated_campaign(design, path)
    campaign, problems = read(path)
    assert problems.errors == 0
    # Topics without models are the one warning that a design can ask for.
    assert all("without" in problem.found for problem in problems) and bool(problems) == (design.models == 0)
    peers = [summary for summary in campaign.summaries if summary.kind == "peer"]
    assert len(peers) == design.topics * design.summarizers
    assert len(campaign.summaries) - len(peers) == design.topics * design.models
    assert len(campaign.judgments) == len(peers) * (design.assessor_count if design.judgments else 0)
    for summary in campaign.summaries:
        assert 0 < len(plain(summary.text).split()) <= design.words


def test_the_forms_hold_the_same_texts_and_judgments(tmp_path: Path) -> None:
    memory = simulate_campaign(FULL).campaign
    write_simulated_campaign(FULL, tmp_path / "folder")
    folder, _ = read(tmp_path / "folder")
    assert folder == dataclasses.replace(memory, imported=folder.imported)
    assert {(s.measure, s.topic, s.summarizer): s.value for s in folder.imported} == {
        (s.measure, s.topic, s.summarizer): s.value for s in memory.imported
    }
    for ending in ("jsonl", "parquet"):
        write_simulated_campaign(FLAT, tmp_path / f"flat.{ending}")
        flat, _ = read(tmp_path / f"flat.{ending}")
        for key, summary in by_key(memory).items():
            if summary.kind == "peer":
                assert plain(by_key(flat)[key].text) == plain(summary.text)
            else:
                reference = summary.summarizer.replace("simulated-model-", "ref")
                assert plain(by_key(flat)[key[0], reference].text) == plain(summary.text)
        assert answers(flat) == answers(memory)
        assert flat.simulated == memory.simulated == "texts, judgments"
        documents = [[plain(one.text) for one in topic.documents] for topic in flat.topics]
        assert documents == [[plain(one.text) for one in topic.documents] for topic in memory.topics]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_other_texts(tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 5), ("three", 6)):
        write_simulated_campaign(dataclasses.replace(FULL, seed=seed), tmp_path / name / "folder")
        for ending in ("jsonl", "parquet"):
            write_simulated_campaign(dataclasses.replace(FLAT, seed=seed), tmp_path / name / f"flat.{ending}")
    assert files(tmp_path / "one") == files(tmp_path / "two")
    texts = [{s.text for s in read(tmp_path / name / "folder")[0].summaries} for name in ("one", "three")]
    assert not texts[0] & texts[1]


def test_documents_judgments_and_pyramids_change_no_text() -> None:
    plain_design = CampaignDesign(topics=6, summarizers=5, models=3)
    assert simulate_campaign(plain_design).campaign.summaries == simulate_campaign(FULL).campaign.summaries


def test_the_truth_about_systems_and_summaries_stands_beside_the_data(tmp_path: Path) -> None:
    truth = write_simulated_campaign(FLAT, tmp_path / "flat.jsonl")
    assert pl.read_csv(tmp_path / "flat.truth.csv").equals(truth.frame)
    assert sorted(truth.ranks.tolist()) == [1, 2, 3, 4, 5]
    assert truth.ranks[np.argmax(truth.quality)] == 1
    table = read_scores(tmp_path / "flat.truth.parquet")
    assert table.measures == ("simulated-quality", "simulated-coverage")
    assert len(table) == 2 * 6 * 5
    assert all("seed:0" in signature for signature in table.signatures("simulated-coverage"))
    write_simulated_campaign(FULL, tmp_path / "folder")
    memory = {(s.topic, s.summarizer): s.value for s in read(tmp_path / "folder")[0].imported if "cov" in s.measure}
    matrix = table.matrix("simulated-coverage")
    assert memory == {
        (topic, summarizer): matrix.values[row, column]
        for row, summarizer in enumerate(matrix.summarizers)
        for column, topic in enumerate(matrix.topics)
    }


@pytest.fixture(scope="module")
def exact() -> Campaign:
    """Without synonyms, the own words of a sentence tell its unit."""
    return simulate_campaign(dataclasses.replace(FULL, synonyms=0, summarizers=8)).campaign


def pyramids(campaign: Campaign) -> Iterable[tuple[Pyramid, list[PeerAnnotation]]]:
    for pyramid in campaign.pyramids:
        yield pyramid, [one for one in campaign.annotations if one.topic == pyramid.topic]


def test_each_sentence_of_a_model_is_one_contributor_with_the_words_of_its_unit(exact: Campaign) -> None:
    texts = by_key(exact)
    for pyramid, _ in pyramids(exact):
        parts: dict[str, list[str]] = {}
        for scu in pyramid.scus:
            assert scu.weight == len(scu.contributors) >= 1
            for contributor in scu.contributors:
                ((start, end),) = contributor.parts
                words = plain(texts[pyramid.topic, contributor.model].text)[start:end]
                assert own_words(words) == own_words(scu.label)
                parts.setdefault(contributor.model, []).append(words + ".")
        for model in pyramid.models:
            assert Counter(parts[model]) == Counter(texts[pyramid.topic, model].text)


def test_annotations_match_every_sentence_of_a_peer_once_and_rightly(exact: Campaign) -> None:
    texts = by_key(exact)
    for pyramid, peers in pyramids(exact):
        labels = {scu.uid: own_words(scu.label) for scu in pyramid.scus}
        assert len(peers) == 8
        for annotation in peers:
            text = texts[pyramid.topic, annotation.summarizer].text
            found: list[str] = []
            for match in annotation.scus:
                (((start, end),),) = match.contributors
                found.append(plain(text)[start:end] + ".")
                assert own_words(found[-1]) == labels[match.uid]
            assert annotation.unmatched is not None
            for ((start, end),) in annotation.unmatched:
                found.append(plain(text)[start:end] + ".")
                assert own_words(found[-1]) not in labels.values()
            assert Counter(found) == Counter(text)


def test_units_share_no_word_of_their_own_within_a_topic(exact: Campaign) -> None:
    for pyramid in exact.pyramids:
        words = [word for scu in pyramid.scus for word in own_words(scu.label)]
        assert len(words) == len(set(words))
        assert all(4 <= len(own_words(scu.label)) <= 6 for scu in pyramid.scus)


def test_sentences_are_cased_and_pseudo_words_are_their_own_stems(exact: Campaign) -> None:
    nltk = pytest.importorskip("nltk.stem.porter")
    stem = nltk.PorterStemmer(mode="ORIGINAL_ALGORITHM").stem
    for summary in exact.summaries:
        for sentence in summary.text:
            assert re.fullmatch(r"[A-Z][a-z]*( [a-z]+){7}\.", sentence)
            assert all(stem(word) == word for word in own_words(sentence))


def test_writers_without_noise_follow_importance_and_coverage_is_exact() -> None:
    # Every model then tells units 1 … n, so that the coverage follows from the annotation by the formula in the docs.
    campaign = simulate_campaign(STEADY).campaign
    n = 100 // 8
    best = sum(1 / k for k in range(1, n + 1))
    coverage = cells(campaign, "simulated-coverage")
    for pyramid, peers in pyramids(campaign):
        assert [(scu.uid, scu.weight) for scu in pyramid.scus] == [(uid, 4) for uid in range(1, n + 1)]
        for annotation in peers:
            told = sum(1 / match.uid for match in annotation.scus)
            assert coverage[pyramid.topic, annotation.summarizer] == pytest.approx(told / best)


def test_without_noise_coverage_and_answers_never_contradict_the_true_order() -> None:
    simulated = simulate_campaign(STEADY)
    coverage = cells(simulated.campaign, "simulated-coverage")
    judged = {(topic, summarizer): value for (topic, summarizer, *_), value in answers(simulated.campaign).items()}
    order = simulated.truth.frame.sort("quality")["summarizer"].to_list()
    for topic in simulated.campaign.topic_ids:
        for scores in (coverage, judged):
            ranked = [scores[topic, summarizer] for summarizer in order]
            assert ranked == sorted(ranked)
            assert ranked[0] < ranked[-1]


def test_important_units_are_told_by_more_models() -> None:
    design = CampaignDesign(topics=60, summarizers=1, models=4, pyramids=True)
    weights: dict[int, int] = Counter()
    for pyramid in simulate_campaign(design).campaign.pyramids:
        for scu in pyramid.scus:
            weights[scu.uid] += scu.weight
    told = [weights[uid] for uid in range(1, 41)]
    assert stats.spearmanr(told, range(40)).statistic < -0.9
    assert told[0] > 0.9 * 60 * 4


def test_mean_coverage_recovers_the_order_of_systems_as_its_reliability_says() -> None:
    # Reliability 1 − MSE/MS of the two-way analysis; τ = 2/π·asin √reliability with Esscher's standard deviation.
    systems, topics, seeds = 15, 60, range(6)
    gaps = []
    for seed in seeds:
        simulated = simulate_campaign(CampaignDesign(topics=topics, summarizers=systems, seed=seed))
        coverage = cells(simulated.campaign, "simulated-coverage")
        values = np.array(
            [
                [coverage[topic, summarizer] for topic in simulated.campaign.topic_ids]
                for summarizer in simulated.truth.frame["summarizer"]
            ]
        )
        means = values.mean(axis=1)
        residuals = values - means[:, None] - values.mean(axis=0) + values.mean()
        mse = (residuals**2).sum() / ((systems - 1) * (topics - 1))
        reliability = 1 - mse / (topics * means.var(ddof=1))
        expected = expected_correlations(math.sqrt(reliability), systems)
        found = stats.kendalltau(means, simulated.truth.quality).statistic
        gaps.append((found - expected.kendall) / expected.kendall_sd)
    assert abs(np.mean(gaps)) < 4 / math.sqrt(len(seeds))


def test_overlap_of_own_words_is_exactly_that_of_the_units_that_two_texts_share(exact: Campaign) -> None:
    for pyramid, peers in pyramids(exact):
        data = exact.topic(pyramid.topic)
        sizes = {scu.uid: len(own_words(scu.label)) for scu in pyramid.scus}
        texts = {summary.summarizer: own_words(plain(summary.text)) for summary in (*data.models, *data.peers)}
        for model in pyramid.models:
            told = {scu.uid for scu in pyramid.scus if any(one.model == model for one in scu.contributors)}
            for annotation in peers:
                shared = told & {match.uid for match in annotation.scus}
                assert len(texts[model] & texts[annotation.summarizer]) == sum(sizes[uid] for uid in shared)


def test_overlap_by_another_rouge_follows_coverage() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2"])
    campaign = simulate_campaign(CampaignDesign(topics=8, summarizers=12, models=2)).campaign
    coverage = cells(campaign, "simulated-coverage")
    for name in ("rouge1", "rouge2"):
        recalls = {
            (peer.topic, peer.summarizer): np.mean(
                [scorer.score(plain(model.text), plain(peer.text))[name].recall for model in data.models]
            )
            for data in campaign.each_topic()
            for peer in data.peers
        }
        result = stats.pearsonr([recalls[key] for key in coverage], list(coverage.values()), alternative="greater")
        assert result.pvalue < 1e-6


def test_more_peers_than_are_drawn_at_once_make_one_topic(tmp_path: Path) -> None:
    design = CampaignDesign(topics=1, summarizers=5000, models=1, words=16, units=4)
    write_simulated_campaign(design, tmp_path / "flat.jsonl")
    campaign, problems = read(tmp_path / "flat.jsonl")
    assert len(problems) == 0
    assert len(campaign.summaries) == 5001


def test_simulated_stands_wherever_a_name_shows() -> None:
    campaign = simulate_campaign(FULL).campaign
    shown = [
        campaign.name,
        campaign.description,
        *(summary.summarizer for summary in campaign.summaries),
        *(summarizer.name for summarizer in campaign.summarizers.values() if summarizer.name),
        *(judgment.assessor for judgment in campaign.judgments),
        *(question.name for question in campaign.questions),
        *(question.text for question in campaign.questions),
        *(pyramid.annotator for pyramid in campaign.pyramids),
        *(annotation.annotator for annotation in campaign.annotations),
        *(topic.title for topic in campaign.topics),
        *(document.id for topic in campaign.topics for document in topic.documents),
        *(score.measure for score in campaign.imported),
    ]
    assert all("simulated" in name.lower() for name in shown)
    assert {campaign.kind_of(id) for id in campaign.summarizers} == {"human", "participant"}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"topics": 0}, "topics"),
        ({"models": -1}, "models"),
        ({"words": 7}, "words"),
        ({"units": 0}, "units"),
        ({"units": 10**6}, "units"),
        ({"quality": 0.0}, "quality"),
        ({"quality": 1.0}, "quality"),
        ({"synonyms": 1.5}, "synonyms"),
        ({"selection_noise": float("nan")}, "selection-noise"),
        ({"topic_sd": -1.0}, "topic-sd"),
        ({"models": 0, "pyramids": True}, "pyramids"),
    ],
)
def test_a_design_that_makes_no_sense_is_refused_by_name(wrong: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        CampaignDesign(**({"topics": 2, "summarizers": 2} | wrong))  # type: ignore[arg-type]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text("name = 'real'")
    with pytest.raises(UsageError, match="empty folder"):
        write_simulated_campaign(FULL, tmp_path)
    assert files(tmp_path) == {"campaign.toml": b"name = 'real'"}


def test_pyramids_need_a_folder_and_a_table_is_no_campaign(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="folder"):
        write_simulated_campaign(FULL, tmp_path / "flat.jsonl")
    with pytest.raises(UsageError, match="folder"):
        write_simulated_campaign(FLAT, tmp_path / "flat.csv")
    assert files(tmp_path) == {}

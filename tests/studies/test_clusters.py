"""Topics that belong together, from the data to the verdict: which field says so, and what is tested then."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.campaign.nouns import Document, Topic
from pyramidion.errors import InputError, UsageError
from pyramidion.options import CompareOptions
from pyramidion.present.gate import remarks_on_data
from pyramidion.scores import ScoreTable
from pyramidion.statistics.power import detectable_difference
from pyramidion.studies.clusters import TopicClusters, clusters_by_document, find_shared
from pyramidion.studies.comparison.comparison import compare

pytestmark = pytest.mark.filterwarnings("ignore:.*in the data")  # that a column of a score table is text
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "then", "it", "went", "home", "to", "sleep"]


def rows(topics: int = 12, size: int = 3, *, systems: str = "AB", seed: int = 0) -> list[dict[str, object]]:
    generator = np.random.default_rng(seed)
    return [
        {
            "topic": f"t{topic:02}",
            "summarizer": system,
            "score": round(float(generator.normal() + 0.4 * (system == "A")), 3),
            "conversation": f"c{topic // size}",
        }
        for topic in range(topics)
        for system in systems
    ]


def test_a_column_of_a_score_table_makes_clusters_of_its_topics() -> None:
    found = pyramidion.compare(rows(), cluster="conversation").pairs[0]
    scores = np.array([row["score"] for row in rows()], dtype=float).reshape(12, 2)
    means = (scores[:, 0] - scores[:, 1]).reshape(4, 3).mean(axis=1)
    expected = stats.ttest_1samp(means, 0)  # clusters of equal size: the t test of their means
    assert (found.p, found.df) == pytest.approx((expected.pvalue, 3))
    assert (found.n, found.clusters, found.cluster) == (12, 4, "conversation")
    assert "over 12 topics in 4 clusters (conversation)" in found.sentence
    record = found.fields()
    assert record["clusters"] == 4
    assert record["design_effect"] == pytest.approx(
        expected.statistic**-2 * means.mean() ** 2 * 12 / np.var(scores[:, 0] - scores[:, 1], ddof=1)
    )


def test_a_csv_of_scores_and_a_table_of_summaries_have_clusters_by_column(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    lines = [",".join(map(str, row.values())) for row in rows()]
    table.write_text("\n".join([",".join(rows()[0]), *lines]))
    in_file = pyramidion.compare(str(table), cluster="conversation").pairs[0]
    assert in_file.p == pyramidion.compare(rows(), cluster="conversation").pairs[0].p
    generator = np.random.default_rng(1)
    flat = tmp_path / "flat.jsonl"
    with flat.open("w") as file:
        for row in rows():
            words = " ".join(generator.choice(WORDS, 8))
            texts = {"summary": words, "reference": " ".join(WORDS[:9]), "document": f"text of {row['conversation']}"}
            file.write(json.dumps({**row, **texts, "score": None}) + "\n")
    by_column = pyramidion.compare(str(flat), "rouge-1.f", cluster="conversation").pairs[0]
    by_document = pyramidion.compare(str(flat), "rouge-1.f", cluster="document").pairs[0]
    assert by_column.clusters == by_document.clusters == 4
    assert by_column.p == by_document.p


def test_the_demo_has_clusters_by_parent_and_by_document() -> None:
    by_parent = pyramidion.compare("demo", "rouge-2.recall", pair=[("16", "2")], cluster="parent")
    by_document = pyramidion.compare("demo", "rouge-2.recall", pair=[("16", "2")], cluster="document")
    assert by_parent.pairs[0].clusters == 8  # three parents with two topics each, and five topics alone
    assert by_parent.pairs[0].p == by_document.pairs[0].p


def test_letters_and_pairs_of_clusters_never_contradict_each_other() -> None:
    found = pyramidion.compare(rows(30, systems="ABCDE", seed=4), cluster="conversation", all_pairs=True)
    analysis = found.analysis("imported.score")
    assert analysis.letters_by == "paired"
    for pair in found.pairs:
        assert bool(pair.better) == (not set(analysis.letters[pair.a]) & set(analysis.letters[pair.b]))
    kinds = {row.record: row.fields() for row in found.rows()}
    for record, undefined in (("anova", "f"), ("tukey", "q"), ("friedman", "p")):
        assert kinds[record][undefined] is None
        assert "independent" in str(kinds[record]["reason"])
    sentences = " ".join(found.sentences())
    assert "clusters being the unit" in sentences
    assert "F(" not in sentences


def test_numbers_that_name_clusters_are_no_scores() -> None:
    numbered = [{**row, "conversation": int(str(row["conversation"])[1:])} for row in rows()]
    found = pyramidion.compare(numbered, cluster="conversation")
    assert found.measures == ("imported.score",)
    assert found.pairs[0].clusters == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cluster": "nothing"}, "no topic has such a field"),
        ({"cluster": "conversation", "letters": "tukey"}, "takes topics as independent"),
        ({"cluster": "conversation", "interval": "t"}, "takes topics as independent"),
        ({"cluster": "conversation", "interval": "studentized"}, "takes topics as independent"),
        ({"cluster": "conversation", "assessors": "random"}, "can't be combined"),
        ({"cluster": "conversation", "pair": [("A", "B")], "sequential": True}, "needs the scale of"),
    ],
)
def test_what_takes_topics_as_independent_is_refused_with_clusters(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        pyramidion.compare(rows(), **options)  # type: ignore[arg-type]


def test_a_single_cluster_and_a_topic_of_two_clusters_are_refused() -> None:
    with pytest.raises(UsageError, match="belong to one cluster, 'c0'"):
        pyramidion.compare(rows(12, 12), cluster="conversation")
    two = rows()
    two[1]["conversation"] = "c9"
    with pytest.raises(InputError, match="expected one value for each topic"):
        pyramidion.compare(two, cluster="conversation")


def test_topics_without_the_field_are_clusters_of_their_own_and_that_is_said() -> None:
    some = rows()
    for row in some[:4]:
        row["conversation"] = None
    found = pyramidion.compare(some, cluster="conversation")
    assert found.pairs[0].clusters == 6
    assert "2 topics have no conversation and count as clusters of their own" in found.analysis("imported.score").about


def test_random_assessors_are_fixed_with_clusters() -> None:
    table = ScoreTable.from_columns(
        measure=["question.m"] * 24,
        topic=[f"t{topic:02}" for topic in range(12) for _ in "AB"],
        summarizer=["A", "B"] * 12,
        value=np.random.default_rng(0).normal(size=24).tolist(),
    )
    cluster_of = {f"t{topic:02}": str(topic // 3) for topic in range(12)}
    found = compare(table, CompareOptions(), clusters=TopicClusters(field="x", cluster_of=cluster_of))
    assert found.pairs[0].assessors == "fixed"
    assert found.pairs[0].test_name == "t test of clusters"


def test_topics_share_documents_directly_or_through_others() -> None:
    def topic(name: str, *texts: str) -> Topic:
        return Topic(topic=name, documents=tuple(Document(id=text, text=text) for text in texts))

    topics = [topic("a", "x"), topic("b", "y"), topic("c", "x ", "y"), topic("d", "z"), topic("e")]
    found = clusters_by_document(topics)
    assert found["a"] == found["b"] == found["c"] != found["d"]
    assert "e" not in found
    shared = find_shared(topics)
    assert shared is not None
    assert (shared.field, shared.count_shared("abcde"), shared.count_shared("ade")) == ("document", 3, 0)
    assert find_shared([topics[0], *topics[3:]]) is None


def flat_rows() -> list[dict[str, object]]:
    generator = np.random.default_rng(1)
    return [
        {
            **{name: row[name] for name in ("topic", "summarizer", "conversation")},
            "summary": " ".join(generator.choice(WORDS, 8)),
            "reference": " ".join(WORDS[:9]),
            "document": f"text of {row['conversation']}",
        }
        for row in rows()
    ]


def test_topics_that_share_a_document_are_noted_with_the_option_that_helps() -> None:
    pair = pyramidion.compare(flat_rows(), "rouge-1.f").pairs[0]
    assert "12 topics share a document with another topic" in pair.note
    assert '`cluster="document"`' in pair.note
    gate = pyramidion.gate(flat_rows(), "rouge-1.f", against="A")
    assert any("12 topics share a document" in remark for remark in remarks_on_data(gate))
    assert "share" not in pyramidion.compare(flat_rows(), "rouge-1.f", cluster="document").pairs[0].note
    assert "share" not in pyramidion.compare(rows()).pairs[0].note


def test_a_gate_tests_clusters() -> None:
    pair = pyramidion.compare(flat_rows(), "rouge-1.f", pair=[("B", "A")], cluster="conversation").pairs[0]
    measure = pyramidion.gate(flat_rows(), "rouge-1.f", against="A", cluster="conversation").primary
    assert (measure.difference, measure.lower, measure.upper) == (pair.difference, pair.lower, pair.upper)
    assert measure.clusters == 4
    # what 4 clusters find is what 4 topics with the standard deviation SE·√4 would
    assert measure.detectable == pytest.approx(
        detectable_difference(topics=4, sd=(pair.error or 0) * 2, power=0.8, alpha=0.05)
    )


def test_the_self_test_of_a_gate_exchanges_whole_clusters() -> None:
    generator = np.random.default_rng(3)
    loss = np.repeat(generator.normal(size=20), 4)  # the same for all topics of a cluster
    data = [
        {"topic": f"t{topic:02}", "summarizer": system, "score": value, "document_id": topic // 4}
        for topic in range(80)
        for system, value in (("A", 0.0), ("B", float(loss[topic])))
    ]
    clustered = pyramidion.gate(data, "score", against="A", cluster="document_id", self_test="labels").self_test
    assert clustered is not None
    assert clustered.is_kept


def correlated_rows(size: int, seed: int = 0) -> list[dict[str, object]]:
    """Eight systems on 24 topics: two scores that agree, more so in some documents than in others."""
    generator = np.random.default_rng(seed)
    agreement = np.repeat(generator.normal(size=24 // size), size)
    found: list[dict[str, object]] = []
    for topic in range(24):
        for system in "abcdefgh":
            human = float(generator.normal())
            metric = float(agreement[topic] * human + generator.normal())
            found.append(
                {"topic": f"t{topic:02}", "summarizer": system, "human": human, "metric": metric}
                | {"document_id": 100 + topic // size}  # in the order of topics, also as text
            )
    return found


def test_correlations_over_topics_resample_clusters() -> None:
    options: dict[str, Any] = {"with_": ["human"], "level": ["topic"], "coefficient": ["pearson"], "resamples": 500}
    options["resample"] = "topics"
    data = correlated_rows(4)
    by_topics = pyramidion.correlate(data, "metric", **options).correlations[0]
    by_clusters = pyramidion.correlate(data, "metric", cluster="document_id", **options).correlations[0]
    assert by_clusters.value == by_topics.value
    assert by_clusters.topic_clusters == 6
    assert None not in (by_topics.lower, by_topics.upper, by_clusters.lower, by_clusters.upper)
    assert by_clusters.upper - by_clusters.lower > 1.3 * (by_topics.upper - by_topics.lower)  # type: ignore[operator]
    assert by_clusters.p is not None
    assert by_clusters.p > by_topics.p  # type: ignore[operator]  # both come from the draws
    # without draws, p is that of the t test of the six clusters' means: they have equal sizes
    options |= {"interval": "fisher", "resample": None}
    by_formula = pyramidion.correlate(data, "metric", cluster="document_id", **options).correlations[0]
    coefficients = []
    for topic in range(24):
        scores = [(row["human"], row["metric"]) for row in data if row["topic"] == f"t{topic:02}"]
        coefficients.append(np.corrcoef(np.array(scores, dtype=float).T)[0, 1])
    assert by_formula.p == pytest.approx(stats.ttest_1samp(np.reshape(coefficients, (6, 4)).mean(axis=1), 0).pvalue)


def test_clusters_of_one_topic_change_no_correlation() -> None:
    options = {"with_": ["human"], "level": ["system", "topic", "global"], "interval": "bootstrap", "resamples": 100}
    data = correlated_rows(1)
    plain = pyramidion.correlate(data, "metric", **options).correlations  # type: ignore[arg-type]
    clustered = pyramidion.correlate(data, "metric", cluster="document_id", **options).correlations  # type: ignore[arg-type]
    for one, other in zip(plain, clustered, strict=True):
        assert (one.value, one.lower, one.upper) == pytest.approx((other.value, other.lower, other.upper))
        assert one.p == pytest.approx(other.p, nan_ok=True)


def test_tests_that_exchange_topics_are_refused_with_clusters_and_fishers_interval_says_that_they_do_not_matter() -> (
    None
):
    data = correlated_rows(4)
    for options in ({"test": "permutation", "resample": "topics"}, {"accuracy": True}):
        with pytest.raises(UsageError, match="topics"):
            pyramidion.correlate(data, "metric", with_=["human"], cluster="document_id", **options)
    found = pyramidion.correlate(data, "metric", with_=["human"], cluster="document_id").correlations[0]
    assert "clusters do not matter" in found.note

"""Summaries beside their inputs: the kernels against the plain twin, and what must hold for any text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from benchmarks.model_free import twin
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.errors import InputError, UsageError
from pyramidion.text.inputs import (
    FEATURES,
    Collection,
    InputScores,
    InputSettings,
    WordRules,
    contrast_words,
    score_inputs,
)
from pyramidion.text.stop import stop_words

WORDS = [
    "flood",
    "floods",
    "the",
    "of",
    "river",
    "Rivers",
    "rescued",
    "a",
    "1999",
    "3.5",
    "it's",
    "relational",
    "élan",
    "\t",
]
texts = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=25).map(" ".join)

COUNTS = {"flood": 3.0, "river": 900.0, "rescu": 1.0, "1999": 50.0, "relat": 2.5}
IDF = {"flood": 4.0, "river": 0.5, "s": 0.0}
UNSEEN = math.log(5000)
FORMS = sorted({*COUNTS, *IDF})
COLLECTION = Collection(
    forms=FORMS,
    counts=np.array([COUNTS.get(form, 0.0) for form in FORMS]),
    weights=np.array([IDF.get(form, UNSEEN) for form in FORMS]),
    unseen=UNSEEN,
)
PAPER = InputSettings(smoothing=0.0005, log_base=2, cutoff=10.83, over_only=True, background=COLLECTION)
SIMETRIX = InputSettings(
    smoothing=0.005, log_base=math.e, cutoff=10 * math.log(10), over_only=False, background=COLLECTION
)
ALONE = InputSettings(smoothing=0.0005, log_base=2, cutoff=10.83, over_only=True)


def score(
    documents: Sequence[str],
    summaries: Sequence[str],
    used: Sequence[InputSettings],
    rules: WordRules | None = None,
    *,
    threads: int = 1,
) -> InputScores:
    pairs = np.array([[len(documents) + number, 0] for number in range(len(summaries))]).reshape(-1, 2)
    inputs = [range(len(documents))]
    return score_inputs([*documents, *summaries], inputs, pairs, used, rules or WordRules(), threads=threads)


@settings(max_examples=300, deadline=None)
@given(
    documents=st.lists(texts, min_size=1, max_size=3),
    summaries=st.lists(texts, max_size=3),
    ngram=st.sampled_from([1, 2]),
    stem=st.booleans(),
    stop=st.booleans(),
)
def test_the_kernels_agree_with_plain_python(
    documents: list[str], summaries: list[str], ngram: int, stem: bool, stop: bool
) -> None:
    left_out = stop_words() if stop else frozenset()
    found = score(documents, summaries, [PAPER, SIMETRIX], WordRules(stem=stem, stop=left_out, ngram=ngram))
    reader = twin.Reader(stop=left_out, stem=stem, ngram=ngram)
    background = twin.Background(COUNTS, IDF, UNSEEN)
    for setting, values in enumerate((twin.PAPER, twin.SIMETRIX)):
        size = sum(len(reader.words(document)) for document in documents)
        if size == 0:
            assert np.isnan(found.features[:, setting]).all()
            continue
        one = twin.Input(documents, reader, background, values)
        assert list(found.inputs[0, [0, 1, 2 + setting]]) == [size, len(one.counts), len(one.signatures)]
        for number, summary in enumerate(summaries):
            assert found.features[number, setting] == pytest.approx(one.features(summary), abs=1e-9, nan_ok=True)


@settings(max_examples=200, deadline=None)
@given(documents=st.lists(texts, min_size=1, max_size=3), summary=texts)
def test_divergences_cosines_and_shares_keep_their_bounds(documents: list[str], summary: str) -> None:
    found = score(documents, [summary], [PAPER])
    if found.inputs[0, 0] == 0:
        return
    value = dict(zip(FEATURES, found.features[0, 0], strict=True))
    tiny = 1e-9
    assert 0 <= value["js"] <= 1 + tiny  # base-2 logarithms
    assert 0 <= value["js-smoothed"] <= 1 + tiny
    # What is smoothed does not add up to 1, but KL is never below P log(P / Q) for the sums P and Q.
    reader = twin.Reader(stop=stop_words())
    words = [reader.words("\n".join(documents)), reader.words(summary)]
    extra = [0.0005 * size for size in (len({*words[0], *words[1]}), 1.5 * len(set(words[0])))]
    p, q = ((len(one) + extra[0]) / (len(one) + extra[1]) for one in words)
    assert value["kl-input-summary"] >= p * math.log2(p / q) - tiny
    assert value["kl-summary-input"] >= q * math.log2(q / p) - tiny
    for name in ("cosine", "topic-share", "topic-coverage", "topic-cosine"):
        assert math.isnan(value[name]) or -tiny <= value[name] <= 1 + tiny
    assert value["unigram-probability"] <= 0
    assert 0 <= found.words[0, 1] <= found.words[0, 0]


@settings(max_examples=100, deadline=None)
@given(first=texts, second=texts)
def test_js_is_symmetric(first: str, second: str) -> None:
    """Unsmoothed JS knows nothing of which text is the input; smoothing does (through the input's vocabulary)."""
    one, other = score([first], [second], [ALONE]), score([second], [first], [ALONE])
    if one.inputs[0, 0] and other.inputs[0, 0]:
        js = FEATURES.index("js")
        assert one.features[0, 0, js] == pytest.approx(other.features[0, 0, js], abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(documents=st.lists(texts, min_size=2, max_size=4), summary=texts, ngram=st.sampled_from([1, 2]))
def test_the_order_of_documents_does_not_matter(documents: list[str], summary: str, ngram: int) -> None:
    rules = WordRules(ngram=ngram)
    one = score(documents, [summary], [PAPER], rules)
    other = score(documents[::-1], [summary], [PAPER], rules)
    assert other.features == pytest.approx(one.features, abs=1e-12, nan_ok=True)


def test_a_summary_that_is_its_input_diverges_in_nothing() -> None:
    text = "Floods took the bridge. Soldiers rescued residents from roofs; the river rose by 3.5 metres."
    value = dict(zip(FEATURES, score([text], [text], [PAPER]).features[0, 0], strict=True))
    assert [value["js"], value["js-smoothed"], value["kl-input-summary"]] == pytest.approx([0, 0, 0], abs=1e-12)
    assert value["cosine"] == pytest.approx(1)


def test_a_summary_without_words_has_what_the_formulas_leave() -> None:
    value = dict(zip(FEATURES, score(["flood flood river"], ["of the"], [PAPER]).features[0, 0], strict=True))
    assert value["js"] == pytest.approx(0.5)  # ½ log2 2: all of the input's mass is against nothing
    names = (
        "cosine",
        "topic-share",
        "topic-coverage",
        "topic-cosine",
        "unigram-probability",
        "multinomial-probability",
    )
    assert [value[name] for name in names] == [0] * 6


def test_nothing_in_common_is_the_greatest_divergence_and_the_highest_multinomial() -> None:
    value = dict(zip(FEATURES, score(["flood river"], ["court jury verdict"], [PAPER]).features[0, 0], strict=True))
    assert value["js"] == pytest.approx(1)
    assert value["unigram-probability"] == 0  # all three words are skipped …
    assert value["multinomial-probability"] == pytest.approx(math.log10(6))  # … but 3! counts them


def test_without_a_background_only_what_needs_one_is_undefined() -> None:
    value = dict(zip(FEATURES, score(["flood river"], ["flood"], [ALONE]).features[0, 0], strict=True))
    undefined = {name for name, number in value.items() if math.isnan(number)}
    assert undefined == {"cosine", "topic-share", "topic-coverage", "topic-cosine"}


def test_pairs_do_not_reach_from_one_document_into_the_next() -> None:
    rules = WordRules(stop=frozenset(), ngram=2)
    assert list(score(["a b", "c d"], ["b c"], [ALONE], rules).words[0]) == [1, 1]
    assert list(score(["a b c d"], ["b c"], [ALONE], rules).words[0]) == [1, 0]


def test_pairs_are_looked_up_in_a_background_that_has_them() -> None:
    pairs = Collection(forms=["prime minist"], counts=np.array([700.0]), weights=np.array([2.0]), unseen=math.log(5000))
    words = contrast_words(["The Prime Minister resigned"], pairs, WordRules(ngram=2))
    assert [(word.word, word.count, word.background) for word in words] == [
        ("prime minist", 1, 700.0),
        ("minist resign", 1, 0.0),
    ]


def test_threads_and_company_change_nothing() -> None:
    documents = [f"flood number {number} took the bridge over river {number % 7}" for number in range(40)]
    summaries = [f"river {number} rose and the flood came" for number in range(30)]
    inputs = [range(number, number + 10) for number in range(30)]
    pairs = np.array([[40 + number, number] for number in range(30)])
    one = score_inputs([*documents, *summaries], inputs, pairs, [PAPER, SIMETRIX], WordRules(), threads=1)
    two = score_inputs([*documents, *summaries], inputs, pairs, [PAPER, SIMETRIX], WordRules(), threads=4)
    assert np.array_equal(one.features, two.features)
    for number in range(30):
        alone = score(documents[number : number + 10], [summaries[number]], [SIMETRIX])
        assert alone.features[0, 0] == pytest.approx(one.features[number, 1], abs=1e-12)


def test_log_likelihood_ratio_is_the_g_statistic_of_the_table() -> None:
    """−2 log λ of the 2×2 table is G²: scipy's power divergence with lambda_="log-likelihood", without correction."""
    from scipy.stats import chi2_contingency

    background = Collection(forms=["flood"], counts=np.array([40.0]), weights=np.array([1.0]), unseen=1.0)
    rest = Collection(
        forms=["flood", "other"], counts=np.array([40.0, 9960.0]), weights=np.array([1.0, 1.0]), unseen=1.0
    )
    [flood, _] = contrast_words(["flood flood flood rain rain rain rain"], rest, WordRules())
    expected = chi2_contingency([[3, 4], [40, 9960]], correction=False, lambda_="log-likelihood").statistic
    assert flood.statistic == pytest.approx(expected, rel=1e-12)
    assert flood.over
    assert background.size == 40


def test_words_of_every_script_are_read_when_asked_for() -> None:
    text = "Наводнение разрушило мост"
    assert score([text], [text], [ALONE]).words[0, 0] == 0
    assert score([text], [text], [ALONE], WordRules(tokens="unicode")).words[0, 0] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"smoothing": 0.0}, "smoothing=0.0: expected a number above 0"),
        ({"smoothing": math.inf}, "smoothing=inf"),
        ({"log_base": 1.0}, "base 1.0"),
        ({"cutoff": math.nan}, "cutoff=nan"),
    ],
)
def test_settings_that_mean_nothing_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        InputSettings(**{"smoothing": 0.5, "log_base": 2.0, "cutoff": 1.0, **options}, over_only=True)  # type: ignore[arg-type]


def test_rules_that_mean_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="ngram=3"):
        WordRules(ngram=3)
    with pytest.raises(UsageError, match="tokens=latin"):
        WordRules(tokens="latin")  # type: ignore[arg-type]


def test_texts_and_inputs_that_are_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="a text that is not there"):
        score_inputs(["a"], [[1]], np.zeros((0, 2), dtype=np.int64), [ALONE], WordRules())
    with pytest.raises(UsageError, match="no such text or input"):
        score_inputs(["a"], [[0]], np.array([[0, -1]]), [ALONE], WordRules())
    with pytest.raises(InputError, match="a text is a str"):
        score_inputs([3], [[0]], np.array([[0, 0]]), [ALONE], WordRules())  # type: ignore[list-item]


@pytest.mark.slow
def test_ten_megabytes_are_read_like_ten_words() -> None:
    document = "Floods took the old bridge over the river. " * 250_000
    found = score([document], ["the river took a bridge"], [ALONE, SIMETRIX])
    assert found.inputs[0, 0] == 250_000 * 3  # flood, bridge, river: the others are stop words
    assert np.isfinite(found.features[0, 1]).all()

"""Extractive measures beside the definitions of Grusky et al. 2018 and the numbers of SummEval's statistics."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.campaign import Campaign, Document, Summary, Topic
from pyramidion.errors import UsageError
from pyramidion.measures.extractive import Extractive, InputIndex, NgramShare, fragment_lengths
from pyramidion.measures.registry import select


def campaign(summary: str, *documents: str) -> Campaign:
    return Campaign(
        topics=(
            Topic(
                topic="t",
                documents=tuple(Document(id=f"d{number}", text=text) for number, text in enumerate(documents)),
            ),
        ),
        summaries=(Summary(topic="t", summarizer="X", kind="peer", text=summary),),
    )


def scores(summary: str, *documents: str, names: Sequence[str]) -> dict[str, float]:
    table = pyramidion.score(campaign(summary, *documents), names)
    return {row[0]: row[3] for row in table.frame.iter_rows()}


ARTICLE = (
    "A 19-year - old cook who came to New Harbor was found dead in the stairs of a market this week . "
    "The cook was known in New Harbor ."
)
SUMMARY = "19-year - old cook found dead in New Harbor market"


def test_the_numbers_are_those_that_summeval_prints_for_a_headline_of_the_same_build() -> None:
    """Its test_data_stats.py: 10 tokens in fragments of 4, 3, 2, 1: coverage 1, density 3; novel n-grams (n = 1, 2, 3)
    0, 2/9, 4/8, none repeated; compression is the ratio of tokens (there 319 to 10, here 30 to 10)."""
    expected = {
        "coverage(tokens=blanks)": 1.0,
        "density(tokens=blanks)": 3.0,
        "compression(tokens=blanks)": 3.0,
        "length(tokens=blanks)": 10.0,
        "novelty(tokens=blanks,n=1)": 0.0,
        "novelty(tokens=blanks)": 0.2222222222222222,
        "novelty(tokens=blanks,n=3)": 0.5,
        "redundancy(tokens=blanks,n=1)": 0.0,
        "redundancy(tokens=blanks)": 0.0,
        "redundancy(tokens=blanks,n=3)": 0.0,
    }
    assert fragment_lengths(SUMMARY.lower().split(), InputIndex([ARTICLE.lower().split()])) == [4, 3, 2, 1]
    assert scores(SUMMARY, ARTICLE, names=list(expected)) == expected


def figure_3(summary: Sequence[str], article: Sequence[str]) -> list[int]:
    """The procedure as the paper prints it."""
    fragments: list[int] = []
    i = 0
    while i < len(summary):
        longest, j = 0, 0
        while j < len(article):
            if summary[i] == article[j]:
                length = 0
                while (
                    i + length < len(summary)
                    and j + length < len(article)
                    and summary[i + length] == article[j + length]
                ):
                    length += 1
                longest = max(longest, length)
                j += length
            else:
                j += 1
        fragments += [longest] if longest else []
        i += max(longest, 1)
    return fragments


words = st.lists(st.sampled_from("abcd"), max_size=14)


@given(words, words)
def test_fragments_are_those_of_the_papers_procedure(summary: list[str], article: list[str]) -> None:
    assert fragment_lengths(summary, InputIndex([article])) == figure_3(summary, article)


@given(words, st.lists(words, max_size=3))
def test_nothing_is_copied_across_the_end_of_a_document(summary: list[str], documents: list[list[str]]) -> None:
    joined = [word for document in documents for word in [*document, "|"]]
    assert fragment_lengths(summary, InputIndex(documents)) == figure_3(summary, joined)


@given(words.filter(bool), words.filter(bool))
def test_coverage_is_a_share_and_density_lies_between_it_and_the_length(summary: list[str], article: list[str]) -> None:
    lengths = fragment_lengths(summary, InputIndex([article]))
    coverage, density = sum(lengths) / len(summary), sum(length**2 for length in lengths) / len(summary)
    assert 0 <= coverage <= 1
    assert coverage <= density <= len(summary)


def test_a_verbatim_extract_is_covered_wholly_and_as_dense_as_it_is_long() -> None:
    found = scores("The ferry burned.", "On Sunday the ferry burned.", names=["coverage", "density", "novelty"])
    assert found == {"coverage": 1.0, "density": 3.0, "novelty": 0.0}


def test_novelty_and_redundancy_count_distinct_n_grams() -> None:
    found = scores("a b a b c", "x a b y", names=["novelty", "redundancy", "novelty(n=1)", "redundancy(n=1)"])
    # pairs ab (twice), ba, bc; words a, b (twice each), c
    assert found == {"novelty": 2 / 3, "redundancy": 1 / 3, "novelty(n=1)": 1 / 3, "redundancy(n=1)": 2 / 3}


def test_an_n_gram_does_not_cross_from_one_document_to_the_next() -> None:
    assert scores("b c", "a b", "c d", names=["novelty", "coverage", "density"]) == {
        "novelty": 1.0,
        "coverage": 1.0,
        "density": 1.0,
    }


def test_an_empty_summary_has_a_length_and_nothing_else() -> None:
    names = ["coverage", "density", "compression", "novelty", "redundancy", "length"]
    table = pyramidion.score(campaign("", "a b"), names)
    assert {row[0]: row[3] for row in table.frame.iter_rows()} == {"length": 0.0}
    assert table.unscored == dict.fromkeys(names[:-1], 1)


def test_without_documents_only_what_looks_at_the_summary_alone_has_values() -> None:
    assert set(scores("a b", names=["coverage", "density", "compression", "novelty", "redundancy", "length"])) == {
        "redundancy",
        "length",
    }


def test_redundancy_is_better_when_low_and_says_so() -> None:
    table = pyramidion.score(campaign("a b", "a b"), ["redundancy", "coverage"])
    assert not table.is_higher_better("redundancy")
    assert table.is_higher_better("coverage")


def test_names_parse_back_and_signatures_name_the_tokens() -> None:
    assert select("novelty(n=3,tokens=rouge155)").name == "novelty(tokens=rouge155,n=3)"
    table = pyramidion.score(campaign("a b", "a b"), "novelty(n=1)")
    assert table.frame["signature"][0].startswith("novelty|n:1|tokens:unicode|unicode:")


def split_at_blanks(text: str) -> list[str]:
    return text.split()


def test_a_tokenizer_of_ones_own_is_used_and_needs_a_name() -> None:
    measure = Extractive(feature="length", tokens=split_at_blanks)
    assert pyramidion.score(campaign("Don't stop!", "x"), measure).frame["value"].to_list() == [2.0]
    assert measure.name() == "length(tokens=split_at_blanks)"
    with pytest.raises(UsageError, match="the tokenizer needs a name"):
        NgramShare(feature="novelty", tokens=lambda text: text.split())


def test_n_is_from_one_to_a_hundred() -> None:
    with pytest.raises(UsageError, match="n=0: expected a number from 1 to 100"):
        select("novelty(n=0)")


def test_a_document_of_ten_thousand_words_is_looked_up_not_searched() -> None:
    """Every word of the summary occurs often: 40,000 steps of the index, 2.5 million of the paper's procedure."""
    document = [f"w{number % 97}" for number in range(10_000)]
    summary = [f"w{(number * 31) % 97}" for number in range(250)]
    lengths = fragment_lengths(summary, InputIndex([document]))
    assert math.fsum(lengths) == 250
    assert max(lengths) == 1


@pytest.mark.parametrize("name", ["novelty(n=100000000)", "redundancy(n=101)"])
def test_an_n_gram_that_would_fill_the_memory_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="from 1 to 100"):
        select(name)

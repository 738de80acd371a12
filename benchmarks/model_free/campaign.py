"""What is scored: topics of 25 documents and 60 summaries of 250 words, made of the embedded campaign's sentences."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Final

import pyramidion
from pyramidion.campaign import Campaign, Document, Summary, Topic, plain

DOCUMENTS: Final = 25
DOCUMENT_WORDS: Final = 500
SUMMARIZERS: Final = 60
SUMMARY_WORDS: Final = 250


def news_campaign(topics: int, *, seed: int = 0) -> Campaign:
    """A campaign of the size of DUC's and TAC's, in which no two texts are equal.

    Texts are sentences of one topic, some of them of others, with every tenth word replaced by one of a vocabulary of
    30,000 invented ones, as uneven as that of a language (Zipf), so that an input has as many distinct words as real
    news (about 2,000 stems).
    """
    rng = random.Random(seed)
    sources = [
        [sentence.split() for document in topic.documents for sentence in plain(document.text).splitlines()]
        for topic in pyramidion.load("demo").topics
    ]
    invented = [_word(rng) for _ in range(30_000)]
    ranks = list(accumulate(1 / rank for rank in range(1, len(invented) + 1)))

    def text(home: list[list[str]], words: int, share_of_others: float) -> str:
        lines: list[str] = []
        written = 0
        while written < words:
            source = rng.choice(sources) if rng.random() < share_of_others else home
            sentence = rng.choice(source)
            others = iter(rng.choices(invented, cum_weights=ranks, k=len(sentence)))
            line = [next(others) if rng.random() < 0.1 else word for word in sentence]
            lines.append(" ".join(line[: words - written]))
            written += len(line)
        return "\n".join(lines)

    declared = []
    summaries = []
    for number in range(topics):
        home = sources[number % len(sources)]
        documents = tuple(
            Document(id=f"{number}-{document}", text=text(home, DOCUMENT_WORDS, 0.2)) for document in range(DOCUMENTS)
        )
        declared.append(Topic(topic=f"T{number}", documents=documents))
        summaries += [
            Summary(
                topic=f"T{number}",
                summarizer=f"S{summarizer}",
                kind="peer",
                text=text(home, SUMMARY_WORDS, summarizer / (2 * SUMMARIZERS)),
            )
            for summarizer in range(SUMMARIZERS)
        ]
    return Campaign(topics=tuple(declared), summaries=tuple(summaries))


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))

"""A small topic to annotate: four models, two peers, and a topic with texts that are hard to handle."""

from __future__ import annotations

from typing import Any

MODELS = {
    "HUMAN-A": "In 1998 two Libyans indicted in 1991 for the Lockerbie bombing were still in Libya. "
    "Libya insisted on a neutral country.",
    "HUMAN-B": "Two Libyans were indicted in 1991 for blowing up a Pan Am jumbo jet over Lockerbie, Scotland in 1988. "
    "The trial should be held in the Netherlands.",
    "HUMAN-C": "Two Libyans, accused by the United States and Britain of bombing a New York bound Pan Am jet over "
    "Lockerbie in 1988, killing 270 people, have not been handed over.",
    "HUMAN-D": "Two Libyan suspects were indicted in 1991. Libya refused to hand them over.",
}
PEERS = {
    "SYS-1": "Two Libyans were indicted in 1991. Libya wanted a trial in a neutral country. The weather was fine.",
    "SYS-2": "A jet exploded over Lockerbie in 1988 and killed 270 people.",
}
HOSTILE = {
    "HUMAN-A": 'اتهم ليبيان بتفجير طائرة فوق لوكربي. <script>alert(1)</script> <img src=x onerror="alert(2)">',
    "HUMAN-B": "Zoé 👩‍👩‍👧 met e\u0301lan & <b>left</b>.",
}


def rows(topic: str, kind: str, texts: dict[str, str]) -> list[dict[str, Any]]:
    return [{"topic": topic, "summarizer": who, "kind": kind, "text": text} for who, text in texts.items()]


SUMMARIES = [*rows("T1", "model", MODELS), *rows("T1", "peer", PEERS), *rows("T2", "model", HOSTILE)]
TOPICS = [
    {"topic": "T1", "title": "Lockerbie suspects", "narrative": "What became of the two suspects?"},
    {"topic": "T2", "title": "<i>Hostile</i>"},
]

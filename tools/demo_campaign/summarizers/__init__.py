"""The summarizers of the demo campaign, with the ids under which they take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools.demo_campaign.summarizers.base import Summarizer
from tools.demo_campaign.summarizers.centroid import Centroid
from tools.demo_campaign.summarizers.coverage import BigramCoverage, Submodular
from tools.demo_campaign.summarizers.defective import CutAtLimit, OffTopic, Repeating, Telegraphic
from tools.demo_campaign.summarizers.divergence import KLGreedy
from tools.demo_campaign.summarizers.frequency import PositionFrequency, SumBasic, TopicSignature
from tools.demo_campaign.summarizers.graphs import LexRank, TextRank
from tools.demo_campaign.summarizers.leads import LeadOfMostRecent, RoundRobin
from tools.demo_campaign.summarizers.oracle import Oracle
from tools.demo_campaign.summarizers.request import RequestMMR
from tools.demo_campaign.summarizers.surface import LongestSentences, RandomSentences
from tools.demo_campaign.summarizers.update import NewWords


@dataclass(frozen=True, slots=True)
class Participant:
    """A summarizer as it takes part: id (as at DUC, "1" is the baseline), name and kind."""

    id: str
    name: str
    kind: Literal["baseline", "participant"]
    summarizer: Summarizer


PARTICIPANTS: tuple[Participant, ...] = (
    Participant("1", "lead-most-recent", "baseline", LeadOfMostRecent()),
    Participant("2", "first-sentences", "baseline", RoundRobin()),
    Participant("3", "random", "baseline", RandomSentences()),
    Participant("4", "longest", "participant", LongestSentences()),
    Participant("5", "sumbasic", "participant", SumBasic()),
    Participant("6", "kl-greedy", "participant", KLGreedy()),
    Participant("7", "centroid", "participant", Centroid()),
    Participant("8", "lexrank", "participant", LexRank()),
    Participant("9", "textrank", "participant", TextRank()),
    Participant("10", "topic-signature", "participant", TopicSignature()),
    Participant("11", "request-mmr", "participant", RequestMMR()),
    Participant("12", "position-frequency", "participant", PositionFrequency()),
    Participant("13", "submodular", "participant", Submodular()),
    Participant("14", "bigram-coverage", "participant", BigramCoverage()),
    Participant("15", "new-words", "participant", NewWords()),
    Participant("16", "oracle", "participant", Oracle()),
    Participant("17", "telegraphic", "participant", Telegraphic()),
    Participant("18", "off-topic", "participant", OffTopic()),
    Participant("19", "repeating", "participant", Repeating()),
    Participant("20", "cut-at-limit", "participant", CutAtLimit()),
)

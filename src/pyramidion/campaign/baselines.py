"""Baselines for anyone's campaign: summaries that take no summarizer to write."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Summarizer, Summary
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.problems import CampaignWarning
from pyramidion.options import LeadOptions
from pyramidion.show.wording import counted
from pyramidion.text.sentences import split_sentences
from pyramidion.text.tokens import cut_sentences


def add_lead(campaign: Campaign, options: LeadOptions | None = None) -> Campaign:
    """The campaign with the lead baseline among its peers.

    NIST's baseline (Dang 2006, §2): the leading sentences of the most recent document of each topic, up to the word
    limit. The last sentence is cut at the limit, or left out with `last="whole"`. Background documents are not looked
    at.

    Args:
        campaign: with documents.
        options: which document, how many words, and what the baseline is called.

    Raises:
        UsageError: if no word limit is known, the name is taken, or the most recent document can't be told.
        InputError: if no topic has documents.
    """
    options = options or LeadOptions()
    if options.summarizer in campaign.summarizer_ids:
        raise UsageError(
            f"{mention('summarizer', options.summarizer)}: the campaign has such a summarizer; choose another name"
        )
    summaries: list[Summary] = []
    topics = list(campaign.each_topic())
    for data in topics:
        if not data.topic.documents:
            continue
        words = options.words or data.word_limit
        if words is None:
            raise UsageError("the campaign has no word limit; give `words=`, or word_limit in campaign.toml")
        document = _choose_document(data.topic.documents, data.topic.topic, options)
        sentences = [sentence for sentence in _list_sentences(document) if sentence.strip()]
        lead = cut_sentences(sentences, words=words, leading_blank_is_word=False)
        if options.last == "whole":
            lead = [sentence for sentence, whole in zip(lead, sentences, strict=False) if sentence == whole]
        text = tuple(lead)
        summaries.append(Summary(topic=data.topic.topic, summarizer=options.summarizer, kind="peer", text=text))
    if not summaries:
        raise InputError("no topic has documents; the lead baseline is made of them")
    missing = len(topics) - len(summaries)
    if missing:
        message = f"{counted(missing, 'topic')} without documents: no lead for these"
        warnings.warn(message, CampaignWarning, stacklevel=2)
    return replace(
        campaign,
        summaries=(*campaign.summaries, *summaries),
        summarizers={**campaign.summarizers, options.summarizer: Summarizer(kind="baseline")},
    )


def only_summarizer(campaign: Campaign, summarizer: str) -> Campaign:
    """The campaign with the peers of one summarizer alone, and its references and documents."""
    summaries = [
        summary for summary in campaign.summaries if summary.kind == "model" or summary.summarizer == summarizer
    ]
    return Campaign(
        name=campaign.name,
        word_limit=campaign.word_limit,
        summarizers={name: one for name, one in campaign.summarizers.items() if name == summarizer},
        topics=campaign.topics,
        summaries=tuple(summaries),
    )


def _choose_document(documents: Sequence[Document], topic: str, options: LeadOptions) -> Document:
    """The document whose lead is taken; of those of the latest day the one with the highest id."""
    if options.document == "first" or len(documents) == 1:
        return documents[0]
    if options.document == "last":
        return documents[-1]
    undated = [document.id for document in documents if not document.date]
    if undated:
        raise UsageError(
            f"topic {topic}: document {undated[0]} has no date, so the most recent one can't be told; add dates, or "
            "take the first or the last document with `document=`"
        )
    return max(documents, key=lambda document: (document.date, document.id))


def _list_sentences(document: Document) -> list[str]:
    """The sentences of a document's text, as given or found by rules; its headline is not part of it."""
    if isinstance(document.text, str):
        return split_sentences(document.text)
    return list(document.text)

"""What deserves a look in pyramids and peer annotations: words in several SCUs or in none, doubled contributors.

The paper wants every word in exactly one contributor; real pyramids break this, so it is a warning. What keeps a file
from being read at all is found by whoever reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from pyramidion.arrays import Bools
from pyramidion.campaign import Campaign, PeerAnnotation, Problems, Pyramid, plain
from pyramidion.campaign.nouns import Parts, Scu, pyramid_of
from pyramidion.files.problems import Place, shorten
from pyramidion.pyramids.reliability.words import Words, contributors_of, cover
from pyramidion.show.tables import grouped

_EXAMPLES = 3
Noun = TypeVar("Noun", Pyramid, PeerAnnotation)


def check_each(sources: Sequence[tuple[Path | None, Campaign]], problems: Problems) -> None:
    """Note what deserves a look in each of several files or folders; a pyramid that several contain is looked at once.

    Args:
        sources: paths (None for data that was never in a file) and what was read there without errors.
        problems: where they are noted.
    """
    seen: dict[str, list[tuple[Scu, ...]]] = {}
    # A .pan contains a copy of its pyramid: the .pyr itself comes first.
    for path, campaign in sorted(sources, key=lambda source: bool(source[1].annotations)):
        texts = {(summary.topic, summary.summarizer): plain(summary.text) for summary in campaign.summaries}
        earlier = {topic: list(pyramids) for topic, pyramids in seen.items()}
        for pyramid, at in _place_nouns(path, "pyramids.jsonl", campaign.pyramids, problems):
            if pyramid.scus not in earlier.get(pyramid.topic, ()):
                seen.setdefault(pyramid.topic, []).append(pyramid.scus)
                _check_pyramid(pyramid, texts, _name_place(at, pyramid))
        by_topic = grouped(campaign.pyramids, lambda pyramid: pyramid.topic)
        annotated = _place_nouns(path, "annotations.jsonl", campaign.annotations, problems)
        annotation_file: Path | str = "annotations.jsonl"
        for annotation, at in annotated:
            annotation_file = at.file
            annotated_pyramid = pyramid_of(annotation, by_topic.get(annotation.topic, ()))
            here = _name_place(at, annotation).within(f"peer {annotation.summarizer}")
            _check_annotation(annotation, annotated_pyramid, texts, here)
        _check_peers(campaign, problems.at(annotation_file))


def _place_nouns(path: Path | None, file: str, nouns: Sequence[Noun], problems: Problems) -> list[tuple[Noun, Place]]:
    """Each noun with its file and line: one line of JSON each in a campaign folder, elsewhere the file as a whole."""
    table = path / file if path else None
    if table is None or not table.is_file():
        return [(noun, problems.at(path or file)) for noun in nouns]
    with table.open("rb") as lines:
        numbers: Sequence[int | None] = [number for number, line in enumerate(lines, start=1) if line.strip()]
    # A line that could not be read is missing among the nouns: then nobody knows which line is whose.
    if len(numbers) != len(nouns):
        numbers = [None] * len(nouns)
    return [(noun, problems.at(table, number)) for noun, number in zip(nouns, numbers, strict=True)]


def _name_place(at: Place, noun: Pyramid | PeerAnnotation) -> Place:
    at = at.within(f"topic {noun.topic}")
    if noun.annotator:
        return at.within(f"annotator {noun.annotator}")
    return at


def _check_pyramid(pyramid: Pyramid, texts: Mapping[tuple[str, str], str], at: Place) -> None:
    same_label = grouped(pyramid.scus, _plain_label)
    for scu in pyramid.scus:
        here = at.within(f"SCU {scu.uid}")
        same = same_label[_plain_label(scu)]
        if scu.uid == 0:
            here.warning("the uid 0", "a uid other than 0", "Renumber it: DUCView keeps 0 for the rest.")
        if not scu.label.strip():
            here.warning("no label", "a sentence that says the SCU's meaning", "Write a label.")
        elif len(same) > 1 and scu is same[0]:
            found = f"the label {shorten(scu.label)} on SCUs {_list_names([other.uid for other in same])}"
            here.warning(found, "a label of its own for each SCU", "Join the SCUs, or give them different labels.")
        if not scu.contributors and not pyramid.is_nugget_list:
            here.warning("no contributor", "at least one", "It has weight 0 and is left out of all scores.")
        for model, times in Counter(contributor.model for contributor in scu.contributors).items():
            if times > 1:
                found = f"{times} contributors of model {model!r}"
                here.warning(found, "at most one of each model", "Its weight counts the model once.")
            if model not in pyramid.models:
                expected = f"one of the pyramid's models: {', '.join(pyramid.models)}"
                here.error(f"a contributor of {model!r}", expected, "Correct the model, or add it.")
        for contributor in scu.contributors:
            text = texts.get((pyramid.topic, contributor.model))
            _check_parts(contributor.parts, text, here.within(f"model {contributor.model}"))
    for uid, times in Counter(scu.uid for scu in pyramid.scus).items():
        if times > 1:
            at.error(f"the uid {uid} {times} times", "each uid once", "Renumber one of the SCUs.")
    contributors = chain.from_iterable(scu.contributors for scu in pyramid.scus)
    contributing = {contributor.model for contributor in contributors}
    for model in pyramid.models:
        if model not in contributing:
            found = f"model {model!r} without a contributor"
            at.warning(found, "a contributor of each model", "X′ counts the model with 0 SCUs.")
    model_texts = {model: texts.get((pyramid.topic, model)) for model in pyramid.models}
    known_texts = {model: text for model, text in model_texts.items() if text is not None}
    _check_words(known_texts, list(contributors_of(pyramid, known_texts)), [scu.uid for scu in pyramid.scus], at)


def _plain_label(scu: Scu) -> str:
    return " ".join(scu.label.split()).casefold()


def _check_annotation(
    annotation: PeerAnnotation, pyramid: Pyramid | None, texts: Mapping[tuple[str, str], str], at: Place
) -> None:
    if pyramid is None:
        at.error("an annotation without a pyramid", "a pyramid of the topic", "Name its annotator in `pyramid`.")
        return
    text = texts.get((annotation.topic, annotation.summarizer))
    pyramid_uids = {scu.uid for scu in pyramid.scus}
    for match in annotation.scus:
        here = at.within(f"SCU {match.uid}")
        if match.uid not in pyramid_uids:
            expected = f"an SCU of the pyramid by {pyramid.annotator!r}"
            here.error(f"the uid {match.uid}", expected, "Correct the uid, or mark the words as unmatched.")
        if not match.present and match.contributors:
            found = f"{len(match.contributors)} contributors of an SCU that is not present"
            here.warning(found, "present: true, or no contributors", "It is treated as not expressed.")
        for parts in match.contributors:
            _check_parts(parts, text, here)
    for parts in annotation.unmatched or ():
        _check_parts(parts, text, at.within("unmatched"))
    if pyramid.is_nugget_list:
        return
    if annotation.unmatched is None:
        expected = "the peer's other units under `unmatched` (uid 0 of DUCView)"
        remedy = "X, the original and the comprehensive score can't be computed; the modified one can."
        at.warning("non-matching content that was not marked", expected, remedy)
    elif text is not None:
        present = [match for match in annotation.scus if match.present]
        contributors: list[tuple[int, str, Parts]] = []
        for index, unit in enumerate([*(match.contributors for match in present), annotation.unmatched]):
            contributors += [(index, annotation.summarizer, parts) for parts in unit]
        uids = [*(match.uid for match in present), 0]
        _check_words({annotation.summarizer: text}, contributors, uids, at)


def _check_peers(campaign: Campaign, at: Place) -> None:
    """Peers that nobody matched with a topic's pyramid, although others were."""
    annotated = {(annotation.topic, annotation.summarizer) for annotation in campaign.annotations}
    with_annotations = {topic for topic, _ in annotated}
    lacking: dict[str, list[str]] = {}
    for summary in campaign.summaries:
        key = summary.topic, summary.summarizer
        is_lacking = summary.topic in with_annotations and key not in annotated
        if is_lacking and summary.kind == "peer":
            lacking.setdefault(summary.topic, []).append(summary.summarizer)
    for topic, peers in lacking.items():
        found = f"{len(peers)} peers without an annotation: {_list_names(peers)}"
        at.within(f"topic {topic}").warning(found, "an annotation of each peer", "They get no pyramid score.")


def _check_parts(parts: Parts, text: str | None, at: Place) -> None:
    if text is not None:
        _check_bounds(parts, text, at)
    for (start, end), (after, last) in pairwise(sorted(parts)):
        if after < end:
            found = f"the parts [{start}, {end}] and [{after}, {last}], which overlap"
            at.warning(found, "parts apart from each other", "Join them.")


def _check_bounds(parts: Parts, text: str, at: Place) -> None:
    """Parts that lie outside of their text, and parts without a word."""
    for start, end in parts:
        if not 0 <= start < end <= len(text):
            expected = f"0 ≤ start < end ≤ {len(text)}, the length of the summary"
            remedy = "Offsets count code points of the one summary, end excluded."
            at.error(f"the part [{start}, {end}]", expected, remedy)
        elif not text[start:end].strip():
            at.warning(f"the part [{start}, {end}] without a word", "some words", "Remove the part.")


def _check_words(
    texts: Mapping[str, str], contributors: Sequence[tuple[int, str, Parts]], uids: Sequence[int], at: Place
) -> None:
    """Words in several SCUs and words in none, text by text; light annotations, which mark no words, say nothing."""
    if not any(parts for _, _, parts in contributors):
        return
    words = Words.of(texts)
    members = cover(words, contributors, len(uids)).members
    times = members.sum(axis=1)
    for summarizer, (start, end) in words.first.items():
        for is_wrong, what, remedy in (
            (times > 1, "in several SCUs", "It is allowed; see whether the SCUs are one, or a part is too long."),
            (times == 0, "in no SCU", "It is allowed; see whether an SCU was overlooked."),
        ):
            places = start + np.nonzero(is_wrong[start:end])[0]
            if len(places):
                examples = _examples(words, members, places.tolist(), uids)
                found = f"{len(places)} of {end - start} words {what}: {examples}"
                at.within(f"text of {summarizer}").warning(found, "each word in one contributor", remedy)


def _examples(words: Words, members: Bools, places: Sequence[int], uids: Sequence[int]) -> str:
    """The first few runs of neighbouring words that are in the same SCUs."""
    runs: list[list[int]] = []
    for place in places:
        follows = bool(runs) and place == runs[-1][-1] + 1
        if follows and (members[place] == members[place - 1]).all():
            runs[-1].append(place)
        else:
            runs.append([place])
    shown: list[str] = []
    for run in runs[:_EXAMPLES]:
        text = shorten(" ".join(words.words[place] for place in run))
        example = f"{text} at {words.starts[run[0]]}"
        owners = ", ".join(str(uids[owner]) for owner in np.nonzero(members[run[0]])[0].tolist())
        if owners:
            example += f" (SCUs {owners})"
        shown.append(example)
    if len(runs) > _EXAMPLES:
        shown.append("…")
    return ", ".join(shown)


def _list_names(names: Sequence[object]) -> str:
    shown = ", ".join(str(name) for name in names[:10])
    if len(names) <= 10:
        return shown
    return f"{shown}, … ({len(names)} in all)"

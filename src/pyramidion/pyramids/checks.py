"""What deserves a look in pyramids and peer annotations: words in several SCUs or in none, doubled contributors.

The paper wants every word in exactly one contributor; real pyramids break this, so it is a warning. What keeps a file
from being read at all is found by whoever reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from pyramidion.arrays import Bools
from pyramidion.campaign import Campaign, PeerAnnotation, Problems, Pyramid, plain
from pyramidion.campaign.nouns import Parts, Scu, pyramid_of
from pyramidion.files.problems import Place, shorten
from pyramidion.pyramids.reliability.words import Words, contributors_of, cover
from pyramidion.tables import grouped

_EXAMPLES = 3


def check_pyramids(
    campaign: Campaign,
    problems: Problems,
    *,
    pyramids: Sequence[Pyramid] | None = None,
    pyramid_places: Sequence[Place] | None = None,
    annotation_places: Sequence[Place] | None = None,
) -> None:
    """Note every problem of the campaign's pyramids and annotations.

    Args:
        campaign: as it was read.
        problems: where they are noted.
        pyramids: those to look at; by default all.
        pyramid_places: file and line of each of these; by default pyramids.jsonl.
        annotation_places: file and line of each annotation; by default annotations.jsonl.
    """
    texts = {(summary.topic, summary.summarizer): plain(summary.text) for summary in campaign.summaries}

    chosen = campaign.pyramids if pyramids is None else pyramids
    places = pyramid_places or [problems.at("pyramids.jsonl")] * len(chosen)
    for pyramid, place in zip(chosen, places, strict=True):
        _check_pyramid(pyramid, texts, place)
    places = annotation_places or [problems.at("annotations.jsonl")] * len(campaign.annotations)
    by_topic = grouped(campaign.pyramids, lambda pyramid: pyramid.topic)
    for annotation, place in zip(campaign.annotations, places, strict=True):
        found = pyramid_of(annotation, by_topic.get(annotation.topic, ()))
        _check_annotation(annotation, found, texts, place)
    _check_peers(campaign, problems.at(places[0].file if places else "annotations.jsonl"))


def check_each(sources: Sequence[tuple[Path | None, Campaign]], problems: Problems) -> None:
    """Note what deserves a look in each of several files or folders; a pyramid that several contain is looked at once.

    Args:
        sources: paths (None for data that was never in a file) and what was read there without errors.
        problems: where they are noted.
    """
    seen: dict[str, list[tuple[Scu, ...]]] = {}
    # A .pan contains a copy of its pyramid: the .pyr itself comes first.
    for path, campaign in sorted(sources, key=lambda source: bool(source[1].annotations)):
        places = _places(path, "pyramids.jsonl", campaign.pyramids, problems)
        new = [
            (pyramid, place)
            for pyramid, place in zip(campaign.pyramids, places, strict=True)
            if pyramid.scus not in seen.get(pyramid.topic, ())
        ]
        for pyramid, _ in new:
            seen.setdefault(pyramid.topic, []).append(pyramid.scus)
        check_pyramids(
            campaign,
            problems,
            pyramids=[pyramid for pyramid, _ in new],
            pyramid_places=[place for _, place in new],
            annotation_places=_places(path, "annotations.jsonl", campaign.annotations, problems),
        )


def _places(path: Path | None, file: str, nouns: Sequence[object], problems: Problems) -> list[Place]:
    """File and line of each noun: one line of JSON each in a campaign folder, elsewhere the file as a whole."""
    table = path / file if path else None
    if table is None or not table.is_file():
        return [problems.at(path or file)] * len(nouns)
    with table.open("rb") as lines:
        numbers = [number for number, line in enumerate(lines, start=1) if line.strip()]
    at = problems.at(table)
    return [at.at(number) for number in numbers] if len(numbers) == len(nouns) else [at] * len(nouns)


def _check_pyramid(pyramid: Pyramid, texts: Mapping[tuple[str, str], str], place: Place) -> None:
    at = _named(pyramid.topic, pyramid.annotator)
    uids = Counter(scu.uid for scu in pyramid.scus)
    labels = Counter(" ".join(scu.label.split()).casefold() for scu in pyramid.scus)
    seen: set[str] = set()
    for scu in pyramid.scus:
        field = f"{at}, SCU {scu.uid}"
        if scu.uid == 0:
            place.warning("the uid 0", "a uid other than 0", "Renumber it: DUCView keeps 0 for the rest.", field=field)
        if not scu.label.strip():
            place.warning("no label", "a sentence that says the SCU's meaning", "Write a label.", field=field)
        elif labels[label := " ".join(scu.label.split()).casefold()] > 1 and label not in seen:
            seen.add(label)
            same = [other.uid for other in pyramid.scus if " ".join(other.label.split()).casefold() == label]
            found = f"the label {shorten(scu.label)} on SCUs {_listed(same)}"
            remedy = "Join the SCUs, or give them different labels."
            place.warning(found, "a label of its own for each SCU", remedy, field=field)
        if not scu.contributors:
            place.warning(
                "no contributor", "at least one", "It has weight 0 and is left out of all scores.", field=field
            )
        for model, times in Counter(contributor.model for contributor in scu.contributors).items():
            if times > 1:
                found = f"{times} contributors of model {model!r}"
                place.warning(found, "at most one of each model", "Its weight counts the model once.", field=field)
            if model not in pyramid.models:
                expected = f"one of the pyramid's models: {', '.join(pyramid.models)}"
                place.error(f"a contributor of {model!r}", expected, "Correct the model, or add it.", field=field)
        for contributor in scu.contributors:
            text = texts.get((pyramid.topic, contributor.model))
            _check_parts(contributor.parts, text, f"{field}, model {contributor.model}", place)
    for uid, times in uids.items():
        if times > 1:
            place.error(f"the uid {uid} {times} times", "each uid once", "Renumber one of the SCUs.", field=at)
    contributing = {contributor.model for scu in pyramid.scus for contributor in scu.contributors}
    for model in pyramid.models:
        if model not in contributing:
            found = f"model {model!r} without a contributor"
            place.warning(found, "a contributor of each model", "X′ counts the model with 0 SCUs.", field=at)
    own = {model: texts[pyramid.topic, model] for model in pyramid.models if (pyramid.topic, model) in texts}
    _check_words(own, list(contributors_of(pyramid, own)), [scu.uid for scu in pyramid.scus], at, place)


def _check_annotation(
    annotation: PeerAnnotation, pyramid: Pyramid | None, texts: Mapping[tuple[str, str], str], place: Place
) -> None:
    at = f"{_named(annotation.topic, annotation.annotator)}, peer {annotation.summarizer}"
    if pyramid is None:
        remedy = "Name its annotator in `pyramid`."
        place.error("an annotation without a pyramid", "a pyramid of the topic", remedy, field=at)
        return
    text = texts.get((annotation.topic, annotation.summarizer))
    known = {scu.uid for scu in pyramid.scus}
    for match in annotation.scus:
        field = f"{at}, SCU {match.uid}"
        if match.uid not in known:
            expected = f"an SCU of the pyramid by {pyramid.annotator!r}"
            place.error(
                f"the uid {match.uid}", expected, "Correct the uid, or mark the words as unmatched.", field=field
            )
        if not match.present and match.contributors:
            found = f"{len(match.contributors)} contributors of an SCU that is not present"
            expected = "present: true, or no contributors"
            place.warning(found, expected, "It is treated as not expressed.", field=field)
        for parts in match.contributors:
            _check_parts(parts, text, field, place)
    for parts in annotation.unmatched or ():
        _check_parts(parts, text, f"{at}, unmatched", place)
    if annotation.unmatched is None:
        expected = "the peer's other units under `unmatched` (uid 0 of DUCView)"
        remedy = "X, the original and the comprehensive score can't be computed; the modified one can."
        place.warning("non-matching content that was not marked", expected, remedy, field=at)
    elif text is not None:
        present = [match for match in annotation.scus if match.present]
        contributors = [
            (index, annotation.summarizer, parts)
            for index, unit in enumerate([*(match.contributors for match in present), annotation.unmatched])
            for parts in unit
        ]
        uids = [*(match.uid for match in present), 0]
        _check_words({annotation.summarizer: text}, contributors, uids, at, place)


def _check_peers(campaign: Campaign, place: Place) -> None:
    """Peers that nobody matched with a topic's pyramid, although others were."""
    annotated = {(one.topic, one.summarizer) for one in campaign.annotations}
    with_annotations = {topic for topic, _ in annotated}
    lacking: dict[str, list[str]] = {}
    for summary in campaign.summaries:
        key = summary.topic, summary.summarizer
        if summary.kind == "peer" and summary.topic in with_annotations and key not in annotated:
            lacking.setdefault(summary.topic, []).append(summary.summarizer)
    for topic, peers in lacking.items():
        found = f"{len(peers)} peers without an annotation: {_listed(peers)}"
        place.warning(found, "an annotation of each peer", "They get no pyramid score.", field=f"topic {topic}")


def _check_parts(parts: Parts, text: str | None, field: str, place: Place) -> None:
    for start, end in parts:
        if text is not None and not 0 <= start < end <= len(text):
            expected = f"0 ≤ start < end ≤ {len(text)}, the length of the summary"
            remedy = "Offsets count code points of the one summary, end excluded."
            place.error(f"the part [{start}, {end}]", expected, remedy, field=field)
        elif text is not None and not text[start:end].strip():
            place.warning(f"the part [{start}, {end}] without a word", "some words", "Remove the part.", field=field)
    ordered = sorted(parts)
    for (start, end), (after, last) in pairwise(ordered):
        if after < end:
            found = f"the parts [{start}, {end}] and [{after}, {last}], which overlap"
            place.warning(found, "parts apart from each other", "Join them.", field=field)


def _check_words(
    texts: Mapping[str, str],
    contributors: Sequence[tuple[int, str, Parts]],
    uids: Sequence[int],
    at: str,
    place: Place,
) -> None:
    """Words in several SCUs and words in none, text by text; light annotations, which mark no words, say nothing."""
    if not any(parts for _, _, parts in contributors):
        return
    words = Words.of(texts)
    members = cover(words, contributors, len(uids)).members
    times = members.sum(axis=1)
    for who, (start, end) in words.first.items():
        for wrong, what, remedy in (
            (times > 1, "in several SCUs", "It is allowed; see whether the SCUs are one, or a part is too long."),
            (times == 0, "in no SCU", "It is allowed; see whether an SCU was overlooked."),
        ):
            found = start + np.nonzero(wrong[start:end])[0]
            if len(found):
                said = f"{len(found)} of {end - start} words {what}: {_examples(words, members, found.tolist(), uids)}"
                place.warning(said, "each word in one contributor", remedy, field=f"{at}, text of {who}")


def _examples(words: Words, members: Bools, found: Sequence[int], uids: Sequence[int]) -> str:
    """The first few runs of neighbouring words that are in the same SCUs."""
    runs: list[list[int]] = []
    for index in found:
        if runs and index == runs[-1][-1] + 1 and (members[index] == members[index - 1]).all():
            runs[-1].append(index)
        else:
            runs.append([index])
    shown = []
    for run in runs[:_EXAMPLES]:
        owners = ", ".join(str(uids[owner]) for owner in np.nonzero(members[run[0]])[0].tolist())
        text = shorten(" ".join(words.words[index] for index in run))
        shown.append(f"{text} at {words.starts[run[0]]}" + (f" (SCUs {owners})" if owners else ""))
    return ", ".join(shown) + (", …" if len(runs) > _EXAMPLES else "")


def _named(topic: str, annotator: str) -> str:
    return f"topic {topic}" + (f", annotator {annotator}" if annotator else "")


def _listed(names: Sequence[object]) -> str:
    shown = ", ".join(str(name) for name in names[:10])
    return shown if len(names) <= 10 else f"{shown}, … ({len(names)} in all)"

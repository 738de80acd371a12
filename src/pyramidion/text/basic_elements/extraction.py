"""From texts to elements: sentences are found and repaired, each distinct text is parsed once, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pyramidion.text.basic_elements.parser import Parser
from pyramidion.text.basic_elements.repair import reattach_punctuation
from pyramidion.text.basic_elements.store import ElementStore, key_of
from pyramidion.text.overlap import BasicElement
from pyramidion.text.sentences import split_sentences
from pyramidion.text.tokens import cut_sentences

LONGEST_SENTENCE = 5_000
"""Characters; what is longer is no sentence, and goes to the parser in pieces that end at blanks."""
KEPT_AT_ONCE = 256
"""Texts after which elements are kept: what an interrupted run leaves to do again."""

Watch = Callable[[int, int], None]
"""Called with (texts parsed so far, texts to parse)."""


def prepare(
    text: str | Sequence[str], *, words: int | None = None, bytes: int | None = None
) -> tuple[str, ...]:  # fmt: skip
    """The sentences of a text as a parser gets them: cut to the limit, split, and with punctuation re-attached.

    Lines, and the items of a list, are never joined; a str is also split inside its lines. Splitting comes before
    repair, because a mark that stands alone shows an end that an attached one before a small letter does not.
    """
    lines = text.split("\n") if isinstance(text, str) else list(text)
    if words is not None or bytes is not None:
        lines = cut_sentences(lines, words=words, bytes=bytes)
    pieces: list[str] = []
    for line in lines:
        for sentence in split_sentences(line.replace("\n", " ")):
            pieces += _pieces(reattach_punctuation(_encodable(sentence)))
    return tuple(filter(None, pieces))


def _encodable(sentence: str) -> str:
    """Without halves of surrogate pairs, on which parsers stumble."""
    return sentence.encode("utf-8", "replace").decode()


def _pieces(sentence: str) -> Iterator[str]:
    """A sentence, or the pieces of one that is too long for a parser, cut at blanks."""
    while len(sentence) > LONGEST_SENTENCE:
        cut = sentence.rfind(" ", 1, LONGEST_SENTENCE)
        cut = cut if cut > 0 else LONGEST_SENTENCE
        yield sentence[:cut].strip()
        sentence = sentence[cut:].lstrip()
    yield sentence


def extract_elements(
    texts: Sequence[tuple[str, ...]],
    parser: Parser,
    *,
    store: ElementStore | None = None,
    watch: Watch | None = None,
) -> list[Sequence[BasicElement]]:
    """The elements of each prepared text; each distinct text is parsed once, and not at all if the store has it."""
    keys = {sentences: key_of(sentences, parser) for sentences in texts}
    stored = store.get(keys.values()) if store else {}
    elements_by_text: dict[tuple[str, ...], Sequence[BasicElement]] = {
        sentences: stored[key] for sentences, key in keys.items() if key in stored
    }
    missing = [sentences for sentences in keys if sentences not in elements_by_text]
    if not missing:
        return [elements_by_text[sentences] for sentences in texts]
    fresh: dict[bytes, Sequence[BasicElement]] = {}
    try:
        for done, (sentences, elements) in enumerate(zip(missing, parser.parse(missing), strict=True), start=1):
            elements_by_text[sentences] = fresh[keys[sentences]] = elements
            if store and len(fresh) >= KEPT_AT_ONCE:
                store.put(fresh)
                fresh = {}
            if watch:
                watch(done, len(missing))
    finally:
        if store:
            store.put(fresh)
    return [elements_by_text[sentences] for sentences in texts]

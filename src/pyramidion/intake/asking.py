"""What to ask where no column of a table is known to hold summaries: what is there, and what to type."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pyramidion.files.problems import Place
from pyramidion.intake.looks import Looks, to_type
from pyramidion.intake.roles import candidates, words_of

_REFERENCE = frozenset({"gold", "golden", "ref", "reference", "references", "target", "truth", "human", "expected"})
_SUMMARY = frozenset(
    {"summary", "summ", "pred", "prediction", "output", "out", "generated", "gen", "hyp", "response", "completion"}
)
"""Words that hint at what a column holds."""
MUCH_LONGER = 3
"""How many times as long as the shortest texts those of documents are, at least."""


def ask_for_summaries(
    looks: Looks, free: Sequence[str], chosen: Mapping[str, Sequence[str]], at: Place, *, completes: bool = False
) -> None:
    """One error: the columns, what each looks like, and the option that says which is which.

    Args:
        looks: of the whole table.
        free: columns that play no role yet.
        chosen: by role, those that do.
        at: the file.
        completes: whether it may have references only, of summaries in other files.
    """
    texts = [name for name in looks.unknown if name in free] or _short_texts(looks, free)
    guess = _guess(looks, texts, chosen) if texts else {"summary": ["NAME"]}
    remedies = [f"Say which {'one it is' if len(guess) == 1 else 'is which'}: {to_type(guess, at.file)}"]
    if len(guess["summary"]) > 1 and len(guess) == 1:
        remedies = [f"Name the columns of summaries, one per system: {to_type(guess, at.file)}"]
    elif len(guess["summary"]) > 1:
        remedies[0] += ", each column of summaries a system"
    elif completes and len(texts) == 1 and not chosen.get("references"):
        remedies = [
            f"If these are references: {to_type({'references': texts}, at.file)}",
            f"If they are summaries: {to_type({'summary': texts}, at.file)}",
        ]
    elif 1 < len(texts) == sum(map(len, guess.values())) and not candidates("summarizer", looks.keys):
        remedies.append(f"If each column is a system: {to_type({'summary': texts}, at.file)}")
    if not texts and (chosen.get("references") or looks.known("documents")):
        remedies.append("If the summaries are in another file, give both files: they are joined by topic")
    scores = looks.scores or ([] if texts else looks.numbers)
    if candidates("topic", looks.keys) and scores:
        remedies.append(f"If this is a table of scores: {to_type({'scores': scores}, at.file)}")
    at.at(1).error(
        f"the columns {looks.described()}",
        "a column of summaries, such as summary or prediction",
        f"{'. '.join(remedies)}.",
    )


def _short_texts(looks: Looks, free: Sequence[str]) -> list[str]:
    """Columns of any words that are no ids."""
    others = {name for role in ("topic", "summarizer", "documents", "references") for name in looks.known(role)}
    return [name for name in free if name not in others and looks.words(name)]


def _guess(looks: Looks, texts: Sequence[str], chosen: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """By role, the columns of texts that most likely play it."""
    left = sorted(texts, key=lambda name: _SUMMARY.isdisjoint(words_of(name)))
    found: dict[str, list[str]] = {}
    if not chosen.get("references") and len(left) > 1:
        found["references"] = [left.pop(left.index(_reference(looks, left)))]
    if not (chosen.get("documents") or looks.known("documents")) and len(left) > 1:
        short = min(looks.words(name) for name in texts)
        long = [name for name in left[1:] if looks.words(name) >= MUCH_LONGER * short]
        found |= {"documents": long} if long else {}
        left = [name for name in left if name not in long]
    if candidates("summarizer", looks.keys):
        left = sorted(left, key=lambda name: not _varies(looks, name))[:1]
    return {"summary": left, **found}


def _reference(looks: Looks, texts: Sequence[str]) -> str:
    """The column of references: by its name; else one that is the same for all summaries of a topic, the shortest."""
    hinted = [name for name in texts if not _REFERENCE.isdisjoint(words_of(name))]
    shared = [name for name in texts if not _varies(looks, name)] if any(_varies(looks, one) for one in texts) else []
    return (hinted or sorted(shared, key=looks.words) or list(texts[1:]))[0]


def _varies(looks: Looks, name: str) -> bool:
    topics: Collection[str] = candidates("topic", looks.keys)
    return any(looks.varies(name, topic) for topic in topics)

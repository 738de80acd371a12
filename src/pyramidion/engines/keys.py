"""Whether the shards of a run fit together: each (topic, summarizer) once, the same references in all rows of a topic.

Every shard leaves 128-bit digests of its keys and topics, sorted. They are compared range by range, so that the memory
that this takes does not grow with the data.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.campaign.flat.reading import Seen, digest_of

KEY = np.dtype([("high", "<u8"), ("low", "<u8")])
TOPIC = np.dtype([("high", "<u8"), ("low", "<u8"), ("texts", "<u8")])
MASK = (1 << 64) - 1
AT_ONCE = 4_000_000
"""Digests that are compared at once."""

Digests = np.ndarray[Any, Any]


def packed_keys(seen: Seen) -> bytes:
    """The digests of a shard: two counts, the keys and the topics, each sorted."""
    keys = _array((_halves(key) for key in seen.keys), KEY)
    topics = _array(((*_halves(digest_of(topic)), texts & MASK) for topic, (_, texts) in seen.topics.items()), TOPIC)
    counts = np.array([len(keys), len(topics)], dtype="<u8")
    return counts.tobytes() + keys.tobytes() + topics.tobytes()


HEAD = 16
"""Bytes of the two counts."""


def is_intact(head: bytes, size: int) -> bool:
    """Whether a file of digests that begins with these bytes has as many bytes as its counts say."""
    if len(head) < HEAD:
        return False
    keys, topics = np.frombuffer(head[:HEAD], dtype="<u8").tolist()
    return bool(size == HEAD + keys * KEY.itemsize + topics * TOPIC.itemsize)


def _halves(digest: int) -> tuple[int, int]:
    return digest >> 64, digest & MASK


def _array(rows: Any, dtype: np.dtype[Any]) -> Digests:
    digests = np.array(list(rows), dtype=dtype)
    digests.sort(order=list(dtype.names or ()))
    return digests


@dataclass(frozen=True)
class SortedDigests:
    """Sorted digests in a file."""

    path: Path
    dtype: np.dtype[Any]
    offset: int
    count: int

    def before(self, bound: int, start: int) -> int:
        """How many are less than a bound, which is not before the one at `start`."""
        if bound > MASK:
            return self.count
        with self.path.open("rb") as file:

            def high(number: int) -> int:
                file.seek(self.offset + number * self.dtype.itemsize)
                return int.from_bytes(file.read(8), "little")

            return bisect.bisect_left(range(self.count), bound, lo=start, key=high)

    def read(self, start: int, end: int) -> Digests:
        """Some of them."""
        offset = self.offset + start * self.dtype.itemsize
        return np.fromfile(self.path, dtype=self.dtype, count=end - start, offset=offset)


def open_digests(path: Path) -> tuple[SortedDigests, SortedDigests]:
    """The keys and the topics of a shard, which stay on disk."""
    with path.open("rb") as file:
        keys, topics = np.frombuffer(file.read(HEAD), dtype="<u8").tolist()
    start_of_topics = HEAD + keys * KEY.itemsize
    return SortedDigests(path, KEY, HEAD, keys), SortedDigests(path, TOPIC, start_of_topics, topics)


def find_repeated(shards: Sequence[SortedDigests]) -> tuple[int, tuple[int, int]] | None:
    """How many keys occur more than once, and in which shards the first of them does; None if none does."""
    count = 0
    first: tuple[int, int] | None = None
    for digests, origins in _ranges(shards):
        again = np.flatnonzero(_same(digests[1:], digests[:-1]))
        count += len(again)
        if len(again) and first is None:
            first = int(origins[again[0]]), int(origins[again[0] + 1])
    return None if first is None else (count, first)


def find_disagreeing(shards: Sequence[SortedDigests]) -> tuple[int, int, tuple[int, int] | None]:
    """How many topics there are, how many have other texts in another shard, and two shards where the first does."""
    topics = wrong = 0
    first: tuple[int, int] | None = None
    for digests, origins in _ranges(shards):
        same = _same(digests[1:], digests[:-1])
        topics += len(digests) - int(same.sum())
        differ = np.flatnonzero(same & (digests["texts"][1:] != digests["texts"][:-1]))
        wrong += len(differ)
        if len(differ) and first is None:
            first = int(origins[differ[0]]), int(origins[differ[0] + 1])
    return topics, wrong, first


def _same(a: Digests, b: Digests) -> Any:
    return (a["high"] == b["high"]) & (a["low"] == b["low"])


def _ranges(shards: Sequence[SortedDigests]) -> Iterator[tuple[Digests, Digests]]:
    """All digests, sorted, range by range, with the shard that each is from; equal ones are in one range."""
    if not shards:
        return
    total = sum(shard.count for shard in shards)
    parts = max(math.ceil(total / AT_ONCE), 1)
    starts = [0] * len(shards)
    for part in range(1, parts + 1):
        bound = (MASK + 1) * part // parts
        ends = [shard.before(bound, start) for shard, start in zip(shards, starts, strict=True)]
        pieces = [shard.read(start, end) for shard, start, end in zip(shards, starts, ends, strict=True)]
        origins = np.repeat(np.arange(len(shards)), list(map(len, pieces)))
        digests = np.concatenate(pieces)
        order = np.lexsort((digests["low"], digests["high"]))
        yield digests[order], origins[order]
        starts = ends

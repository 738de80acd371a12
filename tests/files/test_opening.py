"""Compressed files are read like plain ones, unless they are made to fill the memory of whoever reads them."""

from __future__ import annotations

import gzip
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import pyramidion
from pyramidion.campaign import CampaignError
from pyramidion.files import guards
from pyramidion.files.opening import PackedError, open_bytes, unpacked

Compress = Callable[[bytes], bytes]
COMPRESS: dict[str, Compress] = {".gz": gzip.compress, ".zst": zstandard.compress}


@pytest.mark.parametrize("ending", COMPRESS)
def test_what_grows_beyond_measure_is_refused_before_it_fills_memory(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "HARMLESS_BYTES", 100_000)
    path = tmp_path / f"bomb.jsonl{ending}"
    path.write_bytes(COMPRESS[ending](b"x" * 10_000_000))
    with pytest.raises(PackedError, match="500 times"), open_bytes(path) as file:
        read = 0
        while block := file.read(1000):
            read += len(block)
            assert read <= 100_000 + guards.MOST_TIMES * path.stat().st_size
    with pytest.raises(PackedError), unpacked(path):
        pass


@pytest.mark.parametrize("ending", COMPRESS)
@pytest.mark.parametrize("kind", [".jsonl", ".json", ".csv", ".tsv"])
def test_a_bomb_in_place_of_data_is_an_error_of_the_file(
    tmp_path: Path, ending: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "HARMLESS_BYTES", 100_000)
    path = tmp_path / f"bomb{kind}{ending}"
    path.write_bytes(COMPRESS[ending](b"topic,summarizer,summary\n" + b" " * 10_000_000))
    with pytest.raises(CampaignError, match="grow to more than 500 times their size"):
        pyramidion.load(path)


def in_blocks(content: bytes) -> bytes:
    packing = zstandard.ZstdCompressor().compressobj()
    half = len(content) // 2
    first = packing.compress(content[:half]) + packing.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return first + packing.compress(content[half:]) + packing.flush()


def skippable(content: bytes) -> bytes:
    """A frame that decompressors pass over, as pzstd puts it before each of its frames (RFC 8878, 3.1.2)."""
    return b"\x50\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content


@pytest.mark.parametrize(
    "compress",
    [
        gzip.compress,
        zstandard.compress,
        zstandard.ZstdCompressor(write_checksum=True).compress,
        in_blocks,
        lambda content: zstandard.compress(content) + in_blocks(content),
        lambda content: skippable(b"a size") + zstandard.compress(content),
        lambda content: zstandard.compress(b"") + skippable(b"a size") + zstandard.compress(content),
    ],
)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.7, 0.999])
def test_a_file_that_is_cut_off_is_an_error_and_not_a_shorter_file(
    tmp_path: Path, compress: Compress, share: float
) -> None:
    content = random.Random(1).randbytes(150_000).hex().encode()
    packed_bytes = compress(content)
    path = tmp_path / "data.jsonl"
    path.write_bytes(packed_bytes)
    with open_bytes(path) as file:
        assert file.read().replace(content, b"") == b""
    path.write_bytes(packed_bytes[: int(share * len(packed_bytes))])
    with pytest.raises(PackedError, match="can't be read"), open_bytes(path) as file:
        file.read()


def test_a_bomb_in_place_of_a_log_is_an_error_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "HARMLESS_BYTES", 100_000)
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", '{"eval": {"model": "m", "task": "t"}}')
        archive.writestr("samples/1.json", " " * 10_000_000)
    with pytest.raises(CampaignError, match="grow to more than 500 times their size"):
        pyramidion.load(path)


@pytest.mark.parametrize("ending", COMPRESS)
def test_what_grows_much_but_stays_small_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"blanks{ending}"
    path.write_bytes(COMPRESS[ending](b" " * 1_000_000))
    with open_bytes(path) as file:
        assert len(file.read()) == 1_000_000

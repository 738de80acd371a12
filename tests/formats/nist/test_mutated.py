"""nist: files that are cut, changed or mixed up end in a campaign that loads, or in problems; never in a traceback."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from formats.nist.packages import GOLDEN, NAMES
from pyramidion.campaign import Problems, write_folder
from pyramidion.campaign.folder import read_folder
from pyramidion.formats import find_format
from pyramidion.formats.nist import find
from pyramidion.formats.nist.archives import PackageFile, all_files

pytestmark = pytest.mark.slow
PIECES = (b"\t", b"\n", b'"', b"<", b".", b"-", b"0")


@cache
def files(name: str) -> tuple[PackageFile, ...]:
    found = all_files([GOLDEN / name / "tree"], Problems())
    return tuple(replace(one, content=one.read(Problems())) for one in found if "BE/BE" not in str(one.inner))


def mutated(draw: random.Random, content: bytes) -> bytes:
    """Bytes changed, deleted, inserted, cut off or exchanged, or one kind of byte replaced throughout."""
    changed, kind = bytearray(content), draw.randrange(6)
    for _ in range(draw.randrange(1, 8)):
        place = draw.randrange(len(changed)) if changed else 0
        if kind == 0 and changed:
            changed[place] = draw.randrange(256)
        elif kind == 1:
            del changed[place : place + draw.randrange(1, 40)]
        elif kind == 2:
            changed[place:place] = bytes(draw.choice(b'<>/&\t\n "0123456789ABCD.-') for _ in range(9))
        elif kind == 3:
            del changed[place:]
        elif kind == 4 and changed:
            other = draw.randrange(len(changed))
            changed[place : place + 30], changed[other : other + 30] = (
                changed[other : other + 30],
                changed[place : place + 30],
            )
        else:
            changed = changed.replace(draw.choice(PIECES), draw.choice([b"", b" ", b"\t\t", b"\xff"]))
    return bytes(changed)


@pytest.mark.parametrize("seed", range(24))
def test_whatever_happens_to_files_the_campaign_loads(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    package = list(files(draw.choice(NAMES)))
    for place in draw.choices(range(len(package)), k=draw.randrange(1, 12)):
        content = package[place].content or b""
        package[place] = replace(package[place], content=mutated(draw, content))
    monkeypatch.setattr(find, "all_files", lambda *_: package)
    campaign = find_format("nist").read(tmp_path, Problems())
    write_folder(campaign, tmp_path / "campaign")
    problems = Problems()
    read_folder(tmp_path / "campaign", problems)
    assert [str(one) for one in problems if one.severity == "error"] == []

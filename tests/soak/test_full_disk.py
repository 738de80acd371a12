"""A disk that fills up anywhere: an error in words, and the old content; or success, and all of the new one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from soak.running import LOCAL_COMMANDS, References, call, prepare, state, working_in
from soak.trials import Trials

pytestmark = pytest.mark.soak
SIZE = 8 * 2**20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root mounts a disk")
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place], capture_output=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.decode()}")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_is_an_error_in_words_and_the_old_content_stays(
    trials: Trials, disk: Path, references: References
) -> None:
    for round in trials.rounds("full disk", share=0.15, least=len(LOCAL_COMMANDS)):
        with round:
            command = round.random.choice(LOCAL_COMMANDS)
            place = disk / "work"
            shutil.rmtree(place, ignore_errors=True)
            reference = references.of(command)
            prepare(place, command)
            room = shutil.disk_usage(disk).free
            free = int(round.random.choice([0.001, 0.01, 0.05, 0.2, 0.5]) * round.random.random() * room)
            (disk / "filler").write_bytes(b"x" * (room - free))
            round.what = f"{command.line}, {free} bytes free"
            try:
                with working_in(place):
                    code, said = call(command.words)
            finally:
                (disk / "filler").unlink()
            assert "Traceback" not in said
            if code:
                assert code == 1, said
                assert "the disk is full" in said or "temporary files can't be written" in said, said
                assert reference.fits(state(place), file_by_file=command.resumes)
                assert command.resumes or state(place) == reference.before
            else:
                assert state(place) == reference.after

"""Commands that write are interrupted at any moment: what they write is old or new, and a later run cleans up."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from soak.running import COMMANDS, CRASHING, PROGRAM, Reference, References, Writing, prepare, state
from soak.trials import Trials

pytestmark = [pytest.mark.soak, pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]
SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL]


def check(place: Path, command: Writing, reference: Reference, *, killed: bool) -> None:
    """What is left is old or new; unfinished files and locks are left only by a kill, and the next run takes them."""
    endings = (".part", ".old", ".lock")
    unfinished = {name for name in state(place) if any(part.endswith(endings) for part in name.split("/"))}
    assert killed or not unfinished, f"left behind: {unfinished}"
    for path in [*place.rglob(".*.part"), *place.rglob(".*.old")]:
        os.utime(path, (0, 0))
    files = {name: digest for name, digest in state(place).items() if name not in unfinished}
    has_several_renames = killed and (command.replaces or command.line.startswith("simulate"))
    file_by_file = command.resumes or has_several_renames
    assert reference.fits(files, file_by_file=file_by_file), f"{set(files.items()) ^ set(reference.after.items())}"
    is_to_be_repeated = killed and (unfinished or files == reference.before)
    if command.resumes or is_to_be_repeated:
        subprocess.run([*PROGRAM, *command.words], cwd=place, check=True, capture_output=True)
        assert state(place) == reference.after


def test_whenever_a_command_is_interrupted_its_output_is_old_or_new(
    trials: Trials, tmp_path: Path, references: References
) -> None:
    for round in trials.rounds("interrupted at any time: commands that write", share=0.2, least=10):
        with round:
            command, sent = round.random.choice(COMMANDS), round.random.choice(SIGNALS)
            reference, place = references.of(command), tmp_path / "work"
            shutil.rmtree(place, ignore_errors=True)
            prepare(place, command)
            delay = round.random.uniform(0.3, 1.1) * reference.seconds
            round.what = f"{command.line}, {sent.name} after {delay:.2f} s"
            process = subprocess.Popen([*PROGRAM, *command.words], cwd=place, stdout=-1, stderr=-1)
            with process:
                time.sleep(delay)
                process.send_signal(sent)
                process.communicate(timeout=300)
            check(place, command, reference, killed=sent is signal.SIGKILL)


def test_at_whatever_file_operation_a_command_is_interrupted_its_output_is_old_or_new(
    trials: Trials, tmp_path: Path, references: References
) -> None:
    for round in trials.rounds("interrupted at a file operation: commands that write", share=0.2, least=10):
        with round:
            command, sent = round.random.choice(COMMANDS), round.random.choice(SIGNALS)
            reference, place = references.of(command), tmp_path / "work"
            shutil.rmtree(place, ignore_errors=True)
            prepare(place, command)
            number = round.random.randint(1, reference.operations)
            round.what = f"{command.line}, {sent.name} at operation {number} of {reference.operations}"
            line = [*CRASHING, str(number), str(int(sent)), *command.words]
            subprocess.run(line, cwd=place, capture_output=True, timeout=300)
            check(place, command, reference, killed=sent is signal.SIGKILL)

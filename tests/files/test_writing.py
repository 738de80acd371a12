"""Files and folders appear whole or not at all; what dead processes left is removed by the next one."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pyramidion.errors import InputError, UsageError
from pyramidion.files import atomic_writer, guards, make_folder, write_lines, written_together
from pyramidion.files.scratch import OLD, PART, remove_leftovers, unfinished_name


def everything(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_a_new_folder_that_another_command_writes_meanwhile_is_not_mixed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(InputError, match="another command has written there meanwhile"), written_together(folder):
        write_lines(folder / "a.txt", [b"ours"])
        folder.mkdir()
        (folder / "a.txt").write_text("theirs", encoding="utf-8")
    assert (folder / "a.txt").read_text(encoding="utf-8") == "theirs"
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "a.txt"]


def test_a_new_folder_appears_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "new"
    with written_together(target):
        write_lines(target / "a.txt", [b"a"])
        write_lines(target / "inner" / "b.txt", [b"b"])
        make_folder(target / "empty")
        assert not target.exists()
    assert everything(target) == {"a.txt": b"a\n", "inner": None, "inner/b.txt": b"b\n", "empty": None}
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    target = tmp_path / "new"
    with pytest.raises(KeyboardInterrupt), written_together(target):
        write_lines(target / "a.txt", [b"a"])
        raise KeyboardInterrupt
    assert everything(tmp_path) == {}


def test_a_signal_during_the_clean_up_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"old")
    unlink = Path.unlink
    interrupted: list[Path] = []

    def interrupt_once(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".old" and not interrupted:
            interrupted.append(path)
            raise KeyboardInterrupt
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", interrupt_once)
    with pytest.raises(KeyboardInterrupt), written_together():
        write_lines(tmp_path / "a.txt", [b"new"])
        write_lines(tmp_path / "b.txt", [b"new"])
    assert everything(tmp_path) == {"a.txt": b"new\n", "b.txt": b"new\n"}


OPERATIONS = (
    ("os.link", os, "link"),
    ("mkdir", Path, "mkdir"),
    ("replace", Path, "replace"),
    ("rename", Path, "rename"),
    ("open", Path, "open"),
)


@pytest.mark.parametrize("kind", ["files beside each other", "a new folder", "into a folder", "one file"])
@pytest.mark.parametrize(("name", "owner", "attribute"), OPERATIONS, ids=[name for name, *_ in OPERATIONS])
def test_a_signal_right_after_any_operation_leaves_old_or_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, name: str, owner: object, attribute: str
) -> None:
    operation = getattr(owner, attribute)
    place = tmp_path / "interrupted"
    for number in range(1, 12):
        calls = 0

        def interrupted(*arguments: object, number: int = number, **keywords: object) -> object:
            nonlocal calls
            calls += 1
            result = operation(*arguments, **keywords)
            if calls == number:
                if attribute == "open":
                    result.close()  # the signal arrives before anyone can
                raise KeyboardInterrupt
            return result

        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        old = write_old(place, kind)
        monkeypatch.setattr(owner, attribute, interrupted)
        try:
            write_new(place, kind)
        except KeyboardInterrupt:
            pass
        else:
            break  # fewer operations than that: all have been interrupted
        finally:
            monkeypatch.setattr(owner, attribute, operation)
        left = everything(place)
        write_new(place, kind)
        assert left in (old, everything(place)), f"{name} number {number}"
    else:
        raise AssertionError("the operations do not end")


def write_old(place: Path, kind: str) -> dict[str, bytes | None]:
    """What is there before."""
    if kind in ("files beside each other", "into a folder"):
        (place / "a.txt").write_bytes(b"old")
    return everything(place)


def write_new(place: Path, kind: str) -> None:
    """Write new files of each kind."""
    if kind == "one file":
        write_lines(place / "new" / "deep" / "a.txt", [b"new"])
        return
    folder = {"a new folder": place / "new" / "deep", "into a folder": place}.get(kind)
    with written_together(folder):
        write_lines((folder or place) / "a.txt", [b"new"])
        write_lines((folder or place) / "b" / "c.txt", [b"new"])


def test_a_failure_leaves_no_new_folders(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a fault"), atomic_writer(tmp_path / "new" / "deep" / "a.txt"):
        raise ValueError("a fault")
    with pytest.raises(ValueError, match="a fault"), written_together():
        write_lines(tmp_path / "b" / "c.txt", [b"c"])
        raise ValueError("a fault")
    with pytest.raises(ValueError, match="a fault"), written_together(tmp_path / "d" / "e"):
        write_lines(tmp_path / "d" / "e" / "f.txt", [b"c"])
        raise ValueError("a fault")
    assert everything(tmp_path) == {}


@pytest.mark.parametrize("fails", [False, True])
def test_an_existing_folder_keeps_its_place_and_its_other_files(tmp_path: Path, fails: bool) -> None:
    (tmp_path / "kept.txt").write_bytes(b"kept")
    (tmp_path / "a.txt").write_bytes(b"old")
    before, place = everything(tmp_path), tmp_path.stat().st_ino
    try:
        with written_together(tmp_path):
            write_lines(tmp_path / "a.txt", [b"new"])
            write_lines(tmp_path / "b" / "c.txt", [b"c"])
            assert (tmp_path / "a.txt").read_bytes() == b"old"
            if fails:
                raise ValueError
    except ValueError:
        assert everything(tmp_path) == before
    else:
        after = {"kept.txt": b"kept", "a.txt": b"new\n", "b": None, "b/c.txt": b"c\n"}
        assert everything(tmp_path) == after
    assert tmp_path.stat().st_ino == place


def test_success_means_synced_the_folder_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []

    def fsync(number: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{number}").readlink()))

    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    monkeypatch.setattr("pyramidion.files.writing.fsync", fsync)
    write_lines(tmp_path / "a.txt", [b"a"])
    assert len(synced) == 2
    assert synced[0].endswith(".part")
    assert synced[1] == str(tmp_path)


def make_old(path: Path) -> None:
    """Make a file, or a folder, one that nobody has touched for longer than a day."""
    before = time.time() - guards.ABANDONED_SECONDS - 60
    os.utime(path, (before, before))


LEAVES = """
import sys, os, time
from pathlib import Path
from pyramidion.files import atomic_writer, written_together, write_lines
folder = Path(sys.argv[1])
with written_together(folder / "new"), atomic_writer(folder / "a.txt") as file:
    write_lines(folder / "new" / "b.txt", [b"b"])
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


def left_by_a_dead_process(folder: Path) -> list[Path]:
    process = subprocess.Popen([sys.executable, "-c", LEAVES, str(folder)], stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        process.kill()
    return sorted(folder.iterdir())


def test_what_a_killed_process_left_is_removed_when_it_is_a_day_old(tmp_path: Path) -> None:
    left = left_by_a_dead_process(tmp_path)
    assert len(left) == 2
    remove_leftovers.cache_clear()
    write_lines(tmp_path / "c.txt", [b"c"])
    assert sorted(tmp_path.iterdir()) == sorted([*left, tmp_path / "c.txt"])  # its process may be alive
    for path in left:
        make_old(path)
    remove_leftovers.cache_clear()
    write_lines(tmp_path / "c.txt", [b"c"])
    assert everything(tmp_path) == {"c.txt": b"c\n"}


def test_only_what_has_our_names_is_removed(tmp_path: Path) -> None:
    for name in (unfinished_name(PART), unfinished_name(OLD), ".mine.part", "data.part"):
        (tmp_path / name).write_bytes(b"")
        make_old(tmp_path / name)
    remove_leftovers.cache_clear()
    remove_leftovers(tmp_path)
    assert sorted(everything(tmp_path)) == [".mine.part", "data.part"]


def test_words_of_other_libraries_become_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(OSError) as refused, atomic_writer(tmp_path / "a.txt"):
        raise ValueError("parquet: underlying IO error: No space left on device (os error 28)")
    assert (refused.value.errno, refused.value.filename) == (errno.ENOSPC, str((tmp_path / "a.txt").resolve()))


@pytest.mark.parametrize("name", ["summaries.jsonl", "judgments.jsonl", "campaign.toml", "coverage.jsonl"])
def test_only_a_campaign_writes_its_own_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "campaign.toml").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="no output overwrites it"), atomic_writer(tmp_path / name):
        pass
    with atomic_writer(tmp_path / name, own=True) as file:
        file.write(b"own")
    assert (tmp_path / name).read_bytes() == b"own"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which nobody can write")
def test_what_can_not_be_written_is_called_as_the_user_calls_it() -> None:
    with pytest.raises(OSError) as folder, written_together(Path("/proc/new")):
        write_lines(Path("/proc/new/a.txt"), [])
    assert folder.value.filename == "/proc/new"
    with pytest.raises(OSError) as file:
        write_lines(Path("/proc/new.txt"), [])
    assert file.value.filename == "/proc/new.txt"

"""Writing is atomic: a file is the old one or the new one, never half of either, and nothing else is left behind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pyramidion.campaign import Campaign, Problems, Summary, write_folder
from pyramidion.campaign.sources import CampaignSource
from pyramidion.files import atomic_writer, remove, write_lines, written_together


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_failing_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text("old")

    def lines() -> Iterator[bytes]:
        yield b"new"
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        write_lines(path, lines())
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file.jsonl"]


def test_a_write_that_the_user_interrupts_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_writer(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file.jsonl"]


def test_readers_see_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text("old")
    with atomic_writer(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert names(tmp_path) == ["file.jsonl"]


def test_a_text_that_cannot_be_written_leaves_the_old_files(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    campaign = CampaignSource(folder).read(Problems())
    broken = Summary(topic="D1", summarizer="S9", kind="peer", text="\ud800")
    with pytest.raises(UnicodeEncodeError):
        write_folder(Campaign(summaries=(broken,)), folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    write_folder(campaign, folder)
    assert names(folder) == sorted(before)


def test_a_new_file_gets_the_permissions_of_any_new_file_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    ordinary, ours = tmp_path / "ordinary", tmp_path / "ours"
    ordinary.write_text("")
    write_lines(ours, [b"x"])
    assert ours.stat().st_mode == ordinary.stat().st_mode
    ours.chmod(0o600)
    write_lines(ours, [b"y"])
    assert ours.stat().st_mode & 0o777 == 0o600


def test_missing_folders_are_made(tmp_path: Path) -> None:
    write_folder(Campaign(), tmp_path / "a" / "b")
    assert names(tmp_path / "a" / "b") == ["campaign.toml", "summaries.jsonl"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_writer(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    with atomic_writer(Path("/dev/null")) as file:
        file.write(b"gone")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(IsADirectoryError), atomic_writer(tmp_path):
        pass


def test_files_written_together_appear_together_or_not_at_all(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("old")
    with pytest.raises(RuntimeError), written_together():
        write_lines(tmp_path / "a", [b"new"])
        remove(tmp_path / "b")
        assert (tmp_path / "a").read_text() == "old"
        raise RuntimeError("the second can't be made")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old", "b": "old"}
    with written_together():
        write_lines(tmp_path / "a", [b"new"])
        write_lines(tmp_path / "c", [b"new"])
        remove(tmp_path / "b")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new\n", "c": "new\n"}


def test_a_file_that_cannot_be_renamed_brings_the_others_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    whole = Path.replace

    def failing(self: Path, target: Path) -> Path:
        if target.name == "b" and self.suffix == ".part":
            raise OSError("no space left")
        return whole(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(OSError, match="no space"), written_together():
        write_lines(tmp_path / "a", [b"new"])
        write_lines(tmp_path / "c", [b"new"])
        write_lines(tmp_path / "b", [b"new"])
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}

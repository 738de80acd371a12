"""`make quick` looks into every room."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "pyramidion"
ROOMS = sorted(
    room.parent.relative_to(SOURCE).as_posix()
    for rooms in ("*", "formats/*", "studies/*")
    for room in SOURCE.glob(f"{rooms}/__init__.py")
)
SLOW = set((TESTS / "slow.txt").read_text(encoding="utf-8").split())


def quick_tests(file: Path) -> list[str]:
    """The tests of a file that are neither marked nor listed as slow."""
    name = file.relative_to(TESTS).as_posix()
    return [
        one.name
        for one in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("test_") and f"{name}::{one.name}" not in SLOW
        if not any("slow" in ast.unparse(decorator) for decorator in one.decorator_list)
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_quick_tests(room: str) -> None:
    inside, beside = TESTS / room, f"test_{Path(room).name}*.py"  # a folder, or files of that name
    assert any(quick_tests(file) for file in (*inside.rglob("test_*.py"), *inside.parent.glob(beside)))

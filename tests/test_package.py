"""The package as it is installed."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import pyramidion
from pyramidion.errors import DISTRIBUTION

ROOT = Path(__file__).parents[1]
DOCUMENT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = DOCUMENT["project"]


def test_the_version_is_that_of_the_installed_package() -> None:
    names = (DISTRIBUTION, "pyramidion")  # an environment from before the change of name has the old one
    installed = {one.version for one in metadata.distributions() if one.name in names}
    assert {pyramidion.__version__} == installed == {PROJECT["version"]}


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("CITATION.cff", "version: {}\n"),
        ("CHANGELOG.md", "## {} "),
        ("action.yml", "pyramidion-eval=={}\n"),
        ("docs/how-to/gate-a-build.md", "pyramidion@v{}\n"),
    ],
)
def test_files_name_this_version(file: str, line: str) -> None:
    assert line.format(PROJECT["version"]) in (ROOT / file).read_text(encoding="utf-8")


def test_the_distribution_has_its_own_name_and_both_commands() -> None:
    """`pyramidion` on PyPI is another project's."""
    assert PROJECT["name"] == DISTRIBUTION == "pyramidion-eval"
    assert PROJECT["scripts"] == dict.fromkeys(["pyramidion", "pyramidion-eval"], "pyramidion.__main__:main")
    extras = [
        one for needed in PROJECT["optional-dependencies"].values() for one in needed if one.startswith("pyramidion")
    ]
    assert extras
    assert all(one.startswith(f"{DISTRIBUTION}[") for one in extras)


def test_every_action_of_the_workflows_is_pinned_by_its_digest() -> None:
    workflows = [*ROOT.glob(".github/workflows/*.yml"), ROOT / "action.yml"]
    uses = re.findall(r"uses: (\S+)", "\n".join(path.read_text(encoding="utf-8") for path in workflows))
    assert uses
    assert [action for action in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


def test_the_environment_of_the_demo_has_all_that_its_commands_need() -> None:
    extras = PROJECT["optional-dependencies"]
    needed = [*PROJECT["dependencies"], *extras["report"], *extras["assess"]]
    names = {re.match(r"[\w-]+", requirement)[0].lower() for requirement in needed}  # type: ignore[index]
    locked = set(re.findall(r"^([\w-]+)==", (ROOT / "locks" / "demo.txt").read_text(encoding="utf-8"), re.M))
    assert names - locked == set()


def test_what_builds_the_package_is_pinned_with_hashes() -> None:
    build = set(DOCUMENT["dependency-groups"]["build"])
    required = set(DOCUMENT["build-system"]["requires"])
    assert required <= build
    lock = (ROOT / "locks" / "build.txt").read_text(encoding="utf-8")
    assert all(f"{requirement} \\\n    --hash=sha256:" in lock for requirement in required)

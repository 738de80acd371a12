"""The package as it is installed."""

import tomllib
from importlib import metadata
from pathlib import Path

import pyramidion
from pyramidion.errors import DISTRIBUTION

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_that_of_the_installed_package() -> None:
    names = (DISTRIBUTION, "pyramidion")  # an environment from before the change of name has the old one
    installed = {one.version for one in metadata.distributions() if one.name in names}
    assert {pyramidion.__version__} == installed == {PROJECT["version"]}


def test_the_distribution_has_its_own_name_and_both_commands() -> None:
    """`pyramidion` on PyPI is another project's."""
    assert PROJECT["name"] == DISTRIBUTION == "pyramidion-eval"
    assert PROJECT["scripts"] == dict.fromkeys(["pyramidion", "pyramidion-eval"], "pyramidion.__main__:main")
    extras = [
        one for needed in PROJECT["optional-dependencies"].values() for one in needed if one.startswith("pyramidion")
    ]
    assert extras
    assert all(one.startswith(f"{DISTRIBUTION}[") for one in extras)

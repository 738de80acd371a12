"""The package as it is installed."""

from importlib import metadata

import pyramidion


def test_the_version_is_that_of_the_installed_package() -> None:
    assert pyramidion.__version__ == metadata.version("pyramidion")

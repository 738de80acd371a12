"""The package as it is installed."""

from importlib import metadata

import pyramidion


def test_the_version_is_said_once() -> None:
    assert pyramidion.__version__ == metadata.version("pyramidion")

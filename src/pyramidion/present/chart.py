"""A chart and how it is written: vl-convert renders Vega-Lite without a browser, and only when asked to."""

from __future__ import annotations

import functools
import html
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files import atomic_writer

ENDINGS = (".svg", ".png", ".pdf", ".html")
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
{svg}
</html>
"""
"""A figure as a page: the drawing and nothing that runs."""


@dataclass(frozen=True)
class Chart:
    """A figure. Notebooks show it; `write_chart` writes it to a file. Rendering needs the extra `report`."""

    title: str
    spec: dict[str, Any] = field(repr=False)
    """The whole figure in Vega-Lite (version 5 or later), with its data."""

    def to_svg(self) -> str:
        """The drawing as text."""
        return str(_converter().vegalite_to_svg(self.spec))

    def to_png(self, *, scale: float = 2) -> bytes:
        """The drawing as pixels, `scale` of them for one of the screen."""
        return bytes(_converter().vegalite_to_png(self.spec, scale=scale))

    def to_pdf(self) -> bytes:
        """The drawing for print."""
        return bytes(_converter().vegalite_to_pdf(self.spec))

    def to_html(self) -> str:
        """A page with the drawing: self-contained, without scripts."""
        return _PAGE.format(title=html.escape(self.title), svg=self.to_svg())

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {"application/vnd.vegalite.v5+json": self.spec, "image/svg+xml": self.to_svg()}


def write_chart(chart: Chart, path: Path) -> None:
    """Write a figure as .svg, .png, .pdf or self-contained .html, by the ending of the path."""
    check_ending(path)
    content = getattr(chart, f"to_{path.suffix[1:]}")()
    with atomic_writer(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_ending(path: Path) -> None:
    """Refuse a file that no figure can be written to, before long work is done for it."""
    if path.suffix not in ENDINGS:
        raise UsageError(
            f"{path}: figures are written as {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}; choose one of these endings"
        )


class CannotDrawError(UsageError):
    """The renderer can't work in this process."""


def _converter() -> Any:
    """The renderer, or what to install."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise MissingExtraError("drawing figures", "report") from None
    except ImportError as error:  # installed, but under a low limit not even loaded
        raise CannotDrawError(f"{_NO_MEMORY} ({error})") from None
    if not _has_enough_memory():
        raise CannotDrawError(_NO_MEMORY)
    return vl_convert


_NO_MEMORY = (
    "no figure can be drawn: the renderer needs more virtual memory than the limit of this process allows; "
    "raise the limit (ulimit -v), or leave out the figure"
)


@functools.cache
def _has_enough_memory() -> bool:
    """Whether the renderer starts under the limit on virtual memory, which clusters often set."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return True
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return True
    # V8 ends its process when it can't reserve its memory: it is tried in another one, which inherits the limit.
    attempt = f"import vl_convert; vl_convert.vegalite_to_svg({_SMALLEST_SPEC!r})"
    completed = subprocess.run([sys.executable, "-c", attempt], capture_output=True, check=False)
    return completed.returncode == 0


_SMALLEST_SPEC = {"data": {"values": []}, "mark": "point"}

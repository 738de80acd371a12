"""SVG inside the page: rows drawn as dots with intervals, and the clean-up of what Vega-Lite draws."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from markupsafe import Markup, escape

from pyramidion.present.chart import CannotDrawError
from pyramidion.present.section import Figure, Point
from pyramidion.show.wording import capital, visible

MOST_TICKS = 4
NEAR = 0.4
"""Of the distance between ticks."""
MARGIN = 0.04
"""Of the width, left free at each end."""
AT_START = 0.08
"""Of the width: numbers above ticks that lie so far left begin at their tick."""
MOST_CHARACTERS = 14
"""Of all numbers above the ticks together, so that they fit a narrow screen."""
OWN_MARGIN = 0.12
"""The same where each row has a scale of its own: lines that all end at the edge look cut off."""


@dataclass(frozen=True)
class Scale:
    """Where numbers lie on a drawing, in percent of its width."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """A place; what lies outside is drawn at the end."""
        return f"{100 * self._share(value):.1f}%"

    def is_at_start(self, value: float) -> bool:
        """Whether a number written in the middle of its place would begin left of the drawing."""
        return self._share(value) < AT_START

    def _share(self, value: float) -> float:
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def _step(self) -> float:
        """Between ticks."""
        width = self.high - self.low
        step: float = 10.0 ** math.floor(math.log10(width / MOST_TICKS))
        return next(step * factor for factor in (1, 2, 5, 10, 20) if width / (step * factor) <= MOST_TICKS)

    def to_ticks(self) -> Scale:
        """A little wider, if that is enough to reach the next tick at an end."""
        step = self._step
        near = NEAR * step
        low = math.floor(self.low / step) * step
        if self.low - low > near:
            low = self.low
        high = math.ceil(self.high / step) * step
        if high - self.high > near:
            high = self.high
        return Scale(low, high)

    def ticks(self) -> list[float]:
        """Round numbers along it, four at most."""
        step = self._step
        # The slack keeps a tick that lies at the very end, in spite of rounding.
        first = math.ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, math.floor(self.high / step + 1e-9) + 1)]


def scale_of(points: Sequence[Point], *, zero: bool, own: bool = False) -> Scale | None:
    """A scale for all of these, or for a row of its `own`; None without any number.

    With `zero` 0 is on it; on a row's own scale in the middle.
    """
    values = chain.from_iterable((point.value, point.lower, point.upper) for point in points)
    numbers = [value for value in values if value is not None]
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    if zero and own:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    elif zero:
        low, high = min(low, 0.0), max(high, 0.0)
    # All numbers are equal: a scale without width would divide by 0.
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-12):
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    margin = OWN_MARGIN if own else MARGIN
    room = margin * (high - low)
    scale = Scale(low - room, high + room)
    if own:
        return scale
    return scale.to_ticks()


def dot_drawing(point: Point, scale: Scale | None, ticks: Sequence[float], *, strong: bool) -> str:
    """One row: ticks, the interval and the dot. The row has the numbers, so readers of the screen need no words."""
    if scale is None or point.value is None:
        return ""
    # Ticks have no class, and dots no height: a page has thousands of them, and the style sheet knows both.
    lines = []
    for tick in ticks:
        kind = ' class="zero"' if tick == 0 else ""
        lines.append(f'<rect{kind} x="{scale.at(tick)}"/>')
    if point.lower is not None and point.upper is not None:
        lines.append(f'<line x1="{scale.at(point.lower)}" x2="{scale.at(point.upper)}" y1="50%" y2="50%"/>')
    lines.append(f'<circle cx="{scale.at(point.value)}"/>')
    kind = "dots strong" if strong else "dots"
    return f'<svg class="{kind}" aria-hidden="true">{"".join(lines)}</svg>'


def axis(scale: Scale, ticks: Sequence[float]) -> str:
    """The numbers above the ticks; where they are long, a narrow screen leaves out every second one."""
    digits = max(map(_decimals, ticks), default=0)
    labels = [f"{tick:.{digits}f}".replace("-", "−") for tick in ticks]
    is_crowded = sum(map(len, labels)) > MOST_CHARACTERS
    # 0 is never left out; without it, the last number is not.
    kept = len(ticks) - 1
    if 0 in ticks:
        kept = list(ticks).index(0)
    texts = []
    for place, (tick, label) in enumerate(zip(ticks, labels, strict=True)):
        classes = []
        if scale.is_at_start(tick):
            classes.append("start")
        if is_crowded and (place - kept) % 2:
            classes.append("spare")
        attribute = f' class="{" ".join(classes)}"' if classes else ""
        texts.append(f'<text{attribute} x="{scale.at(tick)}" y="12">{label}</text>')
    return f'<svg class="axis" aria-hidden="true">{"".join(texts)}</svg>'


def bar(counts: Sequence[int]) -> str:
    """Counts side by side as parts of one bar."""
    total = sum(counts) or 1
    return f'<svg class="bar" aria-hidden="true">{"".join(_parts(counts, total))}</svg>'


def _parts(counts: Sequence[int], total: int) -> Iterator[str]:
    at = 0
    for place, count in enumerate(counts):
        if count:
            start, width = 100 * at / total, 100 * count / total
            yield f'<rect class="part{place}" x="{start:.1f}%" width="{width:.1f}%" height="100%"/>'
        at += count


def _decimals(value: float) -> int:
    text = f"{value:.10f}".rstrip("0")
    return min(len(text.partition(".")[2]), 6)


_ROLES = re.compile(r' (?:aria-[a-z]+|role|class)="[^"]*"')
_TAG = re.compile(r"<[^<>]*>")
_FRACTION = re.compile(r"(\d\.\d\d)\d+")
"""Places of a drawing have more digits than can be seen."""
_NOTHING = re.compile(
    r'<path d="(?:M0,0h0v0h0Z)?" [^<>]*/>| pointer-events="[a-z]+"| stroke-miterlimit="10"| opacity="1"'
    r'| stroke-width="1"| text-anchor="start"| font-family="sans-serif"| font-size="12px"| transform="translate\(0,0\)"'
)
"""What draws nothing, says what is so anyway, or is said once for the whole drawing."""
_IDS = re.compile(r'(\bid="|url\(#|href="#)')


def figure_drawing(figure: Figure) -> Markup:
    """A figure's SVG inside the page: one image with its words, ids of its own, no more than is needed."""
    try:
        drawn = figure.draw().to_svg()
    except CannotDrawError as error:
        # The tables of the report hold all numbers: a report without drawings is better than none.
        return Markup("<p>{}</p>").format(capital(f"{error}."))
    # Vega gives each mark a role: a screen reader would read hundreds of them instead of our sentence.
    svg = _ROLES.sub("", drawn)
    # All drawings call their clip paths clip1, clip2 …; on one page the first of that name would win.
    svg = _IDS.sub(rf"\g<1>{re.escape(figure.id)}-", svg)
    svg = _TAG.sub(lambda tag: _FRACTION.sub(r"\1", tag[0]), _NOTHING.sub("", svg))
    words = escape(visible(figure.alt))
    font = 'font-family="sans-serif" font-size="12px"'
    return Markup(svg.replace("<svg", f'<svg role="img" aria-label="{words}" {font}', 1))

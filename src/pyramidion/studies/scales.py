"""The scale of a measure: the lowest and the highest value that it can have, where that must be known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import InputError, UsageError, mention

Scale = tuple[float, float]


def parse_scale(scale: Sequence[float]) -> Scale | None:
    """The scale that the user gave; None if none was given.

    Raises:
        UsageError: if it is not a lower and a higher number.
    """
    if not scale:
        return None
    if len(scale) != 2 or not scale[0] < scale[1] or not all(map(math.isfinite, scale)):
        raise UsageError(f"{mention('scale', tuple(scale))}: expected the lowest and the highest value, such as 1,5")
    return scale[0], scale[1]


def choose_scale(measure: str, values: Floats, own: Scale | None, given: Sequence[float]) -> Scale | None:
    """The scale on which the values of a measure lie: its own, else the one that the user gave; None if none is known.

    Somebody's table may have percentages of a measure: then its own scale says nothing about them.

    Args:
        measure: its name, for the message.
        values: NaN where there is none.
        own: the scale of the measure or question, where it has one.
        given: by the user.

    Raises:
        InputError: if a scale was given, and values lie on neither.
    """
    user_scale = parse_scale(given)
    if own is not None and all(map(math.isfinite, own)) and is_within(values, own):
        return own
    if user_scale is not None and not is_within(values, user_scale):
        raise InputError(
            f"{measure}: found values from {np.nanmin(values):g} to {np.nanmax(values):g}; expected the scale "
            f"{user_scale[0]:g} to {user_scale[1]:g}, which `scale=` says"
        )
    return user_scale


def is_within(values: Floats, scale: Scale) -> bool:
    """Whether all values that are there lie on a scale, up to rounding."""
    low, high = scale
    room = (high - low) * 1e-9
    is_on_scale = (values >= low - room) & (values <= high + room)
    return bool((is_on_scale | np.isnan(values)).all())

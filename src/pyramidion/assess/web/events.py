"""Events as they come from a browser: checked before anything looks at them."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator


class SentEvent(BaseModel):
    """An event as the browser sends it."""

    id: Annotated[str, Field(pattern="^[0-9a-f-]{36}$")]
    version: Annotated[int, Field(ge=1)]
    action: Annotated[str, Field(max_length=40, pattern="^[a-z-]+$")]
    changes: Annotated[dict[str, Any], Field(min_length=1, max_length=500)]
    seconds: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = 0.0

    @field_validator("changes")
    @classmethod
    def can_be_stored(cls, changes: dict[str, Any]) -> dict[str, Any]:
        """Half of a character, NaN and values nested too deeply are in no file."""
        try:
            json.dumps(changes, ensure_ascii=False, allow_nan=False).encode()
        except RecursionError:
            raise ValueError("nested too deeply") from None
        return changes


class SentEvents(BaseModel):
    """What is waiting in the browser, in order."""

    events: Annotated[list[SentEvent], Field(min_length=1, max_length=200)]

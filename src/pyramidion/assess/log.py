"""The log: one JSON object a line.

It has the pattern of a route, never the path: paths may carry invitations. It names nobody.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

from pyramidion.assess.store.database import now
from pyramidion.files.targets import require_no_campaign_file

log: logging.Logger = logging.getLogger("pyramidion.assess")


class JsonLines(logging.Formatter):
    """One JSON object for each entry of the log."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry: time, level, message, and the facts given with it."""
        entry: dict[str, Any] = {"time": now(), "level": record.levelname.lower(), "message": record.getMessage()}
        entry |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            # Where it happened, without the values: these may be somebody's.
            entry["error"] = record.exc_info[0].__name__
            entry["where"] = _frames(record.exc_info[2])
        return json.dumps(entry, ensure_ascii=False)


def _frames(traceback: Any) -> list[str]:
    places = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        places.append(f"{Path(code.co_filename).name}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return places[-8:]


def start_log(file: Path | None) -> None:
    """Warnings and errors to stderr; with a file (`-`: stderr), every request to it."""
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file is not None and str(file) != "-":
        require_no_campaign_file(file)
        handler = logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(JsonLines())
    for name in ("pyramidion.assess", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING if file is None or name == "uvicorn.error" else logging.INFO)

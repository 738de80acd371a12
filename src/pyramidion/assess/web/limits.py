"""How often someone may try to sign in. Counted in memory: each server process counts for itself."""

from __future__ import annotations

import threading
import time
from collections import deque

WINDOW = 300.0
"""Seconds in which failures are counted."""
OF_ONE_NAME = 5
OF_ONE_ADDRESS = 30
MOST_KEYS = 10_000


class SignInLimit:
    """Failures by name and by address; above the limit, one has to wait."""

    def __init__(self) -> None:
        self._failures: dict[tuple[str, str], deque[float]] = {}
        self._lock = threading.Lock()

    def wait(self, name: str, address: str) -> int:
        """Seconds until the next try; 0: now."""
        moment = time.monotonic()
        with self._lock:
            waits = [
                self._wait(("name", name.casefold()), OF_ONE_NAME, moment),
                self._wait(("address", address), OF_ONE_ADDRESS, moment),
            ]
        return max(waits)

    def failed(self, name: str, address: str) -> None:
        """Count a failure."""
        with self._lock:
            if len(self._failures) > MOST_KEYS:
                self._failures = {key: times for key, times in self._failures.items() if self._fresh(times)}
            for key in (("name", name.casefold()), ("address", address)):
                self._failures.setdefault(key, deque(maxlen=OF_ONE_ADDRESS)).append(time.monotonic())

    def succeeded(self, name: str) -> None:
        """Who signs in starts anew."""
        with self._lock:
            self._failures.pop(("name", name.casefold()), None)

    def _wait(self, key: tuple[str, str], limit: int, moment: float) -> int:
        times = [failure for failure in self._failures.get(key, ()) if moment - failure < WINDOW]
        return int(times[-limit] + WINDOW - moment) + 1 if len(times) >= limit else 0

    @staticmethod
    def _fresh(times: deque[float]) -> bool:
        return bool(times) and time.monotonic() - times[-1] < WINDOW

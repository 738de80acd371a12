"""A server on this computer that answers like OpenAI's, with planted behaviour: refusals for now, slow and broken answers.

Run as a program, it prints its port and serves until it is killed; it appends each whole answer that it gave to a log.
"""

import json
import random
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answer = Callable[[str], str]
"""From the text of a request to the text of the answer."""


class FakeServer:
    """Serves until it is closed; counts what it was asked.

    Args:
        answer: what the model says to a prompt.
        plan: by the number of the request, from 0, what happens instead: a status, "cut", "broken" or "slow".
        reply: fields of the choice, such as finish_reason.
    """

    def __init__(
        self,
        answer: Answer,
        plan: Callable[[int], Any] = lambda _: None,
        reply: Callable[[str], dict[str, Any]] = lambda _: {},
        log: Path | None = None,
    ) -> None:
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.keys: set[str | None] = set()
        self.number = 0
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                """Nothing."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][-1]["content"]
                with lock:
                    outer.asked[prompt] += 1
                    outer.keys.add(self.headers.get("Authorization"))
                    happens = plan(outer.number)
                    outer.number += 1
                if isinstance(happens, int):
                    self._send(happens, b'{"error": "later"}')
                elif happens == "broken":
                    self._send(200, b'{"choices": [{"mess')
                elif happens == "cut":
                    self.send_response(200)
                    self.send_header("Content-Length", "5000")
                    self.end_headers()
                    self.wfile.write(b'{"choices"')
                    self.close_connection = True
                else:
                    if happens == "slow":
                        time.sleep(0.3)
                    choice = {"message": {"role": "assistant", "content": answer(prompt)}, "finish_reason": "stop"}
                    choice.update(reply(prompt))
                    with lock:
                        outer.answered[prompt] += 1
                        if log is not None:
                            with log.open("a") as file:
                                file.write(json.dumps(prompt) + "\n")
                    self._send(200, json.dumps({"model": body["model"], "choices": [choice]}).encode())

            def _send(self, status: int, content: bytes) -> None:
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(content)))
                    if status == 429:
                        self.send_header("Retry-After", "0")
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:  # the client was killed
                    self.close_connection = True

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: Any) -> None:
                """Nothing: clients are killed on purpose."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> "FakeServer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def summary_in(prompt: str) -> str:
    """The summary that a prompt shows."""
    return prompt.rpartition("<summary>\n")[2].partition("\n</summary>")[0]


def rate_by_length(prompt: str) -> str:
    """A judge that likes long summaries: a point for each two words, from 1 to 5, for every question."""
    value = min(5, max(1, len(summary_in(prompt).split()) // 2))
    names = re.findall(r"^- ([\w-]+):", prompt.rpartition("Questions:")[2], re.M)
    return json.dumps({"reason": f"value {value}", **dict.fromkeys(names, value)})


def prefer_first(_: str) -> str:
    """A judge that always likes what is shown first."""
    return json.dumps({"reason": "it comes first", "choice": "first"})


def troubled(seed: int) -> Callable[[int], Any]:
    """10 % refused for now, 5 % broken or cut off, by chance."""
    rng = random.Random(seed)

    def happens(_: int) -> Any:
        draw = rng.random()
        if draw < 0.10:
            return 429
        if draw < 0.15:
            return rng.choice(["broken", "cut"])
        return None

    return happens


if __name__ == "__main__":
    server = FakeServer(rate_by_length, troubled(int(sys.argv[1])), log=Path(sys.argv[2]))
    print(server.endpoint, flush=True)  # noqa: T201
    threading.Event().wait()

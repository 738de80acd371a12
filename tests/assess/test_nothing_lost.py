"""What the server acknowledged is stored: when it is killed, when it runs out of disk, with several at once."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path

import httpx
import pytest

import pyramidion
from assess.serving import PATIENCE_SECONDS, Sender, Server, give_tasks, new_event
from pyramidion.assess.assessment import DATABASE, Assessment
from pyramidion.assess.file_writer import write_files

SENDERS, TASKS = 8, 2


def killed_while_sending(folder: Path, database: str, rounds: int, events: int) -> int:
    """Kill the server again and again while events come in; every time, what was acknowledged must be there.

    Returns the number of acknowledged events.
    """
    the = Assessment(folder, database=database)
    senders = give_tasks(the, SENDERS, TASKS)
    draw = random.Random(14)
    total = 0
    for _ in range(rounds):
        server = Server(folder, database)
        going = threading.Event()
        target = total + draw.randint(events // 2, events)

        def work(sender: Sender, server: Server = server, going: threading.Event = going) -> None:
            while not going.is_set():
                for task in sender.versions:
                    if sender.send(server.url, task) == 0:
                        return

        threads = [threading.Thread(target=work, args=(sender,)) for sender in senders]
        for thread in threads:
            thread.start()
        limit = time.monotonic() + 120
        while sum(map(acknowledged, senders)) < target and time.monotonic() < limit:
            time.sleep(0.005)
        server.kill()  # in the middle of it
        going.set()
        for thread in threads:
            thread.join()
        total = sum(map(acknowledged, senders))
        check(the, senders)
    server = Server(folder, database)
    for sender in senders:  # what was under way is sent once more, and stored once
        for task in list(sender.waiting):
            assert sender.send(server.url, task) == 200
    assert server.stop() == 0
    check(the, senders)
    for sender in senders:
        sender.client.close()
    written = {(one.assessor, one.comment) for one in pyramidion.load(folder).judgments}
    assert written == set()  # comments alone are no judgments
    write_files(the)
    the.close()
    return total


def acknowledged(sender: Sender) -> int:
    return sum(map(len, sender.acknowledged.values()))


def check(the: Assessment, senders: list[Sender]) -> None:
    """Each acknowledged event is stored once, in order; at most the one under way may be stored, too."""
    for sender in senders:
        for task, ids in sender.acknowledged.items():
            history = the.work.history(task)
            stored = [event.id for event in history]
            under_way = [sender.waiting[task]["id"]] if task in sender.waiting else []
            assert stored in (ids, ids + under_way), (task, len(stored), len(ids))
            assert [event.version for event in history] == list(range(1, len(stored) + 1))


@pytest.mark.slow
def test_a_server_that_is_killed_loses_no_acknowledged_event(folder: Path, database: str) -> None:
    assert killed_while_sending(folder, database, rounds=3, events=60) >= 90


@pytest.mark.soak
def test_a_server_that_is_killed_a_hundred_times_loses_no_acknowledged_event(folder: Path, database: str) -> None:
    total = killed_while_sending(folder, database, rounds=100, events=1_000)
    print(f"{total} events acknowledged over 100 kills, all stored once and in order")  # noqa: T201
    assert total >= 50_000


@pytest.mark.slow
def test_a_disk_that_is_full_is_refused_clearly_and_nothing_acknowledged_is_lost(folder: Path) -> None:
    the = Assessment(folder)
    (sender,) = give_tasks(the, 1, 1)
    the.close()  # the file is written by the server alone now
    full = (folder / DATABASE).stat().st_size + 400_000
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({full}, {full})); "
    )
    server = Server(folder, before=limit)
    big = "x" * 4_000
    statuses = []
    for _ in range(400):
        sender.waiting.setdefault("p0-0", {**new_event(sender.versions["p0-0"] + 1), "changes": {"comment/1": big}})
        statuses.append(sender.send(server.url, "p0-0"))
        if statuses[-1] != 200:
            break
    assert statuses[-1] == 507, statuses[-5:]
    answer = sender.client.post(f"{server.url}/api/task/p0-0/events", json={"events": [sender.waiting["p0-0"]]})
    assert answer.status_code == 507
    assert "nothing was stored" in json.loads(answer.text)["detail"]
    assert httpx.get(f"{server.url}/health", timeout=PATIENCE_SECONDS).status_code == 200  # it can still be read
    server.kill()
    again = Assessment(folder)
    check(again, [sender])
    again.close()
    server = Server(folder)  # there is room again: it goes on where it was
    assert sender.send(server.url, "p0-0") == 200
    server.stop()
    sender.client.close()


FULL = """
CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100';
END $$;
CREATE TRIGGER is_full BEFORE INSERT ON events EXECUTE FUNCTION fill();
"""


@pytest.mark.slow
def test_a_postgresql_without_room_is_told_and_takes_the_event_once_when_there_is_room(
    folder: Path, postgres_database: str
) -> None:
    import psycopg

    the = Assessment(folder, database=postgres_database)
    (sender,) = give_tasks(the, 1, 1)
    server = Server(folder, postgres_database)
    assert sender.send(server.url, "p0-0") == 200
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute(FULL.encode())
        assert [sender.send(server.url, "p0-0") for _ in range(3)] == [507, 507, 507]
        check(the, [sender])
        connection.execute(b"DROP TRIGGER is_full ON events")
    assert sender.send(server.url, "p0-0") == 200
    check(the, [sender])
    assert len(sender.acknowledged["p0-0"]) == 2
    server.stop()
    sender.client.close()
    the.close()


@pytest.mark.slow
def test_of_two_servers_on_postgresql_one_writes_the_files_and_the_other_takes_over(
    folder: Path, postgres_database: str
) -> None:
    the = Assessment(folder, database=postgres_database)
    senders = give_tasks(the, 2, 1)
    first, second = Server(folder, postgres_database), Server(folder, postgres_database)

    def answer(server: Server, sender: Sender, task: str, value: int) -> None:
        version = sender.versions[task] + 1
        event = {**new_event(version), "changes": {"answer/1/clear": value}}
        sent = sender.client.post(f"{server.url}/api/task/{task}/events", json={"events": [event]})
        assert sent.status_code == 200
        sender.versions[task] = version

    def values() -> set[tuple[str, float]]:
        return {(one.assessor, one.value) for one in pyramidion.load(folder).judgments}

    def wait(wanted: set[tuple[str, float]]) -> None:
        limit = time.monotonic() + 120
        while values() != wanted and time.monotonic() < limit:
            time.sleep(0.1)
        assert values() == wanted

    answer(first, senders[0], "p0-0", 2)
    answer(second, senders[1], "p1-0", 3)
    wait({("p0", 2), ("p1", 3)})
    first.kill()
    answer(second, senders[1], "p1-0", 5)
    wait({("p0", 2), ("p1", 5)})
    second.stop()
    for sender in senders:
        sender.client.close()
    the.close()

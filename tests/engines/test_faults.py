"""Runs in shards under kill -9, on clusters and in an object store: the same scores, and nothing finished twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import pyramidion
from flat_tables import flat_rows, write
from pyramidion.engines.storage import Storage, open_storage
from pyramidion.errors import InputError

pytestmark = pytest.mark.slow
COMMAND = [sys.executable, "-c", "from pyramidion.cli import main; main()"]
ARGUMENTS = ["-m", "rouge-1", "-m", "rouge-su4.f", "--partition", "60", "--quiet"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(flat_rows(400), tmp_path_factory.mktemp("data") / "flat.parquet")


@pytest.fixture(scope="module")
def expected(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The scores of a run that nobody disturbs, in one process."""
    folder = tmp_path_factory.mktemp("expected") / "run"
    pyramidion.score_into(data, folder, ["rouge-1", "rouge-su4.f"], partition=60, workers=1)
    return scores_in(open_storage(folder))


def scores_in(storage: Storage) -> dict[str, bytes]:
    return {name: storage.read(name) for name in storage.sizes("scores") if name.startswith("scores/")}


def finished(storage: Storage) -> dict[str, str]:
    names = [name for name in storage.sizes("manifest") if name.startswith("manifest/")]
    return {name: json.loads(storage.read(name))["attempt"] for name in names}


def started(data: Path, output: Path | str, *options: str, **more: Any) -> subprocess.Popen[str]:
    command = [*COMMAND, "score", str(data), "-o", str(output), *ARGUMENTS, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


UNREACHED = "can't reach the scheduler"
"""What a run says on a machine that is so busy that the scheduler does not answer in time."""


def score_on(address: str, data: Path, output: Path) -> None:
    """Score on a cluster; once more where its scheduler did not answer in time."""
    for _ in range(20):
        process = started(data, output, "--engine", f"dask://{address}")
        _, said = process.communicate(timeout=240)
        if UNREACHED not in said:
            break
    assert process.returncode == 0, said


def kill_something(process: subprocess.Popen[str], draw: random.Random) -> str:
    """kill -9 of the main process, or of one of its children."""
    with contextlib.suppress(psutil.NoSuchProcess):
        children = psutil.Process(process.pid).children(recursive=True)
        victim = draw.choice([*children, None])
        if victim is not None:
            victim.kill()
            return "worker"
    process.kill()
    return "main"


def disturb(
    data: Path, output: Path | str, times: int, seed: int, start: Callable[[], subprocess.Popen[str]]
) -> list[str]:
    """Start a run again and again, kill something in each at a random moment; then let it end."""
    draw = random.Random(seed)
    storage = open_storage(output)
    killed = []
    for _ in range(times):
        before = finished(storage)
        process = start()
        deadline = time.monotonic() + 240
        while process.poll() is None and len(finished(storage)) <= len(before) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(draw.uniform(0, 0.3))
        if process.poll() is None:
            killed.append(kill_something(process, draw))
        if killed and killed[-1] == "worker":
            time.sleep(draw.uniform(0, 0.5))
            process.kill()
        process.communicate()
        after = finished(storage)
        assert {name: after[name] for name in before} == before
        for entry in [name for name in after if draw.random() < 0.4]:  # what is lost is scored again, alone
            storage.remove(entry)
    if isinstance(output, Path):
        for left in output.rglob(".*.part"):
            os.utime(left, (0, 0))  # as if it was left long ago
    before = finished(storage)
    process = start()
    _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said
    after = finished(storage)
    assert {name: after[name] for name in before} == before
    return killed


@pytest.mark.parametrize(("times", "seed"), [(4, 1), pytest.param(30, 2, marks=pytest.mark.soak)])
def test_what_is_killed_goes_on_and_gives_the_same_scores(
    data: Path, expected: dict[str, bytes], tmp_path: Path, times: int, seed: int
) -> None:
    output = tmp_path / "run"
    killed = disturb(data, output, times, seed, lambda: started(data, output, "--workers", "2"))
    assert killed
    assert scores_in(open_storage(output)) == expected
    assert not list(output.rglob(".*.part"))


def test_a_lost_worker_is_replaced(data: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    output = tmp_path / "run"
    process = started(data, output, "--workers", "2")
    storage = open_storage(output)
    while not finished(storage) and process.poll() is None:
        time.sleep(0.02)
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # where it was quicker than we are, it has ended
            if "resource_tracker" not in " ".join(child.cmdline()):
                child.kill()
    _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said
    assert scores_in(storage) == expected


def test_workers_end_with_the_main_process(data: Path, tmp_path: Path) -> None:
    process = started(data, tmp_path / "run", "--workers", "2")
    children: list[psutil.Process] = []
    while len(children) < 3 and process.poll() is None:
        children = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.02)
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=240)
    assert not alive


def test_ctrl_c_stops_cleanly_and_the_run_goes_on(data: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    output = tmp_path / "run"
    process = started(data, output, "--workers", "2", start_new_session=True)
    storage = open_storage(output)
    while not finished(storage) and process.poll() is None:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert (
        said.strip() == f"pyramidion: stopped; finished shards stay in {output}: run the same command again to resume"
    )
    before = finished(storage)
    again = started(data, output, "--workers", "2")
    assert again.communicate(timeout=240) and again.returncode == 0
    assert {name: one for name, one in finished(storage).items() if name in before} == before
    assert scores_in(storage) == expected


# An object store


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket in moto's server, which is what AWS_ENDPOINT_URL leads to while it is there."""
    server = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    pytest.importorskip("obstore")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    _, port = running.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**keys, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true"}.items():
            patch.setenv(name, value)
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket="tests")
        yield "s3://tests"
    running.stop()


@pytest.mark.filterwarnings("ignore")  # of boto3 and the server
@pytest.mark.parametrize(("times", "seed"), [(2, 3), pytest.param(10, 4, marks=pytest.mark.soak)])
def test_an_object_store_holds_the_same_shards_after_kills(
    data: Path, expected: dict[str, bytes], bucket: str, times: int, seed: int
) -> None:
    output = f"{bucket}/run-{seed}"
    here = open_storage(f"{bucket}/data")
    here.write("flat.parquet", data.read_bytes())
    there = f"{bucket}/data/flat.parquet"
    disturb(data, output, times, seed, lambda: started(there, output, "--workers", "2"))  # type: ignore[arg-type]
    assert scores_in(open_storage(output)) == expected


@pytest.mark.filterwarnings("ignore")
def test_lines_are_read_from_an_object_store(data: Path, bucket: str, tmp_path: Path) -> None:
    lines = write(flat_rows(40), tmp_path / "flat.jsonl")
    open_storage(f"{bucket}/lines").write("flat.jsonl", lines.read_bytes())
    for place, output in ((lines, tmp_path / "run"), (f"{bucket}/lines/", f"{bucket}/of-lines")):
        pyramidion.score_into(place, output, "rouge-1", partition=25, workers=1, columns={"summarizer": "summarizer"})
    assert scores_in(open_storage(tmp_path / "run")) == scores_in(open_storage(f"{bucket}/of-lines"))


@pytest.mark.filterwarnings("ignore")
def test_an_object_that_is_not_there_is_named(bucket: str) -> None:
    with pytest.raises(InputError, match=r"s3://tests/nothing\.jsonl: there is no such file"):
        pyramidion.score_into(f"{bucket}/nothing.jsonl", f"{bucket}/none", "rouge-1")


# Clusters


class Cluster:
    """A Dask scheduler and workers, each a process of its own."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        pytest.importorskip("distributed")
        self.host = host
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    def start_scheduler(self) -> None:
        """Start a scheduler, which chooses its port, and wait until it listens there.

        A port that is free now may belong to one of the workers by the time a slow scheduler asks for it.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scheduler.json"
            self.scheduler = self.start(
                *("scheduler", "--host", self.host, "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
            )
            until = time.monotonic() + 240
            while not file.exists() or not file.read_text().endswith("}"):
                assert self.scheduler.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
            self.port = int(json.loads(file.read_text())["address"].rpartition(":")[2])

    def start(self, *words: str, within: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*within, sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def add_worker(self, within: tuple[str, ...] = (), host: str = "") -> None:
        where = ("--host", host) if host else ()
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", *where)
        self.workers.append(self.start(*words, within=within))

    def replace_what_was_killed(self, worker_count: int) -> None:
        """Start a scheduler if there is none, and workers until there are enough; wait for them."""
        if self.scheduler.poll() is not None:
            self.close()  # workers end with their scheduler, sooner or later
            self.workers = []
            self.start_scheduler()
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < worker_count:
            self.add_worker()
        self.wait(worker_count)

    def close(self) -> None:
        processes = [self.scheduler, *self.workers]
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()

    def wait(self, worker_count: int) -> None:
        from distributed import Client

        with Client(self.address, timeout="240s", set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(worker_count, timeout=240)


@contextlib.contextmanager
def cluster(host: str = "127.0.0.1") -> Iterator[Cluster]:
    started_cluster = Cluster(host)
    try:
        yield started_cluster
    finally:
        started_cluster.close()


@pytest.fixture(scope="module")
def shared_cluster() -> Iterator[Cluster]:
    """A cluster for all tests of this module: starting its processes takes longer than scoring the data."""
    with cluster() as started_cluster:
        yield started_cluster


@pytest.fixture
def two_workers(shared_cluster: Cluster) -> Cluster:
    """The shared cluster with two workers, whatever an earlier test killed."""
    shared_cluster.replace_what_was_killed(2)
    return shared_cluster


def test_two_dask_workers_give_the_same_scores_bit_for_bit(
    data: Path, expected: dict[str, bytes], tmp_path: Path, two_workers: Cluster
) -> None:
    output = tmp_path / "run"
    score_on(two_workers.address, data, output)
    entries = [json.loads(path.read_bytes()) for path in (output / "manifest").iterdir()]
    assert len({entry["worker"] for entry in entries}) == 2
    assert scores_in(open_storage(output)) == expected


def test_a_cluster_on_this_computer_starts_by_itself(data: Path, expected: dict[str, bytes], tmp_path: Path) -> None:
    process = started(data, tmp_path / "run", "--engine", "dask", "--workers", "2")
    _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said
    assert scores_in(open_storage(tmp_path / "run")) == expected


@pytest.mark.parametrize(("times", "seed"), [(2, 5), pytest.param(20, 6, marks=pytest.mark.soak)])
def test_a_scheduler_or_worker_that_is_killed_costs_no_finished_shard(
    data: Path, expected: dict[str, bytes], tmp_path: Path, two_workers: Cluster, times: int, seed: int
) -> None:
    draw = random.Random(seed)
    output = tmp_path / "run"
    storage = open_storage(output)
    for number in range(times):
        before = finished(storage)
        two_workers.replace_what_was_killed(2)
        process = started(data, output, "--engine", f"dask://{two_workers.address}")
        while process.poll() is None and len(finished(storage)) <= len(before):
            time.sleep(0.05)
        kills_worker = number % 2 == 0
        if kills_worker:
            draw.choice(two_workers.workers).kill()
            time.sleep(1)
            process.kill()
        else:
            two_workers.scheduler.kill()
        _, said = process.communicate(timeout=240)
        assert "Traceback" not in said, said
        is_explained = "scheduler was lost; the shards" in said or UNREACHED in said
        assert kills_worker or process.returncode == 0 or is_explained
        after = finished(storage)
        assert {name: after[name] for name in before} == before
        for entry in [name for name in after if draw.random() < 0.4]:
            storage.remove(entry)
    before = finished(storage)
    process = started(data, output, "--workers", "1")
    _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said
    after = finished(storage)
    assert {name: after[name] for name in before} == before
    assert scores_in(storage) == expected


@pytest.fixture
def namespace() -> Iterator[tuple[str, str, str]]:
    """A network of its own, joined to ours by a cable: its name, our address and the one within."""
    name, ours, theirs = f"pyr{os.getpid() % 10000}", "10.213.7.1", "10.213.7.2"
    commands = [
        f"ip netns add {name}",
        f"ip link add {name}a type veth peer name {name}b netns {name}",
        f"ip addr add {ours}/30 dev {name}a",
        f"ip link set {name}a up",
        f"ip -n {name} addr add {theirs}/30 dev {name}b",
        f"ip -n {name} link set {name}b up",
        f"ip -n {name} link set lo up",
    ]
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("network namespaces need root and ip")
    try:
        for command in commands:
            done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"network namespaces are not possible here: {done.stderr.strip()}")
        yield name, ours, theirs
    finally:
        subprocess.run(["ip", "link", "del", f"{name}a"], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def test_a_worker_in_another_network_gives_the_same_scores_bit_for_bit(
    data: Path, expected: dict[str, bytes], tmp_path: Path, namespace: tuple[str, str, str]
) -> None:
    name, ours, theirs = namespace
    output = tmp_path / "run"
    with cluster(ours) as between_networks:
        between_networks.add_worker(host=ours)
        between_networks.add_worker(host=ours)
        between_networks.add_worker(within=("ip", "netns", "exec", name), host=theirs)
        between_networks.wait(3)
        score_on(between_networks.address, data, output)
    entries = [json.loads(path.read_bytes()) for path in (output / "manifest").iterdir()]
    assert len({entry["worker"] for entry in entries}) == 3
    assert scores_in(open_storage(output)) == expected

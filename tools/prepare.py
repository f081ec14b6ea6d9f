"""The set-up that tools/run.py and tools/test.py share: system packages, .venv, packages, world.

Standard library only. Every step can be interrupted: the stamp of a step is written when the step
is done, and a .venv in which an installation was broken off is made anew.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from console import REPO, Refused, say, shown, shown_together
from system_packages import system_packages, venv_package

sys.path.insert(0, str(REPO))
from acclient_py.locks import one_at_a_time

VENV = REPO / ".venv"
EXTRAS = "ui,video,export,dev"
FORMAT = 1  # of the stamps

NETWORK_WORDS = (
    "(from versions: none)",  # every package we name exists
    "NewConnectionError",
    "NameResolutionError",
    "Failed to establish a new connection",
    "Temporary failure in name resolution",
    "Could not fetch URL",
    "Connection refused",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ProxyError",
    "Network is unreachable",
)


def venv_python(venv: Path) -> Path:
    """The interpreter of a virtual environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


# Stamps: what a finished step was made from.


def _hash(files: Sequence[Path], *more: object) -> str:
    digest = hashlib.sha256(repr((FORMAT, *more)).encode())
    for file in files:
        digest.update(b"\0" + str(file.relative_to(REPO)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def packages_hash(venv: Path) -> str:
    """What the installed packages depend on."""
    files = [REPO / "pyproject.toml", REPO / "constraints.txt"]
    return _hash(files, str(REPO), str(venv), EXTRAS)


def sources_hash() -> str:
    """What the demo world and the compiled kernels depend on."""
    files = list((REPO / "acclient_py").rglob("*.py"))
    files += [f for f in (REPO / "assets" / "recipes").rglob("*") if f.is_file()]
    return _hash(sorted(files), str(REPO))


def read_stamp(venv: Path) -> dict[str, object]:
    """The stamp of a .venv; empty when there is none, or none that can be read."""
    try:
        stamp = json.loads((venv / "acclient-stamp.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, stamp: dict[str, object]) -> None:
    """Put a stamp in place, whole or not at all."""
    beside = venv / f"acclient-stamp.{os.getpid()}.tmp"
    beside.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    beside.replace(venv / "acclient-stamp.json")


# The steps.


def prepare(purposes: list[str], *, strict: bool = True, venv: Path = VENV) -> Path:
    """Do what is left to do; the interpreter to go on with.

    purposes : "run" and maybe "test": which system packages are wanted
    strict   : refuse to go on without a demo world and kernels; the tests go on, and say more
    """
    python = venv_python(venv)
    if not left_to_do(purposes, venv=venv):
        return python
    if platform.python_implementation() != "CPython":
        raise Refused(f"CPython is needed, this is {platform.python_implementation()}")
    with one_at_a_time(venv.with_name(f"{venv.name}.lock"), waiting=_waiting) as lock:
        # Programs of a set-up that was killed go on for a while: who comes next waits for them.
        os.set_inheritable(lock, True)
        facts = read_stamp(venv)
        for step in left_to_do(purposes, venv=venv):
            if step == "system":
                facts["missing"] = system_packages(purposes)
                facts["system"] = sorted({*purposes, *_names(facts.get("system"))})
            elif step == "packages":
                facts.pop("packages", None)
                install(venv)
                facts["packages"] = packages_hash(venv)
            elif make_ready(python, strict):
                facts["ready"] = sources_hash()
            if "packages" in facts:
                write_stamp(venv, facts)
    return python


def _waiting() -> None:
    say("another set-up is under way here; waiting for it")


def _names(value: object) -> set[str]:
    return set(map(str, value)) if isinstance(value, list) else set()


def left_to_do(purposes: list[str], *, venv: Path) -> list[str]:
    """The steps that the stamp does not vouch for, in order."""
    stamp = read_stamp(venv)
    steps = []
    if not set(purposes) <= _names(stamp.get("system")) or stamp.get("missing"):
        steps.append("system")
    if stamp.get("packages") != packages_hash(venv) or not venv_python(venv).exists():
        steps.append("packages")
    if stamp.get("ready") != sources_hash():
        steps.append("ready")
    return steps


def install(venv: Path) -> None:
    """Make the .venv, whole or anew, and install the program and its packages into it."""
    under_way = venv / "acclient-installing"
    python = venv_python(venv)
    if venv.exists() and (under_way.exists() or not usable(python)):
        if os.name == "nt" and Path(sys.prefix) == venv:
            raise Refused(f"{venv} must be made anew: leave it (deactivate), then run this again")
        say(f"{venv.name} is from an interrupted or older set-up; making it anew")
        shutil.rmtree(venv)
    if not venv.exists():
        if (
            importlib.util.find_spec("ensurepip") is None
            or importlib.util.find_spec("venv") is None
        ):
            raise Refused(
                "this Python cannot make virtual environments (no ensurepip); "
                f"on Debian and Ubuntu, as root: apt-get install {venv_package()}"
            )
        say(f"making {venv.name} with Python {platform.python_version()}")
        base = getattr(sys, "_base_executable", None) or sys.executable  # not one of a .venv
        venv.mkdir()
        under_way.touch()
        code, text = shown([base, "-m", "venv", str(venv)], "virtual environment")
        if code:
            raise Refused(f"{venv}: cannot be made: {' '.join(text[-2:])}")
    under_way.touch()
    say("installing packages (once; about 200 MB)")
    try:
        if not _pip(python, ["-c", "constraints.txt"]):
            say("the exact versions of constraints.txt do not suit this system; taking near ones")
            _pip(python, [])
    except Refused:  # a pip that says no has put everything back; one that was killed has not
        under_way.unlink()
        raise
    under_way.unlink()


def usable(python: Path) -> bool:
    """Whether this is an interpreter that runs, is new enough and has pip."""
    code = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        done = subprocess.run([str(python), "-c", code], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _pip(python: Path, constraints: list[str]) -> bool:
    """Install; false when a wanted version does not exist for this system."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", *constraints, "-e", f".[{EXTRAS}]"]
    code, text = shown(command, "packages", log=python.parents[1] / "acclient-setup.log")
    if code == 0:
        return True
    whole = "\n".join(text)
    if any(word in whole for word in NETWORK_WORDS):
        raise Refused("packages cannot be fetched: no network, or the package index is not reached")
    if "No space left" in whole:
        raise Refused(f"{REPO}: no space left on the disk")
    if constraints and ("No matching distribution" in whole or "ResolutionImpossible" in whole):
        return False
    errors = [line for line in text if line.lower().startswith("error")] or text[-1:]
    log = python.parents[1] / "acclient-setup.log"
    raise Refused(f"pip failed: {' '.join(errors[:1])}; the whole of it: {log}")


def make_ready(python: Path, strict: bool) -> bool:
    """Bake the demo world and compile the kernels, for a first start that shows a world.

    Both at the same time: the kernels are compiled in a small world of their own.
    """
    # a start that has to parse every module takes half a second longer
    subprocess.run([str(python), "-m", "compileall", "-q", "acclient_py"], cwd=REPO, check=False)
    what = {"demo world": "acclient_py.cli.worlds", "kernels": "acclient_py.cli.warmup"}
    say("preparing the demo world and the kernels (once, about a minute)")
    jobs = [([str(python), "-m", module], title) for title, module in what.items()]
    done = True
    for title, (code, text) in zip(what, shown_together(jobs), strict=True):
        if code:
            why = next((line for line in reversed(text) if line.strip()), "")
            why = f"the {title} could not be prepared: {why.removeprefix('acclient: error: ')}"
            if strict:
                raise Refused(why)
            say(why)
            done = False
    return done

"""Every command and every program of the documentation is run as it stands there (lane docs).

A page's own words stand for files and ids: `DIR`, `STORY`, `bug.json`. `PLACEHOLDERS` says what is
put in their place, and the files are made once beside each other in one folder. What stands in
brackets may be left out: such a line is run without, and once with each of them. Of alternatives
with a bar between them each is run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from builders.captures import fragment, pcap, received

REPO: Final = Path(__file__).resolve().parents[1]
PAGES: Final = [REPO / "README.md", *sorted((REPO / "docs").glob("*.md"))]

PLACEHOLDERS: Final = {
    "DIR": "world", "~/ac": "world", "ID": "0x01000001", "FILE": "bug.json", "FILES...": "bug.json",
    "RECIPE": "my_world.toml", "NAME": "hamlet", "NAME.png": "hamlet.png", "SCENE": "hamlet",
    "COMMAND": "frame", "SCENARIO": "hamlet", "STORY": "hamlet", "EVENT": "DrawShell",
    "P.png": "p.png",
}  # fmt: skip
MENTIONED: Final = {
    "acclient diff", "acclient frame", "acclient frame --stop-after", "acclient run",
    "acclient run --probe",
}  # fmt: skip
"""Sentences speak of these without saying on what."""
LONGEST: Final = 900
"""Seconds: a bench, or a world that is baked and compiled anew."""
SCENARIO: Final = """{"schema": "acclient/scenario/1", "world": "demo", "steps": [
 {"do": "create", "guid": "0x50000001", "instance": 3, "setup": "0x02000001", "player": true,
  "at": {"cell": "0x7F7F0040", "origin": [182.0, 182.0, 32.0]}},
 {"do": "tick", "seconds": 0.1},
 {"do": "checkpoint", "name": "end",
  "expect": [{"path": "objects.0x50000001.cell", "equals": "%s"}]}]}
"""
DELETE: Final = bytes.fromhex("47F700000100005003000000")


def commands() -> list[str]:
    """All `acclient ...` lines of code blocks, and those between backquotes in sentences."""
    found: dict[str, None] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for line in re.findall(r"^(?: {4})?(acclient(?: [^\n]*)?)$", text, re.MULTILINE):
            found[re.split(r" {2,}|\s#", line)[0].strip()] = None
        for code in re.findall(r"`(acclient(?:\s[^`]+)?)`", text):
            found[re.sub(r"\s+", " ", code)] = None
    for only in MENTIONED:
        del found[only]
    return [one for line in found for one in variants(line)]


def variants(line: str) -> list[str]:
    """A line without what stands in brackets, and with each of it; each of its alternatives."""
    optional = re.findall(r" \[([^\]]+)\]", line)
    bare = re.sub(r" \[[^\]]+\]", "", line)
    made = []
    for one in [bare, *(f"{bare} {extra}" for extra in optional)]:
        bar = re.search(r"\S+(?:\|\S+)+", one)
        for choice in bar.group().split("|") if bar else [""]:
            made.append(one.replace(bar.group(), choice) if bar else one)
    return made


def words(line: str) -> list[str]:
    """The arguments that a line is run with."""
    given = [PLACEHOLDERS.get(word, word) for word in line.split()[1:]]
    for at in range(1, len(given)):
        if given[at - 1] == "-o" and given[at] in ("world", "bug.json"):
            given[at] = f"made {given[at]}"
    if given[:1] in ([], ["view"]):
        given = given or ["view"]
        if not {"--frames", "--checkpoints", "--list-overlays"} & set(given):
            given += ["--frames", "3"]
    if given == ["ask"]:
        given += ["--world", "world", "QUESTIONS.jsonl"]
    if given[0] == "bench":
        given.append("--quick")
    return given


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file for each name that the pages use."""
    folder = tmp_path_factory.mktemp("docs")
    ran = subprocess.run(
        [sys.executable, "-m", "acclient_py.cli.worlds"], capture_output=True, text=True, check=True
    )
    shutil.copytree(ran.stdout.strip().splitlines()[-1], folder / "world")
    shutil.copy(REPO / "assets" / "recipes" / "tiny" / "two_rooms.toml", folder / "my_world.toml")
    (folder / "QUESTIONS.jsonl").write_text('{"in": "adjout 0xA9B40001 -0.5 12 1"}\n')
    (folder / "bug.json").write_text(SCENARIO % "0x7F7F0001")
    (folder / "folder").mkdir()
    (folder / "folder" / "sound.json").write_text(SCENARIO % "0x7F7F0040")
    (folder / "seen.pcap").write_bytes(pcap(received(fragment(DELETE))))
    for name in ("A.jsonl", "B.jsonl"):
        run(["run", "border_walk", "--transcript", name], folder)
    return folder


def python(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Python with this checkout, in the folder of the pages' files."""
    path = os.pathsep.join([str(REPO), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return python(["-m", "acclient_py", *arguments], folder)


@pytest.mark.lane("docs")
@pytest.mark.timeout(LONGEST + 60)
@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_documentation_runs(line: str, desk: Path) -> None:
    """1 is the answer of a check that found something (`bug.json` is one with a fault)."""
    arguments = words(line)
    done = run(arguments, desk)
    told = f"{' '.join(arguments)}: {done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-2000:]}"
    found = {0, 1} if {"bug.json", "folder/"} & set(arguments) else {0}
    assert done.returncode in found, told
    assert "Traceback" not in done.stderr, told
    assert "acclient: error" not in done.stderr, told


PROGRAM_BEGINS: Final = {
    "README.md": "",
    "dat.md": "folder = 'world'\n",
    "records.md": "from acclient_py.dat import DatSet\nwith DatSet.open('world') as dats:\n"
    "    data = dats.raw(0x02000001)\n",
}


@pytest.mark.lane("docs")
@pytest.mark.parametrize("page", sorted(PROGRAM_BEGINS))
def test_a_program_of_the_documentation_runs(page: str, desk: Path) -> None:
    text = next(p for p in PAGES if p.name == page).read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        (desk / "program.py").write_text(
            PROGRAM_BEGINS[page] + block.replace("        ...\n", "        pass\n")
        )
        done = python(["program.py"], desk)
        assert done.returncode == 0, done.stderr


def test_every_program_of_the_documentation_is_known() -> None:
    """Sabotage: leave a page out of `PROGRAM_BEGINS`."""
    with_programs = {p.name for p in PAGES if "```python" in p.read_text(encoding="utf-8")}
    assert with_programs == set(PROGRAM_BEGINS)


def test_commands_are_found_with_all_their_forms() -> None:
    """Sabotage: do not split alternatives."""
    assert variants("acclient a X [--b] [-c D]") == [
        "acclient a X", "acclient a X --b", "acclient a X -c D",
    ]  # fmt: skip
    assert variants("acclient a --o x|y") == ["acclient a --o x", "acclient a --o y"]
    found = commands()
    assert "acclient frame hamlet -o hamlet.png" in found
    assert len(found) > 60

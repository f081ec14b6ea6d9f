"""`acclient doctor`: what it finds, what it says is missing, and that a crash is only a finding."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from acclient_py.cli import machine
from acclient_py.cli.doctor import lines, verdict
from acclient_py.cli.machine import MISSING, NOTE, OK, Finding


def doctor(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "acclient_py", "doctor", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


def of(name: str, text: str) -> dict[str, str]:
    [found] = [row for row in json.loads(text)["findings"] if row["name"] == name]
    return found


@pytest.mark.contract("I2", "I4")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="EGL vendors are for Linux")
def test_without_an_egl_vendor_one_message_names_what_was_tried_and_the_next_step() -> None:
    """GLP-01. Sabotage: let `graphics` stay silent when no way leads to a context."""
    env = {
        "__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere/vendor.json",
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }
    done = doctor("--json", **env)
    assert done.returncode == 2
    assert done.stderr == ""
    found = of("OpenGL 3.3", done.stdout)
    assert found["state"] == MISSING
    assert "tried EGL" in found["text"]
    assert (
        found["mend"]
        == "unset __EGL_VENDOR_LIBRARY_FILENAMES (/nowhere/vendor.json does not exist)"
    )
    assert "Traceback" not in done.stdout


def test_packages_are_imported_for_true_and_a_crash_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage: import in this process; the test process dies."""
    (tmp_path / "crashes.py").write_text("import os, signal; os.abort()", encoding="utf-8")
    (tmp_path / "raises.py").write_text("raise OSError('libx is\\n missing')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    errors = machine._import_errors(["json", "crashes", "raises", "nowhere_at_all", "ast"])
    assert set(errors) == {"crashes", "raises", "nowhere_at_all"}
    assert errors["raises"] == "libx is missing"
    assert "crashed" in errors["crashes"] or os.name == "nt"


def test_every_requirement_is_looked_at() -> None:
    found = {finding.name: finding for finding in machine.packages()}
    assert {"numpy", "numba", "moderngl", "click", "pyrr", "pillow", "imgui-bundle"} <= set(found)
    assert "pytest" not in found
    assert found["numpy"].state == OK


@pytest.mark.parametrize("answer", ["", "not json\n", '{"ok": false, "error": "no device"}\n'])
def test_a_probe_that_fails_in_any_way_is_told(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = subprocess.CompletedProcess([], -11, answer, "")
    monkeypatch.setattr(machine, "_child", lambda *a: ended)
    monkeypatch.setattr(machine, "ways_to_a_context", lambda: [("EGL", "egl", {})])
    first, last = machine.graphics()
    assert first.text == ("no device" if "device" in answer else "crashed (signal 11)")
    assert last.state == MISSING
    assert "EGL" in last.text


def test_retail_data_is_found_in_its_usual_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "SYSTEM", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert machine.retail_folders() == []
    wine = tmp_path / ".wine/drive_c/Turbine/Asheron's Call"
    other = tmp_path / "Games/old one/drive_c/Program Files (x86)/Microsoft Games/Asheron's Call"
    for folder, name in ((wine, "client_portal.dat"), (other, "Client_Portal.DAT")):
        folder.mkdir(parents=True)
        (folder / name).touch()
    assert set(machine.retail_folders()) == {wine, other}
    found = [finding for finding in machine.data() if finding.name == "retail"]
    assert len(found) == 2
    assert all(finding.state == NOTE for finding in found)  # empty files are no world


def test_a_report_holds_no_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = doctor("--report", HOME=str(tmp_path), ACCLIENT_ROOT=str(tmp_path / "root"))
    assert str(tmp_path) not in done.stdout
    assert "~/root/cache" in done.stdout
    assert done.stdout.startswith("```\n")
    assert done.stdout.endswith("```\n")


def test_lines_are_plain_without_a_terminal_and_say_what_mends() -> None:
    findings = [Finding("graphics", "OpenGL", MISSING, "none", "apt-get install x")]
    text = list(lines(findings, colour=False))
    assert text == ["graphics", "  !!!  OpenGL: none", "         -> apt-get install x"]
    assert verdict(findings) == "missing: graphics OpenGL"
    assert "\x1b" in "".join(lines(findings, colour=True))


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="no Xvfb")
def test_a_window_is_probed_where_there_is_a_display(tmp_path: Path) -> None:
    command = ["xvfb-run", "-a", sys.executable, "-m", "acclient_py.gpu.probe", "x11"]
    if not shutil.which("xvfb-run") or not shutil.which("xauth"):
        pytest.skip("no xvfb-run")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    assert answer["ok"], answer
    assert answer["level"] >= 330

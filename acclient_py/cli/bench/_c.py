"""Yardsticks in C: built with gcc -O3 on first use, loaded with ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from acclient_py import paths
from acclient_py.cli.bench import Needs

FLAGS: Final = ("-O3", "-march=native", "-std=c11", "-shared", "-fPIC", "-lm")


def library(source: str | Path, header: str = "") -> ctypes.CDLL:
    """Build `source` (a name beside this file, or a path) and load it; `Needs` without gcc.

    header : declarations written by the caller, included as "made.h"
    """
    path = Path(__file__).parent / source
    compiler = shutil.which(os.environ.get("CC", "gcc"))
    if compiler is None:
        raise Needs("gcc")
    key = hashlib.sha256(whole(path) + repr((compiler, FLAGS, header)).encode()).hexdigest()[:16]
    folder = paths.usable_cache_dir() / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    built = folder / f"{path.stem}-{key}.so"
    if not built.is_file():
        beside = built.with_suffix(f".{os.getpid()}.tmp")
        declared = folder / f"{path.stem}-{key}"
        declared.mkdir(exist_ok=True)
        (declared / "made.h").write_text(header, encoding="utf-8")
        command = [compiler, "-o", str(beside), str(path), f"-I{declared}", *FLAGS]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Needs(f"a gcc that builds {path.name} ({done.stderr.strip().splitlines()[-1:]})")
        beside.replace(built)
    return ctypes.CDLL(str(built))


def whole(path: Path) -> bytes:
    """A source with all that it includes from beside it, and what those include."""
    text = path.read_bytes()
    for name in re.findall(rb'^#include "(.+)"', text, re.MULTILINE):
        beside = path.parent / name.decode()
        text += whole(beside) if beside.is_file() else b""
    return text

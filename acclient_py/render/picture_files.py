"""Pictures on disk: PNG under numbered names that never overwrite."""

# contract cases: WIN-07
from __future__ import annotations

from pathlib import Path
from typing import Final

from acclient_py.core import U8
from acclient_py.errors import UsageError

QUICK: Final = 1  # compress_level: a large picture in 35 ms


def save_png(path: Path, picture: U8) -> None:
    """picture : (height, width, 3) uint8, first row on top"""
    from PIL import Image

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture).save(path, format="PNG", compress_level=QUICK)
    except OSError as error:
        raise UsageError(
            f"cannot be written: {error.strerror or error}", where=path, do="name another place"
        ) from error

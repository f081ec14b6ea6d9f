"""Pictures in a row: a video where ffmpeg is at hand, numbered PNG files where it is not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final, Protocol

from acclient_py.core import U8
from acclient_py.errors import AcclientError
from acclient_py.render.picture_files import save_png

QUALITY: Final = "20"  # x264's constant rate factor


class Reel(Protocol):
    """Takes pictures one by one. place : where they are"""

    place: Path

    def add(self, picture: U8) -> None: ...

    def close(self) -> None: ...


class PngReel:
    """frame-0001.png and on, in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.place = folder
        self._count = 0

    def add(self, picture: U8) -> None:
        self._count += 1
        save_png(self.place / f"frame-{self._count:04d}.png", picture)

    def close(self) -> None:
        """Nothing is open."""


class VideoReel:
    """An MP4 file, written by ffmpeg as the pictures come."""

    def __init__(self, program: str, path: Path, size: tuple[int, int], rate: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.place = path
        width, height = size
        even = f"crop={width // 2 * 2}:{height // 2 * 2}"
        self._process = subprocess.Popen(
            [
                program, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
                "-s", f"{width}x{height}", "-r", str(rate), "-i", "-", "-vf", even,
                "-c:v", "libx264", "-crf", QUALITY, "-preset", "veryfast",
                "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path),
            ],
            stdin=subprocess.PIPE,
        )  # fmt: skip

    def add(self, picture: U8) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(picture.tobytes())
        except OSError as error:
            raise AcclientError(f"ffmpeg stopped: {error.strerror}", where=self.place) from error

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self._process.wait():
            raise AcclientError("ffmpeg failed", where=self.place)


def ffmpeg() -> str | None:
    """The program, of the PATH or of the `video` packages."""
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


def open_reel(folder: Path, name: str, size: tuple[int, int], rate: int) -> Reel:
    """A video called `name` in a folder, or a folder of that name with PNG files."""
    program = ffmpeg()
    if program is None:
        return PngReel(folder / name)
    return VideoReel(program, folder / f"{name}.mp4", size, rate)

"""The panels: text in a corner, notes that fade, the keys."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Final

from imgui_bundle import imgui

from acclient_py.viewer.columns import in_columns

MARGIN: Final = 10.0
LEAST: Final = 0.5
"""The smallest letters, as a share of their usual size."""
PLAIN: Final = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.always_auto_resize
)
DIM: Final = imgui.ImVec4(0.84, 0.87, 0.91, 1.0)
ALARM: Final = imgui.ImVec4(0.62, 0.10, 0.08, 1.0)
GOLD: Final = imgui.ImVec4(0.93, 0.80, 0.48, 1.0)


@contextmanager
def fitting(lines: Iterable[str], width: float) -> Iterator[None]:
    """Letters in which the longest line is no wider than the picture, within reason."""
    longest = max(lines, key=len, default="")
    room = width - 2 * MARGIN - 2 * imgui.get_style().window_padding.x
    base = imgui.get_style().font_size_base
    size = math.ceil(base)
    while size > LEAST * base and letters(size, longest)[0] > room:
        size -= 1
    imgui.push_font(None, min(float(size), base))
    yield
    imgui.pop_font()


def letters(size: float, text: str = "x") -> tuple[float, float]:
    """Pixels that a text of that size takes, and a line of it with what is left to the next."""
    imgui.push_font(None, size)
    found = imgui.calc_text_size(text).x, imgui.get_text_line_height_with_spacing()
    imgui.pop_font()
    return found


def corner(lines: list[str], width: float) -> None:
    """Lines of text in the upper left corner; the first one stands out."""
    imgui.set_next_window_pos(imgui.ImVec2(MARGIN, MARGIN))
    imgui.set_next_window_bg_alpha(0.55)
    imgui.begin("hud", None, PLAIN)
    with fitting(lines, width):
        for index, line in enumerate(lines):
            if index == 0:
                imgui.text_unformatted(line)
            else:
                imgui.text_colored(DIM, line)
    imgui.end()


def banner(text: str, size: tuple[int, int]) -> None:
    """A line over the middle of the upper edge that nobody can overlook."""
    imgui.set_next_window_pos(imgui.ImVec2(size[0] / 2, 0.0), 0, imgui.ImVec2(0.5, 0.0))
    imgui.set_next_window_bg_alpha(1.0)
    imgui.push_style_color(imgui.Col_.window_bg, ALARM)
    imgui.begin("banner", None, PLAIN)
    with fitting((text,), size[0]):
        imgui.text_unformatted(text)
    imgui.end()
    imgui.pop_style_color()


def notes(lines: list[str], size: tuple[int, int]) -> None:
    """Short notes in the lower left corner; one that is longer than the picture is broken."""
    imgui.set_next_window_pos(imgui.ImVec2(MARGIN, size[1] - MARGIN), 0, imgui.ImVec2(0.0, 1.0))
    imgui.set_next_window_bg_alpha(0.6)
    imgui.begin("notes", None, PLAIN)
    room = int((size[0] - 4 * MARGIN) / max(1.0, imgui.calc_text_size("x").x))
    for line in lines:
        imgui.text_unformatted(textwrap.fill(line, max(1, room)))
    imgui.end()


def field(text: str, offers: list[str], size: tuple[int, int]) -> None:
    """The line that is typed, in the middle below, with what may be meant over it."""
    middle = imgui.ImVec2(size[0] / 2, size[1] - MARGIN)
    imgui.set_next_window_pos(middle, 0, imgui.ImVec2(0.5, 1.0))
    imgui.set_next_window_size_constraints(
        imgui.ImVec2(min(420.0, size[0] - 2 * MARGIN), 0.0), imgui.ImVec2(float(size[0]), 400.0)
    )
    imgui.set_next_window_bg_alpha(0.8)
    imgui.begin("field", None, PLAIN)
    hint = "   ".join(offers) or "a place, a location, 42.1N, 33.6E, or /loc"
    with fitting((hint, f"go to: {text}__"), size[0]):
        imgui.text_colored(DIM, hint)
        imgui.text_colored(GOLD, "go to:")
        imgui.same_line()
        imgui.text_unformatted(f"{text}_")
    imgui.end()


def help_screen(rows: list[tuple[str, str]], about: str, size: tuple[int, int]) -> None:
    """All keys, in two columns, in the middle of the picture."""
    middle = imgui.ImVec2(size[0] / 2, size[1] / 2)
    imgui.set_next_window_pos(middle, 0, imgui.ImVec2(0.5, 0.5))
    imgui.set_next_window_bg_alpha(0.88)
    imgui.begin("keys", None, PLAIN)
    base = imgui.get_style().font_size_base
    room = (size[0] - 2 * MARGIN, size[1] - 2 * MARGIN)
    share, left, right = in_columns(rows, room, lambda share: letters(base * share))
    imgui.push_font(None, base * share)
    imgui.text_colored(GOLD, about)
    imgui.spacing()
    if imgui.begin_table("rows", 4, imgui.TableFlags_.sizing_fixed_fit):
        for pair in zip_longest(left, right, fillvalue=("", "")):
            imgui.table_next_row()
            for keys, words in pair:
                imgui.table_next_column()
                imgui.text_colored(GOLD, f"{keys}  ")
                imgui.table_next_column()
                imgui.text_unformatted(f"{words}      ")
        imgui.end_table()
    imgui.pop_font()
    imgui.end()

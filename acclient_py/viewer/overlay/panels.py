"""The panels: text in a corner, notes that fade, the keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from imgui_bundle import imgui

MARGIN: Final = 10.0
SPACES: Final = 24
"""Letters' widths that go between and behind the columns of the help."""
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


def corner(lines: list[str]) -> None:
    """Lines of text in the upper left corner; the first one stands out."""
    imgui.set_next_window_pos(imgui.ImVec2(MARGIN, MARGIN))
    imgui.set_next_window_bg_alpha(0.55)
    imgui.begin("hud", None, PLAIN)
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
    imgui.text_unformatted(text)
    imgui.end()
    imgui.pop_style_color()


def notes(lines: Iterable[str], height: float) -> None:
    """Short notes in the lower left corner."""
    imgui.set_next_window_pos(imgui.ImVec2(MARGIN, height - MARGIN), 0, imgui.ImVec2(0.0, 1.0))
    imgui.set_next_window_bg_alpha(0.6)
    imgui.begin("notes", None, PLAIN)
    for line in lines:
        imgui.text_unformatted(line)
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
    imgui.text_colored(DIM, "   ".join(offers) or "a place, a location, 42.1N, 33.6E, or /loc")
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
    half = (len(rows) + 1) // 2
    widest = sum(
        max((len(row[k]) for row in part), default=0)
        for part in (rows[:half], rows[half:])
        for k in (0, 1)
    )
    room = (size[0] - 2 * MARGIN) / max(1.0, imgui.calc_text_size("x").x)
    share = max(0.5, min(1.0, room / (widest + SPACES)))
    imgui.push_font(None, imgui.get_style().font_size_base * share)
    imgui.text_colored(GOLD, about)
    imgui.spacing()
    if imgui.begin_table("rows", 4, imgui.TableFlags_.sizing_fixed_fit):
        for left, right in zip(rows[:half], [*rows[half:], ("", "")], strict=False):
            imgui.table_next_row()
            for keys, words in (left, right):
                imgui.table_next_column()
                imgui.text_colored(GOLD, f"{keys}  ")
                imgui.table_next_column()
                imgui.text_unformatted(f"{words}      ")
        imgui.end_table()
    imgui.pop_font()
    imgui.end()

"""Keys and mouse to actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from acclient_py import paths
from acclient_py.errors import UsageError
from acclient_py.viewer import keys
from acclient_py.viewer.input import (
    BUTTON,
    CURSOR,
    FOCUS,
    KEY,
    PRESS,
    RELEASE,
    REPEAT,
    SCROLL,
    TEXT,
    Event,
    Input,
)

W, X, LEFT, Q, F12, F = 87, 88, 263, 81, 301, 70
RIGHT_BUTTON = 1


def hands(keymap: str = "retail") -> Input:
    return Input(keys.load(keymap))


def down(key: int, mods: int = 0) -> Event:
    return Event(KEY, key, PRESS, mods)


def up(key: int) -> Event:
    return Event(KEY, key, RELEASE)


def test_a_wrong_keymap_is_one_line_that_names_the_fault(tmp_path: Path) -> None:
    def refused(text: str) -> str:
        file = tmp_path / "mine.toml"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError) as caught:
            keys.load(str(file))
        return str(caught.value)

    assert "no action 'dance'" in refused('[keys]\ndance = ["w"]')
    assert "no key 'ww'" in refused('[keys]\nforward = ["ww"]')
    assert "no key 'hyper'" in refused('[keys]\nforward = ["hyper+w"]')
    assert "no TOML" in refused("[keys")
    assert "not a list" in refused('[keys]\nforward = "w"')
    assert "W is forward and jump" in refused('[keys]\nforward = ["w"]\njump = ["w"]')
    with pytest.raises(UsageError, match="there are: retail, wasd"):
        keys.load("dvorak")


def test_every_action_has_a_key_and_every_key_one_action() -> None:
    for name in ("retail", "wasd"):
        keymap = keys.load(name)
        assert set(keymap.actions) == set(keys.ACTIONS), name
        chords = [chord for held in keymap.actions.values() for chord in held]
        assert len(chords) == len(set(chords)), name


def test_the_first_places_of_retail() -> None:
    keymap = keys.load("retail")
    first = {action: keys.NAMES[chords[0].key] for action, chords in keymap.actions.items()}
    wanted = {
        "forward": "w", "backward": "x", "turn-left": "a", "turn-right": "d",
        "sidestep-left": "z", "sidestep-right": "c", "autorun": "q", "stop": "s",
        "walk": "shift", "jump": "space", "camera-turn-right": "kp4", "camera-turn-left": "kp6",
        "camera-closer": "kp-subtract", "camera-farther": "kp-add", "view-default": "kp0",
        "view-first": "kp-decimal", "view-look-down": "kp5", "view-map": "kp-enter",
    }  # fmt: skip
    assert {action: first[action] for action in wanted} == wanted


def test_a_keymap_of_ones_own_changes_what_it_names(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv(paths.ROOT_VARIABLE, str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / keys.OWN).write_text('[keys]\njump = ["x"]\n', encoding="utf-8")
    keymap = keys.load()
    assert keymap.action_of(X, 0) == "jump", "the key went over to its new action"
    assert [keys.NAMES[c.key] for c in keymap.actions["backward"]] == [
        "down",
        "pad-left-stick-down",
    ]
    assert keymap.action_of(W, 0) == "forward"


@pytest.mark.parametrize(
    ("key", "printed", "wanted"),
    [("slash", "/", ["/", "x"]), ("slash", "-", ["x"]), ("t", "t", ["x"]), ("enter", "", ["x"])],
)
def test_of_what_the_key_prints_that_opens_a_line_only_a_slash_is_in_it(
    key: str, printed: str, wanted: list[str]
) -> None:
    """The place of the slash prints "-" on a German keyboard, and a keymap may take a letter.

    Sabotage: take all that is printed while a line is typed; a line begins with "-" or with "t".
    """
    taken = hands()
    taken.feed([down(keys.CODES[key])])
    taken.begin_line()
    taken.feed([Event(TEXT, ord(letter)) for letter in printed])
    taken.feed([up(keys.CODES[key]), down(keys.CODES["x"]), Event(TEXT, ord("x"))])
    assert taken.typed == wanted


def test_a_chord_goes_before_the_bare_key() -> None:
    keymap = keys.load("retail")
    assert keymap.action_of(LEFT, 0) == "turn-left"
    assert keymap.action_of(LEFT, keys.ALT) == "sidestep-left"
    assert keymap.action_of(W, keys.SHIFT) == "forward", "shift belongs to no chord"
    assert keymap.action_of(F12, keys.CTRL) == "screenshot-plain"
    assert keymap.action_of(Q, keys.CTRL) == "quit"


# place of a key to the letter that it types, and of "/": (place, what the modifiers give)
LAYOUTS = {
    "AZERTY": ({"w": "z", "a": "q", "q": "a", "z": "w", "semicolon": "m"}, ("period", "/")),
    "QWERTZ": ({"z": "y", "y": "z", "minus": "\u00df"}, ("7", "/")),
    "Dvorak": ({"w": ",", "a": "a", "s": "o", "d": "e", "x": "q", "z": ";", "p": "l",
                "o": "r", "c": "j", "i": "c", "q": "'"}, ("left-bracket", "/")),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_motion_goes_by_place_and_text_by_letter(layout: str) -> None:
    """INP-02: the key on the place of W walks whatever it prints; a line has the letters.

    Sabotage: take `typed` from the places of the keys; a line is typed in US letters.
    """
    letters, slash = LAYOUTS[layout]
    printed = {**{chr(c): chr(c) for c in range(97, 123)}, **letters}
    taken = hands()
    taken.feed([down(keys.CODES["w"]), Event(TEXT, ord(printed["w"]))])
    assert taken.held("forward")
    rows = {
        words: shown for shown, words in taken.keymap.rows(lambda key: printed.get(keys.NAMES[key]))
    }
    assert rows["go forward"] == f"{printed['w'].upper()}, Up"
    assert rows["turn left"] == f"{printed['a'].upper()}, Left"
    assert rows["jump"] == "Space"
    assert rows["camera closer (wheel)"] == "Num -"

    taken.release_all()
    taken.begin()
    taken.typing = True
    places = {letter: place for place, letter in printed.items()}
    stroke = [(slash[0], slash[1]), *((places[letter], letter) for letter in "loc")]
    for place, letter in stroke:
        taken.feed([down(keys.CODES[place]), Event(TEXT, ord(letter)), up(keys.CODES[place])])
    taken.feed([down(keys.CODES["enter"])])
    assert taken.typed == ["/", "l", "o", "c", "enter"]
    assert taken.take_held() == [], "nobody moves while a line is typed"
    assert taken.pressed == []


def test_the_help_names_a_gamepads_keys_when_there_is_one() -> None:
    keymap = keys.load()
    shown = {words: text for text, words in keymap.rows(lambda _: None, pad=True)}
    assert shown["jump"] == "Space, Pad a"
    assert shown["go forward"] == "W, Up, Pad left stick up"


def test_keys_repeat_in_a_line_only() -> None:
    taken = hands()
    backspace = keys.CODES["backspace"]
    taken.feed([down(W), Event(KEY, W, REPEAT)])
    assert taken.pressed == ["forward"]
    taken.typing = True
    taken.feed([down(backspace), Event(KEY, backspace, REPEAT), down(keys.CODES["v"], keys.CTRL)])
    assert taken.typed == ["backspace", "backspace", "paste"]


def test_focus_loss_lets_go_of_everything() -> None:
    """INP-01. Sabotage: drop `release_all` in `feed`; forward is held for ever."""
    taken = hands()
    taken.feed([Event(CURSOR, x=5.0, y=5.0), down(W), Event(BUTTON, RIGHT_BUTTON, PRESS)])
    assert taken.held("forward")
    assert taken.looking
    taken.feed([Event(FOCUS, 0)])
    assert not taken.held("forward")
    assert not taken.looking
    assert taken.take_held() == []
    taken.begin()
    taken.feed([Event(FOCUS, 1), Event(CURSOR, x=500.0, y=5.0)])
    assert not taken.held("forward")
    assert taken.moved == (0.0, 0.0)
    taken.feed([up(W), down(W)])
    assert taken.held("forward"), "the next press counts again"


def test_a_tap_between_two_ticks_is_held_for_one() -> None:
    taken = hands()
    taken.feed([down(W), up(W)])
    assert taken.take_held() == ["forward"]
    assert taken.take_held() == []


def test_held_actions_come_in_the_order_of_their_keys() -> None:
    taken = hands()
    taken.feed([down(X), down(W), down(265), Event(KEY, W, REPEAT)])
    assert taken.take_held() == ["backward", "forward"]
    taken.feed([up(W)])
    assert taken.take_held() == ["backward", "forward"], "the arrow is still down"
    taken.feed([up(265)])
    assert taken.take_held() == ["backward"]
    assert taken.pressed == ["backward", "forward", "forward"]


def test_both_shift_keys_walk_until_the_last_is_up() -> None:
    taken = hands()
    shift, right = keys.CODES["shift"], keys.CODES["right-shift"]
    taken.feed([down(shift), down(W, keys.SHIFT), down(right, keys.SHIFT)])
    assert taken.take_held() == ["walk", "forward"]
    taken.feed([up(shift)])
    assert taken.take_held() == ["forward", "walk"]
    taken.feed([up(right)])
    assert taken.take_held() == ["forward"]


def test_alt_and_tab_leave_nothing_behind() -> None:
    """INP-01: the window is told of Alt, of the loss, and never of the ends of either."""
    taken = hands()
    taken.feed([down(keys.CODES["alt"]), down(LEFT, keys.ALT)])
    assert taken.take_held() == ["sidestep-left"]
    taken.feed([down(keys.CODES["tab"], keys.ALT), Event(FOCUS, 0), Event(FOCUS, 1)])
    assert taken.take_held() == []
    taken.feed([up(keys.CODES["alt"]), down(LEFT)])
    assert taken.take_held() == ["turn-left"]


def test_the_mouse_looks_only_while_it_is_held_and_never_jumps() -> None:
    taken = hands()
    taken.feed([Event(CURSOR, x=10.0, y=10.0), Event(CURSOR, x=90.0, y=10.0)])
    assert taken.moved == (0.0, 0.0)
    taken.feed([Event(BUTTON, RIGHT_BUTTON, PRESS), Event(CURSOR, x=93.0, y=6.0)])
    assert taken.moved == (3.0, -4.0)
    taken.begin()
    taken.forget_cursor()
    taken.feed([Event(CURSOR, x=400.0, y=300.0), Event(CURSOR, x=401.0, y=300.0)])
    assert taken.moved == (1.0, 0.0)


def test_a_panel_keeps_the_mouse() -> None:
    taken = hands()
    taken.feed([Event(SCROLL, y=2.0), Event(BUTTON, 1, PRESS)], mouse_taken=True)
    assert taken.wheel == 0.0
    assert not taken.looking
    taken.feed([Event(SCROLL, y=2.0), Event(BUTTON, 1, PRESS)])
    assert taken.wheel == 2.0
    assert taken.looking


def test_the_page_about_the_viewer_lists_every_action_and_key(repo: Path) -> None:
    text = (repo / "docs" / "viewer.md").read_text(encoding="utf-8")
    for action, words in keys.ACTIONS.items():
        assert f"| `{action}` |" in text
        assert f"| {words} |" in text
    named = text.split("Keys are named by", 1)[1]
    for name in keys.CODES:
        plain = len(name) == 1 or name.strip("fkp").isdigit() or name.startswith("world-")
        assert plain or f"{name}" in named, name

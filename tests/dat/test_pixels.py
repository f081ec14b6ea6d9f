"""Pictures: each format of the client to RGBA, against plain twins, and the refusals."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from acclient_py.dat import pixels
from acclient_py.dat.records import Palette, PixelFormat, RenderSurface
from acclient_py.errors import RecordError

F = PixelFormat
RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)

PALETTE = Palette(
    0x04000001, np.array([0, 1, 2, 3, 4, 5, 6, 0x00FF0000, 0xFFFF0000, 0x800000FF], "u4")
)


def picture(pixel_format: int, data: bytes, width: int, height: int) -> RenderSurface:
    return RenderSurface(0x06000001, 0, width, height, pixel_format, data)


def halves(red: bytes, blue: bytes) -> bytes:
    """8 x 8 pixels, the left half of one and the right half of the other."""
    return (red * 4 + blue * 4) * 8


def dxt_halves(head: bytes) -> bytes:
    """8 x 8 pixels of four blocks: the left ones red, the right ones blue."""
    red = head + struct.pack("<HHI", 0xF800, 0, 0)
    blue = head + struct.pack("<HHI", 0x001F, 0, 0)
    return (red + blue) * 2


def jpeg_halves() -> bytes:
    image = Image.new("RGB", (8, 8), (255, 0, 0))
    image.paste((0, 0, 255), (4, 0, 8, 8))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=100, subsampling=0)
    return out.getvalue()


HALVES: dict[PixelFormat, bytes] = {
    F.R8G8B8: halves(b"\0\0\xff", b"\xff\0\0"),
    F.A8R8G8B8: halves(b"\0\0\xff\xff", b"\xff\0\0\xff"),
    F.X8R8G8B8: halves(b"\0\0\xff\0", b"\xff\0\0\0"),
    F.R5G6B5: halves(b"\x00\xf8", b"\x1f\x00"),
    F.X1R5G5B5: halves(b"\x00\x7c", b"\x1f\x00"),
    F.A1R5G5B5: halves(b"\x00\xfc", b"\x1f\x80"),
    F.A4R4G4B4: halves(b"\x00\xff", b"\x0f\xf0"),
    F.X4R4G4B4: halves(b"\x00\x0f", b"\x0f\x00"),
    F.A2B10G10R10: halves(b"\xff\x03\x00\xc0", b"\x00\x00\xf0\xff"),
    F.A2R10G10B10: halves(b"\x00\x00\xf0\xff", b"\xff\x03\x00\xc0"),
    F.A8B8G8R8: halves(b"\xff\0\0\xff", b"\0\0\xff\xff"),
    F.X8B8G8R8: halves(b"\xff\0\0\0", b"\0\0\xff\0"),
    F.P8: halves(b"\x08", b"\x09"),
    F.INDEX16: halves(b"\x08\0", b"\x09\0"),
    F.CUSTOM_R8G8B8A8: halves(b"\xff\0\0\xff", b"\xff\xff\0\0"),
    F.CUSTOM_A8B8G8R8: halves(b"\xff\0\0\xff", b"\0\0\xff\xff"),
    F.CUSTOM_B8G8R8: halves(b"\xff\0\0", b"\0\0\xff"),
    F.CUSTOM_LSCAPE_R8G8B8: halves(b"\0\0\xff", b"\xff\0\0"),
    F.CUSTOM_RAW_JPEG: jpeg_halves(),
    F.DXT1: dxt_halves(b""),
    F.DXT2: dxt_halves(b"\xff" * 8),
    F.DXT3: dxt_halves(b"\xff" * 8),
    F.DXT4: dxt_halves(b"\xff" + bytes(7)),
    F.DXT5: dxt_halves(b"\xff" + bytes(7)),
}
# the red of R8G8B8A8 is its highest byte, so bytes A, B, G, R
HALVES[F.CUSTOM_R8G8B8A8] = halves(b"\xff\0\0\xff", b"\xff\xff\0\0")
WITHOUT_COLOR = {F.A8, F.CUSTOM_LSCAPE_ALPHA, F.V8U8}


@pytest.mark.parametrize("pixel_format", HALVES, ids=lambda f: f.name)
def test_red_is_red_and_blue_is_blue(pixel_format: PixelFormat) -> None:
    """DAT-05. Sabotage: exchange two channels in any table; that format fails."""
    out = pixels.decode(picture(pixel_format, HALVES[pixel_format], 8, 8), PALETTE)
    assert out.shape == (8, 8, 4)
    assert out.dtype == np.uint8
    expected = np.array([[RED] * 4 + [BLUE] * 4] * 8, np.int16)
    assert np.abs(out.astype(np.int16) - expected).max() <= (
        3 if pixel_format == F.CUSTOM_RAW_JPEG else 0
    )


def test_every_format_of_the_client_is_tried() -> None:
    assert set(HALVES) | WITHOUT_COLOR == set(PixelFormat)


@pytest.mark.parametrize("pixel_format", [F.A8, F.CUSTOM_LSCAPE_ALPHA])
def test_alpha_formats_are_black_with_that_alpha(pixel_format: PixelFormat) -> None:
    out = pixels.decode(picture(pixel_format, bytes(range(12)), 4, 3))
    assert out[:, :, 3].reshape(-1).tolist() == list(range(12))
    assert not out[:, :, :3].any()


def test_bump_maps_are_centred_on_128() -> None:
    out = pixels.decode(picture(F.V8U8, struct.pack("4b", 0, 127, -128, -1), 2, 1))
    assert out[0, :, :2].tolist() == [[128, 255], [0, 127]]


def test_narrow_channels_are_widened_to_the_full_range() -> None:
    words = b"".join(struct.pack("<H", i << 12 | i << 8 | i << 4 | i) for i in range(16))
    out = pixels.decode(picture(F.A4R4G4B4, words, 16, 1))
    assert out[0].tolist() == [[17 * i] * 4 for i in range(16)]
    green = b"".join(struct.pack("<H", i << 5) for i in range(64))
    values = pixels.decode(picture(F.R5G6B5, green, 64, 1))[0, :, 1].tolist()
    assert (values[0], values[-1]) == (0, 255)
    assert all(abs(value - 255 * i / 63) < 1 for i, value in enumerate(values))
    wide = struct.pack("<I", 2 << 30 | 512 << 20 | 3 << 10 | 1023)
    assert pixels.decode(picture(F.A2R10G10B10, wide, 1, 1))[0, 0].tolist() == [128, 0, 255, 170]
    bits = pixels.decode(picture(F.A1R5G5B5, b"\0\x00\0\x80", 2, 1))
    assert bits[0, :, 3].tolist() == [0, 255]


def test_the_alpha_of_a_palette_does_not_count() -> None:
    for pixel_format, data in ((F.P8, b"\x07\x08\x09"), (F.INDEX16, b"\x07\0\x08\0\x09\0")):
        out = pixels.decode(picture(pixel_format, data, 3, 1), PALETTE)
        assert out[0].tolist() == [list(RED), list(RED), list(BLUE)]


def test_indices_below_eight_are_holes_in_a_clip_map() -> None:
    """Sabotage: clear one index more or less; the seventh or eighth pixel then differs."""
    data = bytes(range(10))
    out = pixels.decode(picture(F.P8, data, 10, 1), PALETTE, clip_map=True)
    assert out[0, :8].tolist() == [[0, 0, 0, 0]] * 8
    assert out[0, 8:].tolist() == [list(RED), list(BLUE)]


def test_indices_beyond_the_palette_are_black() -> None:
    out = pixels.decode(picture(F.INDEX16, b"\xff\xff\x0a\x00", 2, 1), PALETTE)
    assert out[0].tolist() == [[0, 0, 0, 255]] * 2


def test_a_palettised_picture_without_palette_is_refused() -> None:
    assert pixels.has_palette(picture(F.P8, b"\0", 1, 1))
    with pytest.raises(RecordError, match="record 0x06000001: a P8 picture needs a palette"):
        pixels.decode(picture(F.P8, b"\0", 1, 1))


# block compression, against a plain twin


def plain_rgb(word: int) -> tuple[int, int, int]:
    r, g, b = word >> 11, word >> 5 & 63, word & 31
    return r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2


def plain_color(block: bytes, index: int, *, holes: bool) -> tuple[int, int, int, int]:
    first, second, choices = struct.unpack("<HHI", block)
    a, b = plain_rgb(first), plain_rgb(second)
    choice = choices >> 2 * index & 3
    if choice < 2:
        return (*(a, b)[choice], 255)
    if holes and first <= second:
        if choice == 3:
            return (0, 0, 0, 0)
        mixed = [round((x + y) / 2 + 0.01) for x, y in zip(a, b, strict=True)]
    else:
        near, far = (a, b) if choice == 2 else (b, a)
        mixed = [round((2 * x + y) / 3) for x, y in zip(near, far, strict=True)]
    return (mixed[0], mixed[1], mixed[2], 255)


def plain_alpha5(block: bytes, index: int) -> int:
    first, second = block[0], block[1]
    choice = int.from_bytes(block[2:8], "little") >> 3 * index & 7
    if choice < 2:
        return (first, second)[choice]
    if first > second:
        return round(((8 - choice) * first + (choice - 1) * second) / 7)
    if choice >= 6:
        return (0, 255)[choice - 6]
    return round(((6 - choice) * first + (choice - 1) * second) / 5)


def plain_dxt(pixel_format: PixelFormat, data: bytes, width: int, height: int) -> list[list[tuple]]:
    size = 8 if pixel_format == F.DXT1 else 16
    across = -(-width // 4)
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            at = (y // 4 * across + x // 4) * size
            block, index = data[at : at + size], y % 4 * 4 + x % 4
            if pixel_format == F.DXT1:
                row.append(plain_color(block, index, holes=True))
                continue
            color = plain_color(block[8:], index, holes=False)
            if pixel_format == F.DXT3:
                alpha = (block[index // 2] >> 4 * (index % 2) & 15) * 17
            else:
                alpha = plain_alpha5(block, index)
            row.append((*color[:3], alpha))
        rows.append(row)
    return rows


@pytest.mark.parametrize("pixel_format", [F.DXT1, F.DXT3, F.DXT5], ids=lambda f: f.name)
@given(seed=st.integers(0, 2**32), width=st.integers(1, 13), height=st.integers(1, 9))
def test_dxt_agrees_with_a_plain_twin(
    pixel_format: PixelFormat, seed: int, width: int, height: int
) -> None:
    blocks = -(-width // 4) * -(-height // 4)
    size = blocks * (8 if pixel_format == F.DXT1 else 16)
    data = np.random.default_rng(seed).bytes(size)
    out = pixels.decode(picture(pixel_format, data, width, height))
    expected = np.array(plain_dxt(pixel_format, data, width, height))
    assert (out == expected).all()


def test_equal_ends_make_holes_in_dxt1_and_the_short_row_in_dxt5() -> None:
    """Random blocks hardly ever have equal ends."""
    same = struct.pack("<HHI", 0xF800, 0xF800, 0b11_10_01_00)
    out = pixels.decode(picture(F.DXT1, same, 4, 4))
    assert out[0].tolist() == [list(RED), list(RED), list(RED), [0, 0, 0, 0]]
    block = bytes([100, 100]) + (0b111_110_101_000).to_bytes(6, "little") + same
    out = pixels.decode(picture(F.DXT5, block, 4, 4))
    assert out[0].tolist() == [[255, 0, 0, alpha] for alpha in (100, 100, 0, 255)]


def test_premultiplied_colour_is_made_straight() -> None:
    block = bytes([0x8F]) * 8 + struct.pack("<HHI", 0x8410, 0, 0)  # alpha 15 and 8, grey 132
    straight = pixels.decode(picture(F.DXT2, block, 4, 4))
    raw = pixels.decode(picture(F.DXT3, block, 4, 4))
    assert raw[0, :2].tolist() == [[132, 130, 132, 255], [132, 130, 132, 136]]
    assert straight[0, :2].tolist() == [[132, 130, 132, 255], [248, 244, 248, 136]]
    half = bytes([100, 0]) + bytes(6) + struct.pack("<HHI", 0x8410, 0, 0)
    assert pixels.decode(picture(F.DXT4, half, 4, 4))[0, 0].tolist() == [255, 255, 255, 100]


@pytest.mark.parametrize("pixel_format", [F.DXT1, F.DXT5], ids=lambda f: f.name)
def test_black_is_a_hole_in_a_dxt_clip_map(pixel_format: PixelFormat) -> None:
    head = b"" if pixel_format == F.DXT1 else b"\xff" + bytes(7)
    block = head + struct.pack("<HHI", 0xF800, 0, 0x55555554)  # one red pixel, the rest black
    surface = picture(pixel_format, block, 4, 4)
    assert pixels.decode(surface)[0, 1].tolist() == [0, 0, 0, 255]
    out = pixels.decode(surface, clip_map=True)
    assert out[0, 0].tolist() == list(RED)
    assert not out.reshape(-1, 4)[1:].any()


# refusals


@pytest.mark.parametrize("pixel_format", [0, 0x1B, 0x1D, 0x28, 0x32, 0x3D, 0x66, 0x32595559])
def test_a_format_that_the_client_does_not_know_is_named(pixel_format: int) -> None:
    """DAT-05: the caller draws a stand-in and says so once."""
    with pytest.raises(RecordError, match=f"record 0x06000001: .*0x{pixel_format:X}"):
        pixels.decode(picture(pixel_format, bytes(64), 4, 4))


@pytest.mark.parametrize("pixel_format", list(PixelFormat), ids=lambda f: f.name)
def test_a_length_that_does_not_fit_the_sides_is_refused(pixel_format: PixelFormat) -> None:
    data = HALVES.get(pixel_format, bytes(64 * (1 + (pixel_format == F.V8U8))))
    good = picture(pixel_format, data, 8, 8)
    pixels.decode(good, PALETTE)
    wrong = [(data, 0, 8), (data, -8, 8), (data, 8, -8)]
    if pixel_format != F.CUSTOM_RAW_JPEG:
        wrong += [(data[:-1], 8, 8), (data + b"\0", 8, 8), (data, 8, 16), (data, 1 << 30, 1 << 30)]
    else:
        wrong += [(data[:100], 8, 8), (b"no picture", 8, 8), (b"", 8, 8)]
    for content, width, height in wrong:
        with pytest.raises(RecordError, match="record 0x06000001"):
            pixels.decode(picture(pixel_format, content, width, height), PALETTE)


def test_a_png_in_place_of_a_jpeg_is_refused() -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG")
    with pytest.raises(RecordError, match="JPEG"):
        pixels.decode(picture(F.CUSTOM_RAW_JPEG, out.getvalue(), 8, 8))


@given(st.binary(max_size=400), st.integers(0, 400))
def test_damaged_jpegs_are_decoded_or_refused(noise: bytes, at: int) -> None:
    data = bytearray(HALVES[F.CUSTOM_RAW_JPEG])
    data[at : at + len(noise)] = noise
    try:
        out = pixels.decode(picture(F.CUSTOM_RAW_JPEG, bytes(data), 8, 8))
    except RecordError:
        return
    assert out.ndim == 3


# encoders


@pytest.mark.parametrize(
    ("pixel_format", "encode", "channels"),
    [
        (F.R8G8B8, pixels.encode_r8g8b8, 3),
        (F.CUSTOM_LSCAPE_R8G8B8, pixels.encode_r8g8b8, 3),
        (F.A8R8G8B8, pixels.encode_a8r8g8b8, 4),
    ],
)
def test_encoded_colours_come_back(pixel_format: PixelFormat, encode, channels: int) -> None:
    source = np.random.default_rng(5).integers(0, 256, (5, 7, 4), np.uint8)
    out = pixels.decode(picture(pixel_format, encode(source), 7, 5))
    assert (out[:, :, :channels] == source[:, :, :channels]).all()
    assert channels == 4 or (out[:, :, 3] == 255).all()


def test_encoded_alpha_and_indices_come_back() -> None:
    values = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert (pixels.decode(picture(F.A8, pixels.encode_a8(values), 4, 3))[:, :, 3] == values).all()
    grey = Palette(0x04000001, np.arange(2048, dtype=np.uint32) * 0x010101 & 0xFFFFFF)
    wide = values.astype(np.uint16) * 20
    for pixel_format, data, expected in (
        (F.P8, pixels.encode_p8(values), values),
        (F.INDEX16, pixels.encode_index16(wide), wide),
    ):
        out = pixels.decode(picture(pixel_format, data, 4, 3), grey)
        assert (out[:, :, 2] == (expected & 0xFF)).all()

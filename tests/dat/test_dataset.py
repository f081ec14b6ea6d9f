"""A folder of DAT files as one set: which file, which record, the cache, damage, threads."""

from __future__ import annotations

import logging
import random
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from acclient_py.dat.dataset import DatSet
from acclient_py.dat.lru import LruCache
from acclient_py.dat.records import EnvCell, LandBlock, Palette, RawRecord, RenderSurface, Surface
from acclient_py.dat.records.textures import HEAD_SIZE
from acclient_py.dat.writer import CELL, HIGHRES, LOCAL, PORTAL, build
from acclient_py.errors import DataError, MissingRecord, RecordError
from acclient_py.log import forget_warnings

SURFACE = bytes.fromhex("0100000016396fff00000000000000000000803f")


def palette(id: int, colors: int = 3) -> bytes:
    return struct.pack(f"<II{colors}I", id, colors, *range(colors))


def picture(id: int, width: int, fill: int = 0) -> bytes:
    """An A8 picture, one row high."""
    return struct.pack("<IIiiIi", id, 0, width, 1, 0x1C, width) + bytes([fill]) * width


def land_block(id: int) -> bytes:
    return struct.pack("<II", id, 0) + bytes(81 * 2) + bytes([id >> 24]) * 81 + b"\0"


def env_cell(id: int) -> bytes:
    head = struct.pack("<IIIBBHHH", id, 0, id, 0, 0, 0, 1, 0)
    return head + struct.pack("<7f", 1, 2, 3, 1, 0, 0, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Portal and cell; ids 0x0600FFFF and 0x06000100 are in both."""
    portal = {
        0x08000001: SURFACE,
        0x0E000002: b"raw",
        0x06000001: picture(0x06000001, 4),
        0x06000100: picture(0x06000100, 5),
        0x0600FFFF: picture(0x0600FFFF, 6),
        **{id: palette(id) for id in range(0x04000001, 0x04000041)},
    }
    cells = {
        0x7F7FFFFF: land_block(0x7F7FFFFF),
        0x7F7F0100: env_cell(0x7F7F0100),
        0x0600FFFF: land_block(0x0600FFFF),
        0x06000100: env_cell(0x06000100),
        0xFFFEFFFF: land_block(0xFFFEFFFF),
    }
    build(tmp_path / PORTAL.name, portal, PORTAL)
    build(tmp_path / CELL.name, cells, CELL)
    forget_warnings()
    return tmp_path


def test_each_id_is_read_from_its_file(folder: Path) -> None:
    with DatSet.open(folder) as dats:
        assert list(dats.files()) == ["portal", "cell"]
        assert isinstance(dats.record(0x08000001), Surface)
        assert isinstance(dats.record(0x7F7FFFFF), LandBlock)
        assert isinstance(dats.record(0x7F7F0100), EnvCell)
        assert dats.record(0x0E000002) == RawRecord("CharGen", 0x0E000002, b"raw")
        assert dats.raw(0x08000001) == SURFACE
        assert dats.record(0xFFFEFFFF).id == 0xFFFEFFFF
        assert dats.record(0x04000001) is dats.record(0x04000001)


def test_ids_that_two_files_share_go_by_the_file_named(folder: Path) -> None:
    with DatSet.open(folder) as dats:
        assert isinstance(dats.record(0x06000100), RenderSurface)
        assert isinstance(dats.record(0x06000100, file="portal"), RenderSurface)
        assert isinstance(dats.record(0x0600FFFF), LandBlock), "so low a word is a land block"
        assert isinstance(dats.record(0x0600FFFF, file="portal"), RenderSurface)
        assert isinstance(dats.record(0x06000100, file="cell"), EnvCell)
        assert isinstance(dats.env_cell(0x06000100), EnvCell)
        assert dats.land_block(0x06000123).id == 0x0600FFFF
        assert dats.land_block_info(0x06000123) is None
        assert dats.raw(0x06000100, file="cell") == env_cell(0x06000100)
        with pytest.raises(MissingRecord, match=CELL.name):
            dats.record(0x08000001, file="cell")


def test_a_missing_record_names_folder_and_id(folder: Path) -> None:
    with DatSet.open(folder) as dats:
        assert not dats.has(0x01000099)
        assert dats.has(0x7F7F0100)
        assert not dats.has(0x7F7F0100, file="portal")
        for call in (dats.record, dats.raw, dats.locate):
            with pytest.raises(MissingRecord) as caught:
                call(0x01000099)
            assert str(caught.value) == f"{folder} record 0x01000099: no such record"


def test_ids_by_kind_and_by_top_byte(folder: Path) -> None:
    build(folder / HIGHRES.name, {0x06000001: picture(0x06000001, 9), 7: b"x"}, HIGHRES)
    with DatSet.open(folder) as dats:
        assert list(dats.ids("Palette")) == list(range(0x04000001, 0x04000041))
        assert list(dats.ids("EnvCell")) == [0x06000100, 0x7F7F0100]
        assert list(dats.ids("LandBlock")) == [0x0600FFFF, 0x7F7FFFFF, 0xFFFEFFFF]
        assert list(dats.ids(0x06)) == [0x06000001, 0x06000100, 0x0600FFFF]
        assert list(dats.ids(0x06, file="cell")) == [0x06000100, 0x0600FFFF]
        assert list(dats.ids(file="highres")) == [7, 0x06000001, 0xFFFF0001]
        assert list(dats.ids("Nothing")) == []
        every = list(dats.ids())
        assert every == sorted(set(every))
        assert len(every) == 64 + 5 + 5 - 2 + 1 + 1  # two ids in both files, 7, the iterations


def test_highres_and_portal_stand_in_for_each_other(folder: Path) -> None:
    build(
        folder / HIGHRES.name,
        {0x06000001: picture(0x06000001, 9), 0x06000777: picture(0x06000777, 8)},
        HIGHRES,
    )
    with DatSet.open(folder) as dats:
        assert dats.record(0x06000001).width == 9, "the larger copy"
        assert dats.record(0x06000777).width == 8, "only in highres"
        assert dats.record(0x06000777, file="portal").width == 8
        assert dats.record(0x06000100).width == 5, "only in portal"
        assert dats.record(0x06000100, file="highres").width == 5
        assert dats.has(0x06000777)


def test_a_damaged_copy_is_replaced_by_the_other_and_told_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    build(folder / HIGHRES.name, {0x06000001: picture(0x06000001, 9)[:-1]}, HIGHRES)
    with caplog.at_level(logging.WARNING), DatSet.open(folder, cache=0) as dats:
        assert dats.record(0x06000001).width == 4
        assert dats.record(0x06000001).width == 4
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert HIGHRES.name in told[0]
    assert "0x06000001" in told[0]


def test_a_damaged_record_names_file_record_and_byte_and_the_rest_is_read(folder: Path) -> None:
    records = {id: palette(id) for id in range(0x04000001, 0x04000009)}
    records[0x04000003] = struct.pack("<II", 0x04000003, 0xFFFFFFFF)
    build(folder / PORTAL.name, records, PORTAL)
    with DatSet.open(folder) as dats:
        for _ in range(2):
            with pytest.raises(RecordError) as caught:
                dats.record(0x04000003)
            assert (caught.value.record, caught.value.file) == (
                0x04000003,
                str(folder / PORTAL.name),
            )
            assert str(caught.value).startswith(
                f"{folder / PORTAL.name} record 0x04000003 at byte "
            )
        assert isinstance(dats.record(0x04000004), Palette)
        assert len(dats.cache) == 1


@pytest.mark.parametrize("name", [PORTAL.name, CELL.name])
@pytest.mark.parametrize("damage", ["absent", "empty", "text", "directory", "block size"])
def test_an_unusable_needed_file_is_refused_with_path_and_reason(
    name: str, damage: str, folder: Path
) -> None:
    path = folder / name
    data = bytearray(path.read_bytes())
    path.unlink()
    reasons = {
        "absent": f"no {name} here",
        "empty": "empty",
        "text": "no end-of-retail DAT file",
        "directory": "a directory",
        "block size": "block size 3",
    }
    if damage == "empty":
        path.touch()
    elif damage == "text":
        path.write_text("portal\n" * 1000, encoding="utf-8")
    elif damage == "directory":
        path.mkdir()
    elif damage == "block size":
        data[0x144:0x148] = struct.pack("<i", 3)
        path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        DatSet.open(folder)
    assert reasons[damage] in str(caught.value)
    assert str(folder if damage == "absent" else path) in str(caught.value)


def test_an_unusable_extra_file_is_left_out_with_a_warning(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / HIGHRES.name).touch()
    build(folder / LOCAL.name, {0x21000001: b"layout"}, LOCAL)
    with caplog.at_level(logging.WARNING), DatSet.open(folder) as dats:
        assert list(dats.files()) == ["portal", "cell", "local"]
        assert dats.record(0x21000001) == RawRecord("LayoutDesc", 0x21000001, b"layout")
        assert [HIGHRES.name in str(problem) for problem in dats.problems] == [True]
    assert [HIGHRES.name in record.getMessage() for record in caplog.records] == [True]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        DatSet.open(tmp_path / "gone")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="not a folder"):
        DatSet.open(tmp_path / "file")


def test_file_names_match_in_any_case(folder: Path) -> None:
    (folder / PORTAL.name).rename(folder / "Client_Portal.DAT")
    with DatSet.open(folder) as dats:
        assert dats.has(0x08000001)


def test_eight_threads_over_a_cache_of_16_read_what_one_reads(tmp_path: Path) -> None:
    """STR-04. Sabotage: drop the lock of LruCache; the cache outgrows its size or breaks."""
    rng = random.Random(7)
    records = {id: palette(id, rng.randint(1, 300)) for id in range(0x04000001, 0x040003E9)}
    build(tmp_path / PORTAL.name, records, PORTAL)
    build(tmp_path / CELL.name, {0x7F7FFFFF: land_block(0x7F7FFFFF)}, CELL)
    sizes: list[int] = []
    with DatSet.open(tmp_path, cache=16) as dats:
        start = threading.Barrier(8)

        def read(seed: int) -> bool:
            picks = random.Random(seed).choices(sorted(records), k=1000)
            start.wait()
            for id in picks:
                if dats.record(id).write() != records[id]:
                    return False
                sizes.append(len(dats.cache))
            return True

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(read, range(8))) == [True] * 8
        assert len(sizes) == 8000
        assert max(sizes) == 16
        assert dats.cache.hits + dats.cache.misses == 8000
    assert len(dats.cache) == 0


def test_the_cache_keeps_what_was_used_last_within_number_and_weight() -> None:
    cache: LruCache[int, str] = LruCache(3, 10)
    for key in (1, 2, 3):
        assert cache.put(key, f"v{key}", 2) == f"v{key}"
    assert cache.get(1) == "v1"
    cache.put(4, "v4", 2)
    assert [cache.get(key) for key in (1, 2, 3, 4)] == ["v1", None, "v3", "v4"]
    assert cache.put(1, "other", 2) == "v1", "the first of two stays"
    cache.put(5, "v5", 7)
    assert cache.used_weight == 9
    assert [cache.get(key) for key in (1, 3, 4, 5)] == ["v1", None, None, "v5"]
    assert cache.put(6, "too heavy", 11) == "too heavy"
    assert cache.get(6) is None
    assert len(cache) == 2
    cache.clear()
    assert (len(cache), cache.used_weight) == (0, 0)


def test_the_head_of_a_record_is_read_without_the_rest(folder: Path) -> None:
    """Sabotage: give all of it; or look in one file only."""
    with DatSet.open(folder) as dats:
        for id in (0x08000001, 0x06000100, 0x04000009, 0x0E000002):
            whole = dats.raw(id)
            for size in (0, 1, 7, len(whole), len(whole) + 1):
                assert dats.head(id, size) == whole[:size]
        assert RenderSurface.sides(dats.head(0x06000100, HEAD_SIZE)) == (1, 5)
        with pytest.raises(MissingRecord):
            dats.head(0x06000002, HEAD_SIZE)
    build(folder / HIGHRES.name, {0x06000001: picture(0x06000001, 64)}, HIGHRES)
    with DatSet.open(folder) as dats:
        assert RenderSurface.sides(dats.head(0x06000001, HEAD_SIZE)) == (1, 64)
        assert [name for name, _ in dats.places(0x06000001)] == ["highres", "portal", "cell"]
        assert [name for name, _ in dats.places(0x04000001)] == ["portal", "highres", "cell"]
        assert [name for name, _ in dats.places(0x04000001, "highres")] == ["portal", "highres"]
        assert [name for name, _ in dats.places(0xA9B40100)] == ["cell", "portal", "highres"]
        assert [name for name, _ in dats.places(0x0600FFFF, "cell")] == ["cell"]


def test_what_shall_not_be_kept_is_read_anew(folder: Path) -> None:
    """Sabotage: keep it all the same; or pass over what is kept."""
    with DatSet.open(folder) as dats:
        first = dats.record(0x06000001, keep=False)
        assert len(dats.cache) == 0
        kept = dats.record(0x06000001)
        assert kept == first
        assert kept is not first
        assert dats.record(0x06000001, keep=False) is kept
        assert len(dats.cache) == 1

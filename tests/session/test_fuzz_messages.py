"""Messages changed at random, by the thousand here, by the million in the lane `fuzz`.

Every message is acted on whole or refused in one line; one that cannot be parsed changes nothing at
all; the graph stays whole; at the end of the session nothing is left (E2, E3, E15).

The lane goes on where it was stopped. What it does is set by the environment:
ACCLIENT_FUZZ_COUNT (1,000,000 messages), ACCLIENT_FUZZ_SEED (1), ACCLIENT_FUZZ_STATE (a file;
`none` begins anew), ACCLIENT_FUZZ_CHECK (16: the graph is checked after every so many messages).
"""

from __future__ import annotations

import json
import logging
import os
import struct
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders.hosts import CHARM, CREATURE, HERE, PLAYER, SHIELD, SWORD, THERE, Story
from builders.mutation import Mutator
from builders.worlds import opened

from acclient_py.dat.dataset import DatSet
from acclient_py.host import scenario as sc
from acclient_py.host import steps
from acclient_py.physics.check import InvariantError
from acclient_py.session import messages as wire
from acclient_py.session.answer import Outcome
from acclient_py.session.directory import MAX_WAITING

DATA = Path(__file__).parents[1] / "data" / "physics_vectors.json"
CHUNK = 4000
RENEWED = 50
GUIDS = [int(guid, 16) for guid in (PLAYER, CREATURE, SWORD, SHIELD, CHARM, "0x80000099")]
NOTHING = ("objects", "relations", "shadow_objects", "shadow_parts", "lights", "staged", "lost")


class Fuzz:
    """One small world, armed, and messages to it."""

    def __init__(self, dats: DatSet, seed: str) -> None:
        self.told = Story(dats, crossings=False)
        self.told.host._check = False
        self.told.host.recording = None
        self.told.host.physics.graph.record(False)
        self.told.arm(PLAYER)
        self.told.do("create", guid=CREATURE, setup="0x02000001", at=HERE)
        self.outcomes: Counter[str] = Counter()
        self.mutator = Mutator([], GUIDS, seed)

    def corpus(self) -> Iterator[bytes]:
        """Messages that would be acted on, and the specification's own."""
        host = self.told.host
        setup = host.models.setup(0x02000010)
        directory = host.session.directory
        here, there = (
            sc.At(sc.HexId(int(at["cell"], 16)), tuple(at["origin"])) for at in (HERE, THERE)
        )
        for guid in GUIDS:
            known = directory.get(guid)
            hexed = sc.HexId(guid)
            thing = sc.HexId(0x02000010)
            for step in (
                sc.Create(guid=hexed, setup=thing, at=there),
                sc.Create(guid=hexed, setup=thing, parent=sc.HexId(GUIDS[0])),
                sc.Create(guid=hexed, setup=sc.HexId(0x02000001), instance=9, at=here),
            ):
                yield wire.encode(steps.create(step, known, setup))
            for at in (here, there):
                yield wire.encode(steps.position(sc.Position(guid=hexed, at=at), known))
            for parent in GUIDS:
                attach = sc.Attach(child=hexed, parent=sc.HexId(parent))
                yield wire.encode(steps.attach(attach, directory))
            yield wire.encode(steps.pickup(sc.Pickup(guid=hexed), known))
            yield wire.encode(steps.delete(sc.Delete(guid=hexed), known))
            state = sc.State(guid=hexed, state=sc.HexId(0x00404C08))
            yield wire.encode(steps.state(state, known))
        vectors = json.loads(DATA.read_text(encoding="utf-8"))["wire"]["messages"]
        for row in vectors.values():
            data = bytearray.fromhex(row["hex"])
            yield bytes(data)
            if len(data) >= 8:
                struct.pack_into("<I", data, 4, GUIDS[1])
                yield bytes(data)

    def state(self) -> tuple[object, ...]:
        """All that a refused message must leave as it is."""
        graph = self.told.host.physics.graph
        a = graph.arrays
        directory = self.told.host.session.directory
        held = (
            a.objects[: graph.used("objects")], a.parts[: graph.used("parts")], a.control,
            a.shadows[: int(a.shadow_meta[0])], a.entries[: int(a.entry_meta[0])],
            a.cells[: graph.used("cells")], a.lights[: graph.used("lights")],
        )  # fmt: skip
        crc = 0
        for array in held:
            crc = zlib.crc32(array.tobytes(), crc)
        stamps = tuple([(k.guid, *k.stamps) for k in directory])
        return crc, stamps, directory.staged, directory.player_guid

    def send(self, data: bytes) -> None:
        """One message, with everything that must hold for it alone."""
        session = self.told.host.session
        try:
            wire.parse(data)
            parsed = True
        except Exception:  # noqa: BLE001 - `handle_bytes` must make one line of it
            parsed = False
        before = None if parsed else self.state()
        answer = session.handle_bytes(data)
        self.outcomes[answer.outcome.value if parsed else "unreadable"] += 1
        assert "\n" not in answer.reason
        assert answer.done or answer.reason
        if not parsed:
            assert answer.outcome is Outcome.REFUSED, data.hex()
            assert self.state() == before, data.hex()
        assert session.directory.staged <= MAX_WAITING

    def run(self, count: int, every: int) -> None:
        """Send `count` messages; the graph is checked after each `every`."""
        last: list[bytes] = []
        for number in range(count):
            if number % RENEWED == 0:  # stamps that are the next again, lives that were ended
                self.mutator.corpus = list(self.corpus())
            data = self.mutator.next()
            last.append(data)
            try:
                self.send(data)
                if number % 64 == 63:
                    self.told.host.tick()
                if number % every == every - 1:
                    self.told.host.physics.check()
                    last.clear()
            except InvariantError as error:
                told = "\n".join(data.hex() for data in last)
                raise AssertionError(f"{error}, by one of\n{told}") from error
        self.told.host.close()
        self.told.host.physics.check()
        counts = self.told.counts()
        assert {name: counts[name] for name in NOTHING} == dict.fromkeys(NOTHING, 0)


@pytest.fixture
def quiet() -> Iterator[None]:
    """No log lines are kept: there would be a million."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.contract("E2")
@pytest.mark.contract("E3")
@pytest.mark.contract("E15")
@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_thousand_changed_messages_tear_nothing(seed: str) -> None:
    """Sabotage: detach in ParentEvent before the check, or act on half a message; a comparison
    of `send` or the graph's own check fails."""
    with opened("doll") as dats:
        fuzz = Fuzz(dats, seed)
        fuzz.run(1000, every=1)
    assert set(fuzz.outcomes) == {"done", "waits", "stale", "refused", "unreadable"}


@pytest.mark.lane("fuzz")
@pytest.mark.timeout(0)
@pytest.mark.contract("E3")
@pytest.mark.usefixtures("quiet")
def test_a_million_changed_messages_tear_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """In chunks of 4,000, each with a seed of its own and a fresh world; done ones are noted."""
    count = int(os.environ.get("ACCLIENT_FUZZ_COUNT", "1000000"))
    seed = os.environ.get("ACCLIENT_FUZZ_SEED", "1")
    every = int(os.environ.get("ACCLIENT_FUZZ_CHECK", "16"))
    named = os.environ.get("ACCLIENT_FUZZ_STATE", "")
    state = Path(named or Path(tempfile.gettempdir()) / f"acclient-fuzz-messages-{seed}.json")
    done, outcomes = 0, Counter[str]()
    if named != "none" and state.is_file():
        kept = json.loads(state.read_text(encoding="utf-8"))
        done, outcomes = kept["done"], Counter(kept["outcomes"])
    chunks = -(-count // CHUNK)
    with opened("doll") as dats:
        for chunk in range(done, chunks):
            fuzz = Fuzz(dats, f"{seed}/{chunk}")
            fuzz.run(CHUNK, every)
            outcomes += fuzz.outcomes
            if named != "none":
                note = {"seed": seed, "done": chunk + 1, "outcomes": outcomes}
                state.write_text(json.dumps(note), encoding="utf-8")
            if chunk % 10 == 9:
                with capsys.disabled():
                    print(f"seed {seed}: {(chunk + 1) * CHUNK} of {count} messages", flush=True)
    with capsys.disabled():
        print(f"seed {seed}: {chunks * CHUNK} messages, {dict(sorted(outcomes.items()))}")
    assert outcomes.total() >= count

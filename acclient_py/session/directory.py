"""Who holds a guid now: the records of the objects that the session knows, and what waits.

A record is one incarnation. A guid leads to at most one; events look it up when they are acted on,
never earlier (E1). A message for a guid or an incarnation that is not there yet waits whole, under
that guid, and is replayed once it is (E2, E4). A *half known* record was named as somebody's child
before its own create: it has an object without a part array, so nothing can be drawn or celled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct, field

from acclient_py.core.ids import is_newer
from acclient_py.dat.records.objdesc import ObjDesc
from acclient_py.session.messages.physics_desc import Stamp

PLAYER_GUIDS: Final = 0x5
"""The top digit of a player's guid."""

MAX_WAITING: Final = 4096
"""Messages that wait at one time; beyond it the newest is refused."""


class Known(Struct):
    """What the session knows of one incarnation of one guid.

    obj       : row of the graph's objects
    stamps    : the nine `update_times`, by `Stamp`; all 16-bit, compared wrap-aware
    half      : named as a child, not created yet
    parented  : the weenie's parented state (E5, E9)
    """

    guid: int
    obj: int
    stamps: list[int] = field(default_factory=lambda: [0] * len(Stamp))
    half: bool = False
    parented: bool = False
    name: str = ""
    has_weenie: bool = False
    obj_desc: ObjDesc | None = None

    @property
    def instance(self) -> int:
        """Which life of the guid this is."""
        return self.stamps[Stamp.INSTANCE]

    def accept(self, which: Stamp, stamp: int) -> bool:
        """Take a stamp that is newer than the one held; false, and nothing changed, otherwise."""
        if not is_newer(self.stamps[which], stamp):
            return False
        self.stamps[which] = stamp
        return True

    def accept_movement(self, stamp: int, control: int) -> bool:
        """Take a newer movement stamp whose server control is not older; else nothing (6.5)."""
        if is_newer(control, self.stamps[Stamp.SERVER_CONTROLLED_MOVE]):
            return False
        if not self.accept(Stamp.MOVEMENT, stamp):
            return False
        self.stamps[Stamp.SERVER_CONTROLLED_MOVE] = control
        return True

    def next_stamp(self, which: Stamp) -> int:
        """The stamp that a message in order would carry."""
        return (self.stamps[which] + 1) & 0xFFFF


class Directory:
    """Guid to record, the player, and the messages that wait."""

    def __init__(self) -> None:
        self._by_guid: dict[int, Known] = {}
        self._by_obj: dict[int, Known] = {}
        self._waiting: dict[int, list[Callable[[], object]]] = {}
        self._latched: set[int] = set()
        self.player_guid: int | None = None

    def __iter__(self) -> Iterator[Known]:
        """The records by ascending guid."""
        return iter([self._by_guid[guid] for guid in sorted(self._by_guid)])

    def __len__(self) -> int:
        return len(self._by_guid)

    def get(self, guid: int) -> Known | None:
        """The record of a guid that was created; half known ones are not given."""
        known = self._by_guid.get(guid)
        return None if known is None or known.half else known

    def get_even_half(self, guid: int) -> Known | None:
        """The record of a guid, half known or not."""
        return self._by_guid.get(guid)

    def of_object(self, obj: int) -> Known | None:
        """Whose object row this is; None for statics and shells."""
        return self._by_obj.get(obj)

    def add(self, known: Known) -> None:
        """Enter a record; its guid must be free."""
        assert known.guid not in self._by_guid, "a guid leads to one record"
        self._by_guid[known.guid] = known
        self._by_obj[known.obj] = known

    def remove(self, known: Known) -> None:
        """Forget a record and the refusal latched on it."""
        del self._by_guid[known.guid]
        del self._by_obj[known.obj]
        self._latched.discard(known.guid)

    def is_player(self, known: Known | None) -> bool:
        """Whether a record is the local player's."""
        return known is not None and known.guid == self.player_guid

    # what waits

    def wait(self, guid: int, again: Callable[[], object]) -> bool:
        """Keep a message until `guid` is created; false when too many wait already.

        again : handles it, or does what its sender wants instead
        """
        if self.staged >= MAX_WAITING:
            return False
        self._waiting.setdefault(guid, []).append(again)
        return True

    def take_waiting(self, guid: int) -> list[Callable[[], object]]:
        """What handles the messages that waited for `guid`, in the order in which they came."""
        return self._waiting.pop(guid, [])

    @property
    def staged(self) -> int:
        """How many messages wait."""
        return sum(len(messages) for messages in self._waiting.values())

    def forget_waiting(self) -> None:
        """Drop what waits: the session ends."""
        self._waiting.clear()

    # refusals are told once

    def latch(self, child: int) -> bool:
        """True the first time that a relation of `child` is refused (E3)."""
        if child in self._latched:
            return False
        self._latched.add(child)
        return True

    def unlatch(self, child: int) -> None:
        """The child's relation was removed: the next refusal is told again."""
        self._latched.discard(child)

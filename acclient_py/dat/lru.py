"""A locked cache of decoded records, bounded by number and by weight."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Keeps what was used last. Safe for several threads; never over its bounds, not even briefly.

    entries : most entries kept; 0 keeps nothing
    weight  : most total weight kept, e.g. bytes; a heavier value is not kept at all
    """

    def __init__(self, entries: int, weight: int) -> None:
        self.entries = entries
        self.weight = weight
        self.used_weight = 0
        self.hits = 0
        self.misses = 0
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """The kept value, or None."""
        with self._lock:
            kept = self._values.get(key)
            if kept is None:
                self.misses += 1
                return None
            self.hits += 1
            self._values.move_to_end(key)
            return kept[0]

    def put(self, key: K, value: V, weight: int) -> V:
        """Keep a value and return the one that is kept: the first of two made at the same time."""
        with self._lock:
            kept = self._values.get(key)
            if kept is not None:
                self._values.move_to_end(key)
                return kept[0]
            if self.entries < 1 or weight > self.weight:
                return value
            while len(self._values) >= self.entries or self.used_weight + weight > self.weight:
                _, (_, gone) = self._values.popitem(last=False)
                self.used_weight -= gone
            self._values[key] = (value, weight)
            self.used_weight += weight
            return value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self.used_weight = 0

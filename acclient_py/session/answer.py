"""What became of a message."""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct


class Outcome(Enum):
    """What became of a message."""

    DONE = "done"
    WAITS = "waits"  # for a create
    STALE = "stale"  # an older incarnation or an older stamp
    REFUSED = "refused"


class Answer(Struct, frozen=True):
    """What became of a message, and why when it was not done."""

    outcome: Outcome
    reason: str = ""

    @property
    def done(self) -> bool:
        """Whether the message was acted on."""
        return self.outcome is Outcome.DONE


DONE: Final = Answer(Outcome.DONE)


def answer_of(reason: str | None) -> Answer:
    """None: done; "stale ..." is an old stamp; any other text is a refusal."""
    if reason is None:
        return DONE
    outcome = Outcome.STALE if reason.startswith("stale") else Outcome.REFUSED
    return Answer(outcome, reason)

"""The mutations of `table/*.toml` as records, and where their text stands."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from sabotage.patching import apply, find, replaced, source_of

FOLDER = Path(__file__).resolve().parent / "table"
REPO = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Patch:
    """A fragment of one function, or (with `file`) of a source file as tests read it."""

    old: str
    new: str
    target: str = ""
    file: str = ""
    nth: int = 0
    """Which of several occurrences, from 1; 0: there is one."""

    def text(self) -> str:
        if self.file:
            return (REPO / self.file).read_text(encoding="utf-8")
        return source_of(find(self.target)[2])

    def stale(self) -> str | None:
        """Why it does not apply any more, or None."""
        try:
            count = self.text().count(self.old)
        except (AttributeError, ImportError, OSError) as error:
            return f"{self.target or self.file}: {error}"
        if (self.nth == 0 and count != 1) or count < self.nth:
            return f"{self.target or self.file}: {count} times {self.old!r}"
        return None

    def run(self) -> None:
        """Change the function, or what everybody reads of the file."""
        if self.file:
            change_file(REPO / self.file, self.old, self.new, self.nth)
        else:
            apply(self.target, self.old, self.new, nth=self.nth)


@dataclass(frozen=True)
class Mutation:
    """One way to break a clause, and the assertion that has to say so.

    test  : node id; of a parametrized test all cases run
    fails : the statement of the test that must fail, or a piece of it
    says  : a piece of the failure's message, where the statement alone does not tell
    """

    clause: str
    name: str
    patches: tuple[Patch, ...]
    test: str
    fails: str
    says: str = ""

    def stale(self) -> str | None:
        for patch in self.patches:
            if (reason := patch.stale()) is not None:
                return reason
        return None


def mutations() -> list[Mutation]:
    """All mutations, in the order of their files."""
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["mutation"]:
            patches = tuple(Patch(**patch) for patch in row.pop("patch"))
            found.append(Mutation(patches=patches, **row))
    return found


def change_file(file: Path, old: str, new: str, nth: int) -> None:
    """Let `Path.read_text` give another text of one file."""
    read = Path.read_text

    def changed(self: Path, *args: object, **more: object) -> str:
        text = read(self, *args, **more)  # type: ignore[arg-type]
        return replaced(text, old, new, nth, str(file)) if self.resolve() == file else text

    Path.read_text = changed  # type: ignore[method-assign, assignment]

"""What monkeys have played, in a file that one run after the other goes on with."""

from __future__ import annotations

import dataclasses
import functools
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path

NOTHING = "nothing"
"""What fell out where all went well."""


@dataclasses.dataclass(frozen=True)
class Sitting:
    """What one process has played.

    Attributes
    ----------
    commit : str
        With which program; "+" at its end for one with changes.
    seed, first, actions : int
        The actions of a seed from the `first` on.
    found : str
        The kinds of failures.
    """

    commit: str
    seed: int
    first: int
    actions: int
    found: str = NOTHING

    @classmethod
    def read(cls, line: str) -> Sitting:
        """Read a line of the file."""
        commit, seed, first, actions, found = line.split("\t")
        return cls(commit, int(seed), int(first), int(actions), found)

    @property
    def line(self) -> str:
        """How it stands in the file."""
        return "\t".join(map(str, dataclasses.astuple(self))) + "\n"


class Record:
    """All sittings; written down at once, so that a run can be ended at any moment.

    Parameters
    ----------
    path : Path or None
        None: nothing was played before, and nothing is written.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        text = path.read_text() if path is not None and path.exists() else ""
        self.sittings = [Sitting.read(line) for line in text.splitlines()]

    def add(self, seed: int, first: int, actions: int, kinds: Iterable[str]) -> None:
        """Write down what a process has played."""
        found = "; ".join(" ".join(kind.split()) for kind in sorted(kinds)) or NOTHING
        sitting = Sitting(commit(), seed, first, actions, found)
        with self._lock:
            self.sittings.append(sitting)
            if self._path is not None:
                with open(self._path, "a") as file:
                    file.write(sitting.line)

    def next(self, seed: int) -> int:
        """Return the first action of a seed that was not played yet."""
        begun = 0
        for sitting in sorted(self.sittings, key=lambda sitting: sitting.first):
            if sitting.seed == seed and sitting.first <= begun:
                begun = max(begun, sitting.first + sitting.actions)
        return begun

    def __str__(self) -> str:
        """Say what all of them come to."""
        actions = sum(sitting.actions for sitting in self.sittings)
        seeds, commits = (len({getattr(one, of) for one in self.sittings}) for of in ("seed", "commit"))
        failed = sum(sitting.found != NOTHING for sitting in self.sittings)
        return (
            f"in all {actions} actions over {seeds} seeds on {commits} commits, "
            f"in {len(self.sittings)} sittings, {failed} of them with a failure"
        )


@functools.cache
def commit() -> str:
    """Return what is played with."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--exclude=*", "--dirty=+"]
    told = subprocess.run(git, capture_output=True, text=True, check=False)
    return told.stdout.strip() or "?"

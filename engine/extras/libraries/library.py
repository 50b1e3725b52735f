"""Other libraries, and what mechanisms share that one of them draws."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from engine.errors import DataError
from engine.mechanisms.facts import Facts
from engine.mechanisms.guarantee import PURE, Guarantee
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.progress import Progress, each, silent
from engine.randomness import is_release

INSTALL = "pip install 'sensiscope[peers]'"
"""What installs all of these libraries."""

ADDED_OR_REMOVED = "add-or-remove"
"""What some libraries call neighbours: one database has a record more than the other."""

STEPS = 2
"""From a database to one with a record replaced: one is removed, one added."""

BATCH_SECONDS, PICTURE_SECONDS, MIN_RUNS = 0.1, 2.0, 100
"""About how long one call of `draw` may take, and all draws for a picture, which are at least so many."""


@dataclasses.dataclass(frozen=True)
class Library:
    """Another library: the module that is imported, and the name by which it is installed."""

    module: str
    distribution: str

    @property
    def is_installed(self) -> bool:
        """Whether the library is there; it is not imported for that."""
        return find_spec(self.module.partition(".")[0]) is not None

    @property
    def version(self) -> str:
        """The version that is installed; "" where none is."""
        from importlib import metadata  # with what it needs a hundredth of the window's start

        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return ""

    def not_installed(self, field: str) -> tuple[Problem, ...]:
        """Say what installs the library, where it is missing; a form shows that at the field."""
        if self.is_installed:
            return ()
        return (Problem(field, f"{self.distribution} is not installed; install it with: {INSTALL}"),)

    @property
    def facts(self) -> dict[str, str]:
        """By which library a release is, as it states."""
        return {"library": f"{self.distribution} {self.version}"}


class Peer:
    """Lets another library draw the releases of a mechanism; `DiffprivlibRelease` has it."""

    facts: ClassVar[Facts]
    guarantee: ClassVar[Guarantee] = PURE

    @property
    def _library(self) -> Library:
        library: Library = self.facts.library
        return library

    @property
    def inexact(self) -> str:
        return f"made by {self._library.distribution} {self._library.version}, not by Sensiscope"


def seeds(rng: np.random.Generator, size: int) -> list[int | None]:
    """Return what a library is seeded with for each draw: None where it is to take its own entropy."""
    return [None] * size if is_release(rng) else rng.integers(2**31, size=size).tolist()


class LibraryPrepared(Prepared, abc.ABC):
    """A library with the data (private), which is asked once for each draw."""

    seconds: float  # about how long one draw takes

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, int(BATCH_SECONDS / self.seconds)))

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(MIN_RUNS, int(PICTURE_SECONDS / self.seconds)))

    def ask_often(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> list[Any]:
        """Ask `size` times; the seed of a simulation is passed on to a library that takes one."""
        answers = []
        for seed, _ in zip(seeds(rng, size), each(size, progress), strict=True):
            with failing_in_one_line(self.noise["family"]):
                answers.append(self.one(seed))
        return answers

    @abc.abstractmethod
    def one(self, seed: int | None) -> Any:
        """Ask once."""


@contextmanager
def failing_in_one_line(name: str) -> Iterator[None]:
    """Say whatever a library raises in one line (private)."""
    try:
        with np.errstate(all="ignore"):
            yield
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise DataError(f"{name} fails on these data", confidential=reason) from None

"""Other libraries, and the common parts of mechanisms that use them."""

from __future__ import annotations

import abc
import dataclasses
import functools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from engine.errors import DataError, ExecutionError
from engine.mechanisms.facts import Facts
from engine.mechanisms.guarantee import PURE, Guarantee
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.optional_packages import install_command
from engine.progress import Progress, each, silent
from engine.randomness import is_release

INSTALL = install_command("peers")
"""The command that installs all of these libraries."""

ADDED_OR_REMOVED = "add-or-remove"
"""A relation of neighbours that some libraries use: one database has one record more than the other."""

STEPS = 2
"""Distance by `ADDED_OR_REMOVED` between databases that differ in one replaced record."""

BATCH_SECONDS, PICTURE_SECONDS, MIN_RUNS = 0.1, 2.0, 100
"""Approximate limits for one call of `draw` and for all draws of a picture, and the least number of draws."""


@dataclasses.dataclass(frozen=True)
class Library:
    """Another library: the name of its module, and the name of its distribution.

    `breaks_with`: its versions before the first one import nothing beside this distribution from this version
    on.
    """

    module: str
    distribution: str
    breaks_with: tuple[str, str, str] | None = None
    install: ClassVar[str] = INSTALL

    @property
    def is_installed(self) -> bool:
        """Whether the library can be imported; asking does not import it."""
        return find_spec(self.module.partition(".")[0]) is not None and not self.misfit

    @property
    def version(self) -> str:
        """The installed version; "" if there is none."""
        return _version(self.distribution)

    @property
    def misfit(self) -> str:
        """The installed package that the library cannot be imported with, and its version; "" if none."""
        if self.breaks_with is None:
            return ""
        fixed, other, first = self.breaks_with
        version = _version(other)
        breaks = version and _numbers(self.version) < _numbers(fixed) and _numbers(version) >= _numbers(first)
        return f"{other} {version}" if breaks else ""

    def not_installed(self, field: str) -> tuple[Problem, ...]:
        """Return the problem that the library is missing, at the given field; empty if it is installed."""
        if self.is_installed:
            return ()
        if other := self.misfit:
            text = f"{self.distribution} {self.version} does not work with {other}; install both anew with"
        else:
            text = f"{self.distribution} is not installed; install it with"
        return (Problem(field, f"{text}: {INSTALL}"),)

    def load(self) -> Any:
        """Import the module.

        Raises
        ------
        ExecutionError
            If that fails.
        """
        try:
            return import_module(self.module)
        except ImportError as error:
            reason = " ".join(str(error).split())
            raise ExecutionError(
                f"{self.distribution} {self.version} cannot be imported ({reason}); try: {INSTALL}"
            ) from None

    @property
    def facts(self) -> dict[str, str]:
        """The library and its version, a public fact of each release."""
        return {"library": f"{self.distribution} {self.version}"}


@functools.cache
def _version(distribution: str) -> str:
    from importlib import metadata  # slow: one per cent of the window's start

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:2]]


class Peer:
    """Base of mechanisms whose releases another library draws, such as `DiffprivlibRelease`."""

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
    """Return the seed of each draw: None where the library uses its own entropy."""
    return [None] * size if is_release(rng) else rng.integers(2**31, size=size).tolist()


class LibraryPrepared(Prepared, abc.ABC):
    """A library with the data (private), called once for each draw."""

    seconds: float  # about how long one draw takes

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, int(BATCH_SECONDS / self.seconds)))

    def most_runs(self, wanted: int) -> int:
        return min(wanted, max(MIN_RUNS, int(PICTURE_SECONDS / self.seconds)))

    def call_often(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> list[Any]:
        """Call the library `size` times; in a simulation pass a seed if the library takes one."""
        answers = []
        for seed, _ in zip(seeds(rng, size), each(size, progress), strict=True):
            with raising_data_errors(self.noise["family"]):
                answers.append(self.one(seed))
        return answers

    @abc.abstractmethod
    def one(self, seed: int | None) -> Any:
        """Call the library once."""


@contextmanager
def raising_data_errors(name: str) -> Iterator[None]:
    """Convert any exception of a library to `DataError` with one line (private)."""
    try:
        with np.errstate(all="ignore"):
            yield
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise DataError(f"{name} fails on these data; choose another method", confidential=reason) from None

"""Functions to compute on each block, with values in a public box."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, Protocol

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.components import Component
from engine.domain import Box

SENSIBLE = 10
"""Records of the smallest useful block: a tenth of those that guesses assume, with about three times the
error.
"""

EACH = 5
"""Records for each of k centers or coefficients.  A uniformly drawn block misses a given one of k equal
clusters with probability below e^-5.  It misses any of 32 with less than the third that majorities allow.
"""


class Applicable(Protocol):
    """Has the method `apply` of `BlockFunction`."""

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the outputs of several blocks of the same size."""


class BlockFunction(Component, abc.ABC, family="function"):
    """A function of a block of points with vector values, the same for equal blocks.

    All random numbers come from the block's seed, which is public and independent of the data.  So one person
    changes the outputs only of the blocks that hold the person's record.  An example is `MeanFunction`.
    """

    unordered: ClassVar[bool] = False
    """Whether the output is a set of k points, released without an order."""
    among_data: ClassVar[bool] = False
    """Whether an output consists of points of the data's box."""
    noun: ClassVar[str] = "output"
    """Name of one point of an output."""
    batch_size: ClassVar[int] = 1 << 15
    """Points per call: as many as fit into a cache, or 1 for a block at a time."""

    @property
    def question(self) -> Hashable:
        """The kind of answer: functions with the same one answer the same query."""
        return self

    @property
    def version(self) -> str:
        """A version that distinguishes changed code with equal settings; otherwise ""."""
        return ""

    @abc.abstractmethod
    def space(self, box: Box) -> OutputSpace:
        """Return the space and metric of outputs for points in `box` (public)."""

    @abc.abstractmethod
    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the outputs of several blocks of the same size.

        Parameters
        ----------
        blocks : ndarray, shape (B, b, d)
        seeds : ndarray of int, shape (B,)

        Returns
        -------
        ndarray, shape (B, D)
            NaN in a row whose block failed.  The caller replaces it by `default`, and clamps all rows to the
            box of `space`.
        """

    def coordinates(self, columns: Sequence[str], box: Box) -> tuple[str, ...]:
        """Return the names of the coordinates of an output that is no point of `box` (public)."""
        return numbered_outputs(self.space(box))

    def default(self, box: Box) -> Floats:
        """Return the public output for a block that failed, shape (D,)."""
        return self.space(box).box.center

    def smallest_block(self, box: Box) -> int:
        """Return the smallest size of a block (public)."""
        return 1

    def sensible_block(self, box: Box) -> int:
        """Return the size from which a block's output is useful (public)."""
        return SENSIBLE

    def problem(self, box: Box) -> tuple[str, str] | None:
        """Return (field, message) if the function cannot be used for points in `box`, otherwise None."""
        return None

    @contextlib.contextmanager
    def opened(self) -> Iterator[Applicable]:
        """Open resources for several calls, such as processes, and close them afterwards."""
        yield self


def numbered_outputs(space: OutputSpace) -> tuple[str, ...]:
    """Return default names of the coordinates."""
    return tuple(f"output {index + 1}" for index in range(space.dimension))

"""What is computed on each block: any function to a public box."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar, Protocol

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Floats, Ints
from engine.components import Component
from engine.domain import Box

SENSIBLE = 10
"""Records of the smallest block that is sensible: a tenth of those that guesses are about, so that an
output is about three times as far off as guessed."""

EACH = 5
"""Records for each of k centers or coefficients: of evenly drawn ones, a block misses a given one of k equal
clusters with probability below e^-5, and any of 32 with less than the third that the bound on majorities
allows."""


class Applicable(Protocol):
    """What can be applied to blocks; `BlockFunction.apply` says how."""

    def apply(self, blocks: Floats, seeds: Ints) -> Floats:
        """Return the outputs of several blocks of the same size."""


@dataclasses.dataclass(frozen=True)
class BlockFunction(Component, abc.ABC, family="function"):
    """A map from a block of points to a vector, the same for every block of the same points.

    Whatever a function draws at random it draws from the seed of its block, which is public
    and does not depend on the data; so one person changes the output of those blocks only
    that hold the person's record.  `MeanFunction` is one.
    """

    unordered: ClassVar[bool] = False
    """Whether the output is a set of k points, to be released without an order."""
    among_data: ClassVar[bool] = False
    """Whether an output is a point, or points, of the box in which the data lie."""
    noun: ClassVar[str] = "output"
    """What one point of an output is called."""
    batch_size: ClassVar[int] = 1 << 15
    """Points to be handed over in one call: as many as fit a cache, or 1 for a block at a time."""

    @property
    def question(self) -> Hashable:
        """What is asked of the data: functions of the same kind of answer have the same."""
        return self

    @property
    def version(self) -> str:
        """What tells its outputs from those of an equal one, where that may change; else ""."""
        return ""

    @abc.abstractmethod
    def space(self, box: Box) -> OutputSpace:
        """Return where outputs live and how far apart they are, for points in `box` (public)."""

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
            NaN in a row whose block could not be worked out; it is replaced by `default`, and
            everything is clamped to the box of `space`, by whoever asked.
        """

    def coordinates(self, columns: Sequence[str], box: Box) -> tuple[str, ...]:
        """Return the name of each coordinate of an output that is no point of `box` (public)."""
        return numbered_outputs(self.space(box))

    def default(self, box: Box) -> Floats:
        """Return the public output of a block that could not be worked out, shape (D,)."""
        return self.space(box).box.center

    def smallest_block(self, box: Box) -> int:
        """Return how many points a block needs at least (public)."""
        return 1

    def sensible_block(self, box: Box) -> int:
        """Return how many points a block should have for its output to tell about the data (public)."""
        return SENSIBLE

    def problem(self, box: Box) -> tuple[str, str] | None:
        """Return (field, words) if the function makes no sense for points in `box`, else None."""
        return None

    @contextlib.contextmanager
    def opened(self) -> Iterator[Applicable]:
        """Make ready what lasts longer than one call, such as processes, and put it away after."""
        yield self


def numbered_outputs(space: OutputSpace) -> tuple[str, ...]:
    """Return a name for each coordinate where nothing better is known."""
    return tuple(f"output {index + 1}" for index in range(space.dimension))

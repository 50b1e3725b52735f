"""Real numbers known as balls, the random bits they are made of, and decisions about them."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

from flint import arb, ctx, fmpq, fmpz

from engine.randomness import random_bits


class Uniform:
    """A number uniform in (0, 1) whose leading `size` bits are known: as a whole number, `numerator`."""

    def __init__(self, numerator: int = 0, size: int = 0) -> None:
        self.numerator = numerator
        self.size = size

    def ball(self) -> arb:
        """Return a ball that holds the number, of a relative width of about 2^-precision."""
        while (lacking := ctx.prec + 4 - self.numerator.bit_length()) > 0:
            self.numerator = (self.numerator << lacking) | random_bits(lacking)
            self.size += lacking
        low = arb(fmpz(self.numerator))
        return low.union(low + 1) * arb(2) ** -self.size


class Bits:
    """All random bits of one draw: signs, and numbers uniform in (0, 1).

    Of 64 known bits (`word`) the lowest is the first sign, and the others lead the first number.
    """

    def __init__(self, word: int | None = None) -> None:
        self._signs: dict[int, int] = {}
        self._uniforms: dict[int, Uniform] = {}
        if word is not None:
            self._signs[0] = 1 - 2 * (word & 1)
            self._uniforms[0] = Uniform(word >> 1, 63)

    def sign(self, which: int = 0) -> int:
        """Return 1 or -1."""
        if which not in self._signs:
            self._signs[which] = 1 - 2 * random_bits(1)
        return self._signs[which]

    def uniform(self, which: int = 0) -> arb:
        """Return a ball that holds the number."""
        if which not in self._uniforms:
            self._uniforms[which] = Uniform()
        return self._uniforms[which].ball()


Exact = float | int | Fraction
"""A number that enters a release as it is."""

PRECISION = 96
"""Bits with which a decision begins; doubles have decided what takes fewer."""

MAX_PRECISION = 1 << 16
"""Bits beyond which no decision is looked for: one that takes so many has probability 0."""

_lock = threading.RLock()


def _renew_lock() -> None:
    """Give a forked process a lock of its own: a thread that it has not got may hold its parent's."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

_Answer = TypeVar("_Answer")


@contextlib.contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with balls of so many bits; no other thread changes them meanwhile."""
    with _lock, ctx.workprec(bits):
        yield


def decide(question: Callable[[], _Answer | None]) -> _Answer:
    """Return the first answer that is not None, at a precision that grows until there is one.

    `question` works out balls at the present precision, and answers only what holds for all numbers in them.
    """
    with precision(PRECISION):
        while ctx.prec <= MAX_PRECISION:
            answer = question()
            if answer is not None:
                return answer
            ctx.prec *= 2
    raise ArithmeticError("a decision took too many random bits")


def ball(number: Exact) -> arb:
    """Return a ball around an exact number, which is a point if the number is a double."""
    if isinstance(number, Fraction):
        return arb(fmpq(number.numerator, number.denominator))
    return arb(number)


def nearest_multiple(value: Callable[[], arb], step: Exact) -> int:
    """Return the whole number j with ``(j - 1/2) step <= value < (j + 1/2) step``.

    The value must not lie between two of them for certain.
    """

    def nearest() -> int | None:
        whole = (value() / ball(step) + 0.5).floor().unique_fmpz()
        return None if whole is None else int(whole)

    return decide(nearest)

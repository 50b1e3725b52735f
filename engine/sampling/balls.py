"""Real numbers enclosed in balls, the random bits behind them, and exact decisions about them."""

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
    """A uniform number in (0, 1), of which the first `size` bits are known: they form `numerator`."""

    def __init__(self, numerator: int = 0, size: int = 0) -> None:
        self.numerator = numerator
        self.size = size

    def ball(self) -> arb:
        """Return a ball that encloses the number, of relative width about 2^-precision."""
        while (lacking := ctx.prec + 4 - self.numerator.bit_length()) > 0:
            self.numerator = (self.numerator << lacking) | random_bits(lacking)
            self.size += lacking
        low = arb(fmpz(self.numerator))
        return low.union(low + 1) * arb(2) ** -self.size


class Bits:
    """All random bits of one draw: signs and uniform numbers in (0, 1).

    If `word` gives 64 bits, its lowest bit is the first sign; the others begin the first number.
    """

    def __init__(self, word: int | None = None) -> None:
        self._signs: dict[int, int] = {}
        self._uniforms: dict[int, Uniform] = {}
        if word is not None:
            self._signs[0] = 1 - 2 * (word & 1)
            self._uniforms[0] = Uniform(word >> 1, 63)

    def sign(self, which: int = 0) -> int:
        """Return the sign with this index: 1 or -1."""
        if which not in self._signs:
            self._signs[which] = 1 - 2 * random_bits(1)
        return self._signs[which]

    def uniform(self, which: int = 0) -> arb:
        """Return a ball that encloses the uniform number with this index."""
        if which not in self._uniforms:
            self._uniforms[which] = Uniform()
        return self._uniforms[which].ball()


Exact = float | int | Fraction
"""A number that enters a release without rounding."""

PRECISION = 96
"""Bits at the start of a decision: more than a double has, since doubles were tried before."""

MAX_PRECISION = 1 << 16
"""Bits at which a decision gives up; needing so many has probability practically 0."""

_lock = threading.RLock()


def _renew_lock() -> None:
    """Give a forked process a new lock: a thread that exists in its parent only may hold the old one."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

_Answer = TypeVar("_Answer")


@contextlib.contextmanager
def precision(bits: int) -> Iterator[None]:
    """Set the precision of balls to this many bits; other threads wait."""
    with _lock, ctx.workprec(bits):
        yield


def decide(question: Callable[[], _Answer | None]) -> _Answer:
    """Return the first answer that is not None, doubling the precision until there is one.

    `question` computes balls at the current precision; it answers only if all numbers in them agree.
    """
    with precision(PRECISION):
        while ctx.prec <= MAX_PRECISION:
            answer = question()
            if answer is not None:
                return answer
            ctx.prec *= 2
    raise ArithmeticError(f"a decision needs more than {MAX_PRECISION} random bits")


def ball(number: Exact) -> arb:
    """Return a ball around an exact number; for a double it is a single point."""
    if isinstance(number, Fraction):
        return arb(fmpq(number.numerator, number.denominator))
    return arb(number)


def nearest_multiple(value: Callable[[], arb], step: Exact) -> int:
    """Return the whole number j with ``(j - 1/2) step <= value < (j + 1/2) step``.

    The value must not lie exactly halfway between two multiples.
    """

    def nearest() -> int | None:
        whole = (value() / ball(step) + 0.5).floor().unique_fmpz()
        return None if whole is None else int(whole)

    return decide(nearest)

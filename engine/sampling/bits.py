"""The random bits of one draw, which become more as a decision asks for them."""

from __future__ import annotations

from flint import arb, ctx, fmpz

from engine.randomness import random_bits


class Uniform:
    """A number uniform in (0, 1), of which some leading bits are known.

    Parameters
    ----------
    numerator, size : int
        The leading `size` bits as a whole number.
    """

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

    Parameters
    ----------
    word : int, optional
        64 bits that are known: the first sign, and the leading bits of the first number.
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

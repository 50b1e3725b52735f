"""How much a release may reveal: epsilon, delta and between which databases.

Throughout the engine, neighbours are databases that differ in *one record that is
replaced by another* (substitution); the number of records n is public.  An epsilon
of a tool that adds or removes records is not comparable: the same word, another
promise.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from engine.errors import ParameterError
from engine.numerals import short

NEIGHBOURS = "replace-one"
"""The neighbouring relation of every mechanism here: one record replaced, n public."""


@dataclasses.dataclass(frozen=True)
class Privacy:
    """(epsilon, delta)-differential privacy for replace-one neighbours, n public.

    Parameters
    ----------
    epsilon : float
        Bound on the log-odds that a release can change by one person's record.
    delta : float, default 0
        Slack of the bound: no set of outcomes is more probable than e^epsilon times its
        probability on a neighbouring database, plus delta.

    Raises
    ------
    ParameterError
        If epsilon is not a finite number above 0, or delta is not in [0, 1).

    Examples
    --------
    Two thirds of the budget for one step, and what is left for the other:

    >>> Privacy(1.5, 1e-6).split([2, 1])
    (Privacy(epsilon=1.0, delta=6.666666666666666e-07), Privacy(epsilon=0.5, delta=3.333333333333333e-07))
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise ParameterError(
                "epsilon", f"{short(self.epsilon)} is not possible; it must be a finite number above 0"
            )
        if not 0 <= self.delta < 1:
            raise ParameterError(
                "delta",
                f"{short(self.delta)} is not possible; it must be at least 0 and below 1 (far below 1/n)",
            )

    def split(self, shares: Sequence[float]) -> tuple[Privacy, ...]:
        """Share the budget: parts proportional to `shares`, which together are no more than the whole."""
        epsilons, deltas = _parts(self.epsilon, shares), _parts(self.delta, shares)
        return tuple(map(Privacy, epsilons, deltas))


def _parts(whole: float, shares: Sequence[float]) -> list[float]:
    """Return parts of a number whose exact sum is not above it, whatever was rounded on the way."""
    total = math.fsum(shares)
    parts = [whole * share / total for share in shares]
    while sum(map(Fraction, parts)) > Fraction(whole):
        parts = [math.nextafter(part, 0) for part in parts]
    return parts


@dataclasses.dataclass(frozen=True)
class NoPromise(Privacy):
    """What a release costs that is not differentially private: no epsilon is large enough.

    `NO_PROMISE` is the only one.

    Parameters
    ----------
    epsilon : float, default inf
    delta : float, default 0

    Examples
    --------
    It is what histograms with exact counts ask for.

    >>> from engine import NO_PROMISE, ShiftedHistogram
    >>> NO_PROMISE.epsilon, ShiftedHistogram.is_private
    (inf, False)
    """

    epsilon: float = math.inf

    def __post_init__(self) -> None:
        """Accept what no other promise may be."""


NO_PROMISE = NoPromise()


def compose(parts: Iterable[Privacy]) -> Privacy:
    """Return what several releases on the same data cost together (basic composition).

    Source: Nissim, Stemmer, Vadhan 2016, Theorem 2.1.
    """
    spent = tuple(parts)
    if NO_PROMISE in spent:
        return NO_PROMISE
    return Privacy(math.fsum(part.epsilon for part in spent), math.fsum(part.delta for part in spent))

"""Noise that a public rule chooses: family, shape and sliding share follow from the budget alone.

Under the model S*_beta = c / beta^p the median error of a release is ``c m / (alpha beta^p)`` with m the
median of |Z|: a function of the pair alone.  p, the decline, says how fast S* falls: 1 for order statistics
of data without heaps, 0 where S* is the same for every beta.
"""

from __future__ import annotations

import csv
import dataclasses
import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, NamedTuple

from engine.noise.base import Admissible, Noise, NoiseChoice, check_bounds
from engine.noise.lcp import LaplacePareto
from engine.noise.power_laplace import PowerLaplace
from engine.noise.power_tail import GeneralizedCauchy, StudentT
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.resources import resource
from engine.sampling.exactness import PUBLIC

SHARES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of epsilon that are tried for sliding."""

PURE: tuple[Noise, ...] = (
    PowerLaplace(g=2.2),
    LaplacePareto(g=2.2),
    StudentT(nu=2.2),
    GeneralizedCauchy(gamma=3.2),
)
"""Of the families for delta = 0 the shape with the heaviest tails that have a variance, with some room."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """A family with its shape, and the share of epsilon for sliding."""

    noise: Noise
    split: float
    error: float  # The median error of a release in units of c, where S* = c / beta^p


MEDIANS: Mapping[Noise, float] = {
    StudentT(nu=2.2): 0.8019900942112833,
    GeneralizedCauchy(gamma=3.2): 0.6186897715180883,
}
"""Medians of |Z| of shapes that every choice tries; computing each needs a special function of scipy."""


def median_error(noise: Noise, pair: Admissible, decline: float) -> float:
    """Return the median error in units of c, where S* = c / beta^decline."""
    error: float = _median(noise) / (pair.alpha * pair.beta**decline)
    return error


@functools.lru_cache(maxsize=256)
def _median(noise: Noise) -> float:
    """Return the median of |Z|."""
    return MEDIANS.get(noise) or float(noise.quantile(0.75))


def least(
    shapes: Iterable[Noise], privacy: Privacy, declines: Iterable[float], shares: Iterable[float] = SHARES
) -> dict[float, Choice]:
    """Return the best shape and share of a family, for each decline."""
    tried = [(noise, share, noise.admissible(privacy, split=share)) for noise in shapes for share in shares]
    return {
        decline: min(
            (Choice(noise, share, median_error(noise, pair, decline)) for noise, share, pair in tried),
            key=lambda choice: choice.error,
        )
        for decline in declines
    }


DECLINES = (0.0, 0.5, 1.0)
"""The exponents p of the public model S* = c / beta^p."""

TAILS = {0.0: 20.0, 0.5: 4.0, 1.0: 2.2}
"""Tail exponent of power-law Laplace by decline: where S* hardly falls, a small beta costs nothing."""

TABLE = resource("noise", "choices.csv")
"""The best shape and share of each family that needs delta; `packaging/noise_choices.py` writes it."""


class Automatic(NoiseChoice):
    """The noise with the least median error under a public model of the smooth sensitivity.

    A release has the median error ``S* m / alpha``, with m the median of |Z|.  How fast S* falls as beta
    grows depends on the data, so the rule assumes S* = c / beta^p.  The query gives p: 1 for order
    statistics, 1/2 for sums and graphs, 0 for the mean.  It tries shapes with a finite variance and several
    shares of epsilon for sliding, and takes the least error.  The choice uses epsilon, delta and the query
    only, so it costs nothing.  The model affects the error, never the guarantee.

    Examples
    --------
    >>> from engine import Privacy
    >>> Automatic().chosen(Privacy(1.0))
    (PowerLaplace(g=2.2), 0.5)
    >>> Automatic().chosen(Privacy(1.0, 1e-6))
    (PowerLaplace(g=2.2), 0.5)
    """

    name: ClassVar[str] = "auto"
    label: ClassVar[str] = "Auto: least error"
    needs_delta: ClassVar[bool] = False
    summary: ClassVar[str] = "the family, shape and share with the least median error, by a public rule"
    source: ClassVar[str] = "the rule is derived here"
    exact_because: ClassVar[str] = PUBLIC

    def chosen(
        self, privacy: Privacy, split: float = 0.5, *, decline: float = 1.0, dimension: int = 1
    ) -> tuple[Noise, float]:
        """Return the best family with its shape, and its share; in more dimensions, one for delta = 0."""
        check_bounds(privacy, dimension)
        if dimension > 1:
            return self.usual(), split
        best = noise_choices(privacy, decline)[0]
        return best.noise, best.split

    def usual(self) -> Noise:
        """Return the best family for delta = 0: power-law Laplace with g = 2.2."""
        return PURE[0]

    def check(
        self, privacy: Privacy, dimension: int = 1, *, constants: str = "tight", split: float = 0.5
    ) -> None:
        noise, share = self.chosen(privacy, split, dimension=dimension)
        noise.check(privacy, dimension, constants=constants, split=share)


def noise_choices(privacy: PrivacyLike, decline: float = 1.0) -> tuple[Choice, ...]:
    """Return every family that can give a privacy, at its best, the one with the least median error first.

    Of families that need delta, error and share are interpolated in a table, within some percent; the
    shape is that of the nearest entry.
    """
    return _choices(as_privacy(privacy), decline)


@functools.lru_cache(maxsize=256)
def _choices(privacy: Privacy, decline: float) -> tuple[Choice, ...]:
    check_bounds(privacy, 1)
    # a sum of a steps for sliding and b for dilation is spent best at 1 : p
    share = min(round(1 / (1 + decline), 3), SHARES[-1])
    pure = (PowerLaplace(g=_tail(privacy, decline)), *PURE[1:])
    results = [least((noise,), privacy, (decline,), (share,))[decline] for noise in pure]
    results.extend(_interpolate(privacy, decline))
    return tuple(sorted(results, key=lambda choice: choice.error))


def _tail(privacy: Privacy, decline: float) -> float:
    """Return the tail exponent of power-law Laplace.

    The S* of sums and graphs falls nearly like that of ranks for a small beta, and is at the local
    sensitivity for a large one: from epsilon 0 to 1 it goes from the one tail to the other.
    """
    steep, flat = TAILS[1.0], TAILS[decline]
    if decline != 0.5:
        return flat
    return round(steep + (flat - steep) * min(privacy.epsilon, 1.0), 2)


def _interpolate(privacy: Privacy, decline: float) -> Iterator[Choice]:
    """Yield the families that need delta; none for a delta below the table, or an epsilon above it."""
    if not privacy.delta:
        return
    epsilons, deltas, entries = _table()
    if privacy.delta < deltas[0] or privacy.epsilon > epsilons[-1]:
        return
    corners = {
        (epsilon, delta): part * other
        for epsilon, part in _between(privacy.epsilon, epsilons).items()
        for delta, other in _between(privacy.delta, deltas).items()
    }
    # below the table errors are taken to rise like those of pure noise
    beyond = (max(privacy.epsilon, epsilons[0]) / privacy.epsilon) ** (1 + decline)
    for name in dict.fromkeys(family for _, _, _, family in entries):
        near = {corner: entries[(*corner, decline, name)] for corner in corners}
        shape = near[max(corners, key=corners.__getitem__)].shape
        alike = [corner for corner in corners if near[corner].shape == shape]
        share = sum(corners[one] * near[one].share for one in alike) / sum(corners[one] for one in alike)
        log_error = sum(part * math.log(near[corner].error) for corner, part in corners.items())
        family = Noise.registry[name]
        declared = family.parameters()
        noise = family(**{declared[0].name: shape}) if declared else family()
        yield Choice(noise, round(share, 3), beyond * math.exp(log_error))


def _between(value: float, known: tuple[float, ...]) -> dict[float, float]:
    """Return between which known numbers a value lies, with the share of each, in logarithms."""
    if value <= known[0] or value >= known[-1]:
        return {known[0] if value <= known[0] else known[-1]: 1.0}
    above = next(index for index, one in enumerate(known) if one >= value)
    low, high = known[above - 1], known[above]
    part = math.log(value / low) / math.log(high / low)
    return {low: 1 - part, high: part}


class Entry(NamedTuple):
    """The best shape and share of a family, and its error; the shape is 0 where there is only one."""

    shape: float
    share: float
    error: float


Key = tuple[float, float, float, str]
"""Epsilon, delta, decline and family."""


@functools.cache
def _table() -> tuple[tuple[float, ...], tuple[float, ...], dict[Key, Entry]]:
    """Return the epsilons, the deltas, and shape, share and error at each, by decline and family."""
    entries: dict[Key, Entry] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = (float(row["epsilon"]), float(row["delta"]), float(row["decline"]), row["family"])
            entries[key] = Entry(float(row["shape"] or 0), float(row["split"]), float(row["error"]))
    epsilons, deltas = sorted({key[0] for key in entries}), sorted({key[1] for key in entries})
    return tuple(epsilons), tuple(deltas), entries

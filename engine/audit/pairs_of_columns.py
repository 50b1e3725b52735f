"""Worst cases for queries of one number on a column."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats
from engine.audit.pairs import Pair, default_smoothness, fitting, smoothness
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import ProposeTestRelease, ScalarMechanism, SmoothRelease
from engine.privacy import Privacy
from engine.queries import Count, OrderStatistic
from engine.queries.base import Query

RECORDS = 101
"""Number of records of a synthetic column, if the mechanism accepts so few."""

LOG_GAP_GROWTH = 20.0
"""Logarithm of the growth of gaps."""

RARE_GAP_SHARE = 0.05
"""Share of the range below the middle one of three groups: values from the gap below it are this rare."""


def pairs_of_columns(
    mechanism: ScalarMechanism, domain: Interval, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbouring columns with few records; the first ones reveal most mistakes."""
    query, n = mechanism.query, fitting(mechanism, domain, most, RECORDS, privacy)
    tipping = _tipping(query, domain, n)
    pairs = [
        Pair(
            "zeros-and-tops",
            "Half at each bound",
            "half the values are at each bound, so one record tips the answer",
            *_two_heaps(domain, n, tipping),
        ),
        Pair(
            "one-moved",
            "All equal, one moved",
            "all values are at the lower bound, and one moves to the upper bound",
            *_two_heaps(domain, n, (n, n - 1)),
        ),
    ]
    jump = _jump(query, domain, n)
    if jump is not None:
        pairs.append(
            Pair(
                "before-the-jump",
                "One step before the jump",
                "the answer is the same on both, but only on one of them can the next record change it",
                *_two_heaps(domain, n, jump),
            )
        )
    if isinstance(query, OrderStatistic) and n >= 5:
        rank = int(np.ceil(query.records_below(n)))
        pairs += [
            three_heaps(domain, n, rank),
            _ruler(domain, n, rank),
            _growing(domain, n, rank, _beta(mechanism, privacy)),
        ]
    if isinstance(mechanism, ProposeTestRelease):
        pairs += _at_the_test(mechanism, domain, n, privacy)
    return tuple(pairs)


def pairs_of_counts(
    mechanism: ScalarMechanism, domain: Interval, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbouring columns with few records; one record counts on only one of them."""
    query, n = mechanism.query, fitting(mechanism, domain, most, RECORDS, privacy)
    assert isinstance(query, Count)
    ends = query.example_values(domain)
    return (
        Pair(
            "zeros-and-tops",
            "Half of them count",
            "half of the values satisfy the condition, and one more begins to",
            *_two_heaps(domain, n, (n - n // 2, n - n // 2 - 1), ends),
        ),
        Pair(
            "one-moved",
            "None counts, then one",
            "no value satisfies the condition, and one begins to",
            *_two_heaps(domain, n, (n, n - 1), ends),
        ),
    )


def _beta(mechanism: ScalarMechanism, privacy: Privacy) -> float:
    """Return the smoothness for which one of the pairs is the worst case."""
    if isinstance(mechanism, SmoothRelease):
        used = mechanism.calibrate(privacy)
        return smoothness(used.noise, used.privacy, constants=used.constants, split=used.split)
    return default_smoothness(privacy)


def _at_the_test(
    mechanism: ProposeTestRelease, domain: Interval, n: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbours with the largest difference in passing a test, if it can pass."""
    if mechanism.problems(privacy, domain, n):
        return ()
    ready = (mechanism.prepare(_heaps(domain, n, low), privacy) for low in range(n + 1))
    steps = np.abs(np.diff([one.diagnostics["answer_probability"] for one in ready]))
    if not steps.any():
        return ()
    low = _middle(steps)
    return (
        Pair(
            "at-the-test",
            "At the limit of the test",
            "the tested distance is near its limit, and one record more decides whether to answer",
            *_two_heaps(domain, n, (low, low + 1)),
        ),
    )


def three_heaps(domain: Interval, n: int, rank: int) -> Pair:
    """Return a pair on which an element drawn by rank comes from another gap."""
    low = min(max(1, rank - 2), n - 3)
    values = np.full(n, domain.upper, dtype=np.float64)
    values[:low], values[low : low + 3] = domain.lower, domain.lower + RARE_GAP_SHARE * domain.width
    data = Sample(values, domain)
    return Pair(
        "three-heaps",
        "Three groups",
        "the values form three groups; one that moves from the lowest to the highest moves a "
        "rare gap away from the target rank and a common one towards it",
        data,
        data.replaced(0, domain.upper),
    )


def _ruler(domain: Interval, n: int, rank: int) -> Pair:
    """Return a pair on which one record joins two gaps to one."""
    data = Sample(domain.lower + domain.width * np.arange(1, n + 1) / (n + 1), domain)
    # the record above the target rank, or the one below if there is none
    above = rank < n
    return Pair(
        "ruler",
        "Ruler",
        "the values are equally spaced; removing one joins two gaps to one",
        data,
        data.replaced(rank if above else rank - 2, domain.upper if above else domain.lower),
    )


def _growing(domain: Interval, n: int, rank: int, beta: float) -> Pair:
    """Return a pair on which S* changes by e^beta, and the answer by S* itself.

    There is nothing between one bound and the target rank.  The values beyond are spaced so that A^(k) =
    e^(beta k) A^(0) for all k up to the number of records, and every k determines S*.  S* starts well above
    the smallest scale of noise.
    """
    beyond = n - rank if rank <= n / 2 + 1 else rank - 1
    shares = np.zeros(n)
    reach = min(beyond, int(LOG_GAP_GROWTH / beta))
    shares[n - beyond :] = np.exp(np.minimum(beta * (np.arange(beyond) - reach), 0))
    if rank <= n / 2 + 1:
        data = Sample(domain.lower + domain.width * shares, domain)
        neighbour = data.replaced(0, domain.upper)
    else:
        data = Sample(domain.upper - domain.width * shares, domain)
        neighbour = data.replaced(0, domain.lower)
    return Pair(
        "growing-gaps",
        "Gaps that grow",
        "gaps grow with the distance from the answer, so that answer and noise change together "
        "as much as allowed",
        data,
        neighbour,
    )


def _two_heaps(
    domain: Interval, n: int, lows: tuple[int, int], ends: tuple[float, float] | None = None
) -> tuple[Sample, Sample]:
    return _heaps(domain, n, lows[0], ends), _heaps(domain, n, lows[1], ends)


def _heaps(domain: Interval, n: int, low: int, ends: tuple[float, float] | None = None) -> Sample:
    """Return `low` values at the lower bound, and all others at the upper one, or at other `ends`."""
    first, second = ends or (domain.lower, domain.upper)
    return Sample(np.where(np.arange(n) < low, first, second), domain)


def _tipping(query: Query[Sample], domain: Interval, n: int) -> tuple[int, int]:
    """Return two neighbouring numbers of low values for which the answers differ most; of several, the
    middle.
    """
    answers = np.array([query.value(_heaps(domain, n, low)) for low in range(n + 1)])
    low = _middle(np.abs(np.diff(answers)))
    return low, low + 1


def _jump(query: Query[Sample], domain: Interval, n: int) -> tuple[int, int] | None:
    """Return the neighbours whose local sensitivities differ most, the smaller number first."""
    local = np.array([query.local_sensitivity(_heaps(domain, n, low)) for low in range(n + 1)])
    steps = np.diff(local)
    if not steps.any():
        return None
    low = _middle(np.abs(steps))
    return (low, low + 1) if steps[low] > 0 else (low + 1, low)


def _middle(sizes: Floats) -> int:
    """Return the index of the largest number; of several, the one in the middle."""
    largest = np.flatnonzero(sizes >= sizes.max() * (1 - 1e-9))
    return int(largest[len(largest) // 2])

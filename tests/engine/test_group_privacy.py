"""What a release promises to several records together: by exact divergence, and against a mistake."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from engine.errors import ParameterError
from engine.privacy import NO_PROMISE, Privacy


def divergence(p, q, epsilon):
    """Return the least delta of two distributions for an epsilon, in both orders."""
    return max(math.fsum(np.maximum(a - math.exp(epsilon) * b, 0)) for a, b in ((p, q), (q, p)))


def farthest_chain(epsilon, delta, size):
    """Return Pr[yes] of the databases on a path, the first 0, each as far from the last one as it may be."""
    chain = [0.0]
    for _ in range(size):
        chain.append(
            min(math.exp(epsilon) * chain[-1] + delta, 1 - math.exp(-epsilon) * (1 - chain[-1] - delta))
        )
    return [np.array([p, 1 - p]) for p in chain]


@pytest.mark.parametrize(
    ("epsilon", "delta", "size"),
    [(1.0, 1e-6, 2), (1.0, 1e-6, 7), (0.1, 1e-3, 10), (3.0, 1e-9, 4), (1e-9, 1e-3, 50)],
)
def test_no_smaller_delta_would_hold(epsilon, delta, size):
    """A mechanism with two outcomes needs all of it, and is private as a promise to one."""
    chain = farthest_chain(epsilon, delta, size)
    for p, q in itertools.pairwise(chain):
        assert divergence(p, q, epsilon) <= delta * (1 + 1e-9)
    group = Privacy(epsilon, delta).for_group(size)
    needed = divergence(chain[0], chain[-1], group.epsilon)
    assert needed <= group.delta
    assert needed == pytest.approx(group.delta, rel=1e-6)
    # planted: delta taken as often as there are records is what is often written, and is not enough
    if epsilon > 0.05:
        assert needed > 1.1 * size * delta


def test_any_chain_of_distributions_keeps_the_promise():
    """The least delta between neighbours bounds the exact one between the ends."""
    rng = np.random.default_rng(21)
    tight = 0.0
    for epsilon, size in itertools.product((0.05, 0.3, 1.0), (2, 3, 5)):
        for _ in range(60):
            chain = rng.dirichlet(np.full(4, 40.0), size + 1)
            delta = max(divergence(p, q, epsilon) for p, q in itertools.pairwise(chain))
            if delta:
                group = Privacy(epsilon, delta).for_group(size)
                needed = divergence(chain[0], chain[-1], size * epsilon)
                assert group is NO_PROMISE or needed <= group.delta
                tight = max(tight, needed / group.delta if group.delta else 0)
    assert tight > 0.3


def test_a_pure_promise_by_enumeration():
    """Randomized response on three records: every pair of databases, all outcomes."""
    keep = math.exp(1) / (1 + math.exp(1))
    bits = list(itertools.product((0, 1), repeat=3))

    def law(database):
        chances = [[keep if a == b else 1 - keep for a, b in zip(database, out, strict=True)] for out in bits]
        return np.array([functools.reduce(float.__mul__, chance) for chance in chances])

    for x, y in itertools.combinations(bits, 2):
        differ = sum(a != b for a, b in zip(x, y, strict=True))
        loss = np.max(np.abs(np.log(law(x) / law(y))))
        assert loss == pytest.approx(Privacy(1.0).for_group(differ).epsilon)


def test_it_is_rounded_up_and_below_the_bound_in_print():
    for epsilon, size in itertools.product((0.1, 0.7, 1 / 3, 5.0), (2, 3, 7, 11)):
        group = Privacy(epsilon, 1e-30).for_group(size)
        assert Fraction(group.epsilon) >= size * Fraction(epsilon)
        exact = Fraction(1e-30) * sum(Fraction(math.exp(epsilon)) ** i for i in range(size))
        assert exact * (1 - Fraction(1e-14)) <= Fraction(group.delta) <= exact * (1 + Fraction(1e-9))
        assert group.delta <= size * math.exp((size - 1) * epsilon) * 1e-30


def test_the_smallest_delta_there_is_grows_too():
    assert Fraction(Privacy(1.0, 5e-324).for_group(2).delta) >= Fraction(5e-324) * (1 + Fraction(math.e))


def test_one_record_is_the_promise_itself():
    assert Privacy(0.3, 1e-6).for_group(1) == Privacy(0.3, 1e-6)


def test_too_many_records_are_promised_nothing():
    assert Privacy(100.0, 1e-6).for_group(10**9) is NO_PROMISE
    assert NO_PROMISE.for_group(5) is NO_PROMISE
    assert Privacy(1e308).for_group(2) is NO_PROMISE
    assert Privacy(100.0).for_group(10**9).epsilon == 1e11


@pytest.mark.parametrize("size", [0, -1, 10**9 + 1])
def test_sizes_that_make_no_sense(size):
    with pytest.raises(ParameterError, match="group"):
        Privacy(1.0).for_group(size)

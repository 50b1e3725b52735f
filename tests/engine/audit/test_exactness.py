"""Exactness is a claim: what makes it stands the attack on the low bits, and what does not is inexact.

Real releases have no seed: what is exact is called violated with probability 1e-6 at each of 80 attacks.
"""

import dataclasses
import pkgutil
from fractions import Fraction
from importlib import import_module
from typing import ClassVar

import numpy as np
import pytest
from every_mechanism import PRIVACY, data_for, every_mechanism, every_part, neighbour_of

import engine
from engine import SyntheticPoints
from engine.aggregation.functions import FUNCTIONS, MeanFunction
from engine.audit import Pair, check_grid, low_bits_run
from engine.components import Component
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.mechanisms import LaplaceRelease, NoisyAverage, Planted, SampleAggregate, SmoothRelease
from engine.mechanisms.aggregators import Average
from engine.mechanisms.facts import facts_of
from engine.mechanisms.release import Release
from engine.noise import StudentT
from engine.queries import QUERIES, Mean, Median
from engine.randomness import public_generator
from engine.sampling.exactness import APART, FRACTIONS, ROUNDED

CASES = [one for one in [*every_mechanism(), *every_part()] if one.facts.is_private and not one.inexact]
SLOW = {"privtree", "clusters", "mixture"}
SLOW_PARTS = {"k-means", "gaussian-mixture", "with-replacement", "smallest-ball"}

NO_LOW_BITS = {
    # centers that follow from noisy numbers, or lie on a coarse grid
    *("k-means-on-cells", "lloyd", "coinpress", "k-balls", "growing-box", "stable-cell"),
    # numbers that follow from noisy ones
    *("cluster-cost", "histogram-tree", "covariance", "sorted-histogram", "randomized-response"),
    # one of finitely many things
    *("metric-median", "synthetic", "scored-choice", "mode"),
}
"""Of which no number is one with noise on it; exact laws of them are in `tests/engine/mechanisms`."""


def parts_of(component):
    yield component
    for declared in component.parameters():
        if declared.is_component and getattr(component, declared.name) is not None:
            yield from parts_of(getattr(component, declared.name))


def names(mechanism):
    return {part.name for part in parts_of(mechanism)}


def slow(mechanism):
    return mechanism.name in SLOW or bool(names(mechanism) & SLOW_PARTS)


def attacked(mechanism):
    data = data_for(mechanism)
    return low_bits_run(mechanism, Pair("", "", "", data, neighbour_of(data)), PRIVACY, runs=1000).result


@pytest.mark.parametrize(
    "mechanism",
    [
        pytest.param(case, id=f"{case.name}-{place}", marks=pytest.mark.slow if slow(case) else ())
        for place, case in enumerate(CASES)
        if case.name not in NO_LOW_BITS
    ],
)
def test_all_that_claims_to_be_exact_stands_the_attack(mechanism):
    result = attacked(mechanism)
    assert result.verdict == "consistent", result.describe()
    assert not np.isnan(result.step).all()
    assert result.same_grid


@pytest.mark.parametrize(
    "mechanism", [case for case in CASES if case.name in NO_LOW_BITS], ids=lambda one: one.name
)
def test_what_has_no_low_bits_states_the_same_step_for_neighbours_and_keeps_it(mechanism):
    data = data_for(mechanism)
    with pytest.raises(ParameterError, match="low bits cannot be tested"):
        check_grid(mechanism, Pair("", "", "", data, data), PRIVACY)
    releases = [mechanism.run(one, PRIVACY) for one in (data, neighbour_of(data)) for _ in range(5)]
    assert all(release.exact for release in releases)
    assert len({str(release.step) for release in releases}) == 1
    if mechanism.name in ("k-means-on-cells", "lloyd", "coinpress", "cluster-cost"):
        for release in releases:
            numbers = np.ravel(release.value)
            steps = np.resize(release.step, numbers.size)
            on_grid = [
                Fraction(one) / Fraction(by) for one, by in zip(numbers.tolist(), steps.tolist(), strict=True)
            ]
            assert all(index.denominator == 1 for index in on_grid)


def all_of(kind):
    for one in kind.__subclasses__():
        yield one
        yield from all_of(one)


def test_every_claim_is_attacked():
    """A part is walked with what it is in; functions from files are apart by their processes."""
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.startswith(
            ("engine.adapters", "engine.extras.sandbox.worker", "engine.extras.sandbox")
        ):
            import_module(module.name)
    claiming = {
        one for one in all_of(Component) if one.__module__.startswith("engine.") and one.exact_because
    }
    walked = {type(part) for case in CASES for part in parts_of(case)}
    assert claiming - walked == {BlackBox}
    assert walked - claiming == set()
    for family in {one.family for one in claiming}:
        registry = next(one.registry for one in claiming if one.family == family)
        assert claiming >= {
            one
            for one in registry.values()
            if one.__module__.startswith("engine.")
            and not issubclass(one, Planted)
            and facts_of(one).is_private
            and ".libraries." not in one.__module__
        }


# Components of others.


@dataclasses.dataclass(frozen=True)
class MeanInDoubles(Mean):
    """A query that rounds."""

    name: ClassVar[str] = "mean-in-doubles"
    label: ClassVar[str] = "Mean in doubles"

    def exact_value(self, data):
        return Fraction(float(data.values.mean()))


@dataclasses.dataclass(frozen=True)
class Renamed(LaplaceRelease):
    """Nothing but a name is changed."""

    name: ClassVar[str] = "renamed"
    label: ClassVar[str] = "Renamed"


@dataclasses.dataclass(frozen=True)
class Broad(StudentT):
    label: ClassVar[str] = "Broad"


@dataclasses.dataclass(frozen=True)
class Pool(Average):
    label: ClassVar[str] = "Pool"


@dataclasses.dataclass(frozen=True)
class Halfway(MeanFunction):
    label: ClassVar[str] = "Halfway"


@pytest.mark.parametrize(
    ("mechanism", "label"),
    [
        (Renamed(query=Mean()), "Renamed"),
        (LaplaceRelease(query=MeanInDoubles()), "Mean in doubles"),
        (SmoothRelease(noise=Broad()), "Broad"),
        (SampleAggregate(aggregator=Pool()), "Pool"),
        (SampleAggregate(block_function=Halfway()), "Halfway"),
    ],
)
def test_whatever_is_new_is_inexact_until_it_says_why_it_is_not(mechanism, label):
    assert mechanism.inexact == f"{label} has not been shown to be exact"
    assert not mechanism.run(data_for(mechanism), PRIVACY).exact


def test_a_claim_is_made_by_each_class_for_itself():
    claiming = dataclasses.dataclass(frozen=True)(
        type(
            "Claiming",
            (Renamed,),
            {"exact_because": ROUNDED, "__annotations__": {"exact_because": ClassVar[str]}},
        )
    )
    assert not claiming(query=Mean()).inexact
    assert type("Next", (claiming,), {})(query=Mean()).inexact
    assert claiming(query=MeanInDoubles()).inexact == "Mean in doubles has not been shown to be exact"


def test_a_release_is_no_more_exact_than_its_mechanism():
    class Boasting(Renamed):
        def release(self, prepared, data, privacy, rng, progress=None):
            return dataclasses.replace(super().release(prepared, data, privacy, rng), exact=True)

    data = Sample([1.0, 2.0, 4.0], Interval(0, 10))
    assert not Boasting(query=Mean()).run(data, 1.0).exact
    assert LaplaceRelease(query=Mean()).run(data, 1.0).exact
    [default] = [field.default for field in dataclasses.fields(Release) if field.name == "exact"]
    assert default is False
    assert SyntheticPoints(bins=2, size=3, sampler="metropolis", steps=10).inexact


# Liars are caught.


def test_a_mechanism_that_lies_is_caught_by_the_attack():
    class Liar(NoisyAverage):
        exact_because: ClassVar[str] = ROUNDED

        def prepare(self, data, privacy, progress=None):
            ready = super().prepare(data, privacy)
            kind = type("InDoubles", (type(ready),), {"draw": _in_doubles})
            return kind(**{field.name: getattr(ready, field.name) for field in dataclasses.fields(ready)})

    assert not Liar().inexact
    result = attacked(Liar())
    assert result.verdict == "violated"
    assert result.off_grid > 0.9


def _in_doubles(self, rng, size, progress=None):
    return self.center + self.scale * public_generator(rng).laplace(size=(size, self.center.size))


def exceeding(query, pairs):
    """Return how many neighbours are farther apart than the global sensitivity, in exact arithmetic."""
    return sum(
        abs(query.exact_value(first) - query.exact_value(second))
        > query.exact_global_sensitivity(first.domain, first.n)
        for first, second in pairs
    )


def awkward_pairs(n=7, count=300):
    """Columns of numbers that are no sums of few powers of two; a record goes from one bound to the other."""
    rng = np.random.default_rng(11)
    for lower, upper in ((0.1, 0.7), (0.0, 0.3)) * (count // 2):
        values = rng.uniform(lower, upper, n)
        values[0] = lower
        first = Sample(values, Interval(lower, upper))
        yield first, first.replaced(0, upper)


def test_values_of_queries_are_never_farther_apart_than_they_state():
    """With no rounding on either side; in doubles a mean is, about every second time."""
    pairs = list(awkward_pairs())
    columns = [kind() for kind in QUERIES.values() if kind.reads == "column"]
    assert [query.name for query in columns if exceeding(query, pairs)] == []
    assert all(query.exact_because == FRACTIONS for query in columns)
    assert exceeding(MeanInDoubles(), pairs) > 50


def apart(function, blocks, seeds):
    """Tell whether each block gives the same, bit for bit, whichever others are beside it."""
    together = function.apply(blocks, seeds)
    alone = [function.apply(blocks[[at]], seeds[[at]])[0] for at in range(len(blocks))]
    others = function.apply(blocks[::-1].copy(), seeds[::-1].copy())[::-1]
    return np.array_equal(together, alone, equal_nan=True) and np.array_equal(
        together, others, equal_nan=True
    )


@dataclasses.dataclass(frozen=True)
class Whispering(MeanFunction):
    """A block hears of the others."""

    name: ClassVar[str] = "whispering"

    def apply(self, blocks, seeds):
        return super().apply(blocks, seeds) * (1 + 1e-15 * len(blocks))


def test_outputs_of_blocks_say_nothing_of_other_blocks():
    rng = np.random.default_rng(12)
    domain = Box.of([0.0, 0.0], [1.0, 1.0])
    for kind in FUNCTIONS.values():
        if kind is BlackBox:
            continue
        function = kind()
        assert function.exact_because == APART
        assert function.problem(domain) is None
        for size in {function.smallest_block(domain), 23}:
            blocks = np.clip(rng.normal(0.5, 0.3, (17, size, 2)), 0, 1)
            assert apart(function, blocks, rng.integers(0, 1 << 62, 17)), kind.name
    assert not apart(Whispering(), blocks, np.arange(17))


def test_points_and_medians_are_exact_as_they_were():
    assert Median().inexact == Mean().inexact == ""
    data = Points(np.full((20, 2), 0.3), Box.of([0.0, 0.0], [1.0, 1.0]))
    assert NoisyAverage().run(data, 1.0).exact

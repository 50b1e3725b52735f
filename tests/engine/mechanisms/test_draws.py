"""What mechanisms draw: the distribution they state, and nothing private beside it."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scalar_methods import DATA, METHODS, PRIVACY
from scipy.special import kolmogorov

from engine import NumberDraws, Private, WinsorizedMean, catalog
from engine.catalog import methods
from engine.data.graph import SimpleGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError, SensiscopeError
from engine.extras.frontier.inverse_sensitivity import InverseSensitivity
from engine.extras.frontier.ladder import Ladder
from engine.extras.libraries.library import Peer
from engine.mechanisms import (
    ExponentialRelease,
    GaussianRelease,
    LaplaceRelease,
    ProposeTestRelease,
    SmoothRelease,
)
from engine.noise import Gaussian, Laplace
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.queries import Maximum, Mean, Median, Minimum, Quantile, TriangleCount, TrimmedMean
from engine.randomness import reproducible
from engine.simulation import simulate


def test_every_method_is_here():
    others = {name for name, kind in methods().items() if issubclass(kind, Peer)}
    elsewhere = {
        "auto",
        "log-scale",
        "ladder",
        "lipschitz-extension",
        *others,
    }  # which are for other queries, or draw by themselves
    assert {method.name for method in METHODS} | elsewhere == set(methods())


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
def test_draws_follow_the_stated_distribution(mechanism):
    """Quantiles of 40,000 draws: Kolmogorov-Smirnov at a false-alarm probability of 1e-7 each."""
    result = simulate(mechanism, DATA, PRIVACY, runs=40_000, seed=11)
    values = np.sort(result.values[~np.isnan(result.values)])
    p = np.linspace(0.0005, 0.9995, 2000)
    empirical = np.searchsorted(values, result.prepared.quantile(p), side="right") / values.size
    assert kolmogorov(np.max(np.abs(empirical - p)) * math.sqrt(values.size)) > 1e-7


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
def test_densities_belong_to_the_quantiles(mechanism):
    ready = mechanism.prepare(DATA, PRIVACY)
    edges = ready.quantile(np.linspace(0.02, 0.98, 49))
    grid = np.unique(np.linspace(edges[:-1], edges[1:], 2001))
    density = ready.density((grid[1:] + grid[:-1]) / 2)
    assert np.sum(density * np.diff(grid)) == pytest.approx(0.96, rel=2e-3)


def test_a_release_uses_system_entropy_and_a_seed_makes_a_simulation():
    mechanism = SmoothRelease()
    first, second = (mechanism.run(DATA, Privacy(1.0)) for _ in range(2))
    assert first.value != second.value
    assert not first.simulated
    one, two = (mechanism.run(DATA, Privacy(1.0), reproducible(3)) for _ in range(2))
    assert one.value == two.value
    assert one.simulated


def test_a_release_says_all_that_is_public_and_hides_the_rest():
    release = SmoothRelease().run(DATA, Privacy(0.5))
    assert (release.mechanism, release.query, release.neighbours) == ("smooth", "median", "replace-one")
    assert release.noise["family"] == "power-laplace"
    noise = release.noise
    assert noise["alpha"] == pytest.approx(noise["g"] * noise["beta"]) == 0.5
    assert release.error is None
    assert set(release.diagnostics) == {"true_value", "local", "smooth", "global", "scale", "argmax_k"}
    assert str(release.diagnostics["true_value"]) not in repr(release)
    with pytest.raises(TypeError):
        json.dumps(release.diagnostics)


def test_errors_are_stated_where_they_are_public():
    for mechanism in (LaplaceRelease(clamp="none"), GaussianRelease(clamp="none")):
        result = simulate(mechanism, DATA, PRIVACY, runs=100_000, seed=1)
        assert np.mean(result.errors <= result.prepared.error) == pytest.approx(0.95, abs=0.005)


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
def test_what_is_public_does_not_depend_on_the_data(mechanism):
    others = Sample(np.linspace(1.0, 19.0, DATA.n), DATA.domain)
    one, other = (mechanism.run(data, PRIVACY, reproducible(1)) for data in (DATA, others))
    for name in ("mechanism", "query", "privacy", "noise", "parameters", "error", "simulated"):
        assert getattr(one, name) == getattr(other, name), name


@pytest.mark.parametrize(
    "query", [Median(), Median(even="average"), Quantile(q=0.2), Minimum(), Maximum()], ids=repr
)
@pytest.mark.parametrize("n", [10, 11])
def test_the_exponential_mechanism_seeks_the_right_rank(query, n):
    """For a large epsilon the value lies in a gap next to the one that is sought."""
    data = Sample(np.arange(1.0, n + 1), Interval(0.0, n + 1.0))
    values = simulate(ExponentialRelease(query=query), data, Privacy(90.0), runs=2000, seed=1).values
    assert np.all(np.abs(values - query.value(data)) <= 1.0)
    assert np.mean(values) == pytest.approx(query.value(data), abs=0.1)


def test_a_simulation_never_repeats_itself():
    values = simulate(SmoothRelease(clamp="none"), DATA, Privacy(1.0), runs=30_000, seed=1).values
    assert np.unique(values).size == values.size


def test_what_is_private_does_not_show_in_a_representation():
    truth = repr(float(DATA.ranks(251, 251)[0]))
    for mechanism in METHODS:
        result = simulate(mechanism, DATA, PRIVACY, runs=10, seed=1)
        for thing in (result, result.prepared, result.prepared.diagnostics, mechanism.run(DATA, PRIVACY)):
            assert truth not in repr(thing)


@pytest.mark.parametrize("method", sorted(methods()))
@pytest.mark.parametrize("epsilon", [1e-310, 1e308])
def test_an_epsilon_beyond_all_use_is_refused(method, epsilon):
    mechanism = catalog.mechanism(method, Median())
    (problem,) = mechanism.problems(Privacy(epsilon, 1e-6), DATA.domain, DATA.n)
    assert problem.field == "epsilon"


@pytest.mark.parametrize("query", [Median(even="average"), Mean(), TrimmedMean(), WinsorizedMean()], ids=repr)
def test_the_scale_is_never_below_the_exact_sensitivity(query):
    """Against exact arithmetic on fractions."""
    values = np.random.default_rng(1).normal(3.0, 2.0, 40)
    data = Sample(values, Interval(0.0, 20.0))
    ready = SmoothRelease(query=query).prepare(data, Privacy(1.0))
    x = [Fraction(v) for v in [0.0, *np.sort(data.values), 20.0]]
    if isinstance(query, WinsorizedMean):
        gain = 5 * (x[37] - x[5]) - 4 * (x[36] - x[6])
        loss = 5 * (x[36] - x[4]) - 4 * (x[35] - x[5])
        exact = max(gain, loss) / 40
    else:
        low, high = query.window(40)
        exact = max(x[high + 1] - x[low], x[high] - x[low - 1]) / (high - low + 1)
    assert Fraction(ready.scale) * Fraction(ready.noise["alpha"]) >= exact


def test_refusals_are_counted():
    sure = simulate(ProposeTestRelease(bound=19.0), DATA, PRIVACY, runs=1000, seed=2)
    assert sure.refused == 0
    never = simulate(ProposeTestRelease(bound=0.001), DATA, PRIVACY, runs=1000, seed=2)
    assert never.refused == 1000
    assert never.errors.size == 0
    release = ProposeTestRelease(bound=0.001).run(DATA, PRIVACY, reproducible(2))
    assert release.value is None
    for bound in (0.5, 0.6, 0.7):
        share = simulate(ProposeTestRelease(bound=bound), DATA, Privacy(1.0, 1e-4), runs=100_000, seed=2)
        stated = share.prepared.diagnostics["answer_probability"]
        # 5.2 standard deviations: a false alarm with probability 2e-7
        allowed = 5.2 * math.sqrt(stated * (1 - stated) / 100_000)
        assert 1 - share.refused / 100_000 == pytest.approx(stated, abs=allowed)


@pytest.mark.parametrize("mechanism", METHODS, ids=repr)
@pytest.mark.parametrize("values", [[3.0], [3.0, 4.0], [3.0] * 50, [-9.0] * 7, [99.0] * 8])
def test_tiny_equal_and_outside_data_work(mechanism, values):
    result = simulate(mechanism, Sample(values, Interval(0.0, 20.0)), PRIVACY, runs=200, seed=1)
    assert np.all(np.isfinite(result.values) | np.isnan(result.values))


def test_equal_data_still_get_noise():
    ready = SmoothRelease().prepare(Sample(np.full(2001, 5.0), Interval(0.0, 20.0)), Privacy(50.0))
    assert ready.scale > 0
    assert np.ptp(ready.draw(reproducible(1), 10)) > 0


@pytest.mark.parametrize(
    ("mechanism", "privacy", "field", "words"),
    [
        (SmoothRelease(noise=Gaussian()), Privacy(1.0), "delta", "above 0"),
        (SmoothRelease(noise=Laplace()), Privacy(1.0), "delta", "above 0"),
        (GaussianRelease(), Privacy(1.0), "delta", "Laplace"),
        (ExponentialRelease(query=Mean()), PRIVACY, "method", "rank"),
        (Ladder(query=Mean()), PRIVACY, "method", "use inverse sensitivity"),
        (InverseSensitivity(query=TriangleCount()), PRIVACY, "method", "use the ladder"),
        (Ladder(query=TriangleCount()), Privacy(1e-4), "epsilon", "at least 0.001"),
        (ProposeTestRelease(bound=1.0), Privacy(1.0), "delta", "above 0"),
        (ProposeTestRelease(bound=20.0), PRIVACY, "bound", "choose a smaller bound"),
    ],
)
def test_wrong_combinations_are_explained_before_and_refused(mechanism, privacy, field, words):
    (problem,) = mechanism.problems(privacy, DATA.domain, DATA.n)
    assert problem.field == field
    assert words in problem.message
    data = SimpleGraph([(0, 1)], n=5) if mechanism.reads == "simple-graph" else DATA
    with pytest.raises(ParameterError, match=words):
        mechanism.run(data, privacy)


def test_no_records_and_no_runs():
    assert SmoothRelease().problems(PRIVACY, DATA.domain, 0)[0].field == "n"
    with pytest.raises(ParameterError, match="runs"):
        simulate(SmoothRelease(), DATA, Privacy(1.0), runs=0, seed=1)


def test_a_simulation_can_be_cancelled():
    def impatient(fraction, message=""):
        if fraction > 0.6:
            raise Cancelled

    with pytest.raises(Cancelled):
        simulate(SmoothRelease(), DATA, Privacy(1.0), runs=100_000, seed=1, progress=impatient)


def test_quantiles_of_laplace_errors_are_those_of_an_exponential():
    data = Sample(np.arange(101.0), Interval(0, 100))
    ready = LaplaceRelease(query=Mean()).prepare(data, Privacy(0.5))
    scale = 100 / 101 / 0.5
    found = ready.error_quantiles([0.5, 0.95])
    # from 9,999 quantiles: off by at most 1e-4 of probability at 0.95, whose slope is scale / 0.05
    assert found == pytest.approx(scale * np.log([2, 20]), rel=2e-3)


def test_numbers_beside_their_grid_are_refused():
    grid = LaplaceRelease(query=Mean()).grid(Sample([7.0] * 10, Interval(0, 10)))
    draws = NumberDraws(lambda rng, size: np.full(size, 0.1), Private({"true_value": 0.1}), grid=grid)
    with pytest.raises(SensiscopeError, match=r"return `grid.snap\(values\)`"):
        draws.draw(reproducible(1), 2)
    snapped = NumberDraws(
        lambda rng, size: grid.snap(np.full(size, 0.1)), Private({"true_value": 0.1}), grid=grid
    )
    assert snapped.draw(reproducible(1), 2).shape == (2,)

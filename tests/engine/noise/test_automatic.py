"""The rule that chooses noise: from public facts alone, never much worse than what a search finds."""

import inspect

import pytest

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms import SmoothRelease
from engine.mechanisms.planted import LocalNoise
from engine.noise import (
    NOISE_CHOICES,
    NOISES,
    ArsinhNormal,
    Automatic,
    Laplace,
    Noise,
    PowerLaplace,
    noise_choices,
)
from engine.noise.automatic import DECLINES, MEDIANS, PURE, SHARES, TABLE, least, median_error
from engine.noise.certificate import certify
from engine.privacy import Privacy
from engine.queries import QUERIES, Mean, Median, Quantile, TrimmedMean
from engine.randomness import reproducible

DATA = Sample(range(1, 102), Interval(0, 1000))


@pytest.mark.parametrize(
    "privacy", [Privacy(0.1), Privacy(1.0), Privacy(1.0, 1e-6), Privacy(5.0, 1e-8)], ids=str
)
@pytest.mark.parametrize("decline", DECLINES)
def test_what_is_chosen_is_certified_and_has_the_error_that_is_stated(privacy, decline):
    noise, split = Automatic().chosen(privacy, decline=decline)
    pair = noise.admissible(privacy, split=split)
    assert certify(noise, pair.alpha, pair.beta, privacy).private
    best = noise_choices(privacy, decline)[0]
    assert (best.noise, best.split) == (noise, split)
    assert median_error(noise, pair, decline) == pytest.approx(best.error, rel=1e-3)


def test_the_table_is_what_a_search_finds():
    """At one entry, of two families; `packaging/noise_choices.py` makes all of it in the same way."""
    privacy, found = Privacy(1.0, 1e-6), {one.noise.name: one for one in noise_choices(Privacy(1.0, 1e-6))}
    for shapes in ((Laplace(),), tuple(ArsinhNormal(sigma=sigma) for sigma in (1.0, 1.2, 1.4))):
        (best,) = least(shapes, privacy, (1.0,)).values()
        assert (found[best.noise.name].noise, found[best.noise.name].split) == (best.noise, best.split)
        assert found[best.noise.name].error == pytest.approx(best.error, rel=1e-3)


@pytest.mark.parametrize("decline", DECLINES)
def test_pure_noise_shares_epsilon_best_in_closed_form(decline):
    """What slides and what stretches add up to epsilon: shares of 1 : p have the least error."""
    privacy = Privacy(0.7)
    for noise in PURE:
        grid = least((noise,), privacy, (decline,))[decline]
        share = min(round(1 / (1 + decline), 3), SHARES[-1])
        closed = least((noise,), privacy, (decline,), (share,))[decline]
        assert closed.error <= grid.error * (1 + 1e-6)


def test_between_the_entries_of_the_table_errors_are_those_of_the_pair():
    """Within a fifth: the number is shown, the pair is calibrated."""
    for privacy in (Privacy(0.4, 1e-7), Privacy(1.5, 3e-6)):
        for choice in noise_choices(privacy)[:3]:
            exact = median_error(choice.noise, choice.noise.admissible(privacy, split=choice.split), 1.0)
            assert choice.error == pytest.approx(exact, rel=0.2), choice


@pytest.mark.parametrize(
    "privacy", [Privacy(1e-3, 1e-6), Privacy(50.0, 1e-6), Privacy(1.0, 0.3), Privacy(1, 1e-30)]
)
def test_beyond_the_table_something_is_chosen(privacy):
    noise, split = Automatic().chosen(privacy)
    pair = noise.admissible(privacy, split=split)
    assert median_error(noise, pair, 1.0) <= median_error(PURE[0], PURE[0].admissible(privacy), 1.0) * 1.1


def test_a_delta_too_small_for_the_table_is_not_counted_on():
    assert {choice.noise for choice in noise_choices(Privacy(1.0, 1e-12))} == set(PURE)


def test_the_choice_follows_the_query():
    found = [
        SmoothRelease(query=query).calibrate(Privacy(1.0)) for query in (Median(), TrimmedMean(), Mean())
    ]
    assert [(used.noise.name, round(used.split, 2)) for used in found] == [
        ("power-laplace", 0.5),
        ("power-laplace", 0.67),
        ("power-laplace", 0.95),
    ]
    assert Quantile().decline == 1.0
    assert {query.decline for query in QUERIES.values()} == set(DECLINES)


def test_a_release_states_what_was_chosen():
    privacy = Privacy(10.0, 1e-6)
    release = SmoothRelease().run(DATA, privacy, reproducible(1))
    assert release.noise["family"] == "arsinh-normal"
    concrete = SmoothRelease().resolve(privacy)
    assert (concrete.noise.sigma, concrete.split) == (release.noise["sigma"], release.parameters["split"])
    assert concrete == concrete.resolve(Privacy(0.1))
    assert concrete.run(DATA, privacy, reproducible(1)).value == release.value


def test_delta_is_charged_where_the_chosen_noise_needs_it():
    assert SmoothRelease().guarantee.cost(Privacy(0.03, 1e-8)) == Privacy(0.03)
    assert SmoothRelease().guarantee.cost(Privacy(10.0, 1e-6)) == Privacy(10.0, 1e-6)


def test_a_mistake_is_planted_in_what_was_chosen():
    planted = LocalNoise.planted(SmoothRelease()).resolve(Privacy(1.0))
    assert isinstance(planted.right.noise, PowerLaplace)


def test_a_budget_that_is_not_possible_is_refused():
    for privacy in (Privacy(1e-12), Privacy(200.0)):
        with pytest.raises(ParameterError, match="epsilon"):
            Automatic().check(privacy)
    with pytest.raises(ParameterError, match="no pair is published"):
        Automatic().check(Privacy(1.0), constants="published")


def test_in_more_dimensions_it_is_noise_that_needs_no_delta():
    assert Automatic().chosen(Privacy(1.0, 1e-6), 0.3, dimension=3) == (PURE[0], 0.3)


def test_the_rule_is_offered_beside_the_families_and_is_none_of_them():
    assert "auto" in NOISE_CHOICES
    assert "auto" not in NOISES
    assert set(NOISE_CHOICES) == {"auto", *NOISES}
    assert all(issubclass(family, Noise) for family in NOISES.values())
    with pytest.raises(KeyError):
        NOISES["auto"]


def test_nothing_of_the_data_can_enter():
    assert "data" not in inspect.signature(Automatic.chosen).parameters
    assert TABLE.is_file()
    assert Laplace().chosen(Privacy(1.0, 1e-6), 0.3) == (Laplace(), 0.3)


def test_the_medians_that_are_written_down_are_those_of_the_noise():
    assert {noise: float(noise.quantile(0.75)) for noise in MEDIANS} == MEDIANS
    assert set(MEDIANS) <= set(PURE)

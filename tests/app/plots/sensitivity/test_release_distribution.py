"""The distribution of a release: theory, simulation, refusals in words."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from app.plots.figures import new_figure
from app.plots.sensitivity.release_distribution import ReleaseDistribution
from engine.analysis.distribution import simulate_releases
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import LaplaceRelease
from engine.privacy import Privacy
from engine.queries import Mean, Median


@pytest.fixture
def view(make, cases):
    return make.release(cases["salaries"], runs=1000)


def words(picture) -> str:
    return picture._corner_text.get_text().replace("\u202f", " ")


def bars(picture):
    values, edges, _ = picture._bars.get_data()
    return values, edges


def test_the_curve_is_the_density(view):
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), view)
    x, y = picture._theory.get_data()
    expected = view.prepared.density(x)
    np.testing.assert_allclose(y, expected, rtol=0.05, atol=1e-3 * expected.max())
    assert np.trapezoid(y, x) == pytest.approx(0.99, abs=0.02)


def test_the_bars_hold_what_is_in_view(view):
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), view)
    heights, edges = bars(picture)
    counts = heights * np.diff(edges) * view.runs
    expected, _ = np.histogram(view.simulated, edges)
    np.testing.assert_allclose(counts, expected)
    inside = (view.simulated >= edges[0]) & (view.simulated <= edges[-1])
    assert f"{1000 - int(inside.sum())} out of view" in words(picture)


def test_refusals_are_counted_in_words(view):
    refused = view.simulated.copy()
    refused[::4] = np.nan
    picture = ReleaseDistribution.draw(
        new_figure().add_subplot(), dataclasses.replace(view, simulated=refused)
    )
    assert "250 refused to answer" in words(picture)
    heights, edges = bars(picture)
    assert (heights * np.diff(edges)).sum() == pytest.approx(0.99, abs=0.02)
    _, rows = picture.table()
    assert rows[0] == [1, "", ""]
    assert rows[1][1] == view.simulated[1]


def test_a_mechanism_that_always_refuses_can_be_drawn(view):
    picture = ReleaseDistribution.draw(
        new_figure().add_subplot(),
        dataclasses.replace(view, simulated=np.full(10, np.nan), runs=10, released=None),
    )
    assert "10 refused" in words(picture)
    assert bars(picture)[0].max() == 0


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("exponential", {}), ("laplace", {}), ("propose-test-release", {"bound": 2000.0})],
)
def test_every_mechanism_has_a_picture(make, cases, method, parameters):
    view = make.release(cases["salaries"], method, 400, **parameters)
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), view, unit="$")
    heights, edges = bars(picture)
    x, y = picture._theory.get_data()
    theory = np.array([y[(x >= low) & (x < high)].mean() for low, high in itertools.pairwise(edges)])
    assert abs((heights - theory) * np.diff(edges)).sum() < 0.25


def test_truth_and_release_are_marked_and_named(view):
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), view, unit="$")
    assert picture._words["truth"].get_text().startswith("truth")
    assert picture._words["released"].get_text().startswith("released")
    picture.update(dataclasses.replace(view, released=None))
    assert not picture._words["released"].get_visible()


def test_the_names_of_truth_and_release_never_lie_over_each_other(view):
    near = dataclasses.replace(view, released=view.true_value + 1e-6)
    picture = ReleaseDistribution.draw(new_figure(size=(6.0, 2.0)).add_subplot(), near, unit="$")
    truth, released = (picture._words[role].get_window_extent() for role in ("truth", "released"))
    assert released.y1 <= truth.y0


def test_bins_hold_whole_steps_of_a_declared_resolution(make, cases):
    rounded = make.release(dataclasses.replace(cases["salaries"], domain=Interval(0, 200_000, 250.0)))
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), rounded)
    _, edges = bars(picture)
    steps = (edges / 250 - 0.5) % 1
    np.testing.assert_allclose(np.minimum(steps, 1 - steps), 0, atol=1e-6)


def test_words_at_a_place(view):
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), view, unit="$")
    said = picture.tooltip(view.true_value)
    assert "off by 0" in said
    assert "are below" in said


@pytest.fixture
def wide(make, cases):
    """Return releases under noise wider than their range, so that many are clamped to either end."""
    return make.release(cases["salaries"], "laplace", 1000)


def pile_words(picture):
    return [text.get_text().replace("\u202f", " ") for text in picture._named_piles]


def test_what_is_clamped_stands_at_the_bounds_and_not_in_the_bars(wide):
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), dataclasses.replace(wide, released=None))
    low, high = wide.prepared.grid.ends
    assert (low, high) == (0, 200_000)
    shares = [float(np.mean(wide.simulated == end)) for end in (low, high)]
    assert min(shares) > 0.1
    assert pile_words(picture) == [f"{100 * pile:.0f} % at the bound" for pile in shares]
    heights = [line.get_ydata()[1] for line in picture._piles]
    assert heights[0] / heights[1] == pytest.approx(shares[0] / shares[1])
    assert [line.get_xdata()[0] for line in picture._piles] == [low, high]
    bars_, edges = bars(picture)
    assert (edges[0], edges[-1]) == (low, high)
    assert (bars_ * np.diff(edges)).sum() == pytest.approx(1 - sum(shares))
    # theory and bars end where releases do, and have one scale
    x, y = picture._theory.get_data()
    assert low < x[0] < x[-1] < high
    assert np.trapezoid(y, x) == pytest.approx(1 - sum(shares), abs=0.05)
    assert max(bars_.max(), y.max()) <= picture.axes.get_ylim()[1] / 1.4 * (1 + 1e-9)
    assert f"{100 * shares[0]:.0f} % at the lower bound, {100 * shares[1]:.0f} % at the upper bound" in words(
        picture
    )


def test_nothing_stands_at_the_bounds_without_clamping_or_out_of_view(view, make, cases):
    for shown in (view, make.release(cases["salaries"], "laplace", clamp="none")):
        picture = ReleaseDistribution.draw(new_figure().add_subplot(), shown)
        assert pile_words(picture) == ["", ""]
        assert all(line.get_xdata() == [] or not len(line.get_xdata()) for line in picture._piles)


def test_piles_come_and_go_with_what_is_shown(wide, view):
    picture = ReleaseDistribution(new_figure().add_subplot())
    picture.update(dataclasses.replace(wide, simulated=wide.simulated[:0], released=None))
    assert pile_words(picture) == ["", ""]
    picture.update(wide)
    assert all(pile_words(picture))
    picture.update(view)
    assert pile_words(picture) == ["", ""]


def test_the_truth_before_clamping_is_marked_beside_the_clamped_one(view):
    outside = view.true_value + 500.0
    picture = ReleaseDistribution.draw(
        new_figure().add_subplot(), dataclasses.replace(view, unclamped=outside), unit="$"
    )
    assert set(picture._unclamped.get_xdata()) == {outside}
    assert picture.axes.get_xlim()[0] < view.true_value < outside < picture.axes.get_xlim()[1]
    assert picture._words["truth"].get_text().startswith("truth 40")
    assert picture._words["clamped"].get_text().startswith("clamped 39")
    assert "before clamping" in picture.alt_text()
    picture.update(view)
    assert len(picture._unclamped.get_xdata()) == 0
    assert picture._words["clamped"].get_text() == ""


def test_what_was_clamped_is_known_of_a_sample_only_if_something_was():
    mechanism, values = LaplaceRelease(query=Mean()), [10.0, 20.0, 90.0]
    found = simulate_releases(mechanism, Sample(values, Interval(0, 50)), Privacy(1.0), runs=5)
    assert (found.true_value, found.unclamped) == (pytest.approx(80 / 3), 40.0)
    assert (
        simulate_releases(mechanism, Sample(values, Interval(0, 90)), Privacy(1.0), runs=5).unclamped is None
    )


def test_a_truth_before_clamping_that_is_far_away_is_named_and_leaves_the_picture_as_it_is(view):
    far = dataclasses.replace(view, unclamped=1e12)
    picture = ReleaseDistribution.draw(new_figure().add_subplot(), far, unit="$")
    alone = ReleaseDistribution.draw(new_figure().add_subplot(), view, unit="$")
    assert picture.axes.get_xlim() == alone.axes.get_xlim()
    assert len(picture._unclamped.get_xdata()) == 0
    assert picture._words["truth"].get_text().startswith("truth 1")


@pytest.mark.parametrize(("query", "unclamped"), [(Mean(), 2.5e199), (Median(), None)])
def test_values_beyond_all_possible_bounds_are_clamped(query, unclamped):
    """A median that clamping does not change is not told twice."""
    data = Sample([1e300, 2.0, 2.0, 5.0], Interval(0, 10))
    found = simulate_releases(LaplaceRelease(query=query), data, Privacy(1.0), runs=5)
    assert found.unclamped == unclamped

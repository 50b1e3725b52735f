"""Plots of results on given axes; matplotlib is imported only without them."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

import engine
from engine import Interval, LaplaceRelease, Lloyd, Points, Sample, SensiscopeError

DATA = Sample(np.random.default_rng(1).normal(40, 10, 500), Interval(0, 120))
POINTS = Points(np.random.default_rng(2).normal(0.5, 0.1, (2000, 2)), (0, 1))

CONFIDENTIAL = {
    "profile": lambda: engine.sensitivity_profile("median", DATA, 0.1),
    "k": lambda: engine.sensitivity_against_k("median", DATA, 1.0),
    "epsilon": lambda: engine.sensitivity_against_epsilon("median", DATA, 1.0),
    "beta": lambda: engine.sensitivity_sweep("median", DATA, [0.1, 1.0]),
    "path": lambda: engine.sensitivity_along_path("median", DATA, 1.0),
    "simulated": lambda: engine.simulate_releases("median", DATA, 1.0),
    "compared": lambda: engine.compare(
        ["laplace", "smooth"], DATA, 1.0, ("epsilon", [0.5, 1]), runs=9, seed=1
    ),
}

RELEASED = {
    "number": lambda: LaplaceRelease("mean").run(DATA, 1.0),
    "bars": lambda: engine.NoisyHistogram(bins=8).run(DATA, 1.0),
    "cells": lambda: engine.PrivTree().run(POINTS, 1.0),
    "points": lambda: Lloyd(k=2).run(POINTS, 1.0),
    "groups": lambda: engine.budget(
        {"city": ["Bern", "Zug"]}, 1.0, categories={"city": ["Bern"]}, seed=1
    ).count(by="city"),
}


@pytest.mark.parametrize("name", CONFIDENTIAL)
def test_curves_draw_on_the_axes_and_say_that_they_are_confidential(name):
    axes = Figure().add_subplot()
    assert CONFIDENTIAL[name]().plot(axes) is axes
    assert axes.has_data()
    assert axes.get_title(loc="right") == "Confidential"
    assert axes.get_xlabel()


@pytest.mark.parametrize("name", RELEASED)
def test_releases_draw_what_may_be_shared(name):
    axes, release = Figure().add_subplot(), RELEASED[name]()
    assert release.plot(axes) is axes
    assert axes.has_data()
    assert axes.get_title(loc="right") == ("Simulation: not a release" if release.simulated else "")


def test_a_released_number_shows_its_interval():
    release, axes = LaplaceRelease("mean").run(DATA, 1.0, seed=1), Figure().add_subplot()
    release.plot(axes)
    assert tuple(axes.lines[0].get_xdata()) == release.interval


def test_what_cannot_be_drawn_says_so():
    with pytest.raises(SensiscopeError, match="there is no plot of"):
        engine.Mode().run(engine.Categories(["a", "b"], {"x": ["a", "b"]}), 1.0).plot(Figure().add_subplot())


def test_no_plot_no_matplotlib():
    code = (
        "import engine, sys; data = engine.Sample(range(9), (0, 9)); "
        "engine.LaplaceRelease('mean').run(data, 1.0).to_dict(); "
        "engine.sensitivity_profile('median', data, 0.1); "
        "print(*(name.partition('.')[0] for name in sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"matplotlib", "pandas"} & set(loaded.stdout.split())


def test_a_comparison_is_a_frame():
    frame = CONFIDENTIAL["compared"]().to_pandas()
    assert frame.columns.tolist() == ["label", "epsilon", "median", "mean", "p95", "runs"]
    assert frame["epsilon"].tolist() == [0.5, 0.5, 1, 1]
    assert (frame["median"] <= frame["p95"]).all()

"""Windows on the page about histograms."""

from functools import partial

import pytest
from histogram_windows import heap
from lent_windows import borrowed, kept
from loading import load_points

from engine.analysis import histogram_accuracy, histogram_diameters, isolation_attacks


@pytest.fixture
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setattr(isolation_attacks, "TRIALS", 60)
    monkeypatch.setattr(isolation_attacks, "UNIFORM_POINTS", 80)
    monkeypatch.setattr(isolation_attacks, "DIMENSIONS", (1, 2))
    monkeypatch.setattr(histogram_accuracy, "RUNS", 2)
    monkeypatch.setattr(histogram_diameters, "SHIFTS", 5)


@pytest.fixture
def histograms_on(points_on, few_runs):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="histogram", query=SHIFTED)


SHIFTED = "histogram-shifted"
CHOSEN = {"mechanism/histogram-shifted": {"t": 8}}


@pytest.fixture(scope="module")
def kept_histogram(qapp):
    with kept(
        "histogram", "points.csv", heap(), load_points, 0.0, 1.0, chosen=CHOSEN, query=SHIFTED
    ) as window:
        yield window


@pytest.fixture
def window(kept_histogram, few_runs):
    """Return a window on a heap of points, borrowed from the module."""
    with borrowed(kept_histogram) as window:
        yield window


@pytest.fixture
def own_window(histograms_on):
    """Return a window as `window`, for what is not put back."""
    return histograms_on(**heap(), chosen=CHOSEN)

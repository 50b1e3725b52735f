"""Windows on the page about histograms."""

from functools import partial

import pytest
from histogram_windows import heap

from engine.analysis import attack_sweep, diameters_by_radius, histogram_errors


@pytest.fixture
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setattr(attack_sweep, "TRIALS", 60)
    monkeypatch.setattr(attack_sweep, "EVEN", 80)
    monkeypatch.setattr(attack_sweep, "DIMENSIONS", (1, 2))
    monkeypatch.setattr(histogram_errors, "RUNS", 2)
    monkeypatch.setattr(diameters_by_radius, "SHIFTS", 5)


@pytest.fixture
def histograms_on(points_on, few_runs):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="histogram")


@pytest.fixture
def window(histograms_on):
    return histograms_on(**heap(), chosen={"mechanism/histogram-shifted": {"t": 8}})

"""Windows on the page about histograms."""

from functools import partial

import pytest
from histogram_windows import heap

from app.pages.histogram import attacks as histogram_attacks
from app.pages.histogram import compare as histogram_compare
from app.pages.histogram import radii as histogram_radii


@pytest.fixture
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setattr(histogram_attacks, "TRIALS", 60)
    monkeypatch.setattr(histogram_attacks, "EVEN", 80)
    monkeypatch.setattr(histogram_attacks, "DIMENSIONS", (1, 2))
    monkeypatch.setattr(histogram_compare, "RUNS", 2)
    monkeypatch.setattr(histogram_radii, "SHIFTS", 5)


@pytest.fixture
def histograms_on(points_on, few_runs):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="histogram")


@pytest.fixture
def window(histograms_on):
    return histograms_on(**heap(), chosen={"mechanism/histogram-shifted": {"t": 8}})

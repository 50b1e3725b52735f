"""Windows on the page about balls."""

import inspect
from functools import partial

import pytest
from ball_windows import FEW, cluster
from lent_windows import borrowed, kept
from loading import load_points

from app.pages.one_cluster import quality
from engine.analysis.ball_quality import judge_balls


@pytest.fixture
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setitem(inspect.unwrap(judge_balls).__kwdefaults__, "runs", FEW)
    monkeypatch.setattr(quality, "JUDGED", FEW)


@pytest.fixture
def balls_on(points_on, few_runs):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="one-cluster")


@pytest.fixture(scope="module")
def kept_balls(qapp):
    with kept("one-cluster", "points.csv", cluster(), load_points, 0.0, 1.0) as window:
        yield window


@pytest.fixture
def window(kept_balls, few_runs):
    """Return a window on a cluster of points, borrowed from the module."""
    with borrowed(kept_balls) as window:
        yield window

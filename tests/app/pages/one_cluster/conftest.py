"""Windows on the page about balls."""

from functools import partial

import pytest
from ball_windows import FEW, cluster

from app.pages.one_cluster import quality
from engine.analysis.ball_quality import judge_balls


@pytest.fixture
def few_runs(monkeypatch):
    """Let simulations be short: what they tell is the same."""
    monkeypatch.setitem(judge_balls.__kwdefaults__, "runs", FEW)
    monkeypatch.setattr(quality, "JUDGED", FEW)


@pytest.fixture
def balls_on(points_on, few_runs):
    """Return a maker of shown, idle windows on the page, with points in the unit cube."""
    return partial(points_on, page="one-cluster")


@pytest.fixture
def window(balls_on):
    return balls_on(**cluster())

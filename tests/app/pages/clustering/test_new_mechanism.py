"""A mechanism that no page has heard of: what it estimates, and how far it is off, are its own to say."""

import dataclasses
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from seen import choose

from engine.mechanisms import MECHANISMS, PointsMechanism
from engine.mechanisms.aggregators.base import VectorAdditive
from engine.mechanisms.points import Vectors
from engine.mechanisms.release import Private
from engine.noise import Laplace
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

OFF = 0.01


@dataclasses.dataclass(frozen=True)
class MidRange(PointsMechanism, hides="Tiny"):
    """The middle of the smallest and the largest number of each column: neither mean nor median."""

    name: ClassVar[str] = "mid-range"
    label: ClassVar[str] = "Middle of the range"
    vectors: ClassVar[Vectors] = Vectors("middle")

    def problems(self, privacy, domain, n):
        return ()

    def prepare(self, data, privacy, progress=silent):
        center = (data.values.min(axis=0) + data.values.max(axis=0)) / 2
        return VectorAdditive(
            center=center,
            box=data.domain,
            noise={"family": "laplace"},
            error=None,
            diagnostics=Private({"true_value": center, "scale": np.full(center.size, OFF)}),
            exact=tuple(map(Fraction, center)),
            scale=np.full(center.size, OFF),
            family=Laplace(),
        )


@pytest.fixture
def middles(monkeypatch, points_on):
    """Return a window with 50 points, half of them at 0, where the mechanism is asked for."""
    monkeypatch.setitem(MECHANISMS, MidRange.name, MidRange)
    values = np.concatenate([np.zeros(25), np.linspace(0.0, 0.8, 25)])
    window = points_on(x=values, y=values[::-1] / 2)
    choose(window.body.column.release.form.chooser("query").box, MidRange.name)
    assert window.wait_until_idle(30_000)
    return window


@pytest.mark.slow
def test_the_truth_is_what_the_mechanism_estimates(middles):
    for stage in ("release", "data"):
        middles.page.show_tab(stage)
        assert middles.wait_until_idle(30_000)
        seen = middles.page.canvas.picture.result
        assert np.allclose(seen.truth, [[0.4, 0.2]]), stage
        assert seen.noun == "middle"
    assert not middles.body.messages.texts()


def test_errors_are_measured_from_it(middles):
    error = middles.body.column.release.error.text()
    assert 0.5 * OFF < float(error.split()[-1]) < 3 * OFF
    middles.page.show_tab("compare")
    assert middles.wait_until_idle(30_000)
    (sample,) = middles.page.canvas.picture.result.samples
    assert sample.label == MidRange.label
    assert 0.5 * OFF < np.median(sample.errors) < 3 * OFF

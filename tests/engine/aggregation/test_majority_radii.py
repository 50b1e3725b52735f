"""Balls that hold a majority, against the sorted table of all distances."""

import numpy as np
import pytest

from engine.aggregation import center_of_attention as module
from engine.aggregation.center_of_attention import MajorityRadii, Radii
from engine.aggregation.spaces import Euclidean, Wasserstein
from engine.domain import Box
from engine.errors import ParameterError

SPACES = {
    "L2": Euclidean(Box.of([0.0, 0.0], [1.0, 1.0])),
    "sets": Wasserstein(Box.of([0.0] * 6, [1.0] * 6), 3),
}
BETAS = (1e-3, 0.02, 0.3, 2.0)


def outputs_of(kind, space, m):
    rng = np.random.default_rng(m)
    values = rng.uniform(0, 1, (m, space.dimension))
    if kind == "near":
        values[: 3 * m // 4] = 0.3 + 0.01 * values[: 3 * m // 4]
    return np.round(values, 1) if kind == "ties" else values


@pytest.mark.parametrize("few", [True, False])  # levels and outputs at once
@pytest.mark.parametrize("kind", ["spread", "near", "ties"])
@pytest.mark.parametrize("name", SPACES)
def test_center_and_bound_are_those_of_the_whole_table(name, kind, few, monkeypatch):
    if few:
        monkeypatch.setattr(module, "LEVELS", 3)
        monkeypatch.setattr(module, "CELLS", 100)
        monkeypatch.setattr(module, "SAMPLE", 5)
        monkeypatch.setattr(module, "NEAR", 3)
    space = SPACES[name]
    for m, s in ((3, 1), (40, 1), (41, 3), (80, 2)):
        outputs = outputs_of(kind, space, m)
        whole = Radii.of(space.table(outputs), space.diameter, s)
        found = MajorityRadii(space, outputs, s)
        assert (found.center, found.majority) == (whole.center, whole.majority)
        assert found.radius == whole.radius(whole.majority)[whole.center]
        for beta in BETAS:
            assert found.smooth_bound(beta) == whole.smooth_bound(beta)


def test_as_many_as_there_are_cannot_change():
    space = SPACES["L2"]
    with pytest.raises(ParameterError, match="below 4"):
        MajorityRadii(space, np.zeros((4, 2)), 4)

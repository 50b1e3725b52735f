"""Radii of outputs: levels follow the definition, and decide the bound that is released with."""

import numpy as np
import pytest
from blobs import DATA

from engine.aggregation.blocks import Partition
from engine.aggregation.center_of_attention import Radii
from engine.analysis.radii import RadiusProfile, profile_radii
from engine.mechanisms import Clusters
from engine.privacy import Privacy


def radii(m, s=1, seed=0):
    z = np.random.default_rng(seed).normal(50, 5, (m, 2))
    return Radii.of(np.linalg.norm(z[:, None] - z, axis=2), 100.0, s)


@pytest.mark.parametrize(("m", "s"), [(3, 1), (5, 2), (12, 1), (41, 3), (300, 1)])
def test_levels_follow_the_definition_and_decide_the_bound(m, s):
    known = radii(m, s)
    view = RadiusProfile.of(known, 0.1)
    t0 = (m + s) // 2 + 1

    def smallest(j, t):
        return known.diameter if max(j, t) > m else np.sort(known.sorted_distances[:, t - 1])[j - 1]

    for k, level in enumerate(view.levels):
        bound = smallest(1 + k * s, t0 + k * s) + smallest(1 + (k + 1) * s, t0 + (k + 1) * s)
        assert level == min(known.diameter, bound)
    assert view.levels[-1] == known.diameter
    assert (view.levels[:-1] < known.diameter).all()
    assert view.majority == t0
    assert view.discounted.max() == pytest.approx(view.smooth, rel=1e-12)
    assert view.discounted.argmax() == view.argmax_k
    assert view.smooth == known.smooth_bound(0.1).value


def test_the_profile_of_a_mechanism_is_that_of_its_outputs():
    mechanism, privacy = Clusters(sampling=Partition(blocks=40)), Privacy(2.0)
    shown = profile_radii(mechanism, DATA, privacy)
    ready = mechanism.prepare(DATA, privacy)
    # the aggregator pays for roundings with a little of beta
    assert shown.smooth == pytest.approx(ready.diagnostics["smooth"], rel=1e-7)
    assert shown.radius(shown.majority) == ready.diagnostics["radius"]
    assert (shown.m, shown.majority) == (40, 21)

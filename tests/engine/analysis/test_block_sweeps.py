"""A sweep over the number of blocks: each is looked at once, and told as the mechanism itself has it."""

import dataclasses

import numpy as np
import pytest
from blobs import blobs

from engine.aggregation.blocks import Partition
from engine.aggregation.center_of_attention import Radii
from engine.analysis.block_sweeps import sweep_blocks, swept_blocks
from engine.analysis.points_errors import estimate_points_error
from engine.mechanisms import Clusters
from engine.mechanisms.planning import with_blocks
from engine.privacy import Privacy
from engine.randomness import reproducible

DATA, PRIVACY = blobs(2000), Privacy(5.0)
MECHANISM = Clusters(sampling=Partition(blocks=40))


def test_a_sweep_tells_bound_and_errors_of_each_number_of_blocks():
    known = []
    sweep = sweep_blocks(MECHANISM, DATA, PRIVACY, published=True, publish=known.append)
    counts = [np.isfinite(one.smooth).sum() for one in known]
    assert counts == list(range(1, len(sweep.blocks) + 1))
    # any beginning is spread over all: the gaps between what is known are alike
    half = np.flatnonzero(np.isfinite(known[len(known) // 2].smooth))
    assert np.diff(half).max() <= 2 * np.diff(half).min()
    assert known[-1] is sweep
    assert len(known) == len(sweep.blocks)
    assert (sweep.chosen, sweep.n) == (40, 2000)
    space = MECHANISM.vectors.space(DATA.domain)
    for place in (0, list(sweep.blocks).index(40)):
        ready = with_blocks(MECHANISM, int(sweep.blocks[place])).prepare(DATA, PRIVACY)
        facts = ready.diagnostics
        assert sweep.smooth[place] == facts["smooth"]
        radii = Radii.of(space.distances(facts["outputs"], facts["outputs"]), space.diameter)
        assert sweep.published[place] == radii.published_bound(ready.noise["beta"])
        center, truth = facts["center"][None], facts["true_value"][None]
        assert sweep.block_error[place] == space.distances(center, truth)[0, 0]
        released = ready.draw(reproducible(1), 400)
        assert sweep.error[place] == np.median(space.distances(released, truth))
    headline = estimate_points_error(MECHANISM, DATA, PRIVACY).errors.typical
    assert sweep.at(sweep.error, sweep.chosen) == pytest.approx(headline)
    assert np.isnan(sweep_blocks(MECHANISM, DATA, PRIVACY).published).all()


def test_no_sweep_goes_beyond_what_the_function_needs():
    mechanism = dataclasses.replace(MECHANISM, sampling=Partition(blocks=5))
    blocks = swept_blocks(mechanism, DATA.domain, 30)
    assert blocks.max() <= 10
    assert 5 in blocks

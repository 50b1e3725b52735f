"""How many blocks: plans from public facts."""

import math

import numpy as np
import pytest
from blobs import SQUARE

from engine.aggregation.blocks import Partition
from engine.aggregation.functions import KMeans, MeanFunction
from engine.aggregation.spaces import Euclidean
from engine.data.points import Points
from engine.errors import ParameterError
from engine.mechanisms import (
    SampleAggregate,
)
from engine.mechanisms.planning import plan
from engine.noise import LaplacePareto
from engine.privacy import Privacy
from engine.simulation import simulate


class TestPlan:
    space = Euclidean(SQUARE)

    def test_more_records_never_make_it_worse(self):
        errors = [
            plan(n, self.space, Privacy(1.0), LaplacePareto(), 0.02).error
            for n in (10**3, 10**4, 10**5, 10**6)
        ]
        assert errors == sorted(errors, reverse=True)

    def test_it_says_how_many_would_be_needed(self):
        short = plan(1000, self.space, Privacy(0.1), LaplacePareto(), 0.02)
        assert not short.enough
        assert f"{short.needed:,}" in short.text()
        at = plan(short.needed, self.space, Privacy(0.1), LaplacePareto(), 0.02)
        assert at.enough
        assert at.error <= 0.25 * math.sqrt(2)
        below = plan(short.needed * 9 // 10, self.space, Privacy(0.1), LaplacePareto(), 0.02)
        assert below.error > 0.25 * math.sqrt(2)

    def test_a_release_is_about_as_good_as_planned(self):
        """At most as far off as promised in the median of 400 simulated releases, and of that order."""
        rng = np.random.default_rng(83)
        n = 100_000
        data = Points(0.5 + 0.2 * rng.standard_normal((n, 2)), SQUARE)
        found = plan(n, self.space, Privacy(1.0), LaplacePareto(), 0.02)
        mechanism = SampleAggregate(sampling=Partition(blocks=found.blocks))
        errors = simulate(mechanism, data, Privacy(1.0), runs=400, seed=3).errors
        assert found.error / 10 < np.median(errors) < found.error

    def test_epsilon_moves_the_number_of_blocks_in_few_steps(self):
        """So that blocks need not be run again while the user drags epsilon."""
        found = {
            plan(10**6, self.space, Privacy(epsilon), LaplacePareto(), 0.02).blocks
            for epsilon in np.geomspace(0.5, 2, 60)
        }
        assert 2 <= len(found) <= 9

    def test_no_plan_has_more_blocks_than_the_function_allows(self):
        for n in range(9, 60):
            found = plan(n, self.space, Privacy(1.0), LaplacePareto(), 0.1, smallest=3)
            assert 3 <= found.blocks <= n // 3
            assert found.block_size >= 3

    def test_no_plan_has_smaller_blocks_than_are_sensible(self):
        """At epsilon 0.01 most blocks are best by the bound alone: of one record each, if it were let."""
        for n in (30, 600, 10_000, 1_000_000):
            found = plan(n, self.space, Privacy(0.01), LaplacePareto(), 0.02, smallest=3, sensible=15)
            assert found.block_size >= (15 if n >= 45 else n // 3)
            assert not found.enough
            assert found.needed >= 45
        assert plan(100_000, self.space, Privacy(0.01), LaplacePareto(), 0.02).block_size < 15

    def test_sensible_blocks_hold_several_records_of_each_cluster(self):
        """Of evenly drawn records, at least two thirds of the blocks have some of every cluster."""
        rng = np.random.default_rng(5)
        for k in (1, 3, 10, 32):
            records = KMeans(k=k).sensible_block(SQUARE)
            assert records >= 10
            drawn = rng.integers(k, size=(2000, records))
            whole = (np.sort(drawn, axis=1)[:, 1:] > np.sort(drawn, axis=1)[:, :-1]).sum(axis=1) == k - 1
            assert whole.mean() > 2 / 3
        assert MeanFunction().sensible_block(SQUARE) == 10

    def test_blocks_that_overlap_keep_a_majority(self):
        found = plan(60, self.space, Privacy(0.1), LaplacePareto(), 0.1, s=9)
        assert found.blocks >= 19
        with pytest.raises(ParameterError, match="too few for 19 blocks"):
            plan(18, self.space, Privacy(1.0), LaplacePareto(), 0.1, s=9)

    def test_senseless_guesses_are_refused(self):
        for guess in (0.0, -1.0, 5.0, math.nan):
            with pytest.raises(ParameterError, match="guess"):
                plan(1000, self.space, Privacy(1.0), LaplacePareto(), guess)
        with pytest.raises(ParameterError, match="more records"):
            plan(10, self.space, Privacy(1.0), LaplacePareto(), 0.1, smallest=5)

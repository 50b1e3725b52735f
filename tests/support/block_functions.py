"""Block functions that misbehave, importable in other processes, too."""

from __future__ import annotations

import dataclasses
import time

import numpy as np

from engine.aggregation.functions import MeanFunction


@dataclasses.dataclass(frozen=True)
class Fails(MeanFunction):
    """The mean, unless a block holds a point of zeros: then all blocks of the call suffer."""

    how: str = "raises"

    def apply(self, blocks, seeds):
        found = super().apply(blocks, seeds)
        bad = (blocks == 0).all(axis=2).any(axis=1)
        if not bad.any():
            return found
        if self.how == "raises":
            raise ValueError("a secret of the data")
        if self.how == "shape":
            return found[:, :1]
        if self.how == "text":
            return np.full(found.shape, "secret")
        found[bad, 0] = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}[self.how]
        return found


@dataclasses.dataclass(frozen=True)
class Echo(MeanFunction):
    """Not the mean but the seed of each block, scaled to [0, 1]."""

    def apply(self, blocks, seeds):
        return np.repeat(np.asarray(seeds)[:, None] / 2.0**63, blocks.shape[2], axis=1)


@dataclasses.dataclass(frozen=True)
class Far(MeanFunction):
    """A vector far out of the box."""

    def apply(self, blocks, seeds):
        return super().apply(blocks, seeds) * 1e6


@dataclasses.dataclass(frozen=True)
class Slow(MeanFunction):
    """The mean, after a while."""

    batch_size = 1

    def apply(self, blocks, seeds):
        time.sleep(0.05)
        return super().apply(blocks, seeds)

"""Bound and errors against the number of blocks: few blocks have no majority, small ones differ."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from engine.analysis.points_errors import estimate_points_error
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import radii_of_outputs, true_value
from engine.array_types import Floats, Ints
from engine.data.points import Points
from engine.domain import Box
from engine.findings import Finding
from engine.mechanisms import BlockMechanism
from engine.mechanisms.aggregators import CenterOfAttention
from engine.mechanisms.planning import MIN_BLOCKS, with_blocks
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, part, silent, unpublished
from engine.shown import ShownInALine

STEPS = 13
"""Number of values of m in a sweep."""
MAX_BLOCKS = 3_000
"""Largest number of blocks: m^2 distances between outputs are computed."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BlocksSweep(ShownInALine):
    """A sweep over the number of blocks m (private); NaN where m is not possible, or not yet known.

    Returned by `sweep_blocks`.
    """

    n: int  # number of records
    blocks: Ints  # shape (c,); m, increasing
    smooth: Floats  # shape (c,); S(z)
    published: Floats  # shape (c,); the published bound, which is not private; NaN unless asked for
    # shape (c,); distance of the aggregate without noise from the function of all records
    block_error: Floats
    error: Floats  # shape (c,); typical error of a release, from `estimate_points_error`
    diameter: float  # Λ
    chosen: int  # m of the mechanism itself

    def at(self, values: Floats, m: float) -> float:
        """Interpolate a curve at m (NaN outside)."""
        known = np.isfinite(values)
        if not known.any():
            return float("nan")
        grid = np.log(self.blocks[known])
        return float(np.interp(np.log(m), grid, values[known], left=np.nan, right=np.nan))

    def findings(self) -> Iterator[Finding]:
        """Yield the numbers of blocks, with bound and errors of each."""
        yield Finding("numbers of blocks", self.blocks, public=True)
        yield Finding("smooth sensitivity bound S", self.smooth)
        if np.isfinite(self.published).any():
            yield Finding("published bound", self.published)
        yield Finding("error of the aggregate", self.block_error)
        yield Finding("typical error of a release", self.error)


def sweep_blocks(
    mechanism: BlockMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    published: bool = False,
    publish: Publish[BlocksSweep] = unpublished,
    progress: Progress = silent,
) -> BlocksSweep:
    """Return bound and errors of a mechanism with other numbers of blocks (private)."""
    privacy = as_privacy(privacy)
    truth = np.atleast_2d(true_value(mechanism, data, privacy, progress=part(progress, 0.0, 0.1)))
    blocks = swept_blocks(mechanism, data.domain, data.n)
    result = np.full((4, blocks.size), np.nan)

    def known() -> BlocksSweep:
        return BlocksSweep(
            n=data.n,
            blocks=blocks,
            smooth=result[0].copy(),
            published=result[1].copy(),
            block_error=result[2].copy(),
            error=result[3].copy(),
            diameter=mechanism.vectors.space(data.domain).diameter,
            chosen=mechanism.sampling.blocks,
        )

    for step, index in enumerate(_coarse_first(blocks.size)):
        other = with_blocks(mechanism, int(blocks[index]))
        if not other.problems(privacy, data.domain, data.n):
            share = part(progress, 0.1 + 0.9 * step / blocks.size, 0.1 + 0.9 * (step + 1) / blocks.size)
            result[:, index] = _one(other, data, privacy, truth, published, progress=share)
        sweep = known()
        publish(sweep)
    return sweep


def _one(
    mechanism: BlockMechanism,
    data: Points,
    privacy: Privacy,
    truth: Floats,
    published: bool,
    *,
    progress: Progress,
) -> tuple[float, float, float, float]:
    """Return S, the published bound, the error of the aggregate, and the typical error of a release."""
    space = mechanism.vectors.space(data.domain)
    ready = prepare(mechanism, data, privacy, progress=part(progress, 0.0, 0.5))
    facts, in_print = ready.diagnostics, np.nan
    if published and isinstance(mechanism.aggregator, CenterOfAttention):
        radii = radii_of_outputs(mechanism, data, privacy, progress=part(progress, 0.5, 0.6))
        in_print = radii.published_bound(ready.noise["beta"])
    block_error = float(space.distances(facts["center"][None], truth)[0, 0])
    estimate = estimate_points_error(mechanism, data, privacy, progress=part(progress, 0.6, 1.0))
    return facts.get("smooth", np.nan), in_print, block_error, estimate.errors.typical


def swept_blocks(mechanism: BlockMechanism, box: Box, n: int) -> Ints:
    """Return the numbers of blocks of a sweep (public), shape (c,), including that of the mechanism."""
    most = min(MAX_BLOCKS, n // mechanism.function.smallest_block(box))
    steps = np.geomspace(MIN_BLOCKS, max(most, MIN_BLOCKS + 1), STEPS).round().astype(np.int64)
    return np.unique(np.append(steps, mechanism.sampling.blocks))


def _coarse_first(size: int) -> list[int]:
    """Return 0, ..., size - 1 in an order whose every prefix is spread over the whole range.

    >>> _coarse_first(5)
    [0, 4, 2, 1, 3]
    """
    order: dict[int, None] = {}
    step = 1 << max(size - 1, 1).bit_length()
    while step:
        order |= dict.fromkeys(range(0, size, step))
        step //= 2
    return list(order)

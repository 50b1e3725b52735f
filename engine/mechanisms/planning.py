"""Plan the number of blocks from public facts and a stated guess."""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np

from engine.aggregation.spaces import GUESS, OutputSpace
from engine.array_types import Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.aggregators import Aggregator, CenterOfAttention
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.noise import Automatic, Noise, NoiseChoice
from engine.noise.base import check_bounds
from engine.numerals import grouped, short
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.signatures import explained

AT = 100
"""Block size that the guess refers to."""

USEFUL_SHARE = 0.25
"""A release is useful if its typical error is below this share of the diameter."""

MIN_BLOCKS = 3
"""With fewer blocks, one changed block can break the majority."""

MAX_RECORDS = 1 << 50


@dataclasses.dataclass(frozen=True)
class Plan:
    """The expected errors of sample-and-aggregate (public).

    Returned by `plan_blocks`.
    """

    n: int
    blocks: int
    block_size: int
    block_error: float  # expected distance of a block's output from that of all records
    noise_error: float  # typical length of the noise, in the metric of the outputs
    diameter: float  # Λ
    needed: int  # smallest n with a typical error below a quarter of Λ
    guess: float  # guessed error for blocks of 100 records
    # Whether the noise of the center of attention was used, as that of the aggregator is unknown
    stands_in: bool = False

    @property
    def error(self) -> float:
        """Typical error: block error plus noise error."""
        return self.block_error + self.noise_error

    @property
    def enough(self) -> bool:
        """Whether n records suffice for a useful release."""
        return self.n >= self.needed

    def text(self) -> str:
        """Describe the plan in one sentence."""
        if not self.enough:
            return (
                f"{grouped(self.n)} records are not enough: for a typical error below a quarter of the "
                f"range, about {grouped(self.needed)} are needed"
            )
        return (
            f"{grouped(self.blocks)} blocks of {grouped(self.block_size)} records: typical error "
            f"{short(self.error, 3)}, including {short(self.noise_error, 3)} of noise"
        )


def plan(
    n: int,
    space: OutputSpace,
    privacy: Privacy,
    noise: Noise,
    guess: float,
    *,
    smallest: int = 1,
    sensible: int = 1,
    s: int = 1,
    fewest: int = MIN_BLOCKS,
    aggregator: Aggregator | None = None,
) -> Plan:
    """Return the number of blocks with the smallest expected error.

    Few blocks need much noise; many small blocks have large errors of their own.  The aggregator estimates
    its noise (`Aggregator.expected_noise`); if it cannot, the estimate is that of the center of attention.

    `guess` is a radius: three of four outputs of blocks of 100 records lie within it around the output for
    all records.  It shrinks with the square root of the block size.  The function needs `smallest` records
    per block, a plan uses at least `sensible`, and the aggregator needs `fewest` blocks.  One person can be
    in s blocks; with fewer than 2 s + 1 blocks there is no majority without them.

    Source: Nissim, Raskhodnikova, Smith 2007, Definition 4.1 and Theorem 4.2, with the noise of each
    aggregator.
    """
    if not 0 < guess <= space.diameter:
        raise ParameterError(
            "guess",
            f"{short(guess)} is not possible; it must be above 0 and at most {short(space.diameter)}",
        )
    fewest = max(fewest, 2 * s + 1)
    if n < fewest * smallest:
        raise ParameterError(
            "blocks",
            f"{grouped(n)} records are too few for {fewest} blocks of {grouped(smallest)}; "
            "more records are needed",
        )
    usual = CenterOfAttention(noise=noise)
    own = usual if aggregator is None else aggregator

    def best(records: int) -> tuple[int, float, float]:
        blocks = candidates(fewest, max(fewest, records // sensible))
        r = np.minimum(space.diameter, guess * np.sqrt(AT / (records // blocks)))
        numbers = blocks.astype(np.float64)
        noise_error = own.expected_noise(numbers, r, space, s, privacy)
        if noise_error is None:
            noise_error = usual.expected_noise(numbers, r, space, s, privacy)
        chosen = int(np.argmin(r + noise_error))
        return int(blocks[chosen]), float(r[chosen]), float(noise_error[chosen])

    def useful(records: int) -> bool:
        _, block_error, noise_error = best(records)
        return block_error + noise_error <= USEFUL_SHARE * space.diameter

    sensible = max(smallest, sensible)
    least = needed = fewest * sensible
    while not useful(needed) and needed < MAX_RECORDS:
        needed *= 2
    low = needed // 2
    while needed - low > max(1, needed // 50):
        middle = (low + needed) // 2
        low, needed = (low, middle) if middle >= least and useful(middle) else (middle, needed)
    blocks, block_error, noise_error = best(n)
    stands_in = own.expected_noise(np.array([float(fewest)]), np.ones(1), space, s, privacy) is None
    return Plan(n, blocks, n // blocks, block_error, noise_error, space.diameter, needed, guess, stands_in)


@functools.lru_cache(maxsize=256)
def candidates(fewest: int, most: int) -> Ints:
    """Return candidate numbers of blocks: four per doubling, from `fewest` to `most`.

    A coarse list suffices, since the error is flat near its minimum.  A plan then often stays the same when
    epsilon changes little, and front ends can keep the outputs of the blocks.
    """
    steps = np.exp2(np.arange(math.floor(4 * math.log2(most / fewest)) + 1) / 4)
    return np.unique((fewest * steps).round().astype(np.int64))


@explained
def plan_blocks(
    mechanism: BlockMechanism, box: Box, n: int, asked: PrivacyLike, guess: float | None = None
) -> Plan:
    """Return how many blocks to draw from n points in `box`, and which error to expect.

    The noise is that of the aggregator.  For the 1-cluster aggregator, the plan only says how many blocks
    are sensible, as if for the center of attention.

    Parameters
    ----------
    mechanism : BlockMechanism
        A mechanism that runs a function on blocks, such as `Clusters`.
    box : Box
        Public bounds of the points.
    n : int
        Number of points.
    asked : PrivacyLike
        Budget of the release.
    guess : float, optional
        Distance of the output for a block of 100 records from the output for all; default 2 % of the
        diameter of outputs.

    Returns
    -------
    Plan

    Raises
    ------
    ParameterError
        If the function does not fit such points, there are too few points for any plan, or the guess, the
        budget or the noise is invalid.

    See Also
    --------
    with_blocks, SampleAggregate

    Examples
    --------
    >>> from engine import Box, Clusters, Privacy
    >>> plan = plan_blocks(Clusters(k=2), Box.of([0, 0], [1, 1]), 1_000_000, Privacy(1.0))
    >>> plan.enough, plan.n // plan.blocks == plan.block_size
    (True, True)
    """
    asked = as_privacy(asked)
    check_bounds(asked, 1)
    if not isinstance(mechanism, BlockMechanism):
        raise ParameterError("mechanism", "it has no blocks; give one that has, such as Clusters(k=2)")
    problem = mechanism.function.problem(box)
    if problem is not None:
        raise ParameterError(*problem)
    space = mechanism.vectors.space(box)
    thin = mechanism.sampling.records_per_draw
    best = plan(
        n // thin,
        space,
        mechanism.sampling.left(n, asked) if thin > 1 else asked,
        noise_of(mechanism),
        GUESS * space.diameter if guess is None else guess,
        smallest=mechanism.function.smallest_block(box),
        sensible=mechanism.function.sensible_block(box),
        s=mechanism.sampling.overlap(n)[0],
        fewest=fewest(mechanism, box, n, asked),
        aggregator=mechanism.aggregator,
    )
    return dataclasses.replace(best, n=n, needed=thin * best.needed)


def fewest(mechanism: BlockMechanism, box: Box, n: int, asked: Privacy) -> int:
    """Return the smallest number of blocks for the aggregator, with the delta that sampling leaves."""
    s, _ = mechanism.sampling.overlap(n)
    left = mechanism.sampling.left(n, asked)
    return mechanism.aggregator.fewest(mechanism.vectors.space(box), s, left) if left.delta > 0 else 1


def noise_of(mechanism: BlockMechanism) -> Noise:
    """Return the noise of the aggregator, or the default noise if it has no such choice."""
    own: NoiseChoice | None = getattr(mechanism.aggregator, "noise", None)
    return (own or Automatic()).usual()


@explained
def with_blocks(mechanism: BlockMechanism, blocks: int) -> BlockMechanism:
    """Return the mechanism with this number of blocks.

    Parameters
    ----------
    mechanism : BlockMechanism
        A mechanism that runs a function on blocks, such as `Clusters`.
    blocks : int
        At least 3.

    Returns
    -------
    BlockMechanism

    See Also
    --------
    plan_blocks, SampleAggregate

    Examples
    --------
    >>> from engine import Clusters
    >>> with_blocks(Clusters(k=2), 40).sampling
    Partition(blocks=40)
    """
    return dataclasses.replace(mechanism, sampling=dataclasses.replace(mechanism.sampling, blocks=blocks))

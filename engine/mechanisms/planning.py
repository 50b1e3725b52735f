"""How many blocks, where their number was not chosen: from public facts and a guess that is stated."""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np

from engine.aggregation.spaces import OutputSpace
from engine.array_types import Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.aggregators import Aggregator, CenterOfAttention
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.noise import Automatic, Noise, NoiseChoice
from engine.noise.base import check_bounds
from engine.numerals import grouped, short
from engine.privacy import Privacy

AT = 100
"""The guess is about blocks of this many records."""

USEFUL_SHARE = 0.25
"""A release is of use when its typical error is below this share of the diameter."""

MIN_BLOCKS = 3
"""Fewer blocks have no majority once one of them changes."""

MAX_RECORDS = 1 << 50


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is to be expected of sample-and-aggregate (public).

    Returned by `plan_blocks`.
    """

    n: int
    blocks: int
    block_size: int
    block_error: float  # how far the output of such a block is expected to be from that of all records
    noise_error: float  # how long the noise typically is, in the metric of outputs
    diameter: float  # Λ
    needed: int  # the number of records from which on the typical error is below a quarter of Λ
    guess: float  # what was guessed about blocks of 100 records
    # Whether the noise is that of the center of attention, as nothing is known of the aggregator's
    stands_in: bool = False

    @property
    def error(self) -> float:
        """Typical error: that of a block, and the noise."""
        return self.block_error + self.noise_error

    @property
    def enough(self) -> bool:
        """Whether n records are enough for a release of any use."""
        return self.n >= self.needed

    def text(self) -> str:
        """Say it in one sentence."""
        if not self.enough:
            return (
                f"{grouped(self.n)} records are not enough: for a typical error below a quarter of the "
                f"range, about {grouped(self.needed)} are needed"
            )
        return (
            f"{grouped(self.blocks)} blocks of {grouped(self.block_size)} records: typical error "
            f"{short(self.error, 3)}, "
            f"of which {short(self.noise_error, 3)} is noise"
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
    """Return the number of blocks with the smallest error to be expected.

    Few blocks need much noise, many blocks of few records are far off, each.  How much noise is for the
    aggregator to say (`Aggregator.expected_noise`): that of the center of attention, unless another says.

    `guess` is the distance within which three of four outputs for blocks of 100 records lie from that for
    all; it falls with the root of the size.  The function needs `smallest` records, a plan proposes no less
    than `sensible`, and the aggregator needs `fewest` blocks.  One person can be in s blocks, of which fewer
    than 2 s + 1 have no majority.

    Source: Nissim, Raskhodnikova, Smith 2007, Definition 4.1 and Theorem 4.2, with the noise of each
    aggregator.
    """
    if not 0 < guess <= space.diameter:
        raise ParameterError(
            "guess", f"{short(guess)} is not possible; it must be above 0 and at most {short(space.diameter)}"
        )
    fewest = max(fewest, 2 * s + 1)
    if n < fewest * smallest:
        raise ParameterError(
            "blocks",
            f"{grouped(n)} records make no {fewest} blocks of {grouped(smallest)}; more records are needed",
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
    """Return the numbers of blocks to choose from: four to each doubling from `fewest` to `most`.

    The error is flat around its smallest; a plan that stays when epsilon changes little lets
    front ends keep the outputs of the blocks.
    """
    steps = np.exp2(np.arange(math.floor(4 * math.log2(most / fewest)) + 1) / 4)
    return np.unique((fewest * steps).round().astype(np.int64))


GUESS = 0.02
"""How far the output for 100 records lies from that for all of them, as a share of the diameter."""


def plan_blocks(
    mechanism: BlockMechanism, box: Box, n: int, asked: Privacy, guess: float | None = None
) -> Plan:
    """Return how many blocks to draw of n points in `box`, and what to expect.

    The noise is that of the aggregator; of the 1-cluster the plan says no more than how many blocks are
    sensible, as if for the center of attention.

    Parameters
    ----------
    mechanism : BlockMechanism
        One that runs a function on blocks, such as `Clusters`.
    box : Box
        Public bounds of the points.
    n : int
        How many points.
    asked : Privacy
    guess : float, optional
        How far the output for a block of 100 records lies from that for all of them; by default
        2 % of the diameter of outputs.

    Returns
    -------
    Plan

    Raises
    ------
    ParameterError
        If the function makes no sense for such points, there are too few of them for any plan, or
        the guess, the budget or the noise is not possible.

    Examples
    --------
    >>> from engine import Box, Clusters, Privacy
    >>> plan = plan_blocks(Clusters(k=2), Box.of([0, 0], [1, 1]), 1_000_000, Privacy(1.0))
    >>> plan.enough, plan.n // plan.blocks == plan.block_size
    (True, True)
    """
    check_bounds(asked, 1)
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
    """Return how many blocks the aggregator needs at least, with what sampling leaves of delta."""
    s, _ = mechanism.sampling.overlap(n)
    left = mechanism.sampling.left(n, asked)
    return mechanism.aggregator.fewest(mechanism.vectors.space(box), s, left) if left.delta > 0 else 1


def noise_of(mechanism: BlockMechanism) -> Noise:
    """Return the noise of the aggregator, or the usual one where it has its own."""
    own: NoiseChoice | None = getattr(mechanism.aggregator, "noise", None)
    return (own or Automatic()).usual()


def with_blocks(mechanism: BlockMechanism, blocks: int) -> BlockMechanism:
    """Return the mechanism with so many blocks.

    Parameters
    ----------
    mechanism : BlockMechanism
        One that runs a function on blocks, such as `Clusters`.
    blocks : int
        At least 3.

    Returns
    -------
    BlockMechanism

    Examples
    --------
    >>> from engine import Clusters
    >>> with_blocks(Clusters(k=2), 40).sampling
    Partition(blocks=40)
    """
    return dataclasses.replace(mechanism, sampling=dataclasses.replace(mechanism.sampling, blocks=blocks))

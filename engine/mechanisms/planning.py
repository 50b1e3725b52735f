"""How many blocks, where their number was not chosen: from public facts and a guess that is stated."""

from __future__ import annotations

import dataclasses

from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.planner import Plan, plan
from engine.mechanisms.sample_aggregate import BlockMechanism
from engine.noise import Automatic, Noise, NoiseChoice
from engine.noise.base import check_bounds
from engine.privacy import Privacy

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
    space = mechanism.space(box)
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
    return mechanism.aggregator.fewest(mechanism.space(box), s, left) if left.delta > 0 else 1


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

"""Neighbouring databases on which mistakes show.

A pair is public if it follows from bounds and sizes alone.  A pair that is made of the data at
hand tells about them, and so does everything that is drawn from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from engine.audit.pair import Pair, default_smoothness, smoothness
from engine.audit.pairs_of_categories import pairs_of_categories
from engine.audit.pairs_of_columns import at_the_test, pairs_of_columns
from engine.audit.pairs_of_graphs import VERTICES, pairs_of_edges, pairs_of_weights, ring
from engine.audit.pairs_of_points import pairs_of_blocks, pairs_of_points
from engine.mechanisms import (
    BlockMechanism,
    Planted,
    ProposeTestRelease,
    Sanitizer,
    ScalarMechanism,
    SmoothRelease,
)
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

COLUMN, POINTS, CATEGORIES = 101, 40, 40
"""Records of built-in databases, if a mechanism takes so few."""

ASSUMED = Privacy(1.0, 1e-6)
"""What decides whether a mechanism fits so few records, where nobody says otherwise."""


def built_in(
    mechanism: Mechanism[Any],
    domain: Any,
    n: int,
    privacy: Privacy = ASSUMED,
    *,
    ends: ArrayLike | None = None,
) -> tuple[Pair, ...]:
    """Return public pairs for whatever a mechanism reads; the first is the worst for most mistakes.

    Parameters
    ----------
    mechanism : Mechanism
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        The public size.  Pairs are smaller where the mechanism allows it: that is quicker.
    privacy : Privacy
        What will be promised; the smallest size can depend on it.
    ends : array_like of int, shape (m, 2), optional
        The public edges of n vertices with weights; a ring of a few vertices without them.

    Returns
    -------
    tuple of Pair

    Examples
    --------
    Five values at either bound, and the neighbour in which one of them has crossed:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy
    >>> pairs = built_in(LaplaceRelease(query=Mean()), Interval(0, 100), 10, Privacy(1.0))
    >>> pairs[0].name, pairs[0].public
    ('zeros-and-tops', True)
    """
    if isinstance(mechanism, Planted):
        return built_in(mechanism.model, domain, n, privacy, ends=ends)
    pairs = _all(mechanism, domain, n, privacy, ends)
    fit = tuple(pair for pair in pairs if not mechanism.problems(privacy, domain, pair.data.n))
    # where nothing fits, the mechanism itself says what is wrong
    return fit or pairs


def _all(
    mechanism: Mechanism[Any], domain: Any, n: int, privacy: Privacy, ends: ArrayLike | None
) -> tuple[Pair, ...]:
    def size(fewest: int) -> int:
        return fitting(mechanism, domain, n, fewest, privacy)

    if isinstance(mechanism, BlockMechanism):
        few = size(mechanism.sampling.blocks * mechanism.function.smallest_block(domain))
        return pairs_of_blocks(mechanism, domain, few, privacy)
    kind = reads(mechanism)
    if kind == "column":
        assert isinstance(mechanism, ScalarMechanism)
        few = size(COLUMN)
        pairs = pairs_of_columns(mechanism.query, domain, few, _beta(mechanism, privacy))
        if isinstance(mechanism, ProposeTestRelease):
            pairs += at_the_test(mechanism, domain, few, privacy)
        return pairs
    if kind == "weighted-graph":
        few = min(n, VERTICES)
        return pairs_of_weights(domain, *((ring(few), few) if ends is None else (ends, n)))
    if kind == "simple-graph":
        return pairs_of_edges(min(n, VERTICES))
    if kind == "categories":
        return pairs_of_categories(domain, size(CATEGORIES))
    return pairs_of_points(domain, size(POINTS), getattr(mechanism, "t", None))


def worst(mistake: Planted, pairs: Sequence[Pair]) -> Pair:
    """Return the pair on which a mistake shows best, or the first where it has another name."""
    name = mistake.worst_for(mistake.right)
    return next((pair for pair in pairs if pair.name == name), pairs[0])


def _beta(mechanism: ScalarMechanism, privacy: Privacy) -> float:
    if isinstance(mechanism, SmoothRelease):
        return smoothness(mechanism.noise, privacy, constants=mechanism.constants, split=mechanism.split)
    return default_smoothness(privacy)


def reads(mechanism: Mechanism[Any]) -> str:
    """Return which kind of data a mechanism reads: "column", "points" ..."""
    if isinstance(mechanism, Planted):
        return reads(mechanism.right)
    if isinstance(mechanism, ScalarMechanism):
        return mechanism.query.reads
    assert isinstance(mechanism, Sanitizer)
    return mechanism.reads


def fitting(mechanism: Mechanism[Any], domain: Any, n: int, fewest: int, privacy: Privacy) -> int:
    """Return a size from `fewest` on, at most n, for which the mechanism finds no problem."""
    size = min(n, fewest)
    while size < n and mechanism.problems(privacy, domain, size):
        size = min(n, 2 * size)
    return size

"""Neighbouring databases on which mistakes show.

A pair is public if it follows from bounds and sizes alone.  A pair that is made of the data at
hand tells about them, and so does everything that is drawn from it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from typing import Any

from engine.audit.pair import Pair, as_meant
from engine.mechanisms import Planted
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy, PrivacyLike, as_privacy

ASSUMED = Privacy(1.0, 1e-6)
"""What decides whether a mechanism fits few records, unless another is given."""


def built_in(
    mechanism: Mechanism[Any], domain: Any, n: int, privacy: PrivacyLike = ASSUMED, **structure: Any
) -> tuple[Pair, ...]:
    """Return public pairs for whatever a mechanism reads; the first is the worst for most mistakes.

    Parameters
    ----------
    mechanism : Mechanism
        Its `worst_cases` says what makes them.
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        The public size.  Pairs are smaller where the mechanism allows it: that is quicker.
    privacy : PrivacyLike
        What will be promised; the smallest size can depend on it.
    structure : dict
        What else is public about such data.  Of n vertices with weights, `ends` are the edges, an
        array of int of shape (m, 2); without them, pairs lie on a ring of a few vertices.

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
    privacy = as_privacy(privacy)
    model = mechanism.model if isinstance(mechanism, Planted) else mechanism
    make = pkgutil.resolve_name(model.worst_cases)
    made: tuple[Pair, ...] = make(model, domain, n, privacy, **structure)
    pairs = tuple(pair for each in made if (pair := as_meant(model, each)) is not None)
    fit = tuple(pair for pair in pairs if not model.problems(privacy, domain, pair.data.n))
    # where nothing fits, the mechanism itself says what is wrong
    return fit or pairs


def worst(mistake: Planted, pairs: Sequence[Pair]) -> Pair:
    """Return the pair on which a mistake shows best, or the first where it has another name."""
    name = mistake.worst_for(mistake.right)
    return next((pair for pair in pairs if pair.name == name), pairs[0])

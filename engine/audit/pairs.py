"""Two databases that differ in one record, and the beta for which worst cases are made."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.data.categories import Categories
from engine.errors import ParameterError
from engine.mechanisms import Planted
from engine.mechanisms.base import Mechanism
from engine.noise import NoiseChoice
from engine.privacy import ZERO_OUT, Privacy, PrivacyLike, as_privacy


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Pair:
    """Neighbours on which to audit a mechanism; `worst_case_pairs` has public ones.

    Attributes
    ----------
    name : str
        Lower case with hyphens; what the command line takes.
    label : str
        A few words.
    why : str
        One sentence: which mistake shows here.
    data, neighbour : AnyDatabase
        Of the kind that the mechanism reads.
    public : bool
        Whether both follow from public facts; otherwise they tell about the data at hand.
    """

    name: str
    label: str
    why: str
    data: Any
    neighbour: Any
    public: bool = True


def as_meant(mechanism: Mechanism[Any], pair: Pair) -> Pair | None:
    """Return a pair in which one record is another as neighbours of a mechanism.

    Where its promise is for a record that is left empty, that record is left out of the neighbour: for what
    is audited, which are counts before anything is done with them, that is the same.  None where no other
    record is left.
    """
    if mechanism.relation != ZERO_OUT:
        return pair
    before, after = (
        data.codes if isinstance(data, Categories) else data.values for data in (pair.data, pair.neighbour)
    )
    kept = np.flatnonzero((before == after).all(axis=1))
    if not kept.size:
        return None
    return dataclasses.replace(pair, neighbour=pair.data.only(kept), why=f"{pair.why}; here it is left empty")


def default_smoothness(privacy: Privacy) -> float:
    return privacy.epsilon / 8


def smoothness(noise: NoiseChoice, privacy: Privacy, dimension: int = 1, **settings: Any) -> float:
    """Return the beta of a noise, or a usual one where it cannot be calibrated.

    The mechanism itself says what is wrong then.
    """
    try:
        family, split = noise.chosen(privacy, settings.pop("split", 0.5), dimension=dimension)
        return family.admissible(privacy, dimension, split=split, **settings).beta
    except ParameterError:
        return default_smoothness(privacy)


def fitting(mechanism: Mechanism[Any], domain: Any, n: int, fewest: int, privacy: Privacy) -> int:
    """Return a size from `fewest` on, at most n, for which the mechanism finds no problem."""
    size = min(n, fewest)
    while size < n and mechanism.problems(privacy, domain, size):
        size = min(n, 2 * size)
    return size


ASSUMED = Privacy(1.0, 1e-6)
"""The budget by which a mechanism fits few records, unless another is given."""


def worst_case_pairs(
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
        The promise; the smallest size can depend on it.
    structure : dict
        Further public facts about such data.  Of n vertices with weights, `ends` are the edges, an
        array of int of shape (m, 2); without them, pairs lie on a ring of a few vertices.

    Returns
    -------
    tuple of Pair

    Examples
    --------
    Five values at either bound, and the neighbour in which one of them has crossed:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy
    >>> pairs = worst_case_pairs(LaplaceRelease(query=Mean()), Interval(0, 100), 10, Privacy(1.0))
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

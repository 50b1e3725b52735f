"""Two databases that differ in one record, and the beta for which worst cases are made."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from engine.data.categories import Categories
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism
from engine.noise import NoiseChoice
from engine.privacy import ZERO_OUT, Privacy


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
    """Return about what the default noise takes."""
    return privacy.epsilon / 8


def smoothness(noise: NoiseChoice, privacy: Privacy, dimension: int = 1, **settings: Any) -> float:
    """Return the beta of a noise, or a usual one where it cannot be calibrated.

    What is wrong then is for the mechanism to say.
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

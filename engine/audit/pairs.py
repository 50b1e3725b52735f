"""Pairs of databases that differ in one record, and the beta of worst cases."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.arguments import as_domain, as_whole
from engine.data.categories import Categories
from engine.errors import ParameterError
from engine.mechanisms import Planted
from engine.mechanisms.base import Mechanism, MechanismLike, checked_mechanism
from engine.noise import NoiseChoice
from engine.privacy import ZERO_OUT, Privacy, PrivacyLike, as_privacy
from engine.signatures import explained


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Pair:
    """Neighbours for an audit of a mechanism; `worst_case_pairs` has public ones.

    Attributes
    ----------
    name : str
        Lower case with hyphens, for the command line.
    label : str
        A few words.
    why : str
        One sentence: which mistake this pair reveals.
    data, neighbour : AnyDatabase
        Of a type that the mechanism accepts.
    public : bool
        Whether both are public; otherwise they depend on the present data.

    See Also
    --------
    replace_one_pair, worst_case_pairs
    """

    name: str
    label: str
    why: str
    data: Any
    neighbour: Any
    public: bool = True


def as_meant(mechanism: Mechanism[Any], pair: Pair) -> Pair | None:
    """Convert a replace-one pair to neighbours of a mechanism.

    If its guarantee is for an emptied record, the neighbour omits that record.  For the audited quantities,
    counts before any post-processing, this is equivalent.  None if no other record remains.
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
    """Return the beta of a noise, or a default if it cannot be calibrated.

    The mechanism itself reports the error later.
    """
    try:
        family, split = noise.chosen(privacy, settings.pop("split", 0.5), dimension=dimension)
        return family.admissible(privacy, dimension, split=split, **settings).beta
    except ParameterError:
        return default_smoothness(privacy)


def fitting(mechanism: Mechanism[Any], domain: Any, n: int, fewest: int, privacy: Privacy) -> int:
    """Return the smallest size from `fewest` to n for which the mechanism reports no problem."""
    size = min(n, fewest)
    while size < n and mechanism.problems(privacy, domain, size):
        size = min(n, 2 * size)
    return size


DEFAULT_BUDGET = Privacy(1.0, 1e-6)
"""Default budget for choosing the smallest size."""


@explained
def worst_case_pairs(
    mechanism: MechanismLike, domain: Any, n: int, privacy: PrivacyLike = DEFAULT_BUDGET, **structure: Any
) -> tuple[Pair, ...]:
    """Return public pairs for any mechanism; the first is the worst for most mistakes.

    Parameters
    ----------
    mechanism : Mechanism
        Its `worst_cases` names the function that makes them.
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        The public size.  Pairs are smaller if the mechanism allows it, for speed.
    privacy : PrivacyLike
        The guarantee; the smallest size can depend on it.
    structure : dict
        Further public facts about such data.  For n vertices with weights, `ends` are the edges, an array of
        int of shape (m, 2); without them, pairs use a ring of a few vertices.

    Returns
    -------
    tuple of Pair

    See Also
    --------
    replace_one_pair, audit_run

    Examples
    --------
    Five values at either bound, and the neighbour with one of them at the other bound:

    >>> from engine import Interval, LaplaceRelease, Mean, Privacy
    >>> pairs = worst_case_pairs(LaplaceRelease(query=Mean()), Interval(0, 100), 10, Privacy(1.0))
    >>> pairs[0].name, pairs[0].public
    ('zeros-and-tops', True)
    """
    privacy, mechanism = as_privacy(privacy), checked_mechanism(mechanism)
    model = mechanism.model if isinstance(mechanism, Planted) else mechanism
    domain, n = as_domain(domain, model), as_whole("n", n, 1)
    make = pkgutil.resolve_name(model.worst_cases)
    made: tuple[Pair, ...] = make(model, domain, n, privacy, **structure)
    pairs = tuple(pair for each in made if (pair := as_meant(model, each)) is not None)
    fit = tuple(pair for pair in pairs if not model.problems(privacy, domain, pair.data.n))
    # if nothing fits, the mechanism reports the error later
    return fit or pairs


def checked_pair(pair: Any) -> Pair:
    """Return a pair; raise `ParameterError` for anything else."""
    if isinstance(pair, Pair):
        return pair
    if isinstance(pair, Sequence) and pair and all(isinstance(one, Pair) for one in pair):
        raise ParameterError("pair", f"there are {len(pair)} pairs; give one of them")
    raise ParameterError(
        "pair",
        "two databases are needed; give replace_one_pair(data, record, value), or one of worst_case_pairs",
    )


def worst(mistake: Planted, pairs: Sequence[Pair]) -> Pair:
    """Return the pair that reveals a mistake best, or the first if none has its name."""
    name = mistake.worst_for(mistake.right)
    return next((pair for pair in pairs if pair.name == name), pairs[0])

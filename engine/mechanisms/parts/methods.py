"""Methods for parts of a table whose sizes are confidential, by name."""

from __future__ import annotations

from typing import Any

from engine.errors import ParameterError
from engine.mechanisms.parts.base import PartsMechanism
from engine.mechanisms.parts.choice import ChoiceInParts
from engine.mechanisms.parts.sums import SumsInParts
from engine.mechanisms.rank_interval import COVERS
from engine.primitives.counts import FAMILIES
from engine.queries import Median, Quantile, Query


def method_in_parts(
    name: str, query: Query[Any], share: float = 0.0, covers: str = COVERS[0]
) -> PartsMechanism:
    """Return the method for a query about parts.

    `share` of epsilon pays for intervals of a choice by rank, and `covers` is the value that they hold: that
    of the data or of the population.  The name is "auto", that of the mechanism, or that of a noise for sums.

    Raises
    ------
    ParameterError
        If the method needs the number of records in each part.
    """
    by_rank = isinstance(query, Median | Quantile)
    possible = (ChoiceInParts.name, "exponential") if by_rank else (SumsInParts.name, *FAMILIES)
    if name not in ("auto", *possible):
        raise ParameterError(
            "method",
            f"no method {name} does without the number of records in each part, which is confidential; "
            f"choose {', '.join(possible[:-1])} or {possible[-1]}",
        )
    if by_rank:
        return ChoiceInParts(query=query, error_share=share, covers=covers)
    return SumsInParts(query=query, noise=name if name in FAMILIES else FAMILIES[0])

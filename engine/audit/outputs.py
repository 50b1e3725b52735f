"""The numbers of releases as they leave, and the public grid that they must lie on."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted.base import intended
from engine.mechanisms.prepared import Prepared
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.public_grid import PublicGrid


def grid_of(mechanism: Mechanism[Any], data: Any, privacy: Privacy) -> PublicGrid:
    """Return the grid of the numbers that a mechanism releases.

    Parameters
    ----------
    mechanism : Mechanism
        Without the post-processing that can be left out.
    data : AnyDatabase
        Its bounds, size and resolution count alone.
    privacy : Privacy

    Raises
    ------
    ParameterError
        If it releases no numbers, or such that are made of noisy ones and lie on no grid themselves.
    """
    right = intended(mechanism)
    grid = right.number_grid(data, privacy)
    if grid is not None:
        return grid
    raise ParameterError(
        "mechanism",
        f"{right.label} releases no numbers that lie on a grid themselves, so that there is nothing to look "
        "for in their low bits",
    )


def point_size(mechanism: Mechanism[Any], domain: Any, size: int) -> int:
    """Return how many of `size` numbers make one point of a set, which has no order; all of them else."""
    return int(domain.dimension) if intended(mechanism).unordered else size


def numbers(
    mechanism: Mechanism[Any],
    ready: Prepared,
    domain: Any,
    rng: np.random.Generator,
    size: int,
    progress: Progress = silent,
) -> Floats:
    """Draw `size` releases, and return the numbers in each, shape (size, D); NaN where there are fewer."""
    return mechanism.to_release_form(ready.draw_numbers(rng, size, progress), domain).reshape(size, -1)

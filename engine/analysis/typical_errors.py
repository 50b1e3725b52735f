"""How far releases typically fall from what they estimate."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.data.points import Points
from engine.mechanisms import PointsMechanism
from engine.privacy import Privacy
from engine.progress import Progress, part, silent

RUNS = 400
"""Simulated releases from which a typical error is taken."""


@dataclasses.dataclass(frozen=True)
class TypicalError:
    """Distances of simulated releases from the truth, in the metric of outputs (private).

    Returned by `typical_error`.

    Attributes
    ----------
    typical, most : float
        Half of the releases are nearer than `typical`, 95 % than `most`.
    """

    typical: float
    most: float


def typical_error(
    mechanism: PointsMechanism,
    data: Points,
    privacy: Privacy,
    *,
    runs: int = RUNS,
    seed: int = 1,
    progress: Progress = silent,
) -> TypicalError:
    """Simulate releases of a mechanism on points, and return quantiles of their errors (private).

    Parameters
    ----------
    mechanism : PointsMechanism
    data : Points
    privacy : Privacy
    runs : int
        Fewer are made where each takes long.
    seed : int
        The same seed gives the same errors.
    progress : Progress

    Returns
    -------
    TypicalError

    Examples
    --------
    Laplace noise of scale 2/(1000 epsilon) in each of two columns:

    >>> import numpy as np
    >>> from engine import Box, NoisyAverage, Points, Privacy
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> found = typical_error(NoisyAverage(), data, Privacy(1.0))
    >>> 0.001 < found.typical < found.most < 0.02
    True
    """
    truth = true_value(mechanism, data, privacy, part(progress, 0.0, 0.4))
    share = part(progress, 0.4, 1.0)
    values = simulated_values(mechanism, data, privacy, runs=runs, seed=seed, progress=share)
    typical, most = np.quantile(mechanism.errors(values, truth, data.domain), [0.5, 0.95])
    return TypicalError(float(typical), float(most))

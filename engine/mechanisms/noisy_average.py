"""The noisy mean of points: the baseline for means."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from engine.aggregation.functions import MeanFunction
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.aggregators.base import VectorAdditive, exact_mean, nearest_doubles, output_grids
from engine.mechanisms.guarantee import PURE, Guarantee
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.problem import Problem, problems_of
from engine.mechanisms.release import Private
from engine.noise import Laplace
from engine.noise.base import check_bounds
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import outward


class NoisyAverage(PointsMechanism, hides="Laplace", on_step=True):
    """Release the mean of all points plus Laplace noise: epsilon-differentially private.

    One person changes the mean of column j by at most w_j/n, where w_j is the width of its bounds.  Noise
    of scale ``d w_j/(n epsilon)`` spends epsilon/d on each of d columns.

    Source: Dwork, McSherry, Nissim, Smith 2006.

    Examples
    --------
    Two columns of width 1 and 1,000 records: the scale is 2/(1000 epsilon).

    >>> import numpy as np
    >>> from engine import Box, Points, Privacy, reproducible
    >>> data = Points(np.random.default_rng(1).normal(0.25, 0.02, (1000, 2)), Box.of([0, 0], [1, 1]))
    >>> simulated = NoisyAverage().run(data, Privacy(1.0), reproducible(1))
    >>> np.round(simulated.noise["scale"], 6), np.round(simulated.value, 2)
    (array([0.002, 0.002]), array([0.25, 0.25]))
    """

    name: ClassVar[str] = "noisy-average"
    label: ClassVar[str] = "Noisy average"
    summary: ClassVar[str] = "the mean of all points, with noise scaled to the global sensitivity"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = ROUNDED
    guarantee: ClassVar[Guarantee] = PURE
    vectors: ClassVar[MeanFunction] = MeanFunction()
    question: ClassVar[MeanFunction] = vectors

    def step(self, domain: Box, n: int, privacy: Privacy) -> list[float]:
        return [grid.step for grid in output_grids(domain)]

    def problems(self, privacy: Privacy, domain: Box, n: int) -> tuple[Problem, ...]:
        return problems_of(check_bounds, privacy, domain.dimension)

    def prepare(self, data: Points, privacy: Privacy, progress: Progress = silent) -> VectorAdditive:
        scale = outward(data.domain.width / data.n * data.domain.dimension / privacy.epsilon)
        exact = exact_mean(data.values)
        center = nearest_doubles(exact)
        return VectorAdditive(
            center=center,
            box=data.domain,
            noise={"family": "laplace", "scale": scale.tolist()},
            error=float(np.max(scale)) * float(Laplace().quantile(0.975)),
            diagnostics=Private({"true_value": center, "scale": scale}),
            exact=exact,
            scale=scale,
            family=Laplace(),
        )

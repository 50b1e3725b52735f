"""Releases of diffprivlib."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine.array_types import Bools, Floats
from engine.domain import Interval
from engine.extras.libraries.answers import DoublesBetween, DoubleSums, PeerAnswer, Request
from engine.extras.libraries.library import Library
from engine.mechanisms.facts import Resources
from engine.privacy import NEIGHBOURS
from engine.sampling.public_grid import FREE, PublicGrid

DIFFPRIVLIB: Library = Library("diffprivlib.tools", "diffprivlib", ("0.7", "scikit-learn", "1.9"))


class DiffprivlibRelease(PeerAnswer, library=DIFFPRIVLIB):
    """A median, quantile, mean or count by diffprivlib (IBM).

    Its tools treat n as public: the sensitivity of a mean is (U - L)/n, and a replaced record moves ranks by
    one.  That is replace-one, as here.  All results but counts are computed in double precision: a mean is
    a double plus Laplace noise, also a double, and a quantile is uniform between two neighbouring records.
    So the set of possible doubles is known.

    Source: Holohan, Braghin, Mac Aonghusa, Levacher 2019, and the functions `quantile`, `mean` and
    `count_nonzero` of `diffprivlib.tools`; Holohan, Braghin 2021 for its sampler of Laplace noise.

    Examples
    --------
    >>> from engine import Interval, Median, Privacy, Sample
    >>> problems = DiffprivlibRelease(query=Median()).problems(Privacy(1.0), Interval(0, 100), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["diffprivlib is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "diffprivlib"
    label: ClassVar[str] = "diffprivlib"
    summary: ClassVar[str] = "releases of the library diffprivlib, to compare and to audit"
    source: ClassVar[str] = "Holohan, Braghin, Mac Aonghusa, Levacher 2019"

    def resources(self, domain: Any, n: int) -> Resources:
        return Resources(seconds=2e-4 + 9e-7 * n)

    def _request_for_values(
        self, values: Floats, bounds: Interval, q: float | None, epsilon: float
    ) -> Request:
        tools = DIFFPRIVLIB.load()

        ends = (bounds.lower, bounds.upper)
        if q is None:

            def mean(seed: int | None) -> float:
                return float(tools.mean(values, epsilon=epsilon, bounds=ends, random_state=seed))

            sums = DoubleSums(float(np.mean(values)), bounds.width / values.size / epsilon, *ends)
            return Request(mean, epsilon, NEIGHBOURS, FREE, sums)

        def quantile(seed: int | None) -> float:
            return float(tools.quantile(values, q, epsilon=epsilon, bounds=ends, random_state=seed))

        edges = np.sort(np.append(values, ends))
        return Request(quantile, epsilon, NEIGHBOURS, FREE, DoublesBetween(edges))

    def _request_for_count(self, holds: Bools, epsilon: float) -> Request:
        """Return the request for the number of true entries: integer noise for sensitivity 1."""
        tools = DIFFPRIVLIB.load()

        def draw(seed: int | None) -> float:
            return float(tools.count_nonzero(holds, epsilon=epsilon, random_state=seed))

        return Request(draw, epsilon, NEIGHBOURS, PublicGrid.multiples(1.0))

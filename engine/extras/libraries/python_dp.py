"""Releases of python-dp, the Python interface to Google's library for differential privacy."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine.array_types import Bools, Floats
from engine.domain import Interval
from engine.extras.libraries.answers import PeerAnswer, Request
from engine.extras.libraries.library import ADDED_OR_REMOVED, STEPS, Library
from engine.mechanisms.facts import Resources
from engine.privacy import NEIGHBOURS
from engine.sampling.public_grid import PublicGrid

PYTHON_DP: Library = Library("pydp.algorithms.laplacian", "python-dp")


class PythonDPRelease(PeerAnswer, library=PYTHON_DP):
    """A median, quantile, mean or count by python-dp (PyDP), a wrapper of Google's library in C++.

    Its epsilon is for one added or removed record, and hides n, too.  A replaced record is one removed and
    one added, so python-dp gets epsilon/2 (group privacy).  A count is different: python-dp gets only the
    records that satisfy the condition, and their number changes by at most one if a record is replaced.
    So it gets the whole epsilon.  python-dp takes no seed, so simulations cannot be repeated.

    Source: Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson 2020; the classes `Percentile` (a tree
    of noisy counts), `BoundedMean` and `Count` of `pydp.algorithms.laplacian`.

    Examples
    --------
    >>> from engine import Interval, Median, Privacy, Sample
    >>> problems = PythonDPRelease(query=Median()).problems(Privacy(1.0), Interval(0, 100), n=50)
    >>> [problem.message for problem in problems] in (
    ...     [], ["python-dp is not installed; install it with: pip install 'sensiscope[peers]'"]
    ... )
    True
    """

    name: ClassVar[str] = "python-dp"
    label: ClassVar[str] = "python-dp (Google)"
    summary: ClassVar[str] = "releases of the library python-dp, to compare and to audit"
    source: ClassVar[str] = "Wilson and others 2020"

    def resources(self, domain: Any, n: int) -> Resources:
        return Resources(seconds=1e-4 + 1e-7 * n)

    def _request_for_values(
        self, values: Floats, bounds: Interval, q: float | None, epsilon: float
    ) -> Request:
        laplacian = PYTHON_DP.load()

        ends = {"lower_bound": bounds.lower, "upper_bound": bounds.upper, "dtype": "float"}
        listed, half = values.tolist(), epsilon / STEPS

        def draw(_: int | None) -> float:
            if q is None:
                algorithm = laplacian.BoundedMean(half, **ends)
            else:
                algorithm = laplacian.Percentile(percentile=q, epsilon=half, **ends)
            return float(algorithm.quick_result(listed))

        return Request(draw, half, ADDED_OR_REMOVED)

    def _request_for_count(self, holds: Bools, epsilon: float) -> Request:
        laplacian = PYTHON_DP.load()

        satisfying = [1.0] * int(np.count_nonzero(holds))

        def draw(_: int | None) -> float:
            return float(laplacian.Count(epsilon, dtype="float").quick_result(satisfying))

        return Request(draw, epsilon, NEIGHBOURS, PublicGrid.multiples(1.0))

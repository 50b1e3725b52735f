"""Estimators with scikit-learn's conventions: `fit` makes a release.

Without `random_state` a fit draws from the operating system's entropy and costs budget, but enters no ledger.
With a seed it is a simulation.  A fitted estimator holds nothing confidential and can be pickled.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Ints
from engine.data.look_only import look_only, marks_of
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.extras.points.k_means import Lloyd
from engine.mechanisms import LaplaceRelease
from engine.mechanisms.base import Mechanism
from engine.mechanisms.release import Release
from engine.optional_packages import not_installed
from engine.privacy import Privacy
from engine.queries import Mean
from engine.randomness import reproducible

try:
    from sklearn.base import BaseEstimator, ClusterMixin
except ModuleNotFoundError:
    raise ModuleNotFoundError(not_installed("sklearn", "an estimator"), name="sklearn") from None


class PrivateEstimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of both estimators: parameters by name, and a release made by `fit`.

    Attributes
    ----------
    release_ : Release
        The fitted release with its cost, without diagnostics.
    """

    def __init__(
        self,
        mechanism: Mechanism[Any] | None = None,
        *,
        lower: Any = 0.0,
        upper: Any = 1.0,
        epsilon: float = 1.0,
        delta: float = 0.0,
        random_state: int | None = None,
    ) -> None:
        self.mechanism = mechanism
        self.lower = lower
        self.upper = upper
        self.epsilon = epsilon
        self.delta = delta
        self.random_state = random_state

    def _released(self, mechanism: Mechanism[Any], data: Any) -> Release:
        privacy = Privacy(float(self.epsilon), float(self.delta))
        rng = None if self.random_state is None else reproducible(int(self.random_state))
        self.release_ = copy.copy(mechanism.run(data, privacy, rng))
        return self.release_


class PrivateStatistic(PrivateEstimator):
    """The release of one number of a column, as an estimator.

    Parameters
    ----------
    mechanism : ScalarMechanism, optional
        The mean with Laplace noise by default.
    lower, upper : float
        Public bounds, which must not follow from the data; numbers outside are clamped.
    epsilon, delta : float
        The cost of one replaced record, unless the mechanism states another relation; n is public.
    random_state : int, optional
        With a seed, fits are simulations and no releases.

    Attributes
    ----------
    value_ : float or None
        The released number; None if the mechanism gave no answer.
    release_ : Release

    Examples
    --------
    >>> from sklearn.base import clone
    >>> from engine import Median, SmoothRelease
    >>> ages = [[21.0], [35.0], [44.0], [52.0], [67.0]] * 100
    >>> median = PrivateStatistic(SmoothRelease(query=Median()), lower=0, upper=120, random_state=1)
    >>> round(clone(median).set_params(epsilon=5.0).fit(ages).value_)
    44
    """

    def fit(self, X: ArrayLike, y: None = None) -> PrivateStatistic:
        """Release one number of a column, shape (n,) or (n, 1)."""
        values = np.asarray(X, dtype=np.float64)
        column = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
        mechanism = LaplaceRelease(query=Mean()) if self.mechanism is None else self.mechanism
        data = Sample(look_only(column, *marks_of(X)), Interval(float(self.lower), float(self.upper)))
        self.value_ = self._released(mechanism, data).value
        return self


class PrivateKMeans(ClusterMixin, PrivateEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The release of k centers, as an estimator that assigns new points to the nearest center.

    Parameters
    ----------
    mechanism : Mechanism, optional
        A mechanism that releases centers, such as `KMeansOnCells` or `Clusters`; `Lloyd` by default.
    lower, upper : float or sequence of float
        Public bounds of all columns or of each; they must not follow from the data.
    epsilon, delta : float
        The cost of one replaced record, unless the mechanism states another relation; n is public.
    random_state : int, optional
        With a seed, fits are simulations and no releases.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (k, d)
        The released centers.
    release_ : Release

    Examples
    --------
    >>> import numpy as np
    >>> from engine import Lloyd
    >>> rng = np.random.default_rng(1)
    >>> points = np.concatenate([rng.normal(0.2, 0.02, (500, 2)), rng.normal(0.8, 0.02, (500, 2))])
    >>> fitted = PrivateKMeans(Lloyd(k=2), epsilon=5.0, random_state=2).fit(points)
    >>> fitted.cluster_centers_.shape, len(set(fitted.predict([[0.2, 0.2], [0.8, 0.8]])))
    ((2, 2), 2)
    """

    def fit(self, X: ArrayLike, y: None = None) -> PrivateKMeans:
        """Release the centers of points, shape (n, d); labels of the points are private and not stored."""
        values = np.asarray(X, dtype=np.float64)
        columns = values.shape[1] if values.ndim == 2 else 1
        lower, upper = (np.broadcast_to(np.asarray(end, float), columns) for end in (self.lower, self.upper))
        mechanism = Lloyd() if self.mechanism is None else self.mechanism
        data = Points(look_only(values, *marks_of(X)), Box.of(lower.tolist(), upper.tolist()))
        self.cluster_centers_ = np.asarray(self._released(mechanism, data).value, dtype=np.float64)
        return self

    def predict(self, X: ArrayLike) -> Ints:
        """Return the index of the nearest center for each new point: post-processing of the release."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        points = np.asarray(X, dtype=np.float64)
        distances = ((points[:, None, :] - self.cluster_centers_[None]) ** 2).sum(axis=2)
        nearest: Ints = distances.argmin(axis=1)
        return nearest

    def fit_predict(self, X: ArrayLike, y: None = None) -> Ints:
        """Fit, and return the index of the nearest center for each point (private)."""
        return self.fit(X).predict(X)

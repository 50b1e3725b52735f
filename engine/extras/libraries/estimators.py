"""Estimators with scikit-learn's conventions: `fit` makes a release.

Without `random_state` a fit draws from the operating system's entropy and costs budget, but enters no ledger.
With a seed it is a simulation.  A fitted estimator holds nothing confidential and can be pickled.
"""

from __future__ import annotations

import copy
import dataclasses
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.arguments import as_generator
from engine.array_types import Floats, Ints
from engine.data.look_only import look_only, marks_of
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ParameterError, SensiscopeError
from engine.extras.points.k_means import Lloyd
from engine.mechanisms import LaplaceRelease
from engine.mechanisms.base import Mechanism, MechanismLike, checked_mechanism
from engine.mechanisms.release import Release
from engine.optional_packages import not_installed
from engine.privacy import Privacy
from engine.queries import Mean

SEARCHES = "sklearn.model_selection"
"""The package of scikit-learn that fits the same estimator many times."""

try:
    from sklearn.base import BaseEstimator, ClusterMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError:
    raise ModuleNotFoundError(not_installed("sklearn", "an estimator"), name="sklearn") from None


class PrivateEstimator(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Base of both estimators: parameters by name, and a release made by `fit`.

    Attributes
    ----------
    release_ : Release
        The fitted release with its cost, without diagnostics.
    n_features_in_ : int
        Number of columns.
    """

    def __init__(
        self,
        mechanism: MechanismLike | None = None,
        *,
        lower: Any = 0.0,
        upper: Any = 1.0,
        epsilon: float = 1.0,
        delta: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.mechanism = mechanism
        self.lower = lower
        self.upper = upper
        self.epsilon = epsilon
        self.delta = delta
        self.random_state = random_state

    def _mechanism(self, usual: Mechanism[Any]) -> Mechanism[Any]:
        return usual if self.mechanism is None else checked_mechanism(self.mechanism)

    def _values(self, X: ArrayLike, fewest: int = 1) -> Any:
        """Return points, shape (n, d), with the marks of the table that they come from."""
        self._refuse_search()
        return look_only(self._checked(X, ensure_min_samples=fewest), *marks_of(X))

    def _checked(self, X: ArrayLike, **options: Any) -> Floats:
        """Return an array that scikit-learn has checked; its message about a text would quote a cell."""
        try:
            values: Floats = validate_data(self, X, dtype=np.float64, **options)
        except ValueError as error:
            if "could not convert" not in str(error):
                raise
            problem = "the values are not numbers; give one number for each column"
            raise DataError(problem, confidential=str(error)) from None
        return values

    def _bounds(self) -> Box:
        lower, upper = (
            np.broadcast_to(np.asarray(end, float), self.n_features_in_) for end in (self.lower, self.upper)
        )
        return Box.of(lower.tolist(), upper.tolist())

    def _refuse_search(self) -> None:
        """Raise `SensiscopeError` for a release in a search or a cross-validation, which fits many times."""
        if self.random_state is None and any(map(_is_search, _frames())):
            raise SensiscopeError(
                "a search or cross-validation fits many times, and each fit would spend epsilon; choose the "
                "parameters with a seed (random_state) on public or simulated data, then fit once"
            )

    def _released(self, mechanism: Mechanism[Any], data: Any, privacy: Privacy, rng: Any) -> Release:
        return copy.copy(mechanism.run(data, privacy, rng))


def _frames() -> Iterator[FrameType]:
    """Yield the frames of all callers."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_search(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith(SEARCHES)


class PrivateStatistic(PrivateEstimator):
    """The release of one number of each column, as an estimator.

    Parameters
    ----------
    mechanism : ScalarMechanism, optional
        The mean with Laplace noise by default.
    lower, upper : float or sequence of float
        Public bounds of all columns or of each, which must not follow from the data; numbers outside are
        clamped.
    epsilon, delta : float
        The cost of one replaced record, unless the mechanism states another relation; n is public.  Several
        columns share it equally.
    random_state : int, optional
        With a seed, fits are simulations and no releases.

    Attributes
    ----------
    value_ : float, None or ndarray of shape (d,)
        The released number; None if the mechanism gave no answer.  Of several columns an array, with NaN for
        no answer.
    release_ : Release
        Of the first column.
    releases_ : tuple of Release
        Of all columns.

    See Also
    --------
    PrivateKMeans, SmoothRelease

    Examples
    --------
    >>> from sklearn.base import clone
    >>> from engine import Median, SmoothRelease
    >>> ages = [[21.0], [35.0], [44.0], [52.0], [67.0]] * 100
    >>> median = PrivateStatistic(SmoothRelease(query=Median()), lower=0, upper=120, random_state=1)
    >>> round(clone(median).set_params(epsilon=5.0).fit(ages).value_)
    44
    """

    def fit(self, X: ArrayLike, y: Any = None) -> PrivateStatistic:
        """Release one number of each column, shape (n, d); one column may have the shape (n,)."""
        if y is None and np.ndim(X) == 1:
            X = look_only(np.asarray(X, dtype=np.float64)[:, None], *marks_of(X))
        values = self._values(X)
        mechanism = self._mechanism(LaplaceRelease(query=Mean()))
        shares = Privacy(float(self.epsilon), float(self.delta)).split([1] * self.n_features_in_)
        rng = as_generator(self.random_state)
        self.releases_ = tuple(
            self._released(mechanism, Sample(column, side), share, rng)
            for column, side, share in zip(values.T, self._bounds().sides, shares, strict=True)
        )
        self.release_ = self.releases_[0]
        numbers = [release.value for release in self.releases_]
        self.value_ = numbers[0] if len(numbers) == 1 else np.array(numbers, dtype=np.float64)
        return self


def with_centers(mechanism: Mechanism[Any], k: int) -> Mechanism[Any]:
    """Return a mechanism that releases k centers; raise `ParameterError` for one without k."""
    if "k" not in {known.name for known in mechanism.parameters()}:
        raise ParameterError("n_clusters", f"{mechanism.label} has no number of clusters; leave it out")
    changes: dict[str, Any] = {"k": k}
    return dataclasses.replace(mechanism, **changes)


class PrivateKMeans(ClusterMixin, PrivateEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """The release of k centers, as an estimator that assigns new points to the nearest center.

    Parameters
    ----------
    mechanism : Mechanism, optional
        A mechanism that releases centers, such as `KMeansOnCells` or `Clusters`; `Lloyd` by default.
    n_clusters : int, optional
        The number k of centers; by default that of the mechanism, 3.
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

    See Also
    --------
    PrivateStatistic, KMeansOnCells

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> points = np.concatenate([rng.normal(0.2, 0.02, (500, 2)), rng.normal(0.8, 0.02, (500, 2))])
    >>> fitted = PrivateKMeans(n_clusters=2, epsilon=5.0, random_state=2).fit(points)
    >>> fitted.cluster_centers_.shape, len(set(fitted.predict([[0.2, 0.2], [0.8, 0.8]])))
    ((2, 2), 2)
    """

    def __init__(
        self,
        mechanism: MechanismLike | None = None,
        *,
        n_clusters: int | None = None,
        lower: Any = 0.0,
        upper: Any = 1.0,
        epsilon: float = 1.0,
        delta: float = 0.0,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            mechanism, lower=lower, upper=upper, epsilon=epsilon, delta=delta, random_state=random_state
        )
        self.n_clusters = n_clusters

    def fit(self, X: ArrayLike, y: Any = None) -> PrivateKMeans:
        """Release the centers of points, shape (n, d); labels of the points are private and not stored."""
        mechanism = self._mechanism(Lloyd())
        if self.n_clusters is not None:
            mechanism = with_centers(mechanism, self.n_clusters)
        values = self._values(X, getattr(mechanism, "k", 1))
        privacy = Privacy(float(self.epsilon), float(self.delta))
        data = Points(values, self._bounds())
        self.release_ = self._released(mechanism, data, privacy, as_generator(self.random_state))
        centers = [] if self.release_.value is None else self.release_.value
        self.cluster_centers_ = np.asarray(centers, dtype=np.float64).reshape(-1, self.n_features_in_)
        return self

    def predict(self, X: ArrayLike) -> Ints:
        """Return the index of the nearest center for each new point: post-processing of the release."""
        check_is_fitted(self)
        points = self._checked(X, reset=False)
        if not len(self.cluster_centers_):
            raise SensiscopeError("the mechanism gave no answer, so that there are no centers; fit again")
        distances = ((points[:, None, :] - self.cluster_centers_[None]) ** 2).sum(axis=2)
        nearest: Ints = distances.argmin(axis=1)
        return nearest

    def fit_predict(self, X: ArrayLike, y: Any = None) -> Ints:
        """Fit, and return the index of the nearest center for each point (private)."""
        return self.fit(X).predict(X)

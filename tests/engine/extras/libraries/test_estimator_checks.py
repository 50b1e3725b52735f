"""The checks of scikit-learn for estimators, and searches, which would spend."""

import pickle
import warnings

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import estimator_checks_generator

from engine import (
    DataError,
    Lloyd,
    OneCluster,
    ParameterError,
    PrivateKMeans,
    PrivateStatistic,
    SensiscopeError,
    SmoothRelease,
)

POINTS = np.random.default_rng(1).uniform(0, 1, (60, 2))

CONTRADICTS_PRIVACY = {
    "check_clustering": "labels_ would hold the cluster of each record of the data: they are private",
}
"""Checks that a private estimator cannot pass, and why."""

ESTIMATORS = [
    PrivateStatistic(lower=-10, upper=10),
    PrivateStatistic(SmoothRelease("median"), lower=-10, upper=10, random_state=0),
    PrivateKMeans(lower=-10, upper=10),
    PrivateKMeans(Lloyd(k=2), lower=-10, upper=10, random_state=0),
]


def checks():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for estimator in ESTIMATORS:
            for given, check in estimator_checks_generator(estimator):
                name = check.func.__name__
                if name not in CONTRADICTS_PRIVACY:
                    yield pytest.param(given, check, id=f"{type(estimator).__name__} {name}")


@pytest.mark.parametrize(("estimator", "check"), [*checks()])
@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", CONTRADICTS_PRIVACY)
def test_the_reasons_hold(name):
    assert not hasattr(PrivateKMeans().fit(POINTS), "labels_")


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.filterwarnings("ignore")
def test_a_search_is_refused_since_each_fit_would_spend(n_jobs):
    search = GridSearchCV(
        PrivateKMeans(lower=0, upper=1), {"epsilon": [1, 2]}, scoring=lambda *_: 0.0, cv=2, n_jobs=n_jobs
    )
    with pytest.raises(ValueError, match="each fit would spend epsilon"):
        search.fit(POINTS)
    get_reusable_executor().shutdown(wait=True)
    search.set_params(error_score="raise", n_jobs=None)
    with pytest.raises(SensiscopeError, match="each fit would spend epsilon"):
        search.fit(POINTS)
    with pytest.raises(SensiscopeError, match="random_state"):
        cross_val_predict(PrivateKMeans(), POINTS, cv=2)


def test_a_search_with_a_seed_spends_nothing():
    estimator = PrivateKMeans(Lloyd(k=2), lower=0, upper=1, random_state=1)
    search = GridSearchCV(estimator, {"epsilon": [1, 2]}, scoring=lambda *_: 0.0, cv=2).fit(POINTS)
    assert search.best_estimator_.release_.simulated


def test_clone_and_pipeline():
    pipeline = make_pipeline(FunctionTransformer(), PrivateKMeans(Lloyd(k=2), epsilon=2.0))
    fitted = clone(pipeline).fit(POINTS)
    assert fitted[-1].release_.privacy.epsilon == 2.0
    assert not fitted[-1].release_.simulated
    assert fitted.predict(POINTS).shape == (60,)


def test_a_pickle_has_the_release_and_no_diagnostics():
    again = pickle.loads(pickle.dumps(PrivateStatistic("median").fit(POINTS)))
    assert all(not release.diagnostics for release in again.releases_)
    assert again.value_.shape == (2,)


def test_columns_share_the_budget():
    fitted = PrivateStatistic(epsilon=1.0, delta=1e-6).fit(POINTS)
    assert [one.privacy.epsilon for one in fitted.releases_] == [0.5, 0.5]


def test_a_message_quotes_no_cell():
    for kind in (PrivateStatistic, PrivateKMeans):
        with pytest.raises(DataError, match="not numbers") as raised:
            kind().fit([["secret", 1.0], [2.0, 3.0], [2.0, 3.0]])
        assert "secret" not in str(raised.value)
        assert "secret" in raised.value.confidential


def test_a_mechanism_without_an_answer():
    fitted = PrivateKMeans().fit(POINTS)
    fitted.cluster_centers_ = np.empty((0, 2))
    with pytest.raises(SensiscopeError, match="there are no centers"):
        fitted.predict(POINTS)


def test_the_number_of_clusters_may_be_stated():
    fitted = PrivateKMeans(n_clusters=4).fit(POINTS)
    assert fitted.cluster_centers_.shape == (4, 2)
    assert PrivateKMeans(Lloyd(k=2)).fit(POINTS).cluster_centers_.shape == (2, 2)
    with pytest.raises(ParameterError, match="n_clusters: 1-cluster has no number of clusters"):
        PrivateKMeans(OneCluster(t=20), n_clusters=4).fit(POINTS)

"""Our mechanisms as parts of OpenDP and scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from engine import Lloyd, WinsorizedMean
from engine.domain import Interval
from engine.errors import ParameterError
from engine.extras.libraries.diffprivlib import DiffprivlibRelease
from engine.extras.libraries.estimators import PrivateKMeans, PrivateStatistic
from engine.extras.libraries.opendp import OpenDPRelease, opendp_measurement
from engine.mechanisms import LaplaceRelease, OneCluster, ProposeTestRelease, SmoothRelease
from engine.mechanisms.planted import PLANTED
from engine.privacy import Privacy
from engine.queries import Mean, Median

DOMAIN = Interval(0.0, 10.0)
needs_opendp = pytest.mark.skipif(
    not OpenDPRelease.facts.library.is_installed, reason="OpenDP is missing (extra 'peers')"
)


@needs_opendp
def test_the_privacy_map_is_that_of_as_many_replaced_records():
    pure = opendp_measurement(LaplaceRelease(query=Mean()), DOMAIN, 4, Privacy(0.5, 1e-6))
    assert [pure.map(distance) for distance in (0, 1, 2, 3, 4)] == [0.0, 0.0, 0.5, 0.5, 1.0]
    smooth = opendp_measurement(ProposeTestRelease(query=Median(), bound=1.0), DOMAIN, 4, Privacy(0.5, 1e-6))
    assert smooth.map(0) == (0.0, 0.0)
    assert smooth.map(2) == (0.5, 1e-6)
    group = Privacy(0.5, 1e-6).for_group(2)
    assert smooth.map(4) == (group.epsilon, group.delta)


@needs_opendp
def test_each_invocation_is_a_release_of_clamped_numbers():
    mean = opendp_measurement(LaplaceRelease(query=Mean()), DOMAIN, 3, Privacy(100.0))
    assert mean([0.0, 4.0, np.inf]) == pytest.approx(14 / 3, abs=1)
    assert mean([0.0, 4.0, np.inf]) != mean([0.0, 4.0, np.inf])


@needs_opendp
def test_opendp_composes_it():
    import opendp.prelude as dp

    mean = opendp_measurement(LaplaceRelease(query=Mean()), DOMAIN, 3, Privacy(0.25))
    both = dp.c.make_composition([mean, mean])
    assert both.map(2) == pytest.approx(0.5)
    assert len(both([1.0, 2.0, 3.0])) == 2


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (OneCluster(), "does not read a column"),
        (DiffprivlibRelease(query=Mean()), "has no exact guarantee for OpenDP: made by diffprivlib"),
        (PLANTED["halved-scale"](LaplaceRelease(query=Mean())), "it has no guarantee"),
        (ProposeTestRelease(query=WinsorizedMean()), "has no exact guarantee for OpenDP: the distance"),
        (ProposeTestRelease(), "it needs delta"),
    ],
)
def test_what_cannot_be_one_is_told(mechanism, words):
    with pytest.raises(ParameterError, match=words):
        opendp_measurement(mechanism, DOMAIN, 3, Privacy(1.0))


@pytest.mark.parametrize("kind", [PrivateStatistic, PrivateKMeans])
def test_parameters_follow_the_conventions(kind):
    mechanism = Lloyd(k=2) if kind is PrivateKMeans else SmoothRelease()
    estimator = kind(mechanism, lower=-1.0, upper=2.0, epsilon=0.3, delta=1e-7, random_state=5)
    copy = clone(estimator)
    assert copy is not estimator
    assert copy.get_params() == estimator.get_params()
    assert copy.set_params(epsilon=2.0).epsilon == 2.0
    assert "epsilon=0.3" in repr(estimator)


def test_a_fit_is_a_release_and_with_a_seed_a_simulation():
    column = np.linspace(0, 10, 50)
    real = PrivateStatistic(upper=10.0, epsilon=2.0).fit(column)
    assert (real.release_.simulated, real.release_.privacy) == (False, Privacy(2.0))
    seeded = [PrivateStatistic(upper=10.0, random_state=1).fit(shape) for shape in (column, column[:, None])]
    assert seeded[0].release_.simulated
    assert seeded[0].value_ == seeded[1].value_ == seeded[0].release_.value


def test_centers_serve_new_points_also_in_a_pipeline():
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.normal(spot, 0.02, (300, 2)) for spot in (0.2, 0.8)])
    with pytest.raises(NotFittedError):
        PrivateKMeans().predict(points)
    pipeline = make_pipeline(PrivateKMeans(Lloyd(k=2), epsilon=50.0, random_state=4)).fit(points)
    assert sorted(np.bincount(pipeline.predict(points))) == [300, 300]
    labels = PrivateKMeans(Lloyd(k=2), epsilon=50.0, random_state=4).fit_predict(points)
    assert len(set(labels[:300])) == len(set(labels[300:])) == 1

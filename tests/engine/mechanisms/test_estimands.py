"""What mechanisms on points say about what they estimate."""

import dataclasses

import numpy as np
import pytest

from engine import Lloyd
from engine.aggregation.functions import LinearRegression
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import Clusters, Mixture, NoisyAverage, SampleAggregate
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])
DATA = Points(np.random.default_rng(1).random((400, 2)), SQUARE)


@pytest.mark.parametrize("mechanism", [Clusters(k=2), Lloyd(k=2), NoisyAverage(), SampleAggregate()])
def test_the_true_value_is_a_vector_of_the_space(mechanism):
    prepared = mechanism.prepare(DATA, Privacy(1.0, 1e-5))
    truth = prepared.true_value()
    assert truth.shape == (mechanism.vectors.space(SQUARE).dimension,)
    assert np.allclose(mechanism.output.errors(truth[None], truth, SQUARE), 0)


def test_the_same_is_estimated_whatever_it_is_made_of():
    clusters = Clusters(k=2)
    fewer = dataclasses.replace(clusters, sampling=dataclasses.replace(clusters.sampling, blocks=7))
    assert fewer != clusters
    assert fewer.estimand == clusters.estimand
    assert Lloyd(k=2, rounds=9).estimand == Lloyd(k=2).estimand == clusters.estimand
    others = {
        clusters.estimand,
        Clusters(k=3).estimand,
        Clusters(k=2, pattern=5).estimand,
        Mixture(k=2).estimand,
    }
    assert len(others) == 4


def test_points_and_coordinates_have_names():
    assert (Clusters().vectors.noun, NoisyAverage().vectors.noun, SampleAggregate().vectors.noun) == (
        "center",
        "mean",
        "mean",
    )
    slopes = SampleAggregate(block_function=LinearRegression(intercept="included"))
    assert slopes.vectors.noun == "coefficient"
    assert slopes.vectors.coordinates(("x", "y"), SQUARE) == ("slope of x", "intercept")
    assert NoisyAverage().vectors.coordinates(("x", "y"), SQUARE) == ("output 1", "output 2")

"""Scripts that call functions by their former arguments get what these gave."""

import numpy as np
import pytest

import engine
from engine import Box, GrowingBox, KMeansOnCells, OneCluster, Points

DATA = Points([[0.4, 0.2], [0.6, 0.3]], Box.of([0, 0], [1, 1]), columns=("x", "y"))
LINE = Points([[0.4], [0.6]], Box.of([0], [1]))


@pytest.mark.parametrize(
    ("name", "mechanism", "data", "value"),
    [
        ("place_released", KMeansOnCells(k=1), DATA, [[0.1, 0.2]]),
        ("place_released_choice", GrowingBox(), LINE, 0.5),
    ],
)
def test_a_released_value_is_shown_alone(name, mechanism, data, value):
    cloud = getattr(engine, name)(mechanism, data, value)
    assert np.ravel(cloud.released).tolist() == np.ravel(value).tolist()
    assert (cloud.records, cloud.truth) == (None, None)


def test_a_released_ball_and_a_released_number_are_shown_alone():
    ball = engine.place_released_ball(OneCluster(t=2), DATA, {"center": [0.25, 0.25], "radius": 0.1}, up=0)
    assert (ball.balls[0].radius, ball.balls[0].held, ball.records) == (0.1, None, None)
    number = engine.place_released_number(LINE, 0.5)
    assert number.released.tolist() == [[0.5]]
    assert number.records is None

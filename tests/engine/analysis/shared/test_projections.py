"""Directions of pictures: columns are public, principal components spread most."""

import numpy as np
import pytest

from engine.aggregation.functions import FUNCTIONS
from engine.analysis.cluster_scenes import coordinates, project_outputs
from engine.analysis.shared.projections import along_columns, along_coordinates, principal_components, project
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import SampleAggregate

CUBE = Box.of([0] * 3, [1] * 3)
DATA = Points(
    np.random.default_rng(2).normal(0.5, [0.3, 0.05, 0.1], (500, 3)), CUBE, ["x", "y", "z"], ["cm", "", "g"]
)


def test_columns_are_public_and_keep_their_bounds():
    seen = along_columns(DATA, (2, 0))
    assert [(one.name, one.unit) for one in seen.directions] == [("z", "g"), ("x", "cm")]
    assert not any(direction.private for direction in seen.directions)
    assert seen.points([[1.0, 2.0, 3.0]]).tolist() == [[3.0, 1.0]]
    assert seen == project(DATA, axes=(2, 0))


def test_principal_components_spread_most():
    middle, components = principal_components(DATA)
    assert np.allclose(middle, DATA.values.mean(axis=0))
    assert np.allclose(components.T @ components, np.eye(2))
    along = ((DATA.values - middle) @ components).var(axis=0)
    every = DATA.values.var(axis=0)
    assert along[0] >= every.max() - 1e-12
    assert along[0] >= along[1]
    assert abs(components[0, 0]) > 0.9
    assert (components.max(axis=0) > 0).all()


def test_they_are_marked_and_hold_the_whole_box():
    seen = project(DATA, axes=(3, 4))
    assert all(direction.private for direction in seen.directions)
    corners = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    places = seen.points(corners)
    for place, direction in enumerate(seen.directions):
        assert places[:, place].min() == pytest.approx(direction.side.lower)
        assert places[:, place].max() == pytest.approx(direction.side.upper)


def test_a_column_beside_a_component_is_centred():
    seen = project(DATA, axes=(0, 3))
    assert seen.directions[0].private
    assert seen.directions[0].name == "x − mean"
    assert seen.points(DATA.values).mean(axis=0) == pytest.approx([0, 0], abs=1e-9)


def test_coefficients_have_directions_of_their_own():
    mechanism = SampleAggregate(block_function=FUNCTIONS["regression"]())
    seen = along_coordinates(coordinates(mechanism, DATA), (0, 1))
    assert [direction.name for direction in seen.directions] == ["slope of x", "slope of y"]
    assert project_outputs(mechanism, DATA) == seen


def test_points_of_one_column_have_one_direction():
    line = Points([[1.0], [2.0]], Box.of([0], [4]))
    seen = project(line)
    assert [one.name for one in seen.directions] == ["column 1"]
    assert seen.points(line.values).tolist() == [[1.0], [2.0]]

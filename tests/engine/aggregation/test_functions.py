"""What every block function promises: an output is made of its block and its seed, nothing else."""

import dataclasses

import numpy as np
import pytest

from engine.aggregation.functions import (
    FUNCTIONS,
    GaussianMixture,
    KMeans,
    LinearRegression,
    MeanFunction,
    MedianFunction,
)
from engine.aggregation.spaces import Euclidean, Manhattan, Wasserstein
from engine.catalog import offered
from engine.domain import Box
from engine.errors import ParameterError

EVERY = [
    MeanFunction(),
    MedianFunction(),
    KMeans(k=1),
    KMeans(k=3, restarts=2),
    GaussianMixture(k=2),
    GaussianMixture(k=3, fit="em"),
    LinearRegression(),
    LinearRegression(intercept="included"),
]
UNIT = Box.of([0.0] * 3, [1.0] * 3)


def label(function):
    return f"{function.name}-{'-'.join(map(str, function.settings().values()))}"


every = pytest.mark.parametrize("function", EVERY, ids=label)


def random_blocks(rng, count, size=11, d=3):
    """Blocks that converge at different times: some scattered, some of few distinct points."""
    blocks = rng.random((count, size, d))
    blocks[::3] = np.round(blocks[::3] * 2) / 2
    return blocks


def test_every_function_is_listed_by_name():
    assert list(offered("function")) == ["mean", "median", "k-means", "mixture", "regression"]
    assert {type(function) for function in EVERY} == set(offered("function").values())
    for function in FUNCTIONS.values():
        assert function.label
        assert function.summary


@every
def test_an_output_fits_its_space(function):
    blocks = random_blocks(np.random.default_rng(1), 4)
    space = function.space(UNIT)
    found = function.apply(blocks, np.arange(4))
    assert found.shape == (4, space.dimension)
    assert function.default(UNIT).shape == (space.dimension,)
    assert np.array_equal(space.box.clamp(function.default(UNIT)[None])[0], function.default(UNIT))
    assert function.problem(UNIT) is None


@every
def test_together_or_one_by_one_gives_the_same_to_the_last_bit(function):
    rng = np.random.default_rng(2)
    for size in (3, 8, 13, 200):
        blocks, seeds = random_blocks(rng, 23, size), rng.integers(0, 1 << 62, 23)
        together = function.apply(blocks, seeds)
        alone = np.concatenate([function.apply(blocks[i : i + 1], seeds[i : i + 1]) for i in range(23)])
        assert together.tobytes() == alone.tobytes()
        order = rng.permutation(23)
        assert function.apply(blocks[order], seeds[order]).tobytes() == together[order].tobytes()


@every
def test_one_person_changes_the_output_of_one_block(function):
    rng = np.random.default_rng(3)
    for _ in range(10):
        blocks, seeds = random_blocks(rng, 9), rng.integers(0, 1 << 62, 9)
        before = function.apply(blocks, seeds)
        changed, record = rng.integers(9), rng.integers(11)
        blocks[changed, record] = rng.choice([0.0, 1.0, rng.random()], 3)
        after = function.apply(blocks, seeds)
        others = np.arange(9) != changed
        assert before[others].tobytes() == after[others].tobytes()


@every
def test_the_points_are_left_alone(function):
    blocks = random_blocks(np.random.default_rng(4), 5)
    before = blocks.copy()
    function.apply(blocks, np.arange(5))
    assert np.array_equal(blocks, before)


@every
@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
def test_a_block_of_equal_points(function, value):
    found = function.apply(np.full((2, 7, 3), value), np.arange(2))
    if isinstance(function, LinearRegression):
        assert (found[:, :2] == 0).all()
        found = found[:, 2:]
    assert np.allclose(found, value, rtol=1e-15)


@every
def test_a_constant_column(function):
    blocks = np.random.default_rng(5).random((3, 20, 3))
    blocks[:, :, 1] = 0.3
    found = function.apply(blocks, np.arange(3))
    if isinstance(function, LinearRegression):
        assert (found[:, 1] == 0).all()
    else:
        assert np.allclose(found.reshape(3, -1, 3)[:, :, 1], 0.3, rtol=1e-14)


def test_means_and_medians_are_those_of_numpy():
    rng = np.random.default_rng(6)
    for size in (1, 2, 9, 10):
        blocks = rng.normal(size=(5, size, 3))
        seeds = np.zeros(5, dtype=np.int64)
        assert np.allclose(MeanFunction().apply(blocks, seeds), blocks.mean(axis=1), rtol=1e-14)
        assert np.array_equal(MedianFunction().apply(blocks, seeds), np.median(blocks, axis=1))


def test_the_order_of_records_does_not_matter_to_what_draws_nothing():
    rng = np.random.default_rng(7)
    blocks = random_blocks(rng, 6)
    shuffled = rng.permuted(np.arange(11 * 6).reshape(6, 11), axis=1) % 11
    reordered = np.take_along_axis(blocks, shuffled[:, :, None], axis=1)
    for function in (MeanFunction(), MedianFunction(), LinearRegression()):
        before, after = (function.apply(data, np.arange(6)) for data in (blocks, reordered))
        assert np.allclose(before, after, rtol=1e-9, atol=1e-12)


def test_spaces():
    box = Box.of([0.0, -1.0], [1.0, 3.0])
    assert MeanFunction().space(box) == Euclidean(box)
    assert MedianFunction(metric="L1").space(box) == Manhattan(box)
    assert KMeans(k=2).space(box) == Wasserstein(box.times(2), 2)
    assert GaussianMixture(k=4).smallest_block(box) == 4
    assert KMeans().unordered
    assert not MeanFunction().unordered


@pytest.mark.parametrize(
    ("function", "field", "value"),
    [
        (KMeans, "k", 0),
        (KMeans, "restarts", 0),
        (GaussianMixture, "fit", "best"),
        (MeanFunction, "metric", ""),
    ],
)
def test_parameters_out_of_their_bounds_are_refused(function, field, value):
    with pytest.raises(ParameterError) as refused:
        function(**{field: value})
    assert refused.value.field == field


def test_functions_are_values():
    assert dataclasses.replace(KMeans(), k=4) == KMeans(k=4) != KMeans()
    assert KMeans(k=4).settings() == {"k": 4, "restarts": 4}

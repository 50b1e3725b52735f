"""Contenders have distinct short names, answer the same question, and come with alternatives."""

import pytest

from engine import KMeansOnCells, Lloyd
from engine.aggregation.blocks import Partition
from engine.aggregation.functions import KMeans
from engine.catalog import sanitizers
from engine.comparison import alternatives, contenders_from, same_task
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms import (
    Clusters,
    ExponentialRelease,
    HistogramMechanism,
    LaplaceRelease,
    Mixture,
    NoisyAverage,
    OneCluster,
    ProposeTestRelease,
    SampleAggregate,
    SmoothRelease,
)
from engine.mechanisms.aggregators import CenterOfAttention
from engine.noise import Automatic, LaplacePareto, StudentT
from engine.privacy import Privacy
from engine.queries import Distance, Median, Quantile

BOX = Box.of([0, 0], [1, 1])


def labels(*mechanisms):
    return [contender.label for contender in contenders_from(mechanisms)]


def test_what_differs_in_kind_needs_its_label_alone():
    assert labels(SmoothRelease(split=0.3), LaplaceRelease()) == [
        "Smooth sensitivity",
        "Global sensitivity, Laplace",
    ]


def test_settings_are_told_where_like_named_ones_differ():
    told = labels(
        SmoothRelease(noise=StudentT(nu=3.0)),
        SmoothRelease(noise=StudentT(nu=4.0)),
        SmoothRelease(noise=LaplacePareto(), split=0.25),
    )
    assert told == [
        "Smooth sensitivity (Student's t, nu = 3, split = 0.5)",
        "Smooth sensitivity (Student's t, nu = 4, split = 0.5)",
        "Smooth sensitivity (Laplace core, Pareto tail, g = 4, split = 0.25)",
    ]


def test_settings_of_parts_of_parts_are_told():
    told = labels(
        Clusters(aggregator=CenterOfAttention(noise=StudentT(nu=3.0))),
        Clusters(aggregator=CenterOfAttention(noise=StudentT(nu=5.0))),
    )
    assert told == ["Clusters (nu = 3)", "Clusters (nu = 5)"]


def test_twins_are_numbered():
    assert labels(Lloyd(), Lloyd()) == ["Noisy Lloyd #1", "Noisy Lloyd #2"]


@pytest.mark.parametrize(
    "alike",
    [
        [SmoothRelease(), LaplaceRelease(), ExponentialRelease()],
        [Clusters(k=4), Mixture(k=4), Lloyd(k=4), SampleAggregate(block_function=KMeans(k=4))],
        [NoisyAverage(), SampleAggregate()],
        [kind() for kind in sanitizers().values() if issubclass(kind, HistogramMechanism)],
        [OneCluster(t=20), OneCluster(t=20, method="wide-boxes")],
    ],
)
def test_the_same_question(alike):
    same_task(alike)


@pytest.mark.parametrize(
    "different",
    [
        [SmoothRelease(), SmoothRelease(query=Quantile(q=0.9))],
        [SmoothRelease(query=Quantile(q=0.8)), LaplaceRelease(query=Quantile(q=0.9))],
        [Clusters(k=4), Lloyd(k=5)],
        [NoisyAverage(), Clusters()],
        [OneCluster(t=20), OneCluster(t=30)],
        [sanitizers()["mode"](), sanitizers()["contingency-table"]()],
        [],
    ],
)
def test_different_questions_are_refused_in_one_line(different):
    with pytest.raises(ParameterError) as caught:
        same_task(different)
    assert caught.value.field == "mechanisms"
    assert "\n" not in str(caught.value)


def test_alternatives_of_a_query_are_all_methods_with_the_noise_that_was_chosen():
    found = alternatives(SmoothRelease(noise=StudentT()), Privacy(1.0), Interval(0, 200), 100)
    assert [mechanism.name for mechanism in found] == [
        "smooth",
        "laplace",
        "gaussian",
        "exponential",
        "inverse-sensitivity",
        "piecewise-laplace",
        "propose-test-release",
    ]
    assert found[0].noise == StudentT()
    found = alternatives(LaplaceRelease(query=Quantile(q=0.8)), Privacy(1.0, 1e-6), Interval(0, 200), 100)
    assert found[0].name == "laplace"
    assert {mechanism.query for mechanism in found} == {Quantile(q=0.8)}
    smooth = next(mechanism for mechanism in found if mechanism.name == "smooth")
    assert smooth.noise == Automatic()


def test_a_bound_is_proposed_that_can_be_tested_and_a_chosen_one_is_kept():
    privacy, domain = Privacy(1.0, 1e-6), Interval(0, 200)
    proposed = next(
        m for m in alternatives(SmoothRelease(), privacy, domain, 100) if m.name.startswith("propose")
    )
    assert proposed.bound == pytest.approx(4.0)
    assert not proposed.problems(privacy, domain, 100)
    assert alternatives(ProposeTestRelease(bound=7.0), privacy, domain, 100)[0].bound == 7.0


def test_alternatives_keep_parameters_of_the_same_name():
    found = alternatives(Clusters(k=5, sampling=Partition(blocks=33)), Privacy(1.0, 1e-6), BOX, 1000)
    assert [type(mechanism) for mechanism in found] == [Clusters, KMeansOnCells, Mixture, Lloyd]
    assert [mechanism.k for mechanism in found] == [5, 5, 5, 5]
    assert found[2].sampling.blocks == 33


def test_blocks_that_nobody_chose_are_planned():
    few, many = (
        alternatives(Lloyd(k=2), Privacy(1.0, 1e-6), BOX, n)[2].sampling.blocks for n in (10**4, 10**6)
    )
    assert few < many


def test_a_mechanism_that_stands_alone_has_no_alternatives():
    alone = OneCluster(t=50)
    assert alternatives(alone, Privacy(1.0, 1e-6), BOX, 1000) == (alone,)


def test_alternatives_answer_the_same_question_whatever_is_asked():
    for kind in sanitizers().values():
        same_task(alternatives(kind(), Privacy(1.0, 1e-6), BOX, 1000))
    same_task(alternatives(SmoothRelease(query=Median()), Privacy(1.0), Interval(0, 1), 1))


def test_a_number_that_is_left_to_the_program_is_told_apart_from_one_that_is_stated():
    two = [SmoothRelease(query=Distance()), SmoothRelease(query=Distance(threshold=3.0))]
    assert [one.label for one in contenders_from(two)] == [
        "Smooth sensitivity (threshold = auto)",
        "Smooth sensitivity (threshold = 3)",
    ]

"""What was chosen is a tree, which may be unfinished or wrong; what was remembered grows into one."""

import json

import pytest

from engine import (
    Automatic,
    Average,
    CenterOfAttention,
    Clusters,
    LaplacePareto,
    Mean,
    Median,
    Partition,
    PowerLaplace,
    Quantile,
    SmoothRelease,
    StudentT,
)
from engine.catalog import FAMILIES, kinds
from engine.components import stands_alone
from engine.errors import ParameterError, UnknownName
from engine.specification import Choices, Specification, describe, key_of

SMOOTH = Specification("mechanism", "smooth")
EVERYTHING = [
    component()
    for family, registry in FAMILIES.items()
    for component in registry.values()
    if stands_alone(component) and family != "planted"
]


@pytest.mark.parametrize("component", EVERYTHING, ids=lambda one: f"{one.family}-{one.name}")
def test_what_describes_a_component_makes_it_again(component):
    described = describe(component)
    assert described.build() == component
    assert Specification.from_plain(json.loads(json.dumps(described.to_plain()))) == described


def test_what_is_absent_is_as_declared():
    assert SMOOTH.build() == SmoothRelease()
    assert SMOOTH.part("noise").build() == Automatic()
    assert "blocks" not in Specification("mechanism", "clusters").part("sampling").values


def test_parts_and_values_are_put_where_a_path_leads():
    chosen = SMOOTH.with_part(Specification("query", "quantile"), "query").with_value(0.2, "query", "q")
    assert chosen.build() == SmoothRelease(query=Quantile(q=0.2))
    assert chosen.without("query", "q").build() == SmoothRelease(query=Quantile())
    clusters = Specification("mechanism", "clusters").with_value(4.0, "aggregator", "noise", "g")
    assert clusters.build() == Clusters(aggregator=CenterOfAttention(noise=PowerLaplace(g=4.0)))
    assert clusters.path_to("noise") == ("aggregator", "noise")
    assert clusters.find("query") is None


def test_what_is_asked_is_the_query_or_the_mechanism():
    assert SMOOTH.asked.component is Median
    assert Specification("mechanism", "clusters").asked.component is Clusters
    assert [one.family for one in SMOOTH.from_question()] == ["query", "mechanism", "noise"]


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (SMOOTH.with_value(2.0, "split"), ParameterError, "split: 2.0 is not possible"),
        (Specification("mechanism", "smooth", {"q": 1}), ParameterError, "smooth has no such parameter"),
        (Specification("function", "black-box"), ParameterError, "needs further parameters"),
        (
            Specification("function", "black-box", {"seconds": 5.0}),
            ParameterError,
            "needs further parameters",
        ),
        (Specification("noise", "white"), UnknownName, "there is no noise 'white'"),
    ],
)
def test_what_is_wrong_can_be_held_but_not_made(wrong, error, words):
    with pytest.raises(error, match=words):
        wrong.build()


@pytest.mark.parametrize("plain", [None, [], {"family": "noise"}, {"family": 1, "name": "lcp", "values": {}}])
def test_what_is_no_specification_is_refused(plain):
    with pytest.raises(ParameterError, match="it must have family, name and values"):
        Specification.from_plain(plain)


def test_choices_grow_into_trees_and_learn_from_them():
    known = Choices({"noise": "student-t"}, {"noise/student-t": {"nu": 4.0}, "query/quantile": {"q": 0.2}})
    assert known.ask("quantile").build() == SmoothRelease(query=Quantile(q=0.2), noise=StudentT(nu=4.0))
    assert known.ask("clusters").build().aggregator.noise == StudentT(nu=4.0)
    later = known.learned(describe(SmoothRelease(query=Mean(), noise=LaplacePareto(g=3.0))))
    assert later.names == {"noise": "lcp", "query": "mean", "method": "smooth"}
    assert later.ask("clusters").build().aggregator.noise == LaplacePareto(g=3.0)
    assert later.specify("noise", "student-t").build() == StudentT(nu=4.0)


def test_what_was_set_back_is_forgotten():
    known = Choices().learned(SMOOTH.with_value(0.4, "split"))
    assert known.values == {"method/smooth": {"split": 0.4}}
    assert known.learned(SMOOTH).values == {}


def test_other_kinds_are_told_by_name():
    other = SMOOTH.with_part(Specification("noise", "student-t"), "noise")
    assert SMOOTH.other_kinds(other) == {"noise"}
    assert SMOOTH.other_kinds(SMOOTH.with_value(0.4, "split")) == set()
    whole = describe(Clusters(sampling=Partition(blocks=7), aggregator=Average()))
    assert SMOOTH.other_kinds(whole) >= {"method", "mechanism", "query", "noise", "sampling", "aggregator"}


def test_keys_go_by_kind():
    assert {key_of(one) for one in kinds()["method"].values()} >= {"method/smooth", "method/laplace"}
    assert key_of(Clusters) == "mechanism/clusters"

"""The catalog: everything that has a name, and help with names."""

import pytest

from engine import catalog
from engine.aggregation.samplings import SAMPLINGS
from engine.catalog import methods, sanitizers
from engine.errors import ParameterError, UnknownName
from engine.mechanisms import (
    SmoothRelease,
)
from engine.mechanisms.aggregators import AGGREGATORS
from engine.noise import NOISES, LaplacePareto, PowerLaplace
from engine.queries import (
    QUERIES,
    Median,
)


def test_the_catalog_holds_everything_and_helps_with_names():
    kinds = {(entry.kind, entry.name) for entry in catalog.entries()}
    assert {("query", name) for name in QUERIES} <= kinds
    assert {("noise", name) for name in NOISES} <= kinds
    assert {("method", name) for name in methods()} <= kinds
    assert {("mechanism", name) for name in sanitizers()} <= kinds
    assert {("function", name) for name in catalog.offered("function")} <= kinds
    assert {("sampling", name) for name in SAMPLINGS} <= kinds
    assert {("aggregator", name) for name in AGGREGATORS} <= kinds
    assert all(entry.label and entry.summary for entry in catalog.entries())
    assert catalog.noise("auto").usual() == PowerLaplace()
    built = catalog.mechanism(
        "smooth", catalog.query("median", even="average"), catalog.noise("lcp", g=3.0), split=0.4
    )
    assert built == SmoothRelease(query=Median(even="average"), noise=LaplacePareto(g=3.0), split=0.4)
    with pytest.raises(UnknownName, match="median"):
        catalog.query("medain")
    with pytest.raises(ParameterError, match="no such parameter"):
        catalog.noise("lcp", sigma=1.0)
    with pytest.raises(ParameterError, match="no such parameter"):
        catalog.mechanism("laplace", Median(), LaplacePareto())

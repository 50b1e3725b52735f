"""The one list of queries, noises, methods, mechanisms and examples.

The window, the command line and the help are built from it: a new query, noise family
or mechanism is one new file and one line in the registry of its floor.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from engine.aggregation.blocks import SAMPLINGS, Sampling
from engine.aggregation.function import BlockFunction
from engine.aggregation.functions import FUNCTIONS
from engine.data.examples import EXAMPLES
from engine.errors import ParameterError, UnknownName
from engine.mechanisms import MECHANISMS, PLANTED, SANITIZERS, Sanitizer, ScalarMechanism
from engine.mechanisms.aggregators import AGGREGATORS, Aggregator
from engine.noise import NOISES, Noise
from engine.noise import default_noise as default_noise
from engine.parameters import Parameter, Parameterised
from engine.queries import QUERIES, Query

ASKED: Mapping[str, type[Any]] = {**QUERIES, **SANITIZERS}
"""Everything that can be asked of data: queries of one number, and mechanisms with answers of their own."""

FAMILIES: Mapping[str, Mapping[str, type[Any]]] = {
    "query": QUERIES,
    "noise": NOISES,
    "method": MECHANISMS,
    "mechanism": SANITIZERS,
    "function": FUNCTIONS,
    "sampling": SAMPLINGS,
    "aggregator": AGGREGATORS,
}
"""All components by kind and name: what is asked, how it is released, and what both are made of."""

ComponentT = TypeVar("ComponentT", bound=Parameterised)


@dataclasses.dataclass(frozen=True)
class CatalogEntry:
    """What the catalog says about one thing.

    Attributes
    ----------
    kind : str
        "query", "noise", "method", "mechanism", "function", "sampling", "aggregator", "planted",
        "example"; front ends may have more.
    name : str
        Lower case with hyphens; what the command line takes.
    label, summary, source : str
        Words for people.
    parameters : tuple of Parameter
        Declared parameters, without nested components.
    """

    kind: str
    name: str
    label: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()


def entries() -> tuple[CatalogEntry, ...]:
    """Return everything there is."""
    components = tuple(
        CatalogEntry(
            kind=kind,
            name=name,
            label=component.label,
            summary=component.summary,
            source=component.source,
            parameters=component.plain_parameters(),
        )
        for kind, registry in {**FAMILIES, "planted": PLANTED}.items()
        for name, component in registry.items()
    )
    examples = tuple(
        CatalogEntry("example", example.name, example.title, example.description, example.source)
        for example in EXAMPLES.values()
    )
    return components + examples


def query(name: str, **settings: Any) -> Query[Any]:
    """Return the query `name`; raise `UnknownName` or `ParameterError`."""
    return _make("query", QUERIES, name, settings)


def noise(name: str, **settings: Any) -> Noise:
    """Return the noise family `name`; raise `UnknownName` or `ParameterError`."""
    return _make("noise", NOISES, name, settings)


def mechanism(method: str, query: Query[Any], noise: Noise | None = None, **settings: Any) -> ScalarMechanism:
    """Return the mechanism that releases `query` by `method`.

    `noise` is used by the methods that take one and must be left out otherwise.
    """
    if noise is not None:
        settings["noise"] = noise
    return _make("method", MECHANISMS, method, {"query": query, **settings})


def sanitizer(name: str, **settings: Any) -> Sanitizer[Any]:
    """Return the mechanism of its own `name`; raise `UnknownName` or `ParameterError`."""
    return _make("mechanism", SANITIZERS, name, settings)


def function(name: str, **settings: Any) -> BlockFunction:
    """Return the block function `name`; raise `UnknownName` or `ParameterError`."""
    return _make("function", FUNCTIONS, name, settings)


def sampling(name: str, **settings: Any) -> Sampling:
    """Return the way to draw blocks `name`; raise `UnknownName` or `ParameterError`."""
    return _make("sampling", SAMPLINGS, name, settings)


def aggregator(name: str, **settings: Any) -> Aggregator:
    """Return the aggregator `name`; raise `UnknownName` or `ParameterError`."""
    return _make("aggregator", AGGREGATORS, name, settings)


def _make(
    kind: str, registry: Mapping[str, type[ComponentT]], name: str, settings: dict[str, Any]
) -> ComponentT:
    if name not in registry:
        raise UnknownName(kind, name, registry)
    component = registry[name]
    known = {declared.name for declared in component.parameters()}
    for setting in settings:
        if setting not in known:
            allowed = ", ".join(sorted(known - {"query"})) or "none"
            raise ParameterError(setting, f"{kind} '{name}' has no such parameter; it has {allowed}")
    return component(**settings)

"""The catalog of queries, noises, methods, mechanisms and examples.

The window, the command line and the help are generated from it.
"""

from __future__ import annotations

import dataclasses
from collections import ChainMap
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, cast

from engine.aggregation.functions import FUNCTIONS
from engine.aggregation.samplings import SAMPLINGS
from engine.components import Component, ComponentT, MatchingComponents, Registry, runs_file, stands_alone
from engine.errors import ParameterError, UnknownName
from engine.mechanisms import MECHANISMS, PLANTED, Mechanism, ScalarMechanism
from engine.mechanisms.aggregators import AGGREGATORS
from engine.noise import NOISE_CHOICES, NoiseChoice
from engine.noise import NOISES as NOISES
from engine.parameters import Parameter, plain_parameters
from engine.queries import QUERIES, Query

if TYPE_CHECKING:
    from engine.aggregation.blocks import Sampling
    from engine.aggregation.function import BlockFunction
    from engine.mechanisms.aggregators import Aggregator
    from engine.mechanisms.parts import PartsMechanism

FAMILIES: Mapping[str, Mapping[str, type[Any]]] = {
    "query": QUERIES,
    "noise": NOISE_CHOICES,
    "mechanism": MECHANISMS,
    "function": FUNCTIONS,
    "sampling": SAMPLINGS,
    "aggregator": AGGREGATORS,
    "planted": PLANTED,
}
"""All components by family and name."""


def methods() -> Mapping[str, type[ScalarMechanism]]:
    """Return the mechanisms that release the answer to a query, by name."""
    return MatchingComponents(
        MECHANISMS,
        lambda name: not MECHANISMS.stated_reads(name) and issubclass(MECHANISMS[name], ScalarMechanism),
    )


def methods_for_parts() -> Mapping[str, type[PartsMechanism]]:
    """Return the mechanisms that release the answer to a query for each part of a table, by name."""
    return MatchingComponents(MECHANISMS, lambda name: bool(_reads(MECHANISMS, name) == "parts"))


def sanitizers() -> Mapping[str, type[Mechanism[Any]]]:
    """Return the mechanisms that compute their own answer instead of a query's, by name."""
    return MatchingComponents(
        MECHANISMS, lambda name: name not in methods() and name not in methods_for_parts()
    )


def _reads(registry: Registry[Any], name: str) -> Any:
    """Return what a component reads; import it only if its registration does not state that."""
    return registry.stated_reads(name) or registry[name].reads


def questions() -> Mapping[str, type[Any]]:
    """Return all queries, and mechanisms with their own answers, by name."""
    return ChainMap(
        cast("dict[str, type[Any]]", sanitizers()), QUERIES
    )  # reversed: lists show the last one first


def questions_about(reads: Collection[str]) -> dict[str, type[Any]]:
    """Return those that read one of these kinds of data, by name, and import no others."""
    named = [(QUERIES, name) for name in QUERIES] + [(MECHANISMS, name) for name in sanitizers()]
    return {name: registry[name] for registry, name in named if _reads(registry, name) in reads}


def offered(family: str) -> Mapping[str, type[Any]]:
    """Return the components of a family that need nothing but their name, by name."""
    registry = FAMILIES[family]
    return MatchingComponents(registry, lambda name: stands_alone(registry[name]))


def from_files(family: str) -> Mapping[str, type[Any]]:
    """Return the components of a family that run code from a file, by name."""
    registry = FAMILIES.get(family, {})
    return MatchingComponents(registry, lambda name: runs_file(registry[name]))


def kinds() -> dict[str, dict[str, type[Any]]]:
    """Return all components by name for each kind, as lists and help show them."""
    by_kind: dict[str, dict[str, type[Any]]] = {}
    for registry in FAMILIES.values():
        for name, component in registry.items():
            by_kind.setdefault(kind_of(component), {})[name] = component
    return by_kind


def kind_names() -> set[str]:
    """Return the names of all kinds of components."""
    return {"method", *FAMILIES}


def kind_of(component: type[Component]) -> str:
    """Return the kind of a component: its family, or "method" if it releases a query's answer."""
    kind: type[Any] = component
    is_method = kind.family == "mechanism" and (issubclass(kind, ScalarMechanism) or kind.reads == "parts")
    return "method" if is_method else component.family


@dataclasses.dataclass(frozen=True)
class CatalogEntry:
    """An entry of the catalog; `kind` is "query", "noise", "method" … "example", or one of a front end."""

    kind: str
    name: str
    label: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...] = ()


def entries() -> tuple[CatalogEntry, ...]:
    """Return all entries."""
    from engine.data.examples import EXAMPLES

    components = tuple(
        CatalogEntry(
            kind=kind,
            name=name,
            label=component.label,
            summary=component.summary,
            source=component.source,
            parameters=plain_parameters(component),
        )
        for kind, registry in kinds().items()
        for name, component in registry.items()
        if stands_alone(component) or kind == "planted"
    )
    examples = tuple(
        CatalogEntry("example", example.name, example.title, example.description, example.source)
        for example in EXAMPLES.values()
    )
    return components + examples


def query(name: str, **settings: Any) -> Query[Any]:
    """Return the query `name`; raise `UnknownName` or `ParameterError`."""
    return _make("query", QUERIES, name, settings)


def noise(name: str, **settings: Any) -> NoiseChoice:
    """Return the noise family, or the rule that chooses one; raise `UnknownName` or `ParameterError`."""
    return _make("noise", NOISE_CHOICES, name, settings)


def mechanism(name: str, query: Any = None, noise: Any = None, **settings: Any) -> Any:
    """Return the mechanism `name`, with a query or noise if it takes one; raise `UnknownName` or
    `ParameterError`.
    """
    given = {"query": query, "noise": noise}
    chosen = {part: value for part, value in given.items() if value is not None}
    return _make("mechanism", MECHANISMS, name, {**settings, **chosen})


def function(name: str, **settings: Any) -> BlockFunction:
    """Return the block function `name`; raise `UnknownName` or `ParameterError`."""
    return _make("function", FUNCTIONS, name, settings)


def sampling(name: str, **settings: Any) -> Sampling:
    """Return the sampling of blocks `name`; raise `UnknownName` or `ParameterError`."""
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

"""The mechanism that is chosen for points or categories, put together from its chosen parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from engine import catalog
from engine.errors import ParameterError
from engine.mechanisms import MECHANISMS, SANITIZERS, Sanitizer
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.base import Mechanism
from engine.queries import QUERIES

if TYPE_CHECKING:
    from engine.aggregation.black_box import BlackBox
    from engine.aggregation.function import BlockFunction

FILE = "black-box"
"""The choice of a function from a file, beside those that come with Sensiscope."""


class MechanismChoice(Protocol):
    """What is asked, how it is released, and the parameters that were chosen for either."""

    @property
    def query(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def noise(self) -> str: ...
    @property
    def sampling(self) -> str: ...
    @property
    def aggregator(self) -> str: ...
    @property
    def function(self) -> str: ...
    @property
    def black_box(self) -> BlackBox | None: ...
    @property
    def parameters(self) -> Mapping[str, Mapping[str, Any]]: ...


def chosen(choice: MechanismChoice, kind: str, name: str) -> dict[str, Any]:
    """Return the parameters that were chosen for a "query", "method", "noise" …"""
    return dict(choice.parameters.get(f"{kind}/{name}", {}))


def released_by(choice: MechanismChoice) -> type[Mechanism[Any]]:
    """Return the mechanism: the chosen method of a query, or what is asked itself."""
    return MECHANISMS[choice.method] if choice.query in QUERIES else SANITIZERS[choice.query]


def uses_noise(choice: MechanismChoice) -> bool:
    """Tell whether what releases the answer takes a noise family."""
    kinds = {declared.kind for declared in released_by(choice).parameters()}
    if "aggregator" in kinds:
        kinds |= {declared.kind for declared in AGGREGATORS[choice.aggregator].parameters()}
    return "noise" in kinds


def uses_delta(choice: MechanismChoice) -> bool:
    """Tell whether what releases the answer does anything with delta."""
    if choice.query not in SANITIZERS:
        return True
    try:
        return sanitizer(choice).uses_delta
    except ParameterError:
        return True


def blocks_are_planned(choice: MechanismChoice) -> bool:
    """Tell whether the planner chooses the number of blocks."""
    return "blocks" not in chosen(choice, "sampling", choice.sampling)


def sanitizer(choice: MechanismChoice) -> Sanitizer[Any]:
    """Return the mechanism that is asked for, with its parts; the number of blocks may be open.

    A function from a file may not have been confirmed: `app.model.trusted_code.check_trust`.
    """
    fields = {declared.kind: declared.name for declared in SANITIZERS[choice.query].parameters()}
    parts: dict[str, Any] = {}
    if "sampling" in fields:
        settings = chosen(choice, "sampling", choice.sampling)
        parts[fields["sampling"]] = catalog.sampling(choice.sampling, **settings)
    if "aggregator" in fields:
        settings = chosen(choice, "aggregator", choice.aggregator)
        if uses_noise(choice):
            settings["noise"] = catalog.noise(choice.noise, **chosen(choice, "noise", choice.noise))
        parts[fields["aggregator"]] = catalog.aggregator(choice.aggregator, **settings)
    if "function" in fields:
        parts[fields["function"]] = _function(choice)
    return catalog.sanitizer(choice.query, **parts, **chosen(choice, "mechanism", choice.query))


def _function(choice: MechanismChoice) -> BlockFunction:
    if choice.function != FILE:
        return catalog.function(choice.function, **chosen(choice, "function", choice.function))
    if choice.black_box is None:
        raise ParameterError("function", "choose a Python file")
    return choice.black_box

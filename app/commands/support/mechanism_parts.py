"""Mechanisms on points on the command line: their parts by name, and the parameters of each."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import noise, noise_options
from app.commands.support.options import ParameterOptions, UsageError, numbers, whole
from app.model.wording.console import counted
from engine.components import Component
from engine.errors import UnknownName
from engine.privacy import Privacy

if TYPE_CHECKING:
    pass

FILE = "FILE.py:NAME"
DEFAULTS = {"sampling": "partition", "aggregator": "center-of-attention", "function": "mean"}
BELONGS = {
    "blocks": "sampling",
    "sampling": "sampling",
    "aggregator": "aggregator",
    "function": "function",
    "output_lower": "function",
    "output_upper": "function",
}
"""What part of a mechanism each option is about."""


def owners() -> dict[str, type[Component]]:
    """Return what has parameters, by name or by the option that chooses it."""
    from engine.aggregation.black_box import BlackBox
    from engine.aggregation.blocks import SAMPLINGS
    from engine.aggregation.functions import FUNCTIONS
    from engine.catalog import sanitizers
    from engine.mechanisms.aggregators import AGGREGATORS

    parts: dict[str, Mapping[str, type[Component]]] = {
        "sampling": SAMPLINGS,
        "aggregator": AGGREGATORS,
        "function": FUNCTIONS,
    }
    chosen = {
        _owner(kind, FILE if cls is BlackBox else name): cls
        for kind, registry in parts.items()
        for name, cls in registry.items()
    }
    return {**sanitizers(), **chosen}


def part_parameters(others: Mapping[str, type[Component]]) -> ParameterOptions:
    """Return the options of all parameters of mechanisms on points, their parts, and `others`."""
    # options of their own: the default number of blocks is the planner's choice, and a method is
    # that of a query, too, as noise is
    return ParameterOptions({**others, **owners()}, without=("blocks", "method", "noise"))


def _owner(kind: str, name: str) -> str:
    return f"--{kind} {name}"


def add_part_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that choose the parts of a mechanism on blocks; return their group."""
    group = parser.add_argument_group("blocks: for clusters, mixture and sample-aggregate")
    for kind, what in (
        ("sampling", "how they are drawn"),
        ("aggregator", "how one output is made of theirs"),
    ):
        group.add_argument(f"--{kind}", metavar="NAME", help=f"{what} (default {DEFAULTS[kind]})")
    group.add_argument(
        "--function",
        metavar=f"NAME|{FILE}",
        help="of sample-aggregate, what is run on each block: one of the catalog, or a Python function from "
        "an array (rows, columns) to a vector (default mean). A file is run as you, with all your rights.",
    )
    for name in ("lower", "upper"):
        group.add_argument(
            f"--output-{name}",
            type=numbers,
            metavar=name[0].upper(),
            help=f"public {name} bounds of the numbers that {FILE} returns, separated by commas",
        )
    return group


def add_blocks_option(group: argparse._ArgumentGroup) -> None:
    """Add the number of blocks."""
    group.add_argument(
        "--blocks",
        type=whole,
        metavar="M",
        help="how many (default: those of which the planner expects most)",
    )


def refuse_parts(name: str, taken: set[str], options: argparse.Namespace, program: str) -> None:
    """Refuse options about parts that `name` does not have."""
    from engine.catalog import sanitizers

    for option, kind in BELONGS.items():
        if getattr(options, option, None) is not None and kind not in taken:
            having = [owner for owner, cls in sanitizers().items() if kind in kinds(cls)]
            raise UsageError(
                f"--{option.replace('_', '-')}: {name} has no use for it; it belongs to {', '.join(having)}",
                program,
            )


def kinds(cls: type[Component]) -> dict[str, str]:
    """Return the fields that hold parts, by the kind of the part."""
    return {parameter.kind: parameter.name for parameter in cls.parameters() if parameter.is_component}


def sanitizer_of(
    options: argparse.Namespace, privacy: Privacy, parameters: ParameterOptions, program: str
) -> Any:
    """Build the mechanism that is named; names and parameters are checked before any data are read."""
    from engine import catalog
    from engine.catalog import sanitizers

    name = options.mechanism
    if name not in sanitizers():
        raise UnknownName("mechanism", name, sanitizers())
    if getattr(options, "resolution", None) is not None:
        raise UsageError(f"--resolution: {name} has a grid of its own; leave it out", program)
    fields = kinds(sanitizers()[name])
    refuse_parts(name, set(fields), options, program)
    chosen = {kind: getattr(options, kind) or DEFAULTS[kind] for kind in fields}
    for kind, part in chosen.items():
        if not _is_file(kind, part):
            getattr(catalog, kind)(part)  # an unknown name is the first thing to say
    owners = {kind: _owner(kind, FILE if _is_file(kind, part) else part) for kind, part in chosen.items()}
    parameters.refuse_others([name, *owners.values()], options)
    given = {kind: parameters.values(owner, options) for kind, owner in owners.items()}
    blocks = getattr(options, "blocks", None)
    if "sampling" in given and blocks is not None:
        given["sampling"]["blocks"] = blocks
    own_noise = _own_noise(name, options)
    if own_noise is None and _takes_noise(name, chosen.get("aggregator"), options, program):
        given["aggregator"]["noise"] = noise(options, privacy, options.noise)
    if "function" in given:
        given["function"] |= _output_bounds(chosen["function"], options, program)
    parts = {fields[kind]: _part(kind, part, given[kind]) for kind, part in chosen.items()}
    method = _method(name, getattr(options, "method", None), program)
    return catalog.mechanism(name, **parts, **method, **own_noise or {}, **parameters.values(name, options))


def own_methods(name: str) -> tuple[str, ...]:
    """Return the methods by which a mechanism works; none for most."""
    from engine.catalog import sanitizers

    return next((known.choices for known in sanitizers()[name].parameters() if known.name == "method"), ())


def _method(name: str, given: str | None, program: str) -> dict[str, str]:
    """Return the method that is named, as a parameter; refuse one of a mechanism that has none."""
    if given is None:
        return {}
    if not own_methods(name):
        raise UsageError(f"--method: {name} is a mechanism of its own; leave it out", program)
    if given not in own_methods(name):
        raise UnknownName(f"method of {name}", given, own_methods(name))
    return {"method": given}


def _own_noise(name: str, options: argparse.Namespace) -> dict[str, str] | None:
    """Return the noise that is chosen for a mechanism that has a choice of its own; None for all others."""
    from engine.catalog import sanitizers

    if not any(known.name == "noise" for known in sanitizers()[name].parameters()):
        return None
    noise_options().refuse_others([name], options)
    return {} if options.noise is None else {"noise": options.noise}


def _is_file(kind: str, part: str) -> bool:
    return kind == "function" and ":" in part


def _part(kind: str, name: str, given: Mapping[str, Any]) -> Any:
    from engine import catalog
    from engine.aggregation.black_box import BlackBox

    return BlackBox.named(name, **given) if _is_file(kind, name) else getattr(catalog, kind)(name, **given)


def _takes_noise(name: str, aggregator: str | None, options: argparse.Namespace, program: str) -> bool:
    """Tell whether noise can be chosen; refuse the choice where it cannot."""
    from engine.mechanisms.aggregators import AGGREGATORS

    taking = [owner for owner, cls in AGGREGATORS.items() if "noise" in kinds(cls)]
    if aggregator in taking:
        return True
    owner = aggregator or name
    if options.noise is not None:
        raise UsageError(
            f"--noise: {owner} has its own noise; --noise belongs to --aggregator {', '.join(taking)}",
            program,
        )
    noise_options().refuse_others([owner], options)
    return False


def _output_bounds(name: str, options: argparse.Namespace, program: str) -> dict[str, tuple[float, ...]]:
    """Return the bounds of what a file's function returns; refuse those of any other."""
    given = {side: getattr(options, f"output_{side}", None) for side in ("lower", "upper")}
    if not _is_file("function", name):
        for side, values in given.items():
            if values is not None:
                raise UsageError(
                    f"--output-{side}: {name} has bounds of its own; it belongs to --function {FILE}", program
                )
        return {}
    bounds: dict[str, tuple[float, ...]] = {}
    for side, values in given.items():
        if values is None:
            raise UsageError(
                f"--output-{side}: public {side} bounds of what {name} returns are needed, known without "
                "looking at the data; one for each number, separated by commas",
                program,
            )
        bounds[side] = values
    lower, upper = bounds["lower"], bounds["upper"]
    if len(lower) != len(upper):
        raise UsageError(
            f"--output-upper: {counted(len(upper), 'bound')}, and --output-lower has {len(lower)}; give one "
            "pair for each number that the function returns",
            program,
        )
    return bounds

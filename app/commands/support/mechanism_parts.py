"""The options that choose a mechanism, its parts, and the parameters of each."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import TYPE_CHECKING

from app.commands.support.budget import add_noise_option, noise_options
from app.commands.support.options import ParameterOptions, UsageError, numbers, whole

if TYPE_CHECKING:
    from engine.components import Component
    from engine.parameters import Parameter

FILE = "FILE.py:NAME"
BESIDE = {"blocks": "sampling", "output_lower": "function", "output_upper": "function"}
"""The options that are read in ways of their own, and the parts of a mechanism that they are about."""


def parts() -> dict[str, Parameter]:
    """Return what mechanisms are made of besides noise, by kind: options of these names choose them."""
    from engine.catalog import sanitizers

    declared = (one for cls in sanitizers().values() for one in cls.parameters() if one.is_component)
    found: dict[str, Parameter] = {}
    for one in declared:
        if one.kind != "noise":
            found.setdefault(one.kind, one)
    return found


def belongs() -> dict[str, str]:
    """Return which part of a mechanism each option is about."""
    return {**{kind: kind for kind in parts()}, **BESIDE}


def owner(component: type[Component], among: Collection[str] | None = None) -> str:
    """Return what a component is called among those with parameters: its name, or the option for it.

    Who asks for many gives the kinds of `parts`.
    """
    from engine.catalog import kind_of

    kind = kind_of(component)
    named = component.name if component.stands_alone() else FILE
    return f"--{kind} {named}" if kind in (parts() if among is None else among) else component.name


def owners() -> dict[str, type[Component]]:
    """Return the mechanisms that are asked for by their own names, and parts, as `owner` calls them."""
    from engine.catalog import FAMILIES, sanitizers

    among = parts()
    inside = (component for kind in among for component in FAMILIES[kind].values())
    return {owner(component, among): component for component in (*sanitizers().values(), *inside)}


def part_parameters(others: dict[str, type[Component]] | None = None) -> ParameterOptions:
    """Return the options of all parameters of mechanisms on points, their parts, and `others`."""
    # options of their own: the default number of blocks is the planner's choice, and a method is
    # that of a query, too, as noise is
    return ParameterOptions({**(others or {}), **owners()}, without=("blocks", "method", "noise"))


def mechanism_parameters() -> ParameterOptions:
    """Return the options of all parameters but those of the noise."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    return part_parameters({**QUERIES, **methods()})


def add_method_option(parser: argparse.ArgumentParser) -> None:
    """Add the method by which a query is released, or a ball is found."""
    from engine.catalog import sanitizers

    having = [name for name in sanitizers() if own_methods(name)]
    parser.add_argument(
        "--method",
        metavar="METHOD",
        help="how to release the answer to a query (default smooth; see the catalog); of "
        f"{', '.join(having)}, how a ball is found: {', '.join(own_methods(having[0]))}",
    )


def add_mechanism_options(parser: argparse.ArgumentParser) -> None:
    """Add the noise, the parts, and all parameters that queries, methods, mechanisms and noises declare."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    add_noise_option(parser)
    add_blocks_option(add_part_options(parser))
    declared = mechanism_parameters()
    declared.add_to(parser, "parameters of the query", QUERIES)
    declared.add_to(parser, "parameters of the method", methods())
    declared.add_to(parser, "parameters of the mechanism and its parts", owners())
    noise_options().add_to(parser, "parameters of the noise")


def add_part_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that choose the parts of a mechanism on blocks; return their group."""
    from engine.catalog import sanitizers

    known = parts()
    having = [name for name, cls in sanitizers().items() if any(map(cls.part, known))]
    group = parser.add_argument_group(f"blocks: for {', '.join(having[:-1])} and {having[-1]}")
    for kind, declared in known.items():
        if kind != "function":
            words = declared.help[:1].lower() + declared.help[1:].rstrip(".")
            group.add_argument(f"--{kind}", metavar="NAME", help=f"{words} (default {declared.default.name})")
    group.add_argument(
        "--function",
        metavar=f"NAME|{FILE}",
        help="what is run on each block: one of the catalog, or a Python function from "
        f"an array (rows, columns) to a vector (default {known['function'].default.name}). A file is run, "
        "shut in as far as this system allows.",
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


def own_methods(name: str) -> tuple[str, ...]:
    """Return the methods by which a mechanism works; none for most."""
    from engine.catalog import sanitizers

    return next((known.choices for known in sanitizers()[name].parameters() if known.name == "method"), ())


def refuse_parts(name: str, taken: Collection[str], options: argparse.Namespace) -> None:
    """Refuse options about kinds of parts that `name` does not have."""
    from engine.catalog import sanitizers

    for option, kind in belongs().items():
        if getattr(options, option, None) is not None and kind not in taken:
            having = [owner for owner, cls in sanitizers().items() if cls.part(kind)]
            raise UsageError(
                f"--{option.replace('_', '-')}: {name} has no use for it; it belongs to {', '.join(having)}"
            )

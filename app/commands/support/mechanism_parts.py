"""The options that choose a mechanism, its parts, and the parameters of each."""

from __future__ import annotations

import argparse
from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from app.commands.support.budget import add_noise_option, noise_options
from app.commands.support.options import ParameterOptions, UsageError, is_brief, numbers, whole
from engine.components import part_of, stands_alone

if TYPE_CHECKING:
    from engine.components import Component
    from engine.parameters import Parameter

FILE = "FILE.py:NAME"
PARTS = ("sampling", "aggregator", "function")
"""What mechanisms are made of besides noise: options of these names choose it."""

BESIDE = {"blocks": "sampling", "output_lower": "function", "output_upper": "function"}
"""The options that are read in ways of their own, and the parts of a mechanism that they are about."""


def _declared_parts() -> dict[str, Parameter]:
    """Return the first declaration of each of the `PARTS`."""
    from engine.catalog import sanitizers

    declared = [one for cls in sanitizers().values() for one in cls.parameters() if one.is_component]
    return {kind: next(one for one in declared if one.kind == kind) for kind in PARTS}


def belongs() -> dict[str, str]:
    """Return which part of a mechanism each option is about."""
    return {**{kind: kind for kind in PARTS}, **BESIDE}


def owner(component: type[Component]) -> str:
    """Return what a component is called among those with parameters: its name, or the option for it."""
    kind = component.family
    return f"--{kind} {_title(component)}" if kind in PARTS else component.name


def _title(component: type[Component]) -> str:
    return component.name if stands_alone(component) else FILE


class _NamedParts(Mapping[str, type["Component"]]):
    """The components of one of the `PARTS`, as `owner` calls them; each is imported when it is asked for."""

    def __init__(self, kind: str) -> None:
        from engine.catalog import FAMILIES

        self._components, self._prefix = FAMILIES[kind], f"--{kind} "

    def __getitem__(self, owner: str) -> type[Component]:
        name = owner.removeprefix(self._prefix)
        if name == owner:
            raise KeyError(owner)
        if name in self._components:
            return self._components[name]
        return {_title(one): one for one in self._components.values()}[name]

    def __iter__(self) -> Iterator[str]:
        return (self._prefix + _title(one) for one in self._components.values())

    def __len__(self) -> int:
        return len(self._components)


def owners() -> Mapping[str, type[Component]]:
    """Return the mechanisms that are asked for by their own names, and parts, as `owner` calls them."""
    from engine.catalog import sanitizers

    return _chained(sanitizers(), *map(_NamedParts, PARTS))


def part_parameters(*others: Mapping[str, type[Component]]) -> ParameterOptions:
    """Return the options of all parameters of mechanisms on points, their parts, and `others`."""
    # options of their own: the default number of blocks is the planner's choice, and a method is
    # that of a query, too, as noise is
    return ParameterOptions(_chained(*others, owners()), without=("blocks", "method", "noise"))


def _chained(*owners: Mapping[str, Any]) -> Mapping[str, Any]:
    return ChainMap(*reversed(cast("list[dict[str, Any]]", owners)))  # lists have the last one first


def mechanism_parameters() -> ParameterOptions:
    """Return the options of all parameters but those of the noise."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    return part_parameters(QUERIES, methods())


def add_method_option(parser: argparse.ArgumentParser) -> None:
    """Add the method by which a query is released, or a ball is found."""
    from engine.catalog import sanitizers

    text = ""
    if not is_brief(parser):
        having = [name for name in sanitizers() if own_methods(name)]
        text = (
            "how to release the answer to a query (default smooth; see the catalog); of "
            f"{', '.join(having)}, how a ball is found: {', '.join(own_methods(having[0]))}"
        )
    parser.add_argument("--method", metavar="METHOD", help=text)


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

    title, texts = "blocks", dict.fromkeys(PARTS, "")
    if not is_brief(parser):
        having = [name for name, cls in sanitizers().items() if any(part_of(cls, part) for part in PARTS)]
        title = f"blocks: for {', '.join(having[:-1])} and {having[-1]}"
        for kind, declared in _declared_parts().items():
            text = declared.help[:1].lower() + declared.help[1:].rstrip(".")
            texts[kind] = f"{text} (default {declared.default.name})"
        texts["function"] = (
            "what is run on each block: one of the catalog, or a Python function from an array (rows, "
            f"columns) to a vector (default {_declared_parts()['function'].default.name}). A file is run, "
            "shut in as far as this system allows."
        )
    group = parser.add_argument_group(title)
    for kind, text in texts.items():
        metavar = f"NAME|{FILE}" if kind == "function" else "NAME"
        group.add_argument(f"--{kind}", metavar=metavar, help=text)
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

    return next((one.choices for one in sanitizers()[name].parameters() if one.name == "method"), ())


def refuse_parts(name: str, taken: Collection[str], options: argparse.Namespace) -> None:
    """Refuse options about kinds of parts that `name` does not have."""
    from engine.catalog import sanitizers

    for option, kind in belongs().items():
        if getattr(options, option, None) is not None and kind not in taken:
            having = [owner for owner, cls in sanitizers().items() if part_of(cls, kind)]
            raise UsageError(
                f"--{option.replace('_', '-')}: {name} has no use for it; it belongs to {', '.join(having)}"
            )

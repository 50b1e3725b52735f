"""Options for a mechanism, its parts and their parameters; builds the mechanism that they describe."""

from __future__ import annotations

import argparse
import dataclasses
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from app.commands.support.console import remark
from app.commands.support.data import readers
from app.commands.support.options import (
    Option,
    ParameterOptions,
    UsageError,
    add_option,
    add_options,
    numbers,
    whole,
)
from app.commands.support.privacy import NOISE, NOISE_TITLE, RESOLUTION, noise, noise_options
from app.model.ledger import parameters_of
from app.model.wording.console import counted
from engine.components import Component, asked_of, files_of, part_of, stands_alone
from engine.errors import UnknownName
from engine.privacy import Privacy
from engine.specification import Specification

FILE = "FILE.py:NAME"
PARTS = {
    "sampling": "how to draw the blocks (default partition)",
    "aggregator": "how to combine the outputs of the blocks (default center-of-attention)",
    "function": "function of each block: a name in the catalog, or a Python function from an array (rows, "
    "columns) to a vector (default mean). The program runs the file in a sandbox, as tight as this system "
    "allows",
}
"""The parts of mechanisms besides noise, each chosen by the option of its name, with its help.

Written out, since an import of the components to ask them would take longer than the help itself.
"""

PART_OF_OPTION = {
    **{kind: kind for kind in PARTS},
    "blocks": "sampling",
    "output_lower": "function",
    "output_upper": "function",
}
"""The part that each option belongs to; parameters declare theirs."""


def owner(component: type[Component]) -> str:
    """Return the name under which a component owns parameters: its own, or the option that chooses it."""
    kind = component.family
    return f"--{kind} {_title(component)}" if kind in PARTS else component.name


def _title(component: type[Component]) -> str:
    return component.name if stands_alone(component) else FILE


class _NamedParts(Mapping[str, type["Component"]]):
    """The components of one of the `PARTS` by their names as `owner`; imports each on access."""

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
    """Return the mechanisms that have names of their own, and the parts, by their names as `owner`."""
    from engine.catalog import sanitizers

    return _chain(sanitizers(), *map(_NamedParts, PARTS))


def part_parameters(*others: Mapping[str, type[Component]]) -> ParameterOptions:
    """Return the options of all parameters of mechanisms on points, their parts, and `others`."""
    # three have options of their own: the planner chooses the number of blocks, and queries, too, have a
    # method and a noise
    return ParameterOptions(_chain(*others, owners()), without=("blocks", "method", "noise"))


def _chain(*owners: Mapping[str, Any]) -> Mapping[str, Any]:
    return ChainMap(*reversed(cast("list[dict[str, Any]]", owners)))  # lists have the last one first


def mechanism_parameters() -> ParameterOptions:
    """Return the options of all parameters but those of the noise."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    return part_parameters(QUERIES, methods())


def add_release_options(
    parser: argparse.ArgumentParser, *, method: bool = True, default: str = "smooth"
) -> None:
    """Add the method with its `default`, the noise and the resolution of a release."""
    group = parser.add_argument_group("release: method, noise, resolution")
    text = (
        f"release method of a query (default {default}; see sensiscope catalog), or ball finder (see "
        "sensiscope catalog one-cluster)"
    )
    add_options(group, ((Option("method", text),) if method else ()) + (NOISE, RESOLUTION))


def add_mechanism_options(parser: argparse.ArgumentParser) -> None:
    """Add the parts, and all parameters that queries, methods, mechanisms and noises declare."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    text = "number of blocks (default: the number with the smallest error that the planner expects)"
    add_option(add_part_options(parser), Option("blocks", text, whole, "M"))
    declared = mechanism_parameters()
    declared.add_to(parser, "query: parameters of the query", QUERIES)
    declared.add_to(parser, "method: parameters of the method", methods())
    declared.add_to(parser, "mechanism: parameters of the mechanism and its parts", owners())
    noise_options().add_to(parser, NOISE_TITLE)


def add_part_options(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options that choose the parts of a mechanism on blocks; return their group."""
    group = parser.add_argument_group("blocks: sampling, aggregator and function of mechanisms on blocks")
    for kind, text in PARTS.items():
        metavar = f"NAME|{FILE}" if kind == "function" else "NAME"
        add_option(group, Option(kind, text, metavar=metavar))
    for side in ("lower", "upper"):
        text = f"public {side} bounds of the numbers that {FILE} returns, separated by commas"
        add_option(group, Option(f"output-{side}", text, numbers, side[0].upper()))
    return group


def own_methods(name: str) -> tuple[str, ...]:
    """Return the choices of a mechanism's own parameter "method"; most have none."""
    from engine.catalog import sanitizers

    return next((one.choices for one in sanitizers()[name].parameters() if one.name == "method"), ())


def check_name(name: str) -> None:
    """Raise `UnknownName` unless a query or a mechanism has this name."""
    if name not in readers():
        raise UnknownName("query or mechanism", name, readers())


def specification_of(options: argparse.Namespace) -> Specification:
    """Return the components that the options name, without values; raise for unknown names."""
    from engine.catalog import from_files, methods, offered, sanitizers
    from engine.specification import Choices, describe

    name, method = options.mechanism, getattr(options, "method", None)
    check_name(name)
    usual = Choices().ask(name)
    queried = usual.asked is not usual
    if getattr(options, "resolution", None) is not None and not queried:
        raise UsageError(f"--resolution: {name} has a grid of its own; leave it out")
    taken = {part.family for part in usual.parts().values()}
    for option, kind in PART_OF_OPTION.items():
        if getattr(options, option, None) is not None and kind not in taken:
            having = ", ".join(owner for owner, cls in sanitizers().items() if part_of(cls, kind))
            raise UsageError(f"--{option.replace('_', '-')}: {name} does not use it; it belongs to {having}")
    names = {kind: getattr(options, kind, None) for kind in PARTS}
    if queried:
        names["method"] = method
        if method is not None and method not in methods():
            raise UnknownName("method", method, methods())
    file = names["function"] if ":" in (names["function"] or "") else None
    given = {kind: one for kind, one in names.items() if one is not None and one != file}
    for kind in given.keys() & set(PARTS):
        if given[kind] not in offered(kind):
            raise UnknownName(kind, given[kind], offered(kind))
    chosen = Choices(given).ask(name)
    if chosen.find("function") is not None:
        bounds = _output_bounds(names["function"] or chosen.part("block_function").name, options)
        if file is not None:
            [from_file] = from_files("function").values()
            chosen = chosen.with_part(describe(from_file.named(file, **bounds)), "block_function")
    return chosen


def owners_of(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the owners of parameters among the components that the options name."""
    if not isinstance(getattr(options, "mechanism", None), str):
        return ()
    chosen = specification_of(options)
    noise = [options.noise] if options.noise is not None and chosen.find("noise") else []
    return (*(owner(one.component) for one in chosen.walk()), *noise)


def mechanism_of(
    options: argparse.Namespace,
    privacy: Privacy,
    parameters: ParameterOptions | None = None,
    beside: Sequence[str] = (),
) -> Any:
    """Build the mechanism; check every name and parameter before the command reads data.

    The command has options for these `parameters` (default: those of all mechanisms). It accepts parameters
    of the owners in `beside`, too.
    """
    declared = parameters or mechanism_parameters()
    public = getattr(options, "membership", None) == "public"
    if getattr(options, "parts", False) and not public:
        from app.commands.support.parts import parts_mechanism

        return parts_mechanism(options, declared).resolve(privacy)
    chosen = specification_of(options)
    components = [one.component for one in chosen.from_question() if one.family != "noise"]
    owners = [*(owner(component) for component in components), *beside]
    declared.refuse_others(owners, options, noise_options().declarations_of(options.noise or ""))
    path = chosen.path_to("noise")
    if path is None:
        _refuse_noise(chosen, options)
    chosen = _with_values(chosen, declared, options)
    if path is not None:
        from engine.specification import describe

        chosen = chosen.with_part(describe(noise(options, options.noise, aggregated=len(path) > 1)), *path)
    blocks = chosen.path_to("sampling") if getattr(options, "blocks", None) is not None else None
    if blocks is not None:
        chosen = chosen.with_value(options.blocks, *blocks, "blocks")
    mechanism = _with_own_choices(chosen, options).build().resolve(privacy)
    for function in files_of(mechanism)[:1]:
        if text := function.left_open():
            remark("note", f"a function from a file: {text}")
    if public:
        from engine.mechanisms.parts import EachPart

        return EachPart(mechanism)
    return mechanism


def _with_values(
    chosen: Specification, declared: ParameterOptions, options: argparse.Namespace
) -> Specification:
    """Return the specification with the given values of each component in it."""
    parts = {name: _with_values(part, declared, options) for name, part in chosen.parts().items()}
    own = declared.values(owner(chosen.component), options)
    return dataclasses.replace(chosen, values={**chosen.values, **parts, **own})


def _with_own_choices(chosen: Specification, options: argparse.Namespace) -> Specification:
    """Return the specification with a method or a noise that is a plain parameter of the mechanism."""
    name, method = chosen.name, getattr(options, "method", None)
    if chosen.asked is not chosen:
        return chosen
    if method is not None:
        if not own_methods(name):
            raise UsageError(f"--method: {name} is a mechanism of its own; leave it out")
        chosen = chosen.with_value(method, "method")
        if chosen.values["method"] not in own_methods(name):
            raise UnknownName(f"method of {name}", method, own_methods(name))
    if options.noise is not None and _has_own_noise(chosen):
        chosen = chosen.with_value(options.noise, "noise")
    return chosen


def _has_own_noise(chosen: Specification) -> bool:
    return any(known.name == "noise" and not known.is_component for known in chosen.component.parameters())


def _refuse_noise(chosen: Specification, options: argparse.Namespace) -> None:
    """Refuse a noise family, and its parameters, where the mechanism has no choice of noise."""
    from engine.catalog import FAMILIES, kind_of

    adding = chosen.find("aggregator") or chosen
    if options.noise is not None and not _has_own_noise(chosen):
        kind = "method" if chosen.asked is not chosen else "aggregator"
        family = FAMILIES["mechanism" if kind == "method" else kind]
        taking = [name for name, one in family.items() if kind_of(one) == kind and part_of(one, "noise")]
        raise UsageError(
            f"--noise: {adding.name} has its own noise; --noise belongs to --{kind} {', '.join(taking)}"
        )
    noise_options().refuse_others([adding.name], options)


def _output_bounds(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the output bounds of a function from a file; refuse them for any other function."""
    given: dict[str, Any] = {side: getattr(options, f"output_{side}", None) for side in ("lower", "upper")}
    from_file = ":" in name
    for side, values in given.items():
        if values is not None and not from_file:
            raise UsageError(
                f"--output-{side}: {name} has bounds of its own; it belongs to --function {FILE}"
            )
        if values is None and from_file:
            raise UsageError(
                f"--output-{side}: {name} needs public {side} bounds of its output, known without looking at "
                "the data; one for each number, separated by commas"
            )
    if not from_file:
        return {}
    lower, upper = given["lower"], given["upper"]
    if len(lower) != len(upper):
        raise UsageError(
            f"--output-upper: {counted(len(upper), 'bound')}, and --output-lower has {len(lower)}; give one "
            "pair for each number that the function returns",
        )
    return given


def names_json(mechanism: Any) -> dict[str, str]:
    """Return the names of a mechanism: `mechanism` for commands, `query` and `method` as in Python."""
    asked = asked_of(mechanism).name
    return {"mechanism": asked, "query": asked, "method": mechanism.name}


def public_parameters(mechanism: Any) -> dict[str, Any]:
    """Return all public parameters of a mechanism; for a query the method first and the noise last."""
    method = {} if asked_of(mechanism) is mechanism else {"method": mechanism.name}
    return {**method, **parameters_of(mechanism)}

"""What is to be released, as options describe it: the tree that they name, with their values."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import noise, noise_options
from app.commands.support.console import remark
from app.commands.support.data import readers
from app.commands.support.mechanism_parts import (
    FILE,
    PARTS,
    mechanism_parameters,
    own_methods,
    owner,
    refuse_parts,
)
from app.commands.support.options import ParameterOptions, UsageError
from app.model.ledger import parameters_of
from app.model.wording.console import counted
from engine.components import FunctionFromFile, asked_of, files_of, part_of
from engine.errors import UnknownName

if TYPE_CHECKING:
    from engine.privacy import Privacy
    from engine.specification import Specification


def check_name(name: str) -> None:
    """Raise `UnknownName` unless a query or a mechanism is called so."""
    if name not in readers():
        raise UnknownName("query or mechanism", name, readers())


def named(options: argparse.Namespace) -> Specification:
    """Return the components that options name, without any values; raise for those that there are not."""
    from engine.catalog import from_files, methods, offered
    from engine.specification import Choices, describe

    name, method = options.mechanism, getattr(options, "method", None)
    check_name(name)
    usual = Choices().ask(name)
    queried = usual.asked is not usual
    if getattr(options, "resolution", None) is not None and not queried:
        raise UsageError(f"--resolution: {name} has a grid of its own; leave it out")
    refuse_parts(name, {part.family for part in usual.parts().values()}, options)
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


def owners_named(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the owners of parameters among the components that options name."""
    if not isinstance(getattr(options, "mechanism", None), str):
        return ()
    chosen = named(options)
    noise = [options.noise] if options.noise is not None and chosen.find("noise") else []
    return (*(owner(one.component) for one in chosen.walk()), *noise)


def mechanism_of(
    options: argparse.Namespace,
    privacy: Privacy,
    parameters: ParameterOptions | None = None,
    beside: Sequence[str] = (),
) -> Any:
    """Build the mechanism; every name and parameter is checked before any data are read.

    Parameters
    ----------
    parameters : ParameterOptions, optional
        The options that the command has; those of all mechanisms without it.
    beside : sequence of str
        What else may have parameters among the options.
    """
    declared = parameters or mechanism_parameters()
    chosen = named(options)
    components = [one.component for one in chosen.from_question() if one.family != "noise"]
    owners = [*(owner(component) for component in components), *beside]
    declared.refuse_others(owners, options, noise_options().declared_by(options.noise or ""))
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
    if functions := files_of(mechanism):
        _tell_what_is_left_open(functions[0])
    return mechanism


def _tell_what_is_left_open(function: FunctionFromFile) -> None:
    if text := function.left_open():
        remark("note", f"a function from a file: {text}")


def _with_values(
    chosen: Specification, declared: ParameterOptions, options: argparse.Namespace
) -> Specification:
    """Return a tree with the values that are given for each component in it."""
    parts = {name: _with_values(part, declared, options) for name, part in chosen.parts().items()}
    own = declared.values(owner(chosen.component), options)
    return dataclasses.replace(chosen, values={**chosen.values, **parts, **own})


def _with_own_choices(chosen: Specification, options: argparse.Namespace) -> Specification:
    """Return a mechanism with a method, or a noise, of its own: what is no component there."""
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
    """Refuse a noise, and parameters of one, where no family can be chosen."""
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


def _output_bounds(name: str, options: argparse.Namespace) -> dict[str, tuple[float, ...]]:
    """Return the bounds of what a file's function returns; refuse those of any other."""
    given = {side: getattr(options, f"output_{side}", None) for side in ("lower", "upper")}
    if ":" not in name:
        for side, values in given.items():
            if values is not None:
                raise UsageError(
                    f"--output-{side}: {name} has bounds of its own; it belongs to --function {FILE}"
                )
        return {}
    bounds: dict[str, tuple[float, ...]] = {}
    for side, values in given.items():
        if values is None:
            raise UsageError(
                f"--output-{side}: public {side} bounds of what {name} returns are needed, known without "
                "looking at the data; one for each number, separated by commas"
            )
        bounds[side] = values
    lower, upper = bounds["lower"], bounds["upper"]
    if len(lower) != len(upper):
        raise UsageError(
            f"--output-upper: {counted(len(upper), 'bound')}, and --output-lower has {len(lower)}; give one "
            "pair for each number that the function returns",
        )
    return bounds


def public_parameters(mechanism: Any) -> dict[str, Any]:
    """Return all public parameters of a mechanism: of a query the method first, and the noise last."""
    method = {} if asked_of(mechanism) is mechanism else {"method": mechanism.name}
    return {**method, **parameters_of(mechanism)}

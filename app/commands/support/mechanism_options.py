"""What is to be released, as options describe it: a query by a method, or a mechanism of its own."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import add_noise_option, noise, noise_options
from app.commands.support.data import DataReader, readers
from app.commands.support.mechanism_parts import (
    add_blocks_option,
    add_part_options,
    own_methods,
    owners,
    part_parameters,
    refuse_parts,
    sanitizer_of,
)
from app.commands.support.options import ParameterOptions, UsageError
from app.model.ledger_path import parameters_of
from engine.errors import UnknownName

if TYPE_CHECKING:
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy


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


def mechanism_parameters() -> ParameterOptions:
    """Return the options of all parameters but those of the noise."""
    from engine.catalog import methods
    from engine.queries import QUERIES

    return part_parameters({**QUERIES, **methods()})


def check_name(name: str) -> None:
    """Raise `UnknownName` unless a query or a mechanism is called so."""
    if name not in readers():
        raise UnknownName("query or mechanism", name, readers())


def mechanism_of(options: argparse.Namespace, privacy: Privacy, program: str) -> Mechanism[Any]:
    """Build the mechanism; every name and parameter is checked before any data are read."""
    from engine.queries import QUERIES

    check_name(options.mechanism)
    build: Any = query_mechanism if options.mechanism in QUERIES else sanitizer_of
    built: Mechanism[Any] = build(options, privacy, mechanism_parameters(), program)
    return built


def query_mechanism(
    options: argparse.Namespace, privacy: Privacy, parameters: ParameterOptions, program: str
) -> Any:
    """Build the method that is named for the query that is named; all parameters are checked."""
    from engine import catalog

    name, method, known = options.mechanism, options.method or "smooth", catalog.methods()
    catalog.query(name)
    refuse_parts(name, set(), options, program)
    if method in known:
        parameters.refuse_others([name, method], options)
    query = catalog.query(name, **parameters.values(name, options))
    if method not in known:
        raise UnknownName("method", method, known)
    given = parameters.values(method, options)
    if any(parameter.kind == "noise" for parameter in known[method].parameters()):
        return catalog.mechanism(method, query, noise(options, privacy, options.noise), **given)
    if options.noise is not None:
        raise UsageError(f"--noise: {method} has its own noise; --noise belongs to --method smooth", program)
    noise_options().of(method, options)
    return catalog.mechanism(method, query, **given)


def reader_of(mechanism: Mechanism[Any]) -> DataReader:
    """Return what says which data the mechanism reads: its query, or the mechanism itself."""
    from engine.mechanisms import Sanitizer, ScalarMechanism

    if isinstance(mechanism, ScalarMechanism):
        return mechanism.query
    assert isinstance(mechanism, Sanitizer)
    return mechanism


def public_parameters(mechanism: Any) -> dict[str, Any]:
    """Return all public parameters of a mechanism: of a query the method first, and the noise last."""
    from engine.mechanisms import ScalarMechanism

    method = {"method": mechanism.name} if isinstance(mechanism, ScalarMechanism) else {}
    return {**method, **parameters_of(mechanism)}

"""Plan a release without data: number of blocks and error, or the points that a ball needs."""

from __future__ import annotations

import argparse
import dataclasses
import math
from typing import TYPE_CHECKING, Any

from app.commands.support.console import say, say_json
from app.commands.support.mechanism_options import (
    add_part_options,
    mechanism_of,
    names_json,
    owners,
    part_parameters,
)
from app.commands.support.options import (
    JSON,
    Option,
    UsageError,
    VerbHelp,
    add_option,
    add_options,
    number,
    numbers,
    up_to,
)
from app.commands.support.privacy import (
    NOISE,
    NOISE_TITLE,
    add_privacy_options,
    noise_options,
    privacy_json,
    read_privacy,
)
from app.model.kinds.options import OptionError, check_pairs
from app.model.wording.console import budget, counted, facts
from app.model.wording.console import number as number_text
from app.model.wording.guarantees import promises
from app.model.wording.numbers import grouped
from app.releases.run import described, plan_facts
from engine.components import part_of, release_parameters
from engine.domain import Box
from engine.errors import ParameterError, UnknownName

if TYPE_CHECKING:
    from engine.mechanisms import BallMechanism, BlockMechanism
    from engine.mechanisms.planning import Plan
    from engine.privacy import Privacy

MAX_RECORDS, MAX_COLUMNS = 10**12, 1000


FACTS = (
    Option("n", "number of records", up_to(MAX_RECORDS), "N", required=True),
    Option(
        "lower", "public lower bounds, one for each column, separated by commas", numbers, "L", required=True
    ),
    Option(
        "upper", "public upper bounds, one for each column, separated by commas", numbers, "U", required=True
    ),
    Option(
        "columns",
        "number of columns that share one pair of bounds (default: one column for each pair)",
        up_to(MAX_COLUMNS),
        "D",
    ),
    Option(
        "guess",
        "distance between the output for 100 records and the output for all (default: 2 % of the diameter)",
        number,
        "R",
    ),
)
"""The options about data that nobody has looked at yet."""

HELP = VerbHelp(
    usage="MECHANISM --n N --lower L --upper U --epsilon E [options]",
    first=("n", "lower", "upper", "columns", "guess", "epsilon", "delta", "function", "aggregator", "json"),
    example="plan clusters --n 1e6 --lower 0,0 --upper 1,1 --epsilon 1",
    notes="Everything here is public: it follows from the options and from a guess. In three of four "
    "blocks of 100 records, the output lies at most as far from the output for all records as the guess.\n\n"
    "The noise is that of the aggregator; for one-cluster the plan takes that of center-of-attention.\n\n"
    "For a mechanism that finds balls, the plan shows the promise of each finder, and the points it needs.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    text = "mechanism on blocks, such as clusters, or for balls such as one-cluster (see sensiscope catalog)"
    parser.add_argument("mechanism", metavar="MECHANISM", help=text)
    add_options(parser.add_argument_group("facts: number of records, public bounds, guess"), FACTS)
    add_privacy_options(parser, required=True)
    add_option(parser.add_argument_group("release: noise"), NOISE)
    add_part_options(parser)
    title = "mechanism: parameters of the mechanism and its parts"
    part_parameters().add_to(parser, title, owners())
    noise_options().add_to(parser, NOISE_TITLE)
    add_option(parser.add_argument_group("output: JSON"), JSON)


def run(options: argparse.Namespace) -> int:
    from engine.mechanisms import BallMechanism
    from engine.mechanisms.planning import noise_of, plan_blocks

    if options.mechanism not in _planned_mechanisms():
        raise UnknownName("mechanism on blocks or for balls", options.mechanism, _planned_mechanisms())
    privacy = read_privacy(options)
    mechanism: Any = mechanism_of(options, privacy, part_parameters())
    box = _box(options)
    if options.n < 1:
        raise ParameterError("n", "0 records allow no plan; it must be a whole number at least 1")
    if isinstance(mechanism, BallMechanism):
        if options.guess is not None:
            raise UsageError(f"--guess: {mechanism.name} uses no blocks; leave it out")
        if options.json:
            say_json(_ball_json(mechanism, box, options.n, privacy))
        else:
            say(_ball_text(mechanism, box, options.n, privacy))
        return 0
    plan = plan_blocks(mechanism, box, options.n, privacy, options.guess)
    if options.json:
        pair_facts: dict[str, Any] = {"family": None, "alpha": None, "beta": None}
        if part_of(mechanism.aggregator, "noise"):
            family = noise_of(mechanism)
            pair = family.admissible(privacy, mechanism.space(box).dimension)
            pair_facts = {"family": family.name, **family.settings(), "alpha": pair.alpha, "beta": pair.beta}
        say_json(
            {
                **names_json(mechanism),
                "n": plan.n,
                "privacy": privacy_json(privacy, mechanism.relation),
                "noise": pair_facts,
                "parameters": _parameters(mechanism, box, "blocks"),
                **plan_facts(plan),
            }
        )
    else:
        say(_text(mechanism, plan, privacy, box))
    return 0


def _parameters(mechanism: Any, box: Box, planned: str) -> dict[str, Any]:
    """Return the public parameters without the planned one."""
    own = {name: value for name, value in release_parameters(mechanism).items() if name != planned}
    return {**own, **box.facts}


def _planned_mechanisms() -> list[str]:
    from engine.catalog import sanitizers
    from engine.mechanisms import BallMechanism

    known = sanitizers().items()
    return [name for name, cls in known if part_of(cls, "sampling") or issubclass(cls, BallMechanism)]


def _box(options: argparse.Namespace) -> Box:
    try:
        pairs = check_pairs(options)
    except OptionError as error:
        raise UsageError(str(error)) from None
    if options.columns is None or options.columns == pairs:
        return Box.of(options.lower, options.upper)
    if pairs > 1 or options.columns < 1:
        raise UsageError(
            f"--columns: {options.columns} columns, but {counted(pairs, 'pair')} of bounds; give one pair "
            "for each column, or one pair for all",
        )
    return Box.of(options.lower * options.columns, options.upper * options.columns)


def _text(mechanism: BlockMechanism, plan: Plan, privacy: Privacy, box: Box) -> str:
    from engine.mechanisms.planning import noise_of

    sampling, own = mechanism.sampling.label.lower(), part_of(mechanism.aggregator, "noise")
    enough = "yes" if plan.enough else f"no: about {grouped(plan.needed)} would be enough"
    rows = [
        ("plan for", f"{described(mechanism)}, n = {grouped(plan.n)}, {counted(box.dimension, 'column')}"),
        ("function", described(mechanism.function)),
        ("aggregator", described(mechanism.aggregator)),
        ("noise", described(noise_of(mechanism)) if own else mechanism.aggregator.hides),
        ("privacy", budget(privacy.epsilon, privacy.delta, mechanism.relation)),
        (
            "guess",
            f"{number_text(plan.guess, 4)} between 100 records and all, "
            f"in a diameter of {number_text(plan.diameter, 4)}",
        ),
        ("blocks", f"{grouped(plan.blocks)} of {counted(plan.block_size, 'record')} ({sampling})"),
        (
            "typical error",
            f"{number_text(plan.error, 4)}: {number_text(plan.block_error, 4)} from the blocks, "
            f"{number_text(plan.noise_error, 4)} from noise",
        ),
        ("enough records", f"{enough} (for an error below a quarter of the diameter)"),
    ]
    return facts(rows)


def _ball_text(mechanism: BallMechanism, box: Box, n: int, privacy: Privacy) -> str:
    """Describe the promise of each ball finder."""
    chosen = mechanism.search.finder(box).name
    rows = [
        ("plan for", f"{described(mechanism)}, n = {grouped(n)}, {counted(box.dimension, 'column')}"),
        ("privacy", budget(privacy.epsilon, privacy.delta, mechanism.relation)),
    ]
    for name, promise in promises(mechanism, box, n, privacy).items():
        own = f"{name}{' (auto)' if name == chosen else ''}"
        rows.append((own, promise))
    return facts(rows)


def _ball_json(mechanism: BallMechanism, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
    """Return the promise of each ball finder, or its problem where it cannot run."""
    from engine.mechanisms.one_cluster import FINDERS

    return {
        **names_json(mechanism),
        "n": n,
        "privacy": privacy_json(privacy, mechanism.relation),
        "parameters": _parameters(mechanism, box, "method"),
        "auto": mechanism.search.finder(box).name,
        "methods": {name: _ball_promise(mechanism, name, box, n, privacy) for name in FINDERS},
    }


def _ball_promise(mechanism: BallMechanism, name: str, box: Box, n: int, privacy: Privacy) -> dict[str, Any]:
    other = dataclasses.replace(mechanism, method=name)
    problems = other.problems(privacy, box, n)
    if problems:
        return {"problem": f"{problems[0].field}: {problems[0].message}"}
    promise = other.search.promise(box, n, privacy)
    return {
        "promised_points": math.ceil(promise.promised),
        "factor": promise.factor,
        "needed": promise.needed,
    }

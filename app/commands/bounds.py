"""Suggest public bounds for a column from two private quantiles, for a share of epsilon."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import FIRST_OPTIONS, add_data_options
from app.commands.support.options import JSON, SEED, Option, UsageError, VerbHelp, add_options, number
from app.commands.support.privacy import privacy_json
from app.commands.support.spending import (
    add_spending_options,
    dropped_notes,
    records_and_account,
    release_of,
    spending_of,
    spent_json,
)
from app.model.wording.console import budget, facts
from app.model.wording.console import number as number_text
from app.model.wording.neighbours import WORDS
from engine.errors import ParameterError, SensiscopeError
from engine.privacy import NEIGHBOURS
from engine.progress import part

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine import SuggestedBounds
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class BoundsReader:
    """The reader of the data for this verb."""

    name: str = "bounds"
    reads: str = "column"


PRIVACY = (
    Option(
        "epsilon", "privacy parameter epsilon for both bounds together, above 0", number, "E", required=True
    ),
    Option("outside", "share of the records that may lie beyond each bound", number, "S", 0.01),
)

HELP = VerbHelp(
    usage="DATA --lower L --upper U --epsilon E [options]",
    first=(*FIRST_OPTIONS, "epsilon", "outside", "missing", "seed", "json"),
    example="bounds --data pay.csv --column pay --lower 0 --upper 1e9 --epsilon 0.1",
    notes="Bounds should come from common knowledge: the question, the scale, a codebook. Where you know "
    "none, state a wide range that surely holds all values (--lower, --upper); a million times too wide is "
    "fine. The program chooses round numbers in it.\n\n"
    "The ledger records the cost before the bounds exist, and the cost stays spent. Take it from the epsilon "
    "of your release within these bounds. With --seed it is a simulation and spends nothing.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_data_options(parser)
    add_options(parser.add_argument_group("privacy: epsilon", WORDS[NEIGHBOURS].between), PRIVACY)
    add_spending_options(parser)
    add_options(parser.add_argument_group("output: simulation, JSON"), (SEED, JSON))


def run(options: argparse.Namespace) -> int:
    from engine import SuggestedBounds
    from engine.privacy import Privacy
    from engine.randomness import reproducible, secure

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed and would lose the release; nothing was released")
    privacy = Privacy(options.epsilon)
    if options.lower is None or options.upper is None:
        raise UsageError(
            "--lower, --upper: state a wide range that surely holds all values, known without looking at "
            "the data, such as --lower 0 --upper 1e9"
        )
    with Bar() as bar:
        data, account = records_and_account(options, BoundsReader(), part(bar, 0.0, 0.8))
        helper = SuggestedBounds(data.database.domain, options.outside)
        problem = helper.problem(privacy, data.database.n)
        if problem:
            raise ParameterError("epsilon", problem)
        rng = secure() if options.seed is None else reproducible(options.seed)
        about = {
            "release": helper.name,
            "of": data.name,
            "method": helper.name,
            "parameters": helper.settings(),
        }
        progress = part(bar, 0.8, 1.0)
        release = release_of(account, helper, data.database, privacy, about, options, rng, progress)
    spent = spending_of(account) if account is not None else None
    if options.json:
        say_json(_json(release) | data.about_json | ({"spent": spent_json(spent[0])} if spent else {}))
    else:
        say(_text(release, data, helper, privacy, options.seed))
    remark("note", *data.notes, *dropped_notes(options, release))
    if spent:
        remark("note", spent[1])
    return 0


def _json(release: Release) -> dict[str, Any]:
    lower, upper = release.value
    return {
        "lower": lower,
        "upper": upper,
        "privacy": privacy_json(release.privacy, release.neighbours),
        "parameters": dict(release.parameters),
        "simulated": release.simulated,
        "version": release.version,
    }


def _text(
    release: Release, data: LoadedRecords[Any], helper: SuggestedBounds, privacy: Privacy, seed: int | None
) -> str:
    lower, upper = release.value
    n = data.database.n
    share = min(1.0, helper.left_out(privacy, n) / n)
    rows = [
        ("suggested bounds", f"--lower {_option(lower)} --upper {_option(upper)}"),
        ("of", f"{data.name}, {data.size_words}"),
        (
            "wide range",
            f"{number_text(helper.wide.lower)} to {number_text(helper.wide.upper, unit=data.unit)}",
        ),
        (
            "left out",
            f"at most {number_text(100 * share, 2)} % of the records beyond each, with probability 95 %",
        ),
        ("privacy", budget(release.privacy.epsilon, 0.0, release.neighbours)),
    ]
    return f"SIMULATION with seed {seed}, not a release\n{facts(rows)}" if release.simulated else facts(rows)


def _option(bound: float) -> str:
    """Return a bound as the command line reads it, whatever the number format."""
    return format(bound, ".12g")

"""The release that options describe: mechanism, budget, and estimates from the released value."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.data import missing_of, readers
from app.commands.support.mechanism_options import check_name, mechanism_of, mechanism_parameters
from app.commands.support.options import Option, UsageError, add_options, number, whole
from app.commands.support.parts import check_complete
from app.commands.support.privacy import read_privacy_for
from app.model.output_file import output
from app.model.wording.numbers import short
from app.releases.postprocessing import NO_POSTPROCESSING, Postprocessing
from app.releases.run import Run, chosen_run
from engine.components import asked_of
from engine.errors import ParameterError
from engine.mechanisms.relation import check_missing
from engine.mechanisms.scalar import ScalarMechanism

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.privacy import Privacy


POSTPROCESSING = (
    Option("estimates", "estimate the spanning tree, the diameter and the matching", flag=True),
    Option(
        "price",
        "locate facilities at this price each, in units of distance times points",
        number,
        "P",
    ),
    Option(
        "synthetic",
        "write synthetic points (csv or parquet), drawn evenly in each cell, as many as its count",
        metavar="FILE",
    ),
    Option("points", "number of synthetic points (default n)", whole, "N"),
)
"""The options about histograms; all use the released counts, so they cost nothing more."""


@dataclasses.dataclass(frozen=True)
class Sanitization:
    """A release as the options describe it, before the command reads data.

    `blocks_given` is False where the planner chooses the number of blocks.
    """

    mechanism: Any
    privacy: Privacy
    blocks_given: bool = True
    postprocessing: Postprocessing = NO_POSTPROCESSING

    @property
    def name(self) -> str:
        """The name in the catalog."""
        return str(asked_of(self.mechanism).name)

    @property
    def reads(self) -> str:
        """The kind of data that it reads."""
        return str(self.mechanism.reads)

    def on(self, data: LoadedRecords[Any]) -> Run:
        """Return the run on these data; `ParameterError` for too many synthetic points."""
        if self.postprocessing.points is None:
            self.postprocessing.check(data.database.n)
        if self.blocks_given:
            return chosen_run(self.mechanism.for_columns(data.columns), self.privacy, data)
        from engine.mechanisms.planning import plan_blocks, with_blocks

        plan = plan_blocks(self.mechanism, data.database.domain, data.database.n, self.privacy)
        return Run(with_blocks(self.mechanism, plan.blocks), self.privacy, data, plan)


def sanitization_of(options: argparse.Namespace) -> Sanitization:
    """Return the described release; check all options before the command reads data."""
    from engine.catalog import sanitizers

    name = options.mechanism
    check_name(name)
    privacy = read_privacy_for(options, readers()[name])
    if name not in sanitizers():
        _refuse_postprocessing(name, options)
        mechanism = _with_default_method(options, privacy)
        check_missing(mechanism.relation, missing_of(options))
        check_complete(options, mechanism)
        if isinstance(mechanism, ScalarMechanism) and hasattr(
            mechanism, "noise"
        ):  # refuse an impossible pair before reading a large file
            chosen = mechanism.settings()
            mechanism.noise.check(privacy, constants=chosen["constants"], split=chosen["split"])
        return Sanitization(mechanism, privacy)
    from engine.mechanisms import BlockMechanism, HistogramMechanism

    if not issubclass(sanitizers()[name], HistogramMechanism):
        _refuse_postprocessing(name, options)
    mechanism = mechanism_of(options, privacy)
    check_missing(mechanism.relation, missing_of(options))
    check_complete(options, mechanism)
    given = not isinstance(mechanism, BlockMechanism) or options.blocks is not None
    return Sanitization(mechanism, privacy, given, _postprocessing_of(options))


def _with_default_method(options: argparse.Namespace, privacy: Privacy) -> Any:
    """Build the mechanism of a query: by the automatic method, unless an option needs another one."""
    from engine.mechanisms.auto import AutoRelease
    from engine.queries import QUERIES

    declared = mechanism_parameters()
    own = {one.name for kind in (QUERIES[options.mechanism], AutoRelease) for one in kind.parameters()}
    if options.method is None and options.noise is None and declared.given(options) <= own:
        options = argparse.Namespace(**vars(options) | {"method": AutoRelease.name})
    return mechanism_of(options, privacy, declared)


def add_postprocessing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for estimates and synthetic points."""
    add_options(parser.add_argument_group("histograms: estimates and synthetic points"), POSTPROCESSING)


def _refuse_postprocessing(name: str, options: argparse.Namespace) -> None:
    """Refuse the options for histograms where the release is none."""
    for option in POSTPROCESSING:
        if getattr(options, option.name) is not None:
            raise UsageError(f"--{option.name}: {name} is no histogram of points; leave it out")


def _postprocessing_of(options: argparse.Namespace) -> Postprocessing:
    """Read the options; refuse a file that cannot be written before anything is released."""
    from engine.data.writing import SUFFIXES

    if options.price is not None and not 0 < options.price < float("inf"):
        raise ParameterError(
            "price", f"{short(options.price)} is not possible; it must be a finite number above 0"
        )
    if options.points is not None and options.synthetic is None:
        raise UsageError("--points: name the file for the points with --synthetic FILE")
    wanted = bool(options.estimates) or options.price is not None
    file = output(options.synthetic, SUFFIXES)
    postprocessing = Postprocessing(wanted, options.price, file, options.points)
    if options.points is not None:
        postprocessing.check(options.points)
    return postprocessing

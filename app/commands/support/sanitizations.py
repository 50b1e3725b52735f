"""What is to be released, as options describe it: mechanism, budget, and what follows from the release."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING, Any

from app.commands.support.data import readers
from app.commands.support.mechanism_options import check_name, mechanism_of
from app.commands.support.options import UsageError, number, whole
from app.commands.support.privacy import read_privacy_for
from app.model.output_file import output
from app.model.wording.numbers import short
from app.releases.postprocessing import NO_POSTPROCESSING, Postprocessing
from app.releases.run import Run
from engine.errors import ParameterError
from engine.mechanisms.relation import check_missing

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.privacy import Privacy


POSTPROCESSING = ("estimates", "price", "synthetic", "points")


@dataclasses.dataclass(frozen=True)
class Sanitization:
    """What is to be released, as options say it before any data are read.

    `blocks_given` is False where the planner is to choose the number of blocks.
    """

    mechanism: Any
    privacy: Privacy
    blocks_given: bool = True
    postprocessing: Postprocessing = NO_POSTPROCESSING

    @property
    def name(self) -> str:
        """The name in the catalog."""
        return str(self._asked.name)

    @property
    def reads(self) -> str:
        """The kind of data that it is released of."""
        return str(self._asked.reads)

    @property
    def _asked(self) -> Any:
        return getattr(self.mechanism, "query", self.mechanism)

    def on(self, data: LoadedRecords[Any]) -> Run:
        """Return what is run on these data; `ParameterError` if more is to follow from it than can."""
        if self.postprocessing.points is None:
            self.postprocessing.check(data.database.n)
        if self.blocks_given:
            return Run(self.mechanism, self.privacy, data)
        from engine.mechanisms.planning import plan_blocks, with_blocks

        plan = plan_blocks(self.mechanism, data.database.domain, data.database.n, self.privacy)
        return Run(with_blocks(self.mechanism, plan.blocks), self.privacy, data, plan)


def sanitization_of(options: argparse.Namespace) -> Sanitization:
    """Return what is to be released; all is checked before any data are read."""
    from engine.catalog import sanitizers

    name = options.mechanism
    check_name(name)
    privacy = read_privacy_for(options, readers()[name])
    if name not in sanitizers():
        _refuse_postprocessing(name, options)
        mechanism = mechanism_of(options, privacy)
        check_missing(mechanism.relation, options.missing)
        if hasattr(mechanism, "noise"):  # a pair that does not exist is refused before a large file is read
            chosen = mechanism.settings()
            mechanism.noise.check(privacy, constants=chosen["constants"], split=chosen["split"])
        return Sanitization(mechanism, privacy)
    from engine.mechanisms import BlockMechanism, HistogramMechanism

    if not issubclass(sanitizers()[name], HistogramMechanism):
        _refuse_postprocessing(name, options)
    mechanism = mechanism_of(options, privacy)
    check_missing(mechanism.relation, options.missing)
    given = not isinstance(mechanism, BlockMechanism) or options.blocks is not None
    return Sanitization(mechanism, privacy, given, _postprocessing_of(options))


def add_postprocessing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for estimates."""
    group = parser.add_argument_group(
        "histograms: what follows from what is released, and costs nothing more"
    )
    group.add_argument(
        "--estimates", action="store_true", default=None, help="estimate spanning tree, diameter and matching"
    )
    group.add_argument(
        "--price",
        type=number,
        metavar="P",
        help="locate facilities, too, of which each costs so much, in units of distance times points",
    )
    group.add_argument(
        "--synthetic",
        metavar="FILE",
        help="draw points evenly from the cells, as many as they count, and write them down (csv or parquet)",
    )
    group.add_argument("--points", type=whole, metavar="N", help="how many to draw (default: n)")


def _refuse_postprocessing(name: str, options: argparse.Namespace) -> None:
    """Refuse these options for what is no histogram."""
    for option in POSTPROCESSING:
        if getattr(options, option) is not None:
            raise UsageError(f"--{option}: {name} is no histogram of points; leave it out")


def _postprocessing_of(options: argparse.Namespace) -> Postprocessing:
    """Read the options; a file that cannot be written is refused before anything is released."""
    from engine.data.writing import SUFFIXES

    if options.price is not None and not 0 < options.price < float("inf"):
        raise ParameterError(
            "price", f"{short(options.price)} is not possible; it must be a finite number above 0"
        )
    if options.points is not None and options.synthetic is None:
        raise UsageError("--points: say with --synthetic FILE where they are to go")
    wanted = bool(options.estimates) or options.price is not None
    file = output(options.synthetic, SUFFIXES)
    postprocessing = Postprocessing(wanted, options.price, file, options.points)
    if options.points is not None:
        postprocessing.check(options.points)
    return postprocessing

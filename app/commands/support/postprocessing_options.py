"""The options that say what is to be computed from a released histogram alone."""

from __future__ import annotations

import argparse

from app.commands.support.options import UsageError, number, whole
from app.model.output_file import output
from app.model.wording.number_format import short
from app.releases.postprocessing import Postprocessing
from engine.errors import ParameterError

OPTIONS = ("estimates", "price", "synthetic", "points")


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


def refuse_postprocessing(name: str, options: argparse.Namespace) -> None:
    """Refuse these options for what is no histogram."""
    for option in OPTIONS:
        if getattr(options, option) is not None:
            raise UsageError(f"--{option}: {name} is no histogram of points; leave it out")


def postprocessing_of(options: argparse.Namespace) -> Postprocessing:
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

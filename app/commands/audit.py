"""What a mechanism's epsilon is at least, from many simulated releases of two neighbouring databases.

An event that is far likelier on one of them than on the other refutes the promise, with the
confidence that is stated; finding none proves nothing.  MECHANISM is a query or a mechanism as
in sensiscope run, or in one word as in sensiscope compare.  Nothing is a release.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from app.commands.support.audit_text import AuditedPairs, content, text
from app.commands.support.budget import add_privacy_options, read_privacy
from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import add_data_options, add_resolution_option
from app.commands.support.figure_options import add_figure_options, confidentiality, figure_style
from app.commands.support.interrupt import INTERRUPTED, Stopping
from app.commands.support.mechanism_options import mechanism_of
from app.commands.support.mechanism_parts import add_mechanism_options, add_method_option
from app.commands.support.mechanism_spec import with_planned_blocks, with_spec
from app.commands.support.neighbours import ALL, SHAPE, neighbour
from app.commands.support.options import number, up_to, whole
from app.commands.support.reading import load
from app.model.output_file import output
from app.model.wording.console import CONFIDENTIAL
from app.model.wording.number_format import grouped, short
from engine.components import asked_of
from engine.errors import ParameterError, SensiscopeError, UnknownName
from engine.mechanisms.relation import check_missing
from engine.progress import Cancelled, Progress, part

if TYPE_CHECKING:
    from engine.audit import AuditRun, LowBitsRun, Pair
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy

RUNS, CONFIDENCE, SEED, MAX_RUNS = 100_000, 0.999, 1, 10_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.usage = f"{parser.prog} MECHANISM DATA --epsilon E [--delta D] [--neighbour SPEC] [options]"
    parser.add_argument("mechanism", metavar="MECHANISM", help="NAME, or NAME[:METHOD][,key=value…]")
    add_method_option(parser)
    group = parser.add_argument_group("audit")
    group.add_argument(
        "--neighbour",
        default=ALL,
        metavar="SPEC",
        help=f"a pair of databases by its name, {ALL} that follow from public facts (default), or {SHAPE}: "
        "these data, and one record moved",
    )
    group.add_argument(
        "--runs",
        type=up_to(MAX_RUNS),
        default=RUNS,
        metavar="N",
        help=f"simulated releases of either database (default {grouped(RUNS)})",
    )
    group.add_argument(
        "--confidence",
        type=number,
        default=CONFIDENCE,
        metavar="C",
        help=f"probability with which the bound holds (default {CONFIDENCE})",
    )
    group.add_argument(
        "--low-bits",
        action="store_true",
        help="attack the low bits of real releases, too (at most 5,000 of either database): which of them "
        "are impossible for the neighbour; they are not shown and spend no budget",
    )
    group.add_argument("--planted", metavar="BUG", help="make this mistake in it (see the catalog)")
    group.add_argument(
        "--seed", type=whole, default=SEED, metavar="N", help=f"of all simulations (default {SEED})"
    )
    add_data_options(parser)
    add_resolution_option(parser)
    add_privacy_options(parser, required=True)
    add_mechanism_options(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object")
    add_figure_options(group, "of what came out")


def run(options: argparse.Namespace) -> int:
    """Audit and print."""
    from engine.audit import audit_runs, check_grid

    privacy, spec = read_privacy(options), neighbour(options.neighbour)
    _check(options)
    options = with_spec(options)
    right = mechanism_of(options, privacy)
    check_missing(right.relation, options.missing)
    plot = output(options.plot)
    with Bar() as bar:
        data = load(options, asked_of(right), bar)
    right = with_planned_blocks(right, data, privacy, options)
    mechanism = _planted(right, options.planted)
    mechanism.refuse(privacy, data.database.domain, data.database.n)
    with Bar() as bar:
        pairs = spec.pairs(mechanism, data, privacy, bar)
    if data.database.release_problem:  # then n is not public, and all pairs are made of it
        pairs = tuple(dataclasses.replace(pair, public=False) for pair in pairs)
    if options.low_bits:
        check_grid(mechanism, pairs[0], privacy)
    # what is said of the worst pair holds only if the bounds of all hold at once
    confidence = 1 - (1 - options.confidence) / len(pairs)
    runs: list[AuditRun] = []
    attacks: list[LowBitsRun] = []
    with Bar() as bar, Stopping() as stopping, contextlib.suppress(Cancelled):
        watched = stopping.watched(bar)
        shares = [(index / len(pairs), (index + 1) / len(pairs)) for index in range(len(pairs))]
        steps = [part(part(watched, *share), 0.0, 0.5) for share in shares]
        attempts = audit_runs(
            mechanism,
            pairs,
            privacy,
            runs=options.runs,
            seed=options.seed,
            confidence=confidence,
            steps=steps,
        )
        for pair, one, share in zip(pairs, attempts, shares, strict=True):
            if options.low_bits:
                here = part(part(watched, *share), 0.5, 1.0)
                attacks.append(_attacked(mechanism, pair, privacy, options, here))
            runs.append(one)
    if not runs:
        raise Cancelled
    audited = AuditedPairs(
        right,
        options.planted or "",
        privacy,
        pairs,
        tuple(runs),
        options.confidence,
        options.seed,
        tuple(attacks),
    )
    if options.json:
        say_json(content(audited))
    else:
        say(text(audited, confidentiality(options)))
    sys.stdout.flush()
    for note in (*data.notes, *data.detected):
        remark("note", note)
    if plot is not None:
        from app.commands.support.figures import audit_panel, low_bits_panel
        from app.plots.figure_panel import figure, save_figure

        style = figure_style(options)
        panel = low_bits_panel(audited) if audited.low_bits else audit_panel(audited)
        save_figure(figure(panel, style), plot, style)
        if not audited.public and style.has_stamp:
            remark("note", f"{plot.path} is {CONFIDENTIAL}")
    if not audited.complete:
        remark("cancelled", "stopped by Ctrl+C; what there is by then is kept")
        return INTERRUPTED
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what makes no sense before any data are read."""
    from engine.audit import MIN_RUNS
    from engine.mechanisms import PLANTED

    if options.runs < MIN_RUNS:
        raise ParameterError(
            "runs", f"{grouped(options.runs)} are too few; at least {grouped(MIN_RUNS)} are needed"
        )
    if not 0 < options.confidence < 1:
        raise ParameterError(
            "confidence", f"{short(options.confidence)} is not possible; it must be above 0 and below 1"
        )
    if options.planted is not None and options.planted not in PLANTED:
        raise UnknownName("faulty variant", options.planted, PLANTED)


def _planted(right: Mechanism[Any], name: str | None) -> Mechanism[Any]:
    """Return the mechanism with a mistake in it, or as it should be."""
    from engine.mechanisms import PLANTED

    if name is None:
        return right
    if not PLANTED[name].applies_to(right):
        possible = ", ".join(bug for bug, cls in PLANTED.items() if cls.applies_to(right)) or "none"
        raise SensiscopeError(f"--planted: {name} is no bug of {right.label}; it can have {possible}")
    return PLANTED[name].planted(right)


def _attacked(
    mechanism: Mechanism[Any], pair: Pair, privacy: Privacy, options: argparse.Namespace, progress: Progress
) -> LowBitsRun:
    """Return what the low bits of real releases of one pair tell."""
    from engine.audit import MAX_LOW_BITS_RUNS, low_bits_run

    return low_bits_run(
        mechanism, pair, privacy, runs=min(options.runs, MAX_LOW_BITS_RUNS), progress=progress
    )

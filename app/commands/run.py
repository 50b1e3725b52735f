"""One sanitization: releases the answer to QUERY, or what MECHANISM computes, of the data.

What it costs is written to a ledger before the value exists, and stays spent.  With --seed
it is a reproducible simulation and no release at all, and spends nothing: whoever knows the
seed can subtract the noise.  The same holds of --pattern where blocks of records follow from it.  All
need --epsilon but histograms with exact counts, which are not differentially private.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import add_privacy_options
from app.commands.support.console import Bar, finite, remark, say, say_json
from app.commands.support.data import add_data_options, add_resolution_option
from app.commands.support.figure_options import add_figure_options, confidentiality, figure_style
from app.commands.support.groups import add_group_option, check_group, group_json, group_words
from app.commands.support.mechanism_parts import add_mechanism_options, add_method_option
from app.commands.support.options import is_brief, whole
from app.commands.support.paying import records_and_account
from app.commands.support.postprocessing_options import add_postprocessing_options
from app.commands.support.sanitizations import sanitization_of
from app.commands.support.spending import (
    add_spending_options,
    release_of,
    simulated_by,
    spending_of,
    spent_json,
)
from app.model.ledger import about_release
from app.model.output_file import output
from app.model.wording.console import budget, facts, grid, settings
from app.model.wording.grids import inexact_words, unit_of, with_counted
from app.model.wording.neighbours import WORDS, counted_words
from app.releases.postprocessing import estimate_rows
from app.releases.public_rows import public_rows
from app.releases.registry import SHAPES
from engine.errors import SensiscopeError
from engine.privacy import NO_PROMISE
from engine.progress import part

if TYPE_CHECKING:
    from app.releases.run import Run
    from app.releases.shape import Shape
    from engine.ledger import Composition
    from engine.mechanisms.release import Release
    from engine.primitives.accounting import Concentrated
    from engine.privacy import Privacy


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    names = ""
    if not is_brief(parser):
        from engine.catalog import sanitizers

        names = ", ".join(sanitizers())
    parser.usage = f"{parser.prog} QUERY|MECHANISM DATA [--epsilon E] [options]"
    parser.add_argument(
        "mechanism",
        metavar="QUERY|MECHANISM",
        help=f"what to release: a query of the catalog, e.g. median, or one of {names}",
    )
    add_method_option(parser)
    add_data_options(parser)
    add_resolution_option(parser)
    add_privacy_options(parser, required=False)
    add_mechanism_options(parser)
    add_postprocessing_options(parser)
    add_spending_options(parser)
    group = parser.add_argument_group("output")
    add_group_option(group)
    group.add_argument(
        "--seed", type=whole, metavar="N", help="simulate reproducibly; the result is not a release"
    )
    group.add_argument(
        "--show-private", action="store_true", help="show the true value and all else that is confidential"
    )
    group.add_argument("--json", action="store_true", help="one JSON object")
    add_figure_options(group, "(with --show-private the curator's)")


def run(options: argparse.Namespace) -> int:
    """Release once and print it."""
    from engine.randomness import reproducible, secure

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed, so a release would be lost; nothing was released")
    subject = sanitization_of(options)
    mechanism, privacy, follows = subject.mechanism, subject.privacy, subject.postprocessing
    check_group(options.group, privacy)
    shape = SHAPES[mechanism.facts.shape]
    plot = output(options.plot)
    with Bar() as bar:
        data, account = records_and_account(options, subject, part(bar, 0.0, 0.4))
        run = subject.on(data)
        private: dict[str, Any] | None = None
        ready: Any = None

        def look(prepared: Any) -> None:
            nonlocal private, ready
            ready = prepared
            if options.show_private:
                truth = follows.truth(data.database, part(bar, 0.7, 0.8))
                private = finite(shape.diagnostics(run, prepared) | ({"estimates": truth} if truth else {}))
            if mechanism.inexact:
                remark("warning", inexact_words(False, mechanism.inexact))

        rng = secure() if options.seed is None else reproducible(options.seed)
        about = about_release(run.name, run.data.name, run.mechanism)
        release = release_of(
            account, run.mechanism, data.database, privacy, about, options, rng, part(bar, 0.4, 1.0), look
        )
    if private is not None:
        private |= shape.assessment(run, release, ready)
    learned: Mapping[str, Any] = {}
    spent = None
    try:
        spent = spending_of(account) if account is not None else None
        with Bar() as bar:
            learned = follows.estimates(release, data.database.n, rng, bar)
    finally:  # the value is paid for: whatever happens to what follows from it, it is out
        _say(run, release, options, learned, private, spent[0] if spent else None)
    dropped = [WORDS[release.neighbours].dropped] if options.missing == "drop" else []
    detected = data.detected if options.show_private else ()
    for note in (*data.notes, *detected, *dropped, *_unspent(privacy, release), *shape.remarks(run, release)):
        remark("note", note)
    if spent:
        if counted := counted_words(mechanism, privacy, ("epsilon", "delta")):
            remark("note", counted)
        remark("note", spent[1])
    with Bar() as bar:
        written = list(follows.write(release, data, rng, bar))
    for note in written:
        remark("note", note)
    if plot is not None:
        from app.plots.figure_panel import save_figure

        style = figure_style(options)
        drawn = shape.figure(run, release, ready, style, show_private=options.show_private)
        save_figure(drawn, plot, style)
    return 0


def _say(
    run: Run,
    release: Release,
    options: argparse.Namespace,
    learned: Mapping[str, Any],
    private: Mapping[str, Any] | None,
    spent: Composition | None,
) -> None:
    if options.json:
        more = {
            "group": None
            if options.group is None
            else group_json(options.group, release, _concentrated(run)),
            "spent": None if spent is None else spent_json(spent),
            "estimates": learned,
            "diagnostics": private,
        }
        say_json(_json(run, release) | {name: part for name, part in more.items() if part})
    else:
        say(_text(run, release, simulated_by(options, run.mechanism), options.group))
        if learned:
            rows = facts(estimate_rows(learned, run.unit))
            say(f"\nestimates, from what is {_made(release)} alone\n{rows}")
        if private is not None:
            say(f"\n{confidentiality(options)}\n{facts(_shape(run).private_rows(run, private))}")
    sys.stdout.flush()


def _concentrated(run: Run) -> Concentrated:
    settled = run.mechanism.resolve(domain=run.data.database.domain)
    concentrated: Concentrated = settled.zcdp_cost(run.privacy)
    return concentrated


def _shape(run: Run) -> Shape:
    return SHAPES[run.mechanism.facts.shape]


def _json(run: Run, release: Release) -> dict[str, Any]:
    return {
        "mechanism": release.query,
        "value": release.value,
        "step": release.step,
        "exact": release.exact,
        "privacy": _privacy(release),
        "noise": {"family": None, "alpha": None, "beta": None} | dict(release.noise),
        "parameters": _shape(run).parameters(run, release),
        "simulated": release.simulated,
        "version": release.version,
    }


def _privacy(release: Release) -> dict[str, Any]:
    if release.privacy == NO_PROMISE:
        return {"epsilon": None, "delta": None, "neighbours": release.neighbours, "private": False}
    cost = release.privacy
    return {"epsilon": cost.epsilon, "delta": cost.delta, "neighbours": release.neighbours}


def _unspent(privacy: Privacy, release: Release) -> list[str]:
    """Say so where delta buys nothing."""
    if not release.privacy.delta == 0 < privacy.delta:
        return []
    return [f"--delta is not used: what {release.query} releases costs epsilon alone, and delta = 0 holds"]


def _made(release: Release) -> str:
    return "simulated" if release.simulated else "released"


def _text(run: Run, release: Release, simulated: str, group: int | None) -> str:
    shape, data = _shape(run), run.data
    unit = unit_of(run.mechanism, data.unit)
    rounded = with_counted(grid(release.step, unit, release.parameters, data.columns), run.mechanism)
    inexact = inexact_words(release.exact, run.mechanism.inexact)
    rows = [
        (f"{_made(release)} {release.query}", shape.headline(run, release)),
        ("of", f"{data.name}, {data.size_words}"),
        *public_rows(run),
        *shape.rows(run),
        *([("noise", settings(release.noise.items()))] if release.noise else []),
        *([("grid", rounded)] if rounded else []),
        ("privacy", budget(release.privacy.epsilon, release.privacy.delta, release.neighbours, inexact)),
        *([("group", group_words(group, release, _concentrated(run)))] if group is not None else []),
        *([("error", shape.error(run, release))] if release.error is not None else []),
    ]
    table = shape.listing(run, release)
    text = facts(rows) + (f"\n\n{table}" if table else "")
    return f"SIMULATION with {simulated}, not a release\n{text}" if release.simulated else text

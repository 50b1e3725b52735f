"""One sanitization: releases the answer to QUERY, or what MECHANISM computes, of the data.

What it costs is written to a ledger before the value exists, and stays spent.  With --seed
it is a reproducible simulation and no release at all, and spends nothing: whoever knows the
seed can subtract the noise.  All need --epsilon but histograms with exact counts, which
are not differentially private.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import add_privacy_options
from app.commands.support.console import Bar, finite, remark, say, say_json
from app.commands.support.data import add_data_options, add_resolution_option
from app.commands.support.mechanism_options import (
    add_mechanism_options,
    add_method_option,
)
from app.commands.support.options import whole
from app.commands.support.postprocessing_options import add_postprocessing_options
from app.commands.support.reading import load
from app.commands.support.sanitizations import sanitization_of
from app.commands.support.spending import (
    account_of,
    add_spending_options,
    path_of,
    refuse_spending,
    spend,
    spending_of,
    spent_json,
)
from app.model.ledger_path import about_release
from app.model.output_file import output
from app.model.wording.console import PRIVATE, budget, facts, grid, settings, size
from app.model.wording.grids import unit_of
from app.model.wording.inexact import inexact_words
from app.model.wording.neighbours import WORDS
from app.plots.rendering import save_figure
from engine.errors import SensiscopeError
from engine.privacy import NO_PROMISE
from engine.progress import Progress, part

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.base import Sanitization
    from engine.ledger import Account, Composition
    from engine.mechanisms.release import Release
    from engine.privacy import Privacy

PROGRAM = "sensiscope run"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from engine.catalog import sanitizers

    parser.usage = f"{PROGRAM} QUERY|MECHANISM DATA [--epsilon E] [options]"
    parser.add_argument(
        "mechanism",
        metavar="QUERY|MECHANISM",
        help=f"what to release: a query of the catalog, e.g. median, or one of {', '.join(sanitizers())}",
    )
    add_method_option(parser)
    add_data_options(parser)
    add_resolution_option(parser)
    add_privacy_options(parser, required=False)
    add_mechanism_options(parser)
    add_postprocessing_options(parser)
    add_spending_options(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--seed", type=whole, metavar="N", help="simulate reproducibly; the result is not a release"
    )
    group.add_argument(
        "--show-private", action="store_true", help="show the true value and all else that is private"
    )
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument(
        "--plot", metavar="FILE", help="save the figure (png, svg or pdf); with --show-private the curator's"
    )


def run(options: argparse.Namespace) -> int:
    """Release once and print it."""
    from engine.randomness import reproducible, secure

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed, so a release would be lost; nothing was released")
    privacy, subject = sanitization_of(options, PROGRAM)
    plot = output(options.plot)
    with Bar() as bar:
        data = load(options, subject, PROGRAM, part(bar, 0.0, 0.3))
        account = _account(options, part(bar, 0.3, 0.4))
        subject = subject.fit(data, privacy)
        prepared = subject.mechanism.prepare(data.database, privacy, part(bar, 0.4, 0.7))
        # whatever takes time comes before the release: one that is not printed is lost
        private = None
        if options.show_private:
            truth = subject.truth(data, part(bar, 0.7, 0.8))
            private = finite({**subject.diagnostics(prepared, data), **truth})
        rng = secure() if options.seed is None else reproducible(options.seed)
        if subject.mechanism.inexact:
            remark("warning", inexact_words(False, subject.mechanism.inexact))

        def draw() -> Release:
            return subject.mechanism.release(prepared, data.database, privacy, rng, part(bar, 0.8, 1.0))

        release = draw() if account is None else _paid(account, subject, data, privacy, draw, options)
    if private is not None:
        private |= subject.assess(release, prepared, data)
    learned: Mapping[str, Any] = {}
    spent = None
    try:
        spent = spending_of(account, release) if account is not None else None
        with Bar() as bar:
            learned = subject.estimate(release, data, rng, bar)
    finally:  # the value is paid for: whatever happens to what follows from it, it is out
        _say(subject, release, data, options, learned, private, spent[0] if spent else None)
    dropped = [WORDS[release.neighbours].dropped] if options.missing == "drop" else []
    for note in (*data.notes, *dropped, *_unspent(privacy, release), *subject.remarks(release, data)):
        remark("note", note)
    if spent:
        remark("note", spent[1])
    with Bar() as bar:
        written = list(subject.write_files(release, data, rng, bar))
    for note in written:
        remark("note", note)
    if plot is not None:
        save_figure(subject.figure(release, prepared, data, privacy, show_private=options.show_private), plot)
    return 0


def _say(
    subject: Sanitization[Any, Any, Any],
    release: Release,
    data: LoadedRecords[Any],
    options: argparse.Namespace,
    learned: Mapping[str, Any],
    private: Mapping[str, Any] | None,
    spent: Composition | None,
) -> None:
    if options.json:
        more = {
            "spent": None if spent is None else spent_json(spent),
            "estimates": learned,
            "diagnostics": private,
        }
        say_json(_json(subject, release, data) | {name: part for name, part in more.items() if part})
    else:
        say(_text(subject, release, data, options.seed))
        if learned:
            rows = facts(subject.estimate_rows(learned, data))
            say(f"\nestimates, from what is {_made(release)} alone\n{rows}")
        if private is not None:
            say(f"\n{PRIVATE}\n{facts(subject.private_rows(private, data))}")
    sys.stdout.flush()


def _account(options: argparse.Namespace, progress: Progress) -> Account | None:
    """Return the account that is to pay; None for a simulation, which costs nothing."""
    from engine.ledger import Ledger

    if options.seed is not None:
        refuse_spending(options, PROGRAM)
        return None
    return account_of(Ledger(path_of(options)), options, progress)


def _paid(
    account: Account,
    subject: Sanitization[Any, Any, Any],
    data: LoadedRecords[Any],
    privacy: Privacy,
    draw: Callable[[], Release],
    options: argparse.Namespace,
) -> Release:
    """Write the release down, and make it."""
    from engine.ledger import Cost

    about = about_release(subject.name, data.name, subject.mechanism)
    return spend(account, Cost.of(subject.mechanism, privacy), about, draw, over=options.overspend)


def _json(subject: Sanitization[Any, Any, Any], release: Release, data: LoadedRecords[Any]) -> dict[str, Any]:
    return {
        "mechanism": release.query,
        "value": release.value,
        "step": release.step,
        "exact": release.exact,
        "privacy": _privacy(release),
        "noise": {"family": None, "alpha": None, "beta": None} | dict(release.noise),
        "parameters": subject.parameters(release, data),
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


def _text(
    subject: Sanitization[Any, Any, Any], release: Release, data: LoadedRecords[Any], seed: int | None
) -> str:
    unit = unit_of(subject.mechanism, data.unit)
    rounded = grid(release.step, unit, release.parameters, data.columns)
    inexact = inexact_words(release.exact, subject.mechanism.inexact)
    rows = [
        (f"{_made(release)} {release.query}", subject.value(release, data)),
        ("of", f"{data.name}, {size(data.database.facts, data.database.n)}"),
        *subject.rows(data),
        *([("noise", settings(release.noise.items()))] if release.noise else []),
        *([("grid", rounded)] if rounded else []),
        ("privacy", budget(release.privacy.epsilon, release.privacy.delta, release.neighbours, inexact)),
        *([("error", subject.error(release, data))] if release.error is not None else []),
    ]
    table = subject.table(release, data)
    text = facts(rows) + (f"\n\n{table}" if table else "")
    return f"SIMULATION with seed {seed}, not a release\n{text}" if release.simulated else text

"""One sanitization: releases a private value of QUERY on the data.

With --seed it is a reproducible simulation and no release at all: whoever knows the
seed can subtract the noise.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from app.neighbours import WORDS
from app.verbs.shared.budget import (
    add_noise_option,
    add_privacy_options,
    noise,
    noise_options,
    privacy,
)
from app.verbs.shared.console import Bar, remark, say, say_json
from app.verbs.shared.data import add_data_options, add_resolution_option
from app.verbs.shared.options import ParameterOptions, UsageError, whole
from app.verbs.shared.output import output
from app.verbs.shared.reading import Loaded, load
from app.verbs.shared.words import PRIVATE, bounds, budget, facts, settings, size
from app.verbs.shared.words import number as words
from engine.errors import SensiscopeError
from engine.progress import part

if TYPE_CHECKING:
    from engine.mechanisms.base import Mechanism, Release
    from engine.privacy import Privacy

PROGRAM = "sensiscope run"
REFUSED = "the mechanism refused to answer: the data are too close to some with a larger local sensitivity"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.usage = f"{PROGRAM} QUERY DATA --epsilon E [options]"
    parser.add_argument(
        "mechanism", metavar="QUERY", help="what to release: a query of the catalog, e.g. median"
    )
    parser.add_argument(
        "--method",
        default="smooth",
        metavar="METHOD",
        help="how to release it (default smooth; see the catalog)",
    )
    add_data_options(parser)
    add_resolution_option(parser)
    add_privacy_options(parser, required=True)
    add_noise_option(parser)
    queries, methods = _families()
    queries.add_to(parser, "parameters of the query")
    methods.add_to(parser, "parameters of the method")
    noise_options().add_to(parser, "parameters of the noise")
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
    """Release one value and print it."""
    from engine.randomness import reproducible, secure

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed, so a release would be lost; nothing was released")
    asked = privacy(options)
    mechanism = _mechanism(options, asked)
    plot = output(options.plot)
    _check_pair(mechanism, asked)
    with Bar() as bar:
        data = load(options, mechanism.query, PROGRAM, part(bar, 0.0, 0.5))
        rng = secure() if options.seed is None else reproducible(options.seed)
        release = mechanism.run(data.database, asked, rng, part(bar, 0.5, 1.0))
    if options.json:
        say_json(_json(release, data, options.show_private))
    else:
        say(_text(mechanism, release, data, options))
    sys.stdout.flush()  # the value is paid for: whatever happens to the figure, it is out
    _remarks(mechanism, release, data, options.missing)
    if plot is not None:
        from app.verbs.shared.figures import release_figure

        plot.save(release_figure(mechanism, release, data, asked, show_private=options.show_private))
    return 0


def _families() -> tuple[ParameterOptions, ParameterOptions]:
    from engine.mechanisms import MECHANISMS
    from engine.queries import QUERIES

    return ParameterOptions(QUERIES), ParameterOptions(MECHANISMS)


def _mechanism(options: argparse.Namespace, asked: Privacy) -> Mechanism[Any]:
    """Build the mechanism; every name and parameter is checked before any data are read."""
    from engine import catalog
    from engine.mechanisms import MECHANISMS

    queries, methods = _families()
    catalog.query(options.mechanism)
    query = catalog.query(options.mechanism, **queries.of(options.mechanism, options))
    catalog.mechanism(options.method, query)
    given = methods.of(options.method, options)
    if any(parameter.kind == "noise" for parameter in MECHANISMS[options.method].parameters()):
        return catalog.mechanism(options.method, query, noise(options, asked, options.noise), **given)
    if options.noise is not None:
        raise UsageError(
            f"--noise: {options.method} has its own noise; --noise belongs to --method smooth", PROGRAM
        )
    noise_options().of(options.method, options)
    return catalog.mechanism(options.method, query, **given)


def _check_pair(mechanism: Mechanism[Any], asked: Privacy) -> None:
    """Refuse a pair that does not exist, before a large file is read."""
    family = getattr(mechanism, "noise", None)
    if family is not None:
        chosen = mechanism.settings()
        family.check(asked, constants=chosen["constants"], split=chosen["split"])


def _json(release: Release, data: Loaded, show_private: bool) -> dict[str, Any]:
    content: dict[str, Any] = {
        "mechanism": release.query,
        "value": release.value,
        "privacy": {
            "epsilon": release.privacy.epsilon,
            "delta": release.privacy.delta,
            "neighbours": release.neighbours,
        },
        "noise": {"family": None, "alpha": None, "beta": None} | dict(release.noise),
        "parameters": {"method": release.mechanism, **release.parameters},
        "simulated": release.simulated,
        "version": release.version,
    }
    if show_private:
        content["diagnostics"] = _diagnostics(release, data)
    return content


def _diagnostics(release: Release, data: Loaded) -> dict[str, Any]:
    return {**release.diagnostics, "clamped": data.clamped, "dropped": data.dropped}


def _text(mechanism: Mechanism[Any], release: Release, data: Loaded, options: argparse.Namespace) -> str:
    known = data.database.facts
    within, record = bounds(known, data.unit), WORDS[release.neighbours].record
    value = "no value: refused" if release.value is None else words(release.value, 8, data.unit)
    kind = "released" if not release.simulated else "simulated"
    query = settings(mechanism.query.settings().items())
    chosen = settings(mechanism.settings().items())
    rows = [
        (f"{kind} {release.query}", value),
        ("of", f"{data.name}, {size(known, data.database.n)}"),
        *([("public bounds", f"{within} for each {record}")] if within else []),
        *([("query", query)] if query else []),
        ("method", mechanism.label + (f" ({chosen})" if chosen else "")),
        *([("noise", settings(release.noise.items()))] if release.noise else []),
        ("privacy", budget(release.privacy.epsilon, release.privacy.delta, release.neighbours)),
    ]
    if release.error is not None:
        rows.append(("error", f"95 % within ± {words(release.error, 4, data.unit)}"))
    text = facts(rows)
    if release.simulated:
        text = f"SIMULATION with seed {options.seed}, not a release\n{text}"
    if options.show_private:
        private = [
            (name, words(value, 8) if isinstance(value, (int, float)) else str(value))
            for name, value in _diagnostics(release, data).items()
        ]
        text += f"\n\n{PRIVATE}\n{facts(private)}"
    return text


def _remarks(mechanism: Mechanism[Any], release: Release, data: Loaded, missing: str) -> None:
    """Say plainly, from public facts alone, what is not promised and when the result is of little use."""
    for note in (*data.notes, *([WORDS[release.neighbours].dropped] if missing == "drop" else [])):
        remark("note", note)
    width = data.range_of(mechanism.query).width
    if release.value is None:
        remark("note", REFUSED)
    elif release.error is not None and release.error > width:
        remark(
            "note",
            f"the noise (95 % within ± {words(release.error, 4, data.unit)}) is wider than the range of "
            f"possible results ({words(width, 4, data.unit)}): the value says little; "
            "try --method smooth or a larger epsilon",
        )

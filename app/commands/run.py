"""Release the answer to a query, or the result of a mechanism, with differential privacy."""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, finite, remark, say, say_json
from app.commands.support.data import FIRST_OPTIONS, add_data_options, missing_of, readers
from app.commands.support.figures import add_figure_options, confidentiality, figure_style
from app.commands.support.mechanism_options import (
    add_mechanism_options,
    add_release_options,
    check_name,
    mechanism_of,
    mechanism_parameters,
)
from app.commands.support.options import (
    JSON,
    SEED,
    Option,
    UsageError,
    VerbHelp,
    add_options,
    check_number,
    number,
    whole,
)
from app.commands.support.parts import check_complete, with_parts
from app.commands.support.privacy import add_privacy_options, privacy_json, read_privacy_for
from app.commands.support.spending import (
    add_spending_options,
    dropped_notes,
    records_and_account,
    release_of,
    simulated_by,
    spending_of,
    spent_json,
)
from app.model.ledger import about_release
from app.model.output_file import output
from app.model.wording.console import budget, facts, grid, settings
from app.model.wording.neighbours import WORDS, counted_words, ends_words
from app.model.wording.numbers import grouped, short
from app.model.wording.records import rows_words
from app.model.wording.releases import inexact_words, unit_of, with_counted
from app.releases.postprocessing import NO_POSTPROCESSING, Postprocessing, estimate_rows
from app.releases.registry import SHAPES
from app.releases.run import Run, chosen_run, public_rows
from engine.components import asked_of
from engine.data.look_only import rows_of_person
from engine.errors import SensiscopeError
from engine.mechanisms.relation import check_missing
from engine.mechanisms.scalar import ScalarMechanism
from engine.privacy import NO_PROMISE
from engine.progress import part

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.releases.shape import Shape
    from engine.ledger import Composition
    from engine.mechanisms.release import Release
    from engine.primitives.accounting import Concentrated
    from engine.privacy import Privacy

GROUP = Option(
    "group",
    "also print the guarantee for G records together, such as one family: G times epsilon, and the sum of "
    "delta over G steps; costs nothing",
    whole,
    "G",
)
INTERVAL = Option(
    "interval",
    "share of epsilon that pays for a 95 % interval of a number, the same as --error-share (see --covers)",
    number,
    "SHARE",
    dest="parameter_error_share",
)
SHOW_PRIVATE = Option("show-private", "also print the true value and other confidential results", flag=True)

HELP = VerbHelp(
    usage="QUERY|MECHANISM DATA [--epsilon E] [options]",
    first=(*FIRST_OPTIONS, "where", "by", "epsilon", "delta", "method", "interval", "seed", "json"),
    example="run median --data pay.csv --column salary --lower 0 --upper 500000 --epsilon 1",
    notes="With --where, --by or --missing drop the question is about parts of the table. The number of "
    "records in a part stays confidential, and all groups together cost one epsilon.\n\n"
    "The ledger records the cost before the value exists, and the cost stays spent.\n\n"
    "With --seed the result is a reproducible simulation. It is no release and costs nothing: anyone who "
    "knows the seed can subtract the noise. The same holds for --pattern where it decides the blocks.\n\n"
    "Histograms with exact counts take no --epsilon: they are not differentially private.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "mechanism",
        metavar="QUERY|MECHANISM",
        help="a query such as median, or a mechanism such as histogram-tree (all: sensiscope catalog)",
    )
    add_data_options(parser)
    add_privacy_options(parser, required=False)
    add_release_options(parser, default="auto")
    add_options(parser.add_argument_group("interval"), (INTERVAL,))
    add_mechanism_options(parser)
    add_options(parser.add_argument_group("histograms: estimates and synthetic points"), POSTPROCESSING)
    add_spending_options(parser)
    group = parser.add_argument_group("output: group privacy, simulation, JSON, figure")
    add_options(group, (GROUP, SEED, SHOW_PRIVATE, JSON))
    add_figure_options(group, "(with --show-private the curator's)")


def run(options: argparse.Namespace) -> int:
    from engine.randomness import reproducible, secure

    if sys.stdout is None:
        raise SensiscopeError("standard output is closed and would lose the release; nothing was released")
    options = with_parts(options, options.mechanism)
    subject = sanitization_of(options)
    mechanism, privacy, follows = subject.mechanism, subject.privacy, subject.postprocessing
    if options.group is not None:  # before anything is released
        if privacy == NO_PROMISE:
            raise UsageError("--group: without differential privacy no group is protected; leave it out")
        privacy.for_group(options.group)
    shape = SHAPES[mechanism.facts.shape]
    plot = output(options.plot)
    with Bar() as bar:
        data, account = records_and_account(options, subject, part(bar, 0.0, 0.4))
        run = subject.on(data)
        mechanism = run.mechanism
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
        about["parameters"] |= dict(data.statements)
        about |= {"unit": run.unit, "coordinates": list(run.data.columns)}
        release = release_of(
            account, run.mechanism, data.database, privacy, about, options, rng, part(bar, 0.4, 1.0), look
        )
    if private is not None:
        private |= shape.assessment(run.record(release, ready))
    learned: Mapping[str, Any] = {}
    spent = None
    try:
        spent = spending_of(account) if account is not None else None
        with Bar() as bar:
            learned = follows.estimates(release, data.database.n, rng, bar)
    finally:  # the value is paid for, so it is printed even if the estimates fail
        _say(run, release, options, learned, private, spent[0] if spent else None)
    notes = [*data.notes, *(data.detected if options.show_private else ()), *dropped_notes(options, release)]
    if release.privacy.delta == 0 < privacy.delta:
        notes.append(f"--delta is not used: {release.query} costs only epsilon, and delta is 0")
    remark("note", *notes, *shape.remarks(run.record(release)))
    if spent:
        if counted := counted_words(mechanism, privacy, ("epsilon", "delta"), rows_of_person(data.database)):
            remark("note", counted)
        if rows_of_person(data.database):
            remark("note", ends_words([release.neighbours]))
        remark("note", spent[1])
    with Bar() as bar:
        written = list(follows.write(release, data, rng, bar))
    remark("note", *written)
    if plot is not None:
        from app.plots.figure_panel import save_figure

        style = figure_style(options)
        drawn = shape.figure(run.record(release, ready if options.show_private else None), style)
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
            else _group_json(options.group, release, _concentrated(run)),
            "spent": None if spent is None else spent_json(spent),
            "estimates": learned,
            "diagnostics": private,
        }
        say_json(_json(run, release) | {name: part for name, part in more.items() if part})
    else:
        say(_text(run, release, simulated_by(options, run.mechanism), options.group))
        if learned:
            rows = facts(estimate_rows(learned, run.unit))
            say(f"\nestimates, only from the {_verb(release)} counts\n{rows}")
        if private is not None:
            say(f"\n{confidentiality(options)}\n{facts(_shape(run).private_rows(run, private))}")
    sys.stdout.flush()


def _concentrated(run: Run) -> Concentrated:
    cost: Concentrated = run.mechanism.resolve(domain=run.data.database.domain).zcdp_cost(run.privacy)
    return cost


def _shape(run: Run) -> Shape:
    return SHAPES[run.mechanism.facts.shape]


def _json(run: Run, release: Release) -> dict[str, Any]:
    return {
        "mechanism": release.query,  # as the command spells it
        "query": release.query,
        "method": release.method,
        **_shape(run).value_json(release),
        "step": release.step,
        "exact": release.exact,
        "privacy": privacy_json(release.privacy, release.neighbours),
        "noise": {"family": None, "alpha": None, "beta": None} | dict(release.noise),
        "parameters": _shape(run).parameters(run.record(release)) | dict(run.data.statements),
        **run.data.about_json,
        "simulated": release.simulated,
        "version": release.version,
    }


def _verb(release: Release) -> str:
    return "simulated" if release.simulated else "released"


def _text(run: Run, release: Release, simulated: str, group: int | None) -> str:
    shape, data, record = _shape(run), run.data, run.record(release)
    unit = unit_of(run.mechanism, data.unit)
    rounded = with_counted(grid(release.step, unit, release.parameters, data.columns), run.mechanism)
    inexact = inexact_words(release.exact, run.mechanism.inexact)
    rows = [
        (f"{_verb(release)} {release.query}", shape.headline(record)),
        ("of", f"{data.name}, {data.size_words}"),
        *([("rows", text)] if (text := rows_words(data.statements)) else []),
        *public_rows(run),
        *shape.rows(run),
        *([("noise", settings(release.noise.items()))] if release.noise else []),
        *([("grid", rounded)] if rounded else []),
        ("privacy", budget(release.privacy.epsilon, release.privacy.delta, release.neighbours, inexact)),
        *([("group", _group_text(group, release, _concentrated(run)))] if group is not None else []),
        *([("error", shape.error(record))] if release.error is not None else []),
        *([("interval", interval)] if (interval := shape.interval(record)) else []),
    ]
    table = shape.listing(record)
    text = facts(rows) + (f"\n\n{table}" if table else "")
    return f"SIMULATION with {simulated}, not a release\n{text}" if release.simulated else text


def _group_json(size: int, release: Release, concentrated: Concentrated) -> dict[str, Any]:
    """Return the guarantee for a group; without numbers where there is none."""
    promise = release.privacy.for_group(size)
    more = {} if concentrated.delta else {"rho": concentrated.for_group(size).rho}
    if promise == NO_PROMISE:
        return {"size": size, "epsilon": None, "delta": None, **more, "private": bool(more)}
    return {"size": size, "epsilon": promise.epsilon, "delta": promise.delta, **more}


def _group_text(size: int, release: Release, concentrated: Concentrated) -> str:
    """Return the guarantee for a group in words; by concentrated privacy, too, where delta would grow."""
    promise = release.privacy.for_group(size)
    wording = WORDS[release.neighbours]
    who = f"{grouped(size)} {wording.record if size == 1 else wording.records} together"
    more, delta = "", release.privacy.delta
    if delta and not concentrated.delta:
        other = concentrated.for_group(size).privacy(delta)
        more = f"; epsilon = {short(other.epsilon, 4)}, delta = {short(delta)} by concentrated privacy"
    if promise == NO_PROMISE:
        lost = "no guarantee by (epsilon, delta), because delta would reach 1"
        return f"{lost}{more}, for {who}" if more else f"no guarantee for {who}: delta would reach 1"
    return f"epsilon = {short(promise.epsilon)}, delta = {short(promise.delta, 4)} for {who}{more}"


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
        if isinstance(mechanism, ScalarMechanism) and hasattr(mechanism, "noise"):
            # refuse an impossible pair before reading a large file
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


def _refuse_postprocessing(name: str, options: argparse.Namespace) -> None:
    """Refuse the options for histograms where the release is none."""
    for option in POSTPROCESSING:
        if getattr(options, option.name) is not None:
            raise UsageError(f"--{option.name}: {name} is no histogram of points; leave it out")


def _postprocessing_of(options: argparse.Namespace) -> Postprocessing:
    """Read the options; refuse a file that cannot be written before anything is released."""
    from engine.data.writing import SUFFIXES

    if options.price is not None:
        check_number("price", options.price, math.inf, "a finite number above 0")
    if options.points is not None and options.synthetic is None:
        raise UsageError("--points: name the file for the points with --synthetic FILE")
    wanted = bool(options.estimates) or options.price is not None
    file = output(options.synthetic, SUFFIXES)
    postprocessing = Postprocessing(wanted, options.price, file, options.points)
    if options.points is not None:
        postprocessing.check(options.points)
    return postprocessing

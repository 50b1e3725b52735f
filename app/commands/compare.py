"""How far from the truth several mechanisms are on the same data, in many simulated releases.

MECHANISM is NAME[:METHOD][,key=value…], for instance median:smooth,noise=student-t,nu=3 or
one-cluster:b,t=600; NAME:all stands for every mechanism that answers the same question.  All
draw from the same seed, and nothing is a release: errors tell the true value, so what is
printed is private.  Ctrl+C keeps what there is.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.comparison_findings import (
    audits_json,
    audits_text,
    error_unit,
    needed_table,
    to_csv,
    to_json,
    to_text,
)
from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import add_data_options, add_resolution_option, load, readers
from app.commands.support.figures import add_figure_options, confidentiality, figure_style, save_panels
from app.commands.support.interrupt import INTERRUPTED, Stopping
from app.commands.support.mechanism_spec import ALL, SHAPE, MechanismSpec, check_same_data, read_spec
from app.commands.support.options import UsageError, count, number, up_to, whole
from app.commands.support.privacy import add_noise_option, add_privacy_options, read_privacy_for
from app.model.kinds.registry import KINDS
from app.model.output_file import OutputFile, output
from app.model.wording.console import CONFIDENTIAL, counted
from app.model.wording.number_format import grouped, short
from engine.errors import ParameterError, SensiscopeError, UnknownName
from engine.mechanisms.relation import check_missing
from engine.privacy import Privacy
from engine.progress import Cancelled, Progress, part, parts

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.plots.figure_panel import FigurePanel
    from engine.comparison import AuditedContenders, ComparedMechanism, Comparison, Sweep
    from engine.comparison.results import Needed
    from engine.mechanisms.base import Mechanism

RUNS, SEED, MAX_WORKERS = 1000, 1, 256

SWEEP = "NAME=START:STOP:STEPS"
ALWAYS_SWEEPABLE = ("epsilon", "n")
"""What can be varied of every comparison."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.usage = f"{parser.prog} MECHANISM… DATA --epsilon E [--delta D] [--sweep {SWEEP}] [options]"
    parser.add_argument("mechanisms", metavar="MECHANISM", nargs="+", help=SHAPE)
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--runs",
        type=count,
        default=RUNS,
        metavar="N",
        help=f"simulated releases of each (default {grouped(RUNS)})",
    )
    group.add_argument(
        "--sweep",
        action="append",
        metavar=SWEEP,
        help="vary epsilon, n or a parameter; what has no such parameter stays as it is",
    )
    group.add_argument(
        "--within",
        type=number,
        metavar="E",
        help="search for the smallest epsilon with an error of at most E",
    )
    group.add_argument("--share", type=number, metavar="P", help="in this share of releases (default 0.95)")
    group.add_argument(
        "--audit",
        action="store_true",
        help="attack each of them, too, on all built-in neighbours; --plot shows both in one png",
    )
    group.add_argument(
        "--seed", type=whole, default=SEED, metavar="N", help=f"of all simulations (default {SEED})"
    )
    group.add_argument(
        "--workers",
        type=up_to(MAX_WORKERS),
        metavar="N",
        help="processes (default: one for each processor; 1 needs none beside this one)",
    )
    group.add_argument("--yes", action="store_true", help="do more than 1,000 trials without asking")
    add_data_options(parser)
    add_resolution_option(parser)
    add_privacy_options(parser, required=False)
    add_noise_option(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument("--csv", metavar="FILE", help="save one row for each mechanism and value (csv)")
    add_figure_options(group, "of errors, or the frontier of a sweep")


def run(options: argparse.Namespace) -> int:
    """Compare and print."""
    from engine.comparison import contenders_from

    if options.runs < 1:
        raise ParameterError("runs", "0 is not possible; it must be a whole number at least 1")
    _check_questions(options)
    if options.cluster is not None and options.workers is not None:
        raise UsageError("--workers: with --cluster its own workers do the trials; leave one of them out")
    swept = _requested_sweep(options.sweep)
    privacy = _privacy(options, swept)
    entries = [read_spec(text, options, privacy) for text in options.mechanisms]
    check_same_data(entries)
    if options.noise is not None and all(entry.options.noise is None for entry in entries):
        raise UsageError("--noise: none of these mechanisms takes a choice of noise; leave it out")
    plot = output(options.plot, (".png",)) if options.audit else output(options.plot)
    sheet = output(options.csv, (".csv",))
    with Bar() as bar:
        data = load(options, entries[0].reader, bar)
    groups = [entry.fit(data, privacy) for entry in entries]
    contenders = contenders_from(tuple(dict.fromkeys(mechanism for group in groups for mechanism in group)))
    for contender in contenders:
        check_missing(contender.mechanism.relation, options.missing)
    sweep = _sweep(swept, contenders, privacy, data)
    _check_trials(contenders, sweep, entries, options, privacy, data)
    with Bar() as bar, Stopping() as stopping:
        progress = stopping.watched(bar)
        share = 1.0 if options.within is None and not options.audit else 0.5
        comparison = _compared(contenders, data, privacy, sweep, options, part(progress, 0.0, share))
        audits = None
        if options.audit and comparison.complete:
            end = 1.0 if options.within is None else 0.75
            audits = _audit_all(contenders, data, privacy, options, part(progress, share, end))
            share = end
        needed: list[Needed] = []
        if options.within is not None and comparison.complete:
            with contextlib.suppress(Cancelled):
                _search(needed, contenders, data, privacy, options, part(progress, share, 1.0))
    complete = comparison.complete and (options.within is None or len(needed) == len(contenders))
    complete = complete and (audits is None or len(audits.audits) == len(contenders))
    _say(comparison, needed, audits, data, privacy, options, complete=complete)
    remark("note", *data.notes, *data.detected)
    _save(comparison, audits, data, sheet, plot, options)
    if not complete:
        remark("cancelled", "stopped by Ctrl+C; what there is by then is kept")
        return INTERRUPTED
    return 0


def _privacy(options: argparse.Namespace, swept: RequestedSweep | None) -> Privacy:
    """Return the budget; in a sweep of epsilon one in the middle, for which blocks are planned."""
    names = [text.partition(",")[0].partition(":")[0] for text in options.mechanisms]
    known = [readers()[name] for name in names if name in readers()]
    private = [reader for reader in known if getattr(reader, "is_private", True)]
    if swept is not None and swept.name == "epsilon":
        if known and not private:
            raise UsageError(f"--sweep: {known[0].name} is not differentially private")
        if options.epsilon is not None:
            raise UsageError("--epsilon: --sweep varies it; leave one of them out")
        ends = (Privacy(end).epsilon for end in (swept.start, swept.stop))
        options.epsilon = swept.middle if all(ends) else None
    if not known:  # the unknown name is said where it is read
        return Privacy(options.epsilon or 1.0)
    return read_privacy_for(options, (private or known)[0])


def _check_questions(options: argparse.Namespace) -> None:
    """Refuse questions that make no sense."""
    from engine.audit.bounding import MIN_RUNS

    if options.audit and options.sweep:
        raise UsageError("--audit: it needs a single budget; leave --sweep out")
    if options.audit and options.runs < MIN_RUNS:
        raise UsageError(
            f"--audit: {grouped(options.runs)} runs are too few; at least {grouped(MIN_RUNS)} are needed"
        )
    if options.within is None:
        if options.share is not None:
            raise UsageError("--share: belongs to --within, which is missing")
        return
    if not 0 < options.within < float("inf"):
        raise ParameterError(
            "within", f"{short(options.within)} is not possible; it must be a number above 0"
        )
    options.share = 0.95 if options.share is None else options.share
    if not 0 < options.share < 1:
        raise ParameterError(
            "share", f"{short(options.share)} is not possible; it must be above 0 and below 1"
        )


def _sweep(
    swept: RequestedSweep | None,
    contenders: Sequence[ComparedMechanism],
    privacy: Privacy,
    data: LoadedRecords[Any],
) -> Sweep:
    """Return what is varied; nothing is a sweep with a single value."""
    from engine.comparison import Sweep
    from engine.privacy import NO_PROMISE

    if swept is not None:
        return swept.over([contender.mechanism for contender in contenders])
    if privacy == NO_PROMISE:
        return Sweep("n", (float(data.database.n),))
    return Sweep("epsilon", (privacy.epsilon,))


def _check_trials(
    contenders: Sequence[ComparedMechanism],
    sweep: Sweep,
    entries: Sequence[MechanismSpec],
    options: argparse.Namespace,
    privacy: Privacy,
    data: LoadedRecords[Any],
) -> None:
    """Refuse too many trials without ``--yes``, and a mechanism that was named and never fits."""
    from engine.comparison import MAX_TRIALS, trials
    from engine.comparison import size as trial_count
    from engine.comparison.trial_runs import problem

    planned = trials(contenders, sweep, privacy, data.database.n)
    many = trial_count(contenders, sweep)
    if many > MAX_TRIALS and not options.yes:
        raise UsageError(
            f"{counted(many, 'trial')}: {counted(len(contenders), 'mechanism')} at "
            f"{counted(len(sweep.values), 'value')} of {sweep.name}, {grouped(options.runs)} runs each; "
            "say --yes, or take fewer steps",
        )
    if any(entry.options.method == ALL for entry in entries):
        return
    for index, contender in enumerate(contenders):
        problems = [problem(each, data.database.domain) for each in planned if each.contender == index]
        if all(problems):
            raise SensiscopeError(f"{contender.label}: {problems[0]}")


def _compared(
    contenders: Sequence[ComparedMechanism],
    data: LoadedRecords[Any],
    privacy: Privacy,
    sweep: Sweep,
    options: argparse.Namespace,
    progress: Progress,
) -> Comparison:
    from engine.comparison import compare, side_by_side

    facts = (contenders, data.database, privacy, sweep)
    drawn = {"runs": options.runs, "seed": options.seed, "progress": progress}
    if options.workers == 1:
        return compare(*facts, **drawn)
    with side_by_side(data.database, options.workers) as processes:
        return compare(*facts, **drawn, processes=processes)


def _audit_all(
    contenders: Sequence[ComparedMechanism],
    data: LoadedRecords[Any],
    privacy: Privacy,
    options: argparse.Namespace,
    progress: Progress,
) -> AuditedContenders:
    """Audit each of them, as `sensiscope audit` does."""
    from engine.comparison import audit_contenders

    database = data.database
    structure = KINDS[contenders[0].mechanism.reads].structure(database)
    return audit_contenders(
        contenders,
        database.domain,
        database.n,
        privacy,
        runs=options.runs,
        seed=options.seed,
        progress=progress,
        **structure,
    )


def _search(
    needed: list[Needed],
    contenders: Sequence[ComparedMechanism],
    data: LoadedRecords[Any],
    privacy: Privacy,
    options: argparse.Namespace,
    progress: Progress,
) -> None:
    """Add to `needed` which epsilon each contender needs, one after the other."""
    from engine.comparison.needed import needed_epsilon

    for contender, here in zip(contenders, parts(len(contenders), progress), strict=True):
        needed.append(
            needed_epsilon(
                contender,
                data.database,
                privacy.delta,
                within=options.within,
                share=options.share,
                runs=options.runs,
                seed=options.seed,
                progress=here,
            )
        )


def _say(
    comparison: Comparison,
    needed: Sequence[Needed],
    audits: AuditedContenders | None,
    data: LoadedRecords[Any],
    privacy: Privacy,
    options: argparse.Namespace,
    *,
    complete: bool,
) -> None:
    if options.json:
        also = {} if audits is None else {"audits": audits_json(audits)}
        say_json(to_json(comparison, needed) | also | {"complete": complete})
    else:
        parts = [to_text(comparison, data, privacy, confidentiality(options))]
        if needed:
            most = f"{short(options.within)} {error_unit(comparison, data)}".rstrip()
            question = f"epsilon for an error of at most {most}"
            parts += [
                f"\n{question} in {short(100 * options.share)} % of releases",
                needed_table(needed, comparison),
            ]
        say("\n".join(parts if audits is None else [*parts, audits_text(audits)]))
    sys.stdout.flush()


def _save(
    comparison: Comparison,
    audits: AuditedContenders | None,
    data: LoadedRecords[Any],
    sheet: OutputFile | None,
    plot: OutputFile | None,
    options: argparse.Namespace,
) -> None:
    """Write the files that were asked for."""
    if sheet is not None:
        sheet.write(to_csv(comparison).encode())
    if plot is not None:
        save_panels(_panels(comparison, audits, error_unit(comparison, data)), plot, options)
    for written in filter(None, (sheet, plot) if figure_style(options).has_stamp else ()):
        remark("note", f"{written.path} is {CONFIDENTIAL}")


def _panels(comparison: Comparison, audits: AuditedContenders | None, unit: str) -> list[FigurePanel]:
    """Show the errors, or how they depend on what was varied; and audits, which are public."""
    from app.plots.compare.audits import ComparisonAudits
    from app.plots.compare.errors import ComparisonErrors
    from app.plots.compare.frontier import ComparisonFrontier
    from app.plots.compare.view import ComparisonView
    from app.plots.figure_panel import FigurePanel

    index = len(comparison.sweep.values) - 1
    picture = ComparisonFrontier if index > 0 else ComparisonErrors
    title = f"Errors against {comparison.sweep.name}" if index > 0 else "Errors of simulated releases"
    panels = [FigurePanel(title, picture, ComparisonView(comparison, index), unit)]
    if audits is not None:
        panels.append(FigurePanel(ComparisonAudits.title, ComparisonAudits, audits, private=False))
    return panels


@dataclasses.dataclass(frozen=True)
class RequestedSweep:
    """A sweep as the option says it: what is varied, from where to where, in how many steps."""

    name: str
    start: float
    stop: float
    steps: int

    @property
    def middle(self) -> float:
        """The value in the middle, as a factor of either end."""
        return math.sqrt(self.start * self.stop)

    def over(self, mechanisms: Sequence[Mechanism[Any]]) -> Sweep:
        """Return the values; `UnknownName` if none of the mechanisms has what is to be varied."""
        from engine.comparison.sweeps import sweep_between, sweepable

        known = {declared.name: declared for declared in sweepable(mechanisms)}
        if self.name not in (*ALWAYS_SWEEPABLE, *known):
            raise UnknownName("parameter to vary", self.name, [*ALWAYS_SWEEPABLE, *known])
        declared = known.get(self.name)
        if declared is not None:
            for end in (self.start, self.stop):
                declared.check(end)
        whole = declared is not None and declared.kind == "int"
        return sweep_between(self.name, self.start, self.stop, self.steps, whole)


def _requested_sweep(texts: Sequence[str] | None) -> RequestedSweep | None:
    """Read the option; None if there is none, `UsageError` if two parameters are to be varied."""
    if not texts:
        return None
    if len(texts) > 1:  # errors would depend on two things at once
        names = " and ".join(text.partition("=")[0] for text in texts)
        raise UsageError(f"--sweep: {names} cannot be varied at once; choose one, and fix the others")
    try:
        return _read_sweep(texts[0])
    except ValueError:
        raise UsageError(f"--sweep: '{texts[0]}' is no {SWEEP}, for instance epsilon=0.1:10:7") from None


def _read_sweep(text: str) -> RequestedSweep:
    name, _, values = text.partition("=")
    start, stop, steps = values.split(":")
    if not name:
        raise ValueError
    return RequestedSweep(name.replace("-", "_"), float(start), float(stop), int(steps))

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
from collections.abc import Iterator, Sequence
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
from app.commands.support.data import add_data_options, load, readers
from app.commands.support.figures import add_figure_options, confidentiality, figure_style, save_panels
from app.commands.support.interrupt import INTERRUPTED, stop_on_interrupt
from app.commands.support.mechanism_spec import ALL, SHAPE, check_same_data, read_spec
from app.commands.support.options import UsageError, count, number, up_to, whole
from app.commands.support.privacy import add_noise_option, add_privacy_options, read_privacy_for
from app.model.kinds.registry import KINDS
from app.model.output_file import output
from app.model.wording.console import CONFIDENTIAL, counted
from app.model.wording.numbers import grouped, short
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
    add_data_options(parser, resolution=True)
    add_privacy_options(parser, required=False)
    add_noise_option(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object")
    group.add_argument("--csv", metavar="FILE", help="save one row for each mechanism and value (csv)")
    add_figure_options(group, "of errors, or the frontier of a sweep")


def run(options: argparse.Namespace) -> int:
    from engine.comparison import contenders_from

    if options.runs < 1:
        raise ParameterError("runs", "0 is not possible; it must be a whole number at least 1")
    _check_questions(options)
    swept = _read_sweep(options.sweep)
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
    sweep = _sweep(swept, contenders, privacy, data.database.n)
    job = ComparisonJob(contenders, data, privacy, sweep, options)
    job.check_trials(all_fit=not any(entry.options.method == ALL for entry in entries))
    with Bar() as bar, stop_on_interrupt(bar) as progress:
        share = 1.0 if options.within is None and not options.audit else 0.5
        comparison = job.compare(part(progress, 0.0, share))
        audits = None
        if options.audit and comparison.complete:
            end = 1.0 if options.within is None else 0.75
            audits = job.audit(part(progress, share, end))
            share = end
        needed: list[Needed] = []
        if options.within is not None and comparison.complete:
            with contextlib.suppress(Cancelled):
                for each in job.search(part(progress, share, 1.0)):
                    needed.append(each)  # noqa: PERF402  (those before Ctrl+C are kept)
    complete = comparison.complete and (options.within is None or len(needed) == len(contenders))
    complete = complete and (audits is None or len(audits.audits) == len(contenders))
    if options.json:
        also = {} if audits is None else {"audits": audits_json(audits)}
        say_json(to_json(comparison, needed) | also | {"complete": complete})
    else:
        say(job.to_text(comparison, needed, audits))
    sys.stdout.flush()
    remark("note", *data.notes, *data.detected)
    if sheet is not None:
        sheet.write(to_csv(comparison).encode())
    if plot is not None:
        save_panels(_panels(comparison, audits, error_unit(comparison, data)), plot, options)
    for written in filter(None, (sheet, plot) if figure_style(options).has_stamp else ()):
        remark("note", f"{written.path} is {CONFIDENTIAL}")
    if not complete:
        remark("cancelled", "stopped by Ctrl+C; what there is by then is kept")
        return INTERRUPTED
    return 0


def _privacy(options: argparse.Namespace, swept: RequestedSweep | None) -> Privacy:
    """Return the budget; in a sweep of epsilon one in the middle, for which blocks are planned."""
    from engine.mechanisms.facts import facts_of

    names = [text.partition(",")[0].partition(":")[0] for text in options.mechanisms]
    known = [readers()[name] for name in names if name in readers()]
    private = [reader for reader in known if facts_of(reader).is_private]
    if swept is not None and swept.name == "epsilon":
        if known and not private:
            raise UsageError(f"--sweep: {known[0].name} is not differentially private")
        if options.epsilon is not None:
            raise UsageError("--epsilon: --sweep varies it; leave one of them out")
        ends = (Privacy(end).epsilon for end in (swept.start, swept.stop))
        options.epsilon = math.sqrt(swept.start * swept.stop) if all(ends) else None
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
    n: int,
) -> Sweep:
    """Return what is varied; where nothing is, a sweep has a single value."""
    from engine.comparison import Sweep
    from engine.privacy import NO_PROMISE

    if swept is not None:
        return swept.over([contender.mechanism for contender in contenders])
    if privacy == NO_PROMISE:
        return Sweep("n", (float(n),))
    return Sweep("epsilon", (privacy.epsilon,))


@dataclasses.dataclass(frozen=True)
class ComparisonJob:
    """The contenders, what they are compared on, and what is varied."""

    contenders: tuple[ComparedMechanism, ...]
    data: LoadedRecords[Any]
    privacy: Privacy
    sweep: Sweep
    options: argparse.Namespace

    def check_trials(self, *, all_fit: bool) -> None:
        """Refuse too many trials without ``--yes``, and where `all_fit` is said, what never does."""
        from engine.comparison import MAX_TRIALS, trials
        from engine.comparison import size as trial_count
        from engine.comparison.trial_runs import problem

        database = self.data.database
        planned = trials(self.contenders, self.sweep, self.privacy, database.n)
        many = trial_count(self.contenders, self.sweep)
        if many > MAX_TRIALS and not self.options.yes:
            raise UsageError(
                f"{counted(many, 'trial')}: {counted(len(self.contenders), 'mechanism')} at "
                f"{counted(len(self.sweep.values), 'value')} of {self.sweep.name}, "
                f"{grouped(self.options.runs)} runs each; say --yes, or take fewer steps",
            )
        for index, contender in enumerate(self.contenders if all_fit else ()):
            problems = [problem(each, database.domain) for each in planned if each.contender == index]
            if all(problems):
                raise SensiscopeError(f"{contender.label}: {problems[0]}")

    def compare(self, progress: Progress) -> Comparison:
        """Simulate all trials, in other processes unless there is to be one worker."""
        from engine.comparison import compare, side_by_side

        database, options = self.data.database, self.options
        facts = (self.contenders, database, self.privacy, self.sweep)
        drawn = {"runs": options.runs, "seed": options.seed, "progress": progress}
        if options.workers == 1:
            return compare(*facts, **drawn)
        with side_by_side(database, options.workers) as processes:
            return compare(*facts, **drawn, processes=processes)

    def audit(self, progress: Progress) -> AuditedContenders:
        """Audit each contender, as `sensiscope audit` does."""
        from engine.comparison import audit_contenders

        database, options = self.data.database, self.options
        structure = KINDS[self.contenders[0].mechanism.reads].structure(database)
        drawn = {"runs": options.runs, "seed": options.seed, "progress": progress}
        return audit_contenders(
            self.contenders, database.domain, database.n, self.privacy, **drawn, **structure
        )

    def search(self, progress: Progress) -> Iterator[Needed]:
        """Yield which epsilon each contender needs, one after the other."""
        from engine.comparison.needed import needed_epsilon

        options = self.options
        asked = {name: getattr(options, name) for name in ("within", "share", "runs", "seed")}
        for contender, here in zip(self.contenders, parts(len(self.contenders), progress), strict=True):
            yield needed_epsilon(contender, self.data.database, self.privacy.delta, **asked, progress=here)

    def to_text(
        self, comparison: Comparison, needed: Sequence[Needed], audits: AuditedContenders | None
    ) -> str:
        """Return all findings for people."""
        options = self.options
        texts = [to_text(comparison, self.data, self.privacy, confidentiality(options))]
        if needed:
            largest = f"{short(options.within)} {error_unit(comparison, self.data)}".rstrip()
            question = f"epsilon for an error of at most {largest}"
            texts.append(f"\n{question} in {short(100 * options.share)} % of releases")
            texts.append(needed_table(needed, comparison))
        return "\n".join(texts if audits is None else [*texts, audits_text(audits)])


def _panels(comparison: Comparison, audits: AuditedContenders | None, unit: str) -> list[FigurePanel]:
    """Show the errors, or how they depend on what was varied; and audits, which are public."""
    from app.plots.compare.contender_rows import ComparisonAudits
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


def _read_sweep(texts: Sequence[str] | None) -> RequestedSweep | None:
    """Read the option; None if there is none, `UsageError` if two parameters are to be varied."""
    if not texts:
        return None
    if len(texts) > 1:  # errors would depend on two things at once
        names = " and ".join(text.partition("=")[0] for text in texts)
        raise UsageError(f"--sweep: {names} cannot be varied at once; choose one, and fix the others")
    try:
        name, _, values = texts[0].partition("=")
        start, stop, steps = values.split(":")
        if not name:
            raise ValueError
        return RequestedSweep(name.replace("-", "_"), float(start), float(stop), int(steps))
    except ValueError:
        raise UsageError(f"--sweep: '{texts[0]}' is no {SWEEP}, for instance epsilon=0.1:10:7") from None

"""How far from the truth several mechanisms are on the same data, in many simulated releases.

MECHANISM is NAME[:METHOD][,key=value…], for instance median:smooth,noise=student-t,nu=3 or
one-cluster:b,t=600; NAME:all stands for every mechanism that answers the same question.  All
draw from the same seed, and nothing is a release: errors tell the true value, so what is
printed is private.  Ctrl+C keeps what there is.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.budget import add_noise_option, add_privacy_options, read_privacy_for
from app.commands.support.comparison_questions import (
    add_question_options,
    audit_all,
    audits_content,
    audits_panel,
    audits_text,
    check_questions,
)
from app.commands.support.comparison_rows import content, csv_text
from app.commands.support.comparison_text import error_unit, needed_table, text
from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import add_data_options, add_resolution_option, readers
from app.commands.support.figure_options import add_figure_options, confidentiality, figure_style
from app.commands.support.interrupt import INTERRUPTED, Stopping
from app.commands.support.mechanism_spec import ALL, SHAPE, MechanismSpec, check_same_data, read_spec
from app.commands.support.options import UsageError, count, up_to, whole
from app.commands.support.reading import load
from app.commands.support.sweeps import SHAPE as SWEEP
from app.commands.support.sweeps import RequestedSweep, requested_sweep
from app.model.figure_style import FigureStyle
from app.model.output_file import OutputFile, output
from app.model.wording.console import CONFIDENTIAL, counted
from app.model.wording.number_format import grouped, short
from engine.errors import ParameterError, SensiscopeError
from engine.mechanisms.relation import check_missing
from engine.privacy import Privacy
from engine.progress import Cancelled, Progress, part, parts

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from engine.comparison import AuditedContenders, ComparedMechanism, Comparison, Sweep
    from engine.comparison.results import Needed

RUNS, SEED, MAX_WORKERS = 1000, 1, 256


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
    add_question_options(group)
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
    check_questions(options)
    swept = requested_sweep(options.sweep)
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
            audits = audit_all(contenders, data, privacy, options, part(progress, share, end))
            share = end
        needed: list[Needed] = []
        if options.within is not None and comparison.complete:
            with contextlib.suppress(Cancelled):
                _search(needed, contenders, data, privacy, options, part(progress, share, 1.0))
    complete = comparison.complete and (options.within is None or len(needed) == len(contenders))
    complete = complete and (audits is None or len(audits.audits) == len(contenders))
    _say(comparison, needed, audits, data, privacy, options, complete=complete)
    for note in (*data.notes, *data.detected):
        remark("note", note)
    _save(comparison, audits, data, sheet, plot, figure_style(options))
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
        also = {} if audits is None else {"audits": audits_content(audits)}
        say_json(content(comparison, needed) | also | {"complete": complete})
    else:
        parts = [text(comparison, data, privacy, confidentiality(options))]
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
    style: FigureStyle,
) -> None:
    """Write the files that were asked for."""
    if sheet is not None:
        sheet.write(csv_text(comparison).encode())
    if plot is not None:
        from app.commands.support.figures import comparison_panel
        from app.plots.figure_panel import figure, save_figure
        from app.plots.figure_panel import sheet as drawn_sheet

        panel = comparison_panel(comparison, error_unit(comparison, data))
        if audits is None:
            save_figure(figure(panel, style), plot, style)
        else:
            plot.write(drawn_sheet([panel, audits_panel(audits)], style))
    for written in filter(None, (sheet, plot) if style.has_stamp else ()):
        remark("note", f"{written.path} is {CONFIDENTIAL}")

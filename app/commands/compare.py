"""Simulate releases by several mechanisms on the same data, and compare their errors."""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import io
import math
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import FIRST_OPTIONS, add_data_options, load, missing_of, readers
from app.commands.support.figures import add_figure_options, confidentiality, figure_style, save_panels
from app.commands.support.interrupt import INTERRUPTED, stop_on_interrupt
from app.commands.support.mechanism_options import add_release_options, names_json, public_parameters
from app.commands.support.mechanism_spec import ALL, SHAPE, check_same_data, read_spec
from app.commands.support.options import (
    JSON,
    Option,
    UsageError,
    VerbHelp,
    add_options,
    check_number,
    count,
    number,
    up_to,
    whole,
)
from app.commands.support.parts import with_parts
from app.commands.support.privacy import add_privacy_options, read_privacy_for
from app.model.kinds.registry import KINDS
from app.model.output_file import output
from app.model.wording.console import CONFIDENTIAL, budget, columns, counted, facts, settings
from app.model.wording.console import number as number_text
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import grouped, short
from app.model.wording.releases import unit_of
from engine.errors import ParameterError, SensiscopeError, UnknownName
from engine.mechanisms.relation import check_missing
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled, Progress, part, parts

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.plots.figure_panel import FigurePanel
    from engine.comparison import AuditedContenders, ComparedMechanism, Comparison, Outcome, Sweep
    from engine.comparison.results import Needed
    from engine.mechanisms.base import Mechanism

RUNS, SEED, MAX_WORKERS = 1000, 1, 256

SWEEP = "NAME=START:STOP:STEPS"
ALWAYS_SWEEPABLE = ("epsilon", "n")
"""The names that every comparison can vary."""


OPTIONS = (
    Option("runs", "simulated releases of each mechanism", count, "N", RUNS),
    Option(
        "sweep",
        "vary epsilon, n or a parameter; a mechanism without this parameter keeps its settings",
        metavar=SWEEP,
        repeated=True,
    ),
    Option("within", "find the smallest epsilon that keeps the error at most E", number, "E"),
    Option("share", "share of the releases that --within requires (default 0.95)", number, "P"),
    Option(
        "audit",
        "also audit each mechanism on all built-in neighbors; --plot then shows both in one png",
        flag=True,
    ),
    Option("seed", "seed of all simulations", whole, "N", SEED),
    Option(
        "workers",
        "number of processes; 1 runs everything in this one (default: one for each processor)",
        up_to(MAX_WORKERS),
        "N",
    ),
    Option("yes", "run more than 1,000 trials without asking", flag=True),
)

CSV = Option("csv", "save a table with one row for each mechanism and value (csv)", metavar="FILE")

HELP = VerbHelp(
    usage=f"MECHANISM… DATA --epsilon E [--delta D] [--sweep {SWEEP}] [options]",
    first=(*FIRST_OPTIONS, "epsilon", "delta", "runs", "sweep", "json", "plot"),
    example="compare median:smooth median:exponential --example salaries --epsilon 1",
    notes="NAME:all compares every mechanism that answers the same question. Settings follow the name: "
    "median:smooth,noise=student-t,nu=3 or one-cluster:wide-boxes,t=600.\n\n"
    "All mechanisms draw from the same seed. Nothing is released, but the output is confidential: errors "
    "reveal the true value. Ctrl+C keeps the results so far.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "mechanisms",
        metavar="MECHANISM",
        nargs="+",
        help=f"{SHAPE}, such as median:smooth,nu=3; NAME:all for all that answer the same question",
    )
    add_data_options(parser)
    add_privacy_options(parser, required=False)
    add_release_options(parser, method=False)
    add_options(parser.add_argument_group("comparison: runs, sweeps, audits"), OPTIONS)
    group = parser.add_argument_group("output: JSON, table, figure")
    add_options(group, (JSON, CSV))
    add_figure_options(group, "of errors, or of the sweep")


def run(options: argparse.Namespace) -> int:
    from engine.comparison import contenders_from

    if options.runs < 1:
        raise ParameterError("runs", "0 is not possible; it must be a whole number at least 1")
    _check_questions(options)
    swept = _read_sweep(options.sweep)
    privacy = _privacy(options, swept)
    options = with_parts(options, options.mechanisms[0].partition(",")[0].partition(":")[0])
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
        check_missing(contender.mechanism.relation, missing_of(options))
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
        say_json(to_json(comparison, needed) | data.about_json | also | {"complete": complete})
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
        remark("cancelled", "stopped by Ctrl+C; these are the results so far")
        return INTERRUPTED
    return 0


def _privacy(options: argparse.Namespace, swept: RequestedSweep | None) -> Privacy:
    """Return the budget; in a sweep of epsilon the middle one, for which the planner chooses blocks."""
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
    if not known:  # `read_spec` reports the unknown name
        return Privacy(options.epsilon or 1.0)
    return read_privacy_for(options, (private or known)[0])


def _check_questions(options: argparse.Namespace) -> None:
    """Refuse impossible combinations of options."""
    from engine.audit.choices import MIN_RUNS

    if options.audit and options.sweep:
        raise UsageError("--audit: it needs a single budget; leave --sweep out")
    if options.audit and options.runs < MIN_RUNS:
        raise UsageError(
            f"--audit: {grouped(options.runs)} --runs are too few; it needs at least {grouped(MIN_RUNS)}"
        )
    if options.within is None:
        if options.share is not None:
            raise UsageError("--share: it needs --within, too")
        return
    check_number("within", options.within, math.inf, "a number above 0")
    options.share = 0.95 if options.share is None else options.share
    check_number("share", options.share, 1, "above 0 and below 1")


def _sweep(
    swept: RequestedSweep | None,
    contenders: Sequence[ComparedMechanism],
    privacy: Privacy,
    n: int,
) -> Sweep:
    """Return the sweep; without one, a sweep with a single value."""
    from engine.comparison import Sweep
    from engine.privacy import NO_PROMISE

    if swept is not None:
        return swept.over([contender.mechanism for contender in contenders])
    if privacy == NO_PROMISE:
        return Sweep("n", (float(n),))
    return Sweep("epsilon", (privacy.epsilon,))


@dataclasses.dataclass(frozen=True)
class ComparisonJob:
    """A comparison: the mechanisms, the data, the budget and the sweep."""

    contenders: tuple[ComparedMechanism, ...]
    data: LoadedRecords[Any]
    privacy: Privacy
    sweep: Sweep
    options: argparse.Namespace

    def check_trials(self, *, all_fit: bool) -> None:
        """Refuse too many trials without ``--yes``; with `all_fit`, also a mechanism that never runs."""
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
                f"{grouped(self.options.runs)} runs each; add --yes, or take fewer steps",
            )
        for index, contender in enumerate(self.contenders if all_fit else ()):
            problems = [problem(each, database.domain) for each in planned if each.contender == index]
            if all(problems):
                raise SensiscopeError(f"{contender.label}: {problems[0]}")

    def compare(self, progress: Progress) -> Comparison:
        """Simulate all trials, in other processes unless there is only one worker."""
        from engine.comparison import compare, side_by_side

        database, options = self.data.database, self.options
        facts = (self.contenders, database, self.privacy, self.sweep)
        drawn = {"runs": options.runs, "seed": options.seed, "progress": progress}
        if options.workers == 1:
            return compare(*facts, **drawn)
        with side_by_side(database, options.workers) as processes:
            return compare(*facts, **drawn, processes=processes)

    def audit(self, progress: Progress) -> AuditedContenders:
        """Audit each mechanism as `sensiscope audit` does."""
        from engine.comparison import audit_contenders

        database, options = self.data.database, self.options
        structure = KINDS[self.contenders[0].mechanism.reads].structure(database)
        drawn = {"runs": options.runs, "seed": options.seed, "progress": progress}
        return audit_contenders(
            self.contenders, database.domain, database.n, self.privacy, **drawn, **structure
        )

    def search(self, progress: Progress) -> Iterator[Needed]:
        """Yield the epsilon that each mechanism needs."""
        from engine.comparison.needed import needed_epsilon

        options = self.options
        asked = {name: getattr(options, name) for name in ("within", "share", "runs", "seed")}
        for contender, here in zip(self.contenders, parts(len(self.contenders), progress), strict=True):
            yield needed_epsilon(contender, self.data.database, self.privacy.delta, **asked, progress=here)

    def to_text(
        self, comparison: Comparison, needed: Sequence[Needed], audits: AuditedContenders | None
    ) -> str:
        options = self.options
        texts = [to_text(comparison, self.data, self.privacy, confidentiality(options))]
        if needed:
            largest = f"{short(options.within)} {error_unit(comparison, self.data)}".rstrip()
            question = f"epsilon for an error of at most {largest}"
            texts.append(f"\n{question} in {short(100 * options.share)} % of releases")
            labels = [contender.label for contender in comparison.contenders]
            texts.append(facts([*zip(labels, map(_needed_text, needed), strict=False)]))
        return "\n".join(texts if audits is None else [*texts, audits_text(audits)])


def _panels(comparison: Comparison, audits: AuditedContenders | None, unit: str) -> list[FigurePanel]:
    """Return the pictures of the errors or of the sweep, and of the audits, which are public."""
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
    """The sweep of the option: the varied parameter, its range and the number of steps."""

    name: str
    start: float
    stop: float
    steps: int

    def over(self, mechanisms: Sequence[Mechanism[Any]]) -> Sweep:
        """Return the values; `UnknownName` if no mechanism has the parameter."""
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
    """Read the option; None without one, `UsageError` for several."""
    if not texts:
        return None
    if len(texts) > 1:
        names = " and ".join(text.partition("=")[0] for text in texts)
        raise UsageError(f"--sweep: {names} cannot vary together; choose one, and fix the others")
    try:
        name, _, values = texts[0].partition("=")
        start, stop, steps = values.split(":")
        if not name:
            raise ValueError
        return RequestedSweep(name.replace("-", "_"), float(start), float(stop), int(steps))
    except ValueError:
        raise UsageError(f"--sweep: '{texts[0]}' is no {SWEEP}, for instance epsilon=0.1:10:7") from None


NOTHING = "-"

COLUMNS = (
    *("label", "mechanism", "parameters", "value", "epsilon", "delta", "n", "median", "mean", "p95"),
    *("refused", "runs", "seconds_per_run", "problem"),
)
"""Names of the columns of the CSV file."""


def error_unit(comparison: Comparison, data: LoadedRecords[Any]) -> str:
    """Return the unit of errors: that of the data; "" for counts and for functions without a unit."""
    mechanism = comparison.contenders[0].mechanism
    function = getattr(mechanism, "function", None)
    is_other = function is not None and not function.among_data
    return "" if is_other else unit_of(mechanism, data.unit)


def to_text(comparison: Comparison, data: LoadedRecords[Any], privacy: Privacy, confidentiality: str) -> str:
    """Return the comparison as text: the mechanisms, their errors (perhaps confidential) and the winner."""
    from app.plots.compare.view import measured_words

    unit = error_unit(comparison, data)
    at_each = f" at each value of {comparison.sweep.name}" if len(comparison.sweep.values) > 1 else ""
    rows = [
        ("of", f"{data.name}, {data.size_words}"),
        *_promise_rows(comparison, privacy),
        ("runs", f"{grouped(comparison.runs)} of each mechanism{at_each}"),
        *([] if comparison.complete else [("cancelled", "some runs are missing")]),
    ]
    head = f"SIMULATION with seed {comparison.seed}; nothing is a release\n{facts(rows)}"
    lines = [measured_words(comparison), *_winner_lines(comparison, unit)]
    parts = [head, f"{confidentiality}\n{_table(comparison, unit)}", "\n".join(filter(None, lines))]
    return "\n\n".join(filter(None, parts))


def _table(comparison: Comparison, unit: str) -> str:
    """Return one row for each mechanism and value of the sweep, and below the problems."""
    sweeping = len(comparison.sweep.values) > 1
    header = ["mechanism", *([comparison.sweep.name] if sweeping else [])]
    header += ["median error", "95 % within", "refused", "runs", "time per run"]
    rows: list[list[str]] = []
    reasons: dict[tuple[str, str], list[str]] = {}
    for outcome in comparison.outcomes:
        label, value = comparison.contenders[outcome.trial.contender].label, short(outcome.trial.value)
        rows.append([label, *([value] if sweeping else []), *_cells(outcome, unit)])
        if outcome.problem:
            reasons.setdefault((label, outcome.problem), []).append(value)
    problems = []
    for (label, reason), values in reasons.items():
        where = f" at {comparison.sweep.name} = {', '.join(values)}"
        everywhere = len(values) == len(comparison.sweep.values)
        problems.append(f"  {label}{'' if everywhere else where}: {reason}")
    return "\n".join([columns(header, rows, left=1), *problems])


def _winner_lines(comparison: Comparison, unit: str) -> Iterator[str]:
    """Yield one sentence about the winner for each value of the sweep."""
    from app.plots.compare.view import sentence
    from engine.comparison.verdict import verdict

    labels = [contender.label for contender in comparison.contenders]
    for index, value in enumerate(comparison.sweep.values):
        outcomes = comparison.at(index)
        if outcomes:
            where = f"{comparison.sweep.name} = {short(value)}: " if len(comparison.sweep.values) > 1 else ""
            line = sentence(verdict(outcomes), unit, labels, comparison.trivial_error(index))
            # a terminal has no narrow blanks, and no minus sign of its own
            yield where + re.sub("\u202f(?!\\d{3})", " ", line).replace("\u2212", "-")


def _promise_rows(comparison: Comparison, privacy: Privacy) -> list[tuple[str, str]]:
    """Return the cost of a release, and the varied parameter."""
    neighbours, *others = dict.fromkeys(one.mechanism.relation for one in comparison.contenders)
    values = comparison.sweep.values
    varying = "".join(f", or {WORDS[other].between} where that is chosen" for other in others)
    if len(values) == 1:
        return [("privacy", budget(privacy.epsilon, privacy.delta, neighbours) + varying)]
    name, count = comparison.sweep.name, counted(len(values), "value")
    varied = f"{name} from {short(values[0])} to {short(values[-1])}, {count}"
    fixed = "" if name == "epsilon" else f"epsilon = {short(privacy.epsilon)}, "
    return [
        ("varied", varied),
        ("privacy", f"{fixed}delta = {short(privacy.delta)} {WORDS[neighbours].between}{varying}"),
    ]


def _cells(outcome: Outcome, unit: str) -> list[str]:
    """Return errors, refusals, runs and time; dashes without runs."""
    if not outcome.runs:
        return [NOTHING, NOTHING, NOTHING, "0", NOTHING]
    errors = [
        number_text(error, 4, unit) if math.isfinite(error) else "refused"
        for error in map(outcome.quantile, (0.5, 0.95))
    ]
    refused, seconds = f"{short(100 * outcome.refused / outcome.runs, 3)} %", outcome.seconds_per_run
    duration = f"{number_text(seconds, 3)} s" if seconds >= 1 else f"{number_text(1000 * seconds, 2)} ms"
    return [*errors, refused, grouped(outcome.runs), duration]


def _needed_text(each: Needed) -> str:
    if each.epsilon is None:
        return each.problem
    most = f"at most {short(each.high, 3)}" if math.isfinite(each.high) else "no upper limit is certain"
    return f"epsilon = {short(each.epsilon, 3)} (at least {short(each.low, 3)}, {most}, with 99 % confidence)"


def audits_text(audits: AuditedContenders) -> str:
    from app.plots.compare import view as wording

    rows = [
        (contender.label, wording.audit_text(audits, index).removeprefix(f"{contender.label}: "))
        for index, contender in enumerate(audits.contenders)
    ]
    head = f"audits with {short(100 * audits.confidence)} % confidence for each"
    return f"\n{head}\n{facts(rows)}\n{wording.audits_sentence(audits)}".replace("ε", "epsilon")


def audits_json(audits: AuditedContenders) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for contender, each in zip(audits.contenders, audits.audits, strict=False):
        audit = each.audit
        rows.append(
            {
                "label": contender.label,
                "epsilon_lower_bound": None if audit is None else audit.epsilon_lower_bound,
                "verdict": each.verdict or None,
                "pair": each.pair or None,
                "pairs": each.pairs,
                "confidence": audits.confidence,
                "runs": audits.runs,
                **({"problem": each.problem} if each.problem else {}),
            }
        )
    return rows


def to_json(comparison: Comparison, needed: Sequence[Needed]) -> dict[str, Any]:
    """Return the JSON; its verdict belongs to the last value of the sweep."""
    verdicts = [_verdict_json(comparison, index) for index in range(len(comparison.sweep.values))]
    facts: dict[str, Any] = {
        "runs": comparison.runs,
        "seed": comparison.seed,
        "simulated": True,
        "sweep": {"name": comparison.sweep.name, "values": list(comparison.sweep.values)},
        "complete": comparison.complete,
        "verdict": verdicts[-1],
        "mechanisms": [_outcome_json(comparison, outcome) for outcome in comparison.outcomes],
    }
    if len(verdicts) > 1:
        facts["verdicts"] = verdicts
    if needed:
        facts["needed"] = [
            _needed_json(each, comparison.contenders[index].label) for index, each in enumerate(needed)
        ]
    return facts


def to_csv(comparison: Comparison) -> str:
    """Return a CSV table with a header."""
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for outcome in comparison.outcomes:
        row = _outcome_json(comparison, outcome)
        writer.writerow({**row, **row["errors"], "parameters": settings(row["parameters"].items())})
    return sheet.getvalue()


def _outcome_json(comparison: Comparison, outcome: Outcome) -> dict[str, Any]:
    trial, answered = outcome.trial, outcome.answered
    cost = trial.mechanism.guarantee.cost(trial.privacy)
    return {
        **names_json(trial.mechanism),
        "label": comparison.contenders[trial.contender].label,
        "parameters": public_parameters(trial.mechanism),
        "epsilon": cost.epsilon if cost != NO_PROMISE else None,
        "delta": cost.delta if cost != NO_PROMISE else None,
        "n": trial.n,
        "value": trial.value,
        "errors": {
            "median": _possible(outcome.quantile(0.5)),
            "mean": float(answered.mean()) if answered.size else None,
            "p95": _possible(outcome.quantile(0.95)),
        },
        "refused": outcome.refused,
        "runs": outcome.runs,
        "seconds_per_run": outcome.seconds_per_run if outcome.runs else None,
        **({"problem": outcome.problem} if outcome.problem else {}),
    }


def _possible(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _verdict_json(comparison: Comparison, index: int) -> dict[str, Any] | None:
    """Return the winner at a value of the sweep; None where nothing ran."""
    from engine.comparison.verdict import verdict

    won = verdict(comparison.at(index))
    if won is None:
        return None
    labels = [contender.label for contender in comparison.contenders]
    return {
        "value": comparison.sweep.values[index],
        "best": labels[won.best.trial.contender],
        "other": None if won.other is None else labels[won.other.trial.contender],
        "ratio": won.ratio,
        "low": won.low,
        "high": won.high,
        "confidence": won.confidence,
        "significant": won.significant,
        "useless": won.useless,
    }


def _needed_json(each: Needed, label: str) -> dict[str, Any]:
    """Return the epsilon that a mechanism needs, and the share of runs within the error there."""
    return {
        "label": label,
        "epsilon": each.epsilon,
        "share": each.share_at,
        "low": each.low,
        "high": each.high,
        **({"problem": each.problem} if each.problem else {}),
    }

"""Find a lower bound on a mechanism's epsilon: simulate releases from two neighbouring databases."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from app.commands.support.audit_findings import AuditedPairs, to_json, to_text, worst_of
from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import add_data_options, load, missing_of
from app.commands.support.figures import add_figure_options, confidentiality, figure_style, save_panels
from app.commands.support.interrupt import INTERRUPTED, stop_on_interrupt
from app.commands.support.mechanism_options import add_mechanism_options, add_release_options, mechanism_of
from app.commands.support.mechanism_spec import SHAPE as SHAPE_OF_MECHANISM
from app.commands.support.mechanism_spec import with_planned_blocks, with_spec
from app.commands.support.options import (
    JSON,
    Option,
    UsageError,
    VerbHelp,
    add_option,
    add_options,
    number,
    up_to,
    whole,
)
from app.commands.support.parts import reader_of, with_parts
from app.commands.support.privacy import add_privacy_options, read_privacy
from app.model.kinds.registry import KINDS
from app.model.output_file import output
from app.model.wording.console import CONFIDENTIAL
from app.model.wording.numbers import grouped, short
from app.model.wording.records import rows_words
from engine.data.look_only import rows_of_person
from engine.errors import ParameterError, SensiscopeError, UnknownName
from engine.mechanisms.relation import check_missing
from engine.privacy import for_persons
from engine.progress import Cancelled, Progress, part

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.plots.figure_panel import FigurePanel
    from engine.audit import AuditRun, LowBitsRun, Pair
    from engine.mechanisms.base import Mechanism
    from engine.privacy import Privacy

RUNS, CONFIDENCE, SEED, MAX_RUNS = 100_000, 0.999, 1, 10_000_000

VIOLATED = 3
"""The exit status of a check that fails."""

ALL = "all"
SHAPE = "record=NUMBER,value=VALUE"


OPTIONS = (
    Option(
        "neighbour",
        f"name of a pair of databases; {ALL}: every pair that follows from public facts; {SHAPE}: this data, "
        "and the same with one record changed",
        metavar="SPEC",
        default=ALL,
    ),
    Option("runs", "simulated releases from each database", up_to(MAX_RUNS), "N", RUNS),
    Option("confidence", "probability that the bound holds", number, "C", CONFIDENCE),
    Option(
        "low-bits",
        "also attack the low bits of real releases, at most 5,000 from each database: find values that the "
        "neighbour cannot produce; the releases stay hidden and spend no budget",
        flag=True,
    ),
    Option("planted", "plant this bug in the mechanism (see sensiscope catalog)", metavar="BUG"),
    Option("seed", "seed of all simulations", whole, "N", SEED),
    Option("check", f"end with status {VIOLATED} if the guarantee is violated", flag=True),
)
"""The options of an audit."""

HELP = VerbHelp(
    usage="MECHANISM DATA --epsilon E [--delta D] [--neighbour SPEC] [options]",
    first=(
        "data",
        "example",
        "column",
        "lower",
        "upper",
        "epsilon",
        "delta",
        "method",
        "neighbour",
        "runs",
        "json",
    ),
    example="audit median --example salaries --epsilon 1 --planted local-noise",
    notes="An event that is far more likely under one database than under the other refutes the promised "
    "epsilon, with the stated confidence. Finding no such event proves nothing.\n\n"
    "MECHANISM is a name as in sensiscope run, or a name with settings as in sensiscope compare. "
    "Nothing is released.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mechanism", metavar="MECHANISM", help=f"{SHAPE_OF_MECHANISM}, such as median")
    add_data_options(parser)
    add_privacy_options(parser, required=True)
    add_release_options(parser)
    add_options(parser.add_argument_group("audit: neighbours, runs, confidence, bugs"), OPTIONS)
    add_mechanism_options(parser)
    group = parser.add_argument_group("output: JSON, figure")
    add_option(group, JSON)
    add_figure_options(group, "of the audit")


def run(options: argparse.Namespace) -> int:
    from engine.audit import MAX_LOW_BITS_RUNS, audit_runs, check_grid, low_bits_run

    privacy, spec = read_privacy(options), neighbour(options.neighbour)
    _check(options)
    options = with_spec(options)
    options = with_parts(options, options.mechanism)
    right = mechanism_of(options, privacy)
    check_missing(right.relation, missing_of(options))
    plot = output(options.plot)
    with Bar() as bar:
        data = load(options, reader_of(right), bar)
    _, relation = for_persons(privacy, right.relation, rows_of_person(data.database))
    right = with_planned_blocks(right, data, privacy, options)
    mechanism = right if options.planted is None else _plant(options.planted, right)
    mechanism.refuse(privacy, data.database.domain, data.database.n)
    with Bar() as bar:
        pairs = spec.pairs(mechanism, data, privacy, bar)
    if data.database.release_problem:  # then n is not public, and all pairs are made of it
        pairs = tuple(dataclasses.replace(pair, public=False) for pair in pairs)
    if options.low_bits:
        check_grid(mechanism, pairs[0], privacy)
    # the statement about the worst pair needs the bounds of all pairs to hold together
    confidence = 1 - (1 - options.confidence) / len(pairs)
    runs: list[AuditRun] = []
    attacks: list[LowBitsRun] = []
    with Bar() as bar, stop_on_interrupt(bar) as watched, contextlib.suppress(Cancelled):
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
        few = min(options.runs, MAX_LOW_BITS_RUNS)
        for pair, one, share in zip(pairs, attempts, shares, strict=True):
            if options.low_bits:
                here = part(part(watched, *share), 0.5, 1.0)
                attacks.append(low_bits_run(mechanism, pair, privacy, runs=few, progress=here))
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
        relation,
        rows_words(data.statements),
    )
    if options.json:
        say_json(to_json(audited) | data.about_json)
    else:
        say(to_text(audited, confidentiality(options)))
    sys.stdout.flush()
    remark("note", *data.notes, *data.detected)
    if plot is not None:
        save_panels([_panel(audited)], plot, options)
        if not audited.public and figure_style(options).has_stamp:
            remark("note", f"{plot.path} is {CONFIDENTIAL}")
    if not audited.complete:
        remark("cancelled", "stopped by Ctrl+C; these are the results so far")
        return INTERRUPTED
    return VIOLATED if options.check and audited.violated else 0


def _panel(audited: AuditedPairs) -> FigurePanel:
    """Return the picture of the outcomes on the worst pair, or of its low bits."""
    from app.plots.audit.low_bits import AuditLowBits, LowBitsView
    from app.plots.audit.outcomes import AuditOutcomes
    from app.plots.audit.view import AuditView, side_names
    from app.plots.figure_panel import FigurePanel

    planted = audited.mistake.label if audited.planted else ""
    if audited.low_bits:
        index = worst_of(audited.low_bits)
        pair = audited.pairs[index]
        title = f"Low bits of {audited.right.label}: {pair.label.lower()}"
        low_bits = LowBitsView(audited.low_bits[index], planted)
        return FigurePanel(title, AuditLowBits, low_bits, private=not pair.public)
    run, pair = audited.runs[audited.worst], audited.pairs[audited.worst]
    audit = dataclasses.replace(run.audit, confidence=audited.confidence)
    view = AuditView(dataclasses.replace(run, audit=audit), side_names(pair.public), planted)
    title = f"Audit of {audited.right.label}: {pair.label.lower()}"
    return FigurePanel(title, AuditOutcomes, view, private=not pair.public)


def _check(options: argparse.Namespace) -> None:
    """Refuse impossible options before the command reads data."""
    from engine.audit import MIN_RUNS
    from engine.mechanisms import PLANTED

    if options.runs < MIN_RUNS:
        raise ParameterError(
            "runs", f"{grouped(options.runs)} are too few; an audit needs at least {grouped(MIN_RUNS)}"
        )
    if not 0 < options.confidence < 1:
        raise ParameterError(
            "confidence", f"{short(options.confidence)} is not possible; it must be above 0 and below 1"
        )
    if options.planted is not None and options.planted not in PLANTED:
        raise UnknownName("faulty variant", options.planted, PLANTED)


def _plant(name: str, right: Mechanism[Any]) -> Mechanism[Any]:
    """Return the mechanism with the planted bug."""
    from engine.mechanisms import PLANTED

    if not PLANTED[name].applies_to(right):
        possible = ", ".join(bug for bug, cls in PLANTED.items() if cls.applies_to(right)) or "none"
        raise SensiscopeError(f"--planted: {right.label} cannot have the bug {name}; it can have {possible}")
    return PLANTED[name].planted(right)


@dataclasses.dataclass(frozen=True)
class Neighbour:
    """The value of ``--neighbour``: the name of a pair, "all", or a record that changes.

    Records count from 1; the new value has one text for each coordinate.
    """

    name: str
    record: int = 0
    value: tuple[str, ...] = ()

    def pairs(
        self, mechanism: Mechanism[Any], data: LoadedRecords[Any], privacy: Privacy, progress: Progress
    ) -> tuple[Pair, ...]:
        """Return the pairs: all that follow from public facts, or a single one."""
        from engine.audit import as_meant, pairs_from_data, replace_one_pair, worst_case_pairs

        database, kind = data.database, KINDS[mechanism.reads]
        if not self.name:
            pair = replace_one_pair(database, self.record - 1, kind.value_of(self.value, database.domain))
            if (meant := as_meant(mechanism, pair)) is None:
                raise UsageError("--neighbour: there is no second record; it needs at least two")
            return (meant,)
        public = worst_case_pairs(mechanism, database.domain, database.n, privacy, **kind.structure(database))
        if self.name == ALL:
            return public
        known = {pair.name: pair for pair in public}
        if self.name not in known:  # pairs of the data may take long
            known |= {
                pair.name: pair for pair in pairs_from_data(mechanism, database, privacy, progress=progress)
            }
        if self.name not in known:
            raise UnknownName("pair of neighbours", self.name, [ALL, *known])
        return (known[self.name],)


def neighbour(text: str) -> Neighbour:
    """Read the option."""
    if "=" not in text:
        return Neighbour(text)
    pairs = [pair.partition("=") for pair in text.split(",")]
    given = {name.strip(): value.strip() for name, _, value in pairs}
    if set(given) != {"record", "value"} or len(pairs) > 2 or not all(given.values()):
        raise UsageError(f"--neighbour: '{text}' is no {SHAPE}; for points write colons, as in value=0.1:0.2")
    if not given["record"].isdecimal() or int(given["record"]) < 1:
        raise UsageError(
            f"--neighbour: record '{given['record']}' is no number of a record; the first one is 1"
        )
    return Neighbour("", int(given["record"]), tuple(given["value"].split(":")))

"""Find a lower bound on a mechanism's epsilon: simulate releases from two neighbouring databases."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, remark, say, say_json
from app.commands.support.data import FIRST_OPTIONS, add_data_options, load, missing_of
from app.commands.support.figures import add_figure_options, confidentiality, figure_style, save_panels
from app.commands.support.interrupt import INTERRUPTED, stop_on_interrupt
from app.commands.support.mechanism_options import (
    add_mechanism_options,
    add_release_options,
    mechanism_of,
    names_json,
    public_parameters,
)
from app.commands.support.mechanism_spec import SHAPE as SHAPE_OF_MECHANISM
from app.commands.support.mechanism_spec import with_planned_blocks, with_spec
from app.commands.support.options import (
    JSON,
    Option,
    UsageError,
    VerbHelp,
    add_option,
    add_options,
    check_number,
    number,
    up_to,
    whole,
)
from app.commands.support.parts import reader_of, with_parts
from app.commands.support.privacy import add_privacy_options, read_privacy
from app.model.kinds.registry import KINDS
from app.model.output_file import output
from app.model.wording.console import CONFIDENTIAL, budget, counted, facts, settings
from app.model.wording.console import number as number_text
from app.model.wording.numbers import grouped, short
from app.model.wording.records import rows_words
from engine.components import asked_of
from engine.data.look_only import rows_of_person
from engine.errors import ParameterError, SensiscopeError, UnknownName
from engine.mechanisms.relation import check_missing
from engine.privacy import NEIGHBOURS, Privacy, for_persons
from engine.progress import Cancelled, Progress, part

if TYPE_CHECKING:
    from app.model.loaded import LoadedRecords
    from app.plots.figure_panel import FigurePanel
    from engine.audit import AuditRun, LowBits, LowBitsRun, Pair
    from engine.mechanisms.base import Mechanism

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
        "neighbor cannot produce; the releases stay hidden and spend no budget",
        flag=True,
    ),
    Option("planted", "plant this bug in the mechanism (see sensiscope catalog)", metavar="BUG"),
    Option("seed", "seed of all simulations", whole, "N", SEED),
    Option("check", f"end with status {VIOLATED} if the guarantee is violated", flag=True),
)

HELP = VerbHelp(
    usage="MECHANISM DATA --epsilon E [--delta D] [--neighbour SPEC] [options]",
    first=(*FIRST_OPTIONS, "epsilon", "delta", "method", "neighbour", "runs", "json"),
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
    add_options(parser.add_argument_group("audit: neighbors, runs, confidence, bugs"), OPTIONS)
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
    from app.plots.audit.view import AuditView
    from app.plots.figure_panel import FigurePanel
    from engine.audit import NeighbourAudit

    planted = audited.mistake.label if audited.planted else ""
    if audited.low_bits:
        index = worst_of(audited.low_bits)
        pair = audited.pairs[index]
        title = f"Low bits of {audited.right.label}: {pair.label.lower()}"
        low_bits = LowBitsView(audited.low_bits[index], planted)
        return FigurePanel(title, AuditLowBits, low_bits, private=not pair.public)
    run, pair = audited.runs[audited.worst], audited.pairs[audited.worst]
    audit = dataclasses.replace(run.audit, confidence=audited.confidence)
    view = AuditView.of(NeighbourAudit(pair, dataclasses.replace(run, audit=audit), audited.planted))
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
    check_number("confidence", options.confidence, 1, "above 0 and below 1")
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
            raise UnknownName("pair of neighbors", self.name, [ALL, *known])
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


BARE = "before clamping and other post-processing that can be left out"
PUBLIC = "public: both databases follow from bounds and sizes alone"


@dataclasses.dataclass(frozen=True, eq=False)
class AuditedPairs:
    """Audits of one mechanism on one or several pairs.

    `planted` names the bug in the mechanism `right`, "" for none. Each pair has one run, and one attack on
    the low bits if the audit includes them; a cancelled audit has fewer. All bounds hold together with
    probability `confidence`. `relation` is that of the promise, and `rows` says which rows make a record,
    "" for all.
    """

    right: Mechanism[Any]
    planted: str
    privacy: Privacy
    pairs: tuple[Pair, ...]
    runs: tuple[AuditRun, ...]
    confidence: float
    seed: int
    low_bits: tuple[LowBitsRun, ...] = ()
    relation: str = NEIGHBOURS
    rows: str = ""

    @property
    def worst(self) -> int:
        """The index of the pair with the largest bound."""
        return max(range(len(self.runs)), key=lambda index: self.runs[index].audit.epsilon_lower_bound)

    @property
    def complete(self) -> bool:
        return len(self.runs) == len(self.pairs)

    @property
    def violated(self) -> bool:
        """Whether any audit or attack refutes the guarantee."""
        attacks = [run.result.violated for run in self.low_bits]
        return any((*(run.audit.violated for run in self.runs), *attacks))

    @property
    def public(self) -> bool:
        """Whether no pair follows from the data."""
        return all(pair.public for pair in self.pairs)

    @property
    def bare(self) -> Mechanism[Any]:
        """The audited mechanism, without post-processing."""
        return self.right.unprocessed()

    @property
    def mistake(self) -> Any:
        """The class of the planted bug, None for none."""
        from engine.mechanisms import PLANTED

        return PLANTED[self.planted] if self.planted else None


def to_json(result: AuditedPairs) -> dict[str, Any]:
    """Return the JSON: the worst pair, and all pairs if there are several."""
    facts = {
        **names_json(result.right),
        "parameters": public_parameters(result.right),
        "planted": result.planted or None,
        **_audit_json(result, result.worst),
        **({"rows": result.rows} if result.rows else {}),
        **({"neighbours": result.relation} if result.relation != result.right.relation else {}),
        "seed": result.seed,
        "simulated": True,
    }
    attacks = [
        {"low_bits": _low_bits_json(pair, run.result)}
        for pair, run in zip(result.pairs, result.low_bits, strict=False)
    ] or [{} for _ in result.runs]
    if result.low_bits:
        facts |= attacks[worst_of(result.low_bits)]
    if len(result.pairs) > 1:
        facts["pairs"] = [
            {**_audit_json(result, index), **attacks[index]} for index in range(len(result.runs))
        ]
        facts["complete"] = result.complete
    return facts


def to_text(result: AuditedPairs, confidentiality: str) -> str:
    """Return the audit, its neighbours and the bound on epsilon as text.

    The line `confidentiality` ends it where the pairs follow from the data.
    """
    pair, run = result.pairs[result.worst], result.runs[result.worst]
    chosen = settings(
        (name, value) for name, value in public_parameters(result.right).items() if name != "method"
    )
    name = asked_of(result.right).name
    promise = budget(result.privacy.epsilon, result.privacy.delta, result.relation)
    rows = [
        ("audited", f"{name}: {result.right.label}" + (f" ({chosen})" if chosen else "")),
        *([("rows", result.rows)] if result.rows else []),
        *([] if result.bare == result.right else [("outcomes", BARE)]),
        *([("planted", f"{result.mistake.label}: {result.mistake.summary}")] if result.planted else []),
        ("promised", ("" if result.right.facts.is_private else "nothing; the audit examines ") + promise),
        ("neighbours", f"{pair.label} ({pair.name}): {pair.why}"),
        ("runs", f"{grouped(run.audit.runs)} from each database; the first half chooses the event"),
        ("event", run.audit.event),
        ("happens", f"in {' and '.join(map(grouped, run.inside))} of {grouped(run.judged)} runs"),
    ]
    parts = [f"SIMULATION with seed {result.seed}; nothing is a release\n{facts(rows)}"]
    if len(result.pairs) > 1:
        table = [
            (pair.name, f"{number_text(one.epsilon_lower_bound, 4)}, {one.verdict}", one.event)
            for pair, one in zip(result.pairs, (run.audit for run in result.runs), strict=False)
        ]
        audited = f"{len(result.runs)} of {counted(len(result.pairs), 'pair')}"
        heading = f"epsilon at least, on {audited} (the worst is above)"
        parts.append(f"{heading}\n{facts(table)}")
    audit, sure = run.audit, f"With {short(100 * result.confidence)} % confidence"
    bound, promised = number_text(audit.epsilon_lower_bound, 4), short(audit.privacy.epsilon)
    if audit.violated:
        verdict = f"{bound}, but the promise is {promised}: VIOLATED"
    else:
        verdict = f"{bound}; the promise is {promised}: consistent, which proves nothing"
    parts.append(f"{sure} epsilon is at least {verdict}")
    if result.low_bits:
        parts.append(_low_bits_text(result.pairs, result.low_bits))
    return "\n\n".join(parts) + f"\n{PUBLIC if result.public else confidentiality}"


def _audit_json(result: AuditedPairs, index: int) -> dict[str, Any]:
    audit, pair = result.runs[index].audit, result.pairs[index]
    return {
        "neighbour": pair.name,
        "public": pair.public,
        "epsilon": audit.privacy.epsilon,
        "delta": audit.privacy.delta,
        "epsilon_lower_bound": audit.epsilon_lower_bound,
        "confidence": result.confidence,
        "runs": audit.runs,
        "event": audit.event,
        "verdict": audit.verdict,
    }


def worst_of(runs: Sequence[LowBitsRun]) -> int:
    """Return the index of the pair whose low bits reveal most."""

    def rank(index: int) -> tuple[bool, float, float, float]:
        attack = runs[index].result
        return attack.violated, attack.at_least, attack.off_grid, -attack.p_value

    return max(range(len(runs)), key=rank)


def _low_bits_json(pair: Pair, attack: LowBits) -> dict[str, Any]:
    steps = [None if math.isnan(step) else step for step in attack.step]
    return {
        "neighbour": pair.name,
        "runs": attack.runs,
        "step": steps[0] if len(steps) == 1 else steps,
        "same_grid": attack.same_grid,
        "off_grid": attack.off_grid,
        "impossible": list(attack.impossible),
        "impossible_at_least": attack.at_least,
        "p_value": attack.p_value,
        "verdict": attack.verdict,
        "words": attack.describe(),
    }


def _low_bits_text(pairs: Sequence[Pair], runs: Sequence[LowBitsRun]) -> str:
    index = worst_of(runs)
    pair, attack = pairs[index], runs[index].result
    grids = ("none" if math.isnan(one) else f"multiples of {number_text(one, 6)}" for one in attack.step)
    drawn = f"{grouped(attack.runs)} real releases from each database"
    rows = [
        ("low bits of", f"{drawn}: {pair.label} ({pair.name})"),
        ("grid", ", ".join(grids)),
        ("off the grid", _share(attack.off_grid)),
        ("impossible for the other", " and ".join(map(_share, attack.impossible))),
        ("low bits differ", f"p = {short(attack.p_value, 2)}"),
    ]
    parts = [facts(rows)]
    if len(runs) > 1:
        table = [(one.name, run.result.verdict) for one, run in zip(pairs, runs, strict=False)]
        parts.append(f"low bits on {len(runs)} of {len(pairs)} pairs (the worst is above)\n{facts(table)}")
    parts.append(
        f"Low bits: {attack.verdict.upper() if attack.violated else attack.verdict}. {attack.describe()}"
    )
    return "\n\n".join(parts)


def _share(part: float) -> str:
    return f"{number_text(100 * part, 3)} %"

"""A comparison in words and as a table: the best method, its lead, and the confidence in it."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.theme import Palette
from app.model.wording.numbers import format_count, grouped, number, quantity, share
from app.plots.compare.contender_style import ContenderStyle, contender_style, looks, spoken_names
from engine.comparison.compared import Comparison
from engine.comparison.results import ComparedMechanism, Outcome
from engine.comparison.verdict import Verdict, verdict

if TYPE_CHECKING:
    from engine.comparison.audited import AuditedContenders

_SHORT_REASON = 40  # letters of why a mechanism is not possible
TRIVIAL = "guess without the data"
CLAMPED = "most runs clamped"

MAX_PLACES = 120  # values of a sweep that are drawn at most


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonView:
    """A comparison, and what is to be seen of it (private)."""

    comparison: Comparison
    position: int = 0  # which value of the sweep
    mode: str = "dots"  # one of `MODES`
    spread: str = "band"  # one of `SPREADS`
    # an index into the comparison's outcomes and a run of that: the one that was clicked
    picked: tuple[int, int] | None = None
    measure: str = "distance from the truth"  # what an error is, in words

    @classmethod
    def of(
        cls, comparison: Comparison, index: int | None = None, mode: str = "dots", spread: str = "band"
    ) -> ComparisonView:
        """Show a comparison at one value of the sweep: by default at the one in the middle."""
        last = len(comparison.sweep.values) - 1
        return cls(comparison, (last + 1) // 2 if index is None else min(index, last), mode, spread)

    @property
    def verdict(self) -> Verdict | None:
        """Who wins at the chosen value; None while that is not known."""
        return self.comparison.verdict(self.position)

    @property
    def trivial(self) -> float | None:
        """The largest error of the trivial baseline at the chosen value; None without one."""
        return self.comparison.trivial_error(self.position)

    def trivial_words(self, unit: str) -> str:
        """Say what the trivial baseline is, and how far off it may be; "" without one."""
        if self.trivial is None:
            return ""
        errs = f"errs by at most {quantity(self.trivial, unit)}"
        return f"a {TRIVIAL}, such as the midpoint of the bounds, {errs}"

    @property
    def contenders(self) -> tuple[ComparedMechanism, ...]:
        return self.comparison.contenders

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(contender.label for contender in self.contenders)

    def style(self, contender: int, palette: Palette) -> ContenderStyle:
        """Return how a contender is drawn."""
        return contender_style(looks(self.contenders)[contender], palette)

    @property
    def value(self) -> float:
        """The value of the sweep at which errors are shown; NaN without any."""
        values = self.comparison.sweep.values
        return values[self.position] if 0 <= self.position < len(values) else float("nan")

    @property
    def caption(self) -> str:
        """The caption of a saved picture."""
        comparison = self.comparison
        runs = f"Simulated: {runs_words(comparison)}, from seed {comparison.seed}."
        return f"{runs} {so_far(comparison)}".strip()

    def outcome(self, contender: int, index: int | None = None) -> Outcome | None:
        """Return how a contender did at a value of the sweep; None where it has not begun."""
        return self.comparison.outcome(contender, self.position if index is None else index)

    def empty(self, contender: int) -> str:
        """Say why a contender has no errors at the chosen value; "" if it has some."""
        return why_empty(self.outcome(contender))

    def typical(self, contender: int) -> float:
        """Return the median error at the chosen value: inf for refusals, NaN without runs."""
        return self.comparison.median(contender, self.position)

    def typical_words(self, contender: int, unit: str) -> str:
        """Say how large the median error is at the chosen value, or why there is none."""
        typical = self.typical(contender)
        if self.empty(contender):
            return self.empty(contender)
        return "mostly refused" if math.isinf(typical) else f"median error {quantity(typical, unit)}"

    @property
    def order(self) -> list[int]:
        """The contenders, the one with the smallest median error at the chosen value first."""
        return self.comparison.order(self.position)

    @property
    def rows(self) -> list[int]:
        """The contenders that fit at the chosen value, the smallest median error first.

        While runs arrive, they keep their order: only the user moves rows, by choosing another value.
        """
        fitting = self.comparison.fitting(self.position)
        return [one for one in self.order if one in fitting] if self.comparison.complete else fitting

    @property
    def lines(self) -> list[int]:
        """The contenders that fit at some value of the sweep, or have not begun."""
        return self.comparison.fitting()

    @property
    def places(self) -> list[int]:
        """Return the curves to draw: the chosen one, and as many others as remain distinguishable."""
        many = len(self.comparison.sweep.values)
        if many <= MAX_PLACES:
            return list(range(many))
        some = np.linspace(0, many - 1, MAX_PLACES).round().astype(int).tolist()
        return sorted({*some, self.position})

    def along(self, contender: int) -> list[Outcome]:
        """Return the outcomes of a contender that are drawn, those that have runs."""
        result = (self.outcome(contender, index) for index in self.places)
        return [outcome for outcome in result if outcome is not None and outcome.runs]

    def left_out(self, shown: Sequence[int]) -> str:
        """Return a line on those with fewer runs, and one on those that do not fit; "" for none."""
        few = f"{runs_words(self.comparison)}." if any(map(self.comparison.has_fewer, shown)) else ""
        missing: dict[str, list[str]] = {}
        for index, name in enumerate(spoken_names(self.labels)):
            if index not in shown:
                missing.setdefault(short_problem(self.outcome(index)), []).append(name)
        groups = [f"{', '.join(names)}{reason}" for reason, names in missing.items()]
        return "\n".join(filter(None, (few, f"Not possible: {'; '.join(groups)}." if missing else "")))

    def wins(self, contender: int) -> bool:
        """Tell whether a contender is better than the others by more than chance explains."""
        verdict = self.verdict
        return verdict is not None and verdict.significant and verdict.best.trial.contender == contender

    @property
    def leading(self) -> int:
        """The mechanism that stands out: that of the picked run, else the best private one; -1 for none."""
        outcomes, (picked, _) = self.comparison.outcomes, self.picked or (-1, -1)
        if 0 <= picked < len(outcomes):
            return outcomes[picked].trial.contender
        tried = (one for one in self.order if one in self.comparison.private)
        return next((one for one in tried if self.along(one)), -1)

    def beside(self, contender: int, amount: str) -> str:
        """Return an amount for the label of a mechanism, with its runs if it has fewer than others."""
        few = self.comparison.has_fewer(contender)
        runs = f"{grouped(self.comparison.each[contender])} runs" if few else ""
        return " · ".join(filter(None, (amount, runs)))

    def remarks(self, contender: int) -> list[str]:
        """Return short remarks on a mechanism, for every place that shows it."""
        outcome = self.outcome(contender)
        texts = [] if contender in self.comparison.private else ["Not DP"]
        if outcome is not None and outcome.refused:
            texts.append(f"{share(outcome.refused / outcome.runs)} refused")
        if outcome is not None and is_at_bound(self.comparison, outcome):
            texts.append(CLAMPED)
        return texts

    @property
    def where(self) -> str:
        """The chosen value, as the end of a clause; "" if it is the only one."""
        sweep = self.comparison.sweep
        return f" at {value_words(sweep.name, self.value)}" if len(sweep.values) > 1 else ""

    def finding(self, unit: str = "", where: str = "") -> str:
        """Say who wins at the chosen value, with or without the clause `where`."""
        names = spoken_names(self.labels)
        tried = [outcome for outcome in self.comparison.at(self.position) if outcome.runs]
        if self.verdict is None and len(tried) == 1:
            return alone_text(tried[0], unit, names)
        return sentence(self.verdict, unit, names, self.trivial, where)

    def sentence(self, unit: str = "", where: str = "") -> str:
        """Say who wins at the chosen value, and how far the comparison is."""
        begun, text = so_far(self.comparison), self.finding(unit, where)
        return f"{begun}. {text}" if begun else text


def why_empty(outcome: Outcome | None) -> str:
    """Say why there are no errors; "" if there are some."""
    if outcome is None:
        return "not begun yet"
    if outcome.problem:
        return outcome.problem
    if not outcome.runs:
        return "no run is finished yet"
    return "all refused to answer" if outcome.refused == outcome.runs else ""


def short_problem(outcome: Outcome | None) -> str:
    """Say in a few words, in parentheses, why a contender is not possible; "" if nothing short is known."""
    if outcome is None or not outcome.problem:
        return ""
    if outcome.field == "delta" and not outcome.trial.privacy.delta:
        return " (need δ > 0)"
    reason = re.split(r" \(|;|: ", outcome.problem)[0]
    return f" ({reason})" if len(reason) <= _SHORT_REASON else ""


_MAX_SPANS, _MAX_SLOW = 4, 2
_MUCH_WORSE = 2.0  # times as large an error as the best: worth a clause
_SYMBOLS = {"epsilon": "ε", "delta": "δ", "beta": "β", "gamma": "γ"}


def sentence(
    verdict: Verdict | None,
    unit: str = "",
    labels: Sequence[str] = (),
    trivial: float | None = None,
    where: str = "",
) -> str:
    """Say in one or two sentences who wins and by how much.

    `unit`: unit of the errors. `labels`: what the contenders are called, by their numbers; else what their
    mechanisms are called. `trivial`: the largest error of the trivial baseline. `where`: the end of a clause
    that names the value it speaks of.
    """
    if verdict is None:
        return "Choose two private mechanisms to compare them."
    best, other = verdict.best, verdict.other
    name = _name(best, labels)
    middle = best.quantile(0.5)
    if math.isinf(middle):
        return f"None of them is useful here: even {name} refuses at least every second time."
    within = _within(middle, unit)
    if verdict.useless:
        limit = "" if trivial is None else f"; a {TRIVIAL} errs by at most {quantity(trivial, unit)}"
        return f"None of them is of much use here: even with {name} only {within}{limit}."
    second = _name(other, labels)
    if min(best.runs, other.runs) < verdict.fewest:
        return (
            f"{name} has the smallest median error so far{where}: {within}. {_runs_of(verdict)} are too few "
            f"to tell it from {second}; at least {grouped(verdict.fewest)} of each are needed."
        )
    if not verdict.significant:
        equal = f"{name} and {second} do not differ significantly{where}"
        return f"{equal}: {within} with {name}. {_undecided(verdict)}"
    return f"{name} wins{where}: {_gap(verdict, second, other.quantile(0.5), unit)}."


def leaders(comparison: Comparison, names: Sequence[str], places: Sequence[int]) -> str:
    """Say which private contender wins where along the sweep, and where the runs do not tell."""
    name, spans = comparison.sweep.name, comparison.winners(places)
    if not spans:
        return "No private mechanism has made a release yet."
    if len(comparison.private) == 1:
        return f"No other private mechanism is compared with {names[comparison.private[0]]}."
    if len(spans) == 1:
        winner, several = spans[0][0], len(comparison.sweep.values) > 1
        if winner is None:
            return f"No clear winner{f' along {symbol(name)}' if several else ''}."
        return f"{names[winner]} wins{' all along' if several else ''}."
    wins: dict[int | None, list[str]] = {winner: [] for winner, *_ in spans}
    for at, (winner, start, stop) in enumerate(spans):
        first = value_words(name, start)
        ends = {0: f"up to {value_words(name, stop)}", len(spans) - 1: f"from {first} on"}
        where = ends.get(at, f"from {first} to {number(stop)}")
        wins[winner].append(where if start < stop else f"at {first}")
    if len(spans) > _MAX_SPANS:
        won = [comparison.winner(position) for position in places]
        wins = {one: [f"at {won.count(one)} of {len(won)} values of {symbol(name)}"] for one in wins}
    rest = "; elsewhere no clear winner" if wins.pop(None, None) else ""
    best, *others = [(names[one], " and ".join(where)) for one, where in wins.items() if one is not None]
    return f"{', '.join([' wins '.join(best), *map(' '.join, others)])}{rest}."


def behind(comparison: Comparison, names: Sequence[str], places: Sequence[int]) -> str:
    """Say which winner is clearly behind the best where none wins, and how far at most; "" for none."""
    losses = []
    winners = {winner for winner, *_ in comparison.winners(places) if winner is not None}
    for position in places:
        tied = comparison.verdict(position)
        tried = [comparison.outcome(winner, position) for winner in winners]
        for mine in tried if tied is not None and not tied.significant else ():
            lost = verdict([tied.best, mine]) if tied and mine and mine is not tied.best else None
            if lost is not None and lost.significant:
                losses.append((lost.ratio, lost.other.trial.contender, lost.other.trial.value))
    ratio, loser, value = max(losses, default=(0.0, 0, 0.0))
    if not _MUCH_WORSE <= ratio < math.inf:
        return ""
    where = value_words(comparison.sweep.name, value)
    return f"At {where} {names[loser]} errs {number(ratio, 2)} times as much as the best."


def sweep_words(name: str) -> str:
    """Return what is varied, as it stands below an axis."""
    texts = {"epsilon": "ε  (less private →)", "n": "n, records that are drawn"}
    return texts.get(name, symbol(name))


def value_words(name: str, value: float) -> str:
    """Return one value of a sweep: "ε = 0.5"."""
    return f"{symbol(name)} = {number(value)}"


def measured_words(comparison: Comparison) -> str:
    """Say what errors are measured from where fewer records are drawn; "" where none are left out."""
    if comparison.sweep.name != "n":
        return ""
    query = getattr(comparison.contenders[0].mechanism, "query", None)
    what = "the true answer" if query is None else f"the {query.label.lower()}"
    return f"Errors are measured from {what} of the sampled records."


def clamped_words(comparison: Comparison, unit: str = "") -> str:
    """Say which median errors are the distance to a bound, since most answers were clamped; "" for none."""
    middles = (one.quantile(0.5) for one in comparison.outcomes if is_at_bound(comparison, one))
    return next((f"{quantity(one, unit)}: {CLAMPED}." for one in middles), "")


def is_at_bound(comparison: Comparison, outcome: Outcome) -> bool:
    """Tell whether the median error is the distance to a bound, since most answers were clamped."""
    farthest = max((one.answered[-1] for one in comparison.outcomes if one.answered.size), default=0.0)
    bounds = farthest, 2 * outcome.trivial_error - farthest
    middle, errors = outcome.quantile(0.5), outcome.errors[:, None]
    clamped = np.isclose(errors, bounds, rtol=1e-9).any(axis=1)
    return bool(middle > 0 and np.isclose(middle, bounds, rtol=1e-9).any() and clamped.mean() > 0.5)


def alone_text(outcome: Outcome, unit: str = "", labels: Sequence[str] = ()) -> str:
    """Say how far off the only contender is."""
    middle = outcome.quantile(0.5)
    if math.isinf(middle):
        return f"{_name(outcome, labels)} refuses at least every second time."
    return f"{_name(outcome, labels)}: {_within(middle, unit)}."


def so_far(comparison: Comparison) -> str:
    """Say that a comparison is preliminary, and how many of all runs it has; "" if it is complete."""
    if comparison.complete:
        return ""
    runs = f"{grouped(comparison.made)} of {grouped(comparison.asked)}"
    return f"Preliminary, {share(comparison.made / comparison.asked)} of the runs ({runs})"


def runs_words(comparison: Comparison) -> str:
    """Return the runs of each mechanism: "1,000 runs each (OpenDP 50)" if OpenDP is slow."""
    labels = [one.label for one in comparison.contenders]
    few = [
        f"{name} {grouped(comparison.each[index])}"
        for index, name in enumerate(spoken_names(labels))
        if comparison.has_fewer(index)
    ]
    if len(few) > _MAX_SLOW:
        few = [f"{number(len(few))} slow ones fewer"]
    return f"{grouped(comparison.runs)} runs each" + (f" ({', '.join(few)})" if few else "")


def _within(error: float, unit: str) -> str:
    where = f"within {quantity(error, unit)} of the truth" if error else "exactly right"
    return f"half of the runs are {where}"


def _gap(verdict: Verdict, second: str, other: float, unit: str) -> str:
    """Say how much nearer the best is than the second one with a median error, and within what limits."""
    if math.isinf(other):
        return f"{second} refuses at least every second time"
    if math.isinf(verdict.ratio):
        return f"no error in half of the runs; the median error of {second} is {quantity(other, unit)}"
    low, high = number(verdict.low, 2), number(verdict.high, 2)
    limits = f"at least {low}" if math.isinf(verdict.high) else f"{low}–{high}"
    interval = f"{share(verdict.confidence)} CI {limits}"
    return f"{number(verdict.ratio, 2)}× smaller error than {second} ({interval})"


def _undecided(verdict: Verdict) -> str:
    """Say what the runs leave open, and how many more would tell."""
    runs = _runs_of(verdict)
    needed = verdict.runs_needed
    if needed is None and verdict.ratio > 1 and not verdict.low > 0:
        return f"With {runs} this could be luck; more runs would settle it."
    if needed is None:
        return f"With {runs} there is no sign of a difference."
    return f"With {runs} this could be luck; about {number(needed, 1)} would settle it."


def _runs_of(verdict: Verdict) -> str:
    best, other = verdict.best.runs, verdict.other.runs
    return f"{grouped(best)} runs each" if best == other else f"{grouped(best)} and {grouped(other)} runs"


def _name(outcome: Outcome, labels: Sequence[str]) -> str:
    index = outcome.trial.contender
    return labels[index] if index < len(labels) else outcome.trial.mechanism.label


def symbol(name: str) -> str:
    """Return what is varied as a sentence names it: "ε"."""
    return _SYMBOLS.get(name, name)


CONFIDENTIAL = "Confidential"  # what each row of a saved table says of itself
Table = tuple[list[str], list[list[Any]]]

SWEPT = "Swept"  # the column that is called by what is varied
Cell = Callable[[Comparison, Outcome], Any]

CELLS: dict[str, tuple[str, Cell]] = {
    "Mechanism": ("Mechanism", lambda c, o: c.contenders[o.trial.contender].label),
    SWEPT: ("", lambda _, o: o.trial.value),
    "Median error": ("Median\nerror", lambda _, o: o.quantile(0.5)),
    "Mean error": ("Mean\nerror", lambda _, o: o.mean),
    "95 % within": ("95 %\nwithin", lambda _, o: o.quantile(0.95)),
    "Runs": ("Runs", lambda _, o: o.runs),
    "Refused": ("Refused", lambda _, o: o.refused),
    "Seconds per run": ("Median\ntime", lambda _, o: o.seconds_per_run if o.runs else math.nan),
    "Remark": (
        "Remark",
        lambda _, o: o.problem or ("" if o.complete else f"of {format_count(o.asked)} runs"),
    ),
}
"""The name of each column in a file and, in two lines, in the window, and its contents."""


def saved_table(comparison: Comparison) -> Table:
    """Return the table for a file, with what that must say of itself: a row for each trial."""
    header = [comparison.sweep.name if name == SWEPT else name for name in CELLS]
    rows = [
        [*(known(cell(comparison, outcome)) for _, cell in CELLS.values()), CONFIDENTIAL]
        for outcome in comparison.outcomes
    ]
    return [*header, "Status"], rows


def quantile_table(
    swept: str, tried: Sequence[tuple[str, float, Outcome | None]], shares: Sequence[float]
) -> Table:
    """Return quantiles of errors, a row for each mechanism and value; an empty cell for a refusal."""
    header = ["mechanism", swept, "runs", "refused", *(f"quantile {number(p)}" for p in shares), "problem"]
    rows = []
    for label, value, outcome in tried:
        counts = [0, 0] if outcome is None else [outcome.runs, outcome.refused]
        quantiles = [math.nan if outcome is None else outcome.quantile(p) for p in shares]
        cells = [quantile if math.isfinite(quantile) else "" for quantile in quantiles]
        rows.append([label, value, *counts, *cells, why_empty(outcome)])
    return header, rows


def known(value: Any) -> Any:
    """Return a value, or nothing where it is not known."""
    return "" if isinstance(value, float) and math.isnan(value) else value


def audits_sentence(r: AuditedContenders) -> str:
    """Say whose promise is refuted."""
    names = spoken_names([one.label for one in r.contenders])
    promised = f"ε = {number(r.privacy.epsilon)}"
    if r.violated:
        who = ", ".join(names[index] for index in r.violated)
        return f"Refuted: {who} {'does' if len(r.violated) == 1 else 'do'} not keep {promised}."
    if not any(each.audit for each in r.audits):
        return "Nothing was audited."
    return f"All that were audited are consistent with {promised}, which is no proof."


def audit_text(r: AuditedContenders, index: int) -> str:
    """Say what the audit of a contender shows."""
    label, result = r.contenders[index].label, r.audits[index] if index < len(r.audits) else None
    if result is None or result.audit is None:
        return f"{label}: {why_unaudited(r, index)}"
    bound = f"ε is at least {number(result.audit.epsilon_lower_bound)}"
    pairs = f"the worst of {result.pairs} pairs: {result.pair}" if result.pairs > 1 else result.pair
    return f"{label}: {result.verdict}, {bound} ({pairs})"


def why_unaudited(r: AuditedContenders, index: int) -> str:
    """Say why a contender has no mark."""
    return r.audits[index].problem if index < len(r.audits) else "not audited"

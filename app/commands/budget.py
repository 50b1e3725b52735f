"""Show the budget spent on each dataset, and set its limit."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from app.commands.support.console import Bar, one_line, remark, say, say_json
from app.commands.support.data import add_reading_options, add_source_options, large_table_of, table_of
from app.commands.support.options import JSON, Option, UsageError, VerbHelp, add_option, add_options, number
from app.commands.support.spending import (
    FOR_A_ROW,
    METHODS,
    account_of,
    ledger_option,
    likeness_note,
    limit_words,
    path_of,
    promise_json,
    promise_words,
    say_exposed,
)
from app.model.budget import LossSum
from app.model.wording.console import columns, counted, facts, plain
from app.model.wording.neighbours import WORDS, counts_words, ends_words
from app.model.wording.numbers import grouped
from app.model.wording.numbers import short as short_number
from app.model.wording.releases import inexact_words
from engine.privacy import NO_PROMISE, NODE
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import ColumnsApart, Table
    from engine.data.formats.file_format import StaysInFile
    from engine.ledger import Account, Composition, Ledger, LedgerEntry, Limit

LIMITS = ("limit_epsilon", "limit_delta", "slack")


LIMIT = (
    Option("limit-epsilon", "set a limit for the epsilon of all releases together, above 0", number, "E"),
    Option(
        "limit-delta",
        "limit for the sum of all deltas (default 0: no release may have a delta, and epsilons add up)",
        number,
        "D",
    ),
    Option(
        "slack",
        "extra delta for concentrated composition, where the limit has a delta (default 1e-6)",
        number,
        "S",
    ),
    Option("no-limit", "remove the limit", flag=True),
)
SET_ASIDE = Option(
    "set-aside", "rename a damaged ledger and start a new one; earlier releases no longer count", flag=True
)

HELP = VerbHelp(
    usage="[DATA] [options]",
    first=("data", "example", "limit-epsilon", "limit-delta", "slack", "no-limit", "ledger", "json"),
    example="budget --example salaries --limit-epsilon 3",
    notes="Without DATA it lists all datasets of the ledger; with --data or --example it lists the releases "
    "of one dataset. All costs are for one row of the file: the loss from all releases together.\n\n"
    "Basic, advanced and concentrated composition each give a bound, and the smallest counts. Where the "
    "limit has no delta, only basic composition counts. Other programs with the same ledger keep the limit.",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_source_options(parser.add_argument_group("data: file or example"))
    add_reading_options(parser)
    text = "The limit holds for all releases of DATA, for one row of the file."
    add_options(parser.add_argument_group("limit: epsilon, delta", text), LIMIT)
    add_options(
        parser.add_argument_group("ledger: another file, a damaged ledger"), (ledger_option(), SET_ASIDE)
    )
    add_option(parser.add_argument_group("output: JSON"), JSON)


def run(options: argparse.Namespace) -> int:
    from engine.ledger import Ledger

    chosen = options.data is not None or options.example is not None
    limit = _limit(options, chosen)
    path = path_of(options)
    if options.set_aside:
        remark("note", f"{path}: renamed to {Ledger.set_aside(path).name}; a new ledger begins")
    changes = limit is not None or options.no_limit
    # showing the budget creates no ledger
    ledger = Ledger(path if changes or Ledger.begun(path) else None)
    say_exposed(ledger)
    if not chosen:
        _say_all(ledger, str(path), as_json=options.json)
        return 0
    with Bar() as bar:
        whole = partial(_all_columns, options, part(bar, 0.0, 0.6))
        account = account_of(options, whole, part(bar, 0.6, 1.0))(ledger)
    if note := likeness_note(account):
        remark("note", note)
    if changes:
        account.set_limit(limit)
    if options.json:
        say_json(_json(account) | {"entries": [_entry_json(entry) for entry in account.entries()]})
    else:
        say(_text(account))
    return 0


def _all_columns(options: argparse.Namespace, progress: Progress) -> Table | ColumnsApart | StaysInFile:
    """Return all columns of the file; read them one at a time where the format allows it."""
    from engine.data import ColumnsApart
    from engine.data.reading import is_columnar

    if is_columnar(options.data):
        return ColumnsApart(options.data)
    return large_table_of(options, progress) or table_of(options, None, progress)


def _limit(options: argparse.Namespace, chosen: bool) -> Limit | None:
    from engine.ledger import Limit

    given = [name for name in LIMITS if getattr(options, name) is not None]
    if not given and not options.no_limit:
        return None
    if not chosen:
        raise UsageError("a limit belongs to one dataset; name it with --data or --example")
    if given and options.no_limit:
        raise UsageError(f"--no-limit: --{_dashed(given[0])} sets a limit; leave one of them out")
    if not given:
        return None
    if options.limit_epsilon is None:
        raise UsageError(f"--{_dashed(given[0])}: a limit needs --limit-epsilon, too")
    names = {"limit_epsilon": "epsilon", "limit_delta": "delta"}
    return Limit(**{names.get(name, name): getattr(options, name) for name in given})


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _say_all(ledger: Ledger, path: str, *, as_json: bool) -> None:
    accounts = ledger.accounts()
    if as_json:
        say_json(
            {
                "ledger": path,
                "begun_after": ledger.begun_after or None,
                "datasets": [_json(account) for account in accounts],
            }
        )
        return
    head = ("dataset", "releases", "basic", "advanced", "zcdp", "limit")
    say(columns(head, [_row(account) for account in accounts], left=1) if accounts else "  nothing is spent")
    for account in accounts:
        for text in (*filter(None, [account.recounted]), *_caveats(account)):
            say(f"\n  {one_line(account.title)}: {text}")
    say(f"\n  epsilon by each composition, {FOR_A_ROW}; ledger {path}")
    if ledger.begun_after:
        say(f"  begun after {ledger.begun_after}, which is damaged and may hold more releases")


def _row(account: Account) -> tuple[str, ...]:
    title, limit, spent = one_line(account.title), account.limit, account.spent()
    most = "none" if limit is None else short_number(limit.epsilon)
    if spent is None:
        return (title, "0", "", "", "", most)
    known = spent.by_method
    promises = [known.get(name) for name in METHODS]
    epsilons = (
        "" if each is None else "no promise" if each == NO_PROMISE else short_number(each.epsilon, 5)
        for each in promises
    )
    return (title, grouped(spent.releases), *epsilons, most)


def _text(account: Account) -> str:
    limit, spent = account.limit, account.spent()
    rows = [("dataset", one_line(account.title)), ("limit", "none" if limit is None else limit_words(limit))]
    if spent is not None:
        over = limit is not None and not spent.within(limit)
        text = f"{counted(spent.releases, 'release')}, {FOR_A_ROW}{', beyond the limit' * over}"
        rows.append(("spent", text))
        for name, promise in spent.by_method.items():
            mark = ", the least" if spent.slack and name == spent.method and promise != NO_PROMISE else ""
            rows.append(("", f"{promise_words(promise)} by {METHODS[name]}{mark}"))
        by_losses = LossSum.of(spent)
        if by_losses.privacy is not None:
            text = f"{promise_words(by_losses.privacy)} by privacy losses, if the releases were fixed before"
            rows.append(("", text))
        elif by_losses.missing:
            rows.append(("", f"by privacy losses: {by_losses.missing}"))
        if (of_vertex := account.spent_between(NODE)) is not None:
            text = f"{promise_words(of_vertex.tightest)}, {WORDS[NODE].between}"
            rows.append(("of a vertex", text))
        rows.extend(("", text) for text in (*filter(None, [account.recounted]), *_caveats(account)))
    entries = account.entries()
    if not entries:
        rows.append(("spent", "nothing"))
    table = [_entry_row(entry) for entry in entries]
    head = ("release", "of", "when", "cost", "value")
    return facts(rows) + (f"\n\n{columns(head, table, left=5)}" if table else "")


def _caveats(account: Account) -> Iterable[str]:
    """Yield the assumptions of the sums about promises that hold only in part."""
    if text := ends_words(entry.cost.neighbours for entry in account.entries() if entry.counts):
        yield text
    lacking = [entry.cost.inexact for entry in account.entries() if entry.counts and not entry.exact]
    for reason, times in Counter(lacking).items():
        yield f"as if {counted(times, 'release')} kept the promise, {inexact_words(False, reason)}"


def _entry_row(entry: LedgerEntry) -> tuple[str, ...]:
    values = {
        "spent": short(entry.value),
        "open": "stopped in between: counts",
        "void": "none: costs nothing",
    }
    return (
        *(one_line(str(entry.about.get(name, ""))) for name in ("release", "of")),
        f"{entry.when:%Y-%m-%d %H:%M}",
        ", ".join(part for part in _cost_parts(entry) if part),
        values[entry.state],
    )


def _cost_parts(entry: LedgerEntry) -> Iterable[str]:
    yield promise_words(entry.cost.privacy)
    yield counts_words(entry.cost, "epsilon", "delta")
    yield inexact_words(entry.exact, entry.cost.inexact)
    yield "over the limit" if entry.over else ""


def short(value: Any, most: int = 40) -> str:
    """Return a value in at most this many characters."""
    if value is None:
        return "no answer, or not kept"
    if isinstance(value, (list, dict)) and len(value) > most:
        return f"{grouped(len(value))} values"
    text = one_line(plain(value))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _json(account: Account) -> dict[str, Any]:
    limit, spent = account.limit, account.spent()
    return {
        "name": account.name,
        "title": account.title,
        "limit": None if limit is None else _limit_json(limit),
        "spent": None if spent is None else _spent_json(spent),
        "spent_of_a_vertex": None
        if (of_vertex := account.spent_between(NODE)) is None
        else promise_json(of_vertex.tightest),
        "recounted": account.recounted or None,
    }


def _limit_json(limit: Limit) -> dict[str, Any]:
    numbers = {"epsilon": limit.epsilon, "delta": limit.delta, "slack": limit.extra}
    return {**numbers, "whole": promise_json(limit.whole)}


def _spent_json(spent: Composition) -> dict[str, Any]:
    known, by_losses = spent.by_method, LossSum.of(spent).privacy
    return {
        "releases": spent.releases,
        **{name: promise_json(known[name]) if name in known else None for name in METHODS},
        "pld": None if by_losses is None else promise_json(by_losses),
        "method": spent.method,
    }


def _entry_json(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "when": entry.when.isoformat(),
        **promise_json(entry.cost.privacy),
        "neighbours": entry.cost.neighbours,
        "row": promise_json(entry.cost.row.privacy),
        "exact": entry.exact,
        "inexact": entry.cost.inexact or None,
        "state": entry.state,
        "over": entry.over,
        "about": dict(entry.about),
        "value": entry.value,
    }

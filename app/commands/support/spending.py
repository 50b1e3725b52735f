"""The ledger on the command line: it records the cost of a release before the release exists."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.console import one_line, remark
from app.commands.support.data import (
    card_of,
    check_options,
    columns_of,
    head_of,
    load,
    locate_in,
    reading_of,
    records_of,
    stored_table,
    table_of,
)
from app.commands.support.options import Option, UsageError, add_option, add_options
from app.model.kinds.options import offered
from app.model.kinds.registry import KINDS
from app.model.ledger import default_ledger
from app.model.wording.console import counted
from app.model.wording.neighbours import WORDS
from app.model.wording.numbers import short
from engine.components import stated_pattern
from engine.data.look_only import rows_of_person
from engine.errors import DataError, SensiscopeError, UnknownName
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, part
from engine.user_data import first_limit

if TYPE_CHECKING:
    from numpy.random import Generator

    from app.commands.support.data import DataReader
    from app.model.loaded import LoadedRecords
    from engine.data import ColumnsApart, Table
    from engine.data.formats.file_format import StaysInFile
    from engine.ledger import Account, Composition, Ledger, Limit, Overspent, SimilarData
    from engine.ledger.account import ReleasingMechanism
    from engine.mechanisms.base import Mechanism
    from engine.mechanisms.release import Release

METHODS = {
    "basic": "basic composition",
    "advanced": "advanced composition",
    "zcdp": "concentrated composition",
}

FOR_A_ROW = "for one row of the file"
"""The unit of privacy in all sums."""

NAME_DIGITS = 12
"""Digits of an account's name that identify it."""


def ledger_option() -> Option:
    return Option("ledger", f"file that records all releases (default {default_ledger()})", metavar="FILE")


def add_spending_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the ledger, and the two that identify data which resemble others."""
    text = "The ledger records a release permanently before it exists. Simulations spend nothing."
    group = parser.add_argument_group("budget: ledger, limit, similar data", text)
    text = "release even beyond the limit that sensiscope budget has set"
    add_options(group, (ledger_option(), Option("overspend", text, flag=True)))
    text = (
        "treat the data as another version of this dataset (see sensiscope budget), with rows or columns "
        "added, removed or renamed: both share one budget from now on"
    )
    either = group.add_mutually_exclusive_group()
    add_option(either, Option("same-data-as", text, metavar="NAME"))
    text = "treat the data as separate from those that they resemble, because they are about other people"
    add_option(either, Option("other-data", text, flag=True))


def path_of(options: argparse.Namespace) -> Path:
    """Return the chosen or the default ledger file."""
    return default_ledger() if options.ledger is None else Path(options.ledger)


def simulated_by(options: argparse.Namespace, mechanism: Mechanism[Any] | None) -> str:
    """Return the seed or the pattern of a simulation; "" for a release."""
    if options.seed is not None:
        return f"seed {options.seed}"
    return "" if mechanism is None else stated_pattern(mechanism)


def say_exposed(ledger: Ledger) -> None:
    """Warn about a ledger that other users can write to."""
    if ledger.exposed:
        remark("warning", ledger.exposed)


def records_and_account(
    options: argparse.Namespace, subject: DataReader, progress: Progress
) -> tuple[LoadedRecords[Any], Account | None]:
    """Return the records and the account that pays; no account for a simulation, which costs nothing.

    All columns identify the account. A columnar file is read one column at a time for that.
    """
    from engine.data import ColumnsApart
    from engine.data.look_only import problem_of
    from engine.data.reading import release_problem

    if simulated := simulated_by(options, getattr(subject, "mechanism", None)):
        why = f"a simulation with --{simulated.split()[0]} spends nothing; leave one of the two out"
        refuse_ledger_options(options, why)
        return load(options, subject, progress), None
    if options.data is not None:
        check_options(options, subject)  # before the program opens a file
        # before reading: even the number of records in the answer of a database is confidential
        _refuse(release_problem(options.data, reading_of(options)))
    whole: Table | ColumnsApart | StaysInFile
    if columns_of(options, subject) is not None:
        whole = ColumnsApart(options.data)
        data = load(options, subject, part(progress, 0.0, 0.6))
    elif (stored := stored_table(options, subject, part(progress, 0.0, 0.1))) is not None:
        whole = stored
        _refuse(problem_of(stored))
        _refuse_unnamed(options, subject, head_of(stored))
        data = load(options, subject, part(progress, 0.1, 0.6), stored)
    else:
        reading = part(progress, 0.0, 0.6)
        located = locate_in(options, subject, partial(_named_table, options, subject, reading))
        whole, data = located.table, records_of(located, subject)
    _refuse(problem_of(data.database))
    return data, paying_account(options, lambda: whole, part(progress, 0.6, 1.0))


def refuse_ledger_options(options: argparse.Namespace, why: str) -> None:
    """Refuse the options about the ledger where nothing is spent."""
    for name in ("ledger", "overspend", "same_data_as", "other_data"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')}: {why}")


def paying_account(
    options: argparse.Namespace, table: Callable[[], Table | ColumnsApart | StaysInFile], progress: Progress
) -> Account:
    """Return the account in the chosen ledger that pays for a release, as the options decide."""
    from engine.ledger import Ledger

    paying = account_of(options, table, progress)
    ledger = Ledger(path_of(options))
    say_exposed(ledger)
    account = paying(ledger)
    decide(options, ledger, account)
    return account


def _refuse(problem: str) -> None:
    """Raise `DataError` for data without releases, before they get an account in the ledger."""
    if problem:
        raise DataError(problem)


def _named_table(options: argparse.Namespace, subject: DataReader, progress: Progress) -> Table:
    edges = KINDS[subject.reads].reads_edges
    table = table_of(options, card_of(options, subject), progress, edges=edges)
    _refuse(table.release_problem)
    _refuse_unnamed(options, subject, table)
    return table


def _refuse_unnamed(options: argparse.Namespace, subject: DataReader, table: Table) -> None:
    """Refuse a release without named columns where the records would decide which columns it uses.

    Most formats detect types cell by cell: one record may turn a column of numbers into text, and so change
    the released column.
    """
    from engine.data.reading import is_columnar

    given = (
        options.lower is not None and options.upper is not None
    )  # missing bounds are an error of their own
    if options.column or options.example or not given or is_columnar(options.data):
        return
    types = [column.type for column in table.columns]
    of_numbers = KINDS[subject.reads].of_numbers and len(types) > 1
    if of_numbers and (subject.reads == "column" or set(types) != {"number"}):
        names = offered([column.name for column in table.columns])
        raise DataError(f"there are several columns; choose one with --column: {names}", source=table.source)


def account_of(
    options: argparse.Namespace, table: Callable[[], Table | ColumnsApart | StaysInFile], progress: Progress
) -> Callable[[Ledger], Account]:
    """Return a function that finds the account of the named data in a ledger; it holds no records.

    `table` returns all columns of a file; examples need none.
    """
    from engine.data import EXAMPLES, example_digest, file_identity

    if options.example is None:
        known = file_identity(table(), options.data, progress=progress, reading=reading_of(options))
        title = Path(options.data).name
        identity = {field.name: getattr(known, field.name) for field in dataclasses.fields(known)}
        return lambda ledger: ledger.account(title=title, first=first_limit(), **identity)
    if options.example not in EXAMPLES:
        raise UnknownName("example", options.example, EXAMPLES)
    return lambda ledger: ledger.account(example_digest(options.example), options.example, first_limit())


def decide(options: argparse.Namespace, ledger: Ledger, account: Account) -> None:
    """Follow the options about data that resemble others; refuse such data without these options."""
    similar = account.similar()
    if options.same_data_as is not None:
        account.count_as(_named_account(ledger, options.same_data_as, similar))
    elif similar and not options.other_data:
        raise refusal(account.title, similar, ledger)


def refusal(title: str, similar: Sequence[SimilarData], ledger: Ledger | None = None) -> SensiscopeError:
    """Return the error about data that resemble others, with the two options that resolve it."""
    first = similar[0]
    titles = [] if ledger is None else [each.title for each in ledger.accounts()]
    name = first.title if first.title and titles.count(first.title) < 2 else first.name[:NAME_DIGITS]
    return SensiscopeError(
        f"{title or 'the data'}: the data resemble {_likeness(first)}; nothing was released: add "
        f"--same-data-as {shlex.quote(one_line(name))} if they are the same data, or --other-data if they "
        "are other data"
    )


def likeness_note(account: Account) -> str:
    """Return a note for new data that resemble others; "" if they resemble none."""
    similar = account.similar()
    return (
        f"the data resemble {_likeness(similar[0])}; a release will ask for --same-data-as or --other-data"
        if similar
        else ""
    )


def _likeness(similar: SimilarData) -> str:
    """Return the name of similar data and their cost."""
    most = similar.spent.tightest
    cost = "something without a guarantee" if most == NO_PROMISE else f"epsilon = {short(most.epsilon, 5)}"
    return f"{one_line(similar.title) or 'others'}, on which {cost} was spent"


def _named_account(ledger: Ledger, name: str, similar: Sequence[SimilarData]) -> str:
    """Return the name of the account with this title or these first digits."""
    accounts = ledger.accounts()
    if not accounts:
        raise UsageError("--same-data-as: the ledger is empty; leave it out")
    matches = [each for each in accounts if each.title == name] or [
        each for each in accounts if len(name) >= NAME_DIGITS and each.name.startswith(name)
    ]
    if len(matches) > 1:
        alike = {each.name for each in similar}
        matches = [each for each in matches if each.name in alike] or matches
    if not matches:
        raise UnknownName("dataset of the ledger", name, [each.title for each in accounts])
    if len(matches) > 1:
        names = ", ".join(each.name[:NAME_DIGITS] for each in matches)
        raise UsageError(
            f"--same-data-as: {len(matches)} datasets have the name {name!r}; choose one: {names}"
        )
    return matches[0].name


def release_of(
    account: Account | None,
    mechanism: ReleasingMechanism[Any],
    data: Any,
    privacy: Privacy,
    about: Mapping[str, Any],
    options: argparse.Namespace,
    rng: Generator,
    progress: Progress,
    look: Callable[[Any], None] | None = None,
) -> Release:
    """Make a release that the account pays for; without an account a simulation with `rng`.

    `look` receives the prepared computation before the release. Slow work belongs there: a crash after the
    release would lose the value.
    """
    if account is None:
        prepared = mechanism.prepare(data, privacy, part(progress, 0.0, 0.5))
        if look is not None:
            look(prepared)
        return mechanism.release(prepared, data, privacy, rng, part(progress, 0.5, 1.0))
    from engine.ledger import Overspent, Resembling

    over, apart = options.overspend, options.other_data
    try:
        return account.release(
            mechanism, data, privacy, about, over=over, apart=apart, progress=progress, look=look
        )
    except Resembling as error:
        raise refusal(error.title, error.similar) from None
    except Overspent as error:
        room = f"sensiscope budget {_options_for_room(error)}"
        left = error.epsilon_left(mechanism, privacy, data.domain, rows_of_person(data))
        less = "" if left is None else f"use what is left with --epsilon {short(left)}, "
        raise SensiscopeError(f"{error} ({room}), {less}or add --overspend to release anyway") from None


def _options_for_room(refused: Overspent) -> str:
    """Return the options that raise the limit enough for the refused release."""
    if refused.composition.basic == NO_PROMISE:
        return "--no-limit"
    # a new limit without a delta has none, even if the old one had
    more = " --limit-delta D" if max(refused.composition.delta, refused.limit.delta) > 0 else ""
    return f"--limit-epsilon E{more}"


def dropped_notes(options: argparse.Namespace, release: Release) -> tuple[str, ...]:
    """Return a note about the guarantee where records were left out."""
    is_told = options.missing == "drop" and not getattr(options, "parts", False)
    return (WORDS[release.neighbours].dropped,) if is_told else ()


def spent_words(composition: Composition, limit: Limit | None) -> str:
    """Return the spent budget by basic composition, and by the rule with the smallest epsilon."""
    text = f"{counted(composition.releases, 'release')}, {promise_words(composition.basic)}"
    if composition.method != "basic":
        text += f"; by {METHODS[composition.method]} {promise_words(composition.tightest)}"
    return text + ("" if limit is None else f"; the limit is {limit_words(limit)}")


def promise_words(promise: Privacy) -> str:
    """Return a guarantee in words."""
    if promise == NO_PROMISE:
        return "no guarantee at all"
    return f"epsilon = {short(promise.epsilon, 5)}, delta = {short(promise.delta, 3)}"


def limit_words(limit: Limit) -> str:
    """Return a limit in words, with the part of delta that composition uses."""
    text = f"epsilon = {short(limit.epsilon)}, delta = {short(limit.whole.delta)}"
    return text + (f" ({short(limit.extra)} of it for composition)" if limit.extra else "")


def promise_json(promise: Privacy) -> dict[str, float | None]:
    """Return a guarantee as JSON; null where there is none."""
    if promise == NO_PROMISE:
        return {"epsilon": None, "delta": None}
    return {"epsilon": promise.epsilon, "delta": promise.delta}


def spent_json(composition: Composition) -> dict[str, Any]:
    return {
        **promise_json(composition.tightest),
        "method": composition.method,
        "basic": promise_json(composition.basic),
    }


def spending_of(account: Account) -> tuple[Composition, str] | None:
    """Return the spent budget and its text; None, with a warning, if the ledger is unreadable now."""
    from engine.ledger import LedgerError

    try:
        spent, limit = account.spent(), account.limit
        assert spent is not None
        text = f"spent on {account.title} now, {FOR_A_ROW}: {spent_words(spent, limit)}"
        return spent, text + (f" ({recounted})" if (recounted := account.recounted) else "")
    except LedgerError as error:
        remark("warning", f"the ledger recorded the release, but the spent budget is unknown now: {error}")
        return None

"""The ledger on the command line: what a release costs is written down before it is made."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.console import remark
from app.commands.support.file_options import reading_of
from app.commands.support.likeness import LIKENESS, add_likeness_options, refusal
from app.commands.support.options import UsageError
from app.model.ledger import default_ledger
from app.model.wording.console import counted
from app.model.wording.number_format import short
from engine.errors import SensiscopeError, UnknownName
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Progress, part

if TYPE_CHECKING:
    from numpy.random import Generator

    from engine.data import ColumnsApart, Table
    from engine.data.formats.file_format import StaysInFile
    from engine.ledger import Account, Composition, Ledger, Limit, Overspent
    from engine.ledger.account import ReleasingMechanism
    from engine.mechanisms.base import Mechanism
    from engine.mechanisms.release import Release

METHODS = {
    "basic": "basic composition",
    "advanced": "advanced composition",
    "zcdp": "concentrated composition",
}
"""What the rules are called by which costs add up."""


FOR_A_ROW = "for one row of the file"
"""Whose loss of privacy all sums count."""


def add_ledger_option(parser: Any) -> None:
    """Add the choice of a ledger."""
    parser.add_argument(
        "--ledger", metavar="FILE", help=f"where releases are written down (default {default_ledger()})"
    )


def add_spending_options(parser: argparse.ArgumentParser) -> None:
    """Add what `run` needs to know of the ledger."""
    group = parser.add_argument_group(
        "budget", "A release is written down, for good, before it is made; simulations spend nothing."
    )
    add_ledger_option(group)
    group.add_argument(
        "--overspend",
        action="store_true",
        help="release even beyond the limit that sensiscope budget has set",
    )
    add_likeness_options(group)


def path_of(options: argparse.Namespace) -> Path:
    """Return the file of the ledger that is meant."""
    return default_ledger() if options.ledger is None else Path(options.ledger)


def simulated_by(options: argparse.Namespace, mechanism: Mechanism[Any] | None) -> str:
    """Return the seed or the pattern that makes it a simulation; "" for a release."""
    if options.seed is not None:
        return f"seed {options.seed}"
    return "" if mechanism is None else mechanism.simulated_by


def refuse_spending(options: argparse.Namespace, simulated: str) -> None:
    """Refuse options of the ledger beside a seed, or a pattern."""
    for name in ("ledger", "overspend", *LIKENESS):
        if getattr(options, name):
            raise UsageError(
                f"--{name.replace('_', '-')}: a simulation with --{simulated.split()[0]} spends nothing; "
                "leave one of them out"
            )


def say_exposed(ledger: Ledger) -> None:
    """Name a ledger that others can write to."""
    if ledger.exposed:
        remark("warning", ledger.exposed)


def account_of(
    options: argparse.Namespace, table: Callable[[], Table | ColumnsApart | StaysInFile], progress: Progress
) -> Callable[[Ledger], Account]:
    """Return what finds the account of the data that `--data` or `--example` names; it keeps no records.

    Parameters
    ----------
    table : callable
        Returns all columns of a file; not asked for an example.
    """
    from engine.data import EXAMPLES, example_digest, file_identity

    if options.example is None:
        known = file_identity(table(), options.data, progress=progress, reading=reading_of(options))
        title = Path(options.data).name
        identity = {field.name: getattr(known, field.name) for field in dataclasses.fields(known)}
        return lambda ledger: ledger.account(title=title, **identity)
    if options.example not in EXAMPLES:
        raise UnknownName("example", options.example, EXAMPLES)
    return lambda ledger: ledger.account(example_digest(options.example), options.example)


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
    """Make a release that an account pays for, or a simulation where there is none.

    Parameters
    ----------
    rng : Generator
        For a simulation; a release draws from the operating system.
    look : callable, optional
        Takes what was prepared, before the release: one that is not printed is lost, so that whatever else
        takes time comes before it.
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
        raise SensiscopeError(
            f"{error} (sensiscope budget {_changing(error)}), or add --overspend to release all the same"
        ) from None


def _changing(refused: Overspent) -> str:
    """Return the options that would make room for what was refused."""
    if refused.composition.basic == NO_PROMISE:
        return "--no-limit"
    # a limit that is set without a delta has none, whatever the one before had
    more = " --limit-delta D" if max(refused.composition.delta, refused.limit.delta) > 0 else ""
    return f"--limit-epsilon E{more}"


def spent_words(composition: Composition, limit: Limit | None) -> str:
    """Say what is spent, by basic composition and by the rule with the least epsilon."""
    text = f"{counted(composition.releases, 'release')}, {promise_words(composition.basic)}"
    if composition.method != "basic":
        text += f"; by {METHODS[composition.method]} {promise_words(composition.tightest)}"
    return text + ("" if limit is None else f"; the limit is {limit_words(limit)}")


def promise_words(promise: Privacy) -> str:
    """Say what is promised."""
    if promise == NO_PROMISE:
        return "no promise at all"
    return f"epsilon = {short(promise.epsilon, 5)}, delta = {short(promise.delta, 3)}"


def limit_words(limit: Limit) -> str:
    """Say what may be spent: all that is promised, and which part of its delta no release may use."""
    text = f"epsilon = {short(limit.epsilon)}, delta = {short(limit.whole.delta)}"
    return text + (f" ({short(limit.extra)} of it for composition)" if limit.extra else "")


def promise_json(promise: Privacy) -> dict[str, float | None]:
    """Return a promise as JSON; null where there is none."""
    if promise == NO_PROMISE:
        return {"epsilon": None, "delta": None}
    return {"epsilon": promise.epsilon, "delta": promise.delta}


def spent_json(composition: Composition) -> dict[str, Any]:
    """Return what is spent, as JSON."""
    return {
        **promise_json(composition.tightest),
        "method": composition.method,
        "basic": promise_json(composition.basic),
    }


def spending_of(account: Account) -> tuple[Composition, str] | None:
    """Return what is spent now, and say it; None, with a remark, if the ledger cannot be read any more."""
    from engine.ledger import LedgerError

    try:
        spent, limit = account.spent(), account.limit
        assert spent is not None
        text = f"spent on {account.title} now, {FOR_A_ROW}: {spent_words(spent, limit)}"
        return spent, text + (f" ({recounted})" if (recounted := account.recounted) else "")
    except LedgerError as error:
        remark("warning", f"the release was written down, but what is spent now is not known: {error}")
        return None

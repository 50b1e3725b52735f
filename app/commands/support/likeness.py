"""Data on the command line that resemble others of which something was released: which data they are."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.commands.support.console import one_line
from app.commands.support.options import UsageError
from app.model.wording.number_format import short
from engine.errors import SensiscopeError, UnknownName
from engine.privacy import NO_PROMISE

if TYPE_CHECKING:
    from engine.ledger import Account, Ledger, SimilarData

LIKENESS = ("same_data_as", "other_data")
"""The options that say which data they are."""

SHORT = 12
"""So many digits of the name of an account tell it from others."""


def add_likeness_options(group: Any) -> None:
    """Add what can be said about data that resemble others."""
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--same-data-as",
        metavar="NAME",
        help="count the data as those of this name (see sensiscope budget), of which they are another "
        "version with rows or columns added, gone or renamed: from now on both have one budget",
    )
    either.add_argument(
        "--other-data",
        action="store_true",
        help="count the data as other data than those which they resemble, about other people",
    )


def decide(options: argparse.Namespace, ledger: Ledger, account: Account) -> None:
    """Do what the options say, or refuse data that resemble others where they say nothing."""
    similar = account.similar()
    if options.same_data_as is not None:
        account.count_as(_found(ledger, options.same_data_as, similar))
    elif similar and not options.other_data:
        raise refusal(account.title, similar, ledger)


def refusal(title: str, similar: Sequence[SimilarData], ledger: Ledger | None = None) -> SensiscopeError:
    """Return what is said of data that resemble others, with the options that answer it."""
    first = similar[0]
    titles = [] if ledger is None else [each.title for each in ledger.accounts()]
    name = first.title if first.title and titles.count(first.title) < 2 else first.name[:SHORT]
    return SensiscopeError(
        f"{title or 'the data'}: the data resemble {_known(first)}; nothing was released: add "
        f"--same-data-as {shlex.quote(one_line(name))} to count them as the same data, or --other-data to "
        "count them as other data"
    )


def likeness_note(account: Account) -> str:
    """Return what is to be said of data of which nothing was released yet; "" if they resemble none."""
    similar = account.similar()
    return f"the data resemble {_known(similar[0])}; a release asks which data they are" if similar else ""


def _known(similar: SimilarData) -> str:
    """Say what was spent on data."""
    most = similar.spent.tightest
    cost = "something without a promise" if most == NO_PROMISE else f"epsilon = {short(most.epsilon, 5)}"
    return f"{one_line(similar.title) or 'others'}, on which {cost} was spent"


def _found(ledger: Ledger, name: str, similar: Sequence[SimilarData]) -> str:
    """Return the name of the account that the user names by its title, or by its first digits."""
    accounts = ledger.accounts()
    if not accounts:
        raise UsageError("--same-data-as: nothing is written in the ledger; leave it out")
    matches = [each for each in accounts if each.title == name] or [
        each for each in accounts if len(name) >= SHORT and each.name.startswith(name)
    ]
    if len(matches) > 1:
        alike = {each.name for each in similar}
        matches = [each for each in matches if each.name in alike] or matches
    if not matches:
        raise UnknownName("dataset of the ledger", name, [each.title for each in accounts])
    if len(matches) > 1:
        names = ", ".join(each.name[:SHORT] for each in matches)
        raise UsageError(
            f"--same-data-as: {len(matches)} datasets are called {name!r}; say which one: {names}"
        )
    return matches[0].name

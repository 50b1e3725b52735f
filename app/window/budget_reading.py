"""What is read of a budget, and written to it: the work of a worker."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from app.jobs.tasks import JobTask
from app.model import lazy
from app.model.budget import Budget
from app.model.budget_curves import BudgetCurves
from app.model.ledger import LazyLedger
from app.model.loss_sum import LossSum
from app.model.selection import selection
from app.model.state import SessionState
from engine.errors import ParameterError
from engine.progress import Progress

if TYPE_CHECKING:
    from engine.ledger import Account, Composition, Ledger, Limit


def read_budget(
    ledger: Ledger | LazyLedger, state: SessionState, detailed: bool, known: Budget | None, task: JobTask
) -> Budget:
    """Read what is spent of the dataset of `state` (in a worker).

    Parameters
    ----------
    detailed : bool
        Whether how it was spent is wanted, too; what draws it is imported then.
    known : Budget or None
        What was known before; what is the same in it is not worked out again.
    """
    from engine.ledger import LedgerDamaged, LedgerError

    assert state.dataset is not None
    if detailed:
        from app.widgets.picture_loading import load_pictures

        load_pictures((lambda: lazy.BudgetSpent,), task)
    budget = Budget(state.dataset.title)
    try:
        account = account_of(state, ledger)
        limit = account.limit
        more = None if limit is None else one_more(account, state)
        entries, spent = tuple(account.entries()), account.spent()
        budget = dataclasses.replace(budget, entries=entries, spent=spent, limit=limit)
        budget = dataclasses.replace(budget, recounted=account.recounted)
        budget = dataclasses.replace(budget, limit_chosen=account.limit_chosen, similar=account.similar())
        return dataclasses.replace(
            budget,
            curves=curves_of(budget, known) if detailed else None,
            losses=losses_of(budget, known, task) if detailed else None,
            next=more[0] if more else None,
            over=bool(more and more[1]),
            begun_after=ledger.begun_after,
            exposed=ledger.exposed,
        )
    except LedgerError as error:
        return dataclasses.replace(budget, problem=str(error), damaged=isinstance(error, LedgerDamaged))


def account_of(state: SessionState, ledger: Ledger | LazyLedger) -> Account:
    """Return the account of the data of `state`."""
    assert state.dataset is not None
    return state.dataset.account_in(ledger, public=state.has_public_data)


def curves_of(budget: Budget, known: Budget | None) -> BudgetCurves:
    """Return how it was spent, release by release."""
    from engine.ledger import SLACK

    if known is not None and known.curves is not None and _same_spending(known, budget):
        return known.curves
    costs = [entry.cost for entry in budget.entries if entry.counts]
    slack, most = (SLACK, None) if budget.limit is None else (budget.limit.extra, budget.limit.epsilon)
    return BudgetCurves.of(costs, slack, "basic" if budget.spent is None else budget.spent.method, most)


def losses_of(budget: Budget, known: Budget | None, progress: Progress) -> LossSum | None:
    """Return what the privacy losses add up to; None where nothing was spent."""
    if known is not None and known.losses is not None and _same_spending(known, budget):
        return known.losses
    return None if budget.spent is None else LossSum.of(budget.spent, progress)


def _same_spending(known: Budget, budget: Budget) -> bool:
    """Tell whether the same was spent, of the same limit."""
    first, second = ((one.title, one.limit, one.entries) for one in (known, budget))
    return first == second


def one_more(account: Account, state: SessionState) -> tuple[Composition, bool] | None:
    """Return what another release would come to, and whether that is over the limit; None if it cannot be."""
    from engine.ledger import Cost

    try:
        selected = selection(state)
        cost = Cost.of(selected.mechanism, selected.privacy, selected.source.domain)
        return account.with_one_more(cost)
    except ParameterError:
        return None  # what makes no sense is said beside its field


def write_limit(
    ledger: Ledger | LazyLedger, state: SessionState, limit: Limit | None, task: JobTask
) -> Budget:
    """Set the limit of the dataset of `state`, or take it away (in a worker)."""
    account_of(state, ledger).set_limit(limit)
    return read_budget(ledger, state, True, None, task)


def join_account(ledger: Ledger | LazyLedger, state: SessionState, name: str, task: JobTask) -> Budget:
    """Count the data of `state` as those of the account of that name (in a worker)."""
    account_of(state, ledger).count_as(name)
    return read_budget(ledger, state, True, None, task)


def begin_anew(ledger: LazyLedger, state: SessionState, task: JobTask) -> Budget:
    """Set a damaged ledger aside, and read the new one (in a worker)."""
    ledger.set_aside()
    return read_budget(ledger, state, True, None, task)

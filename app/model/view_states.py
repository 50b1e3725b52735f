"""How a page or workspace looks: what the user has chosen there, as far as the session does not know it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.model.audit_choice import AuditChoice


@dataclasses.dataclass(frozen=True)
class AuditViewState:
    """How the tab "Audit" looks.

    Attributes
    ----------
    choice : AuditChoice
    shows : str
        A key of `app.model.pages.audit.SHOWS`.
    prior : int
        How sure an attacker is beforehand that the data are the first of both databases, in percent.
    done : bool
        Whether just this was audited.
    """

    choice: AuditChoice = dataclasses.field(default_factory=AuditChoice)
    shows: str = "outcomes"
    prior: int = 50
    done: bool = False


@dataclasses.dataclass(frozen=True)
class CompareViewState:
    """What was worked out in the workspace "Compare".

    Attributes
    ----------
    done, searched : bool
        Whether just this was compared, and whether the epsilon was searched that is needed.
    """

    done: bool = False
    searched: bool = False


@dataclasses.dataclass(frozen=True)
class BesideViewState:
    """What stands beside the open picture.

    Attributes
    ----------
    tab : str or None
        Another picture of the page; "" for none; None for one where there is room for two.
    mechanism : str
        By name the one of which it is, "" for the one that is chosen.
    """

    tab: str | None = None
    mechanism: str = ""


@dataclasses.dataclass(frozen=True)
class ViewState:
    """What is open in a page or workspace, as far as the session does not know it.

    What a place does not have stays at its first value.

    Attributes
    ----------
    tab : str
        The picture; "" where there are none.
    log : mapping of str to bool
        Which pictures have a logarithmic vertical axis, or have none, because the user chose so.
    k : int
        Of a graph, the distance whose deciding cut is marked.
    simulated : bool
        Whether they are to be seen although there is a real one.
    options : mapping of str to object
        What is chosen about the pictures of a page: see `OptionGroup`.
    beside : BesideViewState
    audit, compare
        The choices of the tools of the tab "Audit", and what was worked out in the workspace "Compare".
    """

    tab: str = ""
    log: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    k: int = 0
    simulated: bool = False
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    beside: BesideViewState = BesideViewState()
    audit: AuditViewState = AuditViewState()
    compare: CompareViewState = CompareViewState()

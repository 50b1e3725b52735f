"""How a page or workspace looks: what a person has chosen there, as far as the session does not know it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.model.audit_choice import DEFAULT_SEED, AuditChoice


@dataclasses.dataclass(frozen=True)
class AuditViewState:
    """How the tab "Audit" looks.

    Attributes
    ----------
    choice : AuditChoice
    shows : str
        A key of `app.pages.audit.tabs.SHOWS`.
    prior : int
        How sure somebody is beforehand that the data are the first of both databases, in percent.
    done : bool
        Whether just this was audited.
    """

    choice: AuditChoice = dataclasses.field(default_factory=AuditChoice)
    shows: str = "outcomes"
    prior: int = 50
    done: bool = False


@dataclasses.dataclass(frozen=True)
class HistogramViewState:
    """How a histogram looks.

    Attributes
    ----------
    level : int or None
        How often cells are cut at most; None for as often as they are.
    records : bool
        Whether the data are drawn, too.
    per_area : bool
        Whether cells are shaded by density.
    closely : bool or None
        Whether only what lies around nearly all points is in view; None while nobody has chosen.
    grid : str
        What is drawn of shifted cubes.
    c : float
        Of the test of isolation.
    sweep : str
        What varies where attacks are compared.
    near : bool
        Whether only what lies around the query point is in view.
    price : float or None
        Of a facility; None for a spanning tree.
    attack : (str, int) or None
        The attack that put the query point where it was last put by one, and its seed: never the
        point itself, which may tell of the data.
    moved : mapping of int to float
        How far a person has moved the query point since, along these axes.
    """

    level: int | None = None
    records: bool = True
    per_area: bool = True
    closely: bool | None = None
    grid: str = "cells"
    c: float = 4.0
    sweep: str = "c"
    near: bool = False
    price: float | None = None
    attack: tuple[str, int] | None = None
    moved: Mapping[int, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class CompareViewState:
    """How a comparison looks.

    Attributes
    ----------
    mode, spread : str
        How errors and how runs are drawn.
    place : int or None
        Which value of what is varied is looked at; None while nobody has chosen.
    done, searched : bool
        Whether just this was compared, and whether the epsilon was searched that is needed.
    """

    mode: str = "dots"
    spread: str = "band"
    place: int | None = None
    done: bool = False
    searched: bool = False


@dataclasses.dataclass(frozen=True)
class ViewState:
    """What is open in a page or workspace, as far as the session does not know it.

    What a place does not have stays at its first value.

    Attributes
    ----------
    tab : str
        The picture; "" where there are none.
    log : mapping of str to bool
        Which pictures have a logarithmic vertical axis, or have none, because a person chose so.
    target : str
        Where the path of databases leads.
    k : int
        Of a graph, the distance whose deciding cut is marked.
    seed : int
        Of simulated releases.
    simulated : bool
        Whether they are to be seen although there is a real one.
    across, up : int
        The two directions of a picture of points: coordinates by number, then principal components.
    options : mapping of str to object
        What is chosen about the pictures of a page that declares them: see `OptionGroup`.
    histogram, audit, compare
        The choices of the tools of one page, of the tab "Audit", and of the workspace "Compare".
    """

    tab: str = ""
    log: Mapping[str, bool] = dataclasses.field(default_factory=dict)
    target: str = ""
    k: int = 0
    seed: int = DEFAULT_SEED
    simulated: bool = False
    across: int = 0
    up: int = 1
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    histogram: HistogramViewState = HistogramViewState()
    audit: AuditViewState = AuditViewState()
    compare: CompareViewState = CompareViewState()

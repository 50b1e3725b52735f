"""Pages, each declared once: navigation, tabs, session files, scripts and lessons follow."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from app.model import lazy
from app.model.kinds.page_data import PageData
from app.model.picture_spec import OptionGroup, PictureSpec, TabTitle
from app.model.references import (
    Analysis,
    ClassLoader,
    Loader,
    TextOfTwoLoader,
    accept_former,
    resolve_fields,
)
from app.model.wording.releases import expected_words
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class PageSpec:
    """A page with data of one kind and pictures of its mechanisms; or a workspace with pictures.

    Functions are given by loaders, such as ``lambda: lazy.offer_method``.

    Attributes
    ----------
    name : str
        Name in session files, lessons and on the command line.
    title : str
        Title in menus and in the list of pages.
    subject : str
        Name in scripts and reports.
    data : PageData or None
        Its data; None for a workspace, which uses the data of the page before it.
    pictures : tuple of PictureSpec
        Its tabs.
    widget : function that returns the class of the window's page
    opened : str
        Name of the first picture to open; "" for the first in the list.
    estimate : Analysis or None
        Estimates the error of the mechanism.
    advice : function or None
        Takes (estimate, unit); returns sentences for the line below the picture.
    suggestion : function or None
        Takes (selection, estimate); returns the `SwitchOffer` beside that line, or None.
    error_words : function
        Takes (estimate, unit); returns the `ExpectedWords` beside Run.
    public_error : function or None
        Takes (mechanism, domain, privacy); returns these words from public facts, for the release view.
    script_analyses : function or None
        Takes a selection; returns the analyses that a script runs, whichever picture is open.
    selection : function
        Takes a state; returns a `Selection`, or an object with its `source`, `privacy` and `unit`.
        `ParameterError` for an invalid state.
    script_section : function
        Takes an `app.export.script.subject.Subject`; returns the section of a script that makes the
        selection.
    help : str
        Key of the help page about it, where its components have too little help; "" for none.
    icon : str
        Name of a bundled icon; "" for the name of the page.
    """

    name: str
    title: str
    subject: str
    data: PageData | None = None
    pictures: tuple[PictureSpec, ...] = ()
    widget: ClassLoader = lambda: lazy.AnalysisPage
    opened: str = ""
    estimate: Analysis | None = None
    advice: TextOfTwoLoader | None = None
    suggestion: Loader | None = None
    error_words: Loader = lambda: expected_words
    public_error: Loader | None = None
    script_analyses: Loader | None = None
    selection: Loader = lambda: lazy.fitting_selection
    script_section: Loader = lambda: lazy.mechanism_cell
    help: str = ""
    icon: str = ""

    def __post_init__(self) -> None:
        resolve_fields(self)
        try:
            _ = self.groups
        except CycleError as error:
            reason = f"pictures of the page {self.name!r} order their options in different ways"
            raise ValueError(reason) from error

    @cached_property
    def groups(self) -> tuple[type[OptionGroup], ...]:
        """All groups of options, in the order that the pictures declare."""
        order: TopologicalSorter[type[OptionGroup]] = TopologicalSorter()
        for spec in self.pictures:
            for index, group in enumerate(spec.options):
                order.add(group, *spec.options[:index])
        return tuple(order.static_order())

    @property
    def titles(self) -> dict[str, TabTitle]:
        """The titles of its tabs, by name."""
        return {picture.name: picture.title for picture in self.pictures}

    @property
    def drawn_by(self) -> dict[str, ClassLoader]:
        """Loaders of its picture classes, by name."""
        return {picture.name: picture.drawn_by for picture in self.pictures if picture.drawn_by}

    @property
    def parts(self) -> tuple[Loader, ...]:
        """Loaders for everything that it needs: its class, editors of options, and first analysis."""
        groups = {group.__name__: group.editor for picture in self.pictures for group in picture.options}
        first = [picture.analysis.load for picture in self.pictures if picture.name == self.opened]
        first = first or [picture.analysis.load for picture in self.pictures[:1]]
        return (self.widget, *(groups[name] for name in sorted(groups)), *first)

    def picture(self, name: str) -> PictureSpec:
        """Return a picture by its name; `ParameterError` if there is none."""
        known = {picture.name: picture for picture in self.pictures}
        if name not in known:
            raise ParameterError("picture", f"there is no picture {name!r}; there are {', '.join(known)}")
        return known[name]


accept_former(
    PageSpec,
    {
        "told": "script_analyses",
        "asked": "selection",
        "stated": "script_section",
        "offer": "suggestion",
        "expected": "error_words",
    },
)

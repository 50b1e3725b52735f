"""A page, declared once: navigation, tabs, session files, scripts, lessons and screenshots follow."""

from __future__ import annotations

import dataclasses

from app.model import lazy
from app.model.kinds.page_data import PageData
from app.model.picture_spec import PictureSpec, TabTitle
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
    """A page that shows data of one kind, and what mechanisms make of them; or another place with pictures.

    A function is given as what loads it, such as ``lambda: lazy.offer_method``.

    Attributes
    ----------
    name : str
        Session files, lessons and the command line hold it.
    title : str
        In menus and in the list of pages.
    subject : str
        What scripts and reports call it.
    data : PageData or None
        What it works on; None for a workspace on the data of the page from which one came.
    pictures : tuple of PictureSpec
        Its tabs.
    widget : function that returns the class of the window's page
    opened : str
        The name of the picture that is open at first; "" for the first one.
    estimate : Analysis or None
        Tells what can be expected of the mechanism.
    advice : function or None
        Of (estimate, unit): says it in a sentence below the picture.
    suggestion : function or None
        Of (selection, estimate): returns the `SwitchOffer` beside it, or None.
    error_words : function
        Of (estimate, unit): says it beside Run, as `ExpectedWords`.
    script_analyses : function or None
        Of a selection: returns the analyses that a script runs, whichever picture is open.
    selection : function
        Of a state: returns what is asked there, a `Selection`, or what has its `source`, `privacy` and
        `unit`; `ParameterError` for what makes no sense.
    script_section : function
        Of an `app.export.script.subject.Subject`: returns the section of a script in which what is asked is
        made.
    help : str
        The key of the help page about it, where what is chosen on the page says too little; "" for none.
    icon : str
        The name of a bundled icon; "" for the one with the name of the page.
    """

    name: str
    title: str
    subject: str
    data: PageData | None
    pictures: tuple[PictureSpec, ...]
    widget: ClassLoader = lambda: lazy.AnalysisPage
    opened: str = ""
    estimate: Analysis | None = None
    advice: TextOfTwoLoader | None = None
    suggestion: Loader | None = None
    error_words: Loader = lambda: expected_words
    script_analyses: Loader | None = None
    selection: Loader = lambda: lazy.fitting_selection
    script_section: Loader = lambda: lazy.mechanism_cell
    help: str = ""
    icon: str = ""

    def __post_init__(self) -> None:
        resolve_fields(self)

    @property
    def titles(self) -> dict[str, TabTitle]:
        """The titles of its tabs, by name."""
        return {picture.name: picture.title for picture in self.pictures}

    @property
    def drawn_by(self) -> dict[str, ClassLoader]:
        """What loads the classes of its pictures, by name."""
        return {picture.name: picture.drawn_by for picture in self.pictures if picture.drawn_by}

    @property
    def parts(self) -> tuple[Loader, ...]:
        """What loads all that it takes to make it: its class, the editors of options, the first analysis."""
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

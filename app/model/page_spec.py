"""A page, declared once: navigation, tabs, session files, scripts, lessons and screenshots follow."""

from __future__ import annotations

import dataclasses

from app.model.kinds.page_data import PageData
from app.model.picture_spec import PictureSpec, TabTitle
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class PageSpec:
    """A page that shows data of one kind, and what mechanisms make of them; or another place with pictures.

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
    widget : str
        Reference to the class of the window's page.
    opened : str
        The name of the picture that is open at first; "" for the first one.
    estimate : str
        Reference to the analysis that tells what can be expected of the mechanism; "" for none.
    advice : str
        Reference to a function of (estimate, unit) that says it in a sentence below the picture.
    offer : str
        Reference to a function of (selection, estimate) that returns the `SwitchOffer` beside it, or None.
    expected : str
        Reference to a function of (estimate, unit) that says it beside Run, as `ExpectedWords`.
    told : str
        Reference to a function of a selection that returns references to the analyses that a script
        tells, whichever picture is open.
    asked : str
        Reference to a function of a state that returns what is asked there: a `Selection`, or what has
        its `source`, `privacy` and `unit`; `ParameterError` for what makes no sense.
    stated : str
        Reference to a function of an `app.export.script.subject.Subject` that returns the section of a
        script in which what is asked is made.
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
    widget: str = "app.pages.base.analysis_page:AnalysisPage"
    opened: str = ""
    estimate: str = ""
    advice: str = ""
    offer: str = ""
    expected: str = "app.model.wording.expected:expected_words"
    told: str = ""
    asked: str = "app.model.selection:fitting_selection"
    stated: str = "app.export.script.mechanism:mechanism"
    help: str = ""
    icon: str = ""

    @property
    def titles(self) -> dict[str, TabTitle]:
        """The titles of its tabs, by name."""
        return {picture.name: picture.title for picture in self.pictures}

    @property
    def drawn_by(self) -> dict[str, str]:
        """References to what draws its pictures, by name."""
        return {picture.name: picture.drawn_by for picture in self.pictures if picture.drawn_by}

    @property
    def parts(self) -> tuple[str, ...]:
        """References to all that it takes to make it: a class, what shows its options, the first analysis."""
        groups = {group for picture in self.pictures for group in picture.options}
        first = [picture.analysis for picture in self.pictures if picture.name == self.opened]
        first = first or [picture.analysis for picture in self.pictures[:1]]
        return (self.widget, *sorted({group.editor for group in groups}), *filter(None, first))

    def picture(self, name: str) -> PictureSpec:
        """Return a picture by its name; `ParameterError` if there is none."""
        known = {picture.name: picture for picture in self.pictures}
        if name not in known:
            raise ParameterError("picture", f"there is no picture {name!r}; there are {', '.join(known)}")
        return known[name]

"""A page, declared once: navigation, tabs, session files, scripts, lessons and screenshots follow."""

from __future__ import annotations

import dataclasses

from app.model.kinds.page_data import PageData
from app.model.picture_spec import PictureSpec
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class PageSpec:
    """A page that shows data of one kind, and what mechanisms make of them.

    Attributes
    ----------
    name : str
        Session files, lessons and the command line hold it.
    title : str
        In menus and in the list of pages.
    subject : str
        What scripts and reports call it.
    data : PageData
        What it works on.
    pictures : tuple of PictureSpec
        Its tabs.
    widget : str
        Reference to the class of the window's page.
    estimate : str
        Reference to the analysis that tells what can be expected of the mechanism; "" for none.
    advice : str
        Reference to a function of (estimate, unit) that says it in a sentence below the picture.
    expected : str
        Reference to a function of (estimate, unit) that says it beside Run, as `ExpectedWords`.
    told : str
        Reference to a function of a selection that returns references to the analyses that a script
        tells, whichever picture is open.
    icon : str
        The name of a bundled icon; "" for the one with the name of the page.
    """

    name: str
    title: str
    subject: str
    data: PageData
    pictures: tuple[PictureSpec, ...]
    widget: str = "app.pages.base.analysis_page:AnalysisPage"
    estimate: str = ""
    advice: str = ""
    expected: str = "app.model.wording.expected:expected_words"
    told: str = ""
    icon: str = ""

    def picture(self, name: str) -> PictureSpec:
        """Return a picture by its name; `ParameterError` if there is none."""
        known = {picture.name: picture for picture in self.pictures}
        if name not in known:
            raise ParameterError("picture", f"there is no picture {name!r}; there are {', '.join(known)}")
        return known[name]

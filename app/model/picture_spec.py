"""Pictures, each declared once: tab, tools, job, session file, script and report follow."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, ClassVar

from app.model import lazy
from app.model.references import Analysis, ClassLoader, Loader, TextLoader, TextOfTwoLoader, resolve_fields
from engine.parameters import Parameter, Parameterised, parameter

Offered = Mapping[str, Mapping[Any, str]]
"""Values of options with their labels, by option name."""


@dataclasses.dataclass(frozen=True)
class TabTitle:
    """The label of a tab, its contents, and the reason to look at it."""

    name: str
    shows: str
    why: str

    def about(self, label: object) -> TabTitle:
        """Return the title with placeholders such as {records} filled from a dataclass."""
        said = dataclasses.asdict(label)  # type: ignore[call-overload]
        return TabTitle(*(text.format(**said) for text in dataclasses.astuple(self)))


class OptionGroup(Parameterised):
    """Options of pictures that belong together; each is declared by ``parameter(...)``.

    Pictures of one page with the same group share its values.

    Attributes
    ----------
    listed : tuple of str
        Options chosen from a list made by `offered`.
    offered_by_result : tuple of str
        Options chosen from a list made by `offered_by`.
    """

    listed: ClassVar[tuple[str, ...]] = ()
    offered_by_result: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        for former, name in {"told": "offered_by_result", "told_by": "offered_by"}.items():
            if former in vars(cls):  # in a plug-in
                setattr(cls, name, vars(cls)[former])
        reference: Any = vars(cls).get("editor")
        if isinstance(reference, str):  # in a plug-in
            cls.editor = staticmethod(functools.partial(resolve_name, reference))  # type: ignore[method-assign]

    @classmethod
    def editor(cls) -> type[Any]:
        """Return the `OptionsEditor` for these options."""
        return lazy.ParameterEditor

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        """Return values of options with their labels, where these depend on the selection.

        Use only public facts of the selection. With fewer than two values there is no choice, and a single
        one is used; `public` means the release view.
        """
        return {}

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        """Return whether its tools are visible; `public` means the release view."""
        return True

    @classmethod
    def offered_by(cls, result: Any) -> Offered:
        """Return values of options with their labels, where these depend on the result."""
        return {}

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        """Return the values that an analysis used for options that were not chosen."""
        return {}


options = dataclasses.dataclass(frozen=True, init=False, repr=False, eq=False)
"""Declares a group of options; no object of it is ever made."""


@options
class Seeded(OptionGroup):
    """The seed of the simulated release in the picture."""

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.DrawEditor

    seed: int = parameter(default=1, lower=0, label="Seed", help="The same seed gives the same picture.")

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        """Return whether anything is simulated: never in the release view."""
        return not public


@dataclasses.dataclass(frozen=True)
class PictureSpec:
    """A picture of a page.

    Attributes
    ----------
    name : str
        Name of its tab; also used in session files, lessons and on the command line.
    title : TabTitle
    drawn_by : function that returns the `Picture`, or None
        Draws the result of `analysis`; None for a table of widgets.
    analysis : Analysis
        Computes the result, in a worker, a script or a report. It may take the inputs listed in
        `references`, and the options.
    options : tuple of type of OptionGroup
        Groups of options.
    is_public : bool
        Whether the release view shows it too. There, the analysis gets public facts (columns, units, domain,
        n) instead of the data, and ``records=False``.
    public_analysis : Analysis or None
        Replaces `analysis` in the release view.
    arguments : function or None
        Takes the session state and a `ViewState`; returns further arguments of `analysis` and `view`.
    view : function that returns a function, or None
        Turns the result and options into the drawn object; None to draw the result itself.
    note : function or None
        Takes (selection, result); returns a small text below the picture, except on the wall.
    advice : function or None
        Takes (selection, result); returns the text below the picture, instead of the page's sentences.
    absent : function or None
        Takes a selection; returns the reason why it has no such picture, or "".
    runs : bool
        Whether it runs the mechanism, which therefore must be valid.
    is_slow : bool
        Whether it is so slow that the error is not estimated beside it.
    makes_offers : bool
        Whether a better mechanism may be offered below it.
    beside_bins : str
        Name of the picture shown beside this one in a wide window, if there is one column.

    Notes
    -----
    Plug-ins may give classes and functions directly, or as "package.module:name".
    """

    name: str
    title: TabTitle
    drawn_by: ClassLoader | None
    analysis: Analysis
    options: tuple[type[OptionGroup], ...] = ()
    is_public: bool = False
    public_analysis: Analysis | None = None
    arguments: Loader | None = None
    view: Loader | None = None
    note: TextOfTwoLoader | None = None
    advice: TextOfTwoLoader | None = None
    absent: TextLoader | None = None
    runs: bool = False
    is_slow: bool = False
    makes_offers: bool = False
    beside_bins: str = ""

    def __post_init__(self) -> None:
        resolve_fields(self)
        if self.public_analysis is not None:
            object.__setattr__(self, "is_public", True)

    @property
    def declared(self) -> tuple[Parameter, ...]:
        """All its options."""
        return tuple(declared for group in self.options for declared in group.parameters())

    @property
    def takes_release(self) -> bool:
        """Whether it marks the newest release, or shows it instead of a simulated one."""
        return "released" in self.takes

    @functools.cached_property
    def is_demonstration(self) -> bool:
        """Whether it ignores data and mechanism."""
        return self.takes.isdisjoint({"data", "mechanism", "released"})

    @property
    def takes(self) -> frozenset[str]:
        """Names of the inputs of its analysis."""
        return self.analysis.takes

    def uses(self, group: type[OptionGroup], selection: Any) -> bool:
        """Return whether it depends on a group of options."""
        return group in self.options

    def why_absent(self, selection: Any) -> str:
        """Return the reason why a selection has no such picture; "" if it has one."""
        return self.absent()(selection) if self.absent else ""

    def is_offered(self, selection: Any) -> bool:
        """Return whether it has a tab, perhaps with a text instead of a picture."""
        return not self.why_absent(selection)

    def titled(self, nouns: Any, selection: Any) -> TabTitle:
        """Return its title, with the words for records and for a selection; None without one."""
        return self.title.about(nouns)

    def arguments_of(self, state: Any, view_state: Any) -> dict[str, Any]:
        """Return further arguments of the analysis, from the session state."""
        return dict(self.arguments()(state, view_state)) if self.arguments else {}

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return its options, with these values where given and defaults elsewhere.

        `ParameterError` if a value is invalid.
        """
        results = {declared.name: values.get(declared.name, declared.default) for declared in self.declared}
        for declared in self.declared:
            declared.check(results[declared.name])
        return results

    def analysis_for(self, *, public: bool) -> Analysis:
        """Return its analysis; `public` means the release view."""
        return self.public_analysis if public and self.public_analysis is not None else self.analysis

    def compute(self, known: Mapping[str, Any], *, public: bool) -> Any:
        """Return the object to draw, computed from named inputs."""
        analysis = self.analysis_for(public=public)
        # an option of that name, but of other pictures, hides nothing in this one
        is_option = any(declared.name == "records" for declared in self.declared)
        return analysis.call(known if is_option and not public else {**known, "records": not public})

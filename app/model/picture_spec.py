"""A picture, declared once: tab, tools, what a worker computes, session file, script and report follow."""

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
"""Values of options and what they are called, by the names of the options."""


@dataclasses.dataclass(frozen=True)
class TabTitle:
    """What a tab is called, what it shows, and why."""

    name: str
    shows: str
    why: str

    def about(self, label: object) -> TabTitle:
        """Return the title with the fields of a dataclass of words in it, such as {records}."""
        said = dataclasses.asdict(label)  # type: ignore[call-overload]
        return TabTitle(*(text.format(**said) for text in dataclasses.astuple(self)))


@dataclasses.dataclass(frozen=True)
class OptionGroup(Parameterised):
    """Options of pictures that are chosen together; each is declared by ``parameter(...)``.

    Pictures of one page that have the same group share what is chosen.

    Attributes
    ----------
    line : int
        On which line above the picture, from the top; groups that have the same one stand side by side.
    listed : tuple of str
        Options that are chosen from a list, which `offered` gives.
    offered_by_result : tuple of str
        Options that are chosen from a list, which `offered_by` gives.
    """

    line: ClassVar[int] = 0
    listed: ClassVar[tuple[str, ...]] = ()
    offered_by_result: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        for former, name in {"told": "offered_by_result", "told_by": "offered_by"}.items():
            if former in vars(cls):  # of a plug-in
                setattr(cls, name, vars(cls)[former])
        reference: Any = vars(cls).get("editor")
        if isinstance(reference, str):  # of a plug-in
            cls.editor = staticmethod(functools.partial(resolve_name, reference))  # type: ignore[method-assign]

    @classmethod
    def editor(cls) -> type[Any]:
        """Return the `OptionsEditor` that shows them."""
        return lazy.ParameterEditor

    @classmethod
    def offered(cls, selection: Any, *, public: bool) -> Offered:
        """Return the values of options, with their words, where these depend on what is selected.

        Only public facts of the selection may be asked.  Of fewer than two values there is nothing to
        choose, and a single one is taken; with `public`, in the release view.
        """
        return {}

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        """Tell whether its tools are to be seen; with `public`, in the release view."""
        return True

    @classmethod
    def offered_by(cls, result: Any) -> Offered:
        """Return the values of options, with their words, where these depend on what was found."""
        return {}

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        """Return the values that an analysis took for options that were not chosen."""
        return {}


@dataclasses.dataclass(frozen=True)
class Seeded(OptionGroup):
    """Which simulated release is shown."""

    line: ClassVar[int] = 1

    @classmethod
    def editor(cls) -> type[Any]:
        return lazy.DrawEditor

    seed: int = parameter(default=1, lower=0, label="Seed", help="The same seed gives the same picture.")

    @classmethod
    def is_needed(cls, selection: Any, *, public: bool) -> bool:
        """Tell whether anything is simulated: nothing is in the release view."""
        return not public


@dataclasses.dataclass(frozen=True)
class PictureSpec:
    """A picture of a page.

    Attributes
    ----------
    name : str
        Of its tab; session files, lessons and the command line hold it.
    title : TabTitle
    drawn_by : function that returns the `Picture`, or None
        Draws what `analysis` returns; None for a table of widgets.
    analysis : Analysis
        Computes what is drawn, in the worker, in scripts and reports.  It may take what `references` lists,
        and the options.
    options : tuple of type of OptionGroup
        What can be chosen about it.
    is_public : bool
        Whether it is shown in the release view, too.  There, the analysis gets the public facts of the data
        (columns, units, domain, n) in the place of the data, and ``records=False``.
    public_analysis : Analysis or None
        Takes the place of `analysis` in the release view, if that is another one.
    arguments : function or None
        Returns what else `analysis` and `view` take, by name, of a state of the session and a `ViewState`.
    view : function that returns a function, or None
        Makes of the result what is drawn, with the options that it takes; None for the result itself.
    note : function or None
        Says of (selection, result) what stands below the tools.
    advice : function or None
        Says of (selection, result) what stands below the picture.
    absent : function or None
        Says of a selection why there is no such picture; "" if there is.
    runs : bool
        Whether the mechanism is run for it, which therefore must fit.
    is_slow : bool
        Whether it takes so long that nothing is estimated beside it.
    layers : tuple of str
        Names of the parts that can be drawn without the others, such as its curves.

    Notes
    -----
    Plug-ins may give classes and functions themselves, or write "package.module:name".
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
    layers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        resolve_fields(self)
        if self.public_analysis is not None:
            object.__setattr__(self, "is_public", True)

    @property
    def declared(self) -> tuple[Parameter, ...]:
        """All options."""
        return tuple(declared for group in self.options for declared in group.parameters())

    @property
    def takes_release(self) -> bool:
        """Whether the newest release is marked in it, or shown in the place of a simulated one."""
        return "released" in self.takes

    @functools.cached_property
    def is_demonstration(self) -> bool:
        """Whether it is the same whatever the data and the mechanism are."""
        return self.takes.isdisjoint({"data", "mechanism", "released"})

    @property
    def takes(self) -> frozenset[str]:
        """What its analysis asks for, by name."""
        return self.analysis.takes

    def uses(self, group: type[OptionGroup], selection: Any) -> bool:
        """Tell whether it is another one if something else is chosen of a group of its options."""
        return group in self.options

    def why_absent(self, selection: Any) -> str:
        """Say why there is no such picture of a selection; "" if there is."""
        return self.absent()(selection) if self.absent else ""

    def is_offered(self, selection: Any) -> bool:
        """Tell whether there is a tab for it, if only with words in its place."""
        return not self.why_absent(selection)

    def arguments_of(self, state: Any, view_state: Any) -> dict[str, Any]:
        """Return what the analysis takes beside options, of a state of the session."""
        return dict(self.arguments()(state, view_state)) if self.arguments else {}

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return its options with these values, as far as they have one; else by default.

        Raises
        ------
        ParameterError
            If a value is not possible.
        """
        results = {declared.name: values.get(declared.name, declared.default) for declared in self.declared}
        for declared in self.declared:
            declared.check(results[declared.name])
        return results

    def analysis_for(self, *, public: bool) -> Analysis:
        """Return what computes it; with `public`, in the release view."""
        return self.public_analysis if public and self.public_analysis is not None else self.analysis

    def compute(self, known: Mapping[str, Any], *, public: bool) -> Any:
        """Return what is to be drawn, from what is known by name."""
        analysis = self.analysis_for(public=public)
        return analysis.call({**known, "records": False} if public else known)

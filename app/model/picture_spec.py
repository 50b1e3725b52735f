"""A picture, declared once: tab, tools, what a worker computes, session file, script and report follow."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, ClassVar

from engine.parameters import Parameter, Parameterised, parameter

DEFAULT_EDITOR = "app.pages.base.options_editor:ParameterEditor"

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
    editor : str
        Reference to the `OptionsEditor` that shows them.
    line : int
        On which line above the picture, from the top; groups that have the same one stand side by side.
    listed : tuple of str
        Options that are chosen from a list, which `offered` gives.
    told : tuple of str
        Options that are chosen from a list, which `told_by` gives.
    """

    editor: ClassVar[str] = DEFAULT_EDITOR
    line: ClassVar[int] = 0
    listed: ClassVar[tuple[str, ...]] = ()
    told: ClassVar[tuple[str, ...]] = ()

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
    def told_by(cls, result: Any) -> Offered:
        """Return the values of options, with their words, where these depend on what was found."""
        return {}

    @classmethod
    def taken_by(cls, result: Any) -> Mapping[str, Any]:
        """Return the values that an analysis took for options that were not chosen."""
        return {}


@dataclasses.dataclass(frozen=True)
class Seeded(OptionGroup):
    """Which simulated release is shown."""

    editor: ClassVar[str] = "app.pages.base.draw_editor:DrawEditor"
    line: ClassVar[int] = 1

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
    drawn_by : str
        Reference to the `Picture` that draws what `analysis` returns; "" for a table of widgets.
    analysis : str
        Reference to the function that computes what is drawn, in the worker, in scripts and reports.
        It takes, by these names and as far as it needs them: ``mechanism, data, privacy``, the
        options, ``released`` (the newest release that is to be marked), ``progress``, and ``publish``,
        which shows a result that is not yet complete.
    options : tuple of type of OptionGroup
        What can be chosen about it.
    public_analysis : str
        Reference to what takes the place of `analysis` in the release view, if it is not the same: in
        the place of ``data`` it gets their public facts alone, as ``source`` does: columns, units,
        domain, n.  "" where nothing can be shown there.
    arguments : str
        Reference to a function of a state of the session and a `ViewState` that returns what else
        `analysis` and `view` take, by name; "" for nothing.
    view : str
        Reference to what makes of the result what is drawn, with the options that it takes; "" for the
        result itself.
    note : str
        Reference to a function of (selection, result) that says what stands below the tools.
    advice : str
        Reference to a function of (selection, result) that says what stands below the picture.
    absent : str
        Reference to a function of a selection that says why there is no such picture; "" if there is.
    runs : bool
        Whether the mechanism is run for it, which therefore must fit.
    is_slow : bool
        Whether it takes so long that nothing is estimated beside it.
    """

    name: str
    title: TabTitle
    drawn_by: str
    analysis: str
    options: tuple[type[OptionGroup], ...] = ()
    public_analysis: str = ""
    arguments: str = ""
    view: str = ""
    note: str = ""
    advice: str = ""
    absent: str = ""
    runs: bool = False
    is_slow: bool = False

    @property
    def is_public(self) -> bool:
        """Whether there is something to see in the release view."""
        return bool(self.public_analysis)

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

    @functools.cached_property
    def takes(self) -> frozenset[str]:
        """What its analysis asks for, by name."""
        return frozenset(arguments_of(resolve_name(self.analysis)))

    def uses(self, group: type[OptionGroup], selection: Any) -> bool:
        """Tell whether it is another one if something else is chosen of a group of its options."""
        return group in self.options

    def why_absent(self, selection: Any) -> str:
        """Say why there is no such picture of a selection; "" if there is."""
        return str(resolve_name(self.absent)(selection)) if self.absent else ""

    def is_offered(self, selection: Any) -> bool:
        """Tell whether there is a tab for it, if only with words in its place."""
        return not self.why_absent(selection)

    def arguments_of(self, state: Any, view_state: Any) -> dict[str, Any]:
        """Return what the analysis takes beside options, of a state of the session."""
        return dict(resolve_name(self.arguments)(state, view_state)) if self.arguments else {}

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

    def compute(self, known: Mapping[str, Any], *, public: bool) -> Any:
        """Return what is to be drawn, from what is known by name."""
        if public:
            return called(self.public_analysis, {**known, "records": False})
        return called(self.analysis, known)


def called(reference: str, known: Mapping[str, Any]) -> Any:
    """Return what an analysis finds, given what it takes of the things that are known by name."""
    analysis = resolve_name(reference)
    return analysis(**{name: known[name] for name in arguments_of(analysis) if name in known})


def module_of(reference: str) -> str:
    """Return the module of a reference.

    >>> module_of("engine.privacy:Privacy")
    'engine.privacy'
    """
    return reference.partition(":")[0]


def arguments_of(analysis: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the arguments of an analysis."""
    return tuple(inspect.signature(analysis).parameters)

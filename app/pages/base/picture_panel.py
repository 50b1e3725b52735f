"""A card with the pictures that a page declares: tabs, and the tools of the picture that is open."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from app.model.pages import audit as audit_tabs
from app.model.picture_spec import OptionGroup, PictureSpec, TabTitle
from app.model.references import resolve
from app.pages.base.options_editor import OptionsEditor
from app.pages.base.plot_panel import PlotPanel
from app.theme import Palette
from app.widgets.card import caption, set_text, show_only
from app.widgets.tabs import Tabs


class PicturePanel(PlotPanel):
    """Shows one of the declared pictures, with its options above it.

    Parameters
    ----------
    name : str
        What the pictures are about.
    pictures : sequence of PictureSpec
        The first is open at first.
    dense : bool
        As of `Tabs`.

    Attributes
    ----------
    specs : dict of str to PictureSpec
    editors : dict of type of OptionGroup to OptionsEditor
    """

    def __init__(self, name: str, pictures: Sequence[PictureSpec], dense: bool = False) -> None:
        self.specs = {spec.name: spec for spec in pictures}
        self.editors: dict[type[OptionGroup], OptionsEditor] = {}
        self._titles = {spec.name: spec.title for spec in pictures} | {audit_tabs.TAB: audit_tabs.TITLE}
        self._dense = dense
        self._results: dict[str, Any] = {}
        super().__init__(name, pictures[0].name, {spec.name: spec.drawn_by for spec in pictures})

    @property
    def spec(self) -> PictureSpec | None:
        """The picture that is open; None for an audit."""
        return self.specs.get(self.tab)

    @property
    def options(self) -> dict[str, Any]:
        """What is chosen, by the names of the options, of all pictures."""
        return {name: value for editor in self.editors.values() for name, value in editor.values.items()}

    def show_options(self, values: Mapping[str, Any]) -> None:
        """Show what was chosen, as far as there are such options; all others by default."""
        for group, editor in self.editors.items():
            defaults = {declared.name: declared.default for declared in group.parameters()}
            editor.show_values({name: values.get(name, default) for name, default in defaults.items()})

    def choose_options(self, **values: Any) -> None:
        """Choose values of some options, and ask for the picture anew."""
        for editor in self.editors.values():
            editor.show_values({name: values[name] for name in values.keys() & editor.values.keys()})
        self.asked.emit()

    def offer(self, selection: Any) -> None:
        """Offer what can be chosen of such a selection."""
        for group, editor in self.editors.items():
            editor.offer(group.offered(selection))

    def show_words(self, words: object) -> None:
        """Call the records what they are: fields of a dataclass, for the words of tabs."""
        self._titles = {
            name: spec.title.about(words) if dataclasses.is_dataclass(words) else spec.title
            for name, spec in self.specs.items()
        } | {audit_tabs.TAB: audit_tabs.TITLE}
        self.tabs.set_titles(self._titles)
        for tab, canvas in self._canvases.items():
            self._name(canvas, tab)

    def show_tab(self, tab: str) -> None:
        """Open a tab by name."""
        self.tabs.choose(tab)

    def show_only(self, tabs: Collection[str]) -> None:
        """Leave out all other tabs; open another one if the open one is left out."""
        if self.tab not in tabs:
            self.show_tab(next(iter(tabs)))
        self.tabs.show_only(tabs)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        for editor in self.editors.values():
            editor.set_palette(palette)

    def forget(self, unit: str) -> None:
        """Drop what was drawn of other data, or in another view."""
        self._results.clear()
        for editor in self.editors.values():
            editor.rest()
        self.show_note("")
        super().forget(unit)

    def show_result(self, tab: str, result: Any) -> None:
        """Show a result in its picture, as far as it is to be seen now."""
        self._results[tab] = result
        for group in self.specs[tab].options if tab in self.specs else ():
            result = self.editors[group].frame(result)
        super().show_result(tab, result)

    def show_note(self, words: str) -> None:
        """Say something between the tools and the picture that has a note."""
        set_text(self.note, words)
        self._show_tools()

    def _words(self, tab: str) -> TabTitle:
        return self._titles[tab]

    def _build_head(self) -> None:
        self.tabs = Tabs("Pictures", self._titles, dense=self._dense)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)

    def _build_tools(self) -> tuple[QWidget, ...]:
        for group in dict.fromkeys(group for spec in self.specs.values() for group in spec.options):
            editor: OptionsEditor = resolve(group.editor)(group)
            editor.changed.connect(self.asked)
            editor.redrawn.connect(self._show_again)
            editor.hide()
            self.editors[group] = editor
        self.note = caption()
        return (*self.editors.values(), self.note)

    def _show_tools(self) -> None:
        spec = self.spec
        own = spec.options if spec else ()
        seen: dict[QWidget, bool] = {editor: group in own for group, editor in self.editors.items()}
        show_only(seen | {self.note: bool(spec and spec.note and self.note.text())})
        if own:
            self._last_tool = self.editors[own[-1]].last_box

    def _show_again(self) -> None:
        if self.tab in self._results:
            self.show_result(self.tab, self._results[self.tab])

    def _on_tab(self, index: int) -> None:
        for editor in self.editors.values():
            editor.rest()
        self._open_tab(self.tabs.key(index))

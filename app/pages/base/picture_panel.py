"""A card with the pictures that a page declares: tabs, and the tools of the picture that is open."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.model.page_spec import PageSpec
from app.model.pages import audit as audit_tabs
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded
from app.model.theme import Palette
from app.pages.base.beside_panel import BesidePanel
from app.pages.base.draw_editor import DrawEditor
from app.pages.base.options_editor import OptionsEditor
from app.pages.base.plot_panel import PlotPanel
from app.pages.base.split_view import SplitView
from app.widgets.card import caption, set_text, show_only
from app.widgets.flow import Bend

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

NOTHING_ASKED: Mapping[str, Any] = {}


class PicturePanel(PlotPanel):
    """Shows one of the declared pictures of a page, with its options above it.

    Parameters
    ----------
    page : PageSpec
        Its first picture is open at first.

    Attributes
    ----------
    specs : dict of str to PictureSpec
    editors : dict of type of OptionGroup to OptionsEditor
    lines : dict of int to QWidget
        What stands side by side above the picture, by `OptionGroup.line`.
    split : SplitView
        The picture, and perhaps another one beside it.

    Signals
    -------
    picture_opened()
        The picture of the open tab was made, or brought to the front.
    """

    picture_opened = Signal()

    def __init__(self, page: PageSpec) -> None:
        self.specs = {spec.name: spec for spec in page.pictures}
        self.editors: dict[type[OptionGroup], OptionsEditor] = {}
        self.lines: dict[int, QWidget] = {}
        self._buttons: dict[QPushButton, str] = {}
        self._results: dict[str, tuple[Any, Mapping[str, Any]]] = {}
        self._selection: Any = None
        self._told = ""
        titles = {**page.titles, audit_tabs.TAB: audit_tabs.TITLE}
        super().__init__(page.subject, page.opened or page.pictures[0].name, page.drawn_by, titles)
        self.freshness.add(self.note)
        specs = self.specs | {spec.name: spec for spec in audit_tabs.AUDIT.pictures}
        self.split = SplitView(self.pictures, BesidePanel(specs, self._name))
        self.body.insertWidget(self.body.indexOf(self.note) + 2, self.split, 1)
        self.split_button = self.add_tool("split", "Two pictures (Ctrl+\\)", checkable=True)
        self.split_button.hide()
        self.set_title("")  # the tabs say it
        self.setAccessibleName(page.subject)
        self._show_tools()

    @property
    def spec(self) -> PictureSpec | None:
        """The picture that is open; None for an audit."""
        return self.specs.get(self.tab)

    @property
    def paired(self) -> tuple[str, ...]:
        """The names of the pictures that there are now, any of which can stand beside another one."""
        audits = audit_tabs.AUDIT.titles if audit_tabs.TAB in self.shown else ()
        return (*(tab for tab in self.shown if tab in self.specs), *audits)

    @property
    def draws(self) -> DrawEditor | None:
        """Where another simulated release is drawn, if it is anywhere."""
        editor = self.editors.get(Seeded)
        return editor if isinstance(editor, DrawEditor) else None

    @property
    def options(self) -> dict[str, Any]:
        """What is chosen, by the names of the options, of all pictures."""
        return {name: value for editor in self.editors.values() for name, value in editor.values.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        """What analyses of the open picture are given of it, by name."""
        return self.arguments_of(self.spec)

    def arguments_of(self, spec: PictureSpec | None) -> dict[str, Any]:
        """Return what analyses of a picture are given of what is chosen, by name."""
        own = () if spec is None else spec.options  # last: another group may have the same names
        editors = sorted(self.editors.items(), key=lambda one: one[0] in own)
        return {name: value for _, editor in editors for name, value in editor.arguments.items()}

    def show_options(self, values: Mapping[str, Any]) -> None:
        """Show what was chosen, as far as there are such options; all others by default."""
        for group, editor in self.editors.items():
            defaults = {declared.name: declared.default for declared in group.parameters()}
            editor.show_values({name: values.get(name, default) for name, default in defaults.items()})

    def choose_options(self, **values: Any) -> None:
        """Choose values of some options, and ask for the picture anew."""
        for group, editor in self.editors.items():
            chosen = {name: values[name] for name in values.keys() & editor.values.keys()}
            editor.show_values(chosen)
            if chosen:
                self._outdate_pictures_of(group)
        self.asked.emit()

    def offer(self, selection: Any) -> None:
        """Offer what can be chosen of such a selection."""
        self._selection = selection
        there = (spec for spec in self.specs.values() if not spec.why_absent(selection))
        for group in dict.fromkeys(group for spec in there for group in spec.options):
            self.editors[group].follow(selection, public=not self._curator)
        self._show_tools()

    def take(self, result: Any, asked: Mapping[str, Any]) -> None:
        """Offer what can be chosen of something that was found beside a picture."""
        for editor in self.editors.values():
            editor.take(result, asked)
        self._show_tools()

    def add_button(self, line: int, text: str, help: str, picture: str) -> QPushButton:
        """Add a button at the end of a line, for what can be done with one of the pictures."""
        button = QPushButton(text)
        button.setToolTip(help)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._buttons[button] = picture
        layout = self.lines[line].layout()
        assert layout is not None
        layout.addWidget(button)
        self._show_tools()
        return button

    def set_title(self, title: str) -> None:
        """Change the words at the top; there is no room for none."""
        super().set_title(title)
        self._title.setVisible(bool(title))

    def show_words(self, text: object) -> None:
        """Call the records what they are: fields of a dataclass, for the words of tabs."""
        self.titles = {
            name: spec.title.about(text) if dataclasses.is_dataclass(text) else spec.title
            for name, spec in self.specs.items()
        } | {audit_tabs.TAB: audit_tabs.TITLE}
        self.tabs.set_titles(self.titles)
        for tab, canvas in (*self._canvases.items(), *self.split.beside.canvases.items()):
            self._name(canvas, tab)

    def set_palette(self, palette: Palette) -> None:
        super().set_palette(palette)
        self.split.beside.set_palette(palette)
        for editor in self.editors.values():
            editor.set_palette(palette)

    def open(self) -> PlotCanvas:
        new = self.tab not in self._canvases
        canvas = super().open()
        if new and self.spec is not None:
            for group in self.spec.options:
                self.editors[group].attach(canvas)
        self.picture_opened.emit()
        return canvas

    def rest(self) -> None:
        """Let nothing move of itself."""
        for editor in self.editors.values():
            editor.rest()

    def forget(self, unit: str) -> None:
        self._results.clear()
        for editor in self.editors.values():
            editor.forget()
        self.show_note("")
        self.split.beside.forget(unit)
        super().forget(unit)

    def outdate(self) -> None:
        for editor in self.editors.values():
            editor.outdate()
        self.split.beside.outdate()
        super().outdate()

    def set_scale(self, scale: float) -> None:
        super().set_scale(scale)
        self.split.set_scale(scale)

    def show_result(self, tab: str, result: Any, asked: Mapping[str, Any] = NOTHING_ASKED) -> None:
        """Show a result in its picture, as far as it is to be seen now; `asked` is what was chosen for it."""
        self._results[tab] = result, asked
        for group in self.specs[tab].options if tab in self.specs else ():
            self.editors[group].take(result, asked)
            result = self.editors[group].frame(result)
        self._show_tools()
        canvas = self._canvases.get(tab)
        if canvas is None or canvas.result is not result:
            super().show_result(tab, result)

    def show_note(self, text: str, request: object = None) -> None:
        """Say something between the tools and the picture that has a note, in answer to a request."""
        self.freshness.say(self.note, text, request)
        self._show_tools()

    def tell(self, text: str) -> None:
        """Say something below the picture that holds of this one alone: it goes with its tab."""
        self._told = text
        self.say(text)

    def _build_tools(self) -> tuple[QWidget, ...]:
        for group in sorted(groups_of(self.specs.values()), key=lambda group: group.line):
            editor: OptionsEditor = group.editor()(group)
            editor.changed.connect(self._on_changed)
            editor.redrawn.connect(self._show_again)
            editor.said.connect(self.tell)
            editor.hide()
            if group.line not in self.lines:
                self.lines[group.line] = QWidget()
                Bend(self.lines[group.line])
            layout = self.lines[group.line].layout()
            assert isinstance(layout, Bend)
            layout.addWidget(editor, editor.share)
            self.editors[group] = editor
        for line in self.lines.values():
            layout = line.layout()
            assert isinstance(layout, Bend)
            layout.addStretch(1)
        self.note = caption()
        return (*self.lines.values(), self.note)

    def _show_tools(self) -> None:
        spec = self.spec
        own = [] if spec is None else [one for one in spec.options if spec.uses(one, self._selection)]
        seen: dict[QWidget, bool] = {
            editor: group in own and editor.has_choice for group, editor in self.editors.items()
        }
        seen |= {button: self.tab == tab and button.isEnabled() for button, tab in self._buttons.items()}
        lines = {line: any(seen[one] for one in seen if one.parent() is line) for line in self.lines.values()}
        show_only(seen | lines | {self.note: bool(spec and spec.note and self.note.text())})
        last = [editor.last_box for editor in self.editors.values() if seen[editor]]
        self._last_tool = next(reversed([*last, *(one for one in self._buttons if seen[one])]), self.tabs)
        self._show_badge()

    @property
    def _is_private(self) -> bool:
        return super()._is_private and not (self.spec and self.spec.is_demonstration)

    def _on_changed(self) -> None:
        for group, editor in self.editors.items():
            if editor is self.sender():
                self._outdate_pictures_of(group)
        self.asked.emit()

    def _outdate_pictures_of(self, group: type[OptionGroup]) -> None:
        """Dim what was drawn with other options of a group."""
        own = (name for name, spec in self.specs.items() if group in spec.options)
        drawn = [name for name in own if name in self._canvases and self._canvases[name].has_result]
        self.freshness.outdate(drawn, words=False)

    def _show_again(self) -> None:
        if self.tab in self._results:
            self.show_result(self.tab, *self._results[self.tab])

    def _on_tab(self, index: int) -> None:
        self.rest()
        if self._told == self.advice.text():
            set_text(self.advice, "")
        super()._on_tab(index)


def groups_of(pictures: Iterable[PictureSpec]) -> list[type[OptionGroup]]:
    """Return all groups of options, in an order that is that of each picture as far as possible."""
    results: list[type[OptionGroup]] = []
    for spec in pictures:
        index = len(results)
        for group in reversed(spec.options):
            if group in results:
                index = results.index(group)
            else:
                results.insert(index, group)
    return results

"""The card with the pictures of a page: tabs, the options of the open picture, the picture, a caption."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton, QSizePolicy, QWidget

from app.model.page_spec import PageSpec
from app.model.pages.audit import AUDIT, TAB, TITLE
from app.model.picture_spec import OptionGroup, PictureSpec, Seeded, TabTitle
from app.model.view_states import WallView
from app.model.wording.buttons import BUTTONS
from app.model.wording.releases import SwitchOffer, sentence
from app.pages.audit.options_bar import AuditOptionsBar
from app.pages.base.options_editor import DrawEditor, OptionsEditor
from app.pages.base.picture_stack import PictureStack, SecondPanel, SplitView
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.card import Card, caption, keep_room, set_text, show_only
from app.widgets.layouts import MIN_HEIGHT, Bend, Flow, tab_through
from app.widgets.tabs import Tabs

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

NO_OPTIONS: Mapping[str, Any] = {}
DEMONSTRATION = "A demonstration, not your data"


class OfferButton(QPushButton):
    """A button with an offer, hidden if there is none.

    An outdated offer is disabled; after a change of mechanism it disappears.
    """

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self.offer: SwitchOffer | None = None
        self.possible = True  # whether there is room for it
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip("Choose this instead (Ctrl+Z: undo)")
        self.clicked.connect(self._on_clicked)
        self.hide()

    def serve(self, session: Session) -> None:
        self._session = session
        session.watch({"query", "method", "noise", "aggregator"}, self, self._on_other_choice)
        session.watch({"epsilon", "delta", "parameters"}, self, self._on_other_numbers)

    @property
    def _in_lesson(self) -> bool:
        return self._session is not None and self._session.state.lesson is not None

    def expect(self, offers: bool) -> None:
        """Keep room for an offer that may come, so that it moves nothing."""
        keep_room(self, offers and self.possible and not self._in_lesson)
        if not offers:
            self.show_offer(None)

    def show_offer(self, offer: SwitchOffer | None) -> None:
        """Show an offer; None, also during lessons: nothing."""
        if self._in_lesson:
            offer = None
        if offer != self.offer:
            self.offer = offer
            text = offer.text if offer else ""
            self.setText(text)
            self.setAccessibleName(f"Offer: {text}")
        self.setVisible(offer is not None and self.possible)
        self.setEnabled(True)

    def _on_other_choice(self) -> None:
        self.show_offer(None)

    def _on_other_numbers(self) -> None:
        self.setEnabled(False)

    def _on_clicked(self) -> None:
        assert self.offer is not None
        assert self._session is not None
        self._session.edit("take the suggestion", **self.offer.fields)


class PicturePanel(Card):
    """Shows the declared pictures of a page in tabs, with their options above.

    `tabs`: further tabs, after those of the page.
    """

    asked = Signal()  # another result is needed
    picture_opened = Signal()  # the picture of the open tab was made or shown
    pointed = Signal(object)  # as in `PlotCanvas`, of the open picture

    def __init__(self, page: PageSpec, tabs: Mapping[str, TabTitle] | None = None) -> None:
        super().__init__("", private=True)
        self.setAccessibleName(page.subject)
        self.wrap_title()
        self._title.hide()  # the tabs name it
        self.specs = {spec.name: spec for spec in page.pictures}
        self.titles = {**page.titles, **(tabs or {})}
        self.tab = page.opened or page.pictures[0].name  # the open tab
        self.shown = tuple(self.titles)  # the current tabs
        # pictures with a vertical axis that the user set to logarithmic or linear
        self.log: dict[str, bool] = {}
        self.layers: dict[str, frozenset[str]] = {}  # of pictures that do not draw all of them
        self.editors: dict[type[OptionGroup], OptionsEditor] = {}
        self._buttons: dict[QPushButton, str] = {}
        self._selection: Any = None
        self._tab_caption = ""  # the caption of the open tab alone
        self._curator = True
        self.made = False  # whether there can be pictures
        self._wall: WallView | None = None
        self._typical = self.question = ""  # for the sentence on the wall
        self.tabs = Tabs("Pictures", self.titles)
        self.tabs.choose(self.tab)
        self.tabs.currentChanged.connect(self._on_tab)
        self.head.insertWidget(0, self.tabs)
        self.save_button = self.add_tool("save", "Save the picture… (Ctrl+E)")
        self.numbers_button = self.add_tool("table", "Show data (Ctrl+T)")
        self.log_button = self.add_tool("logarithm", BUTTONS["logarithm"], checkable=True)
        self.log_button.toggled.connect(self._on_log)
        keep_room(self.log_button)
        self.log_button.hide()
        self.note = caption(name="advice")
        self.advice = caption(name="advice")
        self.pictures = PictureStack(page.drawn_by | AUDIT.drawn_by, self._title_of, self.advice, self.note)
        self.pictures.setMinimumHeight(MIN_HEIGHT)  # also without a picture, so that nothing moves
        self.pictures.made.connect(self._on_made)
        self.pictures.pointed.connect(self.pointed)
        self.waiting, self.stale = self.pictures.waiting, self.pictures.stale
        # one picture or two
        self.split = SplitView(self.pictures, SecondPanel(page.drawn_by | AUDIT.drawn_by, self._title_of))
        self.audit = AuditOptionsBar()
        self.audit.hide()
        self.headline = caption(name="title")
        self._released = ""  # the newest released answer, or that Run makes one
        self.put(*self._make_tools(page), self.headline, self.audit)
        self._row_of_tools = self.body.indexOf(self.tools)
        self.body.addWidget(self.split, 1)
        self.body.addWidget(self.audit.player)
        self.alternative = OfferButton()
        buttons = QWidget()
        self.foot, self.offers = Bend(), Bend(buttons)
        self.offers.addWidget(self.alternative)
        self.foot.addWidget(self.note, 1)
        self.foot.addWidget(self.advice, 1)
        self.foot.addStretch(0)  # buttons stay at the right without advice, too
        self.foot.addWidget(buttons)
        self.body.addLayout(self.foot)
        self.split_button = self.add_tool("split", "Two pictures (Ctrl+\\)", checkable=True)
        self.split_button.hide()
        keep_room(self.split_button)
        self._show_tools()

    # Tabs and pictures.

    @property
    def spec(self) -> PictureSpec | None:
        """The picture of the open tab; None for an audit."""
        return self.specs.get(self.tab)

    @property
    def automatic(self) -> list[str]:
        """The pictures for beside the open one in a wide window, the best first."""
        spec, setup = self.spec, self._selection
        alone = spec and spec.beside_bins and setup is not None and len(setup.source.columns) == 1
        best = spec.beside_bins if spec and alone else ""
        # an audit, which may take minutes, is never started unasked
        return sorted((tab for tab in self.pairable if tab in self.specs), key=lambda tab: tab != best)

    @property
    def picture_name(self) -> str:
        """The open picture: the tab's, or one of an audit."""
        return self.picture_of(self.tab)

    def picture_of(self, tab: str) -> str:
        return self.audit.picture if tab == TAB else tab

    @property
    def canvas(self) -> PlotCanvas | None:
        """The open picture; None before it is made."""
        return self.pictures.canvases.get(self.picture_name)

    @property
    def pairable(self) -> tuple[str, ...]:
        """The names of the current pictures; any two can be shown together."""
        audits = AUDIT.titles if TAB in self.shown else ()
        return (*(tab for tab in self.shown if tab in self.specs), *audits)

    @property
    def is_private(self) -> bool:
        """Whether the open tab shows confidential results, if there is a picture."""
        if self.tab == TAB:
            return self._curator and self.audit.private
        return self._curator and not (self.spec and self.spec.is_demonstration)

    def show_tab(self, tab: str) -> None:
        self.tabs.choose(tab)

    def show_picture(self, name: str) -> None:
        """Open a picture by name, also one of an audit."""
        if name in AUDIT.titles:
            self.audit.show_picture(name)
            name = TAB
        self.show_tab(name)

    def show_only(self, tabs: Collection[str]) -> None:
        """Show only these tabs; open another one if the open one is hidden."""
        if tuple(tabs) == self.shown:
            return
        self.shown = tuple(tabs)
        if self.tab not in self.shown:
            self.show_tab(self.shown[0])
        self.tabs.show_only(self.shown)

    def open(self) -> PlotCanvas:
        """Show the open picture; make it first if necessary."""
        canvas = self.pictures.open(self.picture_name, private=self.is_private)
        self._show_badge()
        self.picture_opened.emit()
        return canvas

    def show_result(self, picture: str, result: Any, options: Mapping[str, Any] = NO_OPTIONS) -> None:
        """Show a result in its picture; `options`: those of its request."""
        for group in self.specs[picture].options if picture in self.specs else ():
            if group in self.editors:
                self.editors[group].take(result, options)
        self._show_tools()
        self.pictures.show_result(picture, result)

    def show_waiting(self, text: str, title: str = "", drawing: str = "") -> None:
        self.pictures.show_text(text, title, drawing)
        self._show_log()
        self._show_badge()

    def show_outdated(self, outdated: bool) -> None:
        """Dim or undim the open picture while no request is running."""
        self.stale.update(self.picture_name)
        if outdated:
            self.stale.outdate([self.picture_name], captions=False)
            self.stale.end()
        else:
            self.stale.renew(self.picture_name)

    def outdate(self) -> None:
        """Dim everything as outdated."""
        self.split.second.outdate()
        self.pictures.outdate()

    def forget(self, unit: str) -> None:
        """Drop all results, about other data or another view; set the unit of the next."""
        for editor in self.editors.values():
            editor.forget()
        self.show_note("")
        self.split.second.forget(unit)
        self.pictures.forget(unit)
        self._show_log()

    # Captions.

    def say(self, text: str) -> None:
        """Set the caption below the picture."""
        set_text(self.advice, text)
        self.stale.renew_captions()

    def tell(self, text: str) -> None:
        """Set the caption below the picture, until another tab is opened."""
        self._tab_caption = text
        self.say(text)

    def show_note(self, text: str, request: object = None) -> None:
        """Set the note below the picture, for a request."""
        self.stale.say(self.note, text, request)
        self._show_tools()

    def show_released(self, text: str) -> None:
        """Set the line of the Release view above pictures without the release in them."""
        self._released = text
        self._show_headline()

    def _show_headline(self) -> None:
        spec = self.spec
        above = not (spec is None or spec.takes_release or self._wall is not None)
        demonstration = spec is not None and spec.is_demonstration
        set_text(self.headline, DEMONSTRATION if demonstration else self._released if above else "")

    def show_words(self, nouns: object, selection: Any = None) -> None:
        """Set the titles for a selection, with the words for records: fields of a dataclass."""
        titles = self.titles | {name: spec.titled(nouns, selection) for name, spec in self.specs.items()}
        if titles == self.titles:
            return
        self.titles = titles
        self.tabs.set_titles(titles)
        for stack in (self.pictures, self.split.second.pictures):
            stack.retitle()

    def set_title(self, title: str) -> None:
        """Set the title; an empty one takes no space."""
        super().set_title(title)
        self._title.setVisible(bool(title))

    # Options.

    @property
    def draws(self) -> DrawEditor | None:
        """The editor that draws another simulated release, if any."""
        editor = self.editors.get(Seeded)
        return editor if isinstance(editor, DrawEditor) else None

    @property
    def options(self) -> dict[str, Any]:
        """The chosen values of all options, by name."""
        return {name: value for editor in self.editors.values() for name, value in editor.values.items()}

    @property
    def arguments(self) -> dict[str, Any]:
        """The options of the open picture's analyses, by name."""
        return self.arguments_of(self.spec)

    def arguments_of(self, spec: PictureSpec | None) -> dict[str, Any]:
        """Return the options of a picture's analyses, by name."""
        own = () if spec is None else spec.options  # last: another group may use the same names
        editors = sorted(self.editors.items(), key=lambda one: one[0] in own)
        return {name: value for _, editor in editors for name, value in editor.arguments.items()}

    def show_options(self, values: Mapping[str, Any]) -> None:
        """Set values of options, and all others to defaults."""
        for group, editor in self.editors.items():
            defaults = {declared.name: declared.default for declared in group.parameters()}
            editor.show_values({name: values.get(name, default) for name, default in defaults.items()})

    def choose_options(self, **values: Any) -> None:
        """Set values of some options, and request the picture again."""
        for group, editor in self.editors.items():
            chosen = {name: values[name] for name in values.keys() & editor.values.keys()}
            editor.show_values(chosen)
            if chosen:
                self._outdate_pictures_of(group)
        self.asked.emit()

    def offer(self, selection: Any) -> None:
        """Offer the possible values of options for a selection."""
        self._selection = selection
        there = (spec for spec in self.specs.values() if not spec.why_absent(selection))
        for group in dict.fromkeys(group for spec in there for group in spec.options):
            self.editors[group].follow(selection, public=not self._curator)
        self._show_tools()

    def take(self, result: Any, options: Mapping[str, Any]) -> None:
        """Offer the possible values of options for a result without a picture."""
        for editor in self.editors.values():
            editor.take(result, options)
        self._show_tools()

    def add_button(self, text: str, help: str, picture: str) -> QPushButton:
        """Add a button below the picture, visible with one picture."""
        button = push_button(text, help)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._buttons[button] = picture
        self.offers.addWidget(button)
        self._show_tools()
        return button

    # Appearance.

    def choose_log(self, log: Mapping[str, bool]) -> None:
        """Set vertical axes to logarithmic or linear; the others follow their numbers."""
        self.log = dict(log)
        for name, canvas in self.pictures.canvases.items():
            if canvas.log_y != self.log.get(name):
                canvas.set_log_y(self.log.get(name))

    def choose_layers(self, layers: Mapping[str, frozenset[str]]) -> None:
        """Draw only these layers of the named pictures, and all layers of the others."""
        self.layers = dict(layers)
        for name, canvas in self.pictures.canvases.items():
            canvas.choose_layers(self.layers.get(name, frozenset()))

    def show_wall(self, wall: WallView | None) -> None:
        """Show the picture with its captions, and the controls that the task of a step names."""
        self._wall = wall
        self.show_heading(wall is None)
        self.body.insertWidget(self._row_of_tools, self.tools)
        self._show_sentence()
        self.audit.show_wall(wall)
        self.split.show_wall(wall is not None)
        self._show_tools()

    def _show_sentence(self) -> None:
        """Let the caption be the sentence of a page on the wall, which the layout holds, or take it back."""
        on = self._wall is not None and not self._wall.sentence
        self.alternative.possible = not on
        self.alternative.show_offer(self.alternative.offer)
        text = "" if self.advice.text() == self.advice.property("otherwise") else self.advice.text()
        picture = self.canvas.picture if self.canvas is not None and self.canvas.has_picture else None
        above, said = ([], "") if picture is None else (picture.sentences, picture.summary())
        why = " ".join(one.text for one in above) or "; ".join(filter(None, (said, said and self._typical)))
        why = why or self._title_of(self.picture_name).why.partition(". ")[0]
        about = f"{self.question}: " if self.question and on else ""
        self.advice.setProperty("otherwise", about + sentence(why if on else ""))
        set_text(self.advice, text)
        for one in above:
            one.silence(self._wall is not None and not (on and text))
        if not on and self.advice.parent() is not self:
            self.advice.setObjectName("advice")
            self.foot.insertWidget(0, self.advice, 1)

    def show_typical(self, text: str) -> None:
        """Take up what the form says of a typical release, for the wall, where there is no form."""
        self._typical = f"{text[:1].lower()}{text[1:]}"
        self._show_sentence()

    def _has_room(self, tool: QWidget) -> bool:
        """Tell whether a control is visible: on the wall, only if the task of the step names it."""
        if self._wall is None:
            return True
        parts = [tool, *tool.findChildren(QWidget)]
        return self._wall.needs(*(one.text() for one in parts if isinstance(one, QAbstractButton | QLabel)))

    def show_view(self, curator: bool) -> None:
        """Show everything, or public results only."""
        self._curator = curator
        self._show_tools()

    def _make_tools(self, page: PageSpec) -> tuple[QWidget, ...]:
        """Return the rows between head and picture."""
        self.tools, line = QWidget(), Flow()  # editors side by side
        self.tools.setLayout(line)
        for group in page.groups:
            editor: OptionsEditor = group.editor()(group)
            editor.changed.connect(self._on_changed)
            editor.said.connect(self.tell)
            editor.hide()
            line.addWidget(editor)
            self.editors[group] = editor
        return (self.tools,)

    def _show_tools(self) -> None:
        """Show the options of the open tab that offer a choice."""
        spec = self.spec
        own = [] if spec is None else [one for one in spec.options if spec.uses(one, self._selection)]
        seen: dict[QWidget, bool] = {
            editor: group in own and editor.has_choice and self._has_room(editor)
            for group, editor in self.editors.items()
        }
        seen |= {
            button: self.tab == tab and button.isEnabled() and self._has_room(button)
            for button, tab in self._buttons.items()
        }
        for group, editor in self.editors.items():
            usual = self._selection is None or group.is_needed(self._selection, public=False)
            keep_room(editor, group in own and usual and not self._curator)  # the views move no control
        tools = any(seen[one] for one in seen if one.parent() is self.tools)
        self.alternative.expect(bool(spec and spec.makes_offers))
        noted = self._wall is None and bool(spec and spec.note and self.note.text())
        show_only(seen | {self.tools: tools, self.note: noted})
        self._show_headline()
        self._show_badge()

    def _show_badge(self) -> None:
        """Mark confidential pictures, but no texts in their place, which cannot be saved either."""
        self.badge.setVisible(self.is_private and not self.pictures.shows_text)
        for button in (self.save_button, self.numbers_button):
            button.setEnabled(not self.pictures.shows_text)

    def _show_log(self) -> None:
        canvas = self.canvas
        picture = canvas.picture if canvas is not None and canvas.has_picture else None
        self.log_button.setVisible(picture is not None and picture.has_log_y)
        with QSignalBlocker(self.log_button):
            self.log_button.setChecked(picture is not None and picture.axes.get_yscale() != "linear")

    def _title_of(self, picture: str) -> TabTitle:
        return AUDIT.titles.get(picture) or self.titles[picture]

    def _outdate_pictures_of(self, group: type[OptionGroup]) -> None:
        """Dim the pictures drawn with other options of a group."""
        shown = [name for name in self.pictures.with_results if name in self.specs]
        self.stale.outdate((name for name in shown if group in self.specs[name].options), captions=False)

    def _on_made(self, picture: str) -> None:
        canvas = self.pictures.canvases[picture]
        canvas.set_log_y(self.log.get(picture))
        canvas.choose_layers(self.layers.get(picture, frozenset()))
        canvas.updated.connect(self._show_log)
        canvas.updated.connect(self._show_sentence)
        tab_through(self)
        for group in self.specs[picture].options if picture in self.specs else ():
            if group in self.editors:
                self.editors[group].attach(canvas)

    def _on_tab(self, index: int) -> None:
        """Show the options of another tab, and request its picture."""
        self.tab = self.tabs.key(index)
        if self._tab_caption == self.advice.text():
            set_text(self.advice, "")
        self._show_sentence()
        audited = self.tab == TAB
        if not audited:  # first, so that the window never grows for both
            self.audit.hide()
            self.audit.player.hide()
        self._show_tools()
        self.audit.setVisible(audited)
        if self.made:
            self._show_log()
            self.asked.emit()

    def _on_changed(self) -> None:
        for group, editor in self.editors.items():
            if editor is self.sender():
                self._outdate_pictures_of(group)
        self.asked.emit()

    def _on_log(self, logarithmic: bool) -> None:
        self.log[self.picture_name] = logarithmic
        if self.canvas is not None:
            self.canvas.set_log_y(logarithmic)


AUDIT_TAB = {TAB: TITLE}
"""The last tab of pages with data of their own."""

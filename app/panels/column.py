"""The right column: data, privacy and release forms; Run is always visible."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.lessons.lesson import RUN
from app.model.pages.registry import PAGE_KINDS
from app.model.selection import problems
from app.model.state import RELEASE_FIELDS, SessionState
from app.panels.data_panel import DataPanel
from app.panels.privacy_panel import PrivacyPanel
from app.panels.release_panel import ReleasePanel
from app.session import Session
from app.widgets.buttons import push_button
from app.widgets.form_row import FormRow
from app.widgets.layouts import QWIDGETSIZE_MAX, scroll_upright, stack, tab_through
from app.widgets.style import THEME

WIDTH = 352
SPACING = 8
"""Gap between forms, and above Run, in pixels."""
FADE = 32
"""Height of the fade-out above hidden parts of the forms, in pixels."""
ALWAYS = frozenset({"epsilon"})
"""The controls that every lesson shows."""
REQUESTS = (
    *("open_requested", "table_requested", "reading_requested", "declare_requested", "ask_requested"),
    *("example_chosen", "chosen"),
)
"""The signals of data panels that the column passes on."""
MORE, FEWER = "Show all controls", "Show only the controls of the lesson"


class FormColumn(QScrollArea):
    """Holds the three forms of the open page. Scrolls if it must, but never Run."""

    made = Signal(QWidget)  # a data panel
    # in a lesson: show all controls, or only those that it uses
    all_wanted = Signal(bool)
    # as in `DataPanel`
    open_requested, table_requested, reading_requested = Signal(), Signal(), Signal()
    declare_requested, ask_requested, example_chosen, chosen = Signal(), Signal(), Signal(str), Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.ready = False
        self.data_panels: list[DataPanel] = []  # those made so far
        self.privacy = PrivacyPanel(session)
        self.release = ReleasePanel(session)
        self._used: frozenset[str] | None = None
        self._all = False
        tip = "The lesson shows only the controls that it uses"
        self.more = push_button("", tip, self._on_more)
        self.more.hide()
        self._inside = QWidget()
        self._forms = stack(self._inside, self.privacy, self.release, self.more, None, spacing=SPACING)
        scroll_upright(self, self._inside)
        self._inside.installEventFilter(self)
        self.fade = QFrame(self)
        self.fade.setObjectName("fade")
        self.fade.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.release.footer.setParent(self)
        self.release.footer.installEventFilter(self)
        self.release.tuning_button.toggled.connect(self._show_panel)
        self._filling = False
        # deferred: a layout in progress would discard another width
        self.verticalScrollBar().rangeChanged.connect(self._make_room, Qt.ConnectionType.QueuedConnection)
        self.verticalScrollBar().valueChanged.connect(self._show_fade)
        THEME.scaled.connect(self._make_room)
        self._make_room()
        session.watch_others(RELEASE_FIELDS, self, self._follow)
        self._show_panel()

    def _follow(self, fields: frozenset[str]) -> None:
        for panel in self.data_panels:
            panel.refresh(fields)
        self._show_panel()

    def show_controls(self, used: frozenset[str] | None) -> None:
        """Show epsilon, these controls, and a button that shows all; None: all controls."""
        if used != self._used:
            self._used, self._all = used, False
            self._show_panel()

    def fill(self, filling: bool) -> None:
        """Set whether it fills the width and is no higher than the forms."""
        policies = QSizePolicy.Policy
        self.setSizePolicy(policies.Expanding, policies.Maximum if filling else policies.Expanding)
        self._filling = filling
        self._make_room()

    def _make_room(self) -> None:
        """Adapt the width to the forms; the scroll bar stands in the margin of the window."""
        bar = self.verticalScrollBar()
        beside = bar.sizeHint().width()  # also without a bar, so that nothing moves
        width = round(WIDTH * THEME.scale) + beside
        self._forms.setContentsMargins(0, 0, 0 if self._scrolls else beside, 0)
        self.setMinimumWidth(0 if self._filling else width)
        self.setMaximumWidth(QWIDGETSIZE_MAX if self._filling else width)
        self._show_fade()

    @property
    def _scrolls(self) -> bool:
        """Whether a scroll bar stands beside the forms."""
        has_bar = self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded
        return has_bar and self.verticalScrollBar().maximum() > 0

    def _show_fade(self) -> None:
        """Fade out the lower end while there is more to scroll."""
        bar, view = self.verticalScrollBar(), self.viewport().geometry()
        width = view.width() - self._forms.contentsMargins().right()
        self.fade.setGeometry(view.left(), view.bottom() + 1 - FADE, width, FADE)
        self.fade.setVisible(bar.value() < bar.maximum())
        self.fade.raise_()

    @property
    def shows_all(self) -> bool:
        """Whether all controls are visible."""
        return self._all or self._used is None

    @property
    def data(self) -> DataPanel:
        """The data panel of the open page."""
        return self.data_for(self._session.state)

    def data_for(self, state: SessionState) -> DataPanel:
        """Return the data panel for a state, made at first use."""
        for panel in self.data_panels:
            if panel.fits(state):
                return panel
        forms = PAGE_KINDS[state.page].forms
        kind = next(kind for kind in forms if isinstance(state.read_data, kind.choice))
        panel = DataPanel(self._session, state.page, kind)
        for name in REQUESTS:
            getattr(panel, name).connect(getattr(self, name))
        panel.hide()
        self.data_panels.append(panel)
        self._forms.insertWidget(0, panel)
        self.made.emit(panel)
        return panel

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """All rows that can show a problem."""
        return (*self.data.rows, *self.privacy.rows, *self.release.rows)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._inside.sizeHint().height() + self._below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_footer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt to a new height of the forms or the footer."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._place_footer()
        return super().eventFilter(watched, event)

    @property
    def _below(self) -> int:
        """Height of Run and its lines, including the gap, in pixels."""
        return 0 if self.release.footer.isHidden() else SPACING + self._footer_height

    @property
    def _footer_height(self) -> int:
        """Height of Run and of the lines above it at this width, in pixels."""
        footer = self.release.footer
        return max(footer.heightForWidth(self._footer_width), footer.minimumSizeHint().height())

    @property
    def _footer_width(self) -> int:
        return self.viewport().width() - self._forms.contentsMargins().right()

    def _place_footer(self) -> None:
        """Put Run at the lower end, where no choice above moves it.

        Its progress alone shows no scroll bar: beside one, the forms would be narrower for a moment.
        """
        policies = Qt.ScrollBarPolicy
        if not self.release.footer.running:
            self.setVerticalScrollBarPolicy(policies.ScrollBarAsNeeded)
        elif not self._scrolls:
            self.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOff)
        self.setViewportMargins(0, 0, 0, self._below)
        view, footer = self.viewport().geometry(), self.release.footer
        top = view.bottom() + 1 + SPACING
        footer.setGeometry(view.left(), top, self._footer_width, self._footer_height)
        self._show_fade()

    def _show_panel(self, _: object = None) -> None:
        used = None if self.shows_all else self._used
        tuning = used is not None or self.release.tuning_button.isChecked()
        own = self.data.form.advanced_rows(self._session.state.read_data)
        usual = (row for row, stated in own.items() if not stated)
        folded = () if tuning else tuple(usual)
        for row in self.rows:
            row.fold(row in folded or (used is not None and not row.fields & (used | ALWAYS)))
        has_data = used is None or any(row.fields & used for row in self.data.rows)
        has_release = used is None or RUN in used or any(row.fields & used for row in self.release.rows)
        for panel in self.data_panels:
            panel.setVisible(panel is self.data and has_data)
            for row in panel.form.advanced_rows(None) if panel is not self.data else ():
                row.fold(True)
        self.release.adopt(own)
        self.release.setVisible(has_release)
        self.release.footer.setVisible(has_release)
        self.more.setText(FEWER if self._all else MORE)
        self.more.setVisible(self._used is not None)
        self._place_footer()
        self.updateGeometry()
        self._order_tabs()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._order_tabs()

    def focusNextPrevChild(self, forward: bool) -> bool:
        self._order_tabs()
        return super().focusNextPrevChild(forward)

    def _order_tabs(self) -> None:
        """Let Tab reach the data before Run: what a panel made later would come last."""
        tab_through(self.data, self.privacy, self.release, self.release.footer)

    def _on_more(self) -> None:
        self._all = not self._all
        self._show_panel()
        self.all_wanted.emit(self._all)

    def show_problems(self) -> bool:
        """Show each problem beside its field; return whether there is none."""
        state = self._session.state
        results = {} if state.dataset is None else {one.field: one.message for one in problems(state)}
        shown: set[str] = set()
        for row in self.rows:
            mine = [field for field in results if field in row.fields and row.isVisibleTo(self)]
            row.show_problem("; ".join(results[field] for field in mine))
            shown.update(mine)
        elsewhere = [
            text if field == "data" else f"{field}: {text}"
            for field, text in results.items()
            if field not in shown
        ]
        ready = not results and state.dataset is not None
        self.release.show_problems("; ".join(elsewhere), not ready)
        self.ready = ready
        return ready

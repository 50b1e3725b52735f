"""The window: it has a layout, controllers and the handlers of its actions, and follows its session."""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QEvent, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QPaintEvent,
    QResizeEvent,
    QWhatsThisClickedEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow

from app.jobs.channels import Jobs
from app.model.additions import left_out
from app.model.dataset import Dataset
from app.pages.base.view import View
from app.session import Session
from app.settings import Settings
from app.widgets.buttons import ActionTool, corner
from app.widgets.number_box import NumberBox
from app.widgets.plot_table import TableDialog
from app.widgets.style import load_fonts
from app.window.action_handlers import ActionHandlers, build_actions
from app.window.controllers import Controllers
from app.window.file_controller import dropped_file
from app.window.layout import WindowLayout
from app.window.parts import WindowParts
from app.window.status_reporter import StatusReporter

SIZE = (1280, 800)


class MainWindow(QMainWindow):
    """One window on one session.

    `file`: a file to open once the window is painted, or data without a file. Without it an empty session
    opens the last one, else a bundled example. `settings`: storage for theme, geometry, page and files; None
    stores nothing.
    """

    def __init__(
        self, session: Session, file: str | Dataset | None = None, settings: QSettings | None = None
    ) -> None:
        super().__init__()
        self.session = session
        session.setParent(self)
        session.blockSignals(False)
        self._file = file
        self._started = False
        self.jobs = Jobs(self)
        self.settings = Settings(settings, self)
        self.resize(*SIZE)
        load_fonts()
        self.actions_by_name, self.menus = build_actions(self)
        self.body = WindowLayout(session, self.jobs, self.actions_by_name)
        self.setCentralWidget(self.body)
        tools = {"controls": "column", "what_is_this": "help"}
        icons = [ActionTool(self.actions_by_name[name], picture) for name, picture in tools.items()]
        self.menuBar().setCornerWidget(corner(self.menuBar(), *icons))
        status = StatusReporter(session, self.statusBar(), self.body.messages)
        parts = WindowParts(
            *(self, session, self.jobs, self.settings, settings, self.body, status),
            *(self.actions_by_name, self.menus),
        )
        self.controllers = Controllers(parts)
        self.handlers = ActionHandlers(parts, self.controllers)
        self.setAcceptDrops(True)
        self.controllers.session_files.refused.connect(self._begin_after_all)
        session.watch({"page", "workspace", "lesson", "view"}, self, self._follow)
        session.changed.connect(self._show_problems)
        session.leaving.connect(self._finish_typing)
        self.controllers.window_state.restore(page=file is None and session.state.dataset is None)
        self.handlers.refresh()
        self.body.show_page()
        self._show_problems(frozenset())
        self.controllers.status.show_view()
        for problem in self.settings.problems:
            self.body.messages.show_message(problem, kind="warning")
        for line in left_out():
            self.body.messages.show_message(line, kind="warning")

    @property
    def page(self) -> View:
        return self.body.pages.shown

    # Start and end.

    def paintEvent(self, event: QPaintEvent) -> None:
        """Start work after the first painting."""
        super().paintEvent(event)
        if not self._started:
            self._started = True
            QTimer.singleShot(0, self.start)

    def start(self) -> None:
        """Draw the first pictures, and open the window's file."""
        if isinstance(self._file, Dataset):
            self.controllers.data.show_held(self._file)
        elif self._file is not None:
            self.controllers.files.open_path(self._file, decide=True)
        else:
            self.controllers.window_state.begin()
        self.page.start()
        self.controllers.budget_watcher.start()
        for extra in self.controllers.extras.values():
            extra.start()

    def _begin_after_all(self) -> None:
        """Give an empty page its data if the window's session could not be opened."""
        if self.session.state.dataset is None:
            self.controllers.window_state.begin()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close the window, unless unsaved changes need an answer first."""
        controllers, figures = self.controllers, self.controllers.exports.figures
        if not controllers.session_files.may_close():
            event.ignore()
            return
        if figures.busy:  # what was asked for is not lost
            figures.idle.connect(self.close, Qt.ConnectionType.SingleShotConnection)
            event.ignore()
            return
        self._end()
        super().closeEvent(event)

    def _end(self) -> None:
        """Stop all work and keep what the next session needs."""
        self.session.leave_lesson()
        self.controllers.opening.end()
        self.controllers.window_state.store()
        self.jobs.close()
        for extra in self.controllers.extras.values():
            extra.end()
        self.controllers.budget_watcher.end()
        for page in self.body.pages.there:
            page.end()
        # while all of it is still there: the garbage collector knows no order
        self.session.undo_stack.clear()
        gc.unfreeze()  # the pages of this window may go now
        self.session.blockSignals(True)  # nothing of an ended window follows it any more

    def wait_until_idle(self, timeout_ms: int = 60_000) -> bool:
        """Process events until no job runs and nothing waits to be drawn; False after `timeout_ms`."""
        deadline = time.monotonic() + timeout_ms / 1000
        quiet = 0
        while time.monotonic() < deadline:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
            pending = any(page.pending for page in self.body.pages.there)
            drawing = any(canvas is not None and canvas.drawing for canvas in self.page.canvases)
            drawing = drawing or self.controllers.scene.drawing
            pending = pending or self.controllers.opening.pending
            waiting = not self._started or self.jobs.busy or pending or drawing
            quiet = 0 if waiting else quiet + 1
            if quiet >= 4:
                return True
            time.sleep(0.002)
        return False

    # What Qt sends to the window.

    def event(self, event: QEvent) -> bool:
        """Open the page of a link in "What is this?" or of a small "?".

        A window that is deleted without being closed ends while all of its parts exist: otherwise a field
        that loses the focus would change the session of half a window.
        """
        if event.type() == QEvent.Type.DeferredDelete:
            if self.isVisible():
                self.hide()
                self._end()
            self.jobs.finish()
        if isinstance(event, QWhatsThisClickedEvent):
            return self.controllers.help.follow_link(event.href())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.controllers.appearance.fit()
        self.body.fit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the picture under the pointer or the keyboard."""
        self.controllers.exports.open_menu(event.globalPos())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        file = dropped_file(event.mimeData())
        if file:
            self.controllers.files.open_path(file)
            event.acceptProposedAction()

    # What follows from a change of the session.

    def _follow(self, fields: frozenset[str]) -> None:
        messages = self.body.messages
        self.body.show_page()
        if fields & {"page", "workspace", "lesson"}:
            self._close_questions()
            self.controllers.run.forget()
            if self._started:
                self.page.start()
                self.controllers.window_state.begin()
        if "view" in fields:
            messages.clear()
            self.controllers.status.show_view()
            self._close_questions()
            for dialog in self.findChildren(TableDialog):
                dialog.close()

    def _show_problems(self, fields: frozenset[str]) -> None:
        run = self.controllers.run
        if fields != {"releases"}:  # in each view it is said what may be seen there
            run.show_problems()
        if not self.session.state.uses_noise:
            run.forget_certificate()
        commands = self.controllers.commands
        if commands.palette.isVisible():
            commands.refresh()  # at the end: it offers what all others show now

    def _finish_typing(self) -> None:
        """Commit half-typed values; later they would apply to other data."""
        box = QApplication.focusWidget()
        if box is not None and self.isAncestorOf(box):
            if isinstance(box, NumberBox):
                box.commit()
            elif isinstance(box, QLineEdit):
                box.clearFocus()

    def _close_questions(self) -> None:
        """Close questions about things that are no longer in sight."""
        self.controllers.imports.close()
        for extra in self.controllers.extras.values():
            extra.close()
        self.controllers.confirmation.close()
        self.controllers.sheet.close()

"""The interface of pages and workspaces to the window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Channel, Jobs
from app.model.references import Loader
from app.model.view_states import ViewState
from app.model.wording.buttons import BUTTONS
from app.session import Session
from app.widgets.form_row import refusal_in
from app.widgets.number_box import commit_typing
from app.widgets.picture_loading import load_pictures

if TYPE_CHECKING:
    from app.model.pages.workspaces import RunButton
    from app.model.state import SessionState
    from app.model.view_states import AuditChoice, WallView
    from app.pages.base.noise_cloud import NoiseCloud
    from app.pages.base.picture_panel import PicturePanel
    from app.pages.base.second_picture import SecondPicture
    from app.widgets.open_invitation import OpenInvitation
    from app.widgets.plot_canvas import PlotCanvas
    from engine.comparison import Comparison


class View(QWidget):
    """A page with its own data, or a workspace on the data of the last page."""

    name: str  # its name in `SessionState.visible_view`
    card: PicturePanel | None = None  # the pictures; None where there are none
    second: SecondPicture | None = None  # the second picture, if supported
    noise: NoiseCloud | None = None  # possible answers in the picture of the data, if supported
    opening: OpenInvitation | None = None  # opens data on an empty page, if supported
    failed = Signal(object)  # a job failed
    saved = Signal(object)  # something was saved; the message says what
    refused = Signal(str)  # an action is impossible; the message says why
    purpose_changed = Signal()  # `purpose` or `is_ready` may have changed

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__()
        self._session = session
        self._pending_view_state: ViewState | None = None
        # imports the modules of the pictures
        self.pictures = jobs.channel(f"pictures of {self.name}", self._on_pictures)

    # The open picture.

    @property
    def _made(self) -> bool:
        """Whether there can be pictures."""
        return self.card is not None and self.card.made

    @property
    def is_open(self) -> bool:
        """Whether it is visible."""
        return self._session.state.visible_view == self.name

    @property
    def is_ready_to_show(self) -> bool:
        """Whether pictures can be made and are visible."""
        return self._made and self.is_open

    @property
    def view_state(self) -> ViewState:
        """The open picture, or the one that will open with the page."""
        return self._view_state() if self._pending_view_state is None else self._pending_view_state

    def restore_view_state(self, view_state: ViewState) -> None:
        """Open an earlier view state, at once or once there is something to show."""
        self._pending_view_state = view_state
        self.refresh()

    def drop_pending_view_state(self) -> None:
        """Cancel a scheduled view state."""
        self._pending_view_state = None

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Follow the session."""

    def _view_state(self) -> ViewState:
        return ViewState()

    def _apply_view_state(self, view_state: ViewState) -> None:
        """Open a view state, after its public choices are available."""

    def _apply_pending_view_state(self) -> bool:
        """Open a scheduled view state; return whether there was one."""
        pending, self._pending_view_state = self._pending_view_state, None
        if pending is not None:
            self._apply_view_state(pending)
        return pending is not None

    # The first pictures.

    @property
    def loaders(self) -> Sequence[Loader]:
        """Load the picture modules in advance, in a worker."""
        return ()

    def start(self) -> None:
        """Make the first pictures; called after the window's first paint."""
        if self.card is not None and not self._made and not self.pictures.busy:
            self.pictures.request(partial(load_pictures, self.loaders))

    def _on_pictures(self, _: bool) -> None:
        self._make()
        assert self.card is not None
        self.card.made = True
        self._begin()

    def _make(self) -> None:
        """Make the first pictures."""

    def _begin(self) -> None:
        """Show the state in the new pictures."""
        self.refresh()

    # Work.

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The job that shows progress and can be cancelled."""
        return ()

    @property
    def pending(self) -> bool:
        """Whether a request is about to start."""
        return False

    @property
    def busy(self) -> bool:
        """Whether work is running that can be cancelled."""
        return any(channel.busy for channel in self.channels)

    def cancel(self) -> None:
        """Stop the work."""
        for channel in self.channels:
            channel.cancel()

    def end(self) -> None:
        """End all processes when the window closes."""

    # Actions.

    @property
    def action(self) -> str:
        """The label of Run in the menu."""
        return self.purpose.text if self.purpose is not None and self.purpose.primary else BUTTONS["run"]

    @property
    def action_help(self) -> str:
        """The tooltip of Run in the menu."""
        primary = self.purpose is not None and self.purpose.primary
        return self.purpose.help if self.purpose is not None and primary else "Make one release"

    @property
    def purpose(self) -> RunButton | None:
        """The action of the large button of the form; None for Run."""
        return None

    def show_start(self, shown: bool) -> None:
        """Show or hide the button of the page that does the same as the large button."""

    def is_stopped(self) -> bool:
        """Take the text that the user is typing; tell whether a refused field stops the page's action."""
        commit_typing()
        problem = refusal_in(self.window())
        if problem:
            self.refused.emit(problem)
        return bool(problem)

    def is_ready(self, form: bool) -> bool:
        """Return whether Run can start; on a page, whether the `form` is valid."""
        return form

    def run(self) -> bool:
        """Run this workspace's own action; return False on a page, where Run makes a release."""
        return False

    def take(self) -> bool:
        """Trigger the large button of this workspace; return False on a page, where it is Run."""
        return False

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that alone describes everything visible here."""
        return state

    def choose(self, **chosen: Any) -> None:
        """Set options by name, if they exist here."""

    def choose_layers(self, layers: frozenset[str]) -> None:
        """Draw only these layers of the open picture, or all where none is named."""

    def demonstrate(self, tab: str) -> None:
        """Open a picture by name, and start its work without confirmation."""
        self.show_tab(tab)

    def show_audit(self, choice: AuditChoice, shows: str | None = None, *, played: Any = None) -> None:
        """Open and start the audit with these choices, if there is one."""

    # Visible contents.

    @property
    def headline(self) -> str:
        """The sentence above the page in presentation mode; "" where its pictures have one."""
        return ""

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture to save."""
        return None if self.card is None else self.card.canvas

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        """All visible pictures."""
        return self.canvas, None if self.second is None else self.second.canvas

    @property
    def compared(self) -> Comparison | None:
        """The comparison that is shown."""
        return None

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        """The visible numbers if there is no picture: file name, header and rows."""
        return None

    def show_wall(self, wall: WallView | None) -> None:
        """Show the picture of a step and little else; None: everything."""
        if self.card is not None:
            self.card.show_wall(wall)

    def show_tab(self, tab: str) -> None:
        """Open a picture by name."""
        if self.card is not None:
            self.card.show_tab(tab)

    def rewrite(self) -> None:
        """Update all numbers to another format."""
        if self.card is not None:
            from app.widgets.plot_canvas import PlotCanvas

            for canvas in self.card.findChildren(PlotCanvas):
                canvas.restyle()

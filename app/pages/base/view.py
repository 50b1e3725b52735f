"""What the window needs of everything that can stand in its middle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Channel, Jobs
from app.model.references import Loader
from app.model.theme import Palette
from app.model.view_states import ViewState
from app.session import Session
from app.widgets.picture_loading import load_pictures

if TYPE_CHECKING:
    from app.model.pages.workspaces import RunButton
    from app.model.state import SessionState
    from app.model.view_states import AuditChoice
    from app.pages.base.picture_panel import PicturePanel
    from app.pages.base.second_picture import SecondPicture
    from app.widgets.plot_canvas import PlotCanvas
    from engine.comparison import Comparison


class View(QWidget):
    """A page with data of its own, or a workspace on the data of the page from which one came."""

    name: str  # its name in `SessionState.visible_view`
    action = "&Run"  # the label of Run in the menu
    card: PicturePanel | None = None  # the pictures; None where there are none
    second: SecondPicture | None = None  # the second picture, where there can be one
    failed = Signal(object)  # a job ended with an error
    saved = Signal(object)  # something was saved; the message says what
    refused = Signal(str)  # what the user asked for cannot be done; the message says why
    purpose_changed = Signal()  # `purpose`, or what `is_ready` says, may be other ones

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._scale = 1.0
        self._pending_view_state: ViewState | None = None
        self._made = False
        # imports the modules of the pictures
        self.pictures: Channel = jobs.channel(f"pictures of {self.name}")
        self.pictures.result.connect(self._on_pictures)

    # What is open.

    @property
    def is_open(self) -> bool:
        """Whether users look at it."""
        return self._session.state.visible_view == self.name

    @property
    def is_ready_to_show(self) -> bool:
        """Whether pictures can be made, and are looked at."""
        return self._made and self.is_open

    @property
    def view_state(self) -> ViewState:
        """What is open here, or will be once the user goes there."""
        return self._view_state() if self._pending_view_state is None else self._pending_view_state

    def restore_view_state(self, view_state: ViewState) -> None:
        """Open what was open, at once or as soon as there is something to see."""
        self._pending_view_state = view_state
        self.refresh()

    def drop_pending_view_state(self) -> None:
        """Stay as it is, whatever was to be opened."""
        self._pending_view_state = None

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Follow the session."""

    def _view_state(self) -> ViewState:
        """Return what is open now."""
        return ViewState()

    def _apply_view_state(self, view_state: ViewState) -> None:
        """Open that; its public choices are offered already."""

    def _apply_pending_view_state(self) -> bool:
        """Open what was waiting for the user to come; return whether there was anything."""
        pending, self._pending_view_state = self._pending_view_state, None
        if pending is not None:
            self._apply_view_state(pending)
        return pending is not None

    # The first pictures.

    @property
    def loaders(self) -> Sequence[Loader]:
        """Load the pictures beforehand, in a worker."""
        return ()

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        if self.card is not None and not self._made and not self.pictures.busy:
            self.pictures.request(partial(load_pictures, self.loaders))

    def _on_pictures(self, _: bool) -> None:
        self._make()
        self._made = True
        self.set_palette(self._palette)
        self._begin()

    def _make(self) -> None:
        """Make the first pictures."""

    def _begin(self) -> None:
        """Show what there is, now that there are pictures."""
        self.refresh()

    # Work.

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Work whose progress is shown, and which can be cancelled."""
        return ()

    @property
    def pending(self) -> bool:
        """Whether a request is about to start."""
        return False

    @property
    def busy(self) -> bool:
        """Whether users wait for work that can be cancelled and shows no progress in the status bar."""
        return False

    def cancel(self) -> None:
        """Stop the work."""

    def end(self) -> None:
        """Leave no process behind; the window closes."""

    # What can be done.

    @property
    def purpose(self) -> RunButton | None:
        """What the large button of the form does; None where it is Run."""
        return None

    def is_ready(self, form: bool) -> bool:
        """Return whether Run can begin; on a page, whether the `form` makes sense."""
        return form

    def run(self) -> bool:
        """Do what Run does in this workspace; False on a page, where it makes a release."""
        return False

    def take(self) -> bool:
        """Do what the large button of the form does in this workspace; False on a page, where it is Run."""
        return False

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that says by itself all that is seen here."""
        return state

    def choose(self, **chosen: Any) -> None:
        """Choose values of options by name, if there are such here."""

    def choose_layers(self, layers: frozenset[str]) -> None:
        """Draw only these layers of the open picture, or all where none is named."""

    def demonstrate(self, tab: str) -> None:
        """Open a picture by name, and begin what it shows without asking."""
        self.show_tab(tab)

    def show_audit(self, choice: AuditChoice, shows: str | None = None, *, folded: bool = False) -> None:
        """Open the audit with these choices and start it, where there is one."""

    # What is seen.

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that can be saved."""
        return None if self.card is None else self.card.canvas

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        """All pictures in sight."""
        return self.canvas, None if self.second is None else self.second.canvas

    @property
    def compared(self) -> Comparison | None:
        """The comparison that is shown."""
        return None

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        """The numbers in sight where there is no picture: a name for a file, header and rows."""
        return None

    def show_tab(self, tab: str) -> None:
        """Open a picture by name."""
        if self.card is not None:
            self.card.show_tab(tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        if self.card is not None and self._made:
            self.card.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self._scale = scale
        if self.card is not None:
            self.card.set_scale(scale)

    def rewrite(self) -> None:
        """Write all numbers anew, in another format."""
        if self.card is not None:
            from app.widgets.plot_canvas import PlotCanvas

            for canvas in self.card.findChildren(PlotCanvas):
                canvas.restyle()
            self.set_scale(self._scale)

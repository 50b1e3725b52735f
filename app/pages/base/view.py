"""What the window needs of everything that can stand in its middle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.model.theme import Palette
from app.model.view_states import ViewState
from app.session import Session

if TYPE_CHECKING:
    from app.jobs.channels import Channel
    from app.model.audit_choice import AuditChoice
    from app.model.run_button import RunButton
    from app.model.state import SessionState
    from app.pages.base.two_pictures import TwoPictures
    from app.widgets.plot_canvas import PlotCanvas
    from engine.comparison import Comparison


class View(QWidget):
    """A page with data of its own, or a room to which one takes them along.

    Attributes
    ----------
    name : str
        What `SessionState.visible_view` calls it.
    action : str
        What Run is called in the menu.
    purpose : RunButton or None
        What the large button of the form does; None where it is Run.
    compared : Comparison or None
        What was compared here.
    two : TwoPictures or None
        What shows a second picture beside the open one.

    Signals
    -------
    failed(Failure)
        A job ended with an error.
    saved(str)
        Something was saved; the words say what.
    refused(str)
        What the user asked for cannot be done; the words say why.
    purpose_changed()
        `purpose`, or what `is_ready` says, may be other ones.
    """

    name: str
    action = "&Run"
    two: TwoPictures | None = None
    failed = Signal(object)
    saved = Signal(object)
    refused = Signal(str)
    purpose_changed = Signal()

    def __init__(self, session: Session, palette: Palette) -> None:
        super().__init__()
        self._session = session
        self._palette = palette
        self._scale = 1.0
        self._pending_view_state: ViewState | None = None

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
        """Open that; what it is chosen from is offered already, as far as it is public."""

    def _apply_pending_view_state(self) -> bool:
        """Open what was waiting for the user to come; tell whether there was anything."""
        pending, self._pending_view_state = self._pending_view_state, None
        if pending is not None:
            self._apply_view_state(pending)
        return pending is not None

    @property
    def is_open(self) -> bool:
        """Whether users look at it."""
        return self._session.state.visible_view == self.name

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What is worked on here, to be shown and cancelled."""
        return ()

    @property
    def purpose(self) -> RunButton | None:
        """What the large button of the form does; None where it is Run."""
        return None

    @property
    def compared(self) -> Comparison | None:
        """What was compared here, as far as it is."""
        return None

    def is_ready(self, form: bool) -> bool:
        """Tell whether Run can begin; on a page that is so when the `form` makes sense."""
        return form

    def settled(self, state: SessionState) -> SessionState:
        """Return a state that says by itself all that is seen here."""
        return state

    @property
    def pending(self) -> bool:
        """Whether a request is about to start."""
        return False

    @property
    def busy(self) -> bool:
        """Whether users wait for something here that can be cancelled, as far as it shows no progress."""
        return False

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that can be saved."""
        return None

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        """All pictures in sight."""
        return (self.canvas,)

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        """The numbers in sight where there is no picture: a name for a file, header and rows."""
        return None

    def run(self) -> bool:
        """Do what Run does in this room; False on a page, where it makes a release."""
        return False

    def take(self) -> bool:
        """Do what the large button of the form does in this room; False on a page, where it is Run."""
        return False

    def rest(self) -> bool:
        """Drop what comes back by itself, since users have been elsewhere for long; tell whether it did."""
        return False

    def rewrite(self) -> None:
        """Write all numbers anew, with other signs."""

    def end(self) -> None:
        """Leave nothing behind; the window closes."""

    def show_tab(self, tab: str) -> None:
        """Open a picture by name."""

    def choose(self, **chosen: Any) -> None:
        """Choose values of options by name, as far as there are such here."""

    def demonstrate(self, tab: str) -> None:
        """Open a picture by name, and begin what it shows without asking."""
        self.show_tab(tab)

    def show_audit(self, choice: AuditChoice, shows: str | None = None, *, folded: bool = False) -> None:
        """Open the audit with these choices and start it, where there is one."""

    def start(self) -> None:
        """Make what is seen first; called once the window has been painted."""

    def cancel(self) -> None:
        """Stop what is being worked out for it."""

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self._scale = scale

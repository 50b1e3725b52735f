"""The opening scene, over the whole window: one record, two sensitivities, two observers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number
from app.widgets.card import caption
from app.widgets.layouts import Bend, stack, together
from app.widgets.number_box import LogSlider

TITLE = "One record moves. Which noise gives it away?"
WORDS = (
    "Drag the blue dot to the right (or press → ). As it leaves the group, the local sensitivity jumps; the "
    "smooth sensitivity was high already. Invented data. F11: full screen."
)
STEP = 2.0
PRESENTED = 1.4
"""The font scale of presentation mode."""
ORDINARY, MAX_SCALE = (1280, 800), 2.0
"""The window size with the ordinary font, and the largest scale in larger windows."""


class LeapScene(QFrame):
    """Covers the window until it is closed."""

    closed = Signal()  # the user has seen it
    opened = Signal(float)  # continue in the workbench, with this epsilon
    file_wanted = Signal()  # continue with the user's own data
    save_wanted = Signal(float)  # save an animation, with this epsilon
    screen_wanted = Signal()  # whether the scene fills the screen

    def __init__(self, over: QWidget, palette: Palette = LIGHT, scale: float = 1.0) -> None:
        super().__init__(over)
        from app.plots.opening import LeapPicture
        from app.widgets.plot_canvas import PlotCanvas
        from engine.analysis.leap import HOME

        self._over = over
        self.position, self.epsilon = HOME, 1.0
        self.setObjectName("scene")
        self.setAccessibleName(TITLE)
        title = QLabel(TITLE)
        title.setObjectName("big")
        self.canvas = PlotCanvas(
            LeapPicture, "One record that you can drag, and the beliefs of two observers"
        )
        self.canvas.private = False
        self.canvas.pressed.connect(self._on_moved)
        self.canvas.moved.connect(self._on_moved)
        self.canvas.nudged.connect(self._on_nudged)
        self.slider = LogSlider("Epsilon of the scene", 0.1, 10.0)
        self.slider.setFixedWidth(220)
        self.slider.moved.connect(self._on_epsilon)
        self.value = QLabel()
        self.save = QPushButton("Save as animation…")
        self.save.clicked.connect(lambda: self.save_wanted.emit(self.epsilon))
        self.skip = QPushButton("Skip (Esc)")
        self.skip.clicked.connect(self.closed)
        self.file = QPushButton("Open a file…")
        self.file.setToolTip("Start with your own data: CSV, TSV, Parquet and others")
        self.file.clicked.connect(self.file_wanted)
        self.go = QPushButton("Open it in the workbench")
        self.go.setObjectName("run")
        self.go.clicked.connect(lambda: self.opened.emit(self.epsilon))
        self._extras = caption(WORDS, name="text"), self.save, self.file
        title.setWordWrap(True)
        for above in (title, self._extras[0]):
            above.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        foot = Bend()
        foot.setSpacing(8)
        foot.addWidget(together(self.value, self.slider, self.save), 0, Qt.AlignmentFlag.AlignLeft)
        foot.addWidget(together(self.skip, self.file, self.go), 1, Qt.AlignmentFlag.AlignRight)
        stack(self, title, self._extras[0], (self.canvas, 1), foot, margins=(28, 20, 28, 18), spacing=8)
        self.set_look(palette, scale)
        self.slider.show_value(self.epsilon)
        self._show()
        over.installEventFilter(self)

    def set_look(self, palette: Palette, scale: float) -> None:
        """Set colours and font size; a larger font leaves room for the picture and its controls only."""
        self._scale = scale
        self.canvas.set_palette(palette)
        for extra in self._extras:
            extra.setVisible(scale < PRESENTED)
        self._fit()

    def _fit(self) -> None:
        """Fill the window, and scale the font with it."""
        self.setGeometry(self._over.rect())
        size = self._over.size()
        room = min(size.width() / ORDINARY[0], size.height() / ORDINARY[1])
        self.canvas.set_text_scale(max(self._scale, min(room, MAX_SCALE)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def event(self, event: QEvent) -> bool:
        """Block the shortcuts of the covered window."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab inside the scene."""
        widgets = self.canvas, self.slider, self.save, self.skip, self.file, self.go
        order = [widget for widget in widgets if not widget.isHidden()]
        index = next((index for index, widget in enumerate(order) if widget.hasFocus()), 0)
        order[(index + (1 if forward else -1)) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Esc (close), and F11 or a clicker's F5 (full screen)."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_F11, Qt.Key.Key_F5):
            self.screen_wanted.emit()
        else:
            super().keyPressEvent(event)

    def move_to(self, position: float) -> None:
        from engine.analysis.leap import DOMAIN

        self.position = float(DOMAIN.clamp(position))
        self._show()

    def _show(self) -> None:
        from engine.analysis.leap import leap_scene

        self.value.setText(f"ε = {number(self.epsilon)}")
        self.canvas.show_result(leap_scene(self.position, self.epsilon))

    def _on_moved(self, x: float, y: float) -> None:
        self.move_to(x)

    def _on_nudged(self, right: int, up: int) -> None:
        self.move_to(self.position + STEP * (right + up))

    def _on_epsilon(self, epsilon: float) -> None:
        self.epsilon = epsilon
        self._show()

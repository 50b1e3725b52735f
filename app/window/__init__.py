"""The main window: its layout, and one controller per task."""

# first: PySide reads the source of every module that is imported after it, which takes 50 ms
import app.model.pages.registry
import app.model.state  # noqa: F401

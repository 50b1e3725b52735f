"""The main window: its layout, and one controller per task."""

from app.widgets.plain_imports import import_qt

import_qt()  # before any module of this room asks for Qt itself

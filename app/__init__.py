"""Shows what the engine computes: the window, the pictures and the command line."""

from app.qt_repair import keep_constants

keep_constants()

"""Import the drawing code in a worker: it takes half a second."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from app.model.references import Loader
from engine.histograms.histogram import uncollected
from engine.progress import Progress


def load_pictures(pictures: Sequence[Loader], progress: Progress) -> bool:
    """Import the canvas and some pictures; return whether any of it was not there before."""
    before = len(sys.modules)
    with uncollected():  # nothing of it ever is garbage, and what comes later is searched without it
        import_module("app.widgets.plot_canvas")
        for step, load in enumerate(pictures):
            progress((1 + step) / (1 + len(pictures)))
            load()
        loaded = len(sys.modules) > before
        if loaded:
            gc.freeze()
    return loaded

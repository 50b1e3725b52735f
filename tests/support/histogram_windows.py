"""Points for the page "Histogram", and what is done there."""

import numpy as np

from app.model.pages.histogram import PICTURES

OF_SHIFTED = tuple(spec.name for spec in PICTURES if "cells" in spec.of or spec.of == "shifted")
"""Tabs of a shifted histogram."""

PLANE = tuple(tab for tab in OF_SHIFTED if tab != "levels")
"""Tabs of a shifted histogram where all of its dimensions are drawn."""


def heap(n=400, d=2):
    """Return columns of n points of the unit cube, most of them near one place."""
    rng = np.random.default_rng(5)
    points = np.clip(0.3 + 0.1 * rng.standard_normal((n, d)), 0, 1)
    points[: n // 8] = rng.random((n // 8, d))
    return dict(zip("xyzuvw", points.T, strict=False))


def result(window):
    return window.page.canvas.picture.result


def wait(window):
    assert window.wait_until_idle(30_000)
    return result(window)


def open_tab(window, tab):
    window.page.show_tab(tab)
    return wait(window)


def release(window):
    """Make a release, as if the question whether exact counts may be released was answered."""
    window.controllers.releases.run()
    wait(window)
    return window.session.state.releases[-1].release

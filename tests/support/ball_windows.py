"""Points for the page about balls, and what is done there."""

import numpy as np
from seen import choose

CENTER, T, FEW = np.array([0.6, 0.3]), 500, 24


def cluster(n=1500, d=2, held=700):
    """Return columns of n points of the unit cube, of which `held` lie near one place."""
    rng = np.random.default_rng(5)
    points = rng.random((n, d))
    points[:held] = np.resize(CENTER, d) + rng.uniform(-0.02, 0.02, (held, d))
    return dict(zip("xyzuvw", points.T, strict=False))


def result(window):
    return window.page.canvas.picture.result


def open_tab(window, tab):
    window.page.show_tab(tab)
    assert window.wait_until_idle(30_000)
    return result(window)


def ask(window, query, **parameters):
    """Ask for another mechanism, with parameters."""
    choose(window.body.column.release.form.chooser("query").box, query)
    for name, value in parameters.items():
        window.session.set_parameter(value, name)
    assert window.wait_until_idle(30_000)


def run(window):
    window.controllers.run.start()
    assert window.wait_until_idle(30_000)
    return window.session.state.releases[-1].release

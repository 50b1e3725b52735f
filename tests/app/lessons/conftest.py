"""One window in which all lessons of a module are played."""

import pytest

PATIENCE = 60_000  # milliseconds; on a busy machine


@pytest.fixture(scope="module")
def stage(qapp):
    """Return a shown, idle window on the bundled data that a first start shows."""
    from app.session import Session
    from app.window.main_window import MainWindow

    with pytest.MonkeyPatch.context() as patch:
        # processes end as soon as the room about comparisons is left, and not some time later
        patch.setattr("app.pages.compare.runner.AWAY_MS", 0)
        window = MainWindow(Session())
    window.resize(1280, 800)
    window.show()
    assert window.wait_until_idle(PATIENCE)
    yield window
    window.close()
    window.deleteLater()

"""A package from elsewhere, and one window in which all that it adds is asked for."""

import importlib
import sys

import pytest
from doors import PATIENCE


@pytest.fixture(scope="module")
def outside():
    """Import the package, which registers what it adds; forget all of it afterwards."""
    from app.model.kinds.registry import KINDS
    from app.model.pages.registry import PAGE_KINDS, PAGES
    from app.releases.registry import SHAPES
    from engine.catalog import FAMILIES

    registries = (*FAMILIES.values(), KINDS, PAGES, PAGE_KINDS, SHAPES)
    before = [dict(registry) for registry in registries]
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]
    for module in ("components", "kind", "page", "picture", "shape"):
        importlib.import_module(f"outside.{module}")

    yield sys.modules["outside"]
    for registry, known in zip(registries, before, strict=True):
        registry.clear()
        registry.update(known)


@pytest.fixture(scope="module")
def stage(qapp, outside):
    """Return a shown, idle window that was opened after all had been registered."""
    from app.pages.compare.runner import ComparisonAnalysis
    from app.session import Session
    from app.window.main_window import MainWindow

    with pytest.MonkeyPatch.context() as patch:
        # in this process: starting others takes seconds, and is tested where they are at home
        patch.setattr(ComparisonAnalysis, "_for", lambda *_: None)
        window = MainWindow(Session())
        window.show()
        assert window.wait_until_idle(PATIENCE)
        yield window
        window.controllers.session_files._closing = True
        window.close()
        window.deleteLater()

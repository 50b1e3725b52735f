"""The scripts in packaging/ are no package: load them by their path, as starting them does."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture
def script(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Import a file of packaging/ by name, for this test only."""
    monkeypatch.syspath_prepend(root / "packaging")
    names = {file.stem for file in (root / "packaging").glob("*.py")}
    hidden = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(hidden)


@pytest.fixture
def environment(
    script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ModuleType:
    """``setup_environment`` working in a small project of its own, with a .venv that has no stamp yet."""
    module = script("setup_environment")
    house = tmp_path / "a house with spaces"
    monkeypatch.setattr(module, "ROOT", house)
    monkeypatch.setattr(module, "VENV", house / ".venv")
    (house / "packaging").mkdir(parents=True)
    (house / "pyproject.toml").write_text("[project]")
    for lock in module.LOCKS:
        (house / "packaging" / lock).write_text(f"{lock}==1")
    module.venv_python().parent.mkdir(parents=True)
    module.venv_python().symlink_to(sys.executable)
    return module

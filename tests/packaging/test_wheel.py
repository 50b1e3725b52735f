"""What ``pip install .`` installs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def unpacked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contents of the wheel, as they would lie in site-packages."""
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-P", "-c", code, out], cwd=root, check=True, capture_output=True)
    with zipfile.ZipFile(next(out.glob("*.whl"))) as wheel:
        wheel.extractall(out / "site")
    return out / "site"


def test_three_packages_are_installed(unpacked: Path) -> None:
    assert {entry.name for entry in unpacked.iterdir() if entry.suffix != ".dist-info"} == {
        "app",
        "engine",
        "sensiscope",
    }
    assert (unpacked / "engine" / "py.typed").is_file()
    assert (unpacked / "engine" / "__init__.pyi").is_file()


def test_every_module_is_installed(unpacked: Path, root: Path) -> None:
    for package, house in {"app": root, "engine": root, "sensiscope": root / "packaging"}.items():
        modules = {file.relative_to(house) for file in (house / package).rglob("*.py")}
        assert modules == {
            file.relative_to(unpacked)
            for file in (unpacked / package).rglob("*.py")
            if "resources" not in file.relative_to(unpacked).parts[:-1]
        }


def test_resources_lie_inside_app_and_are_found_there(unpacked: Path, root: Path, tmp_path: Path) -> None:
    files = (file.relative_to(root) for file in (root / "resources").rglob("*") if file.is_file())
    bundled = {file for file in files if file.parts[1] not in ("guides", "screenshots")}  # beside the README
    installed = unpacked / "app" / "resources"
    assert {file.relative_to(unpacked / "app") for file in installed.rglob("*") if file.is_file()} == bundled
    assert bundled, "there are resources"
    code = "from engine.resources import resource; print(resource())"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(answer.stdout.strip()).samefile(installed)


def test_what_the_metadata_says(unpacked: Path) -> None:
    info = next(unpacked.glob("sensiscope-*.dist-info"))
    assert "sensiscope = app.__main__:main" in (info / "entry_points.txt").read_text()
    assert "MIT License" in (info / "licenses" / "LICENSE").read_text()
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    assert "License-Expression: MIT" in metadata
    assert "Description-Content-Type: text/markdown" in metadata
    assert "editables" not in metadata, "the editable installation needs it, people do not"

"""What ``pip install .`` installs."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def unpacked(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The contents of the wheel, as they would lie in site-packages."""
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("wheel")
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, out], cwd=root, check=True, capture_output=True, text=True
    )
    (out / "said.txt").write_text(done.stdout + done.stderr)
    with zipfile.ZipFile(next(out.glob("*.whl"))) as wheel:
        wheel.extractall(out / "site")
    return out / "site"


def test_three_packages_are_installed(unpacked: Path) -> None:
    assert {entry.name for entry in unpacked.iterdir() if entry.suffix not in (".dist-info", ".data")} == {
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


def test_a_desktop_finds_it(unpacked: Path) -> None:
    (data,) = unpacked.glob("sensiscope-*.data")
    assert {
        file.relative_to(data / "data" / "share").as_posix() for file in data.rglob("*") if file.is_file()
    } == {
        "applications/sensiscope.desktop",
        "icons/hicolor/scalable/apps/sensiscope.svg",
        "metainfo/sensiscope.metainfo.xml",
        "mime/packages/sensiscope.xml",
    }


def test_what_the_metadata_says(unpacked: Path) -> None:
    info = next(unpacked.glob("sensiscope-*.dist-info"))
    assert "sensiscope = app.__main__:main" in (info / "entry_points.txt").read_text()
    assert "[gui_scripts]\nsensiscope-window = app.__main__:main" in (info / "entry_points.txt").read_text()
    assert "MIT License" in (info / "licenses" / "LICENSE").read_text()
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    assert "License-Expression: MIT" in metadata
    assert "Description-Content-Type: text/markdown" in metadata
    assert "editables" not in metadata, "the editable installation needs it, people do not"


def test_building_says_whether_a_public_address_is_missing(unpacked: Path, root: Path) -> None:
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = (unpacked.parent / "said.txt").read_text()
    assert ("no public address: name it in pyproject.toml" in said) == (
        "Source" not in declared.get("urls", {})
    )


def test_one_public_address_is_enough_for_links_and_pictures(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    for name in ("README.md", "LICENSE", "packaging/addresses.py", "engine/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    trial = '[project.urls]\nSource = "https://example.org/sensiscope"\n'
    declared = "urls" in tomllib.loads(project)["project"]
    (tmp_path / "pyproject.toml").write_text(project if declared else project + trial)
    code = "from hatchling.build import prepare_metadata_for_build_wheel as made; made('.')"
    subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, check=True, capture_output=True)
    metadata = next(tmp_path.glob("*.dist-info/METADATA")).read_text(encoding="utf-8")
    (version,) = (line.split()[1] for line in metadata.splitlines() if line.startswith("Version: "))
    address = metadata.split("Project-URL: Source, ")[1].split()[0]
    assert f"]({address}/raw/v{version}/resources/screenshots/leap.gif)" in metadata
    assert f"[tour]({address}/blob/v{version}/resources/guides/tour.md)" in metadata
    assert "](resources/" not in metadata.replace("`", "")


def test_code_and_other_addresses_stay(script: Callable[[str], ModuleType]) -> None:
    text = "[a](b.md), `[a](b.md)`, [c](https://d), [`e/`](e/f), [g](#h)\n```\n![i](j.png)\n```\n"
    assert script("addresses").with_addresses(text, "https://x/", "1") == (
        "[a](https://x/blob/v1/b.md), `[a](b.md)`, [c](https://d), [`e/`](https://x/blob/v1/e/f), [g](#h)\n"
        "```\n![i](j.png)\n```\n"
    )

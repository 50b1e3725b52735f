"""What the project puts on the import path, and what stands where."""

import configparser
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

FILES = {"CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml"}
FOLDERS = {"app", "engine", "packaging", "resources", "tests"}


def python(code: str, folder: Path) -> str:
    """Run code in a folder that is then on the import path, as it is for `python -c`."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def test_packaging_and_tests_are_no_packages(root: Path) -> None:
    for folder in ("packaging", "resources", "tests"):
        packages = {file.parent for file in (root / folder).rglob("__init__.py")}
        assert packages <= {root / "packaging" / "sensiscope", root / "tests" / "support" / "text_numbers"}


def test_packaging_stays_the_library_of_that_name(root: Path) -> None:
    file = Path(python("import packaging; print(packaging.__file__)", root))
    assert file.name == "__init__.py"
    assert root / "packaging" not in file.parents


def test_installed_editable_only_app_and_engine_are_exposed(root: Path, tmp_path: Path) -> None:
    names = ("app", "engine", "packaging", "resources", "tests")
    code = f"""if True:
        from importlib.util import find_spec
        for name in {names}:
            if spec := find_spec(name):
                print(*spec.submodule_search_locations, sep="\\n")
    """
    locations = python(code, tmp_path).splitlines()
    assert [name for name in names if str(root / name) in locations] == ["app", "engine"]


def test_scripts_do_not_shadow_what_they_import(root: Path) -> None:
    """Their folder comes first on the path when they are started."""
    names = {file.stem for file in (root / "packaging").glob("*.py")}
    assert names & set(sys.stdlib_module_names) <= {"test"}, "nothing imports Python's own tests"


def test_the_top_level_is_fixed(root: Path) -> None:
    command = ["git", "ls-files"]
    try:
        listing = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    names = {line.split("/")[0] for line in listing.splitlines()}
    assert {name for name in names if not name.startswith(".")} <= FILES | FOLDERS


def test_the_desktop_entry_starts_what_is_installed(root: Path) -> None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(root / "packaging" / "linux" / "sensiscope.desktop", encoding="utf-8")
    entry = parser["Desktop Entry"]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command, argument = entry["Exec"].split()
    assert command == entry["TryExec"]
    assert command in project["scripts"]
    assert argument == "%f", "the window opens one file"
    assert entry["Comment"] == project["description"]
    assert (root / "resources" / "icons" / f"{entry['Icon']}.svg").is_file()

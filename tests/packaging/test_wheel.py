"""What ``pip install .`` installs."""

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from engine import Median


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


def run(unpacked: Path, folder: Path, *words: str) -> str:
    """Run Python in a folder of a user, with the packages of the wheel, and return its output."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def names_taken(tmp_path: Path) -> Path:
    """A folder in which a user has an ``engine.py`` and a folder ``app``."""
    (tmp_path / "engine.py").write_text("raise RuntimeError('the engine of the user')\n")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise RuntimeError('the app of the user')\n")
    return tmp_path


def test_one_package_is_installed(unpacked: Path) -> None:
    assert {entry.name for entry in unpacked.iterdir() if entry.suffix not in (".dist-info", ".data")} == {
        "sensiscope"
    }
    for name in ("py.typed", "engine/py.typed", "engine/__init__.pyi"):
        assert (unpacked / "sensiscope" / name).is_file()


def test_every_module_is_installed(unpacked: Path, root: Path) -> None:
    folders = {"": root / "packaging" / "sensiscope", "engine": root / "engine", "app": root / "app"}
    modules = {
        Path(name, file.relative_to(folder))
        for name, folder in folders.items()
        for file in folder.rglob("*.py")
    }
    own = unpacked / "sensiscope"
    installed = {file.relative_to(own) for file in own.rglob("*.py")}
    assert modules - installed == {Path("checkout.py")}
    assert {file for file in installed - modules if file.parts[0] != "resources"} == set()


EVERY_MODULE = """
import pkgutil, sys
from importlib import import_module
import sensiscope
for module in pkgutil.walk_packages(sensiscope.__path__, "sensiscope."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
print({"engine", "app"} & {name.partition(".")[0] for name in sys.modules})
"""


def test_every_module_finds_the_others_beside_files_of_the_same_names(
    unpacked: Path, names_taken: Path
) -> None:
    assert run(unpacked, names_taken, "-c", EVERY_MODULE).strip() == "set()"


def test_the_command_works_beside_files_of_the_same_names(unpacked: Path, names_taken: Path) -> None:
    (names_taken / "means.py").write_text("def mean(block):\n    return block.mean(axis=0)\n")
    pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0]}).to_excel(names_taken / "ages.xlsx", index=False)
    words = "run sample-aggregate --example geyser --function means.py:mean --delta 1e-6 --epsilon 1 --seed 1"
    bounds = "--output-lower 0,0 --output-upper 10,100 --json"
    made = run(unpacked, names_taken, "-m", "sensiscope", *words.split(), *bounds.split())
    assert len(json.loads(made)["value"]) == 2
    words = "sensitivity median --data ages.xlsx --column age --lower 0 --upper 120 --beta 0.1 --json"
    assert json.loads(run(unpacked, names_taken, "-m", "sensiscope", *words.split()))["value"] == 40.0


def test_a_checkout_reads_what_a_wheel_has_pickled(unpacked: Path, tmp_path: Path) -> None:
    pickled = run(
        unpacked, tmp_path, "-c", "import pickle, sensiscope as s; print(pickle.dumps(s.Median()).hex())"
    )
    assert b"sensiscope.engine" in bytes.fromhex(pickled)
    assert pickle.loads(bytes.fromhex(pickled)) == Median()


def test_a_checkout_has_each_module_once() -> None:
    first, second = (import_module(f"{prefix}app.model.pages.registry") for prefix in ("", "sensiscope."))
    assert first is second
    assert first.__spec__.name == "app.model.pages.registry"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import app.plots\napp.plots", "line 1: write 'import app.plots as …'"),
        ("HOME = ('app.' 'plots')", "line 1: write 'app.plots' as a string of its own"),
        ('CODE = """\nfrom app import plots\n"""', "line 1: a program in a string"),
        ('\nHOME = f"app.plots.{1}"', "line 2: write 'app.plots.' as a string of its own"),
    ],
)
def test_a_name_that_would_stay_stops_the_building(
    script: Callable[[str], ModuleType], text: str, line: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        script("one_package").in_one_package(text, {"app.plots"})


def test_examples_import_what_is_installed(script: Callable[[str], ModuleType]) -> None:
    text = '">>> from engine import Median\\n>>> from engine.noise import Laplace"\nimport engine\n'
    assert script("one_package").in_one_package(text, {"engine.noise"}) == (
        '">>> from sensiscope import Median\\n>>> from sensiscope.engine.noise import Laplace"\n'
        "import sensiscope.engine as engine\n"
    )


def test_resources_lie_in_the_package_and_are_found_there(unpacked: Path, root: Path, tmp_path: Path) -> None:
    files = (file.relative_to(root) for file in (root / "resources").rglob("*") if file.is_file())
    bundled = {file for file in files if file.parts[1] not in ("guides", "screenshots")}  # beside the README
    installed = unpacked / "sensiscope" / "resources"
    assert {
        file.relative_to(unpacked / "sensiscope") for file in installed.rglob("*") if file.is_file()
    } == bundled
    assert bundled, "there are resources"
    code = "from sensiscope.engine.resources import resource; print(resource())"
    assert Path(run(unpacked, tmp_path, "-c", code).strip()).samefile(installed)


def test_a_desktop_finds_it(unpacked: Path) -> None:
    (data,) = unpacked.glob("sensiscope-*.data")
    assert {
        file.relative_to(data / "data" / "share").as_posix() for file in data.rglob("*") if file.is_file()
    } == {
        "applications/sensiscope.desktop",
        "bash-completion/completions/sensiscope",
        "fish/vendor_completions.d/sensiscope.fish",
        "icons/hicolor/scalable/apps/sensiscope.svg",
        "metainfo/invalid.sensiscope.Sensiscope.metainfo.xml",
        "man/man1/sensiscope.1.gz",
        "mime/packages/sensiscope.xml",
        "zsh/site-functions/_sensiscope",
    }


def test_what_the_metadata_says(unpacked: Path) -> None:
    info = next(unpacked.glob("sensiscope-*.dist-info"))
    assert "sensiscope = sensiscope.__main__:main" in (info / "entry_points.txt").read_text()
    assert (
        "[gui_scripts]\nsensiscope-window = sensiscope.__main__:main"
        in (info / "entry_points.txt").read_text()
    )
    assert "MIT License" in (info / "licenses" / "LICENSE").read_text()
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    assert "License-Expression: MIT" in metadata
    assert "Description-Content-Type: text/markdown" in metadata
    assert "editables" not in metadata, "the editable installation needs it, people do not"


def test_building_says_whether_a_public_address_is_missing(unpacked: Path, root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    source = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["source"]
    said = (unpacked.parent / "said.txt").read_text()
    assert ("no public address: name it in pyproject.toml" in said) == (not source)


def test_one_public_address_is_enough_for_links_and_pictures(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    for name in ("README.md", "LICENSE", "packaging/wheel_hooks.py", "engine/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, tmp_path / name)
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    address = "https://example.org/sensiscope"
    project, count = re.subn('^source = ".*?"', f'source = "{address}/"', project, flags=re.MULTILINE)
    assert count == 1
    (tmp_path / "pyproject.toml").write_text(project)
    code = "from hatchling.build import prepare_metadata_for_build_wheel as made; made('.')"
    subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, check=True, capture_output=True)
    metadata = next(tmp_path.glob("*.dist-info/METADATA")).read_text(encoding="utf-8")
    (version,) = (line.split()[1] for line in metadata.splitlines() if line.startswith("Version: "))
    tag = "HEAD" if ".dev" in version else f"v{version}"
    assert f"Project-URL: Source, {address}\n" in metadata
    assert f"Project-URL: Issues, {address}/issues\n" in metadata
    assert f"]({address}/raw/{tag}/resources/screenshots/guess-who.gif)" in metadata
    assert f"[tour]({address}/blob/{tag}/resources/guides/tour.md)" in metadata
    assert "](resources/" not in metadata.replace("`", "")


def test_code_and_other_addresses_stay(script: Callable[[str], ModuleType]) -> None:
    text = "[a](b.md), `[a](b.md)`, [c](https://d), [`e/`](e/f), [g](#h)\n```\n![i](j.png)\n```\n"
    assert script("wheel_hooks").with_addresses(text, "https://x", "1") == (
        "[a](https://x/blob/v1/b.md), `[a](b.md)`, [c](https://d), [`e/`](https://x/blob/v1/e/f), [g](#h)\n"
        "```\n![i](j.png)\n```\n"
    )

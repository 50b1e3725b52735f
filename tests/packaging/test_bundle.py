"""The bundle for Linux on a bare Debian without Python: made, installed, used, and removed again."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

MOST_MB = 350
ROOM = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}
MEAN = "def mean(block):\n    return block.mean(axis=0)\n"

Run = Callable[..., str]


@pytest.fixture(scope="module")
def bundles(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder and the package that the script makes."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("Debian packages are made on Debian only")
    made = os.environ.get("SENSISCOPE_BUNDLES")  # of a run before this one
    if made:
        return Path(made)
    out = tmp_path_factory.mktemp("bundles")
    subprocess.run([sys.executable, root / "packaging" / "bundle.py", "--out", out], check=True)
    return out


@pytest.fixture(scope="module")
def debian(root: Path, bundles: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A bare Debian 12 in which the package is installed; called with words, it runs them there."""
    if os.geteuid() or shutil.which("debootstrap") is None:
        pytest.skip("a bare Debian is made by root, with debootstrap")
    house = tmp_path_factory.mktemp("debian")
    subprocess.run(
        ["debootstrap", "--variant=minbase", "bookworm", house], check=True, stdout=subprocess.DEVNULL
    )
    settings = Path("/etc/apt")  # where packages are had from, on this machine
    for name in ("apt.conf", "apt.conf.d", "sources.list", "sources.list.d"):
        if (settings / name).exists():
            subprocess.run(["cp", "--recursive", settings / name, house / "etc/apt"], check=True)
    for place in ("proc", "dev"):
        subprocess.run(["mount", "--bind", f"/{place}", house / place], check=True)

    def run(*words: str, status: int = 0, **environment: str) -> str:
        ended = subprocess.run(
            ["chroot", house, *words],
            env={**ROOM, **environment},
            capture_output=True,
            text=True,
            timeout=900,
        )
        assert ended.returncode == status, f"{words}: {ended.stdout[-2000:]}{ended.stderr[-2000:]}"
        return ended.stdout

    try:
        (package,) = bundles.glob("*.deb")
        shutil.copy(package, house / "tmp" / "sensiscope.deb")
        (house / "root" / "means.py").write_text(MEAN)
        write_ages(house / "root")
        write_plug_ins(root, house / "root" / "plug-ins")
        run("apt-get", "update")
        run("apt-get", "install", "-y", "--no-install-recommends", "/tmp/sensiscope.deb", "xvfb", "x11-utils")
        yield run
    finally:
        for place in ("dev", "proc"):
            subprocess.run(["umount", "--lazy", house / place], check=False)


def write_plug_ins(root: Path, folder: Path) -> None:
    """Put an installed plug-in into a folder, as people do for a bundle."""
    words = "--quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check --target"
    command = [sys.executable, "-P", "-m", "pip", "install", *words.split(), folder]
    subprocess.run(
        [*command, root / "tests" / "packaging" / "plugin"],
        check=True,
        cwd=folder.parent,
        capture_output=True,
    )


def write_ages(folder: Path) -> None:
    """Write the same ages in several formats."""
    ages = pd.DataFrame({"age": [20.0, 30.0, 40.0, 50.0, 60.0]})
    ages.to_csv(folder / "ages.csv", index=False)
    ages.to_parquet(folder / "ages.parquet")
    ages.to_orc(folder / "ages.orc")
    ages.to_excel(folder / "ages.xlsx", index=False)
    pyreadstat.write_sav(ages, folder / "ages.sav")
    with contextlib.closing(sqlite3.connect(folder / "ages.sqlite")) as database:
        ages.to_sql("ages", database, index=False)


@pytest.mark.slow
def test_it_is_not_large(bundles: Path) -> None:
    files = [file for file in (bundles / "sensiscope").rglob("*") if file.is_file() and not file.is_symlink()]
    assert sum(file.stat().st_size for file in files) / 2**20 <= MOST_MB


@pytest.mark.slow
def test_it_brings_the_licences_of_all_that_is_in_it(bundles: Path) -> None:
    folder = bundles / "sensiscope"
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (folder / "notices.txt").read_text("utf-8")
    brought = {file.stem for file in (folder / "licences").iterdir()}
    assert {"python", "libx11-6", "libglib2.0-0", "libstdc++6"} <= brought


@pytest.mark.slow
def test_it_needs_no_python(debian: Run) -> None:
    assert debian("sh", "-c", "command -v python3 || true") == ""
    assert debian("sensiscope", "--version").startswith("sensiscope ")


@pytest.mark.slow
def test_it_releases_a_value(debian: Run) -> None:
    words = "run median --example salaries --epsilon 1 --json"
    released = json.loads(debian("sensiscope", *words.split()))
    assert 0 <= released["value"] <= 500_000
    assert released["spent"]["epsilon"] == 1.0


@pytest.mark.slow
def test_it_compares_in_processes_of_its_own(debian: Run) -> None:
    words = (
        "compare median:smooth median:exponential --example salaries --epsilon 1 --runs 50 --workers 2 --json"
    )
    compared = json.loads(debian("sensiscope", *words.split()))
    assert compared["complete"]
    assert len(compared["mechanisms"]) == 2


@pytest.mark.slow
def test_it_runs_a_function_from_a_file(debian: Run) -> None:
    words = (
        "run sample-aggregate --example geyser --function /root/means.py:mean --epsilon 1 --delta 1e-6 --json"
    )
    bounds = "--output-lower 0,0 --output-upper 10,100"
    released = json.loads(debian("sensiscope", *words.split(), *bounds.split()))
    assert len(released["value"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["ages.csv", "ages.parquet", "ages.orc", "ages.xlsx", "ages.sav", "ages.sqlite"]
)
def test_it_reads_what_people_have(debian: Run, name: str) -> None:
    words = f"sensitivity median --data /root/{name} --column age --lower 0 --upper 120 --beta 0.1 --json"
    assert json.loads(debian("sensiscope", *words.split()))["value"] == 40.0


@pytest.mark.slow
def test_its_window_opens_on_a_display(debian: Run) -> None:
    script = """
    Xvfb :77 -screen 0 1280x800x24 >/dev/null 2>&1 & server=$!
    sleep 3; export DISPLAY=:77 QT_QPA_PLATFORM=xcb
    sensiscope >/tmp/window.log 2>&1 & window=$!
    for second in $(seq 60); do sleep 1; xwininfo -root -tree | grep -q Sensiscope && break; done
    xwininfo -root -tree | grep Sensiscope; cat /tmp/window.log
    kill $window $server
    """
    assert "Sensiscope" in debian("sh", "-c", script)


@pytest.mark.slow
def test_its_pages_are_drawn(debian: Run) -> None:
    words = "screenshot median --out /tmp/page.png --size 1280x800"
    debian("sensiscope", *words.split(), **OFFSCREEN)
    assert int(debian("stat", "--format", "%s", "/tmp/page.png")) > 20_000


@pytest.mark.slow
def test_it_has_the_plug_ins_of_its_person(debian: Run) -> None:
    debian(
        "sh", "-c", "mkdir -p ~/.local/share/Sensiscope && mv ~/plug-ins ~/.local/share/Sensiscope/plugins"
    )
    said = debian("sensiscope", "catalog", "relay")
    debian("rm", "-r", "/root/.local/share/Sensiscope/plugins")
    assert "the mean of outputs" in said


@pytest.mark.slow
def test_it_is_laid_out_for_an_appimage(root: Path, bundles: Path) -> None:
    subprocess.run([sys.executable, root / "packaging" / "appimage.py", "--out", bundles], check=True)
    tree = bundles / "Sensiscope.AppDir"
    assert (tree / "sensiscope.desktop").is_file()
    assert (tree / ".DirIcon").read_bytes().startswith(b"\x89PNG")
    said = subprocess.run([tree / "AppRun", "--version"], check=True, capture_output=True, text=True).stdout
    shutil.rmtree(tree)
    assert said.startswith("sensiscope ")


@pytest.mark.slow
def test_it_goes_without_a_trace(debian: Run) -> None:
    debian("apt-get", "remove", "-y", "sensiscope")
    assert debian("sh", "-c", "ls /opt; command -v sensiscope || true") == ""

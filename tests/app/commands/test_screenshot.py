"""`sensiscope screenshot`: the real window as a PNG."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import pytest

from app.commands.support.screenshot_window import wait
from app.jobs.channels import Jobs
from app.jobs.tasks import JobProgress
from engine.errors import SensiscopeError

MAGIC = b"\x89PNG\r\n\x1a\n"


def dimensions(path):
    content = path.read_bytes()
    assert content.startswith(MAGIC)
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


@pytest.fixture
def shot(environment, tmp_path):
    """Take a screenshot in a process of its own, where the display cannot be reached."""
    environment["DISPLAY"] = ":nowhere"

    def take(*words, page="median"):
        path = tmp_path / "page.png"
        command = [sys.executable, "-m", "app", "screenshot", page, "--out", path, *words]
        done = subprocess.run(
            list(map(str, command)),
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        assert "Traceback" not in done.stderr
        assert [found.name for found in tmp_path.glob("*page*")] == ["page.png"]
        return path

    return take


def test_light_at_the_size_that_was_asked_for(shot):
    assert dimensions(shot("--size", "1100x700")) == (1100, 700)


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig has the fonts of Linux")
def test_the_window_looks_the_same_whatever_fonts_the_computer_has(shot, environment, tmp_path):
    ordinary = digest(shot("--query", "mean"))
    fonts, settings = tmp_path / "fonts", tmp_path / "fonts.conf"
    fonts.mkdir()
    shutil.copy(Path(matplotlib.get_data_path(), "fonts", "ttf", "STIXGeneral.ttf"), fonts)
    smoothing = '<include ignore_missing="yes">/etc/fonts/conf.d</include>'
    settings.write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{fonts}</cachedir>{smoothing}</fontconfig>")
    (tmp_path / "matplotlibrc").write_text("font.family: serif\n")
    environment["FONTCONFIG_FILE"] = str(settings)
    assert digest(shot("--query", "mean")) == ordinary


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_what_lies_over_the_page(shot):
    settings, palette = (shot("--dialog", name).read_bytes() for name in ("settings", "palette"))
    assert int.from_bytes(settings[16:20], "big") < 700  # alone
    assert int.from_bytes(palette[16:20], "big") == 1280  # in the window


@pytest.mark.slow
def test_dark_with_data_of_ones_own(shot, ten):
    from matplotlib.image import imread

    path = shot(
        *("--theme", "dark", "--data", ten, "--lower", 0, "--upper", 20),
        *("--tab", "path", "--presentation", "--view", "curator"),
    )
    assert dimensions(path) == (1280, 800)
    assert imread(path)[..., :3].mean() < 0.3


@pytest.mark.slow
def test_graphs_with_what_decides_for_a_chosen_k(shot, edges):
    pictures = []
    for k in (0, 1):
        path = shot("--example", "karate", "--k", k, "--query", "triangles", page="spanning-tree")
        assert dimensions(path) == (1280, 800)
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]
    own = ("--data", edges(), "--upper", 10, "--theme", "dark", "--view", "release", "--tab", "noise")
    assert dimensions(shot(*own, "--size", "1000x700", page="spanning-tree")) == (1000, 700)


@pytest.mark.slow
def test_categories_by_their_public_lists(shot, tmp_path):
    file = tmp_path / "people.csv"
    file.write_text("sex,smokes\n" + "f,yes\nm,no\n" * 9)
    words = ("--query", "mode", "--data", file, "--column", "smokes", "--categories", "yes,no")
    assert dimensions(shot(*words, page="histogram")) == (1280, 800)


@pytest.mark.slow
def test_pictures_that_a_query_does_not_have(environment, tmp_path):
    words = ("--query", "privtree", "--tab", "radii", "--out", tmp_path / "x.png")
    command = [sys.executable, "-m", "app", "screenshot", "histogram", *map(str, words)]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "sensiscope: error: --tab: privtree has no picture 'radii' of these data in the curator view; it has "
        "cells, "
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spaning-tree", "--out", "x.png"), "try spanning-tree"),
        (("spanning-tree", "--out", "x.png", "--query", "median"), "this one has mst, triangles"),
        (("median", "--out", "x.png", "--query", "mst"), "this one has median, quantile"),
        (("median", "--out", "x.png", "--k", "1"), "--k: the page median shows no graph"),
        (("spanning-tree", "--out", "x.png", "--example", "salaries"), "try karate"),
        (("median", "--out", "x.png", "--example", "karate"), "try salaries"),
        (("spanning-tree", "--out", "x.png", "--example", "karate", "--column", "x"), "--column: mst reads"),
        (("spanning-tree", "--out", "x.png", "--data", "missing.csv"), "--upper"),
        (("spanning-tree", "--out", "x.png", "--vertices", "3"), "--vertices: belongs to --data"),
        (("medain", "--out", "x.png"), "median"),
        (("median", "--out", "x.jpg"), ".png"),
        (("median", "--out", "missing/x.png"), "no folder"),
        (("median", "--out", "x.png", "--size", "1x1"), "1280x800"),
        (("median", "--out", "x.png", "--theme", "blue"), "light"),
        (("median", "--out", "x.png", "--example", "salary"), "salaries"),
        (
            ("median", "--out", "x.png", "--data", "missing.csv", "--lower", "0", "--upper", "1"),
            "missing.csv",
        ),
        (("median", "--out", "x.png", "--data", "missing.csv"), "missing.csv"),
        (("median", "--out", "x.png", "--data", "", "--lower", "0", "--upper", "1"), "directory"),
        (("median", "--out", "x.png", "--upper", "1"), "belongs to --data"),
        (("median", "--out", "x.png", "--tab", "boxes"), "it has k, epsilon, path, noise, distribution"),
        (("median", "--out", "x.png", "--beside", "boxes"), "it has k, epsilon, path, noise, distribution"),
        (("clustering", "--out", "x.png", "--beside", "audit"), "audit-outcomes, audit-posterior"),
        (("lessons", "--out", "x.png", "--beside", "k"), "it never has one"),
        (("clustering", "--out", "x.png", "--tab", "k"), "it has data, cells, blocks"),
        (("one-cluster", "--out", "x.png", "--query", "clusters"), "this one has one-cluster, k-balls"),
        (
            ("one-cluster", "--out", "x.png", "--query", "nosuch"),
            "there is no query or mechanism 'nosuch'; try growing-box, interior-point, k-balls",
        ),
        (
            ("histogram", "--out", "x.png", "--query", "mode", "--tab", "bars"),
            "mode reads columns of categories, and the page begins with outliers; name --data, or --example",
        ),
    ],
)
def test_what_cannot_be(refused, words, said):
    assert said in refused("screenshot", *words)


FAILING = """
import sys
from app.commands.main import main
import {module} as module

def fail(*_, **__):
    raise {error}("cell")

module.{target} = fail
sys.exit(main(["screenshot", "median", "--out", "page.png"]))
"""


@pytest.mark.parametrize(
    ("module", "target", "error", "status"),
    [
        ("app.plots.sensitivity.against_k", "AgainstK.show", "ZeroDivisionError", 1),
        ("engine.queries.profile", "sensitivity_profile", "ZeroDivisionError", 1),
    ],
)
def test_a_picture_that_fails_is_no_success(environment, tmp_path, module, target, error, status):
    code = FAILING.format(module=module, target=target, error=error)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == status, done.stderr
    assert f"{error} (internal error" in done.stderr
    assert not (tmp_path / "page.png").exists()


def test_it_waits_as_long_as_there_is_progress(qapp):
    jobs = Jobs()
    reports = [0.3, 0.6, None]

    def never_idle(_):
        fraction = reports.pop(0)
        if fraction is not None:
            jobs.channel("audit").progressed.emit(JobProgress(fraction, "", None))
        return False

    with pytest.raises(SensiscopeError, match="no progress for 60 seconds"):
        wait(SimpleNamespace(jobs=jobs, wait_until_idle=never_idle))
    assert reports == []
    jobs.close()

"""A package with one of each thing, installed as people do, is seen in window, command line and Python."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

BROKEN = "import engine\nfrom stopwatch.components import RunnerUp\nraise RuntimeError('out of\\norder')\n"
LEFT_OUT = "plug-in 'broken' (broken 0.1) is left out: RuntimeError: out of order"
LAPS = "laps\n21\n22.5\n24\n"

COMMANDS = """
import json, sys
from app.commands.main import main
for words in json.loads(sys.argv[1]):
    print("status", main(words))
"""

WINDOW = """
import json
from PySide6.QtWidgets import QApplication, QLabel
from app.commands.support.plugins import start_plugins
start_plugins()
from app.help.about import plugin_lines
from app.model.texts.pages import page
from app.session import Session
from app.widgets.messages import Message
from app.window.main_window import MainWindow
application = QApplication([])
window = MainWindow(Session())
window.session.show_page("median")
window.controllers.data.open_example("sack-race")
window.show()
assert window.wait_until_idle()
window.page.show_tab("lags")
assert window.wait_until_idle()
print(json.dumps({
    "pages": [action.text() for action in window.menus["P&ages"].actions()],
    "messages": [message.text for message in window.findChildren(Message)],
    "picture": window.page.canvas.picture.alt_text(),
    "about": plugin_lines(),
    "help": page("queries", "runner-up").sections[0].blocks[0].all_runs[0].text,
}))
window.controllers.session_files._closing = True
window.close()
window.deleteLater()
"""

PYTHON = """
import sys
{first}
import sensiscope
data = sensiscope.Sample(range(9), (0, 9))
print(sensiscope.SmoothRelease("runner-up", noise="thick-tail").run(data, 1).query)
print(sensiscope.load_example("sack-race").n, sensiscope.read_table(sys.argv[1]).n)
"""

BUILD = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages: the plug-in, and one that fails.

    A wheel is unpacked there, which is what installing does; `fresh` asks pip for it, which takes longer.
    """
    pytest.importorskip("hatchling")
    target = tmp_path_factory.mktemp("plugin") / "site"
    wheels = target.with_name("wheels")
    plugin = root / "tests" / "packaging" / "plugin"
    subprocess.run([sys.executable, "-P", "-c", BUILD, wheels], cwd=plugin, check=True, capture_output=True)
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(target)
    (target / "broken.py").write_text(BROKEN)
    info = target / "broken-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[sensiscope.plugins]\nbroken = broken\n")
    return target


def ran(site: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code with the packages of a folder beside those that are installed."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )


def test_the_command_line_has_one_of_each(site: Path, tmp_path: Path) -> None:
    laps, times = tmp_path / "own.laps", tmp_path / "times.csv"
    laps.write_text(LAPS)
    times.write_text("start,end\n" + "".join(f"{i % 5},{i % 5 + 1 + i % 7}\n" for i in range(60)))
    asked = ["--epsilon", "1", "--seed", "1"]
    bounds = ["--lower", "0", "--upper", "60"]
    words = [
        ["catalog", "relay"],
        ["lessons"],
        ["run", "runner-up", "--example", "sack-race", "--noise", "thick-tail", "--above", "1", *asked],
        ["run", "median", "--method", "handicap", "--data", str(laps), *bounds, *asked],
        ["run", "median-lap", "--data", str(times), "--begin", "start", "--finish", "end", *bounds, *asked],
    ]
    done = ran(site, COMMANDS, json.dumps(words))
    assert done.stdout.count("status 0") == len(words), done.stderr
    for told in ("the mean of outputs", "Who came second?", "thick-tail", "own.laps), n = 3", "n = 60"):
        assert told in done.stdout
    assert f"sensiscope: warning: {LEFT_OUT}" in done.stderr.splitlines()


@pytest.mark.parametrize("first", ["", "from stopwatch.components import RunnerUp"])
def test_a_script_has_them_with_the_first_name(site: Path, tmp_path: Path, first: str) -> None:
    (tmp_path / "own.laps").write_text(LAPS)
    done = ran(site, PYTHON.format(first=first), str(tmp_path / "own.laps"))
    assert done.stdout.split() == ["runner-up", "12", "3"]
    assert done.stderr.splitlines() == [f"sensiscope: warning: {LEFT_OUT}"]


def test_importing_alone_loads_none(site: Path) -> None:
    code = "import sys, sensiscope; print({'app', 'stopwatch', 'importlib.metadata'} & set(sys.modules))"
    assert ran(site, code).stdout.strip() == "set()"


@pytest.fixture(scope="module")
def fresh(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own with wheels of the program and of the plug-in; libraries are borrowed."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("fresh")
    for project in (root, root / "tests" / "packaging" / "plugin"):
        command = [sys.executable, "-P", "-c", BUILD, folder / "wheels"]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True, capture_output=True)
    python = folder / "env" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, *(folder / "wheels").glob("*.whl")], check=True, capture_output=True)
    place = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = Path(subprocess.run(place, check=True, capture_output=True, text=True).stdout.strip())
    # a path in a .pth file is searched, but what stands in its own .pth files, as this checkout, is not
    (own / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return folder


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the place of programs is another one")
def test_it_is_there_in_an_environment_of_its_own(fresh: Path) -> None:
    def program(*words: str) -> str:
        done = subprocess.run(
            [fresh / "env" / "bin" / "sensiscope", *words],
            cwd=fresh,
            env=os.environ | {"HOME": str(fresh), "XDG_DATA_HOME": str(fresh / "data")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    found = program("run", "runner-up", "--example", "sack-race", "--noise", "thick-tail", "--epsilon", "1")
    assert "released runner-up" in found
    assert "The second smallest value" in program("catalog", "runner-up")
    assert "Who came second?" in program("lessons")
    python = [fresh / "env" / "bin" / "python", "-P", "-c"]
    where = "import sensiscope, stopwatch.plugin as own; print(sensiscope.__file__, own.__file__)"
    done = subprocess.run([*python, where], cwd=fresh, check=True, capture_output=True, text=True)
    assert done.stdout.count(str(fresh / "env")) == 2
    seen = subprocess.run([*python, WINDOW], cwd=fresh, check=True, capture_output=True, text=True)
    told = json.loads(seen.stdout.splitlines()[-1])
    assert "Laps" in [title.replace("&", "") for title in told["pages"]]
    assert told["help"].startswith("The second smallest value")


@pytest.mark.slow
def test_the_window_has_them_and_names_what_is_left_out(site: Path) -> None:
    found = json.loads(ran(site, WINDOW).stdout.splitlines()[-1])
    assert "Laps" in [title.replace("&", "") for title in found["pages"]]
    assert found["messages"] == [LEFT_OUT]
    assert found["picture"].endswith("largest gaps between neighboring records")
    assert "Plug-in 'stopwatch' (sensiscope-stopwatch 1.0)." in found["about"]
    assert found["help"].startswith("The second smallest value: who comes in second")


def test_the_guide_shows_what_is_installed(root: Path) -> None:
    guide = (root / "resources" / "guides" / "plug-ins.md").read_text(encoding="utf-8")
    files = [file for file in (root / "tests" / "packaging" / "plugin").rglob("*.*") if file.is_file()]
    package = [file.read_text(encoding="utf-8") for file in files if file.suffix in (".py", ".toml")]
    blocks = [block.partition("\n")[2].strip() for block in guide.split("```")[1::2]]
    assert len(blocks) > 2
    assert [block for block in blocks if not any(block in text for text in package)] == []


SLOW = """
import builtins, time
import sensiscope
sensiscope.Mean  # a plug-in may ask for names while it is loaded
builtins.begun.set()
time.sleep(0.3)
builtins.registered = True
"""

THREADS = """
import builtins, threading
import sensiscope
builtins.begun, builtins.registered = threading.Event(), False
first = threading.Thread(target=lambda: sensiscope.Median)
first.start()
assert begun.wait(60)
sensiscope.Sum
print(registered)
first.join()
"""


def test_a_second_thread_waits_until_they_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    info = tmp_path / "slow-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[sensiscope.plugins]\nslow = slow\n")
    assert ran(tmp_path, THREADS).stdout.strip() == "True"

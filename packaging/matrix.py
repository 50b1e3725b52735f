"""Install the wheel for each Python there is, and try it: ``python3 packaging/matrix.py [--python PATH …]``.

For every Python from 3.11 on that is found, or those that are named: an environment of its own in a new
folder far from the project, the wheel and what it asks for from the package index, and a list of uses.
Prints a table; the exit status is 1 if anything failed.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import setup_environment
from setup_environment import ROOT, say

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
KEPT_BY = (".pyenv/versions", ".local/share/uv/python")
"""Folders under the home in which tools keep several Pythons."""

PLUGIN = ROOT / "tests" / "packaging" / "plugin"
MEAN = "def mean(block):\n    return block.mean(axis=0)\n"
CODE = """\
import sensiscope
data = sensiscope.Sample([20.0, 30.0, 40.0, 50.0, 60.0], sensiscope.Interval(0.0, 120.0))
print(sensiscope.Median().smooth_sensitivity(data, beta=0.1).value)
"""

ASKED = ["--epsilon", "1", "--json"]
USES: dict[str, tuple[list[str], Callable[[str], bool]]] = {
    "version": (["--version"], lambda said: said.startswith("sensiscope ")),
    "release": (
        ["run", "median", "--example", "salaries", *ASKED],
        lambda said: json.loads(said)["spent"]["epsilon"] == 1.0,
    ),
    "processes": (
        [
            *("compare", "median:smooth", "median:exponential", "--example", "salaries"),
            *("--runs", "50", "--workers", "2", *ASKED),
        ],
        lambda said: len(json.loads(said)["mechanisms"]) == 2,
    ),
    "function": (
        [
            *("run", "sample-aggregate", "--example", "geyser", "--function", "means.py:mean"),
            *("--delta", "1e-6", "--output-lower", "0,0", "--output-upper", "10,100", *ASKED),
        ],
        lambda said: len(json.loads(said)["value"]) == 2,
    ),
    "window": (
        ["screenshot", "median", "--out", "page.png", "--size", "1280x800"],
        lambda said: True,
    ),
    "plug-in": (["catalog", "relay"], lambda said: "the mean of outputs" in said),
}
"""What the installed command is told, and whether its answer is right."""


def interpreters() -> list[Path]:
    """Return a Python of each version that is found: on the path, or kept by a tool."""
    found = []
    for version in VERSIONS:
        name = f"python{version}"
        kept = (path for place in KEPT_BY for path in (Path.home() / place).glob(f"*/bin/{name}"))
        on_path = (Path(folder) / name for folder in os.environ["PATH"].split(os.pathsep))
        found += [path for path in (*on_path, *kept) if works(path)][:1]
    return found


def works(python: Path) -> bool:
    """Tell whether a Python starts and can make environments."""
    command = [python, "-I", "-c", "import venv, ensurepip"]
    return python.is_file() and subprocess.run(command, capture_output=True, check=False).returncode == 0


def build_wheel(folder: Path) -> Path:
    """Build the wheel of this project into a folder."""
    python = setup_environment.prepare(setup_environment.RUN)
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    subprocess.run([python, "-P", "-c", code, folder], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return wheel


def tried(python: Path, wheel: Path, folder: Path) -> dict[str, str]:
    """Install the wheel for a Python in an empty folder; return what came of each use, in one line."""
    scripts = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
    started = time.monotonic()
    shutil.copytree(PLUGIN, folder / "plugin")  # building it writes beside it
    pip = [scripts / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [python, "-m", "venv", folder / "environment"],
        [*pip, f"{wheel}[window]"],
        [*pip, "--no-deps", folder / "plugin"],
    ):
        if problem := run(command, folder)[1]:
            return {"installed": problem}
    results = {"installed": f"{time.monotonic() - started:.0f} s"}
    (folder / "means.py").write_text(MEAN)
    for name, (words, is_right) in USES.items():
        results[name] = judged([scripts / "sensiscope", *words], folder, is_right)
    results["import"] = judged([scripts / "python", "-c", CODE], folder, lambda said: float(said) > 0)
    return results


def judged(command: list[object], folder: Path, is_right: Callable[[str], bool]) -> str:
    """Run a command; return "ok", or in one line why not."""
    said, problem = run(command, folder)
    try:
        return problem or ("ok" if is_right(said) else f"a wrong answer: {said[:200]!r}")
    except (ValueError, KeyError) as error:
        return f"{type(error).__name__}: {error}"


def run(command: Iterable[object], folder: Path) -> tuple[str, str]:
    """Run a command in a folder that is its home, too; return what it printed, and its problem."""
    own = {"HOME": str(folder), "QT_QPA_PLATFORM": "offscreen", "MPLBACKEND": "Agg", "PYTHONPATH": ""}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=os.environ | own,
        capture_output=True,
        text=True,
        check=False,
    )
    warned = [line for line in done.stderr.splitlines() if "Warning: " in line]
    problem = setup_environment.last_line(done.stderr) if done.returncode else "".join(warned[:1])
    return done.stdout, problem


def main() -> int:
    """Try every Python, and print what holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", metavar="PATH", type=Path, action="append", help="this one; repeatable")
    parser.add_argument("--wheel", metavar="FILE", type=Path, help="this one, instead of building it")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="sensiscope-matrix-") as house:
        wheel = options.wheel.resolve() if options.wheel else build_wheel(Path(house))
        for python in options.python or interpreters():
            say(f"{wheel.name} with {python}")
            folder = Path(house) / f"{python.name}-{python.resolve().parent.parent.name}"
            folder.mkdir()
            results = tried(python, wheel, folder)
            shutil.rmtree(folder)
            told = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout
            print(
                f"{told.strip():14}",
                "  ".join(f"{name}: {word}" for name, word in results.items()),
                flush=True,
            )
            failed |= any(word != "ok" for name, word in results.items() if name != "installed")
            failed |= len(results) == 1
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

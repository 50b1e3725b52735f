"""The examples in docstrings, the README and the guide to Python run, and give what they say."""

import importlib
import pkgutil
import re
import runpy
from pathlib import Path

import pytest
from examples import run_examples

import engine

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))
WITH_EXAMPLES = [
    name for name in MODULES if ">>>" in Path(importlib.util.find_spec(name).origin).read_text("utf-8")
]


def test_there_are_examples():
    assert "engine.noise.certificate" in WITH_EXAMPLES
    assert "engine.queries.order_statistics" in WITH_EXAMPLES
    assert "engine.mechanisms.smooth" in WITH_EXAMPLES
    assert "engine.comparison" in WITH_EXAMPLES


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_give_what_they_say(name):
    outcome = run_examples(name)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def python_blocks(path):
    return re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)


def test_the_python_examples_of_the_guide_run(tmp_path, capsys):
    blocks = python_blocks(ROOT / "resources" / "guides" / "python.md")
    assert len(blocks) == 7
    assert python_blocks(ROOT / "README.md") == blocks[:1]
    script = tmp_path / "example.py"
    script.write_text("".join(blocks), "utf-8")  # each goes on where the one before ends
    runpy.run_path(str(script))
    lines = capsys.readouterr().out.splitlines()
    smooth, released, session, *frame, asked, histograms, won, right, planted, paid, fitted = lines
    assert float(smooth) > 0
    assert "'family': 'power-laplace'" in released
    assert 30 < float(session.split()[0]) < 50
    assert "[6 rows x 7 columns]" in frame
    assert asked.count("'question': ") == 3
    cells, fewest, cost = histograms.split()
    assert int(cells) > 10
    assert float(fewest) >= 1
    assert float(cost) > 0
    assert won.startswith("Exponential mechanism ")
    assert right.endswith(" False")
    assert planted.endswith(" True")
    assert paid.endswith("Privacy(epsilon=1.0, delta=0.0) basic ['spent']")
    middle, shape = fitted.split(maxsplit=1)
    assert 0 <= float(middle) <= 120
    assert shape == "(2, 1)"


def test_the_first_steps_run(tmp_path, capsys, monkeypatch):
    for folder in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(folder, str(tmp_path))
    script = tmp_path / "example.py"
    script.write_text("".join(python_blocks(ROOT / "resources" / "guides" / "first-steps.md")), "utf-8")
    runpy.run_path(str(script))
    lines = capsys.readouterr().out.splitlines()
    median, local, smooth, whole = (float(lines[number]) for number in (0, 2, 3, 4))
    assert 50_000 < median < 70_000
    assert local < smooth < whole == 500_000
    assert lines[-1] == "Privacy(epsilon=0.5, delta=0.0)"

"""No command line whatever ends in a traceback."""

import contextlib
import io
import json

import pytest
from command_lines import budgets, commands, plausible, plausible_balls, plausible_points, plausible_trials
from hypothesis import HealthCheck, given, settings

from app.commands.main import main


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    (tmp_path / "ten.csv").write_text("x\n" + "\n".join(map(str, range(1, 11))) + "\n", encoding="utf-8")
    edges = [f"{i},{(i + step) % 7},{i * step}\n" for i in range(7) for step in (1, 2)]
    (tmp_path / "graph.csv").write_text("source,target,weight\n" + "".join(edges), encoding="utf-8")
    points = [f"{i % 7},{i * i % 11}\n" for i in range(60)]
    (tmp_path / "points.csv").write_text("x,y\n" + "".join(points), encoding="utf-8")
    (tmp_path / "own.py").write_text("def f(block):\n    return block.mean(axis=0)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("strategy", "outcomes"),
    [
        (commands(), {2}),
        (plausible(), {0, 2}),
        (plausible_points(), {0, 2}),
        (plausible_balls(), {0, 2}),
        (plausible_trials(), {0, 2}),
        (budgets(), {0, 2}),
    ],
    ids=["wild", "plausible", "points", "balls", "trials", "budgets"],
)
@pytest.mark.usefixtures("in_folder")
@pytest.mark.parametrize("examples", [15, pytest.param(300, marks=pytest.mark.slow)])
def test_never_a_traceback(strategy, outcomes, examples):
    seen = set()

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(words=strategy)
    def check(words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
        assert status in (0, 2), (words, err.getvalue())
        assert "Traceback" not in err.getvalue()
        assert "usage:" not in err.getvalue()
        if status == 2:
            lines = err.getvalue().splitlines()
            assert lines[-1].startswith("sensiscope: error: "), words
            assert out.getvalue() == ""
        helped = "--help" in words or "-h" in words
        if status == 0 and "--json" in words and not helped:
            json.loads(out.getvalue(), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
        seen.add("help" if status == 0 and helped else status)

    check()
    assert seen >= outcomes

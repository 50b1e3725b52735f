"""Scripts are good Python, import sensiscope alone, and hold what their view may hold."""

import ast
import dataclasses
import subprocess
import sys

from all_scripts import CELLS, MEDIAN, every, released, texts
from scripts import python, run

from engine.errors import ParameterError


def test_all_scripts_are_as_formatters_and_linters_want_them(tmp_path):
    scripts = texts()
    assert len(scripts) > 100
    # of every page and kind there is one that makes sense
    for word in ("pivotal_records", "with_blocks", "ball_scene", "boxes_scene", "promise_ball"):
        assert any(word in text for text in scripts), word
    for number, text in enumerate(scripts):
        (tmp_path / f"script_{number}.py").write_text(text, encoding="utf-8")
    for command in (
        ["format", "--check", "--isolated"],
        ["check", "--isolated", "--select", "E,F,I,W,B,UP,N,SIM,C4"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", str(tmp_path)],
            cwd=tmp_path,  # where the engine is a package that is installed
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:]


def test_scripts_import_from_sensiscope_and_nowhere_deeper():
    for text in texts():
        modules = {
            node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in ast.parse(text).body
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert modules <= {"sensiscope", "sensiscope.scenes", "numpy", "dataclasses"}


def test_scripts_of_the_release_view_compute_nothing_private():
    for state, look in every():
        state = dataclasses.replace(state, view="release")
        try:
            text = python(state, look)
        except ParameterError:
            continue
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        assert not used & {"read_table", "load_example", "data", "table", "ready", "simulate"}, text
        assert "(confidential)" not in text


def test_releases_stand_in_a_list_that_everybody_may_see():
    for view in ("curator", "release"):
        state = dataclasses.replace(released(MEDIAN), view=view)
        [record] = run(state)["releases"]
        assert record["value"] == state.releases[0].release.value
        assert record["epsilon"] == 1.0
        assert record["when"].startswith("2026-05-01")
        assert "cannot be drawn again" in python(state)


def test_many_numbers_are_left_out_of_a_script():
    state = released(CELLS.replaced({"query": "histogram-noisy", "view": "release"}))
    assert len(str(state.releases[0].release.value)) > 10_000
    assert len(python(state)) < 3000


def test_what_lessons_have_simulated_stays_out():
    state = released(MEDIAN)
    lesson = dataclasses.replace(state.releases[0].release, simulated=True)
    simulated = dataclasses.replace(state.releases[0], release=lesson)
    assert "releases" not in run(dataclasses.replace(state, releases=(simulated,)))

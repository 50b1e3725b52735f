"""The recipes run, beside other libraries, and their table counts the lines as they are."""

import contextlib
import io
import re
from pathlib import Path

import pytest

GUIDE = (Path(__file__).resolve().parents[2] / "resources" / "guides" / "recipes.md").read_text("utf-8")
PREPARED, *RECIPES = GUIDE.split("\n## ")
FENCE = re.compile(r"(?:<summary>(\w+): (\d+) lines?</summary>\n\n)?```(?:python)?\n(.*?)```", re.DOTALL)
LIBRARIES = ("Sensiscope", "OpenDP", "diffprivlib", "Tumult")


def programs(recipe):
    """The programs of a recipe by library."""
    found = {library or "Sensiscope": text for library, _, text in FENCE.findall(recipe)}
    assert set(found) <= set(LIBRARIES)
    return found


def title(recipe):
    return recipe.partition("\n")[0]


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """What the programs start from: the frame and all imports."""
    known = {}
    frame, others, _ = (text for _, _, text in FENCE.findall(PREPARED))
    exec(frame + others, known)
    return known


@pytest.fixture(autouse=True)
def own_ledger(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))


def test_there_are_ten_recipes():
    assert len(RECIPES) == 10


@pytest.mark.parametrize("recipe", RECIPES, ids=title)
def test_a_recipe_runs(recipe, names):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(programs(recipe)["Sensiscope"], dict(names))
    assert printed.getvalue().strip()


@pytest.mark.parametrize("library", LIBRARIES[1:3])
@pytest.mark.parametrize("recipe", RECIPES, ids=title)
@pytest.mark.filterwarnings("ignore::UserWarning")  # diffprivlib warns of what leaks; so do our audits
def test_the_same_runs_in_another_library(recipe, library, names):
    program = programs(recipe).get(library)
    if program is None:
        pytest.skip(f"{library} has no such release")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program, dict(names))
    assert printed.getvalue().strip()


def test_programs_of_tumult_are_python():
    for recipe in RECIPES:
        compile(programs(recipe).get("Tumult", ""), title(recipe), "exec")


@pytest.mark.parametrize("recipe", RECIPES, ids=title)
def test_lines_are_counted_and_ours_are_fewest(recipe):
    counts = {library: len(text.splitlines()) for library, text in programs(recipe).items()}
    stated = {library or "Sensiscope": count for library, count, _ in FENCE.findall(recipe)}
    row = re.search(rf"^\| \[{re.escape(title(recipe).lower())}\].*$", PREPARED, re.MULTILINE)[0]
    assert row.split("|")[2:-1] == [f" {counts.get(library, '–')} " for library in LIBRARIES]
    assert all(int(stated[library]) == count for library, count in counts.items() if stated[library])
    assert counts["Sensiscope"] == min(counts.values())

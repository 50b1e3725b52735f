"""The screenshots of README and guides: all are made by one command, and look as the program does."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

BLOCK = 20
"""Pixels on a side: what is moved by less is in the same place."""
SEEN = 24
"""Of 255: how far the mean of a block may be off."""
MOST = 0.03
"""Share of blocks that may be another: numbers that are drawn anew, and what they label."""


def blocks(file: Path) -> np.ndarray:
    """Return the mean grey of each block."""
    with Image.open(file) as picture:
        grey = np.asarray(picture.convert("L"), dtype=float)
    rows, columns = (side // BLOCK for side in grey.shape)
    cut = grey[: rows * BLOCK, : columns * BLOCK]
    return cut.reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3))


def changed(first: Path, second: Path) -> float:
    """Return the share of blocks that look otherwise; 1 where the sizes differ."""
    before, now = blocks(first), blocks(second)
    if before.shape != now.shape:
        return 1.0
    return float(np.mean(np.abs(before - now) > SEEN))


def test_every_picture_of_readme_and_guides_has_its_command(
    root: Path, script: Callable[[str], ModuleType]
) -> None:
    made = script("screenshots")
    shots = {f"{name}.png" for name in made.SHOTS} | {f"{made.MOVING}.gif"}
    there = {file.name for file in (root / "resources" / "screenshots").iterdir()}
    texts = [root / "README.md", *(root / "resources" / "guides").glob("*.md")]
    shown = {
        name
        for text in texts
        for name in re.findall(r"screenshots/([\w-]+\.(?:png|gif))", text.read_text("utf-8"))
    }
    assert shots == there == shown


def test_another_page_has_another_layout(root: Path) -> None:
    folder = root / "resources" / "screenshots"
    assert changed(folder / "median-light.png", folder / "median-light.png") == 0
    assert changed(folder / "median-light.png", folder / "audit-light.png") > 2 * MOST
    assert changed(folder / "median-light.png", folder / "help-light.png") == 1


@pytest.mark.slow
def test_screenshots_look_as_the_program_does(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, root / "packaging" / "screenshots.py", "--out", tmp_path]
    subprocess.run(command, check=True, capture_output=True)
    found = {
        file.name: changed(root / "resources" / "screenshots" / file.name, file)
        for file in tmp_path.iterdir()
    }
    assert len(found) == 11
    stale = {name: share for name, share in found.items() if share > MOST}
    assert stale == {}, "make them anew: .venv/bin/python packaging/screenshots.py"

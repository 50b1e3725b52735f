"""The wheel is tried on each Python that is found; what is wrong is told in one line."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("print(7)", "ok"),
        ("print(8)", "a wrong answer: '8\\n'"),
        ("print('x')", "ValueError: invalid literal for int() with base 10: 'x\\n'"),
        ("raise SystemExit('no, since it rains')", "no, since it rains"),
        ("import warnings; warnings.warn('old'); print(7)", "<string>:1: UserWarning: old"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    script: Callable[[str], ModuleType], tmp_path: Path, code: str, told: str
) -> None:
    command = [sys.executable, "-c", code]
    assert script("matrix").judged(command, tmp_path, lambda said: int(said) == 7) == told


@pytest.mark.skipif(sys.platform == "win32", reason="Pythons have other names there")
def test_a_python_of_each_version_is_found(
    script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / ".pyenv" / "versions" / "3.12.1" / "bin"
    broken = tmp_path / "bin"
    for folder, name, body in (
        (kept, "python3.12", "#!/bin/sh\nexit 0\n"),
        (kept, "python3.10", "#!/bin/sh\nexit 0\n"),
        (broken, "python3.13", "#!/bin/sh\nexit 1\n"),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(body)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(broken))
    assert script("matrix").interpreters() == [kept / "python3.12"]


@pytest.mark.slow
def test_the_wheel_works_far_from_the_project(root: Path) -> None:
    python = getattr(sys, "_base_executable", sys.executable)
    command = [sys.executable, root / "packaging" / "matrix.py", "--python", python]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": ok") == 7

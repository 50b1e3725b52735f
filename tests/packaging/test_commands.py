"""``packaging/run.py`` and ``packaging/test.py`` as users start them."""

import ast
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

COMMANDS = ["run.py", "test.py"]


@pytest.fixture
def ready(script: Callable[[str], ModuleType]) -> Path:
    """The environment's interpreter, where the commands have been used (as they have in CI)."""
    module = script("setup_environment")
    if not module.is_ready(module.RUN):
        pytest.skip("not set up by packaging/test.py")
    return module.venv_python()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_old_python_is_told_so(root: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    file = root / "packaging" / command
    ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 7))  # else it would be a SyntaxError
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(SystemExit, match=r"^Sensiscope needs Python 3\.11 or newer; this is Python \S+$"):
        runpy.run_path(str(file))


def test_run_passes_arguments_and_status_on(ready: Path, root: Path, tmp_path: Path) -> None:
    """From another folder that even has an `app` of its own."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text("raise SystemExit(77)")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(root / "packaging" / "run.py"), *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    good = run("--version")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("sensiscope ")
    bad = run("catalog", "--nonsense")
    assert bad.returncode == 2
    assert "nonsense" in bad.stderr


@pytest.mark.slow
def test_a_second_start_adds_less_than_a_second(ready: Path, root: Path) -> None:
    """Of CPU time, against starting the same program directly; about 0.04 s."""

    def spent() -> float:
        times = os.times()
        return times.children_user + times.children_system

    def fastest(*command: str) -> float:
        times = []
        for _ in range(3):
            before = spent()
            subprocess.run(command, check=True, capture_output=True)
            times.append(spent() - before)
        return min(times)

    direct = fastest(str(ready), "-P", "-m", "app", "--version")
    through_run = fastest(sys.executable, str(root / "packaging" / "run.py"), "--version")
    assert through_run - direct < 1.0


def test_set_up_failures_are_one_line(
    script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = script("setup_environment")

    def fail(lock: str) -> Path:
        raise environment.SetupError("no network: …")

    monkeypatch.setattr(environment, "prepare", fail)
    for command in ("run", "test"):
        assert script(command).main([]) == 1
        assert capsys.readouterr().err == "sensiscope set-up: error: no network: …\n"


@pytest.mark.parametrize(
    ("statuses", "result", "summary"),
    [((0, 0), 0, "all passed"), ((1, 0), 1, "FAILED: first"), ((0, 5), 1, "FAILED: second")],
)
def test_any_failed_step_fails_and_the_others_still_run(
    script: Callable[[str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    statuses: tuple[int, int],
    result: int,
    summary: str,
) -> None:
    """Status 5 is pytest's for "no tests": a mistyped selection must not look like success."""
    test = script("test")
    monkeypatch.setattr(test.setup_environment, "prepare", lambda lock: Path(sys.executable))
    commands = {
        name: ["-c", f"raise SystemExit({status})"]
        for name, status in zip(("first", "second"), statuses, strict=True)
    }
    monkeypatch.setattr(test, "steps", lambda fix, benchmarks, tests: commands)
    assert test.main([]) == result
    printed = capsys.readouterr().out
    assert "== first" in printed
    assert "== second" in printed
    assert printed.splitlines()[-1] == summary


def test_the_type_checker_gets_another_try_without_helpers(
    script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    test = script("test")
    monkeypatch.setattr(test.setup_environment, "prepare", lambda lock: Path(sys.executable))
    monkeypatch.delenv("MYPY_NUM_WORKERS", raising=False)
    code = "import os, sys; sys.exit(0 if os.environ.get('MYPY_NUM_WORKERS') == '0' else {status})"
    for status, result in ((2, 0), (1, 1)):
        commands = {"types": ["-c", code.format(status=status)]}
        monkeypatch.setattr(test, "steps", lambda *_, commands=commands: commands)
        assert test.main([]) == result
        assert ("once more" in capsys.readouterr().out) == (status == 2)


def test_which_steps_run(script: Callable[[str], ModuleType]) -> None:
    steps = script("test").steps
    usual = steps(fix=False, benchmarks=False, tests=["-x"])
    assert list(usual) == ["format", "lint", "types", "imports", "tests"]
    assert "--check" in usual["format"]
    assert usual["tests"][-1] == "-x"
    repairing = steps(fix=True, benchmarks=False, tests=[])
    assert "--check" not in repairing["format"]
    assert "--fix" in repairing["lint"]
    assert list(steps(fix=False, benchmarks=True, tests=[])) == ["benchmarks"]


def test_paths_are_meant_from_where_the_person_stands(
    script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_it.py").touch()
    monkeypatch.chdir(tmp_path)
    from_here = script("test").from_here
    path = os.path.join("deep", "test_it.py")
    assert from_here(path) == str(tmp_path / path)
    assert from_here(f"{path}::test_one") == f"{tmp_path / path}::test_one"
    assert from_here("deep") == "deep", "might be the argument of -k"
    assert from_here("-x") == "-x"
    assert from_here("tests/engine") == "tests/engine"

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


def finish(environment: ModuleType, lock: str) -> None:
    environment.write_stamp(environment.origin() | environment.contents(lock))


def test_without_a_stamp_nothing_is_ready(environment: ModuleType) -> None:
    assert not environment.is_ready(environment.RUN)


def test_a_finished_environment_is_ready(environment: ModuleType) -> None:
    finish(environment, environment.RUN)
    assert environment.is_ready(environment.RUN)
    assert not environment.is_ready(environment.DEV)


def test_the_larger_environment_serves_the_smaller_need(environment: ModuleType) -> None:
    finish(environment, environment.BENCHMARKS)
    assert all(environment.is_ready(lock) for lock in environment.LOCKS)


@pytest.mark.parametrize("file", ["pyproject.toml", "packaging/requirements.lock"])
def test_changed_pins_are_noticed(environment: ModuleType, file: str) -> None:
    finish(environment, environment.RUN)
    (environment.ROOT / file).write_text("changed")
    assert not environment.is_ready(environment.RUN)


def test_another_lock_does_not_matter(environment: ModuleType) -> None:
    finish(environment, environment.RUN)
    (environment.ROOT / "packaging" / environment.DEV).write_text("changed")
    assert environment.is_ready(environment.RUN)


def test_a_vanished_interpreter_is_noticed(environment: ModuleType) -> None:
    finish(environment, environment.RUN)
    environment.venv_python().unlink()
    environment.venv_python().symlink_to("/nowhere/python")
    assert not environment.is_ready(environment.RUN)
    assert not environment.is_sound(environment.read_stamp())


def test_an_unreadable_stamp_counts_as_none(environment: ModuleType) -> None:
    (environment.VENV / "sensiscope-stamp").write_bytes(b"\xff\xfe\x00")
    assert environment.read_stamp() == set()


def test_what_can_be_built_upon(environment: ModuleType) -> None:
    # That of the system may have no pip, as Debian's has none.
    environment.venv_python().unlink()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment.VENV], check=True)
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    found = subprocess.run([environment.venv_python(), "-c", ask], check=True, capture_output=True, text=True)
    (Path(found.stdout.strip()) / "pip.py").touch()
    finish(environment, environment.RUN)
    assert environment.is_sound(environment.read_stamp())
    assert environment.is_sound(set()), "made by hand: kept"


def test_what_cannot_be_built_upon(environment: ModuleType) -> None:
    stamp = environment.origin() | environment.contents(environment.RUN)
    moved = {fact.replace("place ", "place /elsewhere") for fact in stamp}
    other_python = {fact.replace("python ", "python not-") for fact in stamp}
    assert not environment.is_sound({environment.UNFINISHED})
    assert not environment.is_sound(moved)
    assert not environment.is_sound(other_python)


def test_an_environment_without_pip_cannot_be_built_upon(environment: ModuleType) -> None:
    environment.venv_python().unlink()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment.VENV], check=True)
    assert not environment.is_sound(set())


def test_building_in_place(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound environment is brought up to date, never shrunk, and marked while that lasts."""
    finish(environment, environment.DEV)
    (environment.ROOT / "packaging" / environment.RUN).write_text("changed==2")
    calls: list[tuple[str, ...]] = []

    def pip(*arguments: str) -> None:
        assert environment.read_stamp() == {environment.UNFINISHED}
        calls.append(arguments)

    monkeypatch.setattr(environment, "pip", pip)
    environment.build(environment.RUN)
    assert f"packaging/{environment.DEV}" in calls[0]
    assert "--require-hashes" in calls[0]
    assert "--editable" in calls[1]
    assert environment.is_ready(environment.DEV)


def test_an_interrupted_build_begins_afresh(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(environment, environment.RUN)
    (environment.ROOT / "pyproject.toml").write_text("changed")

    def interrupted(*arguments: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "pip", interrupted)
    with pytest.raises(KeyboardInterrupt):
        environment.build(environment.RUN)

    made_anew: list[bool] = []
    monkeypatch.setattr(environment, "create_venv", lambda: made_anew.append(True))
    monkeypatch.setattr(environment, "pip", lambda *arguments: None)
    environment.build(environment.RUN)
    assert made_anew
    assert environment.is_ready(environment.RUN)


@pytest.mark.slow
def test_a_new_environment_replaces_what_is_there(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    rubbish = environment.VENV / "lib" / "half installed"
    rubbish.mkdir(parents=True)
    monkeypatch.setattr(sys, "argv", ["run.py"])
    environment.create_venv()
    assert not rubbish.exists()
    assert environment.is_sound(set())
    assert environment.read_stamp() == {environment.UNFINISHED}


def test_without_ensurepip_the_person_is_told(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(environment.SetupError, match="ensurepip") as caught:
        environment.create_venv()
    assert "\n" not in str(caught.value)


def test_only_one_at_a_time(environment: ModuleType) -> None:
    with environment.only_one_at_a_time(), open(environment.ROOT / ".venv.lock", "a+b") as other:
        assert not environment.try_lock(other.fileno())
    with open(environment.ROOT / ".venv.lock", "a+b") as other:
        assert environment.try_lock(other.fileno())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not inherit locks")
def test_the_lock_outlives_a_killed_start(environment: ModuleType) -> None:
    """A pip that goes on after its parent was killed still keeps others away."""
    command = [sys.executable, "-c", "input()"]
    with environment.only_one_at_a_time():
        orphan = subprocess.Popen(command, stdin=subprocess.PIPE, close_fds=False)
    with open(environment.ROOT / ".venv.lock", "a+b") as other:
        assert not environment.try_lock(other.fileno())
        orphan.communicate(b"\n")
        assert environment.try_lock(other.fileno())


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("WARNING: NewConnectionError(...)\nERROR: No matching distribution found for x", "no network"),
        (
            "SSLError('[SSL: CERTIFICATE_VERIFY_FAILED] …')\nERROR: No matching distribution found for x",
            "certificate of the package index is not trusted",
        ),
        ("ERROR: No matching distribution found for x==6.0 (from -r lock)", "x==6.0 is not available"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES\nsomething else", "DO NOT MATCH"),
    ],
)
def test_pip_failures_are_explained_in_one_line(environment: ModuleType, output: str, expected: str) -> None:
    explanation = environment.explain_pip(output)
    assert expected in explanation
    assert "\n" not in explanation


def test_a_failing_command_is_one_line(environment: ModuleType) -> None:
    command = [sys.executable, "-c", "raise SystemExit('first\\nwhat matters\\n')"]
    with pytest.raises(environment.SetupError, match=r"^what matters$"):
        environment.run(command)


def test_a_folder_that_cannot_be_written_is_one_line(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise PermissionError(13, "Permission denied", "/some/.venv.lock")

    monkeypatch.setattr(environment, "provide_system_packages", lambda for_building: None)
    monkeypatch.setattr(environment, "only_one_at_a_time", refuse)
    with pytest.raises(environment.SetupError, match=r"cannot write /some/\.venv\.lock: Permission denied"):
        environment.prepare(environment.RUN)

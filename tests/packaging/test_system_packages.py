from collections.abc import Callable
from types import ModuleType

import pytest

LISTING = """\
installed\tlibgl1\t
installed\tlibglib2.0-0t64\tlibglib2.0-0 (= 2.80.0-6), gobject-introspection
config-files\tlibegl1\t
not-installed\tlibdbus-1-3\t
"""


@pytest.fixture
def packages(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("system_packages")


def test_provided_names_count_and_removed_packages_do_not(packages: ModuleType) -> None:
    names = packages.installed(LISTING)
    assert {"libgl1", "libglib2.0-0", "libglib2.0-0t64"} <= names
    assert not {"libegl1", "libdbus-1-3"} & names


@pytest.mark.parametrize(
    ("environment", "windowed"),
    [
        ({}, False),
        ({"DISPLAY": ""}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"QT_QPA_PLATFORM": "xcb"}, True),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, False),
    ],
)
def test_what_is_needed_depends_on_where_qt_draws(
    packages: ModuleType, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], windowed: bool
) -> None:
    monkeypatch.setattr(packages.sys, "platform", "linux")
    expected = packages.OFFSCREEN + packages.X11 if windowed else packages.OFFSCREEN
    assert packages.needed(environment) == expected


def test_other_systems_are_left_alone(packages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for platform in ("darwin", "win32"):
        monkeypatch.setattr(packages.sys, "platform", platform)
        assert packages.missing(["no-such-package"]) == []
        assert packages.has_display({})


def test_a_missing_package_is_found(packages: ModuleType) -> None:
    if not packages.is_debian():
        pytest.skip("no dpkg here")
    assert packages.missing(["dpkg", "no-such-package"]) == ["no-such-package"]


@pytest.mark.parametrize(("user", "start"), [(0, "apt-get install"), (1000, "sudo apt-get install")])
def test_the_line_to_run(
    packages: ModuleType, monkeypatch: pytest.MonkeyPatch, user: int, start: str
) -> None:
    monkeypatch.setattr(packages.os, "geteuid", lambda: user)
    line = packages.install_line(["libgl1", "libegl1"])
    assert line.startswith(start)
    assert line.endswith(" libgl1 libegl1")
    assert "\n" not in line


def test_package_lists_are_fetched_only_when_needed(
    packages: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first attempt fails as on a fresh system; after `update` the second succeeds."""
    asked: list[str] = []

    def run(command: list[str], **options: object) -> object:
        asked.append("update" if "update" in command else "install")
        failed = asked == ["install"]
        return packages.subprocess.CompletedProcess(command, 100 if failed else 0, "E: Unable to locate\n")

    monkeypatch.setattr(packages.subprocess, "run", run)
    assert packages.install(["libgl1"]) is None
    assert asked == ["install", "update", "install"]
    assert packages.install(["libgl1"]) is None
    assert asked[3:] == ["install"]


def test_what_apt_complains_about_is_one_line(packages: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    output = "Reading...\nE: Unable to locate package libgl1\n"
    monkeypatch.setattr(
        packages.subprocess,
        "run",
        lambda command, **options: packages.subprocess.CompletedProcess(command, 100, output),
    )
    assert packages.install(["libgl1"]) == "E: Unable to locate package libgl1"


def test_people_who_are_not_root_are_told_once_and_everything(
    script: Callable[[str], ModuleType],
    packages: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment = script("setup_environment")
    monkeypatch.setattr(packages, "missing", lambda wanted: ["libegl1"])
    monkeypatch.setattr(packages, "is_debian", lambda: True)
    monkeypatch.setattr(packages.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    environment.provide_system_packages(for_building=True)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "sudo apt-get install" in said
    assert "libegl1 python3." in said

"""Whether a window can be shown, before Qt would end the process."""

import importlib
import logging
import socket
import sys

import pytest

from app.commands.main import main
from app.commands.support import display as module
from app.commands.support.display import display_problem, library_problem

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays as on Linux")
NUMBER = 97_531


NONE = "there is no display for the window"


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)


def test_without_any_there_is_none():
    assert display_problem() == NONE


@pytest.mark.parametrize("asked", ["offscreen", "vnc:size=800x600", "xcb;minimal"])
def test_qt_may_be_told_to_do_without_a_screen(monkeypatch, asked):
    monkeypatch.setenv("QT_QPA_PLATFORM", asked)
    assert display_problem() == ""


@pytest.mark.parametrize("asked", ["xcb", "wayland", "wayland;xcb", "no-such-thing"])
def test_what_qt_is_told_must_be_there(monkeypatch, asked):
    monkeypatch.setenv("QT_QPA_PLATFORM", asked)
    assert display_problem() == f"{NONE}: QT_QPA_PLATFORM={asked} leads to none"


@pytest.mark.parametrize("display", [f":{NUMBER}", f"unix:{NUMBER}", f":{NUMBER}.1"])
def test_a_server_of_this_machine_must_answer(monkeypatch, display):
    monkeypatch.setenv("DISPLAY", display)
    assert display_problem() == f"{NONE}: DISPLAY={display} leads to none"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{NUMBER}")
        server.listen()
        assert display_problem() == ""


def test_a_compositor_must_answer(monkeypatch, tmp_path):
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-9")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert display_problem() == f"{NONE}: WAYLAND_DISPLAY=wayland-9 leads to none"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-9"))
        server.listen()
        assert display_problem() == ""
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    assert display_problem() == "", "the other one is tried, too"


def test_a_server_elsewhere_is_taken_at_its_word(monkeypatch):
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    assert display_problem() == ""


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
    ],
)
def test_a_missing_library_has_one_line_with_the_way_out(monkeypatch, capsys, library, package):
    def fail():
        raise OSError(f"{library}: cannot open shared object file: No such file or directory")

    monkeypatch.setattr(module, "_load_plugin", fail)
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    for arguments in ([], ["--theme", "dark"]):
        assert main(arguments) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert f"the window needs {library}" in line
        assert f"sudo apt install {package})" in line
        assert "sensiscope run median" in line
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert library_problem() == ""  # Qt does not load it


@pytest.mark.parametrize("error", [None, "/opt/qt/libqxcb.so: cannot open shared object file", "bad ELF"])
def test_qt_itself_reports_all_other_faults(monkeypatch, error):
    def load():
        if error:
            raise OSError(error)

    monkeypatch.setattr(module, "_load_plugin", load)
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    assert library_problem() == ""


def test_matplotlib_does_not_complain_of_a_folder_that_cannot_be_made(caplog):
    importlib.import_module("app.plots")
    logging.getLogger("matplotlib").warning("mkdir -p failed for path")
    logging.getLogger("matplotlib.font_manager").warning("no font")
    assert [record.message for record in caplog.records] == ["no font"]

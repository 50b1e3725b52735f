"""Whether a window can be shown, before Qt would end the process."""

import socket
import sys

import pytest

from app.commands.support.display import has_display

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays as on Linux")
NUMBER = 97_531


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_without_any_there_is_none():
    assert not has_display()


@pytest.mark.parametrize("name", ["WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_what_is_no_x_server_is_taken_at_its_word(monkeypatch, name):
    monkeypatch.setenv(name, "something")
    assert has_display()


@pytest.mark.parametrize("display", [f":{NUMBER}", f"unix:{NUMBER}", f":{NUMBER}.1"])
def test_a_server_of_this_machine_must_answer(monkeypatch, display):
    monkeypatch.setenv("DISPLAY", display)
    assert not has_display()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{NUMBER}")
        server.listen()
        assert has_display()


def test_a_server_elsewhere_is_taken_at_its_word(monkeypatch):
    monkeypatch.setenv("DISPLAY", "localhost:10.0")
    assert has_display()

"""Small files that the program reads at start may hold anything: each is refused in one line, at once."""

import os
import random
import sqlite3
import time

import pytest
from PySide6.QtCore import QSettings

import app.model.chosen_numbers as chosen_numbers
import app.settings as settings_module
from app.documents.last_session import pages_of
from app.documents.reading import read_session
from app.lessons.bookmarks import Bookmarks
from app.lessons.reading import lessons
from app.model.additions import left_out
from app.model.preferences import SETTINGS
from app.model.texts.pages import read_page
from app.recent_files import texts
from app.settings import Settings, private_store
from engine import Ledger, plugins
from engine.data import examples
from engine.errors import SensiscopeError
from engine.resources import resource
from engine.small_files import LARGEST, parse_toml, small_text

SECONDS = 2.0
"""Of this process: what an ordinary machine does in a tenth of them."""

HOSTILE = {
    "nested lists": b"a = " + b"[" * 100_000,
    "nested tables": b"a = " + b"{a=" * 20_000,
    "headers": b"[[[[[[" * 3000,
    "long number": b"minutes = " + b"9" * 10_000,
    "number of 4,000 digits": b"minutes = " + b"9" * 4000,
    "number beyond doubles": b"minutes = " + b"9" * 400,
    "dotted key": b".".join([b"a"] * 20_000) + b" = 1",
    "dotted header": b"[" + b".".join([b"a"] * 20_000) + b"]\n",
    "dotted quoted key": b" . ".join([b'"a"'] * 2000) + b" = 1",
    "many dotted keys": b"".join(b"k%d.a.b.c.d.e.f = 1\n" % number for number in range(3_000)),
    "blanks": b"[a" + b" " * 100_000 + b"\n",
    "Latin-1": 'title = "Größe"'.encode("latin-1"),
    "UTF-16": 'title = "a"'.encode("utf-16"),
    "null bytes": b"\0" * 1000,
    "empty": b"",
    "large": b"# " + b"x" * (LARGEST + 1),
    "endless line": b'title = "' + b"x" * 200_000 + b'"',
    "no day": b"a = 2020-02-31",
    "JSON": b'{"format": ' + b"[" * 100_000,
    "JSON number": b'{"format": ' + b"9" * 10_000 + b"}",
    "JSON object": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "JSON list": b"[" * 900 + b"]" * 900,
    "JSON text": b'{"format": 1, "pages": "\\ud800"}',
    "markup": b"# a\n\n" + b"*" * 50_000 + b"\n\n" + b"[" * 20_000 + b"](" * 20_000,
    "bars": b"# a\n\nb\n\n" + b"|" * 100_000,
    "dollars": b"# a\n\n" + b"$" * 50_000,
    "random": random.Random(1).randbytes(10_000),
}


@pytest.fixture(params=HOSTILE)
def content(request):
    began = time.process_time()
    yield HOSTILE[request.param]
    assert time.process_time() - began < SECONDS


def refused(work):
    """Do something that may be refused, in one line; return the line."""
    line = ""
    try:
        work()
    except SensiscopeError as error:
        line = str(error)
    assert "\n" not in line
    return line


def test_a_bad_lesson_is_named_and_costs_no_other(tmp_path, content):
    good = next(resource("lessons").glob("*.toml"))
    (tmp_path / good.name).write_bytes(good.read_bytes())
    (tmp_path / "hostile.toml").write_bytes(content)
    read, (fault,) = lessons(tmp_path)
    assert [lesson.name for lesson in read] == [good.stem]
    assert str(fault).startswith("hostile.toml")
    assert "\n" not in str(fault)


def test_a_bad_card_is_named_and_costs_no_other(tmp_path, content, monkeypatch):
    good = resource("examples") / "salaries.toml"
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "good.toml").write_bytes(good.read_bytes())
    (tmp_path / "examples" / "hostile.toml").write_bytes(content)
    cards, (fault,) = examples._read_cards((tmp_path / "examples",))
    assert list(cards) == ["salaries"]
    assert str(fault).startswith("hostile.toml")
    monkeypatch.setattr("engine.resources._added", [tmp_path])
    assert f"an example is left out: {fault}" in left_out()


def test_a_card_with_values_of_another_kind_is_left_out(tmp_path):
    text = (resource("examples") / "salaries.toml").read_text("utf-8")
    for number, changed in enumerate(
        (
            text.replace("order = ", "order = 'x' # "),
            text + "\nn = 'many'",
            "order = 1\nname = 2\n",
            "order = 1",
        )
    ):
        (tmp_path / f"{number}.toml").write_text(changed, "utf-8")
    cards, faults = examples._read_cards((tmp_path,))
    assert not cards
    assert len(faults) == 4


def test_all_bundled_cards_are_whole():
    assert examples.EXAMPLES.faults == ()


def test_a_bad_page_of_help_is_refused(tmp_path, content):
    (tmp_path / "topics").mkdir()
    file = tmp_path / "topics" / "hostile.md"
    file.write_bytes(content)
    refused(lambda: read_page(file))


def test_a_bad_session_is_refused(tmp_path, content):
    file = tmp_path / "hostile.sensiscope"
    file.write_bytes(content)
    assert refused(lambda: read_session(file, None)).startswith("hostile.sensiscope")
    text = content.decode("utf-8", "replace")
    assert not text or refused(lambda: pages_of(text))


def test_bad_settings_have_their_defaults(tmp_path, content, monkeypatch, qapp):
    text = content.decode("latin-1").replace("\0", "?")
    file = tmp_path / "settings.ini"
    store = QSettings(str(file), QSettings.Format.IniFormat)
    for name in SETTINGS:
        store.setValue(f"settings/{name}", text)
    store.setValue("lessons/groups", text[-10_000:])
    store.sync()
    again = QSettings(str(file), QSettings.Format.IniFormat)
    kept = Settings(again)
    assert len(kept.problems) >= 10
    assert all("\n" not in problem for problem in kept.problems)
    assert Bookmarks(again).step("groups", 5) in range(5)
    texts(text)
    file.write_bytes(content)
    Settings(QSettings(str(file), QSettings.Format.IniFormat))
    monkeypatch.setattr(chosen_numbers, "_file", lambda: file)
    assert chosen_numbers._kept() in chosen_numbers.FORMATS


def test_a_number_of_many_digits_marks_no_step(qapp, tmp_path):
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    store.setValue("lessons/groups", "9" * 10_000)
    assert Bookmarks(store).step("groups", 5) == 0


@pytest.mark.skipif(os.name != "posix", reason="settings are in no file of ours")
def test_a_huge_file_of_settings_is_left_out(tmp_path, monkeypatch, qapp):
    file = tmp_path / "settings.ini"
    file.write_bytes(b"[settings]\n" + b"a=1\n" * (1 << 21))
    monkeypatch.setattr(
        settings_module, "QSettings", lambda: QSettings(str(file), QSettings.Format.IniFormat)
    )
    store, problem = private_store()
    assert store is None
    assert "is larger than 4 MB, so it is ignored" in problem
    assert "\n" not in problem


def test_a_bad_ledger_is_refused_and_stays_as_it_is(tmp_path, content):
    file = tmp_path / "ledger.sqlite"
    file.write_bytes(content)
    line = refused(lambda: Ledger(file))
    assert content == b"" or "ledger" in line
    assert content == b"" or file.read_bytes() == content


def test_a_changed_ledger_is_refused_and_stays_as_it_is(tmp_path):
    whole = tmp_path / "whole.sqlite"
    Ledger(whole)
    with sqlite3.connect(whole) as database:
        database.execute("INSERT INTO event VALUES (99, 'x', 'y', zeroblob(32))")
    database.close()
    chance = random.Random(1)
    for _ in range(150):
        damaged = bytearray(whole.read_bytes())
        for _ in range(chance.choice((1, 4, 40))):
            place = chance.choice((chance.randrange(len(damaged)), chance.randrange(200)))
            damaged[place] = chance.randrange(256)
        file = tmp_path / "ledger.sqlite"
        file.write_bytes(damaged)
        assert "ledger" in refused(lambda: Ledger(tmp_path / "ledger.sqlite"))
        assert file.read_bytes() == damaged


def test_bad_metadata_of_a_plug_in_cost_no_other(tmp_path, content, monkeypatch):
    monkeypatch.setattr(plugins, "_found", {})
    monkeypatch.setattr(plugins, "_asked", [])
    monkeypatch.syspath_prepend(tmp_path)
    info = tmp_path / "hostile-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_bytes(b"Metadata-Version: 2.1\nName: hostile\nVersion: 1\n")
    (info / "entry_points.txt").write_bytes(f"[{plugins.GROUP}]\n".encode() + content)
    bad = tmp_path / "unnamed-1.dist-info"
    bad.mkdir()
    (bad / "METADATA").write_bytes(content)
    (bad / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nunnamed = nowhere:nothing\n")
    for plugin in plugins.load_plugins():
        assert plugin.problem
        assert "\n" not in plugin.text


def test_a_pipe_and_a_folder_are_no_small_files(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "nowhere"):
        assert refused(lambda path=path: small_text(path))


def test_what_is_refused_in_toml_is_said_with_its_line():
    for text, words in {
        "a = 1\n" + "b." * 20 + "c = 1": "line 2: a key has more than 16 parts",
        "a = " + "9" * 20: "a whole number has more than 18 digits",
        "a = " + "[" * 18 + "]" * 18: "nested more than 16 deep",
        "a = 'x'\n# " + "x" * 5000: "line 2: the line has more than 5,000 characters",
    }.items():
        assert words in refused(lambda text=text: parse_toml(text, "file"))
    assert parse_toml('a.b = "see e.g. 1.2.3.4 … a.b.c"', "file") == {"a": {"b": "see e.g. 1.2.3.4 … a.b.c"}}

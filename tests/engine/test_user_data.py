"""Settings of the user: the environment first, then settings.toml."""

import pytest

from engine import user_data
from engine.errors import SensiscopeError
from engine.user_data import default_format, default_ledger, first_limit, settings_file, user_setting


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    for name in user_data.SETTINGS:
        monkeypatch.delenv(f"SENSISCOPE_{name.upper()}", raising=False)
    monkeypatch.setattr(user_data, "_folder", lambda variable, *_: tmp_path / variable)
    settings_file().parent.mkdir()
    return tmp_path


def write(text):
    settings_file().write_text(text, encoding="utf-8")


def test_without_settings_the_usual_values_hold(folder):
    assert default_ledger() == folder / "XDG_DATA_HOME" / "ledger.sqlite"
    assert default_format() == "text"
    assert first_limit() is None


def test_the_environment_comes_before_the_file(monkeypatch):
    write('ledger = "a.sqlite"\nformat = "json"\nlimit_epsilon = 2\nlimit_delta = 1e-6\n')
    assert (str(default_ledger()), default_format()) == ("a.sqlite", "json")
    limit = first_limit()
    assert (limit.epsilon, limit.delta) == (2.0, 1e-6)
    monkeypatch.setenv("SENSISCOPE_FORMAT", "text")
    monkeypatch.setenv("SENSISCOPE_LIMIT_EPSILON", "0.5")
    assert (default_format(), first_limit().epsilon) == ("text", 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format", "settings.toml"),
        ('colour = "red"', "there is no setting 'colour'"),
        ('format = "xml"', "there is no format 'xml'"),
        ('limit_epsilon = "much"', "'much' is no number"),
        ("limit_epsilon = -1", "-1"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_line(text, message):
    write(text)
    with pytest.raises(SensiscopeError) as caught:
        _ = user_setting("format"), default_format(), first_limit()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_file_is_read_once():
    write('format = "json"\nlimit_epsilon = 2\n')
    assert (default_format(), first_limit().epsilon) == ("json", 2.0)
    settings_file().unlink()
    assert (default_format(), first_limit().epsilon) == ("json", 2.0)

"""`sensiscope lessons`: the list, and files with faults."""

import pytest
from tiny_lesson import HEAD, SCENES, STEP

from app.commands.main import main
from app.lessons.reading import lessons, own_folder

BAD = """title = "A"
minutes = 1000
[[step]]
title = "One"
text = "Words."
[step.scene]
page = "nowhere"
[step.question]
ask = "Which?"
answers = ["This"]
"""


@pytest.fixture
def tiny(tmp_path):
    """Return the file of a lesson of two steps."""
    path = tmp_path / "tiny.toml"
    steps = (STEP.format(title=title, page=page, scene=scene) for title, page, scene in SCENES[::2])
    path.write_text(HEAD + "".join(steps), "utf-8")
    return path


def test_the_list_names_every_lesson_and_the_folder(capsys):
    assert main(["lessons"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {lesson.name} " in shown for lesson in lessons()[0])
    assert str(own_folder()) in shown


def test_each_fault_of_a_file_is_a_line(tmp_path, tiny, capsys):
    bad = tmp_path / "bad.toml"
    bad.write_text(BAD, "utf-8")
    assert main(["lessons", "--check", str(tiny)]) == 0
    assert capsys.readouterr().out == "tiny.toml: no faults\n"
    assert main(["lessons", "--check", str(tiny), str(bad)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("'")[0] for line in lines] == [
        "tiny.toml: no faults",
        *["bad.toml, line 1: "] * 3,
        "bad.toml, line 2: ",
        "bad.toml, line 7: there is no page ",
        "bad.toml, line 10: a question has 2 to 4 answers, not 1",
    ]


def test_lessons_of_ones_own_are_listed_after_the_bundled_ones(tmp_path, monkeypatch, tiny):
    (tmp_path / "groups.toml").write_bytes(tiny.read_bytes())
    monkeypatch.setattr("app.lessons.reading.own_folder", lambda: tmp_path)
    good, bad = lessons()
    assert good[-1].name == "tiny"
    assert str(bad[0]) == "groups.toml: a bundled lesson has this name; rename the file"

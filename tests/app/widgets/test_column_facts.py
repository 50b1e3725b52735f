"""Editors of the public facts of one column."""

from app.widgets.column_facts import LabelsLine


def test_lists_are_taken_from_a_file_or_a_public_list(qtbot, tmp_path):
    line, lists, problems = LabelsLine("smokes"), [], []
    for widget in line.editors:
        qtbot.addWidget(widget)
    line.edited.connect(lambda _, labels, __: lists.append(labels))
    line.refused.connect(problems.append)
    path = tmp_path / "code book.csv"
    path.write_text("Smokes,meaning\ntrue,yes\n\n" + '"false",no\ntrue,again\n', "utf-8")
    line.read_file(str(path))
    assert lists[-1] == ("true", "false")
    path.write_text("1, 2, 10\n", "utf-8")
    line.read_file(str(path))
    assert lists[-1] == ("1", "2", "10")
    line.menu.aboutToShow.emit()
    (months,) = (action for action in line.menu.actions() if action.text() == "Months")
    months.trigger()
    assert lists[-1][::11] == ("January", "December")
    path.write_text("\n", "utf-8")
    line.read_file(str(path))
    assert "no categories" in problems[0]
    assert len(lists) == 3

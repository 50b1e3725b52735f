"""Long pieces of work take turns of the event loop, one each."""

from app.widgets.turns import take_turn


def test_one_piece_in_each_turn(qtbot):
    assert take_turn()
    assert not take_turn()
    qtbot.wait(1)
    assert take_turn()
    qtbot.wait(1)

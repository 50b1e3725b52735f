"""Long pieces of work take turns of the event loop, one each."""

from app.widgets.deferred import take_frame_slot


def test_one_piece_in_each_turn(qtbot):
    assert take_frame_slot()
    assert not take_frame_slot()
    qtbot.wait(1)
    assert take_frame_slot()
    qtbot.wait(1)

"""What follows from public data is marked so, and not as confidential."""

import pytest

from app.lessons.reading import read_lesson
from app.widgets.card import ConfidentialBadge, ConfidentialMark
from engine.resources import resource


def marks(window):
    """Return the words of the badge beside the name of the data; all marks agree with it."""
    seen = [badge for badge in window.findChildren(ConfidentialBadge) if badge.isVisible()]
    said = {badge.accessibleName().partition(":")[0] for badge in seen}
    words = {badge.text() for badge in seen if not isinstance(badge, ConfidentialMark)}
    assert words == said
    assert {badge.text() for badge in seen if isinstance(badge, ConfidentialMark)} <= {
        "●" if said == {"Confidential"} else ""
    }
    return words


def test_the_marks_follow_what_the_user_says(shared):
    assert marks(shared) == {"Confidential"}
    status = shared.controllers.status
    assert "“Confidential”" in status.text()
    shared.actions_by_name["public_data"].trigger()
    shared.controllers.public_data.dialog.answers["public"].click()
    assert shared.wait_until_idle()
    assert marks(shared) == {"Public data"}
    assert status.text() == "Curator view: nothing here is confidential"
    shared.actions_by_name["data_table"].trigger()
    table = shared.controllers.data_table.dialog
    assert (table.badge.text(), table.badge.toolTip()[:45]) == (
        "Public data",
        "Computed from raw data that are public or syn",
    )
    table.close()
    shared.session.stacks.undo()
    assert shared.wait_until_idle()
    assert marks(shared) == {"Confidential"}


@pytest.mark.slow
def test_bundled_data_are_public_also_in_a_lesson(first_window):
    assert marks(first_window) == {"Public data"}
    player = first_window.controllers.lessons.player
    player.start(read_lesson(resource("lessons", "choosing-bounds.toml")))
    assert first_window.wait_until_idle()
    assert marks(first_window) == {"Public data"}
    player.leave()
    assert first_window.wait_until_idle()
    assert marks(first_window) == {"Public data"}

"""What a report says that all releases promise together."""

from sessions import record

from app.export.report.budget_sections import guarantee_section
from engine.privacy import Privacy


def test_a_record_left_empty_counts_twice_among_replaced_ones():
    made = (
        record("a", privacy=Privacy(1.0), neighbours="zero-out"),
        record("a", privacy=Privacy(0.5), neighbours="replace-one"),
        record("a", privacy=Privacy(7.0), neighbours="edge"),
    )
    words = [block.text for block in guarantee_section(made).blocks]
    together = [text for text in words if "cost ε" in text]
    assert [text.partition(" together")[0][-3:] for text in together] == ["2.5", "= 7"]
    assert not any("left empty" in text for text in words)

"""What a report says that all releases promise together."""

from sessions import record

from app.export.report.budget_sections import guarantee_section
from engine.privacy import Privacy


def test_releases_between_all_neighbours_are_one_sum_for_one_row():
    made = (
        record("a", privacy=Privacy(1.0), neighbours="zero-out"),
        record("a", privacy=Privacy(0.5), neighbours="replace-one"),
        record("a", privacy=Privacy(0.25), neighbours="edge-weight"),
        record("a", privacy=Privacy(3.0), neighbours="edge"),
        record("a", privacy=Privacy(0.125), neighbours="node"),
    )
    words = [block.text for block in guarantee_section(made).blocks]
    (together,) = [text for text in words if "cost ε" in text]
    # 2 + 0.5 + 0.25 + 6 + 0.25
    assert "cost ε = 9 together" in together
    assert "whether one row of the file has one value or another" in together
    assert any("so these releases count twice" in text for text in words)
    assert not any("left empty, n public" in text for text in words)
    ends = "Releases for edge weights hide the weight in a row, but not which vertices it joins."
    assert ends in words
    assert ends not in [block.text for block in guarantee_section(made[:2]).blocks]


def test_deltas_grow_with_the_steps_and_may_leave_no_promise():
    stated = record("a", privacy=Privacy(1.0, 1e-6), neighbours="edge")
    (text,) = [block.text for block in guarantee_section((stated,)).blocks if "cost ε" in block.text]
    assert "δ = 3.72×10⁻⁶" in text  # 1e-6 (1 + e)
    lost = record("a", privacy=Privacy(3.0, 0.2), neighbours="edge")
    assert "δ would reach 1" in guarantee_section((lost,)).blocks[0].text

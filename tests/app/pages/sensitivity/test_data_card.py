"""Playing and drawing simulated releases anew."""

from app.model.pages.sensitivity import SimulatedRuns
from app.pages.sensitivity.data_card import SimulationBar


def test_the_words_tell_the_seed_of_the_runs_that_are_drawn(qtbot):
    bar = SimulationBar(SimulatedRuns)
    qtbot.addWidget(bar)
    for seed in (2, 3):
        with qtbot.waitSignal(bar.changed):
            bar.again.click()
        assert bar.values == {"seed": seed}
        assert bar.source.text().startswith(f"seed {seed} ")

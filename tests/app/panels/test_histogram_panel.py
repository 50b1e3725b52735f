"""The form of histograms: every mechanism is offered, and Run stays in sight whatever is asked."""

from app.desks import queries_of
from app.opening import read_example
from engine.catalog import ASKED
from engine.progress import silent


def test_run_is_in_sight_at_the_usual_size_with_all_fine_tuning(window_of):
    from app.desks import DESKS
    from app.session import Session

    session = Session()
    session.show_page("histogram")
    # two columns of numbers, and two of categories
    found = read_example("histogram", "penguins", silent)
    choice = {"columns": ("bill_length_mm", "bill_depth_mm")}
    fields = DESKS["histogram"].load(found.dataset, {**found.fields, **choice}, silent)
    session.open_dataset(found.dataset, "open", **fields)
    window = window_of(session, 30_000)
    window.resize(1280, 800)
    box = window.column.release.query
    offered = [box.itemData(i) for i in range(box.count()) if box.itemData(i)]
    assert offered == list(queries_of("histogram"))
    # lines between what promises nothing, what does, and categories
    assert box.count() == len(offered) + 2
    for name in offered:
        session.edit("ask", query=name)
        form = window.release
        form.tuning_button.setChecked(True)
        window.column.widget().layout().activate()
        assert not window.column.verticalScrollBar().isVisible(), name
        shown = {*form.form.rows, *form.tuning_form.rows}
        assert shown == {one.name for one in ASKED[name].parameters()}, name
    assert window.wait_until_idle(30_000)

"""What draws is imported once, and no search for garbage goes through it."""

import gc
from importlib import import_module

from app.widgets.picture_loading import load_pictures
from engine.progress import silent


def test_what_was_imported_is_left_out_of_the_next_search_for_garbage(tmp_path, monkeypatch):
    (tmp_path / "a_picture_of_its_own.py").write_text("KNOWN = [[n] for n in range(1000)]\n")
    monkeypatch.syspath_prepend(tmp_path)
    seen = []
    monkeypatch.setattr(gc, "freeze", lambda: seen.append(gc.isenabled()))
    assert load_pictures([lambda: import_module("a_picture_of_its_own")], silent)
    assert seen == [False]  # before anything may be searched
    assert gc.isenabled()
    assert not load_pictures([lambda: import_module("a_picture_of_its_own")], silent)
    assert len(seen) == 1

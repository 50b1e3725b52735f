"""What privacy losses add up to, beside the other rules of the budget."""

import pytest

from engine.primitives.losses import is_installed

MEAN = ("run", "mean", "--example", "one-to-ten", "--epsilon", 0.5)


@pytest.mark.skipif(not is_installed(), reason="dp-accounting is missing (extra 'accounting')")
def test_privacy_losses_are_told_beside_the_rules(cli, tmp_path, monkeypatch):
    ledger = ("--ledger", tmp_path / "l.sqlite")
    assert cli(*MEAN, "--method", "laplace", *ledger).status == 0
    asked = ("budget", *ledger, "--example", "one-to-ten")
    words = "epsilon = 0.5, delta = 1e-06 by privacy losses, if the releases were fixed before"
    assert words in cli(*asked).out
    told = cli(*asked, "--json").json["spent"]["pld"]
    assert (told["epsilon"], told["delta"]) == (pytest.approx(0.5, abs=1e-4), 1e-6)
    monkeypatch.setattr("engine.primitives.losses.is_installed", lambda: False)
    assert "by privacy losses: dp-accounting is not installed; install it with: pip" in cli(*asked).out
    assert cli(*asked, "--json").json["spent"]["pld"] is None

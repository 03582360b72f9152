"""Every split that is asked for is verified, and what is wrong is told."""

from __future__ import annotations

from unseen.benchmarks.svib import verify


def test_every_split_that_fits_is_verified(script, capsys):
    assert script.main("svib/dsprites-s*", "svib/clevr-sa", "--share", "0.0002") == 0
    rows = [line.split()[:3] for line in capsys.readouterr().out.splitlines()]
    names = ("svib/dsprites-sa", "svib/dsprites-sna", "svib/clevr-sa")
    assert sorted(rows) == sorted([name, split, "2"] for name in names for split in ("test", "test_ood"))


def test_what_is_wrong_is_told(script, capsys, monkeypatch):
    monkeypatch.setattr(verify, "check", lambda record, spec: ["it is wrong"])
    assert script.main("svib/clevr-sa", "--share", "0.0001", "--splits", "val") == 1
    assert "1 wrong\n    0: it is wrong" in capsys.readouterr().out

"""The measured audit: a line for each rule and version, kept when a run goes on."""

from __future__ import annotations

import json
from pathlib import Path

from unseen.benchmarks.cvr.rules import BY_NAME


def test_rules_are_audited_in_both_versions_and_what_is_known_is_kept(script, tmp_path):
    file = tmp_path / "audit.json"
    script.main(str(file), "6", "size")
    script.main(str(file), "5", "shape")
    audits = json.loads(file.read_text())
    assert [(one["task"], one["split"], one["count"]) for one in audits] == [
        ("cvr/shape", "train", 5),
        ("cvr/shape", "test_ood", 5),
        ("cvr/size", "train", 6),
        ("cvr/size", "test_ood", 6),
    ]


def test_a_run_that_was_ended_goes_on(script, tmp_path, monkeypatch):
    file = tmp_path / "audit.json"
    monkeypatch.setattr(script, "RULES", script.RULES[:2])
    script.main(str(file), "4", "shape")
    before = json.loads(file.read_text())
    before[0]["seed"] = 77
    file.write_text(json.dumps(before))
    script.main(str(file), "4")
    assert [(one["task"], one["seed"]) for one in json.loads(file.read_text())] == [
        ("cvr/shape", 77),
        ("cvr/shape", 0),
        ("cvr/pos", 0),
        ("cvr/pos", 0),
    ]


def test_a_rule_that_declares_something_else_since_is_audited_again(script, tmp_path, monkeypatch):
    file = tmp_path / "audit.json"
    monkeypatch.setattr(script, "RULES", script.RULES[:1])
    script.main(str(file), "4")
    audits = json.loads(file.read_text())
    audits[0].update(seed=77, declared="another digest")
    audits[1].update(seed=77, content=audits[1]["content"] - 1)
    file.write_text(json.dumps(audits))
    script.main(str(file), "4")
    assert [one["seed"] for one in json.loads(file.read_text())] == [0, 0]


def test_what_is_measured_is_of_the_present_content_and_declarations(script):
    audits = json.loads((Path(__file__).parents[2] / "docs" / "measured" / "audit.json").read_text())
    for one in audits:
        rule = BY_NAME[one["task"].removeprefix("cvr/").replace("-", "_")]
        assert script.basis_of(rule).items() <= one.items(), rule.name
        for finding in one["findings"]:
            assert finding["reason"] == rule.tells.get(finding["solver"], ""), (rule.name, finding["solver"])


def test_the_highest_findings_are_kept_and_what_was_learned(script):
    import unseen
    from unseen.audit import audit

    found = script.shortened(audit(unseen.task("cvr/color"), "train", count=100))
    kept = {one["solver"]: one for one in found["findings"]}
    assert kept["hue"]["value"] == 1.0
    assert kept["hue"]["reason"]
    assert "learned" in kept
    assert found["worst"]["solver"] in kept
    assert len(kept) <= script.SHOWN + 2

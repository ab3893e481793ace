"""Every contract of this project is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.projects import build
from romproof.projects.project import find_project, manifests
from romproof.report.unread import find_lost, findings_of
from romproof.text.diagnostic import render

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_contract_is_read() -> None:
    project = find_project(ROOT)
    assert project is not None
    found = [
        render(each)
        for manifest in manifests(project)
        for each in findings_of(find_lost(build(manifest).image), manifest.name, strict=True)
    ]
    assert found == []

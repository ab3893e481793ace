"""Every contract of this project is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from romproof.projects import build
from romproof.projects.project import find_project, manifests
from romproof.report.unread import findings_of, lost_in
from romproof.text.diagnostic import render

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_contract_is_read() -> None:
    project = find_project(ROOT)
    assert project is not None
    found = [
        render(each)
        for manifest in manifests(project)
        for each in findings_of(lost_in(build(manifest).image), manifest.name, strict=True)
    ]
    assert found == []

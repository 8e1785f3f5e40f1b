"""
A report on a site is written for programs.
"""

from __future__ import annotations

import msgspec

from surefoot.core.canonical import canonical_json
from surefoot.report.site.report import SiteReport


def test_every_number_is_written_for_programs(report: SiteReport) -> None:
    """The report is JSON as it stands, also where nothing was measured."""
    found = msgspec.json.decode(canonical_json(report))

    assert [one["kind"] for one in found["fixes"]] == ["size", "label", "spacing"]
    assert found["mended"][0]["count"]["fix"] == [3, 3]

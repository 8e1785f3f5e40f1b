"""
Faults of an earlier state are known again, and what is new is told from them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Box
from surefoot.run.fixes.known import changed_faults, write_faults
from surefoot.run.fixes.rules import RULES, ControlFacts, SiteFinding


def finding(
    rule: str = "small",
    *,
    page: str = "app.example:8000/orders",
    element: str = "button-1",
    words: str = "Save",
    left: float = 0.0,
) -> SiteFinding:
    """Return a finding about one control."""
    facts = ControlFacts(
        element=element,
        role="button",
        words=words,
        shown=True,
        worded=True,
        box=Box(left, 0, left + 9, 9),
        side=9,
        gap=None,
        font=12,
        contrast=None,
        icon=False,
        section="Basket",
        rules=(rule,),
    )
    return SiteFinding(rule, page, facts)


FINDINGS = st.lists(
    st.builds(
        finding,
        st.sampled_from(list(RULES)),
        page=st.sampled_from(["h/a", "h/b"]),
        words=st.sampled_from(["", "Save", "Größe\n2"]),
        element=st.sampled_from(["button-1", "button-2"]),
    )
)


@given(FINDINGS, FINDINGS)
def test_new_and_gone_are_the_two_differences(
    tmp_path_factory: pytest.TempPathFactory, before: list[SiteFinding], added: list[SiteFinding]
) -> None:
    """What stayed is never new; what was added is, if no equal fault went; counts add up."""
    file = tmp_path_factory.mktemp("faults") / "faults.jsonl"
    write_faults(file, before)
    same = changed_faults(file, reversed(before))
    assert (same.new, same.gone) == ((), 0)
    more = changed_faults(file, [*before, *added])
    assert len(more.new) == len(added)
    assert more.gone == 0
    none = changed_faults(file, [])
    assert (none.new, none.gone) == ((), len(before))


def test_a_fault_is_known_on_another_port_and_at_another_place(tmp_path: Path) -> None:
    """Host, port, structure and position may change; a name, a page or a rule may not."""
    file = tmp_path / "faults.jsonl"
    write_faults(file, [finding()])
    moved = finding(page="localhost:9/orders", element="div-7", left=300)
    assert changed_faults(file, [moved]).new == ()
    for other in (finding(words="Go"), finding("covered"), finding(page="app.example:8000/cart")):
        changed = changed_faults(file, [other])
        assert changed.new == (other,)
        assert changed.gone == 1


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"nonsense",
        b'{"page":"a","rule":"loud","role":"b","words":"","section":""}',
        b'{"page":1,"rule":"small","role":"b","words":"","section":""}',
    ],
)
def test_what_is_no_file_of_faults_is_refused(tmp_path: Path, line: bytes) -> None:
    """A line that the command did not write is named by its number, an absent file by its name."""
    file = tmp_path / "faults.jsonl"
    with pytest.raises(InvalidInputError, match="--update"):
        changed_faults(file, [])
    write_faults(file, [finding()])
    file.write_bytes(file.read_bytes() + line + b"\n")
    with pytest.raises(InvalidInputError, match="line 2"):
        changed_faults(file, [])

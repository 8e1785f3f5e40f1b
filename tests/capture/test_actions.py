"""
Paths of actions: what is spelt is read back, and what is none is refused.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.capture.actions import Action, parse_actions, spell_actions
from surefoot.capture.address import Address
from surefoot.core.errors import InvalidInputError

IDS = st.from_regex(r"[a-z0-9]{1,9}-[0-9a-f]{12}(~act)?", fullmatch=True)
TEXTS = st.lists(
    st.sampled_from([" >> ", "click a-1", '"', "\\", "\n"]) | st.text(max_size=9)
).map("".join)
ACTIONS = st.one_of(
    st.builds(Action, st.just("click"), IDS),
    st.builds(Action, st.sampled_from(["type", "choose", "press"]), IDS, TEXTS),
)


@given(st.lists(ACTIONS, max_size=4), st.sampled_from(["app:x/a?b=c", "folder:/a b#c.html"]))
def test_a_path_is_read_back_as_it_was_spelt(actions: list[Action], spec: str) -> None:
    """Whatever is typed, quotes and arrows included, comes back, and so does the page."""
    assert parse_actions(spell_actions(spec, actions)) == (spec, tuple(actions))


@given(st.lists(ACTIONS, min_size=1, max_size=4))
def test_an_address_knows_its_page(actions: list[Action]) -> None:
    """The page comes back from the state, however the path was put together."""
    page = Address("app:x/a", "x-1/a", "app-x")
    whole = page.after(*actions)
    assert whole.entry == page
    assert whole.actions == tuple(actions)
    assert page.after(*actions[:1]).after(*actions[1:]) == whole
    assert whole.page != page.page


@pytest.mark.parametrize(
    "step", ["click", "click a b", 'click a "b"', "type a", 'type a "b', 'press a "\\q"']
)
def test_a_step_that_is_none_is_refused(step: str) -> None:
    """A path is never guessed at."""
    with pytest.raises(InvalidInputError, match="click ID"):
        parse_actions(f"app:x/ >> click a-1 >> {step} ")


def test_what_is_too_long_is_refused() -> None:
    """A step has an end."""
    with pytest.raises(InvalidInputError, match="click ID"):
        parse_actions(f'app:x/ >> type a "{"x" * 600}"')

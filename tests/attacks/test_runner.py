"""
The counting of attacks, tried on attacks whose outcome is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from attacks import __main__ as runner
from attacks.attack import Attack, Trial, all_attacks


def attack(name: str) -> Attack:
    """Return an attack of a name, whose trials are never called here."""

    def trials(_seed: int, number: int, _folder: Path) -> Iterator[Trial]:
        yield from (Trial(f"{name} {at}", at != 1, "gave way") for at in range(number))

    return Attack(name, f"{name} is kept", f"{name} is hit", trials, 2, 3)


def test_an_attack_is_tried_as_often_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """Each trial becomes a line that says whether the promise held."""
    assert runner.try_here(attack("glass"), 0, 3) == 0
    assert capsys.readouterr().out.splitlines() == [
        '["glass 0", true, "gave way"]',
        '["glass 1", false, "gave way"]',
        '["glass 2", true, "gave way"]',
    ]


def test_an_attack_that_cannot_run_has_not_held() -> None:
    """An attack whose process fails is counted as a promise that did not hold."""
    (count,) = runner.run_all([attack("no such attack")], "many", 0, 1)
    assert (count.trials, count.held) == (1, 0)


def test_the_table_is_put_between_its_marks(tmp_path: Path) -> None:
    """A new count replaces the old one and leaves the rest of the page alone."""
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{runner.BEGIN}\nold\n{runner.END}\n\nafter\n", "utf-8")
    for held in (2, 3):
        runner.write_table(page, [(attack("glass"), runner.Count(3, held, [], 0.1))])
    assert page.read_text("utf-8") == (
        f"before\n\n{runner.BEGIN}\n\n| promise | attack | n | held |\n"
        "| --- | --- | ---: | ---: |\n| glass is kept | glass is hit | 3 | 3 |\n\n"
        f"{runner.END}\n\nafter\n"
    )


def test_attacks_name_themselves_and_grow() -> None:
    """The whole of an attack is at least its long form."""
    for found in all_attacks().values():
        assert 0 < found.many <= found.whole, found.name
        assert found.promise[0].isupper(), found.name
        assert found.does[0].isupper(), found.name
        assert "|" not in found.promise + found.does, found.name

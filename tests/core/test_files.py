"""
Atomic files: whole or absent, whatever happens at any point.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from surefoot.core.files import open_atomic, remove_partial, write_atomic

BEFORE_RENAME = ["files:after-write", "files:after-fsync"]
AFTER_RENAME = ["files:after-rename", "files:after-folder-fsync"]


class Failing:
    """Fail at one point with one error."""

    def __init__(self, point: str, number: int) -> None:
        self.point = point
        self.number = number

    def __call__(self, point: str) -> None:
        """Be called at every point."""
        if point == self.point:
            raise OSError(self.number, point)


def test_points_come_in_order(tmp_path: Path) -> None:
    """A write passes every named point once, and the file appears at the rename."""
    path = tmp_path / "plan.json"
    seen: list[tuple[str, bool]] = []
    write_atomic(path, b"new", lambda point: seen.append((point, path.exists())))
    assert seen == [
        *((point, False) for point in BEFORE_RENAME),
        *((point, True) for point in AFTER_RENAME),
    ]
    assert [item.name for item in tmp_path.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("point", [*BEFORE_RENAME, *AFTER_RENAME])
def test_a_failing_write_leaves_old_or_new(tmp_path: Path, point: str, number: int) -> None:
    """A disk that fails at any point leaves the old bytes or the new, and no other file."""
    path = tmp_path / "plan.json"
    write_atomic(path, b"old")
    with pytest.raises(OSError, match=point) as caught:
        write_atomic(path, b"new bytes", Failing(point, number))
    assert caught.value.errno == number
    assert path.read_bytes() == (b"old" if point in BEFORE_RENAME else b"new bytes")
    assert [item.name for item in tmp_path.iterdir()] == ["plan.json"]


def test_a_block_that_raises_writes_nothing(tmp_path: Path) -> None:
    """An error while the content is made leaves the old file as it was."""
    path = tmp_path / "table.jsonl"
    write_atomic(path, b"old")

    def write_half() -> None:
        with open_atomic(path) as stream:
            stream.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_leftovers_are_removed_and_nothing_else(tmp_path: Path) -> None:
    """Only files of the temporary pattern are deleted, in folders below too."""
    keep = [tmp_path / name for name in ("a.png", "notes.partial", ".hidden", ".b.partial")]
    torn = [
        tmp_path / ".a.png.00112233445566ff.partial",
        tmp_path / "b" / ".x.00112233445566ff.partial",
    ]
    (tmp_path / "b").mkdir()
    (tmp_path / ".folder.00112233445566ff.partial").mkdir()
    for path in (*keep, *torn):
        path.write_bytes(b"x")
    assert remove_partial(tmp_path) == 2
    assert all(path.exists() for path in keep)
    assert not any(path.exists() for path in torn)
    assert remove_partial(tmp_path) == 0


def test_a_device_or_a_pipe_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    """No file takes the place of what is no file; a pipe that nobody reads is refused at once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(OSError, match="No such device"):
        write_atomic(pipe, b"unread")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomic(pipe, b"whole")
    assert os.read(reader, 99) == b"whole"
    os.close(reader)
    assert pipe.is_fifo()
    terminal, device = os.openpty()
    write_atomic(Path(os.ttyname(device)), b"seen")
    assert os.read(terminal, 99) == b"seen"
    assert Path(os.ttyname(device)).is_char_device()
    os.close(terminal)
    os.close(device)

"""
The objects that records name.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.core.canonical import canonical_json
from surefoot.core.store import ObjectStore
from surefoot.run.folders.objects import named_objects, pictures_held


def test_pictures_that_a_result_names_are_held_or_not(tmp_path: Path) -> None:
    """A result is held as long as each picture that it names is there and undamaged."""
    store = ObjectStore(tmp_path)
    one, two = store.put(b"one"), store.put(b"two")
    payload = canonical_json({"screens": [{"image": one}], "turns": [[{"image": two}]]})
    held = pictures_held(tmp_path)

    assert named_objects(payload) == {one, two}
    assert held(payload)
    store.path(two).write_bytes(b"twx")
    assert not held(payload)
    store.path(two).unlink()
    assert not held(payload)
    assert named_objects(b"no JSON") == named_objects(b"[" * 100_000) == set()

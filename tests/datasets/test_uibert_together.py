"""
UIBert's RefExp from its bytes up: records, checksums, protocol buffers, the set itself.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from surefoot.core.errors import InvalidInputError, RecordError
from surefoot.core.geometry import Box
from surefoot.datasets.dataset import BadRecord
from surefoot.datasets.files.pictures import Pictures
from surefoot.datasets.files.tfrecord import crc32c, read_example, tf_records
from surefoot.datasets.labelled import LABELLED, Record
from surefoot.datasets.uibert import read_uibert

Values = list[bytes] | list[float] | list[int]
VIEWS = "image/view_hierarchy"


def varint(value: int) -> bytes:
    """Spell an integer, seven bits a byte; a negative one as 64 bits."""
    value %= 1 << 64
    parts = []
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def field(number: int, body: bytes) -> bytes:
    """Spell a field of bytes."""
    return varint(number << 3 | 2) + varint(len(body)) + body


def feature(values: Values, *, packed: bool = True) -> bytes:
    """Spell a feature; numbers one by one where they are not packed."""
    if not values:
        return b""
    chunks = [value for value in values if isinstance(value, bytes)]
    if chunks:
        return field(1, b"".join(field(1, chunk) for chunk in chunks))
    floats = isinstance(values[0], float)
    spelled = [struct.pack("<f", value) if floats else varint(int(value)) for value in values]
    if packed:
        return field(2 if floats else 3, field(1, b"".join(spelled)))
    key = varint(1 << 3 | (5 if floats else 0))
    return field(2 if floats else 3, b"".join(key + item for item in spelled))


def entry(name: str, values: Values, *, packed: bool = True) -> bytes:
    """Spell one feature with its name."""
    return field(1, field(1, name.encode()) + field(2, feature(values, packed=packed)))


def example(features: Mapping[str, Values], *, packed: bool = True) -> bytes:
    """Spell an example."""
    return field(1, b"".join(entry(*item, packed=packed) for item in features.items()))


def divided(data: bytes) -> int:
    """Divide bit by bit, as the definition of CRC-32C says, without a table."""
    rest = 0xFFFFFFFF
    for byte in data:
        for bit in range(8):
            one = (rest ^ byte >> bit) & 1
            rest = rest >> 1 ^ (0x82F63B78 if one else 0)
    return rest ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    """Spell the checksum that stands in a file."""
    rest = divided(data)
    return struct.pack("<I", ((rest >> 15 | rest << 17) + 0xA282EAD8) % (1 << 32))


def framed(records: Iterable[bytes]) -> bytes:
    """Spell a file of records with their lengths and checksums."""
    heads = ((struct.pack("<Q", len(data)), data) for data in records)
    return b"".join(head + masked(head) + data + masked(data) for head, data in heads)


def spelled(box: tuple[float, float, float, float]) -> dict[str, float]:
    """Name a box's sides as the set does."""
    return dict(zip(("xmin", "ymin", "xmax", "ymax"), box, strict=True))


OBJECTS = [(0.125, 0.25, 0.5, 0.75), (0.0, 0.0, 1.0, 0.5)]
VIEW = (0.25, 0.5, 0.75, 1.0)
FEATURES: dict[str, Values] = {
    "image/id": [b"31"],
    "image/ref_exp/text": [b"click on the second image"],
    "image/ref_exp/label": [1],
    "image/object/num": [2.0],
    **{f"image/object/bbox/{side}": [spelled(box)[side] for box in OBJECTS]
       for side in ("xmin", "ymin", "xmax", "ymax")},
    **{f"{VIEWS}/bbox/{side}": [value] for side, value in spelled(VIEW).items()},
    f"{VIEWS}/class/name": [b"IMAGE_BUTTON"],
    f"{VIEWS}/class/label": [4],
    f"{VIEWS}/id/name": [b"back"],
    f"{VIEWS}/text": [b""],
    f"{VIEWS}/description": [b"navigate up"],
}  # fmt: skip


def read(
    folder: Path, *records: bytes, images: Pictures | None = None
) -> tuple[list[Record], list[BadRecord]]:
    """Write records as the test split, and read them."""
    path = folder / "ref_exp" / "test.tfrecord"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(framed(records))
    reported: list[BadRecord] = []
    return list(read_uibert(folder, images=images, report=reported.append)), reported


def refused(data: bytes) -> str:
    """Return why bytes are no example, "" where they are one."""
    try:
        read_example(data)
    except RecordError as error:
        return error.reason
    return ""


@pytest.mark.parametrize(
    ("data", "checksum"),
    [
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_checksums_are_those_of_the_standard(data: bytes, checksum: int) -> None:
    """The four examples of RFC 3720, appendix B.4."""
    assert crc32c(data) == checksum == divided(data)


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.lists(st.binary(max_size=9))
        | st.lists(st.floats(width=32, allow_nan=False))
        | st.lists(st.integers(-(2**63), 2**63 - 1)),
        max_size=5,
    ),
    st.booleans(),
)
@settings(deadline=None)
def test_examples_arrive_as_they_were_spelt(features: dict[str, Values], packed: bool) -> None:
    """Bytes, floats and integers of 64 bits come back, packed or not."""
    found = read_example(example(features, packed=packed)).features
    assert found == {name: tuple(values) for name, values in features.items()}


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_no_bytes_break_the_reader(data: bytes) -> None:
    """Any bytes are an example or a bad record, and nothing else happens."""
    assert refused(data) in {"", "malformed", "duplicate-key"}


@given(st.binary(min_size=1, max_size=3), st.integers(0, 400))
@settings(deadline=None)
def test_a_spoilt_example_is_a_bad_record(noise: bytes, at: int) -> None:
    """Bytes changed in the middle never raise anything but a record's error."""
    good = example(FEATURES)
    at %= len(good)
    spoilt = good[:at] + noise + good[at + len(noise) :]
    assert refused(spoilt) in {"", "malformed", "duplicate-key"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 11,
        field(1, b"ab")[:-1],
        varint(1 << 3 | 3),
        field(1, field(1, field(1, b"\xff"))),
        field(1, varint(1 << 3) + varint(7)),
        field(1, field(1, field(1, b"a") + field(2, field(4, b"")))),
        field(1, field(1, field(1, b"a") + field(2, field(1, b"") + field(3, b"")))),
        field(1, field(1, field(1, b"a") + field(2, field(2, field(1, b"abc"))))),
    ],
)
def test_broken_messages_are_malformed(data: bytes) -> None:
    """Endless integers, cut fields, unknown wire types, wrong kinds and lists of two kinds."""
    with pytest.raises(RecordError, match="Expected") as caught:
        read_example(data)
    assert caught.value.reason == "malformed"


def test_a_name_twice_is_refused() -> None:
    """Which of two lists was meant is not guessed."""
    with pytest.raises(RecordError, match="twice"):
        read_example(field(1, entry("a", [1]) + entry("a", [2])))


def test_an_expression_is_read(tmp_path: Path) -> None:
    """The labelled object is the truth; objects and views are elements in the unit square."""
    (record,), reported = read(tmp_path, example(FEATURES))
    assert not reported
    assert record.text == "click on the second image"
    assert (record.boxes, record.target) == ((Box(0.0, 0.0, 1.0, 0.5),), "object-1")
    assert (record.image, record.width, record.height) == ("31.jpg", 1, 1)
    assert (record.split, record.page, record.platform) == ("test", "31", "mobile")
    assert [(element.id, element.role, element.name) for element in record.elements] == [
        ("object-0", "", ""),
        ("object-1", "", ""),
        ("view-0", "button", "navigate up"),
    ]
    view = {"class": "IMAGE_BUTTON", "described": "view", "resource": "back"}
    assert record.elements[2].attributes == view
    assert [element.attributes["described"] for element in record.elements[:2]] == ["object"] * 2


def test_pictures_tell_the_pixels(tmp_path: Path) -> None:
    """With the picture at hand boxes are pixels of it; without it the record is left out."""
    Image.new("RGB", (200, 100)).save(tmp_path / "31.jpg")
    there = Pictures(tmp_path)
    other = FEATURES | {"image/id": [b"32"]}
    (record,), reported = read(tmp_path, example(FEATURES), example(other), images=there)
    assert record.boxes == (Box(0.0, 0.0, 200.0, 50.0),)
    assert record.elements[2].box == Box(50.0, 50.0, 150.0, 100.0)
    assert (record.width, record.height) == (200, 100)
    assert [(item.line, item.reason) for item in reported] == [(2, "missing-picture")]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"image/ref_exp/text": [b" "]}, "empty-text"),
        ({"image/ref_exp/text": [b"\xff"]}, "malformed"),
        ({"image/ref_exp/text": [b"a", b"b"]}, "malformed"),
        ({"image/ref_exp/label": [2]}, "malformed"),
        ({"image/ref_exp/label": [-1]}, "malformed"),
        ({"image/ref_exp/label": [1.0]}, "malformed"),
        ({"image/object/num": [3.0]}, "malformed"),
        ({"image/object/bbox/xmin": [0.5]}, "malformed"),
        ({"image/object/bbox/xmin": [0.5, 1.0]}, "empty-box"),
        ({"image/object/bbox/ymin": [0.5, 0.75]}, "reversed-box"),
        ({"image/object/bbox/xmax": [1.0, 1.25]}, "outside"),
        ({"image/object/bbox/xmax": [1.0, 540.0]}, "wrong-scale"),
        ({"image/object/bbox/xmax": [1.0, math.nan]}, "malformed"),
        ({f"{VIEWS}/text": [b"a", b"b"]}, "malformed"),
        ({"image/id": [b""]}, "malformed"),
    ],
)
def test_bad_records_are_reported(tmp_path: Path, changes: dict[str, Values], reason: str) -> None:
    """One bad feature leaves the record out, and the next is read."""
    found, reported = read(tmp_path, example(FEATURES | changes), example(FEATURES))
    assert [record.number for record in found] == [2]
    assert [(record.line, record.reason) for record in reported] == [(1, reason)]


def test_a_bad_neighbour_costs_itself(tmp_path: Path) -> None:
    """A box beside the target that is none is no element, and is counted."""
    changes: dict[str, Values] = {"image/object/bbox/xmax": [0.125, 1.0]}
    (record,), _ = read(tmp_path, example(FEATURES | changes))
    assert [element.id for element in record.elements] == ["object-1", "view-0"]
    assert record.facts == {"bad_boxes": "1"}


def test_data_that_fails_its_checksum_costs_its_record(tmp_path: Path) -> None:
    """A flipped bit is found wherever it lies, and the records around it are read."""
    read(tmp_path, example(FEATURES), example(FEATURES), example(FEATURES))
    path = tmp_path / "ref_exp" / "test.tfrecord"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)
    reported: list[BadRecord] = []
    found = list(read_uibert(path, report=reported.append))
    assert [record.number for record in found] == [1, 3]
    assert [(record.line, record.reason) for record in reported] == [(2, "bad-checksum")]
    with pytest.raises(RecordError, match="record 2"):
        list(read_uibert(path, strict=True))


@pytest.mark.parametrize("end", [1, 11, 12, 40, -1])
def test_a_cut_file_is_named(tmp_path: Path, end: int) -> None:
    """Wherever it is cut, a file without its end raises."""
    read(tmp_path, example(FEATURES))
    path = tmp_path / "ref_exp" / "test.tfrecord"
    path.write_bytes(path.read_bytes()[:end])
    with pytest.raises(InvalidInputError, match=r"test\.tfrecord"):
        list(read_uibert(tmp_path))


def test_a_length_is_never_trusted(tmp_path: Path) -> None:
    """A length that fails its checksum raises; so does a true one above the limit."""
    path = tmp_path / "a.tfrecord"
    head = struct.pack("<Q", 1 << 62)
    path.write_bytes(head + bytes(4))
    with pytest.raises(InvalidInputError, match="checksum"):
        list(tf_records(path))
    path.write_bytes(head + masked(head))
    with pytest.raises(InvalidInputError, match="bytes, over"):
        list(tf_records(path))


def test_the_real_file_is_read_whole() -> None:
    """All 509 expressions of the dev split, each about another screen, none left out."""
    beside = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("SUREFOOT_SHARED_DATA", beside))
    file = folder / "uibert" / "ref_exp_dev.tfrecord"
    if not file.exists():
        pytest.skip("UIBert's dev split is absent; set SUREFOOT_SHARED_DATA to its folder")
    records = list(LABELLED.get("uibert").read(file, strict=True))
    assert len(records) == len({item.image for item in records}) == 509
    views = sum(element.id.startswith("view") for record in records for element in record.elements)
    assert views == 15_055
    assert {item.split for item in records} == {"dev"}
    assert {item.facts["bad_boxes"] for item in records} == {"0"}
    assert records[0].text == "click on option below 50"

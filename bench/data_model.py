"""
The data model, measured: one element type in msgspec, attrs with cattrs, and pydantic.

Each library runs in a process of its own: import and definition, then encoding and decoding
a list of 20,000 elements. CPU seconds, the best of several rounds; one that is not
installed is named and skipped. Annotations are evaluated here, as the types are local.
"""

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ELEMENTS = 20_000
ROUNDS = 3
PLAIN = {
    "id": "e1",
    "role": "button",
    "box": {"left": 1.0, "top": 2.0, "right": 3.0, "bottom": 4.0},
    "name": "Save",
    "states": ["focusable"],
    "attributes": {"tag": "button"},
}

Codec = tuple[Callable[[Any], bytes], Callable[[bytes], Any]]


def use_msgspec() -> Codec:
    """Define the type as a msgspec struct."""
    import msgspec

    class Box(msgspec.Struct, frozen=True):
        left: float
        top: float
        right: float
        bottom: float

    class Element(msgspec.Struct, frozen=True):
        id: str
        role: str
        box: Box
        name: str
        states: tuple[str, ...]
        attributes: dict[str, str]

    return msgspec.json.Encoder().encode, msgspec.json.Decoder(list[Element]).decode


def use_cattrs() -> Codec:
    """Define the type with attrs, converted by cattrs' preconfigured JSON converter."""
    import attrs
    from cattrs.preconf.json import make_converter

    @attrs.frozen
    class Box:
        left: float
        top: float
        right: float
        bottom: float

    @attrs.frozen
    class Element:
        id: str
        role: str
        box: Box
        name: str
        states: tuple[str, ...]
        attributes: dict[str, str]

    converter = make_converter()
    return (
        lambda items: converter.dumps(items, unstructure_as=list[Element]).encode(),
        lambda data: converter.loads(data, list[Element]),
    )


def use_pydantic() -> Codec:
    """Define the type as a frozen pydantic model."""
    import pydantic

    class Box(pydantic.BaseModel, frozen=True):
        left: float
        top: float
        right: float
        bottom: float

    class Element(pydantic.BaseModel, frozen=True):
        id: str
        role: str
        box: Box
        name: str
        states: tuple[str, ...]
        attributes: dict[str, str]

    adapter = pydantic.TypeAdapter(list[Element])
    return adapter.dump_json, adapter.validate_json


LIBRARIES: dict[str, tuple[Callable[[], Codec], tuple[str, ...]]] = {
    "msgspec": (use_msgspec, ("msgspec",)),
    "attrs + cattrs": (use_cattrs, ("attrs", "cattrs")),
    "pydantic": (use_pydantic, ("pydantic",)),
}


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def measure(name: str) -> list[float]:
    """Return the seconds of defining, encoding and decoding, in this fresh process."""
    started = time.process_time()
    encode, decode = LIBRARIES[name][0]()
    defined = time.process_time() - started
    data = json.dumps([PLAIN] * ELEMENTS).encode()
    items = decode(data)
    encoding = min(seconds(lambda: encode(items)) for _ in range(ROUNDS))
    return [defined, encoding, min(seconds(lambda: decode(data)) for _ in range(ROUNDS))]


def main() -> None:
    """Print one row a library, with its ratios to msgspec."""
    print(f"{'':16}{'import+define':>20}{'encode':>20}{'decode':>20}")
    base: list[float] = []
    for name, (_, modules) in LIBRARIES.items():
        absent = [module for module in modules if importlib.util.find_spec(module) is None]
        if absent:
            print(f"{name:16} skipped: pip install {' '.join(absent)}")
            continue
        command = [sys.executable, __file__, name]
        row = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        base = base or row
        cells = [f"{item:.3f} s ({item / own:.1f}x)" for item, own in zip(row, base, strict=True)]
        print(f"{name:16}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
    else:
        main()

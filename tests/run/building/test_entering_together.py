"""
A product behind a sign-in from end to end: captured as somebody, and no secret written anywhere.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import shutil
import subprocess
import urllib.parse
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import surefoot
from surefoot.core.canonical import sha256
from surefoot.core.errors import InvalidInputError, SurefootError
from surefoot.core.geometry import Box
from surefoot.run.folders.folder import read_screens
from tests.conftest import FakeServer, MakeStep, Step
from tests.product import PASSWORD, Product

SMALL: Final[dict[str, Any]] = {"width": 500, "height": 400, "workers": 1, "unconfined": True}
pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def product() -> Iterator[Product]:
    """Lend a product whose poll is answered."""
    with Product() as running:
        running.polls = False
        yield running


@pytest.fixture
def state(product: Product, tmp_path: Path) -> Path:
    """Write the state of one who is signed in."""
    return write(product, tmp_path / "state.json")


def write(product: Product, file: Path, *, known: bool = True) -> Path:
    """Write a storage state into a file."""
    file.write_text(json.dumps(product.state(known=known)))
    return file


def spellings(secret: str) -> set[bytes]:
    """Return how a secret may stand in a file: raw, escaped, in base64 at each offset, in hex."""
    raw = secret.encode()
    found = {
        raw,
        raw.hex().encode(),
        raw.hex().upper().encode(),
        json.dumps(secret)[1:-1].encode(),
    }
    found |= {urllib.parse.quote(secret, safe="").encode(), secret.encode("utf-16-le")}
    found.add("".join(f"%{byte:02x}" for byte in raw).encode())
    found.add("".join(f"\\u{ord(letter):04x}" for letter in secret).encode())
    for offset in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            # The first and the last letters depend on what stands beside.
            found.add(encode(b"\0" * offset + raw)[offset + 1 : -4])
    return found


def inflated(data: bytes) -> Iterator[bytes]:
    """Yield what is packed in a file, wherever it begins."""
    for magic, bits in ((b"\x1f\x8b\x08", 31), (b"\x78\x9c", 15), (b"\x78\xda", 15)):
        at = data.find(magic)
        while at >= 0:
            with contextlib.suppress(zlib.error):
                yield zlib.decompressobj(bits).decompress(data[at:])
            at = data.find(magic, at + 1)


def found_in(folder: Path, secrets: list[str]) -> list[str]:
    """Return the files that hold a secret in any spelling."""
    wanted = set().union(*map(spellings, secrets))
    return [
        f"{file}: {part!r}"
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        for data in (file.read_bytes(), *inflated(file.read_bytes()))
        for part in wanted
        if part in data
    ]


def test_the_search_finds_what_it_has_to(tmp_path: Path) -> None:
    """A secret in every spelling is found, so that none found means that none is there."""
    secret = 'rope/"7?lantern+anchor'  # noqa: S105 - planted
    spelt = [
        secret.encode(),
        json.dumps({"a": secret}).encode(),
        urllib.parse.urlencode({"a": secret}).encode(),
        base64.b64encode(f"a{secret}".encode()),
        base64.b64encode(f"ab:{secret}c".encode()),
        gzip.compress(secret.encode()),
        b"before" + zlib.compress(base64.b64encode(secret.encode())),
        secret.encode().hex().encode(),
    ]
    for number, data in enumerate(spelt):
        (tmp_path / str(number)).write_bytes(data)

    assert len({line.partition(":")[0] for line in found_in(tmp_path, [secret])}) == len(spelt)


def test_pages_are_captured_signed_in_and_no_secret_is_written(
    product: Product, state: Path, tmp_path: Path
) -> None:
    """Routes, a socket and a stream come as their user sees them, and nothing of who that is."""
    pages = [f"{product.origin}{path}" for path in ("/#/orders", "/h/settings", "/plain")]

    made = surefoot.capture(
        pages, out=tmp_path / "out" / "screens", storage_state=state, signed_in="#leave", **SMALL
    )
    bench, variants = tmp_path / "out" / "bench", "original,style"
    built = surefoot.build(
        "perturbed", screens=made.folder, out=bench, variants=variants, workers=1
    )

    assert made.outcome.failures == ()
    assert built.outcome.failures == ()
    assert {screen.source for screen in made} == {*pages}
    texts = {screen.source: {item.text for item in screen.elements} for screen in made}
    assert {"Order 17, rope", "3 ships at sea", "the tide is high"} <= texts[pages[0]]
    assert {"Notifications", "3 ships at sea", "the tide is high"} <= texts[pages[1]]
    assert "Your key is ***" in texts[pages[2]]
    assert found_in(tmp_path / "out", product.tokens) == []


@pytest.mark.long
def test_a_served_model_is_asked_for_controls_behind_a_sign_in(
    product: Product, state: Path, server: FakeServer, step: MakeStep, tmp_path: Path
) -> None:
    """A model that misses small links gets them back by their size, over HTTP, as somebody."""
    out = tmp_path / "out"

    def choose(body: dict[str, Any]) -> Step:
        content = body["messages"][-1]["content"]
        data = next(part["image_url"]["url"] for part in content if "image_url" in part)
        words = " ".join(part["text"] for part in content if "text" in part)
        image = sha256(base64.b64decode(data.partition(",")[2]))
        shown = [
            element.box
            for folder in out.rglob("screens.jsonl.zst")
            for screen in read_screens(folder.parent)
            if screen.image == image
            for element in screen.elements
            if element.role in {"link", "button"} and f"'{element.name}'" in words
        ]
        box = shown[0] if min(shown[0].width, shown[0].height) >= 24 else Box(0, 0, 2, 2)
        reply = json.dumps({"x": round(box.center.x), "y": round(box.center.y)})
        return step(json.dumps({"choices": [{"message": {"content": reply}}]}).encode())

    server.choose = choose
    found = surefoot.site(
        f"{product.origin}/#/orders",
        model=f"openai:small-misser@{server.base}",
        format="json",
        out=out,
        variants="original",
        samples=1,
        self_check=False,
        browsers=1,
        storage_state=state,
        signed_in="#leave",
        unconfined=True,
    )

    sizes = next(fix for fix in found.fixes if fix.kind == "size")
    assert sizes.controls == sizes.back >= 5
    assert sizes.back_again == 0
    assert {"link 'Log out'", "link 'Order 17, rope'"} <= {one for one, *_ in found.missed}
    assert found_in(out, product.tokens) == []


def test_what_the_environment_holds_goes_to_the_product_alone(
    product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A header and a password reach the origin that was named; one that it may load from, none."""
    sid, _ = product.session()
    monkeypatch.setenv("QUAY_TOKEN", sid)
    page, out = f"{product.origin}/plain", tmp_path / "out"
    header = "Authorization: Bearer $QUAY_TOKEN"
    told: dict[str, Any] = {"header": [header], "signed_in": "#leave", **SMALL}

    with Product() as other:
        product.picture = f"{other.origin}/gone.png"
        alone = surefoot.capture(page, out=out / "a", **told)
        assert other.asked == []
        both = surefoot.capture(page, out=out / "b", allow=[other.origin], **told)
        seen = [asked.headers for asked in other.asked]
        product.picture = f"{product.origin}/away?to={other.origin}/gone.png"
        away = surefoot.capture(page, out=out / "c", allow=[other.origin], **told)
        seen += [asked.headers for asked in other.asked]

    assert [len(made.outcome.failures) for made in (alone, both, away)] == [0, 0, 0]
    assert len(seen) > 2
    assert not [headers for headers in seen if sid in str(headers)]
    assert found_in(out, [sid]) == []
    monkeypatch.setenv("QUAY_BASIC", f"ann:{PASSWORD}")
    product.way, product.picture = "basic", ""
    basic = surefoot.capture(page, out=out / "d", http_credentials="QUAY_BASIC", **SMALL)
    assert basic.outcome.failures == ()
    assert found_in(out, [PASSWORD, f"ann:{PASSWORD}"]) == []


@pytest.mark.long
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_a_certificate_of_one_s_own_is_believed_where_it_is_named(tmp_path: Path) -> None:
    """Pages, sockets and streams over TLS come by the named certificate, and by no other."""
    for name in ("own", "other"):
        made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=quay"]
        made += ["-keyout", f"{name}.pem", "-out", f"{name}.crt", "-days", "2"]
        subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
        with (tmp_path / f"{name}.pem").open("a") as file:
            file.write((tmp_path / f"{name}.crt").read_text())
    with Product(certificate=str(tmp_path / "own.pem")) as product:
        product.polls = False
        told: dict[str, Any] = {"storage_state": write(product, tmp_path / "s.json"), **SMALL}
        page = f"{product.origin}/#/orders"

        believed, *refused = (
            surefoot.capture(page, out=tmp_path / f"out-{number}", ca=ca, **told)
            for number, ca in enumerate((tmp_path / "own.crt", None, tmp_path / "other.crt"))
        )

    assert believed.outcome.failures == ()
    ((screen,), reasons) = believed, [one.outcome.failures[0].reason for one in refused]
    assert {"3 ships at sea", "the tide is high"} <= {item.text for item in screen.elements}
    assert reasons == ["unreachable", "unreachable"]
    assert "--ca" in refused[0].outcome.failures[0].message


def test_a_session_that_ended_is_renewed_and_the_same_command_goes_on(
    product: Product, tmp_path: Path
) -> None:
    """A forgotten session fails the page with what to do; a new one in the file captures it."""
    file = write(product, tmp_path / "state.json", known=False)
    told: dict[str, Any] = {"storage_state": file, "signed_in": "#leave", **SMALL}
    page, out = f"{product.origin}/plain", tmp_path / "screens"

    (failure,) = surefoot.capture(page, out=out, **told).outcome.failures
    write(product, file)
    again = surefoot.capture(page, out=out, retry_failed=True, **told)

    assert failure.reason == "signed-out"
    assert "found a sign-in page at /login" in failure.message
    assert f"surefoot login {product.origin}/ --out {file}" in failure.message
    assert "--retry-failed" in failure.message
    assert again.outcome.failures == ()
    assert len(again) == 1
    assert found_in(out, product.tokens) == []


def test_a_password_is_typed_by_its_name(
    product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In clear it is refused before anything is written; by name it signs in and stays a name."""
    page, out = f"{product.origin}/login", tmp_path / "out"
    first = surefoot.capture(page, out=out / "a", **SMALL)
    (screen,) = first
    user, secret = (item.id for item in screen.elements if item.role == "textbox")
    (button,) = (item.id for item in screen.elements if item.role == "button")
    steps = f'{page} >> type {user} "ann" >> type {secret} {{}} >> click {button}'

    with pytest.raises(InvalidInputError) as caught:
        surefoot.capture(steps.format(f'"{PASSWORD}"'), out=out / "b", **SMALL)
    assert PASSWORD not in str(caught.value)
    assert f"type {secret} $PASSWORD" in caught.value.remedy
    assert not (out / "b").exists()
    monkeypatch.setenv("QUAY_PASSWORD", PASSWORD)
    spelt = steps.format("$QUAY_PASSWORD")
    made = surefoot.capture(spelt, out=out / "c", signed_in="#leave", **SMALL)
    monkeypatch.setenv("QUAY_PASSWORD", "wrong-rope-9")
    wrong = surefoot.capture(spelt, out=out / "d", **SMALL)

    assert made.outcome.failures == ()
    assert [one.source for one in made] == [spelt]
    assert [one.reason for one in wrong.outcome.failures] == ["signed-out"]
    assert found_in(out, [PASSWORD, "wrong-rope-9"]) == []


def test_states_behind_clicks_are_explored_signed_in(
    product: Product, state: Path, tmp_path: Path
) -> None:
    """An exploration is signed in at each state, writes nothing there, and tells no secret."""
    made = surefoot.explore(
        [f"{product.origin}/meant/welcome-back", f"{product.origin}/h/orders"],
        out=tmp_path / "out",
        storage_state=state,
        signed_in="#leave",
        budget=3,
        depth=1,
        hubs=0,
        **SMALL,
    )

    assert len(made) > 0
    assert not [asked for asked in product.asked if asked.path.startswith("/logout")]
    assert {asked.method for asked in product.asked} == {"GET"}
    assert found_in(tmp_path / "out", product.tokens) == []


@pytest.mark.long
def test_pages_in_two_languages_tell_no_secret(
    product: Product, state: Path, tmp_path: Path
) -> None:
    """Where links lead is kept to match languages by, without the tokens in their addresses."""
    made = surefoot.capture(
        f"{product.origin}/plain",
        out=tmp_path / "out",
        parallel="en,fr",
        storage_state=state,
        signed_in="#leave",
        **SMALL,
    )

    assert len(made) == 2
    assert found_in(tmp_path / "out", product.tokens) == []


@pytest.mark.long
def test_pages_come_from_a_file_and_from_links(
    product: Product, state: Path, tmp_path: Path
) -> None:
    """A file names pages, each with what it links to; the link that logs out is not followed."""
    routes = tmp_path / "routes.txt"
    routes.write_text(f"# the start\n\n{product.origin}/meant/log\n{product.origin}/meant/log\n")
    told: dict[str, Any] = {"storage_state": state, "signed_in": "#leave", "links": 5, **SMALL}

    made = surefoot.capture(f"@{routes}", out=tmp_path / "out", **told)
    before = len(product.asked)
    again = surefoot.capture(f"@{routes}", out=tmp_path / "out", **told)

    assert made.outcome.failures == ()
    assert {one.source for one in made} == {
        f"{product.origin}/{path}" for path in ("meant/log", "h/orders")
    }
    assert not [asked for asked in product.asked if asked.path.startswith("/logout")]
    assert len(again) == len(made)
    assert len(product.asked) == before


def test_a_state_that_cannot_sign_in_is_refused_at_once(product: Product, tmp_path: Path) -> None:
    """An expired state ends the command before the product is asked for anything."""
    file = tmp_path / "state.json"
    file.write_text(json.dumps(product.state(lasts=-7300)))

    with pytest.raises(SurefootError, match="expired 2 hours ago"):
        surefoot.capture(product.origin, out=tmp_path / "out", storage_state=file, **SMALL)

    assert product.asked == []
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_a_page_that_moves_is_a_failure(product: Product, state: Path, tmp_path: Path) -> None:
    """Rows that differ at each load are no state to measure, signed in or not."""
    page = f"{product.origin}/h/moving"

    made = surefoot.capture(
        page, out=tmp_path / "out", storage_state=state, signed_in="#leave", **SMALL
    )

    assert [failure.reason for failure in made.outcome.failures] == ["unstable-page"]


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_all_captures_are_signed_in(product: Product, state: Path, tmp_path: Path) -> None:
    """Every time the same pages come as the same bytes, as somebody who is signed in sees them."""
    pages = [f"{product.origin}{path}" for path in ("/#/orders", "/h/settings")]
    found = []
    for number in range(6):  # 20 of 20 once; each takes 20 s
        out, product.polls = tmp_path / str(number), number % 5 == 0
        surefoot.capture(pages, out=out, storage_state=state, signed_in="#leave", **SMALL)
        # Ids, and so the order, are of the moment at which a folder was begun.
        found.append({one.source: one.image for one in read_screens(out)})

    assert len(found[0]) == len(pages)
    assert found == [found[0]] * 6

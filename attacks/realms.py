"""
Pages that draw what is random and what time it is, from every realm that a script can make.
"""

from __future__ import annotations

import contextlib
import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from unittest import mock

from attacks.attack import Attack, Trial
from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.capture.sources import Address, list_addresses
from surefoot.capture.web import chromium
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.page import capture
from surefoot.core.canonical import sha256
from surefoot.core.errors import SurefootError
from surefoot.core.seeds import random_source

SETTINGS: Final = Settings(width=900, height=900)
# Each page is captured so often before the next is drawn.
CAPTURES: Final = 20
# Where the browser of a series is worn, the next has another start.
CAPTURES_PER_BROWSER: Final = 10

# What differs from load to load, as expressions; one that throws counts as its message.
SOURCES: Final = {
    "Math.random": "Math.random()",
    "getRandomValues": "crypto.getRandomValues(new Uint32Array(4)).join()",
    "randomUUID": "crypto.randomUUID()",
    "AES key": "crypto.subtle.generateKey({name: 'AES-GCM', length: 128}, true, ['encrypt'])"
    ".then(key => crypto.subtle.exportKey('raw', key)).then(raw => new Uint8Array(raw).join())",
    "HMAC key": "crypto.subtle.generateKey({name: 'HMAC', hash: 'SHA-256'}, true, ['sign'])"
    ".then(key => crypto.subtle.exportKey('raw', key)).then(raw => new Uint8Array(raw).join())",
    "EC key": "crypto.subtle.generateKey({name: 'ECDSA', namedCurve: 'P-256'}, true, ['sign'])"
    ".then(pair => crypto.subtle.exportKey('jwk', pair.publicKey)).then(JSON.stringify)",
    "Date": "Date.now() + Date() + new Date().toISOString()",
    "performance": "[performance.now(), performance.timeOrigin, performance.timing?.fetchStart]",
    "Temporal": "Temporal.Now.instant().toString()",
    "Intl": "new Intl.DateTimeFormat('en', {second: 'numeric', fractionalSecondDigits: 3})"
    ".format()",
    "lastModified": "globalThis.document?.lastModified",
    "file": "new File([], 'x').lastModified",
    "event": "new Event('x').timeStamp",
    "timeline": "globalThis.document?.timeline.currentTime",
    "stream": "new MediaStream().id",
    "entry": "navigation.currentEntry.id + navigation.currentEntry.key",
    "connection": "navigator.connection.downlink",
}
# Where scripts run: markup, or a script of the page that makes the realm. CODE is the
# page's source of what a realm runs, NAME the place where its report is drawn.
FRAMES: Final = {
    "srcdoc": "<iframe srcdoc='INNER'></iframe>",
    "sandboxed srcdoc": "<iframe sandbox=allow-scripts srcdoc='INNER'></iframe>",
    "sandboxed srcdoc of one origin": "<iframe sandbox='allow-scripts allow-same-origin' "
    "srcdoc='INNER'></iframe>",
    "nested srcdoc": "<iframe sandbox=allow-scripts srcdoc='NESTED'></iframe>",
    "file in a frame": "<iframe src='inner.html#NAME'></iframe>",
    "sandboxed file": "<iframe sandbox=allow-scripts src='inner.html#NAME'></iframe>",
    "object": "<object data='inner.html#NAME'></object>",
    "data frame": "<iframe src='data:text/html,ESCAPED'></iframe>",
}
SCRIPTS: Final = {
    "page": "eval(CODE)",
    "blank frame": "frame({}).contentWindow.eval(CODE)",
    "sandboxed srcdoc by script": "frame({sandbox: 'allow-scripts', srcdoc: MARKUP})",
    "blob frame": "frame({src: url(MARKUP, 'text/html')})",
    "data frame by script": "frame({src: 'data:text/html,' + encodeURIComponent(MARKUP)})",
    "javascript frame": "frame({src: 'javascript:' + encodeURIComponent(JSON.stringify(MARKUP))})",
    "written frame": "const inner = frame({}).contentDocument; inner.open(); "
    "inner.write(MARKUP); inner.close()",
    "frame in markup": "document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); "
    "frames[frames.length - 1].eval(CODE)",
    "frame in a shadow": "const host = document.createElement('div'); document.body.append(host); "
    "host.attachShadow({mode: 'open'}).append(Object.assign(document.createElement('iframe'), "
    "{sandbox: 'allow-scripts', srcdoc: MARKUP}))",
    "worker": "heard(new Worker(url(CODE, 'text/javascript')))",
    "module worker": "heard(new Worker(url(CODE, 'text/javascript'), {type: 'module'}))",
    "data worker": "heard(new Worker('data:text/javascript,' + encodeURIComponent(CODE)))",
    "file worker": "heard(new Worker('worker.js#NAME'))",
    "drawing worker": "const canvas = document.createElement('canvas'); "
    "document.body.append(canvas); const off = canvas.transferControlToOffscreen(); "
    "const worker = heard(new Worker(url('onmessage = ({data}) => setInterval(() => { "
    "const pen = data.getContext(`2d`); pen.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`; "
    "pen.fillRect(0, 0, 300, 150); postMessage({name: ' + JSON.stringify(NAME) + ', "
    "words: `draws`}); }, 40)', 'text/javascript'))); worker.postMessage(off, [off])",
    "shared worker": "const shared = new SharedWorker('data:text/javascript,' + "
    "encodeURIComponent('onconnect = ({ports: [port]}) => { globalThis.postMessage = "
    "(data) => port.postMessage(data); ' + CODE + '}')); heard(shared.port, shared); "
    "shared.port.start()",
    "service worker": "new BroadcastChannel('noise').onmessage = ({data}) => draw(NAME, data); "
    "ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, 'service.js')"
    ".catch((error) => draw(NAME, error.name))",
    "audio worklet": "const audio = new OfflineAudioContext(1, 128, 8000); "
    "audio.audioWorklet.addModule(url('registerProcessor(`noise`, class extends "
    "AudioWorkletProcessor { constructor() { super(); this.port.postMessage(Math.random()); } "
    "process() { return false; } })', 'text/javascript')).then(() => { "
    "new AudioWorkletNode(audio, 'noise').port.onmessage = ({data}) => draw(NAME, data); "
    "audio.startRendering(); }, (error) => draw(NAME, error.name))",
    "paint worklet": "document.body.insertAdjacentHTML('beforeend', '<div style=\"width: 40px; "
    "height: 40px; background: paint(noise)\"></div>'); CSS.paintWorklet.addModule(url("
    "'registerPaint(`noise`, class { paint(pen) { pen.fillStyle = `hsl(${Math.random() * 360} "
    "90% 50%)`; pen.fillRect(0, 0, 40, 40); } })', 'text/javascript'))"
    ".then(() => draw(NAME, 'draws'), (error) => draw(NAME, error.name))",
    "style sheet": "document.body.insertAdjacentHTML('beforeend', '<div style=\"width: "
    "random(10px, 90px); height: 9px; background: green\"></div>'); draw(NAME, 'done')",
}
TOOLS: Final = """
const draw = (name, words) => { document.getElementById(name).textContent = `${name}: ${words}`; };
addEventListener("message", ({ data }) => draw(data.name, data.words));
const url = (text, type) => URL.createObjectURL(new Blob([text], { type }));
const frame = (given) => {
  const made = Object.assign(document.createElement("iframe"), given);
  if (given.sandbox) made.setAttribute("sandbox", given.sandbox);
  document.body.append(made);
  return made;
};
"""


def run_code(name: str, sources: list[str]) -> str:
    """Return a script that reports what it reads; frames draw a colour of their own, too."""
    reads = ", ".join(f"async () => {SOURCES[source]}" for source in sources)
    return (
        "(async () => { const read = []; for (const source of [" + reads + "]) "
        "{ try { read.push(String(await source())); } catch (error) { read.push(error.name); } } "
        "const words = `rtc ${typeof RTCPeerConnection} ${read.join(' ')}`.slice(0, 600); "
        f"const told = {{name: {json.dumps(name)}, words}}; "
        "if (globalThis.document) { document.documentElement.style.background = "
        "`hsl(${Math.random() * 360} 90% 90%)`; window.top.postMessage(told, '*'); } "
        "else postMessage(told); })()"
    )


def write_page(folder: Path, kinds: list[str], sources: list[str]) -> Address:
    """Write a page with these realms, each of which reads these sources."""
    place = "decodeURIComponent(location.hash.slice(1))"
    inner = run_code("PLACE", sources).replace('"PLACE"', place)
    (folder / "inner.html").write_text(f"<!doctype html><script>{inner}</script>", "utf-8")
    (folder / "worker.js").write_text(inner, "utf-8")
    noise = "new BroadcastChannel('noise').postMessage(String(Math.random()))"
    (folder / "service.js").write_text(noise, "utf-8")
    places = "".join(f"<p id='{kind}'>{kind}: nothing yet</p>" for kind in kinds)
    parts = [f"<!doctype html><meta charset=utf-8><title>Realms</title>{places}"]
    parts.append(f"<script>{TOOLS}</script>")
    for kind in kinds:
        code = run_code(kind, sources)
        markup = f"<!doctype html><script>{code}</script>"
        if kind in FRAMES:
            nested = f'<!doctype html><iframe srcdoc="{html.escape(markup)}"></iframe>'
            filled = FRAMES[kind].replace("INNER", html.escape(markup))
            filled = filled.replace("NESTED", html.escape(nested)).replace("NAME", kind)
            parts.append(filled.replace("ESCAPED", percent_encoded(markup)))
        else:
            script = SCRIPTS[kind].replace("'worker.js#NAME'", json.dumps(f"worker.js#{kind}"))
            for word, value in (("CODE", code), ("MARKUP", markup), ("NAME", kind)):
                script = script.replace(word, json.dumps(value).replace("</", "<\\/"))
            # A script for each: what one realm throws is no matter to the next.
            parts.append(f"<script>{{ {heard_as(kind)} {script} }}</script>")
    (folder / "index.html").write_text("\n".join(parts), "utf-8")
    return list_addresses(str(folder / "index.html"))[0]


def heard_as(kind: str) -> str:
    """Return what draws the messages and the failure of a worker at its own place."""
    return (
        "const heard = (port, owner = port) => { "
        "port.addEventListener('message', ({ data }) => draw(data.name, data.words)); "
        f"owner.addEventListener('error', () => draw({json.dumps(kind)}, 'does not begin')); "
        "return port; };"
    )


def percent_encoded(markup: str) -> str:
    """Return markup for a data URL within quotes."""
    return "".join(
        char if char.isalnum() else "".join(f"%{byte:02X}" for byte in char.encode())
        for char in markup
    )


def draw_page(seed: int, number: int) -> tuple[list[str], list[str]]:
    """Return the realms of a page and what they read: all, then frames in the markup alone."""
    kinds, sources = [*FRAMES, *SCRIPTS], list(SOURCES)
    if number == 0:
        return kinds, sources
    if number == 1:
        return [kind for kind in kinds if "sandboxed srcdoc" in kind], ["Math.random"]
    source = random_source(seed, "realms", str(number))
    return source.sample(kinds, source.randint(3, 9)), source.sample(sources, source.randint(1, 5))


def trials(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Capture each page twenty times and compare with its first capture."""
    pages = -(-number // CAPTURES)
    for page in range(pages):
        site = folder / f"page-{page}"
        site.mkdir()
        kinds, sources = draw_page(seed, page)
        address = write_page(site, kinds, sources)
        first = ""
        left = min(CAPTURES, number - page * CAPTURES)
        for start in range(0, left, CAPTURES_PER_BROWSER):
            with chromium_of(page), Browser() as browser:
                for at in range(start, min(left, start + CAPTURES_PER_BROWSER)):
                    name = f"page {page}, capture {at}"
                    try:
                        captured = capture(browser, address, SETTINGS)
                    except SurefootError as error:
                        yield Trial(name, held=False, seen=str(error))
                        continue
                    first = first or captured_digest(captured)
                    seen = judge(captured, first, kinds)
                    yield Trial(name, held=not seen, seen=seen)


def chromium_of(page: int) -> contextlib.AbstractContextManager[object]:
    """Take the headless shell for every other page, and for the rest a Chromium with windows."""
    # With windows Chromium gives a sandboxed frame a process, to which scripts come late.
    windows = mock.patch.object(chromium, "HEADLESS_SHELLS", ())
    return windows if page % 2 else contextlib.nullcontext()


def captured_digest(captured: Capture) -> str:
    """Return the hash of the picture, of its elements, and of what the page is without."""
    screen = captured.screen
    return sha256(captured.png) + sha256(repr((screen.elements, screen.missing)).encode())


def judge(captured: Capture, first: str, kinds: list[str]) -> str:
    """Return what is wrong with a capture: another picture, a silent realm, WebRTC."""
    said = [element.text for element in captured.screen.elements]
    silent = [kind for kind in kinds if f"{kind}: nothing yet" in said]
    if silent:
        return f"no word from {', '.join(silent)}"
    loose = [text.partition(":")[0] for text in said if "rtc function" in text]
    if loose:
        return f"WebRTC in {', '.join(loose)}"
    return "" if captured_digest(captured) == first else "another picture than the first"


ATTACKS: Final = (
    Attack(
        name="realms",
        promise="One seed, same bytes: every realm of a page is sealed, or refused",
        does="Pages draw randomness, keys and clocks from frames, workers and worklets",
        trials=trials,
        many=20,
        whole=80,
    ),
)

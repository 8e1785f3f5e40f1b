"""
Pages that read whatever tells the time or the machine, and pages that the browser itself moves.
"""

# ruff: noqa: E501 - expressions that a page evaluates are read best in one piece

from __future__ import annotations

import base64
import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PIL import Image

from attacks.attack import Attack, Trial
from attacks.realms import SETTINGS, captured_digest
from surefoot.capture.sources import list_addresses
from surefoot.capture.web.browser import Browser
from surefoot.capture.web.twice import capture_twice
from surefoot.core.errors import CaptureError

CAPTURES: Final = 10  # of two visits each
SILENT: Final = "nothing yet"

_OBSERVED: Final = (
    "new Promise((done) => {{ new PerformanceObserver((list) => done(list.getEntries().map("
    "(entry) => JSON.stringify(entry.toJSON ? entry.toJSON() : entry) + [entry.startTime, "
    "entry.duration].join()).join())).observe({{type: '{}', buffered: true}}); "
    "setTimeout(() => done('none'), 900); }})"
)
# What a page may read, as expressions; from the standards' own lists of interfaces
# (High Resolution Time, Performance Timeline and its entries, HTML, Device Memory, Compute
# Pressure, Storage, Battery, UA Client Hints, Web Audio, WebGL, WebGPU, Media Capabilities) and
# from OWASP's and the WPT's pages on fingerprints and timing.
READ: Final = {
    **{
        f"observed {kind}": _OBSERVED.format(kind)
        for kind in (
            "navigation",
            "resource",
            "paint",
            "largest-contentful-paint",
            "layout-shift",
            "longtask",
            "long-animation-frame",
            "element",
            "event",
            "first-input",
            "mark",
            "measure",
            "visibility-state",
            "back-forward-cache-restoration",
            "soft-navigation",
            "interaction-contentful-paint",
        )
    },
    "all entries": "performance.getEntries().map((entry) => JSON.stringify(entry)).join()",
    "entries of a type": "performance.getEntriesByType('navigation').map(JSON.stringify).join()",
    "a mark": "(() => { const mark = new PerformanceMark('x'); return mark.startTime; })()",
    "intersection": "new Promise((done) => new IntersectionObserver((seen) => "
    "done(seen[0].time)).observe(document.body))",
    "reports": "new Promise((done) => { new ReportingObserver((seen) => done(JSON.stringify(seen)), "
    "{buffered: true}).observe(); setTimeout(() => done('none'), 900); })",
    "pressure": "new Promise((done) => { new PressureObserver((seen) => done(JSON.stringify(seen))"
    ").observe('cpu', {sampleInterval: 100}).catch((error) => done(error.name)); "
    "setTimeout(() => done('none'), 900); })",
    "a date's constructor": "new (new Date().constructor)().toISOString()",
    "a date's constructor's now": "Date.prototype.constructor.now()",
    "a date's class, called": "Object.getPrototypeOf(new Date()).constructor()",
    "a format's constructor": "new (new Intl.DateTimeFormat().constructor)('en', "
    "{second: 'numeric', fractionalSecondDigits: 3}).format()",
    "a format's parts": "new Intl.DateTimeFormat('en', {fractionalSecondDigits: 3, "
    "second: 'numeric'}).formatToParts().map(({value}) => value).join()",
    "a temporal instant": "Temporal.Now.instant().epochNanoseconds",
    "a temporal time": "Temporal.Now.plainTimeISO() + ' ' + Temporal.Now.zonedDateTimeISO()",
    "performance's prototype": "Performance.prototype.now.call(performance)",
    "performance of a window": "Object.getOwnPropertyDescriptor(Window.prototype, 'performance')"
    "?.get.call(window).now()",
    "performance of a frame": "(() => { const frame = document.body.appendChild("
    "document.createElement('iframe')); return frame.contentWindow.performance.now() + "
    "' ' + new frame.contentWindow.Date().toISOString(); })()",
    "timing": "JSON.stringify([performance.timing, performance.timing?.navigationStart, "
    "performance.toJSON?.()])",
    "an event": "new Event('x').timeStamp",
    "an event of the browser": "new Promise((done) => { const image = new Image(); image.onload = "
    "(event) => done(event.timeStamp); image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='; "
    "image.onerror = (event) => done(event.timeStamp); })",
    "a message": "new Promise((done) => { addEventListener('message', (event) => "
    "done(event.timeStamp), {once: true}); postMessage(1, '*'); })",
    "a frame's time": "new Promise((done) => requestAnimationFrame(done))",
    "an idle deadline": "new Promise((done) => requestIdleCallback((left) => "
    "done(left.timeRemaining())))",
    "a transition's start": "(() => { const animation = document.body.animate({opacity: [0, 1]}, "
    "1000); return animation.ready.then(() => [animation.startTime, animation.currentTime].join()); "
    "})()",
    "audio's clock": "new Promise((done) => { const audio = new AudioContext(); "
    "setTimeout(() => done([audio.currentTime, audio.baseLatency, audio.outputLatency, "
    "audio.sampleRate, JSON.stringify(audio.getOutputTimestamp?.())].join()), 300); })",
    "a file's time": "new Promise((done) => new File(['x'], 'x').constructor && done("
    "new (File.prototype.constructor)([], 'y').lastModified))",
    "a reply's date": "fetch(location.href).then((reply) => [...reply.headers].join())",
    "a modified document": "document.lastModified",
    "a cookie": "cookieStore.set({name: 'a', value: 'b', expires: Date.now() + 1e6}).then(() => "
    "cookieStore.getAll()).then(JSON.stringify)",
    "a counting loop": "(() => { const until = performance.now() + 5; let count = 0; "
    "while (performance.now() < until && count < 1e5) count += 1; return count; })()",
    "an atomic wait": "Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30).value",
    "a collected object": "new Promise((done) => { new FinalizationRegistry(done).register({}, 'gone'); "
    "setTimeout(() => done('kept'), 900); })",
    "cores": "navigator.hardwareConcurrency",
    "memory": "navigator.deviceMemory",
    "heap": "JSON.stringify([performance.memory?.usedJSHeapSize, console.memory?.usedJSHeapSize])",
    "heap of a prototype": "Object.getOwnPropertyDescriptor(Performance.prototype, 'memory')?.get."
    "call(performance)?.usedJSHeapSize",
    "heap of the console": "console.memory?.usedJSHeapSize + ' ' + console.memory?.totalJSHeapSize",
    "measured memory": "performance.measureUserAgentSpecificMemory().then(JSON.stringify)",
    "processor": "navigator.cpuPerformance",
    "storage": "navigator.storage.estimate().then(JSON.stringify)",
    "battery": "navigator.getBattery().then((one) => [one.level, one.charging, one.chargingTime]"
    ".join())",
    "platform": "navigator.platform + ' ' + navigator.oscpu",
    "hints": "navigator.userAgentData.getHighEntropyValues(['architecture', 'bitness', 'model', "
    "'platformVersion', 'wow64', 'formFactors']).then(JSON.stringify)",
    "devices": "navigator.mediaDevices.enumerateDevices().then(JSON.stringify)",
    "voices": "speechSynthesis.getVoices().length",
    "decoding": "navigator.mediaCapabilities.decodingInfo({type: 'file', video: {contentType: "
    "'video/webm; codecs=vp9', width: 800, height: 600, bitrate: 1e6, framerate: 30}})"
    ".then(JSON.stringify)",
    "keyboard": "navigator.keyboard.getLayoutMap().then((map) => [...map].join())",
    "graphics": "(() => { const gl = document.createElement('canvas').getContext('webgl'); "
    "const info = gl?.getExtension('WEBGL_debug_renderer_info'); return gl && "
    "gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER); })()",
    "graphics adapter": "navigator.gpu.requestAdapter().then((one) => JSON.stringify(one?.info))",
    "screen": "[screen.width, screen.availHeight, screen.colorDepth, screenX, screenY, outerWidth, "
    "outerHeight, devicePixelRatio].join()",
    "connection": "JSON.stringify([navigator.connection.rtt, navigator.connection.downlink])",
    "fonts": "globalThis.queryLocalFonts ? queryLocalFonts().then((all) => all.length) : 'none'",
    "gamepads": "navigator.getGamepads().map((pad) => pad?.timestamp).join()",
    "activation": "JSON.stringify([navigator.userActivation, document.wasDiscarded, "
    "performance.eventCounts?.size, performance.interactionCount])",
    "key's order": "Promise.race([crypto.subtle.digest('SHA-512', new Uint8Array(5e6)).then(() => "
    "'digest'), new Promise((done) => setTimeout(done, 5, 'timer'))])",
}


def _picture(kind: str) -> str:
    """Return a data URL of a picture of eight colours that follow each other."""
    frames = [Image.new("RGB", (60, 40), f"hsl({hue * 45}, 90%, 50%)") for hue in range(8)]
    out = io.BytesIO()
    options = {"save_all": True, "append_images": frames[1:], "duration": 60, "loop": 0}
    frames[0].save(out, kind, **options)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(out.getvalue()).decode()}"


_SMIL: Final = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><rect width='60' height='40'>"
    "<animate attributeName='fill' values='red;lime;blue;red' dur='0.7s' repeatCount='indefinite'/>"
    "</rect></svg>"
)
_STYLED: Final = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'><style>@keyframes k { from "
    "{ fill: red } to { fill: blue } } rect { animation: k 0.7s infinite }</style>"
    "<rect width='60' height='40'/></svg>"
)


def _svg(markup: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(markup.encode()).decode()}"


def _shown(name: str, url: str) -> dict[str, str]:
    """Return the ways in which a page may show a picture."""
    box = "style='width: 60px; height: 40px; {}'"
    return {
        f"{name} as image": f'<img src="{url}">',
        f"{name} as background": f"<div {box.format(f'background: url({url})')}></div>",
        f"{name} as content": f"<div {box.format(f'content: url({url})')}></div>",
        f"{name} as mask": f"<div {box.format(f'background: navy; mask: url({url})')}></div>",
        f"{name} as border": f"<div {box.format(f'border: 9px solid; border-image: url({url}) 9')}>"
        "</div>",
        f"{name} as bullet": f"<ul><li style='list-style-image: url({url})'>x</li></ul>",
        f"{name} in a button": f'<input type=image src="{url}" alt=go>',
        f"{name} in an object": f'<object data="{url}"></object>',
        f"{name} in a drawing": f'<svg width=60 height=40><image href="{url}"/></svg>',
    }


# What the browser itself moves, as markup.
MOVING: Final = {
    "a progress bar without a value": "<progress></progress>",
    "a styled progress bar without a value": "<progress style='width: 80%; height: 30px'></progress>",
    "a progress bar in a shadow": "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML "
    "= '<progress></progress>'</script>",
    "a progress bar that script empties": "<progress id=p value=1 max=2></progress>"
    "<script>p.removeAttribute('value')</script>",
    "a progress bar in a frame": "<iframe srcdoc='<progress></progress>'></iframe>",
    "a marquee": "<marquee>words that run</marquee>",
    "an inline drawing": _SMIL,
    **_shown("a GIF", _picture("GIF")),
    **_shown("an APNG", _picture("PNG")),
    **_shown("a WebP", _picture("WEBP")),
    **_shown("an SVG", _svg(_SMIL)),
    **_shown("a styled SVG", _svg(_STYLED)),
}


def _pages() -> dict[str, list[str]]:
    """Return the sources of each page: eight that are read, or one kind of what moves."""
    read = list(READ)
    pages = {f"reads {read[at]} and more": read[at : at + 8] for at in range(0, len(read), 8)}
    for name in MOVING:
        kind = name.partition(" as ")[0].partition(" in a ")[0]
        pages.setdefault(f"shows {kind}", []).append(name)
    return pages


def write_sources(folder: Path, names: list[str]) -> str:
    """Write a page that reads or shows these sources, each in a place of its own; return its path."""
    parts = ["<!doctype html><meta charset=utf-8><title>Sources</title><button>ok</button>"]
    for at, name in enumerate(names):
        if name in MOVING:
            parts.append(f"<div>{MOVING[name]}</div>")
            continue
        parts.append(
            f"<p id=told{at} elementtiming=told>{SILENT}</p><script>"
            f"(async () => {{ let words; try {{ words = String(await ({READ[name]})); }} "
            "catch (error) { words = error.name; } "
            f"document.getElementById('told{at}').textContent = words.slice(0, 600); }})()</script>"
        )
    (folder / "index.html").write_text("\n".join(parts), "utf-8")
    return str(folder / "index.html")


def trials(seed: int, number: int, folder: Path) -> Iterator[Trial]:
    """Visit each page twenty times, two visits a capture: the first one's bytes, or refused."""
    del seed
    for at, (page, names) in enumerate(_pages().items()):
        left = min(CAPTURES, number - at * CAPTURES)
        site = folder / str(at)
        site.mkdir()
        (address,) = list_addresses(write_sources(site, names))
        first = ""
        for start in range(0, left, CAPTURES // 2):
            with _machine(cores=1 if start else 0), Browser() as browser:
                for turn in range(start, min(left, start + CAPTURES // 2)):
                    name = f"{page}, capture {turn}"
                    try:
                        captured = capture_twice(browser, address, SETTINGS)
                    except CaptureError as error:
                        seen = "" if error.reason.startswith("unstable-") else str(error)
                        yield Trial(f"{name}: refused", not seen, seen)
                        continue
                    digest = captured_digest(captured)
                    first = first or digest
                    said = [element.text for element in captured.screen.elements]
                    seen = "" if digest == first else "other bytes"
                    seen = seen or ("a source that told nothing" if SILENT in said else "")
                    yield Trial(name, not seen, seen)


@contextlib.contextmanager
def _machine(cores: int) -> Iterator[None]:
    """Let what is started in a block see so many cores, all where that is 0."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:cores] if cores else allowed)
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


ATTACKS: Final = (
    Attack(
        name="sources",
        promise="One seed, same bytes: what tells time or machine is sealed, or refused",
        does=f"Pages read {len(READ)} interfaces that carry a time stamp or describe the machine, and "
        f"show {len(MOVING)} pictures and controls that the browser moves, 20 visits of each",
        trials=trials,
        many=40,
        whole=CAPTURES * len(_pages()),
    ),
)

"""
A product of one's own, as the tests of access need one: a login, live connections, many refusals.

It has a form with a token against forgery, a cookie that scripts cannot read and a token that they
keep; routes in the fragment and in the path; requests that are dated and random; a websocket, a
stream of events, a poll that is never answered and a service worker. How it turns somebody away
who is not signed in is one of ``WAYS``. Run it as ``python tests/product.py PORT``.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import html
import http.server
import json
import re
import secrets
import ssl
import struct
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

USER: Final = "ann"
PASSWORD: Final = "rope-and-lantern-7"  # noqa: S105 - of a product that is not there
GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
VIEWS: Final = {
    "orders": ["Order 17, rope", "Order 18, lantern", "Order 21, anchor"],
    "settings": ["Language", "Notifications", "Change password"],
}
# How somebody is turned away who asks for a page: status, body, where to. "" is the shell itself.
WAYS: Final[dict[str, tuple[int, str, str]]] = {
    "301": (301, "", "{login}"),
    "302": (302, "", "{login}"),
    "303": (303, "", "{login}"),
    "307": (307, "", "{login}"),
    "sso": (302, "", "/sso/begin?request=4711"),
    "saml": (302, "", "/saml/begin?request=4711"),
    "other-origin": (302, "", "{here}/login?client=quay"),
    "other-script": (200, "<script>location.href = '{here}/login'</script>", ""),
    "script": (200, "<script>location.href = '{login}'</script>", ""),
    "late-script": (200, "<script>setTimeout('location = \"{login}\"', 800)</script>Wait", ""),
    "meta": (200, "<meta http-equiv=refresh content='0;url={login}'>", ""),
    "replace": (200, "<script>history.replaceState(null, '', '/login')</script>{form}", ""),
    "401": (401, "<h1>Not for you</h1>", ""),
    "403": (403, "<h1>Not for you</h1>", ""),
    "401-form": (401, "{form}", ""),
    "basic": (401, "", ""),
    "form": (200, "{form}", ""),
    "expired": (200, "<p>Your session has expired{form}", ""),
    "modal": (200, "{nav}<h1>Orders</h1><div role=dialog>{form}</div>", ""),
    "dialog": (200, "<h1>Orders</h1><dialog open>{form}</dialog>", ""),
    "soft-404": (200, "<h1>Nothing here</h1><p>No page at {path}</p>", ""),
    "boundary": (200, "<h1>Something went wrong</h1><script>fetch('/api/orders')</script>", ""),
    "oops": (200, "<h1>Oops</h1><button>Try again</button><script>null.rows</script>", ""),
    "email-first": (200, "<h1>Welcome</h1><label>Email <input type=email></label>", ""),
    "start-page": (200, "<h1>Quay</h1><p>For every quay.</p><a href=/login>Log in</a>", ""),
    "loading": (200, "<div class=spinner>Loading</div>", ""),
    "blank": (200, "", ""),
    "router": (0, "", ""),
    "hash": (0, "", ""),
    "api-401": (0, "", ""),
    "jwt": (0, "", ""),
}
# Pages that are meant, though something of them looks like a way to turn somebody away.
HIDDEN: Final = "<label>{} <input type=password{}></label>"
MEANT: Final = {
    "change-password": "<h1>Change password</h1>"
    + "".join(HIDDEN.format(name, "") for name in ("Old", "New", "Again")),
    "new-user": "<h1>New user</h1><label>Name <input></label>"
    + HIDDEN.format("Password", " autocomplete=new-password"),
    "mail-server": "<h1>Mail server</h1><label>Host <input></label><label>Port <input></label>"
    "<label>User <input></label>" + HIDDEN.format("Password", ""),
    "confirm": "<h1>Confirm your password</h1>" + HIDDEN.format("Password", ""),
    "lost-pages": "<h1>Page not found: 17 addresses</h1><ul><li>/rope<li>/anchor</ul>",
    "log": "<h1>Something went wrong: 3 reports</h1><ul><li>Crane 4<li>Crane 7</ul>",
    "welcome-back": "<h1>Orders</h1><dialog open><p>Hello</p><button>Go on</button></dialog>",
    "login-history": "<h1>Who signed in</h1><ul><li>Ann, today<li>Bo, yesterday</ul>",
    "search?q=login": "<h1>Results</h1><input type=search><a href=/login>How to log in</a>",
    "blog/authentic-ropes": "<h1>Authentic ropes</h1><p>Made of hemp.</p>",
    "telephone": "<h1>Telephone</h1><label>Number <input type=tel></label><button>Save</button>",
    "hidden-form": "<h1>Ships</h1><div hidden><form><input><input type=password></form></div>",
    "keys": "<h1>Keys</h1><label>Key <input type=password readonly value=4711></label>",
}
STYLE: Final = (
    "<style>body{font:16px sans-serif;margin:24px}nav a,button{margin-right:16px}"
    "li{margin:12px 0}label{display:block;margin:8px 0}</style>"
)
SAMPLER: Final = Path(__file__).with_name("sampler")
SHELL: Final = Path(__file__).with_suffix(".html").read_text("utf-8").replace("STYLE", STYLE)


HEAD: Final = f"<!doctype html><html lang=en><title>Quay desk</title>{STYLE}"
NAV: Final = "<nav><a href=/h/orders>Orders</a><a id=leave href=/logout>Log out</a></nav>"


class Request(NamedTuple):
    """Hold what was asked of the product: who may see secrets is proved by these."""

    method: str
    host: str
    path: str
    headers: dict[str, str]
    body: bytes


class Product:
    """
    Serve the product on a free port of 127.0.0.1; a context manager.

    ``way`` says how somebody is turned away. ``asked`` are all requests, ``tokens`` all secrets
    that the product ever gave away. It is served over TLS with a ``certificate`` (PEM, with key).
    """

    def __init__(self, way: str = "302", port: int = 0, certificate: str = "") -> None:
        self.way = way
        self.elsewhere = ""
        self.picture = ""
        self.asked: list[Request] = []
        self.tokens: list[str] = []
        self.sessions: set[str] = set()
        self.loads = 0
        self.polls = True
        self.ended = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.product = self
        scheme = "http"
        if certificate:
            scheme, context = "https", ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.origin = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def session(self, lasts: float = 86_400.0) -> tuple[str, str]:
        """Begin a session; return its cookie's value and the token that scripts keep."""
        sid, mark = secrets.token_urlsafe(24), secrets.token_hex(12)
        body = json.dumps({"sub": USER, "exp": int(time.time() + lasts), "jti": mark})
        parts = (base64.urlsafe_b64encode(text.encode()).decode().rstrip("=") for text in (
            '{"alg":"HS256","typ":"JWT"}', body,
        ))  # fmt: skip
        token = f"{'.'.join(parts)}.{secrets.token_urlsafe(24)}"
        self.sessions.add(sid)
        self.tokens += [sid, token, mark]
        return sid, token

    def state(self, lasts: float = 86_400.0, *, known: bool = True) -> dict[str, Any]:
        """Return a storage state of one who is signed in; of an unknown session otherwise."""
        sid, token = self.session(lasts)
        if not known:
            self.sessions.discard(sid)
        cookie = {
            "name": "sid", "value": sid, "domain": "127.0.0.1", "path": "/",
            "expires": time.time() + lasts, "httpOnly": True, "secure": False, "sameSite": "Lax",
        }  # fmt: skip
        kept = [{"name": "token", "value": token}]
        return {"cookies": [cookie], "origins": [{"origin": self.origin, "localStorage": kept}]}


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    product: Product

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        product = self.server.product
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = dict(self.headers.items())
        host = headers.get("Host", "")
        product.asked.append(Request(self.command, host, self.path, headers, body))
        url = urllib.parse.urlsplit(self.path)
        steps = url.path.strip("/").split("/")
        answers: dict[str, Callable[[], None]] = {
            "login": lambda: self._login(body),
            "sso": lambda: self._login(body),
            "saml": lambda: self._login(body),
            "logout": lambda: self._page("Bye"),
            "api": lambda: self._call(steps[1]),
            "live": self._socket,
            "events": self._events,
            "poll": self._poll,
            "worker.js": lambda: self._send(200, "", kind="text/javascript"),
            "away": lambda: self._send(302, "", Location=url.query.partition("=")[2]),
            "sampler": lambda: self._file(steps[1:]),
            "about": lambda: self._page("<h1>About</h1><a href=/login>Log in</a>"),
        }
        if steps[0] in answers:
            answers[steps[0]]()
        elif steps[0] in {"", "h", "plain", "welcome", "meant"}:
            self._shown(steps, url.query)
        elif product.way == "soft-404" or self._signed_in():
            self._page(f"<h1>Nothing here</h1><p>No page at {html.escape(url.path)}</p>")
        else:
            self._send(404, "no such page")

    def do_POST(self) -> None:
        self.do_GET()

    def _poll(self) -> None:
        self.server.product.ended.wait(20 if self.server.product.polls else 0)
        self._send(204, "")

    def _signed_in(self) -> bool:
        sid = re.search(r"\bsid=([\w-]+)", self.headers.get("Cookie") or "")
        known = sid is not None and sid[1] in self.server.product.sessions
        bearer = (self.headers.get("Authorization") or "").partition(" ")[2]
        basic = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return known or bearer in {*self.server.product.sessions, basic}

    def _shown(self, steps: list[str], query: str) -> None:
        product = self.server.product
        token = product.tokens[-1] if product.tokens else ""
        if not self._signed_in() and WAYS[product.way][0]:
            self._turn_away()
        elif steps[0] == "welcome":
            token = product.session()[1]
            keep = f"localStorage.token = {json.dumps(token)}; location.href = '/#/orders'"
            self._page(f"<script>{keep}</script>")
        elif steps[0] == "meant":
            name = "/".join(steps[1:]) + (f"?{query}" if query else "")
            self._page(f"{NAV}{MEANT[name]}")
        elif steps[0] == "plain":
            self._page(
                f"{NAV}<h1>Plain</h1><a href='/plain?access_token={token}'>Share</a>"
                f"<p>Your key is {product.tokens[-2]}</p>"
                f"<img alt=map src='/gone.png?token={token}&key={product.tokens[-2]}'>"
                f"<img alt=quay src='{product.picture or '/quay.png'}'>"
            )
        elif steps[:2] == ["h", "moving"]:
            product.loads += 1
            rows = "".join(f"<li>Order {product.loads + n}" for n in range(3))
            self._page(f"{NAV}<h1>Moving</h1><ul>{rows}</ul>")
        else:
            self._send(200, SHELL.replace("JWT", str(product.way == "jwt").lower()))

    def _turn_away(self) -> None:
        told = {
            "login": f"/login?next={urllib.parse.quote(self.path)}",
            "here": self.server.product.elsewhere,
            "path": html.escape(urllib.parse.urlsplit(self.path).path),
            "form": _form("token-of-nobody"),
            "nav": NAV,
        }
        status, body, target = WAYS[self.server.product.way]
        headers = {"Location": target.format(**told)} if target else {}
        if self.server.product.way == "basic":
            headers = {"WWW_Authenticate": "Basic realm=quay"}
        self._send(status, HEAD + body.format(**told), **headers)

    def _login(self, body: bytes) -> None:
        if self.command != "POST":
            forgery = secrets.token_hex(16)
            self._send(
                200,
                f"<!doctype html><title>Sign in</title>{STYLE}{_form(forgery)}",
                Set_Cookie=f"csrf={forgery}; Path=/; HttpOnly",
            )
            return
        given = {name: value[0] for name, value in urllib.parse.parse_qs(body.decode()).items()}
        cookie = re.search(r"\bcsrf=(\w+)", self.headers.get("Cookie") or "")
        right = (given.get("user"), given.get("password")) == (USER, PASSWORD)
        if not right or cookie is None or given.get("csrf") != cookie[1]:
            self._page(f"<p role=alert>That is not right</p>{_form(cookie[1] if cookie else '')}")
            return
        sid, _ = self.server.product.session()
        self._send(303, "", Location="/welcome", Set_Cookie=f"sid={sid}; Path=/; HttpOnly")

    def _call(self, name: str) -> None:
        way = self.server.product.way
        if not self._signed_in():
            if way == "hash":
                self._send(200, '{"title": "", "rows": []}', kind="application/json")
            else:
                self._send(401, '{"title": "Sign in", "rows": []}', kind="application/json")
            return
        rows = VIEWS.get(name, ["Nothing here"])
        reply = {"title": name.capitalize(), "rows": rows, "key": self.server.product.tokens[-1]}
        self._send(200, json.dumps(reply), kind="application/json")

    def _file(self, steps: list[str]) -> None:
        """Serve the sampler, which has what is hard to freeze."""
        file = SAMPLER.joinpath(*steps or ["index.html"])
        kinds = {".svg": "image/svg+xml", ".css": "text/css"}
        if file.is_file():
            self._send(200, file.read_text("utf-8"), kind=kinds.get(file.suffix, "text/html"))
        else:
            self._send(404, "no such file", kind="text/plain")

    def _events(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(OSError):
            time.sleep(0.1)
            self.wfile.write(b"data: the tide is high\n\n")
            self.server.product.ended.wait(20)
        self.close_connection = True

    def _socket(self) -> None:
        key = (self.headers.get("Sec-WebSocket-Key") or "").encode()
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest()).decode()  # noqa: S324
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", accept)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.rfile.read1(1024)
            time.sleep(0.2)
            said = b"3 ships at sea" if self._signed_in() else b"nobody is told"
            self.wfile.write(struct.pack("!BB", 0x81, len(said)) + said)
            self.server.product.ended.wait(20)
        self.close_connection = True

    def _page(self, body: str) -> None:
        self._send(200, f"{HEAD}{body}")

    def _send(self, status: int, body: str, *, kind: str = "text/html", **headers: str) -> None:
        data = body.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _form(forgery: str) -> str:
    return (
        "<h1>Sign in</h1><form method=post action=/login>"
        f"<input type=hidden name=csrf value={forgery}>"
        "<label>User <input name=user></label>"
        "<label>Password <input name=password type=password></label>"
        "<label><input type=checkbox name=stay> Stay signed in</label>"
        "<button>Sign in</button></form>"
    )


@contextlib.contextmanager
def served(way: str = "302") -> Iterator[Product]:
    """Lend a product that turns people away in one way, and another origin for it to send to."""
    with Product() as other, Product(way) as product:
        product.elsewhere = other.origin
        yield product


if __name__ == "__main__":
    with Product(port=int(sys.argv[1])) as running:
        sys.stdout.write(f"{running.origin}\n")
        sys.stdout.flush()
        threading.Event().wait()

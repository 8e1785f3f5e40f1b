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
import struct
import sys
import threading
import time
import urllib.parse
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

USER: Final = "ann"
PASSWORD: Final = "rope-and-lantern-7"  # noqa: S105 - of a product that is not there
GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
VIEWS: Final = {
    "orders": ["Order 17, rope", "Order 18, lantern", "Order 21, anchor"],
    "settings": ["Language", "Notifications", "Change password"],
}
# How somebody is turned away who asks for a page without being signed in.
WAYS: Final = (
    *("302", "303", "307", "301", "script", "late-script", "meta", "replace", "401", "403"),
    *("401-form", "form", "modal", "dialog", "router", "hash", "api-401", "jwt", "soft-404"),
    *("boundary", "oops", "expired", "basic", "other-origin", "other-script", "sso", "saml"),
    *("email-first", "start-page", "loading", "blank"),
)
STYLE: Final = (
    "<style>body{font:16px sans-serif;margin:24px}nav a,button{margin-right:16px}"
    "li{margin:12px 0}label{display:block;margin:8px 0}</style>"
)
SHELL: Final = """<!doctype html><html lang=en><title>Quay desk</title>STYLE
<nav><a href="#/orders">Orders</a><a href="#/settings">Settings</a>
<a id=leave href="/logout">Log out</a></nav>
<h1></h1><ul></ul><p id=live></p><p id=tide></p><button>New order</button>
<script>
const route = () => (location.hash || location.pathname).replace(/^#?[/](h[/])?/, "") || "orders";
const claims = () => {
  try { return JSON.parse(atob(localStorage.token.split(".")[1])); } catch { return { exp: 0 }; }
};
const leave = () => { localStorage.clear(); location.href = "/login"; };
async function draw() {
  const left = claims().exp * 1000 - Date.now();
  if (left <= 0) { if (JWT) return leave(); } else setTimeout(leave, left);
  const reply = await fetch(`/api/${route()}?_=${Date.now()}&r=${Math.random()}`, {
    headers: { "X-Token": localStorage.token || "" },
  });
  const told = await reply.json();
  document.querySelector("h1").textContent = told.title;
  document.querySelector("ul").innerHTML = told.rows.map((row) => `<li><a href="#">${row}</a>`).join("");
  fetch("/api/seen", { method: "POST", body: new Date().toISOString() });
}
draw();
addEventListener("hashchange", draw);
const socket = new WebSocket(`${location.origin.replace("http", "ws")}/live`);
socket.onopen = () => socket.send("how many ships?");
socket.onmessage = (event) => { document.querySelector("#live").textContent = event.data; };
new EventSource("/events").onmessage = (event) => {
  document.querySelector("#tide").textContent = event.data;
};
fetch("/poll");
navigator.serviceWorker?.register("/worker.js").catch(() => {});
</script>""".replace("STYLE", STYLE)


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
    that the product ever gave away.
    """

    def __init__(self, way: str = "302", port: int = 0) -> None:
        self.way = way
        self.elsewhere = ""
        self.asked: list[Request] = []
        self.tokens: list[str] = []
        self.sessions: set[str] = set()
        self.loads = 0
        self.polls = True
        self.ended = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.product = self
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Product:
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
        product.asked.append(
            Request(self.command, headers.get("Host", ""), self.path, headers, body)
        )
        url = urllib.parse.urlsplit(self.path)
        steps = url.path.strip("/").split("/")
        match steps[0]:
            case "login" | "sso" | "saml":
                self._login(body)
            case "logout":
                self._page("Bye")
            case "api":
                self._call(steps[1])
            case "live":
                self._socket()
            case "events":
                self._events()
            case "poll":
                product.ended.wait(20 if product.polls else 0)
                self._send(204, "")
            case "worker.js":
                self._send(200, "self.onfetch = () => {};", kind="text/javascript")
            case "h" | "" | "orders" | "welcome" | "plain" | "invite":
                self._shown(steps)
            case "about":
                self._page("<h1>About the quay</h1><p>Open to all.</p><a href=/login>Log in</a>")
            case _:
                if product.way == "soft-404" or self._signed_in():
                    self._page(f"<h1>Nothing here</h1><p>No page at {html.escape(url.path)}</p>")
                else:
                    self._send(404, "no such page")

    do_POST = do_GET

    def _signed_in(self) -> bool:
        sid = re.search(r"\bsid=([\w-]+)", self.headers.get("Cookie") or "")
        known = sid is not None and sid[1] in self.server.product.sessions
        bearer = (self.headers.get("Authorization") or "").partition(" ")[2]
        basic = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return known or bearer in {*self.server.product.sessions, basic}

    def _shown(self, steps: list[str]) -> None:
        product = self.server.product
        if not self._signed_in() and product.way not in {"hash", "router", "api-401", "jwt"}:
            self._turn_away()
        elif steps[0] == "welcome":
            token = product.session()[1]
            self._page(
                f"<script>localStorage.token = {json.dumps(token)}; location.href = '/#/orders';"
                "</script>"
            )
        elif steps[0] == "plain":
            token = product.tokens[-1] if product.tokens else ""
            self._page(
                f"{self._nav()}<h1>Plain</h1><a href='/plain?access_token={token}'>Share</a>"
                f"<p>Your key is {token}</p><img alt=map src='/gone.png?token={token}'>"
            )
        elif steps[:2] == ["h", "moving"]:
            product.loads += 1
            rows = "".join(f"<li>Order {product.loads + n}" for n in range(3))
            self._page(f"{self._nav()}<h1>Moving</h1><ul>{rows}</ul>")
        else:
            self._send(200, SHELL.replace("JWT", str(product.way == "jwt").lower()))

    def _nav(self) -> str:
        return "<nav><a href=/h/orders>Orders</a><a id=leave href=/logout>Log out</a></nav>"

    def _turn_away(self) -> None:
        way, here = self.server.product.way, self.server.product.elsewhere
        form = _form("token-of-nobody")
        to_login = f"/login?next={urllib.parse.quote(self.path)}"
        match way:
            case "301" | "302" | "303" | "307":
                self._send(int(way), "", Location=to_login)
            case "sso" | "saml":
                self._send(302, "", Location=f"/{way}/begin?request=4711")
            case "other-origin":
                self._send(302, "", Location=f"{here}/login?client=quay")
            case "other-script":
                self._page(f"<script>location.href = '{here}/login'</script>")
            case "script":
                self._page(f"<script>location.href = '{to_login}'</script>")
            case "late-script":
                self._page(
                    "<h1>One moment</h1>"
                    f"<script>setTimeout(() => location.replace('{to_login}'), 800)</script>"
                )
            case "meta":
                self._page(f"<meta http-equiv=refresh content='0;url={to_login}'>")
            case "replace":
                self._page(f"<script>history.replaceState(null, '', '/login')</script>{form}")
            case "401" | "403":
                self._send(int(way), "<h1>Not for you</h1>")
            case "401-form":
                self._send(401, form)
            case "basic":
                self._send(401, "", WWW_Authenticate="Basic realm=quay")
            case "form" | "expired":
                said = "<p>Your session has expired" if way == "expired" else ""
                self._page(said + form)
            case "modal":
                self._page(f"{self._nav()}<h1>Orders</h1><div role=dialog>{form}</div>")
            case "dialog":
                self._page(
                    f"<h1>Orders</h1><dialog>{form}</dialog>"
                    "<script>document.querySelector('dialog').showModal()</script>"
                )
            case "soft-404":
                path = html.escape(urllib.parse.urlsplit(self.path).path)
                self._page(f"<h1>Nothing here</h1><p>No page at {path}</p>")
            case "boundary":
                self._page(
                    "<h1>Something went wrong</h1><button>Reload</button>"
                    "<script>fetch('/api/orders').then((r) => r.json()).then((t) => t.rows.map(1))"
                    "</script>"
                )
            case "oops":
                self._page("<h1>Oops</h1><button>Try again</button><script>null.rows</script>")
            case "email-first":
                self._page("<h1>Welcome</h1><label>Email <input type=email></label><button>Next")
            case "start-page":
                self._page("<h1>Quay</h1><p>The desk of every quay.</p><a href=/login>Log in</a>")
            case "loading":
                self._page("<div class=spinner>Loading</div>")
            case _:
                self._page("")

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
                rows = ["<script>"]
                reply = {"title": "", "rows": rows}
                self._send(200, json.dumps(reply), kind="application/json")
            else:
                self._send(401, '{"title": "Sign in", "rows": []}', kind="application/json")
            return
        rows = VIEWS.get(name, ["Nothing here"])
        reply = {"title": name.capitalize(), "rows": rows, "key": self.server.product.tokens[-1]}
        self._send(200, json.dumps(reply), kind="application/json")

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
        self._send(200, f"<!doctype html><html lang=en><title>Quay desk</title>{STYLE}{body}")

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

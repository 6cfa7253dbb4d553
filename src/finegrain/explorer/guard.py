"""Who is answered: this computer, by its own name, with the token, and only with GET.

A page from elsewhere can make a browser ask any port of its own computer, and with a name that
leads here it could read the answer (DNS rebinding): so the name that was asked for is checked, and
nothing is told to who does not know the token. Every answer forbids browsers to guess its type, to
keep it, to frame it and to say where a reader came from.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost")
FRAMES = "frame-ancestors 'none'"
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
POLICY = f"default-src 'none'; {FRAMES}"


@dataclass(frozen=True, slots=True)
class Guard:
    """An application in front of another; ``port`` and ``token`` are those of its address."""

    inner: ASGIApp
    port: int
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        await (refusal or self.inner)(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Why a request is not answered."""
        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts():
            return PlainTextResponse("this is not the address of the explorer\n", 403)
        given = scope["path"].split("/", 2)[1:2]
        if not hmac.compare_digest("".join(given).encode("utf-8", "replace"), self.token.encode()):
            return PlainTextResponse("the address lacks its token: use it as it was printed\n", 403)
        if scope["method"] != "GET":
            return PlainTextResponse("only GET\n", 405, {"Allow": "GET"})
        return None

    def _hosts(self) -> set[str]:
        own = {f"{name}:{self.port}" for name in NAMES}
        return own | set(NAMES) if self.port == 80 else own


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Content-Security-Policy", POLICY)
        await send(message)

    return sending

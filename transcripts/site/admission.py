"""Who may talk to the review server: only a browser on this machine that was given the token.

Any page in the same browser can send requests to this machine, and a hostile name server can make its own
host name mean this machine. So a request must name our host, carry the token, and, where it writes, come
from one of our own pages.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-pinakes-token"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer", under which browsers send no origin with a form.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Admission:
    """Lets requests through to ``app`` that may be answered, and adds headers that bind the browser.

    :param port: where the server listens on the loopback address.
    :param token: what the address printed at the start carries, and a cookie from then on.
    """

    def __init__(self, app: ASGIApp, *, port: int, token: str) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        if port == 80:
            self._hosts |= {"127.0.0.1", "localhost"}
        self._token = token
        # Cookies do not keep ports apart, so two servers need two names.
        self._cookie = f"pinakes-ask-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def bound(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        answer = self._refused(Request(scope)) or self._entered(Request(scope)) or self._app
        await answer(scope, receive, bound)

    def _refused(self, request: Request) -> Response | None:
        """The refusal of a request that is not for us, has no right here, or comes from elsewhere."""
        headers = request.headers
        if _only(headers, "host") not in self._hosts:
            return _refusal("This server answers only to its own address on this machine.")
        if request.method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("This method is not served.\n", 405, {"Allow": "GET, HEAD, POST"})
        if not self._known(request):
            return _refusal("Open the address that 'pnk transcripts serve' printed: it carries the token.")
        if request.method == "POST":
            origin = _only(headers, "origin")
            if origin not in {f"http://{host}" for host in self._hosts} or origin != f"http://{headers['host']}":
                return _refusal("A review must come from a page of this server.")
        return None

    def _entered(self, request: Request) -> Response | None:
        """The first visit: keep the token in a cookie, and take it out of the address."""
        if request.method == "POST" or not self._is_token(_token_in(request)):
            return None
        # One slash in front: two would name another host.
        answer = RedirectResponse("/" + request.url.path.lstrip("/"), 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer

    def _known(self, request: Request) -> bool:
        given = [request.headers.get(TOKEN_HEADER), self._kept(request)]
        if request.method != "POST":
            given.append(_token_in(request))
        return any(self._is_token(one) for one in given)

    def _kept(self, request: Request) -> str | None:
        try:
            kept = SimpleCookie(request.headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return None
        return kept.value if kept else None

    def _is_token(self, given: str | None) -> bool:
        return given is not None and hmac.compare_digest(given.encode(), self._token.encode())


def _only(headers: Headers, name: str) -> str | None:
    """A header's value, where it stands there exactly once."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else None


def _token_in(request: Request) -> str | None:
    try:
        values = parse_qs(request.url.query, max_num_fields=20).get("token", [])
    except ValueError:
        return None
    return values[0] if values else None


def _refusal(why: str) -> Response:
    return PlainTextResponse(f"{why}\n", 403)

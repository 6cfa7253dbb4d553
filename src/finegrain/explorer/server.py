"""The explorer behind a port of this computer, until it is interrupted."""

from __future__ import annotations

import contextlib
import gc
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from finegrain.errors import UsageError
from finegrain.explorer.answers import Path
from finegrain.explorer.guard import FRAMES, NAMES, Guard
from finegrain.views.escape import visible

_PATIENCE = 2  # seconds that unfinished answers have when the server ends


def application(paths: Mapping[str, Path], *, port: int, token: str) -> Guard:
    """What answers requests for these paths below the token."""
    routes = [Route(f"/{token}/{name}", _endpoint(path)) for name, path in paths.items()]
    return Guard(Starlette(routes=routes), port, token)


def _endpoint(path: Path) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:  # not async: it runs beside others, in a thread
        try:
            body = _begun(path.body(request.query_params.multi_items()))
        except UsageError as error:
            told = "\n".join(visible(line) for line in str(error).split("\n"))
            return PlainTextResponse(f"{told}\n", 400)
        headers = {"Content-Type": path.kind, "Content-Security-Policy": f"{path.policy}; {FRAMES}"}
        if path.file is not None:
            headers["Content-Disposition"] = f'attachment; filename="{path.file}"'
        return StreamingResponse(body, headers=headers)

    return endpoint


def _begun(chunks: Iterable[bytes]) -> Iterable[bytes]:
    """The same chunks, with the first one made: what is wrong with a query is told then."""
    rest = iter(chunks)
    return chain([next(rest, b"")], rest)


def listening(port: int) -> socket.socket:
    """A socket that only this computer can reach; port 0 is any free one."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((NAMES[0], port))
        made.listen()
    except OSError as error:
        made.close()
        raise UsageError(
            f"port {port} cannot be used ({error.strerror}): without --port a free one is taken"
        ) from None
    return made


def serve(paths: Mapping[str, Path], own: socket.socket, announce: Callable[[str], None]) -> None:
    """Answer on a socket until Ctrl-C; the address is announced when it can be used."""
    port, token = own.getsockname()[1], secrets.token_urlsafe(24)
    app = application(paths, port=port, token=token)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=_PATIENCE,
        )
    )
    gc.enable()  # a server lives long
    announce(f"http://{NAMES[0]}:{port}/{token}/")
    with contextlib.suppress(KeyboardInterrupt):  # which is how it ends
        server.run(sockets=[own])

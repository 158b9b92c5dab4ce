"""The pages of the site made at the moment they are asked for, and reviews taken."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from retrieval.text.errors import PinakesAskError
from transcripts.errors import TranscriptError
from transcripts.folders import run_folders
from transcripts.reviews import add_review
from transcripts.site.overview import Overview, overview
from transcripts.site.pages import ASSETS, Live, Neighbours, index_html, neighbours, run_html
from transcripts.site.runs import read_run
from transcripts.store import load

#: Bytes that a review may have: its note, each character of which a browser may send as twelve bytes.
BODY_LIMIT = 64 * 1024


class Site:
    """What the server answers with. Records are read anew for each request, so that a new run shows at once.

    :param cache: the database of rows, see :func:`transcripts.listing.list_runs`.
    :param reviewer: in whose name reviews are kept.
    :param now: the time, with its zone.
    """

    def __init__(
        self, asks: Path, *, library: str, cache: Path | None, reviewer: str, now: Callable[[], datetime]
    ) -> None:
        self._asks = asks
        self._library = library
        self._cache = cache
        self._live = Live(reviewer)
        self._now = now

    def app(self) -> Starlette:
        """Return the application; it has to be put behind :class:`transcripts.site.admission.Admission`."""
        return Starlette(
            routes=[
                Route("/", self._index, methods=["GET"]),
                Route("/assets/{name}", self._asset, methods=["GET"]),
                Route("/runs/{run}.html", self._run, methods=["GET"]),
                Route("/runs/{run}/review", self._review, methods=["POST"], max_body_size=BODY_LIMIT),
            ],
            exception_handlers={PinakesAskError: _failed, HTTPException: _refused},
        )

    # The handlers that read files are plain functions: starlette runs those beside the loop.
    def _index(self, request: Request) -> Response:
        seen = self._overview()
        return HTMLResponse(_bytes(index_html(seen.runs, seen.problems, self._library, self._live)))

    def _asset(self, request: Request) -> Response:
        # Looked up by name among the package's own, so that no request can name a path.
        files = {file.name: file for file in ASSETS.iterdir()}
        file = files.get(request.path_params["name"])
        if file is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such file.")
        return FileResponse(file)

    def _run(self, request: Request) -> Response:
        folder, around = self._find(request)
        return HTMLResponse(_bytes(run_html(read_run(folder), around, self._live)))

    async def _review(self, request: Request) -> Response:
        from starlette.concurrency import run_in_threadpool

        form = _form(await request.body())
        return await run_in_threadpool(self._keep, request, form)

    def _keep(self, request: Request, form: dict[str, str]) -> Response:
        verdict = form.get("verdict")
        if verdict not in ("accept", "reject"):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "A review accepts or rejects.")
        folder, _ = self._find(request)
        record = load(folder)
        if form.get("sha256") != record.sha256:
            raise HTTPException(
                HTTPStatus.CONFLICT, "The record changed after this page was opened. Read it again, then judge it."
            )
        # Browsers send line breaks as two characters.
        note = form.get("note", "").replace("\r\n", "\n").strip()
        add_review(
            folder,
            record,
            "accept" if verdict == "accept" else "reject",
            reviewer=self._live.reviewer,
            time=self._now(),
            note=note,
        )
        return RedirectResponse(f"/runs/{record.id}.html#review", HTTPStatus.SEE_OTHER)

    def _overview(self) -> Overview:
        return overview(self._asks, self._cache)

    def _find(self, request: Request) -> tuple[Path, Neighbours]:
        """The folder of the run that a request names, by looking it up, and what lies around it."""
        # The names of folders are read faster than records; a folder that was renamed is found by its record.
        named = {run.id: run.name for run in reversed(run_folders(self._asks)) if run.id}
        wanted = request.path_params["run"]
        if wanted not in named:
            named = {run.id: run.folder for run in self._overview().runs}
        if wanted not in named:
            raise HTTPException(HTTPStatus.NOT_FOUND, "There is no such run.")
        ids = list(named)
        return self._asks / named[wanted], neighbours(ids, ids.index(wanted))


def _form(body: bytes) -> dict[str, str]:
    """The fields of a posted form, each once.

    :raises HTTPException: when it is no such form.
    """
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=8)
    except ValueError as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "This is no review.") from error
    return {name: values[0] for name, values in fields.items()}


def _failed(request: Request, error: Exception) -> Response:
    """Say what failed. A record that is damaged is no fault of the request, a note that is too long is."""
    code = HTTPStatus.INTERNAL_SERVER_ERROR if isinstance(error, TranscriptError) else HTTPStatus.BAD_REQUEST
    return PlainTextResponse(f"{error}\n", code)


def _refused(request: Request, error: Exception) -> Response:
    code = error.status_code if isinstance(error, HTTPException) else HTTPStatus.BAD_REQUEST
    detail = error.detail if isinstance(error, HTTPException) else str(error)
    headers = error.headers if isinstance(error, HTTPException) else None
    return PlainTextResponse(f"{detail}\n", code, headers)


def _bytes(page: str) -> bytes:
    return page.encode(errors="replace")

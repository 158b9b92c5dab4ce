"""An object store on this machine: as much of S3's protocol as LanceDB speaks, over real HTTP.

Run it as a program to serve until it is stopped.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

BUCKET, KEY, SECRET = "bucket", "known", "secret"


class Store(ThreadingHTTPServer):
    """Keeps objects in memory; ``refuses`` makes it deny every request to change something."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.parts: dict[str, dict[int, bytes]] = {}
        self.lock = threading.Lock()
        self.requests = 0
        self.refuses = False

    @property
    def environment(self) -> dict[str, str]:
        """What tells a program of this store, and lets it in."""
        return {
            "AWS_ENDPOINT": f"http://127.0.0.1:{self.server_port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }


class Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    protocol_version = "HTTP/1.1"
    server: Store

    def do_GET(self) -> None:
        key, query = self._read()
        if not self._may():
            return
        if not key:
            self._list(query)
            return
        found = self.server.objects.get(key)
        if found is None:
            self._error(404, "NoSuchKey")
            return
        status, headers, content = 200, {}, found
        if said := self.headers.get("Range"):
            first, _, last = said.removeprefix("bytes=").partition("-")
            start = int(first) if first else max(len(found) - int(last), 0)
            stop = min(int(last) + 1 if first and last else len(found), len(found))
            status, content = 206, found[start:stop]
            headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(found)}"
        self._send(status, content, headers)

    do_HEAD = do_GET

    def do_PUT(self) -> None:
        key, query = self._read()
        if not self._may(changing=True):
            return
        with self.server.lock:
            if "uploadId" in query:
                self.server.parts[query["uploadId"]][int(query["partNumber"])] = self.body
            elif self.headers.get("If-None-Match") == "*" and key in self.server.objects:
                self._error(412, "PreconditionFailed")
                return
            else:
                source = self.headers.get("x-amz-copy-source")
                copied = unquote(source or "").removeprefix("/").partition("/")[2]
                self.server.objects[key] = self.server.objects[copied] if source else self.body
        self._send(
            200,
            b"<CopyObjectResult><ETag>e</ETag></CopyObjectResult>"
            if self.headers.get("x-amz-copy-source")
            else b"",
        )

    def do_POST(self) -> None:
        key, query = self._read()
        if not self._may(changing=True):
            return
        with self.server.lock:
            if "uploads" in query:
                name = str(len(self.server.parts))
                self.server.parts[name] = {}
                self._send(
                    200,
                    f"<InitiateMultipartUploadResult><UploadId>{name}</UploadId></InitiateMultipartUploadResult>".encode(),
                )
            elif "delete" in query:
                text = self.body.decode()
                gone = [part.partition("</Key>")[0] for part in text.split("<Key>")[1:]]
                for one in gone:
                    self.server.objects.pop(one, None)
                deleted = "".join(f"<Deleted><Key>{escape(one)}</Key></Deleted>" for one in gone)
                self._send(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())
            else:
                parts = self.server.parts.pop(query["uploadId"])
                self.server.objects[key] = b"".join(parts[number] for number in sorted(parts))
                self._send(
                    200,
                    b"<CompleteMultipartUploadResult><ETag>e</ETag></CompleteMultipartUploadResult>",
                )

    def do_DELETE(self) -> None:
        key, _ = self._read()
        if self._may(changing=True):
            self.server.objects.pop(key, None)
            self._send(204, b"")

    def _list(self, query: dict[str, str]) -> None:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        after = query.get("start-after", "")
        with self.server.lock:
            keys = sorted(key for key in self.server.objects if key.startswith(prefix) and key > after)
            sizes = {key: len(self.server.objects[key]) for key in keys}
        folders, found = set[str](), list[str]()
        for key in keys:
            rest = key[len(prefix) :]
            if delimiter and delimiter in rest:
                folders.add(prefix + rest.partition(delimiter)[0] + delimiter)
            else:
                found.append(key)
        content = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{sizes[key]}</Size><ETag>e</ETag>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
            for key in found
        ) + "".join(f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(folders))
        self._send(
            200,
            f"<ListBucketResult><Name>{BUCKET}</Name><IsTruncated>false</IsTruncated>{content}</ListBucketResult>".encode(),
        )

    def _read(self) -> tuple[str, dict[str, str]]:
        self.server.requests += 1
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query, keep_blank_values=True).items()}
        self.bucket, _, key = unquote(address.path).removeprefix("/").partition("/")
        return key, query

    def _may(self, *, changing: bool = False) -> bool:
        if self.bucket != BUCKET:
            self._error(404, "NoSuchBucket")
        elif f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
            self._error(403, "InvalidAccessKeyId")
        elif changing and self.server.refuses:
            self._error(403, "AccessDenied")
        else:
            return True
        return False

    def _error(self, status: int, code: str) -> None:
        self._send(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {
            "ETag": '"e"',
            "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[Store]:
    """Serve an empty store."""
    store = Store()
    thread = threading.Thread(target=store.serve_forever)
    thread.start()
    try:
        yield store
    finally:
        store.shutdown()
        thread.join()
        store.server_close()


if __name__ == "__main__":
    store = Store()
    sys.stdout.write(" ".join(f"{name}={value}" for name, value in store.environment.items()) + "\n")
    sys.stdout.flush()
    store.serve_forever()

"""The review server: it writes reviews for its own pages, and tells nobody else anything."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.pnk import pnk
from tests.transcripts.made_runs import made_run, run_id, store_run
from tests.transcripts.serving import Server, serving
from transcripts.reviews import NOTE_LIMIT, read_reviews
from transcripts.store import load

RUN = run_id(1)
PAGE = f"/runs/{RUN}.html"
POSTED = {"verdict": "accept", "note": "", "sha256": made_run().sha256}


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records in the git repository of somebody called Ada."""
    library = tmp_path_factory.mktemp("library")
    for arguments in (
        ["init", "--quiet"],
        ["config", "user.name", "Ada Lane"],
        ["config", "user.email", "a@b.org"],
    ):
        subprocess.run(["git", "-C", str(library), *arguments], check=True)
    for number in (1, 2, 3):
        store_run(library / "asks", number)
    return library / "asks"


@pytest.fixture(scope="module")
def server(asks: Path) -> Iterator[Server]:
    with serving(asks) as running:
        yield running


@pytest.fixture
def folder(asks: Path) -> Iterator[Path]:
    """The folder of the run that is judged, without any review."""
    found = next(path for path in asks.rglob(f"{RUN}*") if path.is_dir())
    (found / "reviews.jsonl").unlink(missing_ok=True)
    yield found
    (found / "reviews.jsonl").unlink(missing_ok=True)


def test_a_review_is_written_in_the_name_that_git_knows(server: Server, folder: Path) -> None:
    record = load(folder)
    note = "Reads well.\r\nBut: “Dale” & <b>"
    answer = server.review(RUN, {**POSTED, "note": note})
    assert answer.code == 303
    assert answer.headers["location"] == f"{PAGE}#review"
    review = read_reviews(folder).last
    assert review is not None
    assert (review.verdict, review.reviewer) == ("accept", "Ada Lane <a@b.org>")
    assert review.note == "Reads well.\nBut: “Dale” & <b>"
    assert review.is_of(record)
    assert "Reads well." in server.ask("GET", PAGE).text
    assert "accepted" in server.ask("GET", "/").text


def test_a_later_review_counts_and_the_earlier_stays(server: Server, folder: Path) -> None:
    server.review(RUN, POSTED)
    server.review(RUN, {**POSTED, "verdict": "reject"})
    assert [one.verdict for one in read_reviews(folder).all] == ["accept", "reject"]


def test_the_address_lets_a_browser_in_and_its_cookie_keeps_it_in(server: Server) -> None:
    first = server.ask("GET", f"/?token={server.token}", known=False)
    assert (first.code, first.headers["location"]) == (303, "/")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    kept = cookie.partition(";")[0]
    assert server.ask("GET", PAGE, {"Cookie": kept}, known=False).code == 200
    assert server.token not in server.ask("GET", PAGE, {"Cookie": kept}, known=False).text


def test_the_way_in_leads_to_no_other_host(server: Server) -> None:
    answer = server.ask("GET", f"//evil.example/?token={server.token}", known=False)
    assert not answer.headers.get("location", "/").startswith("//")


@pytest.mark.parametrize("path", ["/", PAGE, "/assets/base.css", f"/runs/{RUN}/review", "/nothing"])
@pytest.mark.parametrize("wrong", ["", "x", "é", "A" * 5000])
def test_without_the_token_nothing_is_told(path: str, wrong: str, server: Server) -> None:
    for headers in ({"X-Pinakes-Token": wrong}, {"Cookie": f"pinakes-ask-{server.port}={wrong}"}):
        try:
            answer = server.ask("GET", path, headers, known=False)
        except UnicodeEncodeError:
            continue
        assert answer.code == 403
        assert "Reed" not in answer.text
    assert server.ask("GET", f"{path}?token=x&token={server.token}", known=False).code == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:1", "evil.example:{port}", "127.0.0.1:{port}.", ""],
)
def test_another_host_name_is_refused_with_a_right_token_too(host: str, server: Server) -> None:
    """A hostile name server can make its own name lead here."""
    headers = {"Host": host.format(port=server.port)}
    answer = server.ask("GET", "/", headers)
    assert answer.code in (400, 403)
    assert "Reed" not in answer.text


def test_localhost_is_this_machine_too(server: Server) -> None:
    assert server.ask("GET", "/", {"Host": f"localhost:{server.port}"}).code == 200


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://127.0.0.1",
     "http://localhost:{port}", "http://127.0.0.1:{port}.evil.example", "http://127.0.0.1:{port}/"],
)  # fmt: skip
def test_a_review_from_another_page_is_refused(origin: str, server: Server, folder: Path) -> None:
    answer = server.review(RUN, POSTED, {"Origin": origin.format(port=server.port)})
    assert answer.code == 403
    assert not (folder / "reviews.jsonl").exists()


def test_a_review_without_the_token_is_refused(server: Server, folder: Path) -> None:
    assert server.review(RUN, POSTED, {"X-Pinakes-Token": ""}).code == 403
    assert server.review(f"{RUN}", {**POSTED, "token": server.token}, {"X-Pinakes-Token": ""}).code == 403
    path = f"/runs/{RUN}/review?token={server.token}"
    assert server.ask("POST", path, {"Origin": server.origin}, b"verdict=accept", known=False).code == 403
    assert not (folder / "reviews.jsonl").exists()


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "REVIEW"])
def test_only_a_post_writes(method: str, server: Server, folder: Path) -> None:
    answer = server.ask(method, f"/runs/{RUN}/review?verdict=accept", {"Origin": server.origin})
    assert answer.code == 405
    assert not (folder / "reviews.jsonl").exists()


@pytest.mark.parametrize("path", ["/", PAGE, "/assets/base.css"])
def test_pages_are_not_posted_to(path: str, server: Server) -> None:
    assert server.ask("POST", path, {"Origin": server.origin}, b"").code == 405


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"verdict": "maybe"},
        {"verdict": ""},
        {**POSTED, "note": "x" * (NOTE_LIMIT + 1)},
        {"verdict": "accept\n"},
    ],
)
def test_what_is_no_review_is_refused(fields: dict[str, str], server: Server, folder: Path) -> None:
    assert server.review(RUN, fields).code == 400
    assert not (folder / "reviews.jsonl").exists()


@pytest.mark.parametrize("body", [b"\xff\xfe", b"{}", b"a=1&" * 50, b"%ff=%fe", b""])
def test_a_body_that_is_no_form_is_refused(body: bytes, server: Server, folder: Path) -> None:
    answer = server.ask("POST", f"/runs/{RUN}/review", {"Origin": server.origin}, body)
    assert answer.code == 400
    assert "Traceback" not in answer.text
    assert not (folder / "reviews.jsonl").exists()


def test_the_longest_note_is_taken(server: Server, folder: Path) -> None:
    note = "\U0001f642" * NOTE_LIMIT
    assert server.review(RUN, {**POSTED, "note": note}).code == 303
    last = read_reviews(folder).last
    assert last is not None
    assert last.note == note


def test_a_body_without_end_is_cut_off(server: Server, folder: Path) -> None:
    assert server.review(RUN, {**POSTED, "note": "x" * 200_000}).code == 413
    chunks = b"%x\r\n%s\r\n" % (200_000, b"x" * 200_000) + b"0\r\n\r\n"
    headers = {"Origin": server.origin, "Transfer-Encoding": "chunked"}
    # It may hang up before all was sent.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        assert server.ask("POST", f"/runs/{RUN}/review", headers, chunks).code == 413
    assert not (folder / "reviews.jsonl").exists()


def test_a_record_that_changed_under_the_page_is_not_judged(server: Server, folder: Path) -> None:
    assert server.review(RUN, {**POSTED, "sha256": "0" * 64}).code == 409
    assert not (folder / "reviews.jsonl").exists()


@pytest.mark.parametrize(
    "path",
    ["/assets/../served.py", "/assets/..%2fserved.py", "/assets/%2e%2e/served.py", "/assets//etc/passwd",
     "/assets/", "/assets/base.css/..", "/runs/..%2f..%2fnotes.html", "/runs/../../notes.html", f"/runs/{RUN}",
     "/runs/" + "0" * 26 + ".html", "/runs/%00.html", "/transcript.json", "/%2e%2e/pinakes-ask.toml"],
)  # fmt: skip
def test_no_request_reaches_another_file(path: str, server: Server) -> None:
    answer = server.ask("GET", path)
    assert answer.code == 404
    assert "import" not in answer.text


def test_a_run_that_is_not_there_cannot_be_judged(server: Server) -> None:
    assert server.review("0" * 26, POSTED).code == 404


@pytest.mark.parametrize("path", ["/", PAGE, "/assets/run.js", "/nothing"])
def test_every_answer_binds_the_browser(path: str, server: Server) -> None:
    for known in (True, False):
        headers = server.ask("GET", path, known=known).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


def test_a_new_run_shows_at_once(server: Server, asks: Path) -> None:
    folder = store_run(asks, 9, question="Who built the Orm?")
    try:
        assert "Who built the Orm?" in server.ask("GET", "/").text
        assert "Who built the Orm?" in server.ask("GET", f"/runs/{run_id(9)}.html").text
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def test_a_damaged_record_is_named_and_the_server_goes_on(server: Server, asks: Path) -> None:
    folder = store_run(asks, 8)
    whole = (folder / "transcript.json").read_bytes()
    try:
        (folder / "transcript.json").write_bytes(whole[:1000])
        answer = server.ask("GET", f"/runs/{run_id(8)}.html")
        assert answer.code == 500
        assert "transcript.json" in answer.text
        assert "1 file was skipped" in server.ask("GET", "/").text
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def test_many_reviews_at_once_are_all_kept(server: Server, folder: Path) -> None:
    codes: list[int] = []

    def judge(number: int) -> None:
        codes.append(server.review(RUN, {**POSTED, "note": f"note {number}"}).code)

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == [303] * 20
    assert {one.note for one in read_reviews(folder).all} == {f"note {number}" for number in range(20)}


def test_only_the_loopback_address_is_listened_on(server: Server) -> None:
    """As the kernel says, of the process that serves."""
    inodes = {
        link.removeprefix("socket:[").removesuffix("]")
        for one in Path(f"/proc/{server.process.pid}/fd").iterdir()
        if (link := os.readlink(one)).startswith("socket:")  # noqa: PTH115
    }
    listening = [
        fields[1]
        for table in ("/proc/net/tcp", "/proc/net/tcp6")
        if Path(table).exists()
        for line in Path(table).read_text(encoding="ascii").splitlines()[1:]
        if (fields := line.split())[3] == "0A" and fields[9] in inodes
    ]
    assert [place.partition(":")[0] for place in listening] == ["0100007F"]


def test_ctrl_c_ends_it_quietly_with_130(asks: Path) -> None:
    with serving(asks) as running:
        assert running.ask("GET", "/").code == 200
        running.process.send_signal(signal.SIGINT)
        out, err = running.process.communicate(timeout=60)
    assert running.process.returncode == 130
    assert "Traceback" not in out + err
    assert "Ada Lane" in err


def test_a_port_that_is_taken_is_named(asks: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = pnk("transcripts", "serve", "--kb", asks.parent, "--asks", asks, "--port", port)
    assert ran.code == 2
    assert str(port) in ran.err
    assert ran.out == ""


def test_a_port_can_be_chosen(asks: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with serving(asks, "--port", port) as running:
        assert running.port == port


def test_somebody_whom_git_does_not_know_has_to_say_who_reviews(tmp_path: Path) -> None:
    asks = tmp_path / "asks"
    store_run(asks)
    for arguments in (["init", "--quiet"], ["config", "user.useConfigOnly", "true"]):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True)
    nobody = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    ran = pnk("transcripts", "serve", "--kb", tmp_path, home=tmp_path, env=nobody)
    assert ran.code == 2
    assert "--reviewer" in ran.err
    with serving(asks, "--reviewer", "Bo  Reed\n") as running:
        assert "review of <bdi>Bo Reed</bdi>" in running.ask("GET", PAGE).text


def test_without_records_there_is_nothing_to_serve(tmp_path: Path) -> None:
    ran = pnk("transcripts", "serve", "--kb", tmp_path, "--asks", tmp_path / "none")
    assert ran.code == 1
    assert "no such folder" in ran.err


def test_the_site_command_prints_where_the_list_is(asks: Path, tmp_path: Path) -> None:
    ran = pnk("transcripts", "site", tmp_path / "out", "--kb", asks.parent, "--asks", asks, "--json")
    assert ran.code == 0, ran.err
    assert Path(ran.json()["index"]).is_file()
    assert ran.json()["runs"] == 3
    again = pnk("transcripts", "site", "out", "--kb", asks.parent, "--asks", asks, cwd=tmp_path)
    assert again.out == "out/index.html\n"
    assert "0 pages written" in again.err


def test_the_site_command_refuses_a_folder_that_is_not_its_own(asks: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    ran = pnk("transcripts", "site", tmp_path, "--kb", asks.parent, "--asks", asks)
    assert ran.code == 1
    assert "mine.txt" in ran.err

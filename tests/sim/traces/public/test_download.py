import gzip
import hashlib
import os
import ssl
import sys
import threading
import tracemalloc
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sim.traces import CATALOGUE, Entry, entry, fetch, locate
from tests.support.logs import require

# Of 127.0.0.1, signed by itself, for these tests only; valid until 2125.
CERTIFICATE = Path(__file__).with_name("localhost.pem")

CONTENT = bytes(range(256)) * 2_000
PACKED = gzip.compress(CONTENT, mtime=0)
SIZE = len(PACKED)


class Server(ThreadingHTTPServer):
    """Serves one file; `cuts` holds how many bytes to send before each cut connection.

    `headers` replaces headers of its answers (None: leaves them out), `moved` sends elsewhere.
    """

    def __init__(self, body, *, ranges=True, cuts=(), headers=None, moved=None, tls=True):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.ranges, self.cuts = body, ranges, list(cuts)
        self.headers, self.moved = headers or {}, moved
        self.asked = []
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server_port}/log.gz"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request, client_address):
        """Print nothing of clients that hang up, as those of these tests do."""


class Handler(BaseHTTPRequestHandler):
    def send_header(self, keyword, value):
        value = self.server.headers.get(keyword, value)
        if value is not None:
            super().send_header(keyword, value)

    def do_GET(self):
        wanted = self.headers.get("Range")
        self.server.asked.append(wanted)
        if self.server.moved is not None:
            self.send_response(302)
            self.send_header("Location", self.server.moved)
            self.end_headers()
            return
        if not self.path.endswith("log.gz"):
            self.send_error(404)
            return
        body, start = self.server.body, 0
        if wanted and self.server.ranges:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(body)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
        rest = body[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.end_headers()
        cut = self.server.cuts.pop(0) if self.server.cuts else len(rest)
        self.wfile.write(rest[:cut])

    def log_message(self, *args):
        del args


@pytest.fixture
def serve(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    running = []

    def start(body=PACKED, **options):
        server = Server(body, **options)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def log(url, content=CONTENT, *, size=SIZE, path="jobs/log.gz"):
    digest = None if content is None else hashlib.sha256(content).hexdigest()
    return Entry("a-log", "a log", path, url, size, digest, "none")


def test_a_log_is_fetched_checked_and_found(serve, tmp_path, monkeypatch):
    server = serve()
    seen = []
    path = fetch(log(server.url), folder=tmp_path, progress=lambda *step: seen.append(step))
    assert path == tmp_path / "jobs" / "log.gz"
    assert path.read_bytes() == PACKED
    assert seen[-1] == (len(PACKED), len(PACKED))
    monkeypatch.setenv("PERFMODEL_TRACES", str(tmp_path))
    assert locate("jobs/log") == path
    assert fetch(log(server.url)) == path
    assert server.asked == [None]  # what is there is not fetched again


def test_a_cut_connection_is_taken_up_where_it_was_cut(serve, tmp_path):
    server = serve(cuts=[700, 300])
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED
    assert server.asked == [None, "bytes=700-", "bytes=1000-"]


def test_what_came_stays_for_the_next_call(serve, tmp_path):
    server = serve(cuts=[700, 0])
    with pytest.raises(ConnectionError, match=r"log.gz cannot be fetched: cut after 700 of"):
        fetch(log(server.url), folder=tmp_path, retries=1)
    assert not (tmp_path / "jobs" / "log.gz").exists()
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED
    assert server.asked == [None, "bytes=700-", "bytes=700-"]
    assert [path.name for path in (tmp_path / "jobs").iterdir()] == ["log.gz"]


def test_a_server_without_ranges_starts_over(serve, tmp_path):
    server = serve(ranges=False, cuts=[700])
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED
    assert server.asked == [None, "bytes=700-"]


@pytest.mark.parametrize("extra", [b"", b"more"])
def test_a_part_that_is_complete_or_too_long(serve, tmp_path, extra):
    server = serve()
    part = tmp_path / "jobs" / "log.gz.part"
    part.parent.mkdir()
    part.write_bytes(PACKED + extra)
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED


def test_a_wrong_checksum_is_refused_and_nothing_is_left(serve, tmp_path):
    other = gzip.compress(b"something else")
    server = serve(other)
    with pytest.raises(ValueError, match=r"a-log must have the sha256 .* got "):
        fetch(log(server.url, size=len(other)), folder=tmp_path)
    assert list((tmp_path / "jobs").iterdir()) == []
    (tmp_path / "jobs" / "log.gz").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="a-log must have the sha256"):
        fetch(log(server.url), folder=tmp_path)


@pytest.mark.parametrize("size", [SIZE - 1, SIZE + 1, 0])
@pytest.mark.parametrize("length", ["as it is", None, "abc", "-5", "9" * 30])
def test_a_wrong_size_is_refused_and_nothing_is_left(serve, tmp_path, size, length):
    server = serve(headers={} if length == "as it is" else {"Content-Length": length})
    with pytest.raises(ValueError, match=rf"log.gz must have {size:,} bytes, got "):
        fetch(log(server.url, size=size), folder=tmp_path)
    assert list((tmp_path / "jobs").iterdir()) == []


def test_a_server_without_end_is_left_at_the_size(serve, tmp_path):
    server = serve(PACKED * 2_000, headers={"Content-Length": None})
    seen = []
    with pytest.raises(ValueError, match=rf"must have {len(PACKED):,} bytes, got more"):
        fetch(log(server.url), folder=tmp_path, progress=lambda *step: seen.append(step))
    assert not seen or seen[-1][0] <= len(PACKED)


@pytest.mark.parametrize("length", [None, "abc", "-5"])
def test_a_cut_body_without_a_length_is_taken_up_again(serve, tmp_path, length):
    """The server says nothing, but the catalogue knows the size."""
    server = serve(headers={"Content-Length": length}, cuts=[700])
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED
    assert server.asked == [None, "bytes=700-"]


@pytest.mark.parametrize(
    "stated",
    [None, "bytes 0-1/2", "bytes 701-9999/9999", "bytes x-y/z", "items 700-1/2", "bytes 700-1/*x"],
)
def test_a_range_that_was_not_asked_for_is_not_appended(serve, tmp_path, stated):
    server = serve(cuts=[700], headers={"Content-Range": stated})
    assert fetch(log(server.url), folder=tmp_path).read_bytes() == PACKED
    assert server.asked == [None, "bytes=700-", None]


@pytest.mark.parametrize("content", [CONTENT, None])
def test_an_address_without_https_is_refused(serve, tmp_path, content):
    server = serve(tls=False)
    for url in (server.url, "ftp://127.0.0.1/log.gz", f"file://{CERTIFICATE}", "log.gz"):
        with pytest.raises(ValueError, match=r"^url must be https, got "):
            fetch(log(url, content), folder=tmp_path, insecure_no_checksum=True)
    assert server.asked == []


def test_a_redirect_stays_with_https(serve, tmp_path):
    plain, secure = serve(tls=False), serve()
    for target in (plain.url, "ftp://127.0.0.1/log.gz"):
        with pytest.raises(
            ValueError, match=r"must stay with https, got a redirect to '(http:|ftp)"
        ):
            fetch(log(serve(moved=target).url), folder=tmp_path)
    with pytest.raises(ConnectionError, match="cannot be fetched"):
        fetch(log(serve(moved=f"file://{CERTIFICATE}").url), folder=tmp_path)
    assert plain.asked == []
    twice = serve(moved=serve(moved=plain.url).url)
    with pytest.raises(ValueError, match="must stay with https"):
        fetch(log(twice.url), folder=tmp_path)
    assert fetch(log(serve(moved=secure.url).url), folder=tmp_path).read_bytes() == PACKED


def test_a_certificate_that_is_not_trusted_is_refused(serve, tmp_path, monkeypatch):
    server = serve()
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(ConnectionError, match=r"(?i)certificate"):
        fetch(log(server.url), folder=tmp_path, retries=0)


@pytest.mark.parametrize("present", [b"", PACKED])
def test_without_a_known_checksum_nothing_is_taken_unasked(serve, tmp_path, present):
    server = serve()
    with pytest.raises(
        ValueError, match=r"a-log must have a known checksum, got none; insecure_no"
    ):
        fetch(log(server.url, None), folder=tmp_path)
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "log.gz").write_bytes(present)
    with pytest.raises(ValueError, match="must have a known checksum"):
        fetch(log(server.url, None), folder=tmp_path)
    assert server.asked == []


def test_without_a_known_checksum_a_log_is_taken_as_it_is_if_asked_for(serve, tmp_path):
    server = serve()
    free = log(server.url, None, size=None)
    path = fetch(free, folder=tmp_path, insecure_no_checksum=True)
    assert path.read_bytes() == PACKED
    assert fetch(free, folder=tmp_path, insecure_no_checksum=True) == path
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"log.gz must hold what its name says, got b''"):
        fetch(free, folder=tmp_path, insecure_no_checksum=True)


@pytest.mark.parametrize("body", [b"<html>Not found</html>", b""])
def test_an_error_page_is_not_a_log_even_without_a_checksum(serve, tmp_path, body):
    free = log(serve(body).url, None, size=None)
    with pytest.raises(ValueError, match=r"log.gz must hold what its name says, got b'"):
        fetch(free, folder=tmp_path, insecure_no_checksum=True)
    assert list((tmp_path / "jobs").iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "dangling", "hard", "folder", "pipe"])
def test_a_part_that_is_not_a_file_of_its_own_is_left_alone(serve, tmp_path, kind):
    server = serve()
    (tmp_path / "jobs").mkdir()
    part, precious = tmp_path / "jobs" / "log.gz.part", tmp_path / "precious"
    precious.write_bytes(b"precious")
    if kind == "link":
        part.symlink_to(precious)
    elif kind == "dangling":
        part.symlink_to(tmp_path / "nothing")
    elif kind == "hard":
        part.hardlink_to(precious)
    elif kind == "folder":
        part.mkdir()
    else:
        os.mkfifo(part)
    with pytest.raises(ValueError, match=r"log.gz.part must be a file without links, got one"):
        fetch(log(server.url), folder=tmp_path)
    assert precious.read_bytes() == b"precious"
    assert not (tmp_path / "nothing").exists()


def test_a_link_put_there_during_the_download_is_not_followed(serve, tmp_path, monkeypatch):
    """Between the last look at the part and its opening."""
    server = serve()
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    opened = os.open

    def swapped(path, *how, **more):
        if Path(path).suffix == ".part":
            Path(path).symlink_to(precious)
        return opened(path, *how, **more)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises((ValueError, ConnectionError)):
        fetch(log(server.url), folder=tmp_path, retries=0)
    assert precious.read_bytes() == b"precious"


def test_a_link_where_the_log_belongs_is_never_written_through(serve, tmp_path):
    server = serve()
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "log.gz").symlink_to(tmp_path / "nothing")
    with pytest.raises(ValueError, match=r"log.gz must not be a link, got one that leads nowhere"):
        fetch(log(server.url), folder=tmp_path)
    assert server.asked == []
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("path", ["jobs/log.gz", "jobs/below/log.gz"])
def test_a_linked_folder_below_that_of_traces_is_refused(serve, tmp_path, path):
    server = serve()
    elsewhere, traces = tmp_path / "elsewhere", tmp_path / "traces"
    elsewhere.mkdir()
    traces.mkdir()
    (traces / "jobs").symlink_to(elsewhere)
    with pytest.raises(
        ValueError,
        match=r"traces/jobs must not be a link, got one to .*elsewhere; put a folder there, or",
    ):
        fetch(log(server.url, path=path), folder=traces)
    assert server.asked == []
    assert list(elsewhere.iterdir()) == []


def test_the_folder_of_traces_may_be_a_link(serve, tmp_path):
    server = serve()
    (tmp_path / "traces").symlink_to(tmp_path / "real")
    (tmp_path / "real").mkdir()
    found = fetch(log(server.url), folder=tmp_path / "traces")
    assert found == tmp_path / "traces" / "jobs" / "log.gz"
    assert (tmp_path / "real" / "jobs" / "log.gz").is_file()


@pytest.mark.parametrize("path", ["../log.gz", "jobs/../../log.gz", "/log.gz", "", "..", "a/\0"])
def test_a_path_that_leads_out_of_the_folder_is_refused(serve, tmp_path, path):
    server = serve()
    with pytest.raises(ValueError, match="relative must be a path below the folder, got "):
        fetch(log(server.url, path=path), folder=tmp_path / "traces")
    assert server.asked == []
    assert list(tmp_path.iterdir()) == []


def test_a_log_at_hand_is_checked_without_holding_it_in_memory(tmp_path):
    content = b"\0" * 50_000_000
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "log.gz").write_bytes(gzip.compress(content))
    wanted = log("https://127.0.0.1:1/log.gz", content)
    tracemalloc.start()
    try:
        assert fetch(wanted, folder=tmp_path) == tmp_path / "jobs" / "log.gz"
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_refusal_is_not_repeated(serve, tmp_path):
    server = serve()
    with pytest.raises(ConnectionError, match="missing cannot be fetched: HTTP Error 404"):
        fetch(log(server.url.replace("log.gz", "missing")), folder=tmp_path)
    assert server.asked == [None]


def test_the_catalogue_is_well_formed():
    names = [one.name for one in CATALOGUE]
    assert len(set(names)) == len(names)
    for one in CATALOGUE:
        assert one.url.startswith("https://")
        assert one.sha256 is None or len(bytes.fromhex(one.sha256)) == 32
        assert one.terms
    assert entry("SDSC-SP2-1998-4.2-cln").url == (
        "https://www.cs.huji.ac.il/labs/parallel/workload/l_sdsc_sp2/SDSC-SP2-1998-4.2-cln.swf.gz"
    )
    with pytest.raises(ValueError, match=r"name must be one of .* got 'nothing'"):
        entry("nothing")


@pytest.mark.parametrize("name", ["lanl-failures", "NASA-iPSC-1993-3.1-cln", "mira-2018"])
def test_logs_at_hand_have_the_content_of_the_catalogue(name):
    path = require(entry(name).path)
    folder = path
    for _ in entry(name).path.split("/"):
        folder = folder.parent
    assert fetch(name, folder=folder) == path


def test_without_its_library_the_download_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(
        RuntimeError, match=r"^fetching needs pooch: pip install 'perfmodel\[cluster\]'$"
    ):
        fetch("SDSC-SP2-1998-4.2-cln", folder=tmp_path)

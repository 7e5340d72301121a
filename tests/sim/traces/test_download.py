import gzip
import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sim.traces import CATALOGUE, Entry, entry, fetch, locate
from tests.traces import require

CONTENT = bytes(range(256)) * 2_000
PACKED = gzip.compress(CONTENT, mtime=0)


class Server(ThreadingHTTPServer):
    """Serves one file; `cuts` holds how many bytes to send before each cut connection."""

    def __init__(self, body, *, ranges=True, cuts=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body, self.ranges, self.cuts = body, ranges, list(cuts)
        self.asked = []
        self.url = f"http://127.0.0.1:{self.server_port}/log.gz"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = self.headers.get("Range")
        self.server.asked.append(wanted)
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
        self.end_headers()
        cut = self.server.cuts.pop(0) if self.server.cuts else len(rest)
        self.wfile.write(rest[:cut])

    def log_message(self, *args):
        del args


@pytest.fixture
def serve():
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


def log(url, content=CONTENT):
    digest = None if content is None else hashlib.sha256(content).hexdigest()
    return Entry("a-log", "a log", "jobs/log.gz", url, len(PACKED), digest, "none")


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
    server = serve(gzip.compress(b"something else"))
    with pytest.raises(ValueError, match=r"a-log must have the sha256 .* got "):
        fetch(log(server.url), folder=tmp_path)
    assert list((tmp_path / "jobs").iterdir()) == []
    (tmp_path / "jobs" / "log.gz").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="a-log must have the sha256"):
        fetch(log(server.url), folder=tmp_path)


def test_recompression_by_the_publisher_does_no_harm(serve, tmp_path):
    server = serve(gzip.compress(CONTENT, 1))
    assert fetch(log(server.url), folder=tmp_path).exists()


def test_without_a_known_checksum_the_log_is_taken_as_it_is(serve, tmp_path):
    assert fetch(log(serve(b"anything").url, None), folder=tmp_path).read_bytes() == b"anything"


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

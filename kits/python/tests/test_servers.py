"""The stories about the program, and about servers that cannot be used. Those that end in an error run in a process of their own."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mock_apns import MockAPNs
from mock_apns._server import API, Server, find_program
from provider import TOPIC, send

PACKAGE = str(Path(__file__).parents[1])
#: Uses the kit, and prints what went wrong.
USE = "import mock_apns\ntry: mock_apns.MockAPNs().close()\nexcept mock_apns.MockAPNsError as error: print(error)\n"


def run(code=USE, *before, cwd=None, **environment):
    """Runs code with these variables; None removes one. Returns its output, without the end of the last line."""
    variables = {**os.environ, "PYTHONPATH": PACKAGE, **environment}
    command = [*before, sys.executable, "-B", "-c", code]
    done = subprocess.run(
        command, cwd=cwd, env={name: value for name, value in variables.items() if value is not None},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    return done.stdout.rstrip("\n")


def is_one_line_with(text, *parts):
    assert "\n" not in text and all(part in text for part in parts), text
    return True


def program_for_another_processor(directory):
    content = bytearray(Path(os.environ["MOCK_APNS_BIN"]).read_bytes()[:4096])
    content[18:20] = b"\x16\x00"  # s390, which nobody tests on
    file = directory / "mock-apns"
    file.write_bytes(content)
    file.chmod(0o755)
    return str(file)


def serve(answer):
    """A server that answers every request with a status, headers and a body."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, server, body = answer(self.command, self.path)
            self.version_string = lambda: server
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_DELETE = do_GET

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def test_own_server():
    with MockAPNs() as one, MockAPNs() as two:
        assert one.environment["MOCK_APNS_API_URL"] == two.environment["MOCK_APNS_API_URL"]
        servers = {apns._api.call("GET", "info")["pid"] for apns in (one, two)}
        assert len(servers) == 1


def test_own_server_ends():
    code = "import mock_apns; a = mock_apns.MockAPNs(); print(a._api.call('GET', 'info')['pid'], a.ca_file, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": PACKAGE}, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        server, file = process.stdout.readline().split()
        running = os.pidfd_open(int(server))
        assert Path(file).exists()
        process.send_signal(signal.SIGKILL)
        assert select.select([running], [], [], 60)[0]
        os.close(running)
        assert not Path(file).parent.exists()


def test_program_found(monkeypatch, tmp_path):
    places = []
    for name in ("named", "beside", "path"):
        (tmp_path / name).mkdir()
        places.append(tmp_path / name / "mock-apns")
        places[-1].write_text("#!/bin/sh\n")
        places[-1].chmod(0o755)
    monkeypatch.setenv("MOCK_APNS_BIN", str(places[0]))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "beside" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert find_program() == str(places[0])
    monkeypatch.delenv("MOCK_APNS_BIN")
    assert find_program() == str(places[1])
    places[1].unlink()
    assert find_program() == str(places[2])


def test_exec_server():
    url = os.environ["MOCK_APNS_API_URL"]
    with MockAPNs() as apns:
        assert apns.environment["MOCK_APNS_API_URL"] == url
        assert apns._api.call("GET", "info")["pid"] == os.getppid()


def test_api_url_alone():
    with MockAPNs() as apns:
        assert not os.path.exists(apns._api.call("GET", "info")["caFile"])
        assert send(apns, apns.phone(TOPIC).token) == 200
        for file in (apns.ca_file, apns.key.file):
            assert Path(tempfile.gettempdir()) in Path(file).parents


def test_published_port(monkeypatch, tmp_path):
    listen = ["--apns-listen", "127.0.0.2:0", "--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0"]
    command = [os.environ["KIT_PROGRAM"], "serve", "--quiet", *listen, "--certs-dir", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MOCK_APNS_")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        words = dict(word.split("=", 1) for word in server.stdout.readline().split() if "=" in word)
        try:
            monkeypatch.setenv("MOCK_APNS_API_URL", words["api"])
            listeners = API(words["api"]).call("GET", "info")["listeners"]
            published = [one["url"] for one in listeners if "127.0.0.1" in one["url"]]
            monkeypatch.setenv("MOCK_APNS_APNS_PORT", published[0].rpartition(":")[2])
            monkeypatch.setattr(Server, "_shared", None)
            with MockAPNs() as one, MockAPNs() as two:
                assert one.url == two.url == published[0]
                phones = one.phone(TOPIC), two.phone(TOPIC)
                assert send(one, phones[0].token, "one") == send(two, phones[1].token, "two") == 200
                assert [push.title for push in one.pushes()] == ["one"]
                assert [push.title for push in two.pushes()] == ["two"]
        finally:
            server.terminate()


def test_api_token():
    assert run(MOCK_APNS_API_TOKEN="secret") == ""
    within = [os.environ["MOCK_APNS_BIN"], "exec", "--quiet", "--", "env", "-u", "MOCK_APNS_API_TOKEN"]
    assert is_one_line_with(run(USE, *within, MOCK_APNS_API_TOKEN="secret"), "set MOCK_APNS_API_TOKEN")


def test_bad_url():
    for url in ("127.0.0.1", "https://127.0.0.1:1", "http://:1", "http://127.0.0.1:99999", "http://[::1"):
        assert is_one_line_with(run(MOCK_APNS_API_URL=url), f"'{url}'", "http://127.0.0.1:8197")


def test_unknown_host():
    url = "http://nowhere.invalid:8197"
    assert is_one_line_with(run(MOCK_APNS_API_URL=url), url, "is mock-apns running there?")


def test_nothing_listens():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    assert is_one_line_with(run(MOCK_APNS_API_URL=url), url, "is mock-apns running there?")


def test_another_server():
    url = serve(lambda method, path: (200, "nginx", b"<html>\nWelcome"))
    assert is_one_line_with(run(MOCK_APNS_API_URL=url), url, "is not mock-apns", "'<html>'")


def test_old_server():
    problem = {"type": "urn:mock-apns:problem:unknown-path", "detail": "Path not found"}
    url = serve(lambda method, path: (404, "mock-apns/0.0.9", json.dumps(problem).encode()))
    assert is_one_line_with(run(MOCK_APNS_API_URL=url), "mock-apns/0.0.9", "update it")


def test_missing_program(tmp_path):
    nowhere = str(tmp_path / "mock-apns")
    assert is_one_line_with(run(MOCK_APNS_BIN=nowhere), nowhere, "no program", "install")
    assert is_one_line_with(run(MOCK_APNS_BIN=None, PATH="/nowhere"), "PATH", "install", "MOCK_APNS_API_URL")


def test_wrong_architecture(tmp_path):
    file = program_for_another_processor(tmp_path)
    assert is_one_line_with(run(MOCK_APNS_BIN=file), file, os.uname().machine)


def test_busy_port():
    with socket.create_server(("127.0.0.1", 0)) as busy:
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        assert is_one_line_with(run(MOCK_APNS_APNS_LISTEN=address), "is in use", address.rpartition(":")[2], "choose another")


def test_read_only_home():
    assert run(HOME="/proc", cwd="/proc") == ""


def test_no_temporary_directory():
    assert is_one_line_with(run(TMPDIR="/dev/null/nowhere"), "/dev/null/nowhere", "set TMPDIR")

"""The server that the tests of this process share, and its debug API."""

from __future__ import annotations

import atexit
import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Optional


class MockAPNsError(Exception):
    """Why mock-apns cannot be used, in one line that says how to go on."""


class Refusal(MockAPNsError):
    """The debug API has refused a request: why, or the report of a failed verification."""


class API:
    """The debug API of a server, within a namespace. Each call has its own connection, so threads can share it."""

    def __init__(self, url: str, namespace: str = "") -> None:
        parts = re.fullmatch(r"http://(\[[^]]+\]|[^:/@]+):(\d{1,5})/*", url)
        if not parts or int(parts[2]) > 65535:
            raise MockAPNsError(f"invalid MOCK_APNS_API_URL '{url}': expected a URL such as http://127.0.0.1:8197")
        self.url, self.host, self._port = url.rstrip("/"), parts[1].strip("[]"), int(parts[2])
        self._root = "/api/v1/" + (f"namespaces/{namespace}/" if namespace else "")

    def call(self, method: str, path: str, body: Optional[object] = None) -> Any:
        """Sends a request, and returns the JSON of the response. `path` follows /api/v1/ or the namespace."""
        answer = self.read(method, path, body)
        try:
            return json.loads(answer) if answer else None
        except ValueError:
            raise self._is_other_server(answer) from None

    def read(self, method: str, path: str, body: Optional[object] = None) -> bytes:
        """Sends a request, and returns the body of the response."""
        token = os.environ.get("MOCK_APNS_API_TOKEN")
        request = f"{method} {self._root}{path}"
        connection = http.client.HTTPConnection(self.host, self._port, timeout=70)  # longer than the API ever waits
        try:
            headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
            connection.request(method, self._root + path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise MockAPNsError(f"{request} failed at {self.url} ({error or type(error).__name__}): is mock-apns"
                                " running there? MOCK_APNS_API_URL is its address") from None
        finally:
            connection.close()
        if response.status < 300:
            return answer
        server = f"{response.headers.get('Server', 'mock-apns')} at {self.url}"
        advice = {"unknown-path": f"{server} does not know {request}: update it to the version of this kit",
                  "not-authorized": f"{server} wants its --api-token: set MOCK_APNS_API_TOKEN to the same"}
        try:
            problem = json.loads(answer)
            kind, text = problem["type"].rpartition(":")[2], problem.get("report") or problem["detail"]
        except (ValueError, KeyError, TypeError):
            raise self._is_other_server(answer) from None
        raise MockAPNsError(advice[kind]) if kind in advice else Refusal(text)

    def _is_other_server(self, answer: bytes) -> MockAPNsError:
        begin = answer[:60].decode(errors="replace").split("\n")[0]
        return MockAPNsError(f"{self.url} is not mock-apns, it answers '{begin}': check MOCK_APNS_API_URL")


class Server:
    """The server of MOCK_APNS_API_URL, or one of our own."""

    _lock = threading.Lock()
    _shared: Optional[Server] = None

    @classmethod
    def shared(cls) -> Server:
        """The server of this process; the first call starts it if MOCK_APNS_API_URL is not set."""
        with cls._lock:
            cls._shared = cls._shared or cls()
            return cls._shared

    def __init__(self) -> None:
        url = os.environ.get("MOCK_APNS_API_URL")
        #: The port that namespaces share if theirs cannot be reached from here, 0 if they can, None if that is unknown.
        self._port = None if url else 0
        if url:
            directory = tempfile.mkdtemp(prefix="mock-apns-")
            atexit.register(shutil.rmtree, directory, ignore_errors=True)
        else:
            url, directory = _start(find_program())
        self.api, self.directory = API(url), Path(directory)
        self.ca_file = self.directory / "mock-apns-ca.pem"
        self.ca_file.write_bytes(self.api.read("GET", "ca.pem"))

    def add_namespace(self, name: str) -> tuple[str, int]:
        """Adds a namespace, and returns its name and its port for pushes."""
        unique = f"{re.sub('[^A-Za-z0-9._-]+', '-', name)[:43]}-{secrets.token_hex(10)}"
        added = self.api.call("POST", "namespaces", {"name": unique, "ttl": "1h", "listener": not self._port})
        port = self._port or int(added["apns"].rpartition(":")[2])
        if self._port is None:
            self._port = 0 if self._is_reachable(port) else self._shared_port(port)
            if self._port:
                self.api.call("DELETE", f"namespaces/{unique}")
                return self.add_namespace(name)
        return unique, port

    def _shared_port(self, own: int) -> int:
        secure = [one["url"] for one in self.api.call("GET", "info")["listeners"] if one["secure"]]
        port = int(os.environ.get("MOCK_APNS_APNS_PORT") or secure[0].rpartition(":")[2])
        if self._is_reachable(port):
            return port
        raise MockAPNsError(f"no port for pushes can be reached at {self.api.host}, neither {own} of a namespace nor"
                            f" {port}: publish one, and set MOCK_APNS_APNS_PORT to its number")

    def _is_reachable(self, port: int) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection((self.api.host, port), timeout=2).close()
            return True
        return False


def find_program() -> str:
    """The path of the program: MOCK_APNS_BIN, or the one beside Python, or the one in the PATH."""
    named = os.environ.get("MOCK_APNS_BIN")
    beside = os.path.join(os.path.dirname(sys.executable), "mock-apns")
    if found := shutil.which(named) if named else shutil.which(beside) or shutil.which("mock-apns"):
        return found
    seen = f"MOCK_APNS_BIN is '{named}', which is no program" if named else (
        f"mock-apns was not found: MOCK_APNS_BIN is not set, there is no {beside}, and none is in the PATH")
    raise MockAPNsError(f"{seen}; install its package, or set MOCK_APNS_API_URL to the address of a server")


def _start(program: str) -> tuple[str, str]:
    """Starts a server that ends with this process, and returns its URL and its directory."""
    ready = 'echo "$MOCK_APNS_API_URL $MOCK_APNS_CERTS_DIR"; exec cat'
    environment = {name: value for name, value in os.environ.items() if name != "MOCK_APNS_ATTACHMENTS"}
    errors = tempfile.TemporaryFile("w+")
    try:
        process = subprocess.Popen([program, "exec", "--quiet", "--", "sh", "-c", ready], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
    except OSError as error:
        raise MockAPNsError(f"cannot start {program} ({error.strerror}): set MOCK_APNS_BIN to a program for"
                            f" {os.uname().sysname} on {os.uname().machine}") from None
    assert process.stdin and process.stdout
    words = process.stdout.readline().split()
    if len(words) != 2:
        status = process.wait()
        errors.seek(0)
        raise MockAPNsError(f"{program} did not start: {' '.join(errors.read().split()) or f'it ended with {status}'}")
    atexit.register(process.wait)
    atexit.register(process.stdin.close)  # runs first, and ends it
    return words[0], words[1]

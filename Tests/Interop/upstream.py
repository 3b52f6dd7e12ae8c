"""`mock-apns drift` against HTTP/2 servers that nobody here wrote: nghttpd, Node and Go, healthy and not."""

import contextlib
import json
import os
import socket
import subprocess

from drift import Desk, other
from library_clients import BUILDING, go_environment
from mock_apns import LAST_RESORT
from report import expect, expect_that

NODE = r"""
const http2 = require("node:http2"), fs = require("node:fs");
const [key, cert, mode] = process.argv.slice(2);
const server = http2.createSecureServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert), allowHTTP1: false });
let count = 0;
server.on("stream", (stream) => {
  count += 1;
  stream.on("error", () => {});
  if (mode === "reset") return stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  if (mode === "hang") return;
  if (mode === "goaway") return stream.session.goaway(0, 0, Buffer.from('{"reason":"Shutdown"}'));
  if (mode === "busy") { stream.respond({ ":status": 429 }); return stream.end('{"reason":"TooManyRequests"}'); }
  if (mode === "large") { stream.respond({ ":status": 400 }); return stream.end("a".repeat(4_000_000)); }
  if (mode === "headers") { stream.respond({ ":status": 400, "x-large": "a".repeat(60_000) }); return stream.end(); }
  stream.respond({ ":status": 400, "apns-id": "123E4567-E89B-12D3-A456-426655440000" });
  stream.end('{"reason":"BadDeviceToken"}');
});
server.on("session", (session) => session.on("error", () => {}));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""

GO = r"""
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	answer := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("apns-id", "123E4567-E89B-12D3-A456-426655440000")
		w.WriteHeader(400)
		_, _ = w.Write([]byte(`{"reason":"BadDeviceToken"}`))
	}
	panic(http.ServeTLS(listener, http.HandlerFunc(answer), os.Args[2], os.Args[1]))
}
"""

# What Node does with each request, and how the report says that the comparison has stopped.
MODES = {
    "reset": "did not respond", "hang": "did not respond", "goaway": "ended the connection", "busy": "429",
    "large": "did not respond", "headers": "did not respond",
}


def upstream_cases(context):
    desk = Desk(context, "desk")
    node_cases(context, desk)
    nghttpd_case(context, desk)
    go_case(context, desk)
    old_http_case(context, desk)
    certificate_cases(context, desk)


def certificate(context):
    """The key and the certificate of the group's server."""
    return [os.path.join(context.server.certs_dir, name) for name in ("server-key.pem", "server.pem")]


@contextlib.contextmanager
def program(command):
    """A server that prints its port; yields the port."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def whole(desk, context, port):
    """The service answers everything as BadDeviceToken: the report is complete, and other reasons differ."""
    done = desk.drift(f"https://localhost:{port}", "--upstream-ca", context.server.ca)
    expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
    report = desk.report()
    expect("stopped", None, report["stopped"])
    differing = {case["id"] for case in report["cases"] if "reason" in case["differs"]}
    expect_that({"topic-absent", "method-put+path-version"} <= differing, "differing cases", "other reasons", sorted(differing))
    expect_that(not {"unknown-device", "path-word-token"} & differing, "differing cases", "no BadDeviceToken", sorted(differing))


def node_cases(context, desk):
    script = os.path.join(context.directory, "server.cjs")
    with open(script, "w", encoding="ascii") as file:
        file.write(NODE)
    with context.report.case("upstream: Node's server that refuses everything"):
        with program(["node", script, *certificate(context), "plain"]) as port:
            whole(desk, context, port)
    for mode, words in MODES.items():
        with context.report.case(f"upstream: Node's server, {mode}"):
            with program(["node", script, *certificate(context), mode]) as port:
                done = desk.drift(f"https://localhost:{port}", "--upstream-ca", context.server.ca, "--timeout", "500ms")
                expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
                expect_that(words in (desk.report()["stopped"] or ""), "stopped", words, desk.report()["stopped"])
                expect("lines of errors", 1, len(done.stderr.splitlines()))


def nghttpd_case(context, desk):
    with context.report.case("upstream: nghttpd, which answers 404"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        root = os.path.join(context.directory, "empty")
        os.mkdir(root)
        process = subprocess.Popen(
            ["nghttpd", "-a", "127.0.0.1", "-d", root, str(port), *certificate(context)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            wait_for(port)
            done = desk.drift(f"https://localhost:{port}", "--upstream-ca", context.server.ca, "--timeout", "2s")
            expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
            statuses = {case["service"]["status"] for case in desk.report()["cases"] if case["id"] == "unknown-device"}
            expect("status", {404}, statuses)
        finally:
            process.kill()
            process.wait()


def wait_for(port):
    for _ in range(LAST_RESORT * 10):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.1):
            return
    raise RuntimeError(f"expected a server at port {port}, saw none")


def go_case(context, desk):
    with context.report.case("upstream: Go's server that refuses everything", long=BUILDING):
        directory = os.path.join(context.directory, "go")
        os.mkdir(directory)
        with open(os.path.join(directory, "main.go"), "w", encoding="ascii") as file:
            file.write(GO)
        binary = os.path.join(directory, "server")
        built = subprocess.run(
            ["go", "build", "-o", binary, "main.go"], cwd=directory, env={**go_environment(), "GO111MODULE": "off"},
            capture_output=True, text=True, check=False,
        )
        expect(f"exit code of go build, which wrote {built.stderr!r}", 0, built.returncode)
        with program([binary, *certificate(context)]) as port:
            whole(desk, context, port)


def old_http_case(context, desk):
    with context.report.case("upstream: a server of HTTP/1.1 with TLS"):
        key, chain = certificate(context)
        code = (
            "import http.server, ssl, sys\n"
            "server = http.server.HTTPServer(('127.0.0.1', 0), http.server.BaseHTTPRequestHandler)\n"
            "context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n"
            "context.load_cert_chain(sys.argv[2], sys.argv[1])\n"
            "server.socket = context.wrap_socket(server.socket, server_side=True)\n"
            "print(server.server_address[1], flush=True)\n"
            "server.serve_forever()\n"
        )
        with program(["python3", "-c", code, key, chain]) as port:
            done = desk.drift(f"https://localhost:{port}", "--upstream-ca", context.server.ca)
            expect("stopped", "no connection to the service: alpn", desk.report()["stopped"])
            expect("lines of errors", 2, len(done.stderr.splitlines()))


def certificate_cases(context, desk):
    for how, code in (("wrong-host", "verify"), ("expired-cert", "verify"), ("no-alpn", "alpn"), ("alert:40", "tls")):
        with context.report.case(f"upstream: a handshake with {how}"):
            with other(context, desk, how.split(":")[0]) as server:
                fault = os.path.join(desk.directory, "fault.json")
                with open(fault, "w", encoding="ascii") as file:
                    json.dump({"do": {"handshake": how}}, file)
                added = desk.run("faults", "add", "--api", server.api, "--file", fault)
                expect(f"exit code of faults add, which wrote {added.stderr!r}", 0, added.returncode)
                done = desk.drift_to(server)
                expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
                expect("stopped", f"no connection to the service: {code}", desk.report()["stopped"])
                expect("lines of errors", 2, len(done.stderr.splitlines()))

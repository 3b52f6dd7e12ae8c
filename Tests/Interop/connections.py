"""How connections begin and end: TLS versions, clear text, HTTP/1.1, a server that stops."""

import json
import os
import socket
import ssl
import subprocess
import threading
import urllib.parse

from command_clients import Curl, run
from library_clients import node_command
from mock_apns import LAST_RESORT
from pushes import alert
from report import expect, expect_that


def tls_cases(context):
    for version, options in (
        ("TLSv1.2", ("--tlsv1.2", "--tls-max", "1.2")),
        ("TLSv1.3", ("--tlsv1.3",)),
    ):
        curl = Curl(context, context.tls_url, *options)
        context.check(f"curl over {version}", alert(context.token), curl, tls=version)

    # A client that is still sending must hear the answer: what is too large is read to its end first.
    for name, body, headers, status in (
        ("5 MB of body", b"x" * 5_000_000, (), 413),
        # Over 16 MiB the answer does not wait for the end, and curl must not take it for an error.
        ("20 MB of body", b"x" * 20_000_000, (), 413),
        ("60 MB of body", b"x" * 60_000_000, (), 413),
        ("8 kB of headers and a body", b"x", ("-H", "x-filler: " + "f" * 8_000), 431),
    ):
        with context.report.case(f"curl sends {name} and hears {status}"):
            curl = Curl(context, context.tls_url)
            shown = ("-o", os.devnull, "-w", "%{http_code}", "-H", "expect:", *headers)
            ended = run(curl.command(alert(context.token), *shown), body)
            expect("curl's exit code", 0, ended.returncode)
            expect("status", str(status), ended.stdout.decode())

    with context.report.case("curl over TLSv1.1 is refused"):
        # Level 0: this client's own policy must not be what refuses.
        curl = Curl(context, context.tls_url, "--tlsv1.1", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0")
        push = alert(context.token)
        ended = run(curl.command(push), push.body.encode())
        expect("curl's exit code (TLS connect error)", 35, ended.returncode)


def clear_text_cases(context):
    curl = Curl(context, context.clear_text_url, "--http2-prior-knowledge")
    context.check("curl over clear text accepted", alert(context.token), curl, tls=None)
    odd = alert(context.token).with_headers(apns_priority="7")
    context.check("curl over clear text BadPriority", odd.rejected(400, "BadPriority"), curl, tls=None)


def read_to_end(connection):
    """All that comes until the peer closes; a peer that resets has closed too."""
    received = b""
    try:
        while part := connection.recv(65_536):
            received += part
    except (ConnectionResetError, ssl.SSLError):
        pass
    return received


def http1_cases(context):
    text = b"Unexpected HTTP/1.x request: POST /3/device/"
    address = urllib.parse.urlsplit(context.tls_url)

    with context.report.case("a client of HTTP/1.1 alone: handshake, no protocol agreed, readable refusal"):
        trusting = ssl.create_default_context(cafile=context.server.ca)
        trusting.set_alpn_protocols(["http/1.1"])
        with socket.create_connection((address.hostname, address.port), timeout=LAST_RESORT) as plain:
            with trusting.wrap_socket(plain, server_hostname="localhost") as connection:
                expect("ALPN protocol", None, connection.selected_alpn_protocol())
                push = alert(context.token)
                request = f"POST {push.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}"
                connection.sendall(request.encode())
                received = read_to_end(connection)
        expect("type of the first frame (SETTINGS)", 4, received[3] if len(received) > 3 else None)
        expect_that(text in received, "the bytes received", text, received)

    with context.report.case("curl --http1.1 reports HTTP/0.9"):
        curl = Curl(context, context.tls_url, "--http1.1")
        push = alert(context.token)
        ended = run(curl.command(push), push.body.encode())
        expect("curl's exit code (unsupported protocol)", 1, ended.returncode)
        expect_that(b"HTTP/0.9" in ended.stderr, "curl's message", "HTTP/0.9", ended.stderr)


def stop_cases(context):
    """The last ones: they end the server."""
    with context.report.case("SIGTERM: an idle client sees GOAWAY Shutdown, exit code 0"):
        job = {
            "base": context.tls_url.replace("127.0.0.1", "localhost"), "ca": context.server.ca,
            "requests": [alert(context.token).as_job()], "parallel": False, "stay": True,
        }
        with subprocess.Popen(
            node_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as node:
            watchdog = threading.Timer(LAST_RESORT, node.kill)  # nothing below may wait for ever
            watchdog.start()
            try:
                node.stdin.write(json.dumps(job))
                node.stdin.close()
                node.stdin = None  # so that communicate leaves it alone
                pushed = json.loads(node.stdout.readline() or "null")
                code, _ = context.server.stop()  # whatever Node says: the next cases look at a stopped server
                out, problems = node.communicate()
            finally:
                watchdog.cancel()
                node.kill()
        expect_that(node.returncode == 0, "Node's exit code", 0, f"{node.returncode}: {problems}")
        expect("status before the stop", 200, pushed["answers"][0].get("status"))
        expect("exit code", 0, code)
        end = json.loads(out)
        expect_that(
            any((g["errorCode"], g["data"]) == (0, '{"reason":"Shutdown"}') for g in end["goaways"]),
            "GOAWAY", 'NO_ERROR with {"reason":"Shutdown"}', end["goaways"],
        )

    with context.report.case("stdout holds the ready line and nothing else"):
        expect("lines on stdout", 1, len(context.server.stdout_lines))

    with context.report.case("the ready file is gone after the stop"):
        expect("ready file", False, os.path.exists(os.path.join(context.directory, "ready.json")))

"""Name look-ups of commands run by `mock-apns intercept`, with a name server of the test.

It must not be asked for Apple's hosts, and must be asked for all others.
"""

import os
import socket
import struct
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from report import expect, expect_that, say

HOST = "other.example.test"
ADDRESS, TYPE_A, NO_SUCH_NAME = "127.0.0.1", 1, 3


class NameServer:
    """Knows one host, and lists what it was asked."""

    def __init__(self, family, address):
        self.address = address
        self.asked = []
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.bind((address, 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            packet, asker = self._socket.recvfrom(65535)
            if len(packet) <= 12:
                return
            name, end = self._name(packet)
            kind, = struct.unpack_from(">H", packet, end)
            self.asked.append(name)
            is_known, is_found = name == HOST, name == HOST and kind == TYPE_A
            record = struct.pack(">HHHIH4s", 0xC00C, TYPE_A, 1, 60, 4, socket.inet_aton(ADDRESS)) if is_found else b""
            code = 0x8180 | (0 if is_known else NO_SUCH_NAME)
            header = packet[:2] + struct.pack(">HHHHH", code, 1, int(is_found), 0, 0)
            self._socket.sendto(header + packet[12:end + 4] + record, asker)

    @staticmethod
    def _name(packet):
        labels, place = [], 12
        while packet[place]:
            labels.append(packet[place + 1:place + 1 + packet[place]].decode().lower())
            place += 1 + packet[place]
        return ".".join(labels), place + 1

    def close(self):
        """Ends the thread by a packet that is too short, and frees the port."""
        with socket.socket(self._socket.family, socket.SOCK_DGRAM) as last:
            last.sendto(b"", (self.address, 53))


class Hello(BaseHTTPRequestHandler):
    """An HTTP service at HOST."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"other")

    def log_message(self, *_):
        pass


def private_files(context, name, files):
    """Returns a prefix that runs a command with other files mounted over those of the machine."""
    binds = []
    for path, text in files.items():
        copy = os.path.join(context.directory, f"{name}-{os.path.basename(path)}")
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        binds.append(f"mount --bind '{copy}' {path}")
    return ["unshare", "--mount", "sh", "-c", f"{' && '.join(binds)} && exec \"$@\"", "sh"]


def name_server_cases(run, context, commands):
    """Runs the commands (by name), each of which pushes to APNS_HOST, with a name server on IPv4 and on IPv6."""
    allowed = subprocess.run(["unshare", "--mount", "mount", "--bind", "/etc/hosts", "/etc/hosts"],
                             capture_output=True, text=True, check=False)
    if allowed.returncode != 0:
        say(f"skip a name server of the test: {allowed.stderr.strip()}")
        return
    other = HTTPServer((ADDRESS, 0), Hello)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    url = f"http://{HOST}:{other.server_port}/"
    for name, family, address in ("IPv4", socket.AF_INET, "127.0.0.77"), ("IPv6", socket.AF_INET6, "::1"):
        try:
            server = NameServer(family, address)
        except OSError as error:
            say(f"skip a name server of the test, {name}: {error}")
            continue
        servers = f"nameserver {address}\nsearch ns.svc.cluster.test\noptions ndots:5 attempts:1\n"
        # The search list makes resolvers try more names, and nsswitch.conf names a module that may be missing.
        prefix = private_files(context, name, {
            "/etc/resolv.conf": servers, "/etc/nsswitch.conf": "hosts: files mdns4_minimal [NOTFOUND=return] dns\n",
        })
        for client, command in commands.items():
            run.push_case(f"{client}, {name} name server and search list", command, prefix=prefix)
        with context.report.case(f"intercept: the {name} name server was not asked for Apple's hosts"):
            expect("questions", [], [asked for asked in server.asked if "apple" in asked])
        with context.report.case(f"intercept: another host is looked up as before, {name}"):
            run.expect_output("other", ["curl", "--silent", "--show-error", "--noproxy", "*", url], prefix=prefix)
            expect_that(HOST in server.asked, "the name server", f"was asked for {HOST}", server.asked)
        with context.report.case(f"intercept: Node's own resolver, which compares addresses, asks as before, {name}"):
            script = f"require('node:dns').resolve4('{HOST}', (error, found) => console.log(error?.code ?? found.join()))"
            run.expect_output(ADDRESS, ["node", "-e", script], prefix=prefix)
        with context.report.case(f"intercept: a host that does not exist is not found, {name}"):
            code, _, errors = run.run(["curl", "--silent", "--show-error", f"http://not.{HOST}/"], prefix=prefix)
            expect_that(code == 6, "curl", "exit code 6: could not resolve host", (code, errors))
        server.close()
    other.shutdown()
    other.server_close()
    file_cases(run, context, commands)


def file_cases(run, context, commands):
    """Machines where nothing asks a name server for Apple's hosts: the programs see them in /etc/hosts by themselves."""
    client, command = next(iter(commands.items()))
    for number, (what, files) in enumerate({
        "hosts are only looked up in files": {"/etc/nsswitch.conf": "hosts: files\n"},
        "the hosts file names one of Apple's": {"/etc/hosts": "192.0.2.1 api.push.apple.com\n"},
        "questions go over TCP": {"/etc/resolv.conf": "nameserver 192.0.2.1\noptions use-vc\n"},
    }.items()):
        run.push_case(f"{client}, where {what}", command, prefix=private_files(context, f"files-{number}", files))
    # Nothing listens there, and nothing has to.
    nowhere = private_files(context, "nowhere", {"/etc/resolv.conf": ""})
    run.push_case(f"{client}, without a name server", command, prefix=nowhere)
    with context.report.case("intercept: without a name server, another host is an error at once"):
        code, _, errors = run.run(["curl", "--silent", "--show-error", f"http://{HOST}/"], prefix=nowhere)
        expect_that(code == 6, "curl", "exit code 6: could not resolve host", (code, errors))

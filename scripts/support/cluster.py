"""Several mock-apns servers that share one world, on loopback: PostgreSQL with a standby, the replicas, and HAProxy."""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request

from mock_apns import DIRECT, LAST_RESORT
from postgres import Pair, Postgres, own_sockets
from processes import Detached, ProcessError, account, until

HERE = os.path.dirname(os.path.abspath(__file__))
BALANCER = os.path.join(HERE, "services", "haproxy.cfg")
# The path of a Unix socket can have at most 103 bytes on macOS and 107 on Linux; PostgreSQL and HAProxy add a file name.
LONGEST_SOCKET = 90


def free_port(taken=()):
    """A free port below the ephemeral ports, so that no outgoing connection takes it while a server restarts."""
    for _ in range(1000):
        port = random.SystemRandom().randrange(20_000, 32_000)
        if port not in taken and is_free(port):
            return port
    raise ProcessError("expected a free port between 20000 and 32000")


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


@contextlib.contextmanager
def temporary_postgres(directory):
    """A server without a standby, as Debian starts it, with fsync."""
    os.chmod(directory, 0o711)  # the account that runs it has to reach its own directory
    server = Postgres(directory, own_sockets(os.path.join(directory, "sockets")), "postgres", free_port())
    server.create()
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Replica:
    """One mock-apns server."""

    def __init__(self, number, directory, pushes, api):
        self.number, self.name = number, f"apns{number}"
        self.pushes, self.api_port = pushes, api  # the ports
        self.api = f"http://127.0.0.1:{api}"
        self.process = Detached(directory, self.name)

    def ask(self, method, path, body=None, timeout=LAST_RESORT):
        """Sends one request to its API; returns the status, and the response as JSON, or as text if it is not JSON."""
        return ask(self.api, method, path, body, timeout)

    def get(self, path):
        status, answer = self.ask("GET", path)
        if status != 200:
            raise ProcessError(f"expected 200 of {self.name} for GET {path}, saw {status}: {answer}")
        return answer

    def is_ready(self):
        try:
            return self.ask("GET", "/readyz")[0] == 200
        except OSError:
            return False


def ask(api, method, path, body=None, timeout=LAST_RESORT):
    """Sends one request to an API; returns the status, and the response as JSON, or as text if it is not JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(api + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with DIRECT.open(request, timeout=timeout) as answer:
            status, text = answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            status, text = error.code, error.read().decode(errors="replace")
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


class Cluster:
    """The processes of a cluster; its directory has their data, logs, process IDs and ports."""

    def __init__(self, directory):
        self.directory = os.path.abspath(directory)
        self._state_file = os.path.join(self.directory, "cluster.json")
        self.state = None
        if os.path.exists(self._state_file):
            with open(self._state_file, encoding="utf-8") as file:
                self._use(json.load(file))

    def _use(self, state):
        self.state = state
        self.database = Pair(self.directory, state["sockets"], state["databases"])
        self.replicas = [
            Replica(number, self.directory, pushes, api) for number, (pushes, api) in enumerate(state["replicas"], 1)
        ]
        self.balancer = Detached(self.directory, "haproxy")
        self.pushes, self.api_port = state["pushes"], state["api"]
        self.api = f"http://localhost:{self.api_port}"
        self.certs, self.binary = state["certs"], state["binary"]
        self.ca = os.path.join(self.certs, "ca.pem")

    @property
    def processes(self):
        """The processes, in the order in which they are stopped."""
        return [self.balancer, *(replica.process for replica in self.replicas),
                *(server.process for server in self.database.servers)]

    def is_running(self):
        return self.state is not None and any(process.pid() for process in self.processes)

    # ---- up

    def up(self, binary, certs=None, replicas=3, pushes=0, api=0):
        """Starts everything; port 0 means a free port. A directory that was used before keeps its world."""
        if self.is_running():
            raise ProcessError(f"a cluster is running in {self.directory}: scripts/cluster down")
        state = self._plan(binary, certs, replicas, pushes, api)
        os.makedirs(self.directory, exist_ok=True)
        os.chmod(self.directory, 0o711)  # PostgreSQL may run as another user
        state["sockets"] = self._make_sockets((self.state or {}).get("sockets"))
        self._use(state)
        with open(self._state_file, "w", encoding="utf-8") as file:
            json.dump(self.state, file, indent=2)
        try:
            self._start()
        except BaseException:
            self.down()
            raise

    def _plan(self, binary, certs, replicas, pushes, api):
        known = self.state or {}
        taken = {pushes, api}

        def port(wanted=0):
            if wanted and not is_free(wanted):
                raise ProcessError(f"port {wanted} of 127.0.0.1 is in use")
            chosen = wanted or free_port(taken)
            taken.add(chosen)
            return chosen

        return {
            "binary": os.path.abspath(binary), "certs": os.path.abspath(certs or os.path.join(self.directory, "certs")),
            "pushes": port(pushes), "api": port(api),
            # A standby has the port of its primary in its configuration, so ports of databases are kept.
            "databases": known.get("databases") or [port(), port()], "replicas": [[port(), port()] for _ in range(replicas)],
        }

    def _make_sockets(self, known):
        """Creates the directory for sockets, private to PostgreSQL's user; kept, because a standby has its path configured."""
        path = known or os.path.join(self.directory, "sockets")
        if len(path) > LONGEST_SOCKET:
            path = tempfile.mkdtemp(prefix="mock-apns-", dir="/tmp")
        return own_sockets(path)

    def _start(self):
        self.database.start()
        # One after the other: the first replica creates the certificates and the tables that the others need.
        for replica in self.replicas:
            self.start_replica(replica)
        self._start_balancer()
        context = ssl.create_default_context(cafile=self.ca)
        until(lambda: self.balancer.expect_running() and self._answers(context), "answers through HAProxy")
        self.wait_until_ready()

    def start_replica(self, replica):
        """Starts a replica and waits until it is ready."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MOCK_APNS_", "PG"))}
        replica.process.start(self.command(replica), environment=inherited)
        until(lambda: replica.process.expect_running() and replica.is_ready(), f"{replica.name} to be ready")

    def command(self, replica):
        return [
            self.binary, "serve", "--data", self.database.url, "--data-timeout", "2s", "--replica-name", replica.name,
            "--apns-listen", f"127.0.0.1:{replica.pushes}", "--api-listen", f"127.0.0.1:{replica.api_port}",
            "--certs-dir", self.certs,
        ]

    def _start_balancer(self):
        path = os.path.join(self.directory, "haproxy.cfg")
        with open(BALANCER, encoding="utf-8") as template, open(path, "w", encoding="utf-8") as file:
            file.write(self.configuration(template.read()))
        program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/opt/homebrew/bin")
        if not program:
            raise ProcessError("HAProxy is not installed: run scripts/setup test")
        environment = {
            **os.environ, "BALANCER_SOCKET": self._balancer_socket, "BALANCER_PUSHES": f"127.0.0.1:{self.pushes}",
            "BALANCER_API": f"127.0.0.1:{self.api_port}",
        }
        self.balancer.start([program, "-db", "-f", path], account(), environment)

    def configuration(self, template):
        """Returns HAProxy's configuration: the lines for three containers are replaced by one for each replica."""
        def lines(match):
            return "".join(
                match[0].replace("apns1:2197", f"127.0.0.1:{replica.pushes}")
                .replace("apns1:8197", f"127.0.0.1:{replica.api_port}").replace("apns1", replica.name)
                for replica in self.replicas
            )
        template = re.sub(r"^    server apns(?!1 ).*\n", "", template, flags=re.MULTILINE)
        return re.sub(r"^    server apns1 .*\n", lines, template, flags=re.MULTILINE)

    @property
    def _balancer_socket(self):
        return os.path.join(self.state["sockets"], "haproxy")

    def _answers(self, context):
        """Returns whether pushes and API requests get through the balancer."""
        try:
            if ask(self.api, "GET", "/readyz")[0] != 200:
                return False
            with socket.create_connection(("localhost", self.pushes), timeout=LAST_RESORT) as connection:
                with context.wrap_socket(connection, server_hostname="localhost"):
                    return True
        except OSError:
            return False

    # ---- while it runs

    def wait_until_ready(self):
        """Waits until each replica is ready and the balancer uses it."""
        def are_ready():
            states = self.balancer_states()
            return all(
                replica.process.expect_running() and replica.is_ready() and states[("pushes", replica.name)].startswith("UP")
                for replica in self.replicas
            )
        until(are_ready, "all replicas to be ready", pause=0.1)

    def token(self, *options):
        """A provider token."""
        command = [self.binary, "token", "--certs-dir", self.certs, *options]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=False)
        if ended.returncode != 0:
            raise ProcessError(f"mock-apns token ended with {ended.returncode}: {ended.stderr}")
        return ended.stdout.strip()

    def cut_sessions(self):
        """Ends every connection that goes through HAProxy."""
        for replica in self.replicas:
            for backend in ("pushes", "pushes_to_alive", "api", "api_to_alive"):
                self._tell_balancer(f"shutdown sessions server {backend}/{replica.name}")

    def balancer_states(self):
        """The state of each server in HAProxy, by (backend, server)."""
        lines = self._tell_balancer("show stat").splitlines()
        names = lines[0].lstrip("# ").split(",")
        rows = [dict(zip(names, line.split(","))) for line in lines[1:] if line]
        return {(row["pxname"], row["svname"]): row["status"] for row in rows}

    def _tell_balancer(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(LAST_RESORT)
            connection.connect(self._balancer_socket)
            connection.sendall(f"{command}\n".encode())
            answer = b""
            while piece := connection.recv(65_536):
                answer += piece
        return answer.decode()

    def cut_database(self):
        """Ends all connections of mock-apns to PostgreSQL; returns their number."""
        rows = self.database.primary.sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' "
            "and usename = 'mock_apns'"
        )
        return len(rows)

    # ---- down

    def down(self):
        """Stops everything; the data is kept. Returns the names of the processes that had to be killed."""
        if self.state is None:
            return []
        killed = []
        for process in [self.balancer, *(replica.process for replica in self.replicas)]:
            process.send(signal.SIGCONT)  # a process that is stopped with SIGSTOP cannot exit
            if process.pid() and process.end():
                killed.append(process.name)
        self.database.stop()
        return killed

    def delete(self):
        """Deletes the directory; the cluster must be down."""
        if self.state is not None:
            shutil.rmtree(self.state["sockets"], ignore_errors=True)
        shutil.rmtree(self.directory, ignore_errors=True)

"""PostgreSQL with a synchronous standby, on loopback, for several replicas of mock-apns."""

import glob
import os
import shutil
import signal
import subprocess

from mock_apns import LAST_RESORT
from processes import Detached, ProcessError, account, as_user, run, started_at, until

DATABASE = USER = "mock_apns"

SETTINGS = """\
# Overwritten by scripts/cluster at each start.
port = {port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '{sockets}'
hba_file = '{hba}'
synchronous_standby_names = '{synchronous}'
max_connections = 200
shared_buffers = 64MB
max_wal_size = 1GB
# So that a standby can catch up after it was away.
wal_keep_size = 512MB
wal_retrieve_retry_interval = 200ms
log_line_prefix = '%m [%p] %q%u '
"""

# Only the user that runs PostgreSQL can access the directory of the socket. Over TCP, only the role of mock-apns can connect;
# it owns nothing but its databases.
ACCESS = f"""\
local all all trust
local replication all trust
host all {USER} 127.0.0.1/32 trust
"""


def programs():
    """Returns the directory with the programs of the newest installed PostgreSQL."""
    places = [
        *glob.glob("/usr/lib/postgresql/*/bin"), *glob.glob("/opt/homebrew/opt/postgresql@*/bin"),
        *glob.glob("/usr/local/opt/postgresql@*/bin"),
    ]
    if found := shutil.which("initdb"):
        places.append(os.path.dirname(os.path.realpath(found)))
    places = [place for place in places if os.access(os.path.join(place, "initdb"), os.X_OK)]
    if not places:
        raise ProcessError("PostgreSQL is not installed: run scripts/setup test")
    return max(places, key=lambda place: [int(part) for part in place.replace("@", "/").split("/") if part.isdigit()])


def own_sockets(path):
    """Makes a directory for sockets, which only the account that runs PostgreSQL can enter, and returns its path."""
    os.makedirs(path, 0o700, exist_ok=True)
    if user := account():
        os.chown(path, user.pw_uid, user.pw_gid)
    return path


class Postgres:
    """One server, primary or standby."""

    def __init__(self, directory, sockets, name, port):
        self.name, self.port, self.data = name, port, os.path.join(directory, name)
        self._directory, self._sockets, self._user = directory, sockets, account()
        self._programs = programs()
        self.process = Detached(directory, name)

    def _program(self, name):
        return os.path.join(self._programs, name)

    def _path(self, suffix):
        return os.path.join(self._directory, f"{self.name}.{suffix}")

    @property
    def exists(self):
        return os.path.exists(os.path.join(self.data, "PG_VERSION"))

    @property
    def is_standby(self):
        """Whether its data is that of a standby; known even if the server is not running."""
        return os.path.exists(os.path.join(self.data, "standby.signal"))

    def create(self):
        self._make_directory()
        run([
            self._program("initdb"), "--pgdata", self.data, "--username", "postgres", "--auth", "trust",
            "--encoding", "UTF8", "--no-locale", "--no-instructions", "--no-sync",
            "--data-checksums",  # pg_rewind needs them
        ], self._user)
        # pg_rewind briefly starts the server with this file, and needs the log from before the failure.
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
            file.write("wal_keep_size = 512MB\n")

    def copy(self, primary):
        """Replaces this server's data by a copy, as a standby of `primary`."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._make_directory()
        run([
            self._program("pg_basebackup"), "--pgdata", self.data, "--dbname", primary.conninfo(self.name),
            "--write-recovery-conf", "--checkpoint", "fast", "--wal-method", "stream", "--no-sync",
        ], self._user)

    def rewind(self, primary):
        """Makes this server, a failed primary, a standby of its successor. Returns False if pg_rewind fails."""
        command = [
            self._program("pg_rewind"), "--target-pgdata", self.data, "--source-server", primary.conninfo(self.name),
            "--write-recovery-conf", "--no-sync",
        ]
        ended = subprocess.run(
            command, capture_output=True, text=True, cwd="/", timeout=LAST_RESORT, check=False, **as_user(self._user)
        )
        with open(self.process.log, "a", encoding="utf-8") as log:
            log.write(ended.stdout + ended.stderr)
        return ended.returncode == 0

    def _make_directory(self):
        os.mkdir(self.data, 0o700)
        if self._user:
            os.chown(self.data, self._user.pw_uid, self._user.pw_gid)

    def conninfo(self, standby):
        return f"host={self._sockets} port={self.port} user=postgres dbname=postgres application_name={standby}"

    def start(self, synchronous=""):
        self._write_settings(synchronous)
        self.process.start([self._program("postgres"), "-D", self.data, "-c", f"config_file={self._path('conf')}"], self._user)
        until(lambda: self.process.expect_running() and self._answers(), f"{self.name} to accept connections")

    def wait_for_standby(self, waits):
        """Sets whether commits wait until a standby has them as well."""
        self._write_settings(synchronous="*" if waits else "")
        self.process.send(signal.SIGHUP)
        expected = "*" if waits else ""
        until(lambda: self.sql("show synchronous_standby_names") == [[expected]], "the new settings")
        if waits:
            until(
                lambda: self.sql("select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'"),
                f"a standby of {self.name}",
            )

    def _write_settings(self, synchronous):
        with open(self._path("hba"), "w", encoding="utf-8") as file:
            file.write(ACCESS)
        with open(self._path("conf"), "w", encoding="utf-8") as file:
            file.write(SETTINGS.format(
                port=self.port, sockets=self._sockets, hba=self._path("hba"), synchronous=synchronous
            ))
        for suffix in ("hba", "conf"):
            os.chmod(self._path(suffix), 0o644)

    def _answers(self):
        try:
            return self.sql("select 1")
        except ProcessError:
            return False

    def sql(self, text, database="postgres"):
        """The rows of a query, as texts."""
        out = run([
            self._program("psql"), "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self._sockets, "-p", str(self.port),
            "-U", "postgres", "-d", database, "-c", text,
        ], self._user)
        return [line.split("\t") for line in out.splitlines()]

    def create_database(self, name=DATABASE):
        """Creates a database unless it exists, and returns its URL for mock-apns."""
        if not self.sql(f"select 1 from pg_roles where rolname = '{USER}'"):
            self.sql(f"create role {USER} login")
        if not self.sql(f"select 1 from pg_database where datname = '{name}'"):
            self.sql(f"create database {name} owner {USER}")
        return f"postgres://{USER}@127.0.0.1:{self.port}/{name}"

    def promote(self):
        self.sql(f"select pg_promote(true, {LAST_RESORT})")

    def stop(self, number=signal.SIGINT):
        """Stops the server: SIGINT ends connections first; SIGQUIT quits at once, and the next start has to recover."""
        self.process.end(number)

    def kill(self):
        """Sends SIGKILL to the server and all its processes, as if its machine had failed."""
        children = self.signal_all(signal.SIGKILL)
        self.process.end(signal.SIGKILL)
        until(lambda: not any(started and started_at(child) == started for child, started in children.items()),
              f"the end of the processes of {self.name}")

    def signal_all(self, number):
        """Sends a signal to the server and all its processes; returns when each of the others was started, by its ID."""
        if not (pid := self.process.pid()):
            return {}
        children = self._children(pid)
        self.process.send(number)
        # A stopped server starts no more of them; a killed one has none any more.
        children.update(self._children(pid))
        for child, started in children.items():
            if started and started_at(child) == started:
                try:
                    os.kill(int(child), number)
                except ProcessLookupError:
                    continue
        return children

    @staticmethod
    def _children(pid):
        found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
        return {child: started_at(child) for child in found}


class Pair:
    """A primary and a standby, which swap roles when the primary fails."""

    def __init__(self, directory, sockets, ports):
        self.servers = [Postgres(directory, sockets, f"postgres{number}", port) for number, port in enumerate(ports, 1)]

    @property
    def url(self):
        """The URL for mock-apns, which finds the primary among the two servers."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"postgres://{USER}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    @property
    def primary(self):
        return next(server for server in self.servers if not server.is_standby)

    @property
    def standby(self):
        return next(server for server in self.servers if server.is_standby)

    def start(self):
        first, second = self.servers
        if not first.exists:
            first.create()
            first.start()
            first.create_database()
            second.copy(first)
            second.start()
        else:
            self.primary.start(synchronous="*")
            self.standby.start()
        self.primary.wait_for_standby(True)

    def stop(self):
        # Stop the primary first: it waits until its standby has everything.
        for server in sorted((server for server in self.servers if server.exists), key=lambda server: server.is_standby):
            server.stop()

    def fail_over(self):
        """Kills the primary and promotes its standby, which has no standby itself until `rebuild`. Returns both servers."""
        failed, heir = self.primary, self.standby
        failed.kill()
        heir.promote()
        return failed, heir

    def rebuild(self, failed, heir):
        """Makes a failed primary the standby of its heir; returns the name of the program that did it."""
        # Until its first checkpoint, a promoted server reports its old timeline, and pg_rewind would do nothing.
        heir.sql("checkpoint")
        way = "pg_rewind"
        if not failed.rewind(heir):
            way = "pg_basebackup"
            failed.copy(heir)
        failed.start()
        heir.wait_for_standby(True)
        return way

    def restart_primary(self, number=signal.SIGINT):
        primary = self.primary
        primary.stop(number)
        primary.start(synchronous="*")
        primary.wait_for_standby(True)

"""Runs the image: with runc alone, and in Podman with docker-compose.yml and Testcontainers. Each needs root."""

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time

from command_clients import Curl
from mock_apns import LAST_RESORT, Server
from pushes import Context, alert
from report import Mismatch, expect, expect_that
from roots import ROOT, copy, debian, run

WORK = os.path.join(ROOT, ".build", "portable")


# runc


def unpack(archive, directory):
    """The image as a bundle that runc can run; umoci reads what skopeo has converted."""
    layout = os.path.join(directory, "layout")
    run("skopeo", "--insecure-policy", "copy", "--quiet", f"docker-archive:{archive}", f"oci:{layout}:image")
    bundle = os.path.join(directory, "bundle")
    run("umoci", "unpack", "--image", f"{layout}:image", bundle)
    return bundle


class Container(Server):
    """The server in a container of runc: with a read-only root, and the volume as its only place to write."""

    def __init__(self, name, bundle, volume, user):
        super().__init__("/mock-apns", "/certs")
        self.name = name
        self.volume = volume
        path = os.path.join(bundle, "config.json")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        settings["root"]["readonly"] = True
        settings["process"]["terminal"] = False
        settings["process"]["user"] = {"uid": user, "gid": user}
        settings["process"]["args"] = ["/mock-apns", "serve", "--apns-listen", "127.0.0.1:0", "--api-listen", "127.0.0.1:0"]
        # The host's network, and no control groups, which a container within a container may not have.
        linux = settings["linux"]
        linux["namespaces"] = [each for each in linux["namespaces"] if each["type"] not in ("network", "cgroup")]
        linux.pop("resources", None)
        linux.pop("cgroupsPath", None)
        left_out = ("/sys", "/sys/fs/cgroup", "/certs")
        settings["mounts"] = [each for each in settings["mounts"] if each["destination"] not in left_out]
        settings["mounts"].append({"destination": "/certs", "type": "bind", "source": volume, "options": ["rbind", "rw"]})
        with open(path, "w", encoding="utf-8") as file:
            json.dump(settings, file)
        self._command = ["runc", "run", "--bundle", bundle, name]

    def _wait_until_ready(self, started):
        super()._wait_until_ready(started)
        self.ca = os.path.join(self.volume, os.path.basename(self.ca))

    def execute(self, *command):
        return subprocess.run(["runc", "exec", self.name, *command], capture_output=True, text=True, check=False)

    def token(self, *flags):
        ended = self.execute("/mock-apns", "token", "--certs-dir", "/certs", *flags)
        return ended.stdout.strip()


def check_image(report, archive, version):
    with tempfile.TemporaryDirectory(dir=WORK, prefix="image.") as directory:
        bundle = None
        with report.case("image: skopeo and umoci read it"):
            bundle = unpack(archive, directory)
            told = json.loads(run("skopeo", "inspect", "--config", f"docker-archive:{archive}"))
            expect("user", "65532:65532", told["config"]["User"])
            expect("version", version, told["config"]["Labels"]["org.opencontainers.image.version"])
        with report.case("image: has a health check"):
            expect("test", ["CMD", "/mock-apns", "readyz"], health_check(archive)["Test"])
        for user in (65532, 1234) if bundle else ():
            check_container(report, f"image, user {user}", bundle, directory, user)


def health_check(archive):
    import tarfile
    with tarfile.open(archive) as files:
        manifest = json.load(files.extractfile("manifest.json"))[0]
        return json.load(files.extractfile(manifest["Config"]))["config"]["Healthcheck"]


def check_container(report, name, bundle, directory, user):
    volume = os.path.join(directory, f"volume-{user}")
    os.mkdir(volume, 0o755)
    os.chown(volume, user, user)
    authorities = []
    for start in ("first start", "restart"):
        server = Container(f"mock-apns-check-{os.getpid()}", bundle, volume, user)
        with contextlib.ExitStack() as stack:
            with report.case(f"{name}, {start}: runs with a read-only root"):
                stack.enter_context(server)
                with open(server.ca, encoding="utf-8") as file:
                    authorities.append(file.read())
            if not server.is_ready:
                return
            with report.case(f"{name}, {start}: the health check says yes"):
                ended = server.execute("/mock-apns", "readyz", "--api", server.api)
                expect("exit code", 0, ended.returncode)
            context = Context(server, report, stack.enter_context(tempfile.TemporaryDirectory()))
            context.check(f"{name}, {start}: push with curl from outside", alert(context.token), Curl(context, context.tls_url))
            with report.case(f"{name}, {start}: stops with exit code 0"):
                expect("exit code", 0, server.stop()[0])
    with report.case(f"{name}: the volume keeps the certificates"):
        expect("different authorities", 1, len(set(authorities)))


# Podman


class Podman:
    """Podman with a store of its own. It works on hosts that allow no control groups and no seccomp filters, too."""

    def __init__(self, directory, venv):
        self.directory = directory
        self.venv = venv
        containers = os.path.join(directory, "containers.conf")
        with open(containers, "w", encoding="utf-8") as file:
            file.write(
                '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=1000:1000"]\nseccomp_profile = "unconfined"\n'
                '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
                '[network]\nnetwork_backend = "netavark"\n'
            )
        storage = os.path.join(directory, "storage.conf")
        with open(storage, "w", encoding="utf-8") as file:
            file.write(f'[storage]\ndriver = "overlay"\ngraphroot = "{directory}/store"\nrunroot = "{directory}/run"\n')
        self.environment = {
            **os.environ, "CONTAINERS_CONF": containers, "CONTAINERS_STORAGE_CONF": storage,
            "COMPOSE_PROJECT_NAME": "mock-apns-check", "PATH": f"{venv}:{os.environ['PATH']}",
        }

    def __call__(self, *arguments):
        return run("podman", *arguments, env=self.environment)

    def compose(self, *arguments):
        return run(os.path.join(self.venv, "podman-compose"), *arguments, env=self.environment, cwd=ROOT)

    def wait_until_healthy(self, *names):
        """Runs the health checks, which Podman leaves to systemd."""
        for name in names:
            deadline = time.monotonic() + LAST_RESORT
            while True:
                ended = subprocess.run(["podman", "healthcheck", "run", name], capture_output=True, text=True, check=False, env=self.environment)
                if ended.returncode == 0:
                    break
                if time.monotonic() > deadline:
                    log = subprocess.run(["podman", "logs", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=self.environment)
                    raise Mismatch(f"health of {name}", "healthy", f"{ended.stdout}{ended.stderr}{log.stdout[-2_000:]}")
                time.sleep(0.2)

    def import_root(self, name, suite, packages, settings):
        """An image made of Debian's packages, in place of one from a registry: umoci and skopeo make it."""
        with tempfile.TemporaryDirectory(dir=self.directory) as directory:
            layout = os.path.join(directory, "layout")
            root = os.path.join(directory, "root")
            copy(debian(suite, packages), root)
            for path, text in settings.pop("files", {}).items():
                with open(root + path, "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(root + path, 0o755)
            run("umoci", "init", "--layout", layout)
            run("umoci", "new", "--image", f"{layout}:image")
            run("umoci", "insert", "--image", f"{layout}:image", root, "/")
            run("umoci", "config", "--image", f"{layout}:image", *(each for pair in settings["umoci"] for each in pair))
            run("skopeo", "--insecure-policy", "copy", "--quiet", f"oci:{layout}:image", f"docker-archive:{directory}/image.tar:{name}")
            self("load", "--quiet", "--input", f"{directory}/image.tar")
            shutil.rmtree(root)

    def run_server(self, socket):
        """Podman's socket, which speaks Docker's interface."""
        return subprocess.Popen(["podman", "system", "service", "--time", "0", f"unix://{socket}"], env=self.environment)


POSTGRES = {
    "umoci": [
        ("--config.entrypoint", "/entrypoint"), ("--config.cmd", "postgres"), ("--config.env", "PGDATA=/var/lib/postgresql/data"),
        ("--config.env", "PATH=/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ("--config.volume", "/var/lib/postgresql/data"),
    ],
}
HAPROXY = {
    "umoci": [
        ("--config.cmd", "haproxy"), ("--config.cmd", "-W"), ("--config.cmd", "-f"), ("--config.cmd", "/usr/local/etc/haproxy/haproxy.cfg"),
        ("--config.env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"),
    ],
}
CURL = {"umoci": [("--config.cmd", "curl"), ("--config.env", "PATH=/usr/bin:/bin")]}


def check_compose(report, archive, venv):
    """docker-compose.yml as it is: the server alone, then the cluster; then Testcontainers."""
    with tempfile.TemporaryDirectory(dir=WORK, prefix="podman.") as directory:
        podman = Podman(directory, venv)
        with contextlib.ExitStack() as stack:
            stack.callback(clean, podman)
            with report.case("Podman loads the image"):
                podman("load", "--quiet", "--input", archive)
                podman.import_root("localhost/curl:latest", "bookworm", ("ca-certificates", "curl"), dict(CURL))
            check_lone_server(report, podman, directory)
            check_cluster(report, podman, directory)
            check_testcontainers(report, podman, directory)


def clean(podman):
    """Ends what is left; only containers of this store are seen."""
    subprocess.run(["podman", "rm", "--all", "--force", "--time", "5", "--volumes"], capture_output=True, check=False, env=podman.environment)
    subprocess.run(["podman", "network", "prune", "--force"], capture_output=True, check=False, env=podman.environment)
    subprocess.run(["podman", "system", "reset", "--force"], capture_output=True, check=False, env=podman.environment)


def push(token, target, *curl):
    """A push with curl, which runs on the host or in another container; each target is an environment, with a device token of its own."""
    device = hashlib.sha256(target.encode()).hexdigest()
    return run(*curl, "--silent", "--show-error", "--http2", "--header", f"authorization: bearer {token}", "--header", "apns-topic: com.example.app",
               "--data", '{"aps":{"alert":"Shipped"}}', "--output", "/dev/null", "--write-out", "%{http_code}", f"{target}/3/device/{device}")


def check_lone_server(report, podman, directory):
    name = "mock-apns-check_apns_1"
    authority = os.path.join(directory, "ca.pem")

    def token():
        return podman("exec", name, "/mock-apns", "token").strip()

    def fetch_authority():
        return run("curl", "--silent", "--fail", "http://127.0.0.1:8197/api/v1/ca.pem", "--output", authority) or open(authority, encoding="utf-8").read()

    with report.case("compose: up, and the health check says yes"):
        podman.compose("up", "--detach", "--no-build")
        podman.wait_until_healthy(name)
        fetch_authority()
    with report.case("compose: first push from the host"):
        expect("status", "200", push(token(), "https://localhost:2197", "curl", "--noproxy", "*", "--cacert", authority))
    with report.case("compose: push from another container to Apple's host name"):
        curl = ("podman", "run", "--rm", "--network", "mock-apns-check_default", "--volume", "mock-apns-check_certs:/certs:ro", "localhost/curl",
                "curl", "--cacert", "/certs/ca.pem")
        os.environ.update({each: podman.environment[each] for each in ("CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF")})
        expect("status", "200", push(token(), "https://api.push.apple.com", *curl))
    with report.case("compose: both pushes are in the journal"):
        told = json.loads(run("curl", "--silent", "http://127.0.0.1:8197/api/v1/pushes"))
        expect("environments", ["production", "sandbox"], sorted(each["environment"] for each in told["pushes"]))
    with report.case("compose: a restart keeps the certificates in the volume"):
        before = fetch_authority()
        podman.compose("down")
        podman.compose("up", "--detach", "--no-build")
        podman.wait_until_healthy(name)
        expect("authority", before, fetch_authority())
        podman.compose("down", "--volumes")


def check_cluster(report, podman, directory):
    with report.case("compose, cluster: images of PostgreSQL and HAProxy from Debian's packages"):
        with open(os.path.join(ROOT, "packaging", "first-uses", "postgres-entrypoint"), encoding="utf-8") as file:
            entrypoint = file.read()
        podman.import_root("docker.io/library/postgres:15", "bookworm", ("postgresql-15",), {**POSTGRES, "files": {"/entrypoint": entrypoint}})
        podman.import_root("docker.io/library/haproxy:2.8", "bookworm", ("haproxy",), dict(HAPROXY))
    with report.case("compose, cluster: three servers, two databases and a balancer are up"):
        # In order, because the dependencies wait for health checks, which this Podman runs only by hand.
        for services in (["postgres1"], ["postgres2"], ["apns1"], ["apns2", "apns3"], ["balancer"]):
            podman.compose("--profile", "cluster", "up", "--detach", "--no-build", "--no-deps", *services)
            podman.wait_until_healthy(*(f"mock-apns-check_{each}_1" for each in services if each != "balancer"))
    with report.case("compose, cluster: a push over the balancer is read from every server"):
        authority = os.path.join(directory, "cluster-ca.pem")
        run("curl", "--silent", "--fail", "--retry", "30", "--retry-delay", "1", "--retry-all-errors", "http://127.0.0.1:8297/api/v1/ca.pem",
            "--output", authority)
        token = podman("exec", "mock-apns-check_apns1_1", "/mock-apns", "token").strip()
        expect("status", "200", push(token, "https://localhost:2297", "curl", "--noproxy", "*", "--cacert", authority))
        for number in (1, 2, 3):
            told = json.loads(podman("exec", f"mock-apns-check_apns{number}_1", "/mock-apns", "pushes", "list", "--json"))
            expect(f"pushes of apns{number}", 1, len(told["pushes"]))
        podman.compose("--profile", "cluster", "down", "--volumes")


def check_testcontainers(report, podman, directory):
    socket = os.path.join(directory, "podman.sock")
    service = podman.run_server(socket)
    try:
        with report.case("Testcontainers for Python starts the image over Podman's socket"):
            while not os.path.exists(socket):
                expect("Podman's exit code", None, service.poll())
                time.sleep(0.1)
            environment = {
                **podman.environment, "DOCKER_HOST": f"unix://{socket}", "TESTCONTAINERS_RYUK_DISABLED": "true",
                "MOCK_APNS_IMAGE": "localhost/mock-apns:latest", "PYTHONPATH": os.path.join(ROOT, "kits", "python"),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            told = run(os.path.join(podman.venv, "python"), "-m", "pytest", "-p", "no:cacheprovider", "-p", "mock_apns.pytest_plugin",
                       os.path.join(ROOT, "packaging", "first-uses", "test_container.py"), env=environment)
            expect_that("2 passed" in told, "pytest", "2 passed", told)
    finally:
        service.terminate()
        service.wait()

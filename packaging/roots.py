"""Bare Debian systems to install in, made once with debootstrap and then copied."""

import contextlib
import os
import shutil
import subprocess
import sys

from mock_apns import Server
from report import Mismatch

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOTS = os.path.join(ROOT, ".build", "roots")
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
# Who runs the server in them: nobody special.
USER = 65532


def run(*command, **options):
    """Runs a program, and returns what it printed."""
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        check=False, **options,
    )
    if ended.returncode != 0:
        raise Mismatch(f"exit code of {' '.join(command)[:300]}", 0, f"{ended.returncode}: {ended.stdout.strip()[-3_000:]}")
    return ended.stdout


def note(text):
    print(f"check-dist: {text}", file=sys.stderr, flush=True)


def debian(suite, packages=()):
    """A minimal Debian, with these packages of it."""
    name = "-".join([suite, *packages]).replace("/", "_")
    path = os.path.join(ROOTS, name)
    if os.path.isdir(path):
        return path
    unfinished = f"{path}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(ROOTS, exist_ok=True)
    note(f"makes a root of {SUITES[suite]} with {' '.join(packages) or 'nothing else'}")
    if packages:
        copy(debian(suite), unfinished)
        shutil.copyfile("/etc/resolv.conf", os.path.join(unfinished, "etc/resolv.conf"))
        # Of this system's variables only these mean something in there: a TMPDIR does not exist.
        variables = {name: os.environ[name] for name in ("http_proxy", "https_proxy", "no_proxy") if name in os.environ}
        with mounted(unfinished):
            inside(unfinished, "apt-get", "update", "-qq", **variables)
            inside(unfinished, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages, DEBIAN_FRONTEND="noninteractive", **variables)
    else:
        run("debootstrap", "--variant=minbase", suite, unfinished, MIRROR)
    os.rename(unfinished, path)
    return path


def copy(source, target):
    run("cp", "--archive", "--reflink=auto", source, target)


@contextlib.contextmanager
def mounted(root):
    """With /proc: a Swift program reads its arguments from there."""
    place = os.path.join(root, "proc")
    os.makedirs(place, exist_ok=True)
    run("mount", "-t", "proc", "proc", place)
    try:
        yield
    finally:
        run("umount", place)


@contextlib.contextmanager
def fresh(directory, suite, *packages):
    """A copy of such a root, until the end of the block."""
    root = os.path.join(directory, "root")
    copy(debian(suite, packages), root)
    os.chmod(directory, 0o755)
    os.mkdir(os.path.join(root, "certs"))
    os.chown(os.path.join(root, "certs"), USER, USER)
    try:
        with mounted(root):
            yield root
    finally:
        shutil.rmtree(root)


def inside(root, *command, **variables):
    """Runs a program in a root, as its administrator."""
    return run("chroot", root, "/usr/bin/env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
               "LANG=C.UTF-8", *(f"{name}={value}" for name, value in variables.items()), *command)


class Chroot(Server):
    """The server in a root; paths are given as seen from outside."""

    def __init__(self, root, program, *flags):
        super().__init__(program, "/certs", *flags, prefix=("chroot", f"--userspec={USER}:{USER}", root))
        self.root = root

    def _wait_until_ready(self, started):
        super()._wait_until_ready(started)
        self.ca = self.root + self.ca

"""The files that scripts/dist makes: a function for each, from the same program, manual, completions and licences."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass

from archives import Entry, entries_of, gzipped, read, replaced, tar, zipped

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEBIAN = os.path.join(ROOT, "packaging", "deb")
SUMMARY = "A mock APNs server: real HTTP/2 and TLS, Apple's answers, every push readable"
# The user of the image, who makes the certificates.
USER = 65532


@dataclass
class Machine:
    """A kind of processor, as each ecosystem calls it."""

    name: str  # as Linux does: tar.gz, wheel, jar
    debian: str
    node: str
    oci: str


MACHINES = {
    "x86_64": Machine("x86_64", "amd64", "x64", "amd64"),
    "aarch64": Machine("aarch64", "arm64", "arm64", "arm64"),
}


@dataclass
class Release:
    """What every file is made from."""

    version: str
    commit: str
    epoch: int
    machine: Machine
    installed: str  # a directory with bin and share, as scripts/install leaves it
    licences: dict  # the texts of what the program contains, by file name
    directory: str

    @property
    def program(self):
        return read(os.path.join(self.installed, "bin", "mock-apns"))

    @property
    def own_licence(self):
        return read(os.path.join(ROOT, "LICENSE"))

    @property
    def platform(self):
        """Part of the names of files that do not say for which machine they are: nothing for the usual one."""
        return "" if self.machine.name == "x86_64" else f"-linux-{self.machine.name}"

    def licence_entries(self, prefix):
        return [Entry(prefix + name, text.encode()) for name, text in self.licences.items()]

    def write(self, name, data):
        with replaced(os.path.join(self.directory, name)) as path, open(path, "wb") as file:
            file.write(data)
        return name


def tarball(release):
    name = f"mock-apns-{release.version}-linux-{release.machine.name}"
    entries = entries_of(release.installed, f"{name}/")
    entries += [Entry(f"{name}", None, 0o755), Entry(f"{name}/LICENSE", release.own_licence)]
    entries += [Entry(f"{name}/licenses", None, 0o755), *release.licence_entries(f"{name}/licenses/")]
    return release.write(f"{name}.tar.gz", gzipped(tar(entries, release.epoch)))


def debian(release):
    """The same in Debian's places. It starts no service: a mock runs when a test or a person wants it."""
    name = f"mock-apns_{release.version}_{release.machine.debian}.deb"
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        usr = os.path.join(directory, "usr")
        shutil.copytree(release.installed, usr)
        for page in sorted(os.listdir(os.path.join(usr, "share/man/man1"))):
            page = os.path.join(usr, "share/man/man1", page)
            with open(f"{page}.gz", "wb") as file:
                file.write(gzipped(read(page)))
            os.remove(page)
        os.makedirs(os.path.join(usr, "share/zsh/vendor-completions"))
        os.rename(os.path.join(usr, "share/zsh/site-functions/_mock-apns"), os.path.join(usr, "share/zsh/vendor-completions/_mock-apns"))
        os.rmdir(os.path.join(usr, "share/zsh/site-functions"))

        def add(path, data):
            path = os.path.join(directory, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)

        add("usr/share/doc/mock-apns/copyright", debian_copyright(release))
        add("usr/share/doc/mock-apns/changelog.gz", gzipped(debian_changelog(release)))
        add("usr/share/lintian/overrides/mock-apns", read(os.path.join(DEBIAN, "lintian-overrides")))
        size = sum(os.path.getsize(os.path.join(folder, each)) for folder, _, names in os.walk(usr) for each in names)
        control = read(os.path.join(DEBIAN, "control")).decode()
        values = {"VERSION": release.version, "ARCHITECTURE": release.machine.debian, "SIZE": str(size // 1024 + 1)}
        add("DEBIAN/control", re.sub(r"@(\w+)@", lambda match: values[match[1]], control).encode())
        add("DEBIAN/md5sums", debian_sums(directory))
        settle(directory, release.epoch)
        with replaced(os.path.join(release.directory, name)) as path:
            subprocess.run(
                ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", directory, path], check=True,
                stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(release.epoch)},
            )
    return name


def debian_copyright(release):
    parts = ["mock-apns is licensed under Apache-2.0; see /usr/share/common-licenses/Apache-2.0.\nCopyright: its authors.\n"]
    for name, text in sorted(release.licences.items()):
        parts.append(f"{'=' * 78}\nIt contains {name.removesuffix('.txt')}:\n\n{text}")
    return "\n".join(parts).encode()


def debian_changelog(release):
    date = subprocess.run(
        ["date", "--utc", "--rfc-email", f"--date=@{release.epoch}"], capture_output=True, text=True, check=True,
    ).stdout.strip()
    maintainer = re.search(r"^Maintainer: (.*)$", read(os.path.join(DEBIAN, "control")).decode(), re.MULTILINE)[1]
    return (
        f"mock-apns ({release.version}) unstable; urgency=medium\n\n  * CHANGELOG.md of the sources says what is new.\n\n"
        f" -- {maintainer}  {date}\n"
    ).encode()


def debian_sums(directory):
    lines = []
    for folder, _, names in os.walk(os.path.join(directory, "usr")):
        for name in names:
            path = os.path.join(folder, name)
            lines.append(f"{hashlib.md5(read(path), usedforsecurity=False).hexdigest()}  {os.path.relpath(path, directory)}\n")
    return "".join(sorted(lines, key=lambda line: line.split("  ", 1)[1])).encode()


def settle(directory, epoch):
    """Usual modes, and one date."""
    for folder, folders, names in os.walk(directory):
        for name in folders:
            os.chmod(os.path.join(folder, name), 0o755)
        for name in names:
            path = os.path.join(folder, name)
            os.chmod(path, 0o755 if os.path.basename(folder) == "bin" else 0o644)
            os.utime(path, (epoch, epoch))
        os.utime(folder, (epoch, epoch))


def wheel(release):
    """PEP 427. The program is in the scripts, so that it is in the PATH of the environment; the kit is kits/python."""
    kit = os.path.join(ROOT, "kits", "python")
    project = {"name": "mock-apns"}
    if os.path.isfile(os.path.join(kit, "pyproject.toml")):
        project = tomllib.loads(read(os.path.join(kit, "pyproject.toml")).decode())["project"]
    tag = f"py3-none-manylinux_2_34_{release.machine.name}"
    base = f"mock_apns-{release.version}"
    info = f"{base}.dist-info/"
    package = os.path.join(kit, "mock_apns")
    entries = entries_of(package, "mock_apns/") if os.path.isdir(package) else []
    entries = [each for each in entries if each.data is not None and "__pycache__" not in each.name]
    entries.append(Entry(f"{base}.data/scripts/mock-apns", release.program, 0o755))
    metadata = {
        "Metadata-Version": "2.1", "Name": "mock-apns", "Version": release.version,
        "Summary": project.get("description", SUMMARY), "License": "Apache-2.0",
        "Requires-Python": project.get("requires-python", ">=3.9"),
    }
    lines = [f"{key}: {value}" for key, value in metadata.items()]
    lines += [f"Classifier: {each}" for each in project.get("classifiers", [])]
    lines += [f"Requires-Dist: {each}" for each in project.get("dependencies", [])]
    text = ""
    if isinstance(project.get("readme"), str):
        text = read(os.path.join(kit, project["readme"])).decode()
        lines.append("Description-Content-Type: text/markdown")
    entries.append(Entry(f"{info}METADATA", ("\n".join(lines) + "\n\n" + text).encode()))
    entries.append(Entry(f"{info}WHEEL", f"Wheel-Version: 1.0\nGenerator: mock-apns\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()))
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in values.items()) + "\n"
        for group, values in project.get("entry-points", {}).items()
    )
    if points:
        entries.append(Entry(f"{info}entry_points.txt", points.encode()))
    entries += [Entry(f"{info}licenses/LICENSE", release.own_licence), *release.licence_entries(f"{info}licenses/")]
    records = [f"{each.name},sha256={digest(each.data)},{len(each.data)}\n" for each in sorted(entries, key=lambda each: each.name)]
    entries.append(Entry(f"{info}RECORD", "".join([*records, f"{info}RECORD,,\n"]).encode()))
    return release.write(f"{base}-{tag}.whl", zipped(entries, release.epoch))


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def npm(release):
    """As `npm pack` makes it. npm refuses to install it on another kind of machine."""
    kit = os.path.join(ROOT, "kits", "node")
    manifest = {"name": "mock-apns", "description": SUMMARY, "license": "Apache-2.0"}
    files = []
    if os.path.isfile(os.path.join(kit, "package.json")):
        manifest = json.loads(read(os.path.join(kit, "package.json")))
        files = [each for each in manifest.get("files", []) if each != "bin/mock-apns"]
        files += [each for each in ("README.md",) if os.path.isfile(os.path.join(kit, each))]
    manifest.update({"version": release.version, "os": ["linux"], "cpu": [release.machine.node]})
    manifest.setdefault("bin", {"mock-apns": "bin/mock-apns"})
    manifest.pop("private", None)
    manifest.pop("scripts", None)
    entries = [
        Entry("package/package.json", json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"),
        Entry("package/bin/mock-apns", release.program, 0o755),
        Entry("package/LICENSE", release.own_licence),
        *release.licence_entries("package/licenses/"),
    ]
    for each in sorted(set(files)):
        path = os.path.join(kit, each)
        if os.path.isdir(path):
            entries += [entry for entry in entries_of(path, f"package/{each.rstrip('/')}/") if entry.data is not None]
        elif os.path.isfile(path):
            entries.append(Entry(f"package/{each}", read(path)))
    return release.write(f"mock-apns-{release.version}{release.platform}.tgz", gzipped(tar(entries, release.epoch)))


def jar(release):
    manifest = (
        "Manifest-Version: 1.0\r\nAutomatic-Module-Name: dev.mockapns\r\nImplementation-Title: mock-apns\r\n"
        f"Implementation-Version: {release.version}\r\n\r\n"
    )
    entries = [
        Entry("META-INF/MANIFEST.MF", manifest.encode()), Entry("META-INF/LICENSE", release.own_licence),
        Entry(f"mock-apns/linux-{release.machine.name}/mock-apns", release.program, 0o755),
        *release.licence_entries("META-INF/licenses/"),
    ]
    with tempfile.TemporaryDirectory() as directory:
        kit = os.path.join(directory, "kit.jar")
        subprocess.run([os.path.join(ROOT, "kits", "java", "build"), kit], check=True)
        with zipfile.ZipFile(kit) as built:
            names = [name for name in built.namelist() if not name.endswith("/") and name != "META-INF/MANIFEST.MF"]
            entries += [Entry(name, built.read(name)) for name in names]
    data = zipped(entries, release.epoch, first=("META-INF/MANIFEST.MF",))
    return release.write(f"mock-apns-{release.version}{release.platform}.jar", data)


def image_files(release, directory):
    """The files of the image: the program, and the shared libraries that it and libpq need. `directory` is made."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    program = os.path.join(directory, "mock-apns")
    shutil.copyfile(os.path.join(release.installed, "bin", "mock-apns"), program)
    os.chmod(program, 0o755)
    # What no program names: libpq is loaded when a database is used, and glibc loads libgcc_s to end a thread.
    loaded = [library_named(name) for name in ("libpq.so.5", "libgcc_s.so.1")]
    libraries = {*loaded, *(library for each in (program, *loaded) for library in libraries_of(each))}
    for library in sorted(libraries):
        target = directory + library
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(library, target)
        os.chmod(target, 0o755)
    with open(os.path.join(directory, "LICENSE"), "wb") as file:
        file.write(release.own_licence)
    # Readable for other containers that mount it. The keys in it have mode 0600.
    os.mkdir(os.path.join(directory, "certs"), 0o755)
    os.chmod(os.path.join(directory, "certs"), 0o755)


def library_named(name):
    for line in output("/sbin/ldconfig", "-p").splitlines():
        if line.split()[:1] == [name]:
            return line.split()[-1]
    raise FileNotFoundError(f"no {name}: run scripts/setup dist")


def libraries_of(path):
    """The loader and each library that it finds."""
    return re.findall(r"(/\S+)", re.sub(r"^\S+ =>", "", output("ldd", path), flags=re.MULTILINE))


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def add_licences(directory, licences):
    os.mkdir(os.path.join(directory, "licenses"))
    for name, text in licences.items():
        with open(os.path.join(directory, "licenses", name), "w", encoding="utf-8") as file:
            file.write(text)


def dockerfile():
    """The settings in the last stage of the Dockerfile, which this image shares: one line for each instruction."""
    text = read(os.path.join(ROOT, "Dockerfile")).decode().replace("\\\n", " ").rsplit("\nFROM ", 1)[1]
    return [line.split(None, 1) for line in text.splitlines()[1:] if re.match(r"[A-Z]+ ", line)]


def image_settings(release):
    """The configuration of the image, read from the Dockerfile."""
    settings = {"Env": ["PATH=/"], "ExposedPorts": {}, "Volumes": {}, "Labels": {}, "WorkingDir": "/"}
    arguments = {"VERSION": release.version, "REVISION": release.commit}
    unquoted = re.compile(r'([\w.]+)=("([^"]*)"|\S+)')

    def pairs(text):
        for match in unquoted.finditer(text):
            value = match[3] if match[3] is not None else match[2]
            yield match[1], re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], value)

    for word, text in dockerfile():
        if word == "LABEL":
            settings["Labels"].update(pairs(text))
        elif word == "ENV":
            settings["Env"] += [f"{name}={value}" for name, value in pairs(text)]
        elif word == "EXPOSE":
            settings["ExposedPorts"].update({f"{port}/tcp": {} for port in text.split()})
        elif word == "VOLUME":
            settings["Volumes"][text.strip()] = {}
        elif word in ("USER", "STOPSIGNAL"):
            settings[{"USER": "User", "STOPSIGNAL": "StopSignal"}[word]] = text.strip()
        elif word in ("ENTRYPOINT", "CMD"):
            settings[word.capitalize()] = json.loads(text)
        elif word == "HEALTHCHECK":
            times = {name: nanoseconds(value) for name, value in re.findall(r"--([a-z-]+)=(\S+)", text)}
            settings["Healthcheck"] = {
                "Test": ["CMD", *json.loads(text[text.index("["):])], "Interval": times["interval"], "Timeout": times["timeout"],
                "StartPeriod": times["start-period"], "StartInterval": times["start-interval"],
            }
    return settings


def nanoseconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s)", text).groups()
    return int(number) * {"ms": 1_000_000, "s": 1_000_000_000}[unit]


def image(release, directory):
    """An archive for `docker load`, made without an engine: a layer, its configuration, and a list of the two."""
    entries = entries_of(directory)
    for entry in entries:
        if entry.name == "certs":
            entry.owner = USER
    layer = tar(entries, release.epoch)
    layer_sum = hashlib.sha256(layer).hexdigest()
    created = output("date", "--utc", "--iso-8601=seconds", f"--date=@{release.epoch}").strip().replace("+00:00", "Z")
    configuration = json.dumps({
        "architecture": release.machine.oci, "os": "linux", "created": created, "config": image_settings(release),
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer_sum}"]},
        "history": [{"created": created, "created_by": "mock-apns scripts/dist"}],
    }, sort_keys=True).encode()
    name = f"{hashlib.sha256(configuration).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": [f"mock-apns:{release.version}", "mock-apns:latest"], "Layers": [f"{layer_sum}.tar"]}]
    files = [
        Entry("manifest.json", json.dumps(manifest).encode()), Entry(name, configuration), Entry(f"{layer_sum}.tar", layer),
    ]
    return release.write(f"mock-apns-{release.version}{release.platform}-image.tar", tar(files, release.epoch))


def sums(directory, names):
    lines = [f"{hashlib.sha256(read(os.path.join(directory, name))).hexdigest()}  {name}\n" for name in sorted(names)]
    with replaced(os.path.join(directory, "SHA256SUMS")) as path, open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)

"""What is in the files: the rows of the bill of materials, and the licences that go along."""

import glob
import hashlib
import json
import os
import re
import subprocess
import time
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECKOUTS = os.path.join(ROOT, ".build", "portable", "swift", "checkouts")


@dataclass
class Component:
    """Something of others that is copied into a file."""

    name: str
    version: str
    licence: str  # an SPDX expression
    texts: list  # the files with its licence and notices
    purl: str
    where: str  # "program", or "image" for the shared libraries that only the image has

    def licence_text(self):
        parts = []
        for path in self.texts:
            with open(path, encoding="utf-8", errors="replace") as file:
                parts.append(file.read())
        return "\n".join(parts)


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def debian_version(package):
    return output("dpkg-query", "--show", "--showformat=${Version}", package)


def debian_copyright(package):
    return f"/usr/share/doc/{package.split(':')[0]}/copyright"


def swift_package(name, licence, notices=("LICENSE.txt",)):
    """A package that SwiftPM has checked out; its version is the tag, as SwiftPM noted it."""
    with open(os.path.join(os.path.dirname(CHECKOUTS), "workspace-state.json"), encoding="utf-8") as file:
        dependencies = json.load(file)["object"]["dependencies"]
    state = next(each for each in dependencies if each["packageRef"]["identity"] == name)
    version = state["state"]["checkoutState"]["version"]
    texts = [os.path.join(CHECKOUTS, name, notice) for notice in notices]
    return Component(name, version, licence, texts, f"pkg:github/apple/{name}@{version}", "program")


def static_library(name, package, module, licence):
    """A library of Debian of which the archive is linked."""
    version = output("pkg-config", "--modversion", module)
    purl = f"pkg:deb/debian/{package}@{debian_version(package)}"
    return Component(name, version, licence, [debian_copyright(package)], purl, "program")


def swift_runtime():
    toolchain = os.path.dirname(os.path.dirname(os.path.realpath(output("which", "swift"))))
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    text = os.path.join(toolchain, "share", "swift", "LICENSE.txt")
    return Component("swift", version, "Apache-2.0 WITH Swift-exception", [text], f"pkg:github/swiftlang/swift@{version}", "program")


def gcc_runtime():
    archive = os.path.realpath(output("gcc", "-print-file-name=libstdc++.a"))
    package = output("dpkg-query", "--search", archive).rsplit(": ", 1)[0].split(":")[0]
    release = output("gcc", "-dumpversion").split(".")[0]
    return Component(
        "libstdc++ and libgcc", debian_version(package), "GPL-3.0-or-later WITH GCC-exception-3.1",
        [debian_copyright(f"gcc-{release}-base")], f"pkg:deb/debian/{package}@{debian_version(package)}", "program",
    )


def of_program():
    """What is linked into the program."""
    return [
        swift_runtime(),
        swift_package("swift-nio", "Apache-2.0", ("LICENSE.txt", "NOTICE.txt")),
        swift_package("swift-collections", "Apache-2.0 WITH Swift-exception"),
        swift_package("swift-argument-parser", "Apache-2.0 WITH Swift-exception"),
        swift_package("swift-atomics", "Apache-2.0 WITH Swift-exception"),
        swift_package("swift-system", "Apache-2.0 WITH Swift-exception"),
        static_library("OpenSSL", "libssl-dev", "libssl", "Apache-2.0"),
        static_library("nghttp2", "libnghttp2-dev", "libnghttp2", "MIT"),
        static_library("SQLite", "libsqlite3-dev", "sqlite3", "blessing"),
        gcc_runtime(),
    ]


def of_image(directory):
    """The packages whose shared libraries scripts/dist has copied to an image's files; their licences are Debian's texts."""
    found = {}
    for path in sorted(glob.glob(os.path.join(directory, "**", "*.so*"), recursive=True)):
        library = "/" + os.path.relpath(path, directory)
        package = owner_of(library)
        found[package] = Component(
            package, debian_version(package), "NOASSERTION", [debian_copyright(package)],
            f"pkg:deb/debian/{package.split(':')[0]}@{debian_version(package)}", "image",
        )
    return [found[package] for package in sorted(found)]


def owner_of(library):
    """The package of a file, which dpkg may know by a path with or without /usr, or by that of what it links to."""
    paths = [library, os.path.realpath(library)]
    for path in paths + [path.removeprefix("/usr") for path in paths]:
        ended = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True, check=False)
        if ended.returncode == 0:
            return ended.stdout.split(": ")[0].split(",")[0]
    raise RuntimeError(f"expected a package that has {library}, saw none: dpkg-query --search {library}")


def licences(components):
    """A file for each of them, by name."""
    return {re.sub(r"[^a-z0-9.]+", "-", each.name.lower()).strip("-") + ".txt": each.licence_text() for each in components}


def bill_of_materials(version, commit, epoch, components, files):
    """SPDX 2.3 as JSON. `files` has the bytes of each file by name."""
    def package(identifier, name, number, licence, purl=None):
        row = {
            "SPDXID": identifier, "name": name, "versionInfo": number, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
        }
        if purl:
            row["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
            ]
        return row

    def relation(of, kind, to):
        return {"spdxElementId": of, "relationshipType": kind, "relatedSpdxElement": to}

    own = "SPDXRef-mock-apns"
    packages = [package(own, "mock-apns", version, "Apache-2.0", f"pkg:generic/mock-apns@{version}")]
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", own)]
    for component in components:
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", component.name).strip("-")
        packages.append(package(identifier, component.name, component.version, component.licence, component.purl))
        kind = "STATIC_LINK" if component.where == "program" else "DYNAMIC_LINK"
        relations.append(relation(own, kind, identifier))
    described = []
    for number, (name, data) in enumerate(sorted(files.items())):
        identifier = f"SPDXRef-File-{number}"
        sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, data).hexdigest()} for kind in ("sha1", "sha256")]
        described.append({
            "SPDXID": identifier, "fileName": f"./{name}", "checksums": sums, "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION",
        })
        relations.append(relation(own, "GENERATES", identifier))
    digest = hashlib.sha256(json.dumps([packages, described], sort_keys=True).encode()).hexdigest()
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"mock-apns-{version}",
        "comment": f"Built from commit {commit}.",
        "documentNamespace": f"https://mock-apns.invalid/spdx/{version}/{digest}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)), "creators": ["Tool: mock-apns scripts/dist"],
        },
        "packages": packages, "files": described, "relationships": relations,
    }, indent=1, sort_keys=True).encode() + b"\n"

"""What the documents for engineers say about the code, for scripts/check-house."""

import fnmatch
import os
import re

DECLARED = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|extension|func)\s+`?(\w+)")
PATH = re.compile(r"/|\.(?:dict|html|js|json|md|py|swift|yml)$")

# Words of recipes that are no names of this repository.
FOREIGN = {".build/dist", "/etc/nsswitch.conf", "/ui/…", "ignoreRevsFile", "revs", "timeLimit"}


class Documents:
    """The map and the table of docs/architecture.md, the recipes of CONTRIBUTING.md, and the figures of attacks."""

    def __init__(self, root, files, complain):
        self.root = root
        self.files = [os.path.relpath(path, root) for path in files]
        self.complain = complain
        self.map = self.read_map()

    def text(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            return file.read()

    def read_map(self):
        """The text about each target, without what is in parentheses, and the number of its first line."""
        document = self.text("docs/architecture.md")
        start = document.index("```\n", document.index("## Source folders")) + 4
        found = {}
        for part in re.finditer(r"^Sources/([\w-]+)/(.*(?:\n(?: .*)?)*)", document[start:document.index("```", start)], re.M):
            text = part[2]
            while (bare := re.sub(r"\([^()]*\)", "", text)) != text:
                text = bare
            text = re.sub(r"\{([^}]*)\}(\w+)", lambda m: " ".join(each + m[2] for each in m[1].split(",")), text)
            found[part[1]] = (text, document.count("\n", 0, start + part.start()) + 1)
        return found

    def order(self, target):
        """The folders of a target from the lowest to the highest, if the map has them in an order."""
        text, _ = self.map.get(target, ("", 0))
        folders = list(dict.fromkeys(re.findall(r"(?<!\S)(\w+)/", text)))
        if "bottom up" in text:
            return folders
        return folders[::-1] if "only folders below" in text else []

    def check(self, ranks):
        self.check_table(ranks)
        for target in sorted(ranks):
            if target in self.map:
                self.check_target(target)
            else:
                self.complain("docs/architecture.md", 1, f"the source folders lack {target}", "describe it there")
        self.check_recipes()
        figures = self.text("docs/benchmarks.md")
        for script in [path.rsplit("/", 1)[1] for path in self.files if re.fullmatch(r"scripts/attacks/[\w-]+", path)]:
            if f"`{script}" not in figures and f"attacks/{script}`" not in figures:
                rule = f"scripts/attacks/{script} has no figure"
                self.complain("docs/benchmarks.md", 1, rule, "measure it, or move its cases to Tests/Interop")

    def check_table(self, ranks):
        """The rows of the table are the targets, and import what Package.swift lets them import."""
        package = self.text("Package.swift")
        rows = re.findall(r"^\| `([\w-]+)` \|([\w, ]*)\|", self.text("docs/architecture.md"), re.M)
        for target in sorted(set(ranks) ^ {row[0] for row in rows}):
            self.complain("docs/architecture.md", 1, f"{target} is in the table or in RANKS alone", "add or remove it")
        for target, imports in rows:
            known = re.search(rf'arget\(\s*name: "{target}",\s*(?:dependencies: \[(.*?)\]|swiftSettings)', package, re.S)
            for name in filter(None, imports.strip().split(", ")):
                if not known or f'"{name if name == "MockAPNs" else "MockAPNs" + name}"' not in (known[1] or ""):
                    rule = f"the table lets {target} import {name}, and Package.swift does not"
                    self.complain("docs/architecture.md", 1, rule, "mend one of them")

    def check_target(self, target):
        """The folders and the names in the map are those of the target."""
        text, line = self.map[target]
        own = [path for path in self.files if path.startswith(f"Sources/{target}/") and path.endswith(".swift")]
        folders = {part for path in own for part in os.path.dirname(path).split("/")[2:]}
        named = set(re.findall(r"(?<!\S)(\w+)/", text))
        for folder in sorted({path.split("/")[2] for path in own if path.count("/") > 2} - named | named - folders):
            rule = f"the folder {folder} of {target} is in the map or in the sources alone"
            self.complain("docs/architecture.md", line, rule, "mend the map")
        known = {os.path.basename(path)[:-len(".swift")] for path in own}
        for path in own:
            known |= set(DECLARED.findall(self.text(path)))
        for word in text.split():
            word = word.strip(",;:.")
            if re.fullmatch(r"[A-Z]\w*[a-z]\w*(?:\+\w+)?", word) and word not in known:
                self.complain("docs/architecture.md", line, f"{target} has no {word}", "mend the map")

    def check_recipes(self):
        """Every file and every name in a recipe exists somewhere in the code."""
        code = [path for path in self.files if not path.endswith(".md")]
        words = {word for path in code for word in re.findall(r"\w+", self.text(path))}
        commands = set(re.findall(r"^([\w-]+):", self.text("Makefile"), re.M))
        text = self.text("CONTRIBUTING.md")
        for span in re.finditer(r"`([^`]+)`", text):
            line = text.count("\n", 0, span.start()) + 1
            command = re.match(r"make ([\w-]+)", span[1])
            if command and command[1] not in commands:
                self.complain("CONTRIBUTING.md", line, f"the Makefile has no {command[1]}", "mend the recipe")
            for token in re.findall(r"[\w+…./<>*-]+", span[1]):
                if "<" in token or token in FOREIGN:
                    continue
                if PATH.search(token):
                    pattern = token.strip("/").replace("…", "*")
                    is_there = os.path.exists(os.path.join(self.root, pattern))
                    if not is_there and not any(fnmatch.fnmatch("/" + path, "*/" + pattern) for path in self.files):
                        self.complain("CONTRIBUTING.md", line, f"there is no {token}", "mend the recipe")
                else:
                    for word in set(re.findall(r"\w+", token)) - words - FOREIGN:
                        self.complain("CONTRIBUTING.md", line, f"no code has the word {word}", "mend the recipe")

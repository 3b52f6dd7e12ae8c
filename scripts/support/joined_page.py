"""Joins the modules and the style sheets of the inspector's page, so that a browser loads it with a few requests."""

import posixpath
import re

IMPORT = re.compile(r'^import\s+(?:\*\s+as\s+(?P<whole>\w+)\s+from\s+|\{(?P<names>[^}]*)\}\s+from\s+)?"(?P<path>\.[^"]+)"\n', re.M)
ALL = re.compile(r'^export\s+\*\s+from\s+"(?P<path>\.[^"]+)"\n', re.M)
AGAIN = re.compile(r'^export\s+\{(?P<names>[^}]*)\}\s+from\s+"(?P<path>\.[^"]+)"\n', re.M)
LISTED = re.compile(r"^export\s+\{(?P<names>[^}]*)\}\n", re.M)
EXPORT = re.compile(r"^export\s+(?P<rest>(?:async\s+)?(?:function\*?|class|const)\s+(?P<name>\w+))", re.M)
LATE = re.compile(r'\bimport\("(?P<path>\.[^"]+)"\)')
# What no form above has taken.
LEFT = re.compile(r"^(?:export\b|await\b|import\s*[\"{*]|import\s+\w+\s*(?:,|from\b)).*", re.M)
# A comment that fills its line.
COMMENT = re.compile(r"^[ \t]*//.*$")

# The files of the joined page by the paths that they are served at. The last are separate because they run on their own:
# before all others, and in a worker.
FILES = ["index.html", "joined.css", "joined.js", "joined-later.js", "loading.js", "core/event-stream.js"]


class NotJoinable(Exception):
    """A module that the forms above do not describe; the text says where and what."""


def pairs(names):
    """The names between braces, outside and inside of the importing module.

    >>> pairs(" a, b as c, ")
    [('a', 'a'), ('b', 'c')]
    """
    split = [part.split(" as ") for part in names.split(",") if part.strip()]
    return [(one[0].strip(), one[-1].strip()) for one in split]


def place(path, target):
    """The path of a module that another refers to.

    >>> place("views/keys.js", "../core/core.js")
    'core/core.js'
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))


def in_order(path, texts, done=None, open_=()):
    """The modules that a module needs and itself, each after those that it needs. Circles have no order.

    >>> in_order("a.js", {"a.js": 'import "./b.js"\\n', "b.js": 'export * from "./c.js"\\n', "c.js": ""})
    ['c.js', 'b.js', 'a.js']
    >>> in_order("a.js", {"a.js": 'import "./a.js"\\n'})
    Traceback (most recent call last):
    joined_page.NotJoinable: a.js imports itself: a.js > a.js
    """
    done = [] if done is None else done
    if path in open_:
        raise NotJoinable(f"{path} imports itself: {' > '.join([*open_, path])}")
    if path not in done:
        found = [match for form in (IMPORT, ALL, AGAIN) for match in form.finditer(texts[path])]
        for match in sorted(found, key=lambda one: one.start()):
            in_order(place(path, match["path"]), texts, done, (*open_, path))
        done.append(path)
    return done


def without_comments(text):
    """A script without the comments that fill a line, and without indentation.

    >>> without_comments("// A\\nfunction f() {\\n  // b\\n  return `c`\\n}\\n")
    'function f() {\\nreturn `c`\\n}\\n'

    A script is left as it is if a line has an odd number of backticks: it may have a template string of several lines.

    >>> without_comments("const a = `\\n  // b\\n`\\n")
    'const a = `\\n  // b\\n`\\n'
    """
    lines = [line for line in text.split("\n") if line.strip() and not COMMENT.match(line)]
    if any(line.count("`") % 2 for line in lines):
        return text
    return "".join(f"{line.lstrip()}\n" for line in lines)


def name_of(path):
    """The name that a module has in the joined script.

    >>> name_of("views/fault-row.js")
    '$views_fault_row'
    """
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def module(path, text):
    """A module as the object of its exports, made by a function of its own.

    >>> print(module("a.js", 'import { x as y } from "./b.js"\\nexport const z = y + 1\\n'))
    // a.js
    const $a = (() => {
    const { x: y } = $b
    const z = y + 1
    return { z }
    })()
    <BLANKLINE>
    >>> print(module("a.js", 'export * from "./b.js"\\nexport { q as r } from "./b.js"\\n'))
    // a.js
    const $a = (() => {
    return { ...$b, r: $b.q }
    })()
    <BLANKLINE>
    >>> print(module("a.js", 'const f = () => import("./c.js")\\n'))
    // a.js
    const $a = (() => {
    const f = () => import("./joined-later.js").then(({ $c }) => $c)
    })()
    <BLANKLINE>
    >>> module("a.js", "export default 1\\n")
    Traceback (most recent call last):
    joined_page.NotJoinable: a.js: cannot be joined: export default 1
    """
    exported = []

    def source(match):
        return name_of(place(path, match["path"]))

    def imported(match):
        if match["whole"]:
            return f"const {match['whole']} = {source(match)}\n"
        if match["names"] is None:
            return ""
        names = ", ".join(out if out == name else f"{out}: {name}" for out, name in pairs(match["names"]))
        return f"const {{ {names} }} = {source(match)}\n"

    def taken(match):
        exported.append(f"...{source(match)}")
        return ""

    def again(match):
        exported.extend(f"{name}: {source(match)}.{out}" for out, name in pairs(match["names"]))
        return ""

    def listed(match):
        exported.extend(out if out == name else f"{name}: {out}" for out, name in pairs(match["names"]))
        return ""

    def declared(match):
        exported.append(match["name"])
        return match["rest"]

    def late(match):
        return f'import("./joined-later.js").then(({{ {source(match)} }}) => {source(match)})'

    text = AGAIN.sub(again, ALL.sub(taken, IMPORT.sub(imported, text)))
    text = LATE.sub(late, EXPORT.sub(declared, LISTED.sub(listed, text)))
    left = LEFT.search(text)
    if left:
        raise NotJoinable(f"{path}: cannot be joined: {left[0]}")
    result = f"return {{ {', '.join(exported)} }}\n" if exported else ""
    return f"// {path}\nconst {name_of(path)} = (() => {{\n{without_comments(text).lstrip(chr(10))}{result}}})()\n"


def scripts(start, texts):
    """Two modules: one with a module and all that it needs, and one with what these import later.

    >>> first, later = scripts("a.js", {"a.js": 'import("./b.js")\\n', "b.js": 'export const c = 1\\n'})
    >>> print(later)
    import { $a } from "./joined.js"
    // b.js
    const $b = (() => {
    const c = 1
    return { c }
    })()
    export { $b }
    <BLANKLINE>
    >>> first.splitlines()[-1]
    'export { $a }'
    """
    first = in_order(start, texts)
    order = list(first)
    for path in first:
        for match in LATE.finditer(texts[path]):
            in_order(place(path, match["path"]), texts, order)
    names = ", ".join(map(name_of, first))
    joined = ["".join(module(path, texts[path]) for path in part) for part in (first, order[len(first):])]
    later = ", ".join(map(name_of, order[len(first):]))
    return (
        f"{joined[0]}export {{ {names} }}\n",
        f'import {{ {names} }} from "./joined.js"\n{joined[1]}export {{ {later} }}\n',
    )


def style(sheets):
    """Style sheets as one. `sheets` are pairs of a text and its media, such as `print`, or None.

    >>> style([("/* A */\\na { b: c; }\\n", None), ("d {\\n  e: f;\\n}\\n", "print")])
    'a { b: c; }\\n@media print {\\nd {\\ne: f;\\n}\\n}\\n'
    """
    texts = []
    for text, media in sheets:
        text = re.sub(r"^[ \t]*/\*[^*]*\*/[ \t]*\n", "", text, flags=re.M)
        text = re.sub(r"^[ \t]+|\n(?=\n)", "", text, flags=re.M)
        texts.append(f"@media {media} {{\n{text}}}\n" if media else text)
    return "".join(texts)


def index(text):
    """The start page that refers to the joined files, and the sheets of the original: pairs of path and media.

    >>> page, sheets = index('<head>\\n  <link rel="stylesheet" href="/ui/a.css">\\n'
    ...     '  <link rel="stylesheet" href="/ui/p.css" media="print">\\n'
    ...     '  <script type="module" src="/ui/app.js"></script>\\n</head>\\n')
    >>> sheets
    [('a.css', None), ('p.css', 'print')]
    >>> print(page)
    <head>
      <link rel="stylesheet" href="/ui/joined.css">
      <script type="module" src="/ui/joined.js"></script>
    </head>
    <BLANKLINE>
    """
    link = re.compile(r'^( *)<link rel="stylesheet" href="/ui/([^"]+)"(?: media="(\w+)")?>\n', re.M)
    sheets = [(path, media or None) for _, path, media in link.findall(text)]
    text = link.sub(r'\1<link rel="stylesheet" href="/ui/joined.css">' + "\n", text, count=1)
    text = link.sub(lambda match: match[0] if "joined.css" in match[0] else "", text)
    return text.replace('<script type="module" src="/ui/app.js">', '<script type="module" src="/ui/joined.js">'), sheets


def files(texts):
    """The files of the joined page by path. `texts` are those of the page by path."""
    page, sheets = index(texts["index.html"])
    first, later = scripts("app.js", texts)
    made = {
        "index.html": page,
        "joined.css": style([(texts[path], media) for path, media in sheets]),
        "joined.js": first,
        "joined-later.js": later,
    }
    return {path: made[path] if path in made else without_comments(texts[path]) for path in FILES}


def checksum(contents):
    """FNV-1a of several bytes, as page.c computes it.

    >>> hex(checksum([b"foo", b"bar"]))
    '0x85944171f73967e8'
    """
    total = 0xCBF29CE484222325
    for content in contents:
        for byte in content:
            total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return total

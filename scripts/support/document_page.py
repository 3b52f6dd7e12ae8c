"""A document of docs/ as a page of the program: the part of Markdown that the documents use, as HTML."""

import re

FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Contents"><h2><a href="/docs">API</a></h2><ul>{contents}</ul></nav>
<main class="{name}">
{html}</main>
</body>
</html>
"""
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
# In a URL, parentheses come in pairs.
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|<(?P<address>https://[^>]+)>"
    r"|\[(?P<label>[^\]]+)\]\((?P<url>(?:[^()]|\([^()]*\))+)\)|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*]+)\*"
)


def page(name, title, text):
    """Returns the page of a document."""
    html, headings = blocks(text)
    contents = "".join(f'<li><a href="#{heading_id(heading)}">{inline(heading)}</a></li>' for heading in headings)
    return FRAME.format(name=name, title=escaped(title), contents=contents, html=html)


def blocks(text):
    """Returns the HTML of a text, and the headings below its title.

    >>> print(blocks("## A title\\n\\nOne\\nline & `a < b`.")[0], end="")
    <h2 id="about-a-title">A title</h2>
    <p>One line &amp; <code>a &lt; b</code>.</p>
    >>> print(blocks("- **a**: b\\n- c\\n  d")[0], end="")
    <ul><li><strong>a</strong>: b</li><li>c d</li></ul>
    >>> print(blocks("| a | b |\\n| --- | --- |\\n| c | `--d e` or `f=g` |\\n| h | |")[0], end="")
    <table><tr><th>a</th><th>b</th></tr>
    <tr id="d"><td>c</td><td><code>--d e</code> or <code>f=g</code><span id="f"></span></td></tr>
    <tr><td>h</td><td></td></tr>
    </table>
    """
    html, headings, ids = "", [], set()
    for block in re.split(r"\n\n+", text.strip("\n")):
        lines = block.split("\n")
        if block.startswith("#"):
            level, heading = len(lines[0]) - len(lines[0].lstrip("#")), lines[0].lstrip("# ")
            headings += [heading] if level > 1 else []
            html += f'<h{level} id="{heading_id(heading)}">{inline(heading)}</h{level}>\n'
        elif block.startswith("|"):
            html += table(lines, ids)
        elif block.startswith("- "):
            items = [" ".join(item.split()) for item in re.split(r"^- ", block, flags=re.MULTILINE)[1:]]
            html += f"<ul>{''.join(f'<li>{inline(item)}</li>' for item in items)}</ul>\n"
        else:
            html += f"<p>{inline(' '.join(lines))}</p>\n"
    return html, headings


def table(lines, ids):
    """Returns a table; the ID of a row is the name of its option, and `ids` are those of earlier rows.

    Options are in the column with this name, or in the last one.
    """
    head, _, *rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    column = head.index("option") if "option" in head else -1
    html = f"<table><tr>{''.join(f'<th>{inline(cell)}</th>' for cell in head)}</tr>\n"
    for row in rows:
        own = [name for name in dict.fromkeys(map(option_id, re.findall("`([^`]+)`", row[column]))) if name not in ids]
        ids.update(own)
        first = f' id="{own[0]}"' if own else ""
        others = "".join(f'<span id="{name}"></span>' for name in own[1:])
        html += f"<tr{first}><td>{'</td><td>'.join(map(inline, row))}{others}</td></tr>\n"
    return html + "</table>\n"


def option_id(option):
    """Returns the ID of an option's row, which DifferencesPage finds by the name of a setting.

    >>> [option_id(option) for option in ("invalid-json=reject", "--invalid-json", "invalidJson")]
    ['invalid-json', 'invalid-json', 'invalid-json']
    """
    return re.sub("[A-Z]", lambda capital: "-" + capital[0].lower(), re.split("[= ]", option.lstrip("-"))[0])


def heading_id(heading):
    """Returns the ID of a heading; an option may have the same name."""
    return "about-" + re.sub(r"[^\w]|_", "-", heading.lower())


def inline(text):
    """Returns the HTML of a text inside a line. Other files of the documents are not served: only their names are shown.

    >>> inline("[a](https://example.com/f(x:)) (b), <https://example.com>")[:69]
    '<a href="https://example.com/f(x:)" rel="noreferrer">a</a> (b), <a hr'
    >>> inline("[a](javascript:b) and [c](d.md)")
    'a and c'
    >>> inline("2 * 3, a ` b, [c] (d), <e>")
    '2 * 3, a ` b, [c] (d), &lt;e&gt;'
    """
    html, end = "", 0
    for match in INLINE.finditer(text):
        html += escaped(text[end : match.start()]) + element(match)
        end = match.end()
    return html + escaped(text[end:])


def element(match):
    kind, content = match.lastgroup, match[match.lastgroup]
    if kind == "code":
        return f"<code>{escaped(content)}</code>"
    if kind in ("strong", "em"):
        return f"<{kind}>{inline(content)}</{kind}>"
    label = match["label"] or content
    if not content.startswith("https://"):
        return inline(label)
    return f'<a href="{escaped(content)}" rel="noreferrer">{escaped(label)}</a>'


def escaped(text):
    return text.translate(ENTITIES)

"""Pictures of pushes: fetched by clients that nobody here wrote, and read by an XML parser."""

import json
import os
import re
import xml.etree.ElementTree as XML
from dataclasses import replace
from urllib.parse import quote

from command_clients import Curl, run
from mock_apns import LAST_RESORT
from pushes import TOPIC, alert
from report import expect, expect_that

SVG = "{http://www.w3.org/2000/svg}"
VIEWS = ("lock-screen", "banner", "notification-center", "watch", "live-activity")
ELEMENTS = {"svg", "title", "desc", "defs", "rect", "circle", "path", "text", "g", "clipPath", "linearGradient",
            "radialGradient", "stop"}
HOSTILE = (
    "</text></svg><script>alert(1)</script>", "]]>&amp;<!--", "\u202e\u0000\u0008\ufffe\U0001f600", "Ω" * 900,
    "مرحبا بالعالم", "日本語のとても長い文章" * 30, "a\u0301" * 300, "\" onload=\"alert(1)", "&#x0;&bogus;",
)
STRINGS = '/* Uploaded as Xcode has it. */\n"ORDER" = "Bestellung %@ nach %2$@";\n'


class Browser:
    """What is fetched from the API, with curl."""

    def __init__(self, context):
        self._api = context.server.api

    def fetch(self, path, *options):
        ended = run(["curl", "-sS", "-i", "--noproxy", "*", "--max-time", str(LAST_RESORT), *options, self._api + path], b"")
        head, _, body = ended.stdout.partition(b"\r\n\r\n")
        status, *fields = head.decode().splitlines()
        headers = {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}
        return int(status.split()[1]), headers, body


def texts_of(svg):
    return ["".join(element.itertext()) for element in XML.fromstring(svg).iter(SVG + "text")]


def check_picture(name, status, headers, body):
    expect(f"status of {name}", 200, status)
    expect(f"content-type of {name}", "image/svg+xml", headers["content-type"])
    expect(f"x-content-type-options of {name}", "nosniff", headers["x-content-type-options"])
    expect_that(headers["content-security-policy"].startswith("default-src 'none'"), "content-security-policy",
                "default-src 'none'", headers["content-security-policy"])
    for element in XML.fromstring(body).iter():
        expect_that(element.tag.removeprefix(SVG) in ELEMENTS, f"element of {name}", "a shape or a text", element.tag)
        for attribute in element.attrib:
            expect_that(re.fullmatch(r"(?!on)(?!href)(?!style)[a-zA-Z0-9-]+", attribute), f"attribute of {name}",
                        "one that does nothing", attribute)


def last_push(context):
    return context.server.get_json("/api/v1/pushes/latest?fields=summary")["id"]


def preview_cases(context):
    curl, browser = Curl(context, context.tls_url), Browser(context)

    def push(payload):
        curl(replace(alert(context.token), body=json.dumps(payload)))
        return last_push(context)

    with context.report.case("previews: pictures of hostile texts are well-formed XML in which nothing runs"):
        for text in HOSTILE:
            alert_of = {"title": text, "subtitle": text, "body": text}
            seen = push({"aps": {"alert": alert_of, "category": text, "thread-id": text, "sound": text}})
            for view in VIEWS:
                for appearance in ("light", "dark"):
                    path = f"/api/v1/pushes/{seen}/preview.svg?view={view}&appearance={appearance}"
                    check_picture(path, *browser.fetch(path))
                    expect(f"{path}, again", browser.fetch(path)[2], browser.fetch(path)[2])

    with context.report.case("previews: a strings file of Xcode's fills a loc-key"):
        path = f"/api/v1/strings/{quote(TOPIC)}/de"
        upload = ("-X", "PUT", "-H", "Content-Type: text/plain; charset=utf-8", "--data-binary", STRINGS)
        expect("status", 201, browser.fetch(path, *upload)[0])
        expect("status, again", 200, browser.fetch(path, *upload)[0])
        seen = push({"aps": {"alert": {"title": "T", "loc-key": "ORDER", "loc-args": ["17", "Graz"]}}})
        body = json.loads(browser.fetch(f"/api/v1/pushes/{seen}/preview?language=de-AT")[2])["body"]
        expect("body", ("Bestellung 17 nach Graz", "localized"), (body["text"], body["source"]))
        picture = browser.fetch(f"/api/v1/pushes/{seen}/preview.svg?language=de")[2]
        expect_that("Bestellung 17 nach Graz" in texts_of(picture), "texts", "the body", texts_of(picture))
        expect("status of DELETE", 204, browser.fetch(path, "-X", "DELETE")[0])

    with context.report.case("previews: the command writes the picture that the API has"):
        seen = push({"aps": {"alert": "Hi", "badge": 2}})
        file = os.path.join(context.directory, "preview.svg")
        command = [context.server.program[-1], "preview", seen, "--api", context.server.api]
        ended = run([*command, "--view", "banner", "-o", file], b"")
        expect("exit code", 0, ended.returncode)
        with open(file, "rb") as picture:
            expect("picture", browser.fetch(f"/api/v1/pushes/{seen}/preview.svg?view=banner")[2], picture.read())
        ended = run([*command, "--table"], b"")
        expect_that(b"The badge shows 2." in ended.stdout, "text", "what the badge does", ended.stdout)

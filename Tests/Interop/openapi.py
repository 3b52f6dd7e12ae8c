"""schemathesis against the debug API: whatever the document promises has to hold for thousands of requests."""

import json
import os
from urllib.parse import quote
from urllib.request import Request

from command_clients import Curl
from library_clients import BUILD, HERE
from mock_apns import DIRECT, LAST_RESORT
from pushes import alert
from report import expect, run_long

# A client that waits for minutes tests nothing more.
SHORT = "^[0-9]{1,2}ms$"
# Streams have no end, a server that stops answers nothing more, and nobody makes up an export.
LEFT_OUT = (
    "/api/v1/devices/connect", "/api/v1/devices/{device}/connect", "/api/v1/events", "/api/v1/shutdown", "/api/v1/pushes/import",
)
# A search, a regular expression or a label that is taken is refused for reasons that no schema can tell.
UNFIT_CHECKS = "positive_data_acceptance,ignored_auth"
SECONDS = 100
HOOKS = os.path.join(HERE, "schemathesis_hooks.py")


def shortened(document):
    """The document without what has no end, and with waits that are short."""
    for path in LEFT_OUT:
        document["paths"].pop(path, None)

    def visit(value):
        if isinstance(value, dict):
            if str(value.get("pattern", "")).startswith("^([0-9]{1,4}ms|"):
                value["pattern"] = SHORT
                value.pop("examples", None)
            value = list(value.values())
        if isinstance(value, list):
            for member in value:
                visit(member)

    visit(document)
    return document


def namespaces_removed(server):
    """Each has a port of its own; the server bounds their number."""
    for namespace in server.get_json("/api/v1/namespaces")["namespaces"]:
        if namespace["name"] != "default":
            path = f"/api/v1/namespaces/{quote(namespace['name'])}"
            with DIRECT.open(Request(server.api + path, method="DELETE"), timeout=LAST_RESORT) as answer:
                expect(f"status of DELETE {path}", 204, answer.status)
    names = [namespace["name"] for namespace in server.get_json("/api/v1/namespaces")["namespaces"]]
    expect("namespaces", ["default"], names)


def openapi_cases(context):
    curl = Curl(context, context.tls_url)
    for _ in range(2):
        context.check("curl pushes what the document can be tried on", alert(context.token), curl)

    with context.report.case("schemathesis finds nothing that the document does not say", long=6 * SECONDS):
        document = shortened(context.server.get_json("/api/v1/openapi.json"))
        path = os.path.join(context.directory, "openapi.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        command = [
            os.path.join(BUILD, "interop-venv", "bin", "schemathesis"), "run", path, "--url", context.server.api,
            "--checks", "all", "--exclude-checks", UNFIT_CHECKS, "--phases", "examples,coverage,fuzzing",
            "--max-examples", "20", "--seed", "1", "--max-time", str(SECONDS), "--request-timeout", str(LAST_RESORT),
            "--generation-database", "none", "--warnings", "off", "--no-color",
        ]
        hooks = {"SCHEMATHESIS_HOOKS": HOOKS, "SERVER_PID": str(context.server.process_id)}
        # Not in the repository: it leaves files where it runs.
        status, output = run_long(command, cwd=context.directory, env={**os.environ, **hooks})
        seen = "nothing" if status == 0 else f"exit code {status}\n{output}"
        expect("complaints", "nothing", seen[-20_000:])
    with context.report.case("the namespaces that were made meanwhile can be removed"):
        namespaces_removed(context.server)

"""Every dialog that asks or has a form is left with Cancel; dialogs with secrets copy them."""

import re

from playwright.sync_api import expect

from glance import choose_file, fits, live, toast, tool
from pushes import TOPIC
from report import expect as expect_equal

# What dialogs ask the server without changing anything.
QUESTIONS = ("/pushes/check", "/faults/dry-run")


def dialog_cases(scene):
    for sized in scene.sizes():
        cancel_cases(sized)
        copy_cases(sized)


def press(*names):
    """Presses buttons one after the other; each name is a text or a pattern."""
    def open_dialog(page):
        for name in names:
            exact = isinstance(name, str)
            page.get_by_role("button", name=name, exact=exact).first.click()
    return open_dialog


def press_tool(name):
    return lambda page: tool(page, name).click()


def press_select(page):
    page.get_by_role("checkbox", name=re.compile("^Select push")).first.check(force=True)
    page.get_by_role("button", name="Delete…", exact=True).click()


def press_saved(page):
    press("Send…")(page)
    dialog = page.get_by_role("dialog", name="Send test push")
    dialog.get_by_role("combobox", name="Saved pushes").select_option(label="kept")
    dialog.get_by_role("button", name="Delete", exact=True).click()


def press_replace(page):
    press("Send…")(page)
    choose_file(page, "Import…", {"name": "pushes.json", "mimeType": "application/json", "buffer": b"{}"})


def cancel_cases(scene):
    """Each row: where the dialog is opened, how, and its title."""
    with scene.test("Cancel closes every dialog, and nothing is changed") as visit:
        token = scene.phone("alice")
        record = scene.push(token, {"aps": {"alert": {"loc-key": "ORDER"}, "category": "ORDER"}})
        issued = scene.api.call("POST", "/api/v1/certificates/issue", {"topic": TOPIC})
        channel = scene.api.call("POST", "/api/v1/channels", {"topic": TOPIC}, status=201)["id"]
        fault = scene.api.call("POST", "/api/v1/faults", {"name": "one", "enabled": False, "do": {"lose": True}}, status=201)
        scene.api.call("PUT", "/api/v1/saved-pushes/kept", {"token": "@alice"}, status=201)
        scene.api.change_app(scene.phone("gone"), state="uninstalled")
        key = scene.api.get("/api/v1/info")["developmentKey"]["keyId"]
        scene.api.call("POST", "/api/v1/namespaces", {"name": "apart"}, status=201)
        push, part = f"/p/{record['id']}", channel.replace("+", "-").replace("/", "_").rstrip("=")
        rows = [
            ("/", press("Settings and more", "Server settings…"), "Settings"),
            ("/", press("Namespace default", "New namespace…"), "New namespace"),
            ("/", press("Send…"), "Send test push"),
            ("/", press_saved, "Delete saved push?"),
            ("/", press("Send…", "Save as…"), "Save push"),
            ("/", press_replace, "Replace saved pushes?"),
            ("/", press("Namespace default", "Delete apart"), "Delete the namespace?"),
            ("/", press("Mark…"), "Add mark"),
            ("/", press("Delete pushes…"), "Delete pushes"),
            ("/", press_select, "Delete 1 push?"),
            (push, press_tool("Edit & resend…"), "Edit and resend"),
            (push, press_tool("Compare…"), f"Compare #{record['seq']}"),
            (push, press_tool("Edit note…"), "Add note"),
            (push, press_tool("Delete…"), "Delete this push?"),
            (push, press("Edit strings…"), "Strings tables"),
            (push, press("Edit app…"), "App name and icon"),
            (push, press("Add action buttons…"), "Action buttons"),
            ("/devices", press("Add device…"), "Add device"),
            ("/devices", press("Delete alice"), "Delete alice?"),
            ("/devices", press(f"Edit name and icon of {TOPIC}"), "App name and icon"),
            ("/devices/@alice", press("Add app…"), "Add app"),
            ("/devices/@alice", press("Change label…"), "Change label"),
            ("/channels", press("Create channel…"), "Create channel"),
            ("/channels", press(f"Delete channel {channel}"), re.compile("^Delete channel")),
            (f"/channels/{part}", press("Subscribe device…"), "Subscribe device"),
            ("/faults", press("Add fault…"), "Add fault"),
            ("/faults", press("Edit one"), "Edit fault"),
            ("/faults", press("Delete all…"), "Delete all faults?"),
            ("/feedback", press("Clear list…"), "Clear the feedback list?"),
            ("/keys", press("Generate key…"), "Generate key"),
            ("/keys", press("Register key…"), "Register key"),
            ("/keys", press(f"Delete key {key}"), f"Delete key {key}?"),
            ("/keys", press("Issue certificate…"), "Issue certificate"),
            ("/keys", press(f"Revoke certificate {issued['serial']}"), re.compile("^Revoke certificate")),
            ("/log", press("Mark…"), "Add mark"),
        ]
        changes = []
        visit.context.on("request", lambda request: changes.append(f"{request.method} {request.url}") if (
            request.method != "GET" and not request.url.endswith(QUESTIONS)) else None)
        page = live(visit.open())
        at = "/"
        for path, open_dialog, title in rows:
            if path != at:
                live(visit.open(path))
                at = path
            open_dialog(page)
            dialog = page.get_by_role("dialog", name=title, exact=True)
            expect(dialog).to_be_visible()
            fits(page)
            dialog.get_by_role("button", name="Cancel").click()
            expect(dialog).to_have_count(0)
            # A dialog or a menu may be open below it.
            while page.locator("dialog[open], :popover-open:not(.toasts)").count():
                page.keyboard.press("Escape")
            if open_dialog is press_select:
                page.keyboard.press("Escape")
        scene.api.call("DELETE", "/api/v1/namespaces/apart", status=204)
        expect_equal("requests that change something", [], changes)
        expect_equal("faults", [fault["id"]], [one["id"] for one in scene.api.get("/api/v1/faults")["faults"]])


def copy_cases(scene):
    with scene.test("keys and certificates are copied as they are shown") as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        topic = "com.example.copied.narrow" if scene.is_narrow else "com.example.copied"  # a reset keeps certificates
        key = scene.api.get("/api/v1/info")["developmentKey"]
        page = live(visit.open("/keys"))

        def copied(button):
            is_icon = button.evaluate("(one) => one.matches('.copy')")
            button.click()
            told = toast(page, "Copied") if is_icon else page.get_by_role("button", name="Copied", exact=True)
            expect(told.last).to_be_visible()
            return page.evaluate("navigator.clipboard.readText()")

        expect_equal("key ID", key["keyId"], copied(page.get_by_role("button", name=f"Copy key ID {key['keyId']}")))
        expect_equal("path", key["path"], copied(page.get_by_role("button", name="Copy the path of the key file")))
        page.get_by_role("button", name=f"Public key of {key['keyId']}").click()
        [known] = [one for one in scene.api.get("/api/v1/keys")["keys"] if one["keyId"] == key["keyId"]]
        expect_equal("public key", known["publicKey"], copied(page.get_by_role("button", name="Copy public key")))
        page.keyboard.press("Escape")
        made = secret(page, "Generate key…", "Generate key", "Generate", {"Key ID": "PRESSED001"})
        expect_equal("private key", made.get_by_role("code").first.inner_text().strip(),
                     copied(made.get_by_role("button", name="Copy key")).strip())
        page.keyboard.press("Escape")
        made = secret(page, "Issue certificate…", "Issue certificate", "Issue", {"App": topic})
        pem = copied(made.get_by_role("button", name="Copy certificate and key"))
        expect_equal("parts", 2, len(re.findall("-----BEGIN (?:CERTIFICATE|PRIVATE KEY|EC PRIVATE KEY)-----", pem)))
        page.keyboard.press("Escape")
        made = secret(page, "Issue certificate…", "Issue certificate", "Issue", {"App": topic}, "PKCS#12")
        expect_equal("password", made.get_by_role("region", name="Password").inner_text().strip(),
                     copied(made.get_by_role("button", name="Copy password")).strip())
        page.keyboard.press("Escape")
        [first, *_] = [one for one in scene.api.get("/api/v1/certificates")["certificates"] if topic in one["topics"]]
        expect_equal("serial", first["serial"], copied(page.get_by_role("button", name=f"Copy serial {first['serial']}")))
        page.get_by_text("Trusted authorities: 1").click()
        fingerprint = scene.api.get("/api/v1/certificates")["authorities"][0]["fingerprint"]
        expect_equal("fingerprint", fingerprint, copied(page.get_by_role("button", name="Copy the SHA-256 fingerprint")))
        fits(page)


def secret(page, button, title, submit, values, form=None):
    """Fills in a dialog that makes a secret; returns the dialog that shows it."""
    page.get_by_role("button", name=button).click()
    dialog = page.get_by_role("dialog", name=title)
    for name, value in values.items():
        dialog.get_by_role("textbox", name=name).fill(value)
    if form:
        dialog.get_by_role("combobox", name="Format").select_option(label=form)
    dialog.get_by_role("button", name=submit, exact=True).click()
    expect(dialog).to_have_count(0)
    fits(page)
    return page.get_by_role("dialog")

"""The form that sends a push: templates, an existing push, completion, the check before sending, saved pushes."""

import json
import re

from playwright.sync_api import expect

from glance import choose_file, detail, fits, live, toast, tool
from report import expect as expect_equal
from stage import LAPTOP, NARROW

# Types and the ends of their topics.
SUFFIXES = {
    "alert": "", "background": "", "voip": ".voip", "liveactivity": ".push-type.liveactivity", "location": ".location-query",
    "complication": ".complication", "fileprovider": ".pushkit.fileprovider", "mdm": None, "pushtotalk": ".voip-ptt",
    "widgets": ".push-type.widgets", "controls": ".push-type.controls",
    "accessory": ".push-type.accessory",
}


def send_cases(scene):
    for viewport in (LAPTOP, NARROW):
        sizes(scene, viewport)
    edit_cases(scene)
    for sized in scene.sizes():
        mend_cases(sized)
    for viewport in (LAPTOP, NARROW):
        saved_cases(scene, viewport)


def opened(page):
    """The form, opened with the button of the list."""
    page.get_by_role("button", name="Send…").click()
    return page.get_by_role("dialog", name="Send test push")


def sent(scene, dialog):
    """Sends the form; returns the record of the push."""
    with dialog.page.expect_response("**/pushes/send") as answer:
        dialog.get_by_role("button", name="Send", exact=True).click()
    expect(dialog).to_have_count(0)
    return scene.api.push(answer.value.json()["push"]["id"])


def payload(dialog):
    return json.loads(dialog.get_by_role("textbox", name="Payload").input_value())


def sizes(scene, viewport):
    where = f"at {viewport['width']} px"
    with scene.test(f"each push type has a template that is accepted, {where}", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        for name, suffix in SUFFIXES.items():
            dialog = opened(page)
            dialog.get_by_role("combobox", name="Push type").select_option(name)
            fits(page)
            record = sent(scene, dialog)
            expect_equal(f"verdict of {name}", "accepted", record["verdict"]["outcome"])
            expect_equal(f"type of {name}", name, record["apns"]["pushType"])
            if suffix is not None:
                expect_equal(f"topic of {name}", f"com.example.app{suffix}", record["apns"]["topic"])

    with scene.test(f"the fields of a push type and its payload change each other, {where}", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        dialog = opened(page)
        dialog.get_by_role("textbox", name="Title", exact=True).fill("From the field")
        expect_equal("title", "From the field", payload(dialog)["aps"]["alert"]["title"])
        dialog.get_by_role("textbox", name="Payload").fill('{"aps": {"alert": "A text", "badge": 3}}')
        expect(dialog.get_by_role("textbox", name="Body", exact=True)).to_have_value("A text")
        expect(dialog.get_by_role("textbox", name="Badge")).to_have_value("3")
        dialog.get_by_role("button", name="Reset to template").click()
        expect(dialog.get_by_role("textbox", name="Title", exact=True)).to_have_value("Test push")
        dialog.get_by_role("combobox", name="Push type").select_option("liveactivity")
        expect(dialog.get_by_role("textbox", name="Attributes type")).to_have_count(0)
        dialog.get_by_role("combobox", name="Event").focus()
        dialog.get_by_role("combobox", name="Event").select_option("start")
        expect(dialog.get_by_role("combobox", name="Event")).to_be_focused()
        dialog.get_by_role("textbox", name="Attributes type").fill("Delivery")
        expect_equal("attributes type", "Delivery", payload(dialog)["aps"]["attributes-type"])

    with scene.test(f"the size of the payload is compared with the limit of the push type, {where}", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        dialog = opened(page)
        check = dialog.get_by_role("status", name="Check")
        expect(check).to_contain_text("92 of 4,096 bytes")
        dialog.get_by_label("Payload", exact=True).fill('{"text": "üü"}')
        expect(check).to_contain_text("15 of 4,096 bytes")
        dialog.get_by_role("combobox", name="Push type").select_option("voip")
        expect(check).to_contain_text("of 5,120 bytes")
        fits(page)

    with scene.test(f"the form says what the response would be, {where}", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        dialog = opened(page)
        check = dialog.get_by_role("status", name="Check")
        expect(check).to_contain_text("200 Accepted")
        dialog.get_by_label("Topic", exact=True).fill("not a topic!")
        expect(check).to_contain_text("400 BadTopic")
        dialog.get_by_label("Topic", exact=True).fill("")
        dialog.get_by_role("textbox", name="Payload").fill("{not JSON")
        expect(check).to_contain_text("payload-not-json")
        dialog.get_by_role("combobox", name="Push type").select_option("voip")
        dialog.get_by_role("textbox", name="Payload").fill(json.dumps({"text": "x" * 6_000}))
        expect(check).to_contain_text("413 PayloadTooLarge")
        expect(check).to_contain_text("of 5,120 bytes")
        fits(page)
        expect_equal("pushes", 1, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test(f"devices and topics are completed, {where}", viewport=viewport) as visit:
        token = scene.phone("alice", topic="com.example.shop")
        scene.accepted("So that the list is there")
        page = live(visit.open())
        dialog = opened(page)
        for name, values in (("To", ["@alice", token]), ("Topic", ["com.example.shop"])):
            known = page.locator(f"datalist#{dialog.get_by_label(name, exact=True).get_attribute('list')} option")
            for value in values:
                expect(known.and_(page.locator(f'[value="{value}"]'))).to_have_count(1)
        dialog.get_by_label("To", exact=True).fill("@alice")
        expect_equal("token", token, sent(scene, dialog)["apns"]["token"])


def as_modules(visit):
    """Lets a test import the page's modules: the page is not joined for a client that takes no gzip."""
    def document(route):
        if route.request.resource_type != "document":
            return route.continue_()
        headers = {**route.request.headers, "accept-encoding": "identity"}
        return route.fulfill(response=route.fetch(headers=headers))

    visit.context.route("**/*", document)


# What a button of the detail does.
EDIT = """async (push) => {
  const { openSend } = await import("/ui/send/send.js")
  openSend({ push })
}"""


def headers(record):
    """The headers of a push that the form keeps."""
    return {name: value for name, value in record["request"]["headers"] if name not in ("authorization", "content-length")}


def edit_cases(scene):
    with scene.test("an existing push is edited and sent again") as visit:
        token = scene.phone("edited")
        record = scene.push(token, apns_collapse_id="c1", apns_priority="5", x_trace="17", apns_push_type=None)
        as_modules(visit)
        page = live(visit.open())
        page.evaluate(EDIT, record)
        dialog = page.get_by_role("dialog", name="Edit and resend")
        expect(dialog.get_by_role("combobox", name="Push type")).to_have_value("(none)")
        expect(dialog.get_by_role("textbox", name="Other headers")).to_have_value(re.compile("x-trace: 17"))
        dialog.get_by_role("textbox", name="Priority").fill("10")
        again = sent(scene, dialog)
        expect_equal("headers", {**headers(record), "apns-priority": "10"}, headers(again))
        expect_equal("payload", record["request"]["payload"], again["request"]["payload"])
        expect_equal("token", token, again["apns"]["token"])
        expect(toast(page, "Response: 200")).to_be_visible()


# Rejected pushes, and the label of the field where the form starts.
CAUSES = [
    ({"apns_topic": None}, "MissingTopic", "Topic"),
    ({"apns_topic": "no topic!"}, "BadTopic", "Topic"),
    ({"token": "zz"}, "BadDeviceToken", "To"),
    ({"apns_priority": "7"}, "BadPriority", "Priority"),
    ({"apns_expiration": "soon"}, "BadExpirationDate", "Expiration"),
    ({"apns_collapse_id": "x" * 65}, "BadCollapseId", "Collapse ID"),
    ({"apns_push_type": "banner"}, "InvalidPushType", "Push type"),
    ({"apns_id": "no-uuid"}, "BadMessageId", "Send"),
    ({"payload": ""}, "PayloadEmpty", "Payload"),
    ({"authorization": "bearer x"}, "InvalidProviderToken", "Send"),
]

# The field of each reason, as the page knows it.
CAUSE_OF = """async (reasons) => {
  const { causeOf } = await import("/ui/send/failures.js")
  return reasons.filter((reason) => causeOf(reason) === undefined)
}"""


def mend_cases(scene):
    with scene.test("a push without a topic is mended in the field of the topic, which has the focus") as visit:
        record = scene.push(apns_topic=None)
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Edit & resend…").click()
        dialog = page.get_by_role("dialog", name="Edit and resend")
        topic = dialog.get_by_role("combobox", name="Topic", exact=True)
        expect(topic).to_be_focused()
        expect(topic).to_be_in_viewport(ratio=1)
        # Nothing is on top of it.
        middle = topic.evaluate("""(field) => {
          const { left, top, width, height } = field.getBoundingClientRect()
          return document.elementFromPoint(left + width / 2, top + height / 2) === field
        }""")
        expect_equal("the field is on top", True, middle)
        page.keyboard.type("com.example.app")
        expect(dialog.get_by_role("status", name="Check")).to_contain_text("200 Accepted")
        fits(page)
        again = sent(scene, dialog)
        expect_equal("topic and outcome", ("com.example.app", "accepted"), (again["apns"]["topic"], again["verdict"]["outcome"]))
        expect(detail(page).get_by_role("status", name="Resent")).to_contain_text(f"Resent as #{again['seq']}: 200 Accepted.")

    with scene.test("the form of a rejected push starts at the field that caused it") as visit:
        as_modules(visit)
        page = live(visit.open())
        for changes, reason, label in CAUSES:
            record = scene.push(**changes)
            expect_equal("reason", reason, record["verdict"]["reason"])
            page.evaluate(EDIT, record)
            dialog = page.get_by_role("dialog", name="Edit and resend")
            field = dialog.get_by_role("button", name=label, exact=True) if label == "Send" else dialog.get_by_label(label, exact=True)
            expect(field).to_be_focused()
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
        # A fault is not mended by any field.
        scene.api.call("POST", "/api/v1/faults", {"do": {"respond": {"reason": "BadTopic"}}}, status=201)
        page.evaluate(EDIT, scene.push())
        expect(page.get_by_role("dialog").get_by_role("textbox", name="Title", exact=True)).to_be_focused()
        schemas = scene.api.get("/api/v1/openapi.json")["components"]["schemas"]
        expect_equal("reasons without a field", [], page.evaluate(CAUSE_OF, reasons_in(schemas)))


def reasons_in(schemas):
    """All reasons that the API knows."""
    found = [value["enum"] for value in nodes(schemas) if "MissingTopic" in (value.get("enum") or [])]
    return [name for name in found[0] if name]


def nodes(value):
    """All objects in a JSON value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from nodes(part)


def saved_cases(scene, viewport):
    with scene.test(f"a push is saved, filled in and deleted, at {viewport['width']} px", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        dialog = opened(page)
        saved = dialog.get_by_role("combobox", name="Saved pushes")
        expect(saved).to_be_disabled()
        dialog.get_by_role("combobox", name="Push type").select_option("(none)")
        dialog.get_by_role("textbox", name="Payload").fill("{not JSON")
        dialog.get_by_role("button", name="Save as…").click()
        naming = page.get_by_role("dialog", name="Save push")
        naming.get_by_role("textbox", name="Name").fill("Broken/one")
        naming.get_by_role("button", name="Save", exact=True).click()
        expect(saved).to_have_value("Broken/one")
        expect_equal("saved", [{"name": "Broken/one", "push": {"headers": {"apns-push-type": None}, "text": "{not JSON"}}],
                     scene.api.get("/api/v1/saved-pushes")["savedPushes"])
        fits(page)

        page.reload()
        dialog = opened(live(page))
        saved = dialog.get_by_role("combobox", name="Saved pushes")
        saved.select_option("Broken/one")
        expect(dialog.get_by_role("combobox", name="Push type")).to_have_value("(none)")
        expect(dialog.get_by_role("textbox", name="Payload")).to_have_value("{not JSON")
        expect(dialog.get_by_role("status", name="Check")).to_contain_text("payload-not-json")
        dialog.get_by_role("button", name="Delete", exact=True).click()
        page.get_by_role("button", name="Delete saved push").click()
        expect(saved).to_be_disabled()
        expect(dialog.get_by_role("button", name="Delete", exact=True)).to_be_hidden()
        expect_equal("saved", [], scene.api.get("/api/v1/saved-pushes")["savedPushes"])

    with scene.test(f"saved pushes are exported and imported, at {viewport['width']} px", viewport=viewport) as visit:
        scene.accepted("So that the list is there")
        scene.api.call("PUT", "/api/v1/saved-pushes/First", {"payload": {"b": 1, "a": 2}}, status=201)
        page = live(visit.open())
        dialog = opened(page)
        saved = dialog.get_by_role("combobox", name="Saved pushes")
        with page.expect_download() as download:
            dialog.get_by_role("link", name="Export").click()
        expect_equal("file name", "saved-pushes.json", download.value.suggested_filename)
        exported = download.value.path().read_bytes()
        fits(page)

        scene.api.call("DELETE", "/api/v1/saved-pushes/First", status=204)
        expect(dialog.get_by_role("link", name="Export")).to_be_hidden()
        choose_file(page, "Import…", {"name": "pushes.json", "mimeType": "application/json", "buffer": exported})
        expect(toast(page, "Imported 1 saved push.")).to_be_visible()
        saved.select_option("First")
        expect_equal("payload", {"b": 1, "a": 2}, payload(dialog))

        # Everything is replaced, so there is a question first; a file with a mistake changes nothing.
        mistaken = json.dumps({"savedPushes": [{"name": "Second", "push": {"titel": "x"}}]}).encode()
        choose_file(page, "Import…", {"name": "pushes.json", "mimeType": "application/json", "buffer": mistaken})
        visit.forgive("status of 400")
        page.get_by_role("button", name="Replace saved pushes").click()
        expect(toast(page, "/savedPushes/0/push/titel")).to_be_visible()
        expect(saved).to_have_value("First")

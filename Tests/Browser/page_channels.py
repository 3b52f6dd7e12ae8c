"""Broadcast channels: the table, a channel, subscriptions, and broadcasts on a device's page."""

import json
import re
import subprocess

from playwright.sync_api import expect

from glance import detail, fits, live, row, rows, search, tab, toast, view
from mock_apns import LAST_RESORT
from pushes import TOPIC
from report import expect as expect_equal

# A bundle identifier that is wider than a narrow window.
LONG = "com.example.app.with.a.rather.long.name.for.a.narrow.window"


def channel_cases(scene):
    for sized in scene.sizes():
        form_cases(sized)
        subscriber_cases(sized)
        activity_cases(sized)
    table_cases(scene)
    detail_cases(scene)
    device_cases(scene)
    list_cases(scene)


def create(scene, topic=TOPIC, **draft):
    """Creates a channel; returns its ID."""
    return scene.api.call("POST", "/api/v1/channels", {"topic": topic, **draft}, status=201)["id"]


def subscribe(scene, label, channel):
    scene.api.call("POST", f"/api/v1/devices/@{label}/subscriptions", {"topic": TOPIC, "channel": channel}, status=201)


def part(channel):
    """The ID in a path."""
    return channel.replace("+", "-").replace("/", "_").rstrip("=")


def provider(scene, path, *options):
    """A request of a provider, with a client certificate; returns the response with its header."""
    command = ["curl", "--silent", "--include", "--noproxy", "*", "--insecure", "--max-time", str(LAST_RESORT)]
    command += ["--cert", scene.certificate("channels"), f"{scene.context.tls_url}{path}", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=True).stdout


def broadcast(scene, channel, title="Goal", *options):
    payload = {"aps": {"event": "update", "timestamp": 1, "content-state": {}, "alert": {"title": title, "body": "1:0"}}}
    return provider(
        scene, f"/4/broadcasts/apps/{TOPIC}", "--data", json.dumps(payload), "-H", f"apns-channel-id: {channel}",
        "-H", "apns-push-type: liveactivity", *options,
    )


def line_of(page, channel):
    """A channel's row of the table."""
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=channel, exact=True))


def panel_of(page, heading):
    return page.locator("section.panel").filter(has=page.get_by_role("heading", name=heading, exact=True))


def form_cases(scene):
    with scene.test("a channel is created with the form, and deleted after a confirmation") as visit:
        visit.forgive("status of 4")
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = live(visit.open("/channels"))
        page.get_by_role("button", name="Create channel…").first.click()
        dialog = page.get_by_role("dialog", name="Create channel")
        dialog.get_by_role("button", name="Create").click()
        expect(dialog.get_by_role("textbox", name="App")).to_have_attribute("aria-invalid", "true")
        dialog.get_by_role("textbox", name="App").fill(LONG)
        dialog.get_by_role("combobox", name="Environment").select_option(label="Production")
        dialog.get_by_role("combobox", name="Stored for offline devices").select_option(label="No messages")
        fits(page)
        dialog.get_by_role("button", name="Create").click()
        expect(page.get_by_role("heading", name="About")).to_be_visible()
        [channel] = scene.api.get("/api/v1/channels")["channels"]
        expect_equal(
            "channel", (LONG, "production", 0),
            (channel["bundleId"], channel["environment"], channel["storagePolicy"]),
        )
        expect(page).to_have_url(f"{visit.base}/channels/{part(channel['id'])}")
        fits(page)
        page.get_by_role("button", name=f"Delete channel {channel['id']}").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("link", name="All channels").click()
        page.get_by_role("button", name=f"Copy channel ID {channel['id']}").click()
        expect(toast(page, "Copied channel ID")).to_be_visible()
        expect_equal("copied", channel["id"], page.evaluate("navigator.clipboard.readText()"))
        fits(page)
        delete = line_of(page, channel["id"]).get_by_role("button", name="Delete channel")
        delete.click()
        page.get_by_role("dialog").get_by_role("button", name="Delete channel").click()
        expect(page.get_by_role("heading", name="No channels yet")).to_be_visible()
        expect_equal("channels", 0, scene.api.get("/api/v1/channels")["matched"])


def subscriber_cases(scene):
    with scene.test("a channel's page has its metrics, its stored message and its subscribers, live") as visit:
        channel = create(scene)
        scene.phone("alice")
        scene.phone("bob", state="offline")
        page = live(visit.open(f"/channels/{part(channel)}"))
        expect(page.get_by_role("heading", level=2, name=channel, exact=True)).to_be_visible()
        expect(page.get_by_text("None. Subscribe a device")).to_be_visible()
        subscribe(scene, "bob", channel)
        page.get_by_role("button", name="Subscribe device…").click()
        dialog = page.get_by_role("dialog", name="Subscribe device")
        dialog.get_by_role("textbox", name="Device").fill("@alice")
        dialog.get_by_role("button", name="Subscribe").click()
        subscribers = page.get_by_role("table", name="Subscribers of the channel")
        expect(subscribers.get_by_role("link", name="@bob", exact=True)).to_be_visible()
        expect(subscribers.get_by_role("link", name="@alice", exact=True)).to_be_visible()
        broadcast(scene, channel)
        metrics = panel_of(page, "Metrics")
        for words in ("Published1", "Delivered1", "Subscriptions2", "Unique subscribers2"):
            expect(metrics).to_contain_text(words)
        expect(panel_of(page, "Stored message")).to_contain_text("expires")
        waiting = subscribers.get_by_role("row").filter(has_text="@bob")
        expect(waiting).to_contain_text("Stored")
        scene.api.change("bob", state="online")
        expect(waiting).to_contain_text("Online")
        expect(metrics).to_contain_text("Delivered2")
        expect(waiting).not_to_contain_text("Stored")
        fits(page)
        page.get_by_role("button", name="Unsubscribe bob").click()
        expect(waiting).to_have_count(0)
        expect(metrics).to_contain_text("Unique subscribers1")
        page.get_by_role("link", name="View broadcasts").click()
        expect(rows(page)).to_have_count(1)
        expect(search(page)).to_have_value(f"service:broadcast channel:{channel}")
        page.go_back()
        subscribers.get_by_role("link", name="@alice", exact=True).click()
        expect(page.get_by_role("heading", level=2, name="alice")).to_be_visible()


def activity_cases(scene):
    with scene.test("a channel lists the Live Activities that follow it, and a broadcast says why they ignored it") as visit:
        scene.phone("rider")
        channel = create(scene)
        draft = {"topic": TOPIC, "attributesType": "RideAttributes", "contentState": {"minutes": 9}, "channel": channel}
        scene.api.call("POST", "/api/v1/devices/@rider/activities", draft, status=201)
        page = live(visit.open(f"/channels/{part(channel)}"))
        line = panel_of(page, "Live Activities").get_by_role("row").filter(has_text="RideAttributes")
        expect(line).to_contain_text("Active")
        broadcast(scene, channel)
        expect(line).to_contain_text("past-timestamp")
        fits(page)
        line.get_by_role("link", name="past-timestamp").click()
        tab(page, "Timeline").click()
        expect(detail(page).get_by_text("By 1 Live Activity:")).to_be_visible()
        fits(page)


def table_cases(scene):
    with scene.test("the empty state has the command that creates a channel, and it works") as visit:
        page = live(visit.open("/channels"))
        expect(page.get_by_role("heading", name="No channels yet")).to_be_visible()
        command = page.get_by_role("region", name="Command that creates a channel").inner_text().split()
        code, text, problems = scene.server.run(*command[1:], "--table", "--api", scene.server.api)
        expect_equal("command", (0, ""), (code, problems))
        line = line_of(page, text.strip())
        for words in ("com.example.app", "Sandbox", "Newest message", "none"):
            expect(line).to_contain_text(words)
        expect(view(page, "Channels")).to_have_text(re.compile(r"Channels\s+1"))

    with scene.test("channels of all apps are updated by events and filtered by app") as visit:
        page = live(visit.open("/channels"))
        scene.api.call("PUT", "/api/v1/apps/com.example.other", {"name": "Shop"}, status=201)
        other = create(scene, "com.example.other", environment="production", storagePolicy=0)
        expect(line_of(page, other)).to_contain_text("Shop")
        expect(line_of(page, other)).to_contain_text("Production")
        expect(line_of(page, other)).to_contain_text("No messages")
        mine = create(scene)
        scene.phone("offline", state="offline")
        subscribe(scene, "offline", mine)
        broadcast(scene, mine)
        expect(line_of(page, mine).get_by_role("cell", name="1", exact=True)).to_be_visible()
        expect(line_of(page, mine)).to_contain_text("expires")
        page.get_by_role("searchbox", name="Filter channels").fill("Other")
        expect(line_of(page, mine)).to_have_count(0)
        expect(page).to_have_url(f"{visit.base}/channels?filter=Other")
        expect(line_of(page, other)).to_be_visible()
        page.get_by_role("searchbox", name="Filter channels").fill("nothing")
        expect(page.get_by_role("heading", name="No matching channels")).to_be_visible()
        page.get_by_role("searchbox", name="Filter channels").fill(mine)
        expect(line_of(page, mine)).to_be_visible()
        scene.api.call("DELETE", f"/api/v1/channels/{part(mine)}", status=204)
        expect(line_of(page, mine)).to_have_count(0)

    with scene.test("the keyboard opens the view and a channel, and returns to its row") as visit:
        first, second = create(scene, "com.example.a"), create(scene, "com.example.b")
        page = live(visit.open())
        page.keyboard.press("g")
        page.keyboard.press("h")
        expect(line_of(page, first)).to_be_visible()
        page.keyboard.press("j")
        expect(page.get_by_role("link", name=first, exact=True)).to_be_focused()
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=2, name=second, exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("link", name=second, exact=True)).to_be_focused()


def detail_cases(scene):
    with scene.test("a device without the app is rejected at its field") as visit:
        visit.forgive("status of 4")
        channel = create(scene)
        scene.phone("stranger", topic="com.example.other")
        page = live(visit.open(f"/channels/{part(channel)}"))
        page.get_by_role("button", name="Subscribe device…").click()
        dialog = page.get_by_role("dialog", name="Subscribe device")
        for reference, words in (("@stranger", "has no app com.example.app"), ("@nobody", "nobody")):
            dialog.get_by_role("textbox", name="Device").fill(reference)
            dialog.get_by_role("button", name="Subscribe").click()
            expect(dialog).to_contain_text(words)

    with scene.test("a channel is deleted on its page, and its address says so") as visit:
        visit.forgive("status of 4")
        channel = create(scene)
        page = live(visit.open(f"/channels/{part(channel)}"))
        page.get_by_role("button", name=f"Delete channel {channel}").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete channel").click()
        expect(toast(page, "Deleted channel")).to_be_visible()
        expect(page).to_have_url(f"{visit.base}/channels")
        page.goto(f"{visit.base}/channels/{part(channel)}")
        expect(page.get_by_role("heading", name="Channel not found")).to_be_visible()


def device_cases(scene):
    with scene.test("a device's page lists its channels and the broadcasts that it got") as visit:
        channel = create(scene)
        scene.phone("alice")
        page = live(visit.open("/devices/@alice"))
        expect(page.get_by_role("heading", name="Notification Center")).to_be_visible()
        expect(panel_of(page, "Broadcasts")).to_be_hidden()
        subscribe(scene, "alice", channel)
        expect(panel_of(page, "Broadcasts")).to_contain_text("None yet.")
        broadcast(scene, channel, "First goal")
        entry = panel_of(page, "Broadcasts").get_by_role("listitem")
        expect(entry.filter(has_text="First goal")).to_contain_text("Delivered")
        scene.api.change("alice", state="offline")
        broadcast(scene, channel, "Second goal")
        expect(entry.filter(has_text="Second goal")).to_contain_text("Stored: the device is offline")
        expect(panel_of(page, "Stored").get_by_role("listitem")).to_contain_text("Second goal")
        expect(page.get_by_role("table", name="The device and its apps").locator(".device-row .chip.wait")).to_have_text("1")
        scene.api.change("alice", state="online")
        expect(entry.filter(has_text="Second goal")).to_contain_text("Delivered: from storage")
        expect(entry).to_have_count(2)
        page.get_by_role("link", name=channel).click()
        expect(page.get_by_role("heading", level=2, name=channel, exact=True)).to_be_visible()


def list_cases(scene):
    with scene.test("channel requests and broadcasts name their app and are not shown as failures") as visit:
        draft = '{"message-storage-policy":1,"push-type":"LiveActivity"}'
        created = provider(scene, f"/1/apps/{TOPIC}/channels", "--data", draft)
        channel = re.search(r"apns-channel-id: (\S+)", created).group(1)
        provider(scene, f"/1/apps/{TOPIC}/all-channels")
        broadcast(scene, channel)
        provider(scene, f"/1/apps/{TOPIC}/channels", "-X", "DELETE", "-H", f"apns-channel-id: {channel}")
        page = live(visit.open())
        expect(rows(page)).to_have_count(4)
        for at, words in enumerate(("204 channel deleted", "200 published", "200 channels read", "201 channel created")):
            expect(rows(page).nth(at)).to_contain_text(words)
            expect(rows(page).nth(at)).to_contain_text(TOPIC)
            expect(rows(page).nth(at)).not_to_contain_text(re.compile("no topic|no token|no text"))
        expect(row(page, "Goal")).to_contain_text(f"Channel {channel[:8]}…")
        rows(page).nth(3).click()
        expect(detail(page).get_by_role("heading", name="Create channel")).to_be_visible()
        expect(detail(page)).to_contain_text("201 Accepted")
        expect(detail(page)).to_contain_text(TOPIC)

    with scene.test("a broadcast links to its channel and counts what became of it") as visit:
        channel = create(scene)
        for label, state in (("alice", "online"), ("bob", "offline")):
            scene.phone(label, state=state)
            subscribe(scene, label, channel)
        broadcast(scene, channel)
        page = live(visit.open())
        row(page, "Goal").click()
        tab(page, "Timeline").click()
        for words in ("Subscribed devices2", "Delivered1", "Stored1", "Discarded0"):
            expect(detail(page)).to_contain_text(words)
        detail(page).get_by_role("link", name=f"Channel {channel}").click()
        expect(page.get_by_role("heading", level=2, name=channel, exact=True)).to_be_visible()

"""The frame of the page: namespaces, clock, settings, appearance and commands."""

import re
import subprocess

from playwright.sync_api import expect

from glance import detail, fits, live, row, rows, toast, view, wait_until
from mock_apns import LAST_RESORT
from report import expect as expect_equal, expect_that
from stage import LAPTOP, NARROW


def frame_cases(scene):
    for sized in scene.sizes():
        namespace_cases(sized)
        clock_cases(sized)
    appearance_cases(scene)
    command_cases(scene)
    other_cases(scene)


def namespace_cases(scene):
    with scene.test("a namespace is created, shown and deleted") as visit:
        scene.accepted("In the default one")
        page = live(visit.open())
        page.get_by_role("button", name="Namespace default").click()
        page.get_by_role("button", name="New namespace…").click()
        page.get_by_role("textbox", name="Name", exact=True).fill("t-42")
        page.get_by_role("button", name="Create").click()
        expect(page).to_have_url(f"{visit.base}/?ns=t-42")
        expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
        apns = scene.api.get("/api/v1/namespaces/t-42")["apns"]
        expect(page.get_by_role("main")).to_contain_text(apns.removeprefix("https://"))
        live(page)
        scene.send_to(apns, {"aps": {"alert": "Only in t-42"}})
        expect(row(page, "Only in t-42")).to_be_visible()
        page.get_by_role("button", name="Namespace t-42").click()
        page.get_by_role("link", name="default").click()
        expect(row(page, "In the default one")).to_be_visible()
        expect(row(page, "Only in t-42")).to_have_count(0)
        page.get_by_role("button", name="Namespace default").click()
        page.get_by_role("button", name="Delete t-42").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
        expect(toast(page, "Deleted t-42")).to_be_visible()
        names = [one["name"] for one in scene.api.get("/api/v1/namespaces")["namespaces"]]
        expect_equal("namespaces", ["default"], names)

    with scene.test("if the pushes of a namespace cannot be loaded, those of the previous one are not shown") as visit:
        visit.forgive("net::ERR_")
        scene.accepted("In the default one")
        scene.api.call("POST", "/api/v1/namespaces", {"name": "torn"}, status=201)
        page = live(visit.open())
        expect(row(page, "In the default one")).to_be_visible()
        page.route("**/namespaces/torn/pushes?*", lambda route: route.abort())
        page.get_by_role("button", name="Namespace default").click()
        page.get_by_role("link", name="torn").click()
        expect(page.get_by_role("heading", name="The list could not be loaded")).to_be_visible()
        expect(rows(page)).to_have_count(0)
        scene.api.call("DELETE", "/api/v1/namespaces/torn", status=204)
        visit.forgive("status of 404")


# The time of day in the header, in seconds.
CHIP = """() => document.querySelector(".clock-chip .mono").textContent.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)"""


def chip_seconds(page):
    return page.evaluate(CHIP)


def clock_cases(scene):
    with scene.test("the clock is frozen, advanced and reset; stored notifications expire") as visit:
        token = scene.phone("sleeper", state="offline")
        page = live(visit.open())
        chip = page.get_by_role("button", name="Clock")
        chip.click()
        page.get_by_role("button", name="Freeze", exact=True).click()
        expect(chip).to_contain_text("frozen")
        expect_equal("mode", "frozen", scene.api.get("/api/v1/clock")["mode"])
        now = scene.api.get("/api/v1/clock")["now"]
        expiration = scene.seconds(now) + 1_800
        stored = scene.accepted("Expires soon", token, apns_expiration=str(expiration))
        page.get_by_role("button", name="+1 h").click()
        expect(toast(page, "expired 1")).to_be_visible()
        expect(row(page, "Expires soon")).to_contain_text("expired")
        expect_equal("state", "discarded-expired", scene.api.push(stored["id"])["delivery"]["state"])
        page.get_by_role("button", name="Back to real time").click()
        expect(chip).to_contain_text("real")
        expect_equal("mode", "real", scene.api.get("/api/v1/clock")["mode"])

    with scene.test("the page shows clock changes by other clients") as visit:
        page = live(visit.open())
        scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": "2030-06-01T10:00:00Z"})
        expect(page.get_by_role("button", name="Clock")).to_contain_text("frozen")

    with scene.test("text typed into the clock field stays while the clock changes") as visit:
        page = live(visit.open())
        chip = page.get_by_role("button", name="Clock")
        chip.click()
        field = page.get_by_role("textbox", name="Freeze at")
        field.fill("2031-01-")
        scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": "2030-06-01T10:00:00Z"})
        expect(chip).to_contain_text("frozen")
        page.keyboard.type("02T00:00:00Z")
        expect(field).to_have_value("2031-01-02T00:00:00Z")
        page.get_by_role("button", name="Set", exact=True).click()
        expect(chip).to_contain_text("00:00:00")
        scene.api.advance("1h")
        expect(field).to_have_value("2031-01-02T01:00:00Z")
        # Text that was not set is discarded.
        field.fill("nonsense")
        page.keyboard.press("Escape")
        chip.click()
        expect(field).to_have_value("2031-01-02T01:00:00Z")

    with scene.test("the clock is right after a reload, and on a computer with another time", timezone_id="UTC") as visit:
        scene.accepted("So that its number is repeated")
        visit.context.add_init_script("const now = Date.now.bind(Date); Date.now = () => now() - 3_600_000")
        page = live(visit.open())
        visit.another()  # keeps the stream, which repeats the change of the clock to a page that joins
        scene.api.advance("2h")
        chip = page.get_by_role("button", name="Clock")
        expect(chip).to_contain_text("+2 h")
        first = chip_seconds(page)
        wait_until(page, f"() => ({CHIP})() >= {first + 3}")
        page.reload()
        expect(chip).to_contain_text("+2 h")
        live(page)
        real = (scene.seconds(scene.api.get("/api/v1/clock")["now"])) % 86_400
        behind = (real - chip_seconds(page)) % 86_400
        expect_that(behind <= 2 or behind >= 86_398, "seconds behind the server's clock", "at most 2", behind)

    with scene.test("beside a moved clock, real times say that they are", timezone_id="UTC") as visit:
        record = scene.accepted("Now", scene.phone("near"))
        page = live(visit.open(f"/p/{record['id']}"))
        facts = detail(page).locator(".head-facts time")
        expect(facts).to_contain_text(re.compile(r"(now|\d+ s ago)$"))
        scene.api.advance("3h")
        expect(facts).to_contain_text(re.compile(r"(now|\d+ s ago), real time$"))
        fits(page)
        page.goto(f"{visit.base}/connections")
        expect(page.get_by_role("main").locator("time").first).to_contain_text(", real time")
        fits(page)

    with scene.test("relative times use the server's clock or real time, as appropriate") as visit:
        scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": "2031-06-01T10:00:00Z"})
        token = scene.phone("away", state="offline")
        scene.api.call("PATCH", "/api/v1/settings", {"auth": "any"})
        record = scene.accepted("Now as well", token)
        page = live(visit.open("/devices"))
        times = page.get_by_role("main").locator("time")
        expect(times.first).to_contain_text("now")
        scene.api.advance("3h")
        expect(times.first).to_contain_text("3 h ago")
        page.goto(f"{visit.base}/p/{record['id']}")
        expect(detail(page)).to_contain_text(re.compile(r"\b(now|\d+ s ago)\b"))


def appearance_cases(scene):
    ground = "() => getComputedStyle(document.body).backgroundColor"
    is_other = "(before) => getComputedStyle(document.body).backgroundColor !== before"
    with scene.test("the appearance follows the system", color_scheme="dark") as visit:
        page = live(visit.open())
        dark = page.evaluate(ground)
        page.emulate_media(color_scheme="light")
        wait_until(page, is_other, dark)

    with scene.test("the appearance is changed by its button, and saved") as visit:
        page = live(visit.open())
        light = page.evaluate(ground)
        for name in ("system", "light"):  # from one to the next
            page.get_by_role("button", name=f"Appearance: {name}").click()
        expect(page.get_by_role("button", name="Appearance: dark")).to_be_visible()
        wait_until(page, is_other, light)
        page.reload()
        expect(page.get_by_role("button", name="Appearance: dark")).to_be_visible()
        wait_until(page, is_other, light)


def shown_command(page):
    """The command that the page shows; closes its dialog."""
    dialog = page.get_by_role("dialog", name="Command")
    command = dialog.locator("code").inner_text()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    return command


def run_command(command):
    """Runs a shown command with sh; returns its output."""
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=LAST_RESORT, check=False)
    expect_equal(f"exit code of {command}", 0, ended.returncode)
    return ended.stdout


def command_cases(scene):
    with scene.test("in command mode buttons show equivalent commands instead of running them") as visit:
        scene.phone("commanded")
        scene.api.call("POST", "/api/v1/faults", {"name": "commanded", "do": {"lose": True}}, status=201)
        page = live(visit.open())
        page.get_by_role("button", name="Show commands").click()
        toast(page, "Buttons now show their command").get_by_role("button", name="Dismiss").click()
        # Each button with its view, and the effect of its command.
        stories = [
            ("/devices", lambda: page.get_by_role("switch", name="commanded online"),
             lambda: scene.api.device("commanded")["state"] == "offline"),
            ("/devices", lambda: page.get_by_role("button", name="Rotate token"),
             lambda: len(scene.api.device("commanded")["registrations"]) == 2),
            ("/faults", lambda: page.get_by_role("switch", name="commanded on"),
             lambda: scene.api.get("/api/v1/faults")["faults"][0]["enabled"] is False),
            ("/faults", lambda: page.get_by_role("button", name="Delete commanded"),
             lambda: scene.api.get("/api/v1/faults")["faults"] == []),
            ("/devices", lambda: page.get_by_role("button", name="Uninstall"),
             lambda: "uninstalled" in [one["state"] for one in scene.api.device("commanded")["registrations"]]),
        ]
        for path, control, holds in stories:
            view(page, {"/devices": "Devices", "/faults": "Faults"}[path]).click()
            control().first.click()
            command = shown_command(page)
            expect_that(not holds(), "the button", "to show alone", "it to act")
            run_command(command)
            expect_that(holds(), "the command", "to act", command)

    with scene.test("with Alt a button shows its command") as visit:
        scene.accepted("Not cleared")
        page = live(visit.open())
        page.get_by_role("button", name="Delete pushes…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete all").click(modifiers=["Alt"])
        command = shown_command(page)
        expect_equal("pushes", 1, scene.api.get("/api/v1/pushes/count")["count"])
        run_command(command)
        expect_equal("pushes", 0, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("the command of a mark quotes its text correctly") as visit:
        page = live(visit.open())
        page.get_by_role("button", name="Show commands").click()
        toast(page, "Buttons now show their command").get_by_role("button", name="Dismiss").click()
        page.get_by_role("button", name="Mark…").click()
        text = """it's "50 %" $HOME `id` \\ 日本"""
        page.get_by_role("dialog").get_by_role("textbox", name="Text").fill(text)
        page.get_by_role("dialog").get_by_role("button", name="Add mark").click()
        run_command(shown_command(page))
        texts = [mark["text"] for mark in scene.api.get("/api/v1/marks")["marks"]]
        expect_equal("marks", [text], texts)

    with scene.test("the curl command of the empty state works unchanged") as visit:
        page = live(visit.open())
        command = page.get_by_role("region", name="Code for curl").inner_text()
        run_command(scene.with_program(command))
        expect(row(page, "Hello")).to_contain_text("200")

    with scene.test("without a clipboard, as on plain http, a copy button says what is needed") as visit:
        visit.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        page = live(visit.open())
        page.get_by_role("button", name="Copy", exact=True).first.click()
        expect(page.get_by_role("button", name="Not copied: copying needs https or localhost")).to_be_visible()


def settings(page):
    """The form of the settings, opened."""
    page.get_by_role("button", name="Settings and more").click()
    page.get_by_role("button", name="Server settings…").click()
    return page.get_by_role("dialog", name="Settings")


def other_cases(scene):
    for viewport in (LAPTOP, NARROW):
        with scene.test(f"settings are described, changed and reset to their defaults, at {viewport['width']} px", viewport=viewport) as visit:
            page = live(visit.open())
            dialog = settings(page)
            expect(dialog.get_by_role("group", name="Devices")).to_contain_text("Whether a push to an unknown device token")
            expect(dialog.get_by_text("Changed", exact=True)).to_be_hidden()
            source = dialog.get_by_role("link", name="What APNs does: Unknown tokens")
            expect(source).to_have_attribute("href", "/docs/differences#unknown-tokens")
            fits(page)
            dialog.get_by_role("combobox", name="Unknown tokens").select_option("reject")
            expect(dialog.get_by_text("Changed", exact=True)).to_be_visible()
            dialog.get_by_role("button", name="Save").click()
            expect(toast(page, "Settings saved")).to_be_visible()
            expect_equal("unknownTokens", "reject", scene.api.get("/api/v1/settings")["unknownTokens"])
            dialog = settings(page)
            dialog.get_by_role("button", name="Reset Unknown tokens to default").click()
            expect(dialog.get_by_role("combobox", name="Unknown tokens")).to_be_focused()
            expect(dialog.get_by_text("Changed", exact=True)).to_be_hidden()
            dialog.get_by_role("button", name="Save").click()
            expect(dialog).to_have_count(0)
            expect_equal("unknownTokens", "accept", scene.api.get("/api/v1/settings")["unknownTokens"])

    with scene.test("each control of the header has a tooltip, and no two have the same icon") as visit:
        page = live(visit.open())
        header = page.get_by_role("banner")
        icons = []
        for button in header.get_by_role("button").all():
            title = button.get_attribute("title")
            expect_that(title, "a tooltip", "some", button.get_attribute("aria-label"))
            icons += [path.get_attribute("d") for path in button.locator("svg path").all()]
        expect_equal("icons", sorted(set(icons)), sorted(icons))

    with scene.test("the title names the view") as visit:
        page = live(visit.open())
        expect(page).to_have_title(re.compile("^Pushes · .*mock-apns$"))
        view(page, "Devices").click()
        expect(page).to_have_title(re.compile("^Devices · .*mock-apns$"))

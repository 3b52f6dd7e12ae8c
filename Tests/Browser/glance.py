"""Where things are on the page, by the roles and names that readers know them by."""

import re

from playwright.sync_api import expect


def live(page):
    """The page follows what happens."""
    expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Live")
    return page


def rows(page):
    """The pushes of the list that are drawn, the newest first."""
    return page.get_by_role("list", name="Pushes").get_by_role("link")


def row(page, text):
    """The pushes of the list in whose row this text stands."""
    return rows(page).filter(has_text=text)


def numbers(page):
    """The numbers of the pushes of the list that are drawn, from top to bottom."""
    return [int(text.lstrip("#")) for text in rows(page).locator(".seq").all_inner_texts()]


def detail(page):
    """The push that is open."""
    return page.get_by_role("region", name="Push", exact=True).first


def tab(page, name):
    """A tab of the push that is open; behind its name may stand a count."""
    return detail(page).get_by_role("tab", name=re.compile(f"^{name}"))


def panel(page, name):
    return detail(page).get_by_role("tabpanel", name=re.compile(f"^{name}"))


def banner(page):
    """What says on every view that faults are on."""
    return page.get_by_role("status", name="Faults that are on")


def toast(page, text):
    """A message that comes and goes."""
    return page.locator(".toast").filter(has_text=text)


def view(page, name):
    """The link of a view in the header."""
    return page.get_by_role("navigation", name="Views").get_by_role("link", name=re.compile(f"^{name}"))


def search(page):
    return page.get_by_role("combobox", name="Search pushes")


def fits(page):
    """Nothing of the document is wider than the window."""
    page.wait_for_function("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

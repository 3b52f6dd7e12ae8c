"""Where things are on the page, by the roles and names that readers know them by."""

import re

from playwright.sync_api import TimeoutError, expect

from report import Mismatch


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
    return page.get_by_role("status", name="Active faults")


def toast(page, text):
    """A message that comes and goes."""
    return page.locator(".toast").filter(has_text=text)


def view(page, name):
    """The link of a view in the header."""
    return page.get_by_role("navigation", name="Views").get_by_role("link", name=re.compile(f"^{name}"))


def search(page):
    return page.get_by_role("combobox", name="Search pushes")


def wait_until(page, function, argument=None):
    """Waits until a function of the page holds.

    It has to be a function: expressions are evaluated anew each time, which the page's policy forbids.
    """
    page.wait_for_function(function, arg=argument)


# Parts of the page that scroll sideways without being made for it: those can be reached by Tab, or are texts.
TOO_WIDE = """() => [...document.querySelectorAll("html, body, body *")].filter((one) => {
  if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0) return false
  if (one.matches("[tabindex='0'], [role=tablist], nav, pre, textarea, input, select")) return false
  return one === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(one).overflowX)
}).map((one) => `${one.localName}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`)"""


def fits(page):
    """Nothing of the page is wider than the window, nor scrolls sideways in a part of it."""
    try:
        wait_until(page, f"() => ({TOO_WIDE})().length === 0")
    except TimeoutError:
        raise Mismatch("parts that scroll sideways", [], page.evaluate(TOO_WIDE)) from None

"""Finds elements of the page by their roles and names."""

import re

from playwright.sync_api import TimeoutError, expect

from report import Mismatch


def live(page):
    """Waits until the page is connected."""
    expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Live")
    return page


def retry(page):
    """Clicks Retry now, unless the page has already connected by itself."""
    page.evaluate("() => [...document.querySelectorAll('button')].find((one) => one.innerText.trim() === 'Retry now')?.click()")
    live(page)


def rows(page):
    """The drawn rows of the list, newest first."""
    return page.get_by_role("list", name="Pushes").get_by_role("link")


def row(page, text):
    """The rows of the list that contain a text."""
    return rows(page).filter(has_text=text)


def numbers(page):
    """The numbers of the drawn rows, from top to bottom."""
    return [int(text) for text in rows(page).locator(".seq").all_text_contents()]


def detail(page):
    """The open push."""
    return page.get_by_role("region", name="Push", exact=True).first


def tab(page, name):
    """A tab of the open push. A count may follow its name."""
    return detail(page).get_by_role("tab", name=re.compile(f"^{name}"))


def panel(page, name):
    return detail(page).get_by_role("tabpanel", name=re.compile(f"^{name}"))


def tool(page, name):
    """A button of the open push. Opens "More" if the button is there."""
    expect(detail(page).get_by_role("button", name="Resend", exact=True)).to_be_visible()
    button = detail(page).get_by_role("button", name=name, exact=True)
    if button.count() == 0:
        detail(page).get_by_role("button", name="More", exact=True).click()
    return button


def banner(page):
    """The banner of active faults."""
    return page.get_by_role("status", name="Active faults")


def toast(page, text):
    """A temporary message."""
    return page.locator(".toast").filter(has_text=text)


def view(page, name):
    """The link of a view in the header."""
    return page.get_by_role("navigation", name="Views").get_by_role("link", name=re.compile(f"^{name}"))


def search(page):
    return page.get_by_role("combobox", name="Search pushes")


def choose_file(page, button, file):
    """Presses a button that asks for a file, and chooses it."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).click()
    chooser.value.set_files(file)


def wait_until(page, function, argument=None):
    """Waits until a function of the page holds.

    It must be a function: evaluating expressions is forbidden by the page's policy.
    """
    page.wait_for_function(function, arg=argument)


# Elements that scroll sideways, except those that are meant to: they are reachable by Tab, or contain text.
TOO_WIDE = """() => [...document.querySelectorAll("html, body, body *")].filter((one) => {
  if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth === 0) return false
  if (one.matches("[tabindex='0'], [role=tablist], nav, pre, textarea, input, select")) return false
  return one === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(one).overflowX)
}).map((one) => `${one.localName}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`)"""


def fits(page):
    """Checks that nothing is wider than the window or scrolls sideways."""
    try:
        wait_until(page, f"() => ({TOO_WIDE})().length === 0")
    except TimeoutError:
        raise Mismatch("parts that scroll sideways", [], page.evaluate(TOO_WIDE)) from None

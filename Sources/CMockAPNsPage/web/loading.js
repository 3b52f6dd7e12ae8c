// Runs before the other files of the page. One that is not loaded would leave an empty page, and browsers give up all
// that they are loading when the computer's network changes, which a starting container does. So the page is loaded
// again, and says what is missing if that does not help.

{
  /// Begins the name of a window that was loaded again; its number follows. Unlike storage, it cannot be forbidden.
  const AGAIN = "mock-apns loaded again "
  const MOST = 3
  const DELAY = 500
  const missing = []

  addEventListener("error", ({ target }) => {
    const isFile = target instanceof HTMLScriptElement || target instanceof HTMLLinkElement
    if (isFile) missing.push(target.src || target.href)
  }, true)

  addEventListener("load", () => {
    const loads = window.name.startsWith(AGAIN) ? Number(window.name.slice(AGAIN.length)) : 0
    if (loads > 0) window.name = ""
    if (missing.length === 0) return
    if (loads < MOST) {
      window.name = AGAIN + (loads + 1)
      setTimeout(() => location.reload(), DELAY)
      return
    }
    const text = document.createElement("p")
    text.setAttribute("role", "alert")
    text.textContent = `The page could not be loaded. Missing: ${missing.join(", ")}, or a file that it needs. `
    text.style.padding = "0 16px"
    const again = document.createElement("button")
    again.textContent = "Load again"
    again.addEventListener("click", () => location.reload())
    text.append(again)
    document.body.prepend(text)
  })
}

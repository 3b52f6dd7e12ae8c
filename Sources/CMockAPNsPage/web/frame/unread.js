// Reports pushes while the page is hidden: their count in the title and the icon, and a browser notification if the
// user turned that on.

import { soon } from "../core/core.js"
import { preference, savePreference } from "./preferences.js"

/// The minimum time between two changes of the title, and between two notifications.
const TITLE_PAUSE = 1_000
const NOTIFICATION_PAUSE = 5_000

export class Unread {
  #title = "mock-apns"
  #count = 0
  #showSoon = soon(() => this.#show(), TITLE_PAUSE)
  #notified = 0
  #notifiedAt = 0
  #link = document.querySelector("link[rel=icon]")

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return
      this.#count = 0
      this.#notified = 0
      this.#show()
    })
  }

  begin(title) {
    this.#title = title
    this.#show()
  }

  message({ type }) {
    if (type !== "push.received" || !document.hidden) return
    this.#count += 1
    this.#showSoon()
  }

  get notifies() { return preference("notifies") === "yes" && self.Notification?.permission === "granted" }

  /// Turns notifications on, after asking the browser for permission, or off. Resolves to whether they are on.
  async notify(wanted) {
    const isAllowed = wanted && self.Notification && (await Notification.requestPermission()) === "granted"
    savePreference("notifies", isAllowed ? "yes" : "no")
    return this.notifies
  }

  #show() {
    document.title = this.#count ? `(${this.#count}) ${this.#title}` : this.#title
    this.#badge()
    if (this.#count === this.#notified || !this.notifies || Date.now() < this.#notifiedAt + NOTIFICATION_PAUSE) return
    const number = this.#count - this.#notified
    this.#notified = this.#count
    this.#notifiedAt = Date.now()
    const words = number === 1 ? "A push arrived" : `${number} pushes arrived`
    const message = new Notification(words, { tag: "mock-apns" })
    message.onclick = () => {
      focus()
      message.close()
    }
  }

  /// Draws the count on the icon. The page's policy allows no other images than its own.
  #badge() {
    const text = this.#count > 99 ? "99+" : String(this.#count)
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="7" fill="#3557d6"/><circle cx="16" cy="16" r="13" fill="#fff"/>
      <text x="16" y="21.5" text-anchor="middle" font-family="sans-serif" font-weight="bold"
        font-size="${text.length > 2 ? 12 : 16}" fill="#b4232c">${text}</text></svg>`
    this.#link.href = this.#count ? `data:image/svg+xml,${encodeURIComponent(drawing)}` : "/ui/icon.svg"
  }
}

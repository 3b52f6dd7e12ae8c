// Reports pushes while the page is hidden: their count in the title and the icon, and a browser notification if the
// user turned that on.

import { kept, keep } from "./kept.js"

/// The minimum time between two changes of the title, and between two notifications.
const PAUSE = 1_000
const LULL = 5_000

export class Attention {
  #title = "mock-apns"
  #since = 0
  #timer = 0
  #noticed = 0
  #noticedAt = 0
  #link = document.querySelector("link[rel=icon]")
  #plain = this.#link.href
  #address = null

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return
      this.#since = 0
      this.#noticed = 0
      this.#show()
    })
  }

  /// Sets the page's title.
  begin(title) {
    this.#title = title
    this.#show()
  }

  message({ type }) {
    if (type !== "push.received" || !document.hidden) return
    this.#since += 1
    if (this.#timer === 0) this.#timer = setTimeout(() => this.#show(), PAUSE)
  }

  get notifies() { return kept("notifies") === "yes" && self.Notification?.permission === "granted" }

  /// Turns notifications on, after asking the browser for permission, or off. Resolves to whether they are on.
  async notify(wanted) {
    if (wanted && self.Notification && (await Notification.requestPermission()) === "granted") keep("notifies", "yes")
    else keep("notifies", "no")
    return this.notifies
  }

  #show() {
    clearTimeout(this.#timer)
    this.#timer = 0
    document.title = this.#since ? `(${this.#since}) ${this.#title}` : this.#title
    this.#badge()
    if (this.#since === this.#noticed || !this.notifies || Date.now() < this.#noticedAt + LULL) return
    const number = this.#since - this.#noticed
    this.#noticed = this.#since
    this.#noticedAt = Date.now()
    const words = number === 1 ? "A push arrived" : `${number} pushes arrived`
    const message = new Notification(words, { tag: "mock-apns" })
    message.onclick = () => {
      focus()
      message.close()
    }
  }

  /// Draws the count on the icon. The page's policy allows no other images than its own.
  #badge() {
    if (this.#address) URL.revokeObjectURL(this.#address)
    this.#address = null
    if (this.#since) {
      const text = this.#since > 99 ? "99+" : String(this.#since)
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
        <rect width="32" height="32" rx="7" fill="#3557d6"/><circle cx="16" cy="16" r="13" fill="#fff"/>
        <text x="16" y="21.5" text-anchor="middle" font-family="sans-serif" font-weight="bold"
          font-size="${text.length > 2 ? 12 : 16}" fill="#b4232c">${text}</text></svg>`
      this.#address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }))
    }
    this.#link.href = this.#address ?? this.#plain
  }
}

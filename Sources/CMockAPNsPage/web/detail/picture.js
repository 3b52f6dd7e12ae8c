// The picture of a push, as the server draws it, and the ways to keep it.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"

/// The views that the server draws.
export const VIEWS = [
  { name: "lock-screen", label: "Lock screen" },
  { name: "banner", label: "Banner" },
  { name: "notification-center", label: "Notification Center" },
  { name: "watch", label: "Watch" },
  { name: "live-activity", label: "Live Activity" },
]

/// How many dots of the bitmap stand for one of the drawing.
const SCALE = 3

export class Picture {
  element
  #app
  #frame = h("div", { class: "picture-frame" })
  #tools = h("div", { class: "bar" })
  #shown = null
  #image = null

  constructor(app) {
    this.#app = app
    this.element = h("figure", { class: "picture" }, this.#frame, h("figcaption", {}, this.#tools))
  }

  /// `options`: `{view, appearance, language}`. The picture before stays until this one is there.
  async show(record, preview, options) {
    const { api } = this.#app
    const path = `/pushes/${encodeURIComponent(record.id)}`
    const address = api.url(`${path}/preview.svg`, options)
    // The same address may show something else now: a table of strings was uploaded, or the inbox is another.
    const shown = {}
    this.#shown = shown
    const image = h("img", { alt: this.#words(preview, options), src: address })
    const apns = { href: api.url(`${path}/simctl.apns`), download: true, title: "For xcrun simctl push" }
    const name = `${record.id}-${options.view}-${options.appearance}`
    replace(
      this.#tools,
      h("a", { class: "button small", href: address, download: `${name}.svg` }, icon("download"), "SVG"),
      h("button", { class: "small", onclick: () => this.#savePNG(`${name}.png`) }, icon("download"), "PNG"),
      record.request.bodyKept ? h("a", { class: "button small", ...apns }, icon("download"), "Simulator") : null
    )
    try {
      await image.decode()
      if (this.#shown !== shown) return
      this.#image = image
      replace(this.#frame, image)
    } catch {
      // The browser says of a picture only that there is none.
      if (this.#shown !== shown) return
      this.#image = null
      replace(this.#frame, h("p", { class: "weak" }, "The server drew no picture of this."))
    }
  }

  /// What those who do not see the picture are told.
  #words(preview, { view }) {
    const label = VIEWS.find((row) => row.name === view)?.label ?? view
    const texts = [preview.title, preview.subtitle, preview.body].map((one) => one?.text).filter(Boolean)
    const shown = preview.isShown && texts.length > 0 ? texts.join(". ") : preview.headline
    return `${label}, approximately: ${plain(shown, 400)}`
  }

  #savePNG(name) {
    if (!this.#image) return
    const { naturalWidth, naturalHeight } = this.#image
    const canvas = h("canvas", { width: naturalWidth * SCALE, height: naturalHeight * SCALE })
    canvas.getContext("2d").drawImage(this.#image, 0, 0, canvas.width, canvas.height)
    canvas.toBlob((blob) => {
      if (!blob) {
        this.#app.toasts.show("The browser made no PNG of it; the SVG is the same picture.", { isProblem: true })
        return
      }
      const address = URL.createObjectURL(blob)
      h("a", { href: address, download: name }).click()
      // The browser takes the bytes while it begins to save them.
      setTimeout(() => URL.revokeObjectURL(address), 10_000)
    }, "image/png")
  }
}

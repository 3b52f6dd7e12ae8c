// The preview picture that the server draws, and its downloads.

import { h, plain, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"

export const VIEWS = [
  { name: "lock-screen", label: "Lock screen" },
  { name: "banner", label: "Banner" },
  { name: "notification-center", label: "Notification Center" },
  { name: "watch", label: "Watch" },
  { name: "live-activity", label: "Live Activity" },
]

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

  /// `options` is `{view, appearance, language}`. The previous picture stays until this one is loaded.
  async show(record, preview, options) {
    const { api } = this.#app
    const path = `/pushes/${encodeURIComponent(record.id)}`
    const address = api.url(`${path}/preview.svg`, options)
    // The picture at the same URL may have changed: strings were uploaded, or the inbox changed.
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
      // The browser gives no reason.
      if (this.#shown !== shown) return
      this.#image = null
      replace(this.#frame, h("p", { class: "weak" }, "The picture could not be loaded."))
    }
  }

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
        this.#app.toasts.show("The browser could not create a PNG. The SVG is the same picture.", { isProblem: true })
        return
      }
      const address = URL.createObjectURL(blob)
      h("a", { href: address, download: name }).click()
      // The browser needs the URL until the download has started.
      setTimeout(() => URL.revokeObjectURL(address), 10_000)
    }, "image/png")
  }
}

// The preview picture that the server draws, and its downloads.

import { api, h, icon, plain, replace, showLoaded, toasts } from "../core/core.js"

export const VIEWS = [
  { name: "lock-screen", label: "Lock screen" },
  { name: "banner", label: "Banner" },
  { name: "notification-center", label: "Notification Center" },
  { name: "watch", label: "Watch" },
  { name: "live-activity", label: "Live Activity" },
]

const SCALE = 3

export class Picture {
  element = h("div.picture-frame")
  tools = h("div.bar")

  /// `options` are parameters of `preview.svg`; `onCrop` is called by a click on the picture. The previous
  /// picture stays until this one is loaded.
  show(record, preview, options, onCrop) {
    const path = `/pushes/${encodeURIComponent(record.id)}`
    const parameters = { ...options, timeZone: offset(record.receivedAt) }
    const address = api.url(`${path}/preview.svg`, parameters)
    const apns = { href: api.url(`${path}/simctl.apns`), download: true, title: "For xcrun simctl push" }
    const name = `${record.id}-${options.view}-${options.appearance}`
    replace(this.tools,
      h("a.button.small", { href: address, download: `${name}.svg` }, icon("download"), "SVG"),
      h("button.small", { onclick: () => this.#savePNG(`${name}.png`) }, icon("download"), "PNG"),
      record.request.bodyKept ? h("a.button.small", apns, icon("download"), "Simulator") : null)
    // Not by its address: the browser would show an earlier picture with the same address again.
    const image = async () => {
      const src = `data:image/svg+xml,${encodeURIComponent(await api.text(`${path}/preview.svg`, parameters))}`
      return loaded(h("img", { alt: altText(preview, options), src, onclick: onCrop }))
    }
    showLoaded(this.element, image, (picture) => {
      this.element.classList.toggle("whole", options.crop === "device")
      return picture
    })
  }

  #savePNG(name) {
    const image = this.element.querySelector("img")
    if (!image) return
    const canvas = h("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE })
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
    canvas.toBlob((blob) => {
      if (!blob) {
        toasts.show("The browser could not create a PNG. The SVG is the same picture.", { isProblem: true })
        return
      }
      const address = URL.createObjectURL(blob)
      h("a", { href: address, download: name }).click()
      // The browser needs the URL until the download has started.
      setTimeout(() => URL.revokeObjectURL(address), 10_000)
    }, "image/png")
  }
}

/// Resolves to an image when it can be shown.
async function loaded(image) {
  // The browser gives no reason.
  await image.decode().catch(() => { throw new Error("The picture could not be loaded.") })
  return image
}

function altText(preview, { view }) {
  const label = VIEWS.find((row) => row.name === view)?.label ?? view
  const texts = [preview.title, preview.subtitle, preview.body].map((one) => one?.text).filter(Boolean)
  const shown = preview.isShown && texts.length > 0 ? texts.join(". ") : preview.headline
  return `${label}, approximately: ${plain(shown, 400)}`
}

/// The reader's offset from UTC at a time, such as `+02:00`.
function offset(time) { return new Date(time).toString().replace(/^.*GMT([+-]\d\d)(\d\d).*$/, "$1:$2") }

// The dialog that describes an app: its name and its icon.

import { toasts } from "./actions.js"
import { Call } from "./api.js"
import { appSchemas } from "./app-schemas.js"
import { apps } from "./apps.js"
import { h, plain, replace } from "./dom.js"
import { fileButton } from "./file-button.js"
import { formDialog } from "./form-dialog.js"

const NAME = [{ name: "name", label: "Name", kind: "text", placeholder: "Example" }]

/// The width and height of icons: enough for the pictures, and within the limit of the API for any image.
const SIDE = 120

/// Opens the dialog for the app of a topic. `onChange` is called after a change.
export async function openApp(topic, onChange = () => {}) {
  try {
    await apps.load()
  } catch (error) {
    toasts.problem(error)
    return
  }
  const path = `/apps/${encodeURIComponent(topic)}`
  const known = apps.of(topic)
  let icon = known?.icon ?? undefined
  const picture = h("span.icon-field")
  const state = h("span.weak", { role: "status" })
  const clear = h("button.small", { type: "button", onclick: () => choose(undefined, "No icon.") }, "Remove icon")
  const choose = (chosen, words) => {
    icon = chosen
    replace(picture, icon && [h("img.app-icon", { src: icon, alt: "", width: 40, height: 40 }), clear])
    replace(state, words)
  }
  const pick = fileButton("Choose icon…", "image/*", async (file) => {
    try {
      choose(await iconOf(file), "Save to use this icon.")
    } catch { choose(icon, "The browser cannot read this file as an image. Choose a PNG or JPEG file.") }
  })
  choose(icon, icon ? "" : "Without an icon, previews show a letter.")
  const changed = async (words) => {
    toasts.show(words)
    await apps.load()
    onChange()
  }
  formDialog({
    title: "App name and icon",
    intro: ["Shown instead of ", h("strong.foreign", plain(topic, 120)), " in lists and previews."],
    fields: NAME,
    value: { name: known?.name ?? undefined },
    button: "Save",
    makeCall: ({ name }) => new Call("PUT", path, { name, icon }),
    onDone: () => changed("Saved the app's name and icon."),
    foot: [h("div.bar", picture, pick), state, appSchemas(topic)],
    remove: known && {
      label: "Delete description",
      makeCall: () => new Call("DELETE", path),
      onDone: () => changed("Deleted the app's name and icon."),
    },
  })
}

/// An image file as a data URL of a small PNG, cropped to a square.
async function iconOf(file) {
  const image = await createImageBitmap(file)
  const canvas = h("canvas", { width: SIDE, height: SIDE })
  const side = Math.min(image.width, image.height)
  canvas.getContext("2d").drawImage(
    image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE)
  return canvas.toDataURL("image/png")
}

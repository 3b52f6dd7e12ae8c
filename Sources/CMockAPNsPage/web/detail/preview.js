// The tab with the preview: picture, facts and app states.

import { api, Choice, h, icon, keepingFocus, openApp, replace, router, showLoaded } from "../core/core.js"
import { openInbox } from "./inbox.js"
import { Picture, VIEWS } from "./picture.js"
import { appStates, previewFacts } from "./previewfacts.js"
import { openStrings } from "./strings.js"

const LOOKS = [{ name: "light", label: "Light" }, { name: "dark", label: "Dark" }]

const USUAL = "lock-screen"

class PreviewTab {
  element = h("div.preview-tab")
  #views = new Choice("View", VIEWS, (name) => this.#go({ view: name }))
  #looks = new Choice("Device appearance", LOOKS, (name) => this.#go({ look: name }))
  #language = h("select", { "aria-label": "Language", onchange: () => this.#go({ language: this.#language.value }) })
  #strings = h("button.small", { onclick: () => openStrings(this.#preview, this.#renew) }, "Edit strings…")
  #app = h("button.small", { onclick: () => openApp(this.#preview.app.bundleId, this.#renew) }, "Edit app…")
  #crop = h("button.small", { onclick: () => this.#switchCrop() }, "Whole screen")
  #picture = new Picture()
  #facts = h("div.preview-facts")
  #states = h("div")
  #inbox = h("button.small", { onclick: () => openInbox(this.#record) }, icon("device"), "Open Notification Center…")
  #stage = h("div.stage", this.#picture.element, this.#facts, h("div.preview-controls.bar",
    this.#views.element, h("div.bar", this.#looks.element, this.#crop, this.#language), this.#picture.tools))
  #record = null
  #preview = null
  #renew = () => this.show(this.#record, router.route.parameters)

  constructor() {
    // Another client may have changed the strings meanwhile.
    addEventListener("focus", () => { if (this.element.checkVisibility()) this.#renew() })
  }

  show(record, parameters) {
    this.#record = record
    const read = () => Promise.all([
      api.get(`/pushes/${encodeURIComponent(record.id)}/preview`, { language: parameters.language }),
      api.get("/strings"),
    ])
    showLoaded(this.element, read, ([preview, { tables }]) => {
      this.#preview = preview
      this.#draw(tables, parameters)
      // What is shown already keeps its focus.
      return this.#stage.isConnected ? undefined : [this.#stage, this.#states, h("div", this.#inbox)]
    })
  }

  #draw(tables, parameters) {
    const [record, preview] = [this.#record, this.#preview]
    this.#showChoices(preview, tables, parameters)
    keepingFocus(this.#facts, () => replace(this.#facts,
      previewFacts(preview, this.#renew), h("div.bar", this.#strings, this.#app)))
    replace(this.#states, appStates(preview))
    const crop = parameters.crop === "device" ? "device" : "notification"
    this.#crop.ariaPressed = String(crop === "device")
    const { language } = parameters
    const options = { view: this.#views.value, appearance: this.#looks.value, language, crop }
    this.#picture.show(record, preview, options, () => this.#switchCrop())
    this.#inbox.hidden = record.apns.token === null || record.response.status !== 200
  }

  #showChoices(preview, tables, { view, look, language = "" }) {
    const fitting = preview.views
    this.#views.limit(fitting)
    this.#views.value = fitting.includes(view) ? view : fitting.includes(USUAL) ? USUAL : fitting[0]
    this.#looks.value = this.#looks.has(look) ? look : isDark() ? "dark" : "light"
    const own = tables.filter((table) => table.topic === preview.app.bundleId).map((table) => table.language)
    const used = preview.language ? ` (${preview.language})` : ""
    const isOther = language !== "" && !own.includes(language)
    replace(this.#language,
      h("option", { value: "" }, `Default language${used}`),
      own.map((one) => h("option", { value: one }, one)),
      isOther ? h("option", { value: language }, `${language} (no table)`) : null)
    this.#language.value = language
    this.#language.hidden = own.length === 0 && !isOther
  }

  /// Shows the whole device, or only the notification.
  #switchCrop() { this.#go({ crop: router.route.parameters.crop === "device" ? null : "device" }) }

  #go(changes) { router.go(router.here(changes), { instead: true }) }
}

const tab = new PreviewTab()

/// Returns the tab's element, which stays the same: the picture of one push is shown until the next one is loaded.
export function previewTab(record, parameters) {
  tab.show(record, parameters)
  return tab.element
}

/// Whether the page currently uses the dark appearance.
function isDark() {
  const { colorScheme } = document.documentElement.style
  return colorScheme === "dark" || colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches
}

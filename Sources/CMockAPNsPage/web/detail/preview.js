// The tab with the preview: picture, facts and app states.

import { api } from "../core/api.js"
import { openApp } from "../core/app-form.js"
import { Choice } from "../core/choice.js"
import { h, icon, problemNote, replace } from "../core/elements.js"
import { router } from "../core/router.js"
import { openInbox } from "./inbox.js"
import { Picture, VIEWS } from "./picture.js"
import { appStates, previewFacts } from "./previewfacts.js"
import { openStrings } from "./strings.js"

const LOOKS = [
  { name: "light", label: "Light" },
  { name: "dark", label: "Dark" },
]

const USUAL = "lock-screen"

export class PreviewTab {
  element = h("div.preview-tab")
  #views = new Choice("View", VIEWS, (name) => this.#go({ view: name }))
  #looks = new Choice("Device appearance", LOOKS, (name) => this.#go({ look: name }))
  #language = h("select", { "aria-label": "Language", onchange: () => this.#go({ language: this.#language.value }) })
  #strings = h("button.small", { onclick: () => openStrings(this.#preview, this.#renew) }, "Edit strings…")
  #app = h("button.small", { onclick: () => openApp(this.#preview.app.bundleId, this.#renew) }, "Edit app…")
  #picture = new Picture()
  #facts = h("div.preview-facts")
  #states = h("div")
  #inbox = h("button.small", { onclick: () => openInbox(this.#record) }, icon("device"), "Open Notification Center…")
  #stage = h("div.stage", this.#picture.element, this.#facts, h("div.preview-controls.bar",
    this.#views.element, this.#looks.element, this.#language, this.#strings, this.#app, this.#picture.tools))
  #record = null
  #preview = null
  /// Incremented for each request, so that late responses are ignored.
  #turn = 0
  #renew = () => this.show(this.#record, router.route.parameters)

  async show(record, parameters) {
    this.#turn += 1
    const turn = this.#turn
    this.#record = record
    const { language } = parameters
    try {
      const [preview, { tables }] = await Promise.all([
        api.get(`/pushes/${encodeURIComponent(record.id)}/preview`, { language }),
        api.get("/strings"),
      ])
      if (turn !== this.#turn) return
      this.#preview = preview
      if (this.#stage.parentNode !== this.element) {
        replace(this.element, this.#stage, this.#states, h("div", this.#inbox))
      }
      this.#showChoices(preview, tables, parameters)
      replace(this.#facts, previewFacts(preview, this.#renew))
      replace(this.#states, appStates(preview))
      const crop = parameters.crop === "device" ? "device" : "notification"
      const options = { view: this.#views.value, appearance: this.#looks.value, language, crop }
      this.#picture.show(record, preview, options, () => this.#go({ crop: crop === "device" ? null : "device" }))
      this.#inbox.hidden = record.apns.token === null || record.response.status !== 200
    } catch (error) {
      if (turn !== this.#turn) return
      replace(this.element, problemNote(error, () => this.show(record, parameters)))
    }
  }

  #showChoices(preview, tables, { view, look, language }) {
    const fitting = preview.views
    this.#views.limit(fitting)
    this.#views.value = fitting.includes(view) ? view : fitting.includes(USUAL) ? USUAL : fitting[0]
    this.#looks.value = LOOKS.some((row) => row.name === look) ? look : isDark() ? "dark" : "light"
    const own = tables.filter((table) => table.topic === preview.app.bundleId).map((table) => table.language)
    const used = preview.language ? ` (${preview.language})` : ""
    replace(this.#language,
      h("option", { value: "" }, `Default language${used}`),
      own.map((one) => h("option", { value: one }, one)))
    if (language && !own.includes(language)) {
      this.#language.append(h("option", { value: language }, `${language} (no table)`))
    }
    this.#language.value = language ?? ""
    this.#language.hidden = own.length === 0 && !language
  }

  #go(changes) { router.go(router.here(changes), { instead: true }) }
}

/// Whether the page currently uses the dark appearance.
function isDark() {
  const theme = document.documentElement.dataset.theme
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
}

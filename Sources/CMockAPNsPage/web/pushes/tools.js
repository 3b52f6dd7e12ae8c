// What can be done with the list as a whole: pause, mark, export, import, clear.

import { openDialog } from "../core/actions.js"
import { Call } from "../core/api.js"
import { h, replace } from "../core/dom.js"
import { icon } from "../core/icons.js"
import { Popover } from "../core/popover.js"
import { count } from "../core/time.js"

/// The forms of an export; one row each.
const FORMATS = [
  { format: "ndjson", label: "NDJSON", about: "one push a line; can be imported again", file: "pushes.ndjson" },
  { format: "har", label: "HAR", about: "for a browser's network panel or a proxy", file: "pushes.har" },
]

/// The bar below the list.
export class Tools {
  #app
  #feed
  #export
  #words = h("p", { class: "weak shown", role: "status", "aria-label": "How much is shown" })
  #pause = h("button", { class: "quiet small", onclick: () => this.#feed.move({ isPaused: !this.#feed.isPaused }) })
  #saidAt = 0
  #timer = 0

  constructor(app, feed) {
    this.#app = app
    this.#feed = feed
    const exporting = h("button", { class: "quiet small" }, icon("download"), "Export")
    this.#export = new Popover(exporting, "Export and import", () => this.#exports())
    this.element = h(
      "div",
      { class: "push-tools" },
      this.#words,
      h("div", { class: "buttons" },
        this.#pause,
        h("button", { class: "quiet small", onclick: () => this.#mark() }, icon("mark"), "Mark…"),
        exporting,
        this.#export.panel,
        h("button", { class: "quiet small", onclick: () => this.#clear() }, icon("trash"), "Clear…"))
    )
    feed.addEventListener("changed", () => this.#soon())
    this.#say()
  }

  openExport() { this.#export.open() }

  /// The words are for people: four times a second is enough.
  #soon() {
    if (this.#timer) return
    this.#timer = setTimeout(() => this.#say(), Math.max(0, this.#saidAt + 250 - Date.now()))
  }

  #say() {
    this.#timer = 0
    this.#saidAt = Date.now()
    const { model, total, evicted, isSampling, isPaused, rate } = this.#feed
    const words = isSampling
      ? `About ${count(rate)}/s, showing a sample · ${count(total)} in all`
      : `${count(model.pushes)} shown of ${count(Math.max(total, model.pushes))} · ${count(evicted)} evicted`
    if (this.#words.textContent !== words) replace(this.#words, words)
    const state = isPaused ? "Resume" : "Pause"
    if (this.#pause.textContent === state) return
    replace(this.#pause, icon(isPaused ? "play" : "pause"), state)
    this.#pause.setAttribute("aria-pressed", String(isPaused))
  }

  #exports() {
    const { api, actions } = this.#app
    const input = h("input", { type: "file", id: "import-file", class: "said", accept: ".ndjson,.jsonl" })
    input.addEventListener("change", () => {
      const [file] = input.files
      if (!file) return
      this.#export.close()
      const call = new Call("POST", "/pushes/import", file, {}, "application/x-ndjson")
      actions.run(call, { onDone: (answer) => this.#imported(answer) })
    })
    const words = this.#feed.q ? "What the search finds, as" : "All pushes, as"
    return [
      h("p", { class: "weak" }, words),
      h("ul", { class: "links" }, FORMATS.map(({ format, label, about, file }) => {
        const parameters = { format, q: this.#feed.q }
        return h("li", {}, h(
          "a",
          {
            href: api.url("/pushes/export", parameters),
            download: file,
            onclick: (event) => {
              if (!actions.showsCommands && !event.altKey) return
              event.preventDefault()
              actions.showCommand(new Call("GET", "/pushes/export", undefined, parameters))
            },
          },
          label
        ), h("span", { class: "weak" }, ` — ${about}`))
      })),
      h("label", { class: "button small", for: "import-file" }, "Import NDJSON…"),
      input,
    ]
  }

  #imported(answer) {
    const number = answer?.imported ?? 0
    this.#app.toasts.show(`Imported ${count(number)} ${number === 1 ? "push" : "pushes"}.`)
    this.#feed.load()
  }

  #mark() {
    const field = h("input", { id: "mark-text", maxlength: "200", placeholder: "test “shipsOrder” starts" })
    const mark = this.#app.actions.button("Mark", () => {
      if (field.value.trim()) return new Call("POST", "/marks", { text: field.value.trim() })
      field.focus()
      return null
    }, { kind: "primary", onDone: () => dialog.close() })
    const dialog = openDialog("Mark this moment", h(
      "form",
      {
        class: "settings",
        onsubmit: (event) => event.preventDefault(),
      },
      h("p", { class: "weak" },
        "The text stands between the pushes before and after now, and in the stream of events."),
      h("label", { class: "field", for: "mark-text" }, "Text", field),
      h("div", { class: "dialog-buttons" }, mark)
    ))
    field.focus()
  }

  #clear() {
    const { q, total } = this.#feed
    const { actions } = this.#app
    const clear = (parameters) => new Call("DELETE", "/pushes", undefined, parameters)
    const button = (label, parameters) => actions.button(label, () => clear(parameters), {
      kind: "danger",
      onDone: ({ deleted }) => {
        dialog.close()
        this.#app.toasts.show(`${count(deleted)} ${deleted === 1 ? "push is" : "pushes are"} gone.`)
      },
    })
    const dialog = openDialog(
      "Clear the list",
      h("p", {}, "The pushes are gone for good, here and for every test that asks. Devices, faults and keys stay."),
      q ? h("p", {}, "The search is ", h("code", { class: "foreign" }, q), ".") : null,
      h("div", { class: "dialog-buttons" },
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        q ? button(`Clear the ${count(total)} that the search finds`, { q }) : null,
        q ? null : button("Clear the rejected", { q: "is:rejected" }),
        button("Clear all", { all: "true" }))
    )
  }
}

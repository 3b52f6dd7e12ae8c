// The toolbar of the list: pause, send, mark, export, import, delete.

import {
  actions, api, Call, count, counts, fileButton, h, icon, openDialog, openMark, Popover, pushCount, refill, soon,
  toasts,
} from "../core/core.js"
import { openSend } from "../send/send.js"
import { RateLine } from "./rate-line.js"

const ABOUT_EXPORT = "one push per line; can be imported"

/// The shortest interval between two changes of the count (milliseconds).
const PAUSE = 250

export class Tools {
  #feed
  #export
  #words = h("p.weak.shown", { role: "status", "aria-label": "Pushes shown" })
  #pause = button("pause", "Pause", () => this.#feed.move({ isPaused: !this.#feed.isPaused }))
  /// The number of pushes without a search.
  #all = 0
  #saySoon = soon(() => this.#say(), PAUSE)

  constructor(feed) {
    this.#feed = feed
    const exporting = button("download", "Export")
    this.#export = new Popover(exporting, "Export and import", () => this.#exports())
    this.element = h("div.push-tools",
      this.#words,
      new RateLine(feed).element,
      h("div.buttons",
        this.#pause,
        button("send", "Send…", () => openSend()),
        button("mark", "Mark…", openMark),
        exporting,
        this.#export.panel,
        button("trash", "Delete pushes…", () => this.#delete())))
    feed.addEventListener("changed", () => {
      this.#drawPause()
      this.#saySoon()
    })
    counts.addEventListener("changed", ({ detail: { name, value } }) => {
      if (name !== "pushes") return
      this.#all = value
      this.#saySoon()
    })
  }

  openExport() { this.#export.open() }

  #drawPause() {
    const { isPaused } = this.#feed
    this.#pause.title = isPaused ? "Resume" : "Pause"
    this.#pause.ariaPressed = isPaused
    refill(this.#pause, isPaused, () => [icon(isPaused ? "play" : "pause"), h("span.word", this.#pause.title)])
  }

  #say() {
    if (this.#feed.isLoading && this.#feed.model.length === 0) return
    const { total, isSampling, rate, q, after, pages: { isKept, evicted } } = this.#feed
    const older = isKept ? " · older ones are kept" : evicted ? ` · ${count(evicted)} older ones evicted` : ""
    const all = Math.max(total, this.#all)
    const part = total < all ? `${count(total)} of ${pushCount(all)} match` : `${pushCount(total)}, all match`
    const shown = q || after !== null ? part : pushCount(total)
    const words = isSampling ? `About ${count(rate)}/s, showing a sample · ${count(total)} in total` : shown + older
    refill(this.#words, words)
  }

  #exports() {
    const { q, after } = this.#feed
    const all = after === null ? "Export all pushes" : `Export pushes after #${count(after)}`
    const words = q ? "Export matching pushes" : all
    return [
      h("p.weak", words),
      h("ul.links", h("li", exportLink(this.#feed.filter), h("span.weak", ` — ${ABOUT_EXPORT}`))),
      fileButton("Import NDJSON…", ".ndjson,.jsonl", (file) => this.#import(file)),
    ]
  }

  #import(file) {
    this.#export.close()
    actions.run(new Call("POST", "/pushes/import", file, {}, "application/x-ndjson"), { onDone: ({ imported }) => {
      toasts.show(`Imported ${pushCount(imported)}.`)
      this.#feed.load()
    } })
  }

  #delete() {
    const { q, after, total } = this.#feed
    const isNarrowed = q || after !== null
    const narrow = `Delete ${count(total)} ${q ? "matching" : "listed"}`
    const call = (parameters) => new Call("DELETE", "/pushes", undefined, parameters)
    const choice = (label, parameters) => actions.button(label, () => call(parameters), {
      kind: "danger",
      onDone: ({ deleted }) => {
        dialog.close()
        toasts.show(`Deleted ${pushCount(deleted)}.`)
      },
    })
    const dialog = openDialog("Delete pushes",
      h("p", "This removes the pushes from the journal and cannot be undone. Devices, faults and keys stay."),
      q ? h("p", "Search: ", h("code.foreign", q)) : null,
      after === null ? null : h("p", `The list starts after #${count(after)}.`),
      h("div.dialog-buttons",
        h("button", { onclick: () => dialog.close() }, "Cancel"),
        isNarrowed ? choice(narrow, this.#feed.filter) : null,
        isNarrowed ? null : choice("Delete rejected", { q: "is:rejected" }),
        choice("Delete all", { all: "true" })))
  }
}

/// The link that exports the pushes which `filter` selects.
export function exportLink(filter, properties = {}) {
  return h("a", {
    ...properties,
    title: ABOUT_EXPORT,
    href: api.url("/pushes/export", filter),
    download: "pushes.ndjson",
    onclick: (event) => {
      if (!actions.showsCommands && !event.altKey) return
      event.preventDefault()
      actions.showCommand(new Call("GET", "/pushes/export", undefined, filter))
    },
  }, "NDJSON")
}

/// A button of the toolbar. In a narrow toolbar, its label is visible only to screen readers and as a tooltip.
function button(iconName, word, onclick = null) {
  const words = h("span.word", word)
  return h("button.quiet.small", { title: word, onclick }, icon(iconName), words)
}

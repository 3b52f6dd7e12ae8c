// The columns of the list: their heads, and widths by what the rows contain.

import { h } from "../core/core.js"
import { cellTexts } from "./row.js"

const GAPS = "Number of the event. Responses and deliveries have numbers, too, so there are gaps."

/// The columns. Those with `most` are as wide as their longest text, up to this number of characters.
const COLUMNS = [
  { name: "seq", head: "#", title: GAPS, most: 9 },
  { name: "time", head: "Time", title: "Local time" },
  { name: "result", head: "Result", most: 36 },
  { name: "type", head: "Type", most: 18 },
  { name: "topic", head: "Topic", most: 48 },
  { name: "device", head: "Device", most: 20 },
  { name: "about", head: "Notification" },
  { name: "took", head: "Latency", title: "From the complete request to the response" },
  { name: "conn", head: "Conn.", title: "Connection" },
]

/// The width of a character of text, as a share of that of a digit.
const SHARE = 0.92

export class Columns {
  /// The heads. Screen readers read rows as texts that need no heads.
  element = h("div.push-heads", { "aria-hidden": "true" },
    COLUMNS.map(({ name, head, title }) => h("span", { class: name, title }, head)))
  #list
  #widths = {}

  /// `list` is the element whose style gets the widths.
  constructor(list) { this.#list = list }

  /// Makes room for the texts of a push.
  fit(push) {
    const texts = cellTexts(push)
    for (const { name, head, most } of COLUMNS) {
      if (most) this.#widen(name, Math.min(most, Math.max(head.length, texts[name].length)))
    }
  }

  #widen(name, width) {
    if (width <= (this.#widths[name] ?? 0)) return
    this.#widths[name] = width
    this.#list.style.setProperty(`--${name}`, `${(width * SHARE + 1).toFixed(1)}ch`)
  }
}

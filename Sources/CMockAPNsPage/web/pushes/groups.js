// The list with one row for the pushes that had the same outcome. A row opens to its newest pushes.

import { api, appPart, count, h, icon, plain, replace, router, Rows, showLoaded, soon } from "../core/core.js"
import { Columns } from "./columns.js"
import { pushEntry } from "./model.js"
import { fillRow } from "./row.js"
import { partsOf, term } from "./terms.js"

/// The shortest interval between two requests (milliseconds), and the pushes that an open group shows.
const PAUSE = 1_000
const SHOWN = 20

export class Groups {
  element = h("div.push-list.push-groups", { hidden: true })
  #feed
  #list
  #rows
  #problem = h("div")

  /// `list` is the list of all pushes, `ungroup()` shows it.
  constructor(feed, list, ungroup) {
    this.#feed = feed
    this.#list = list
    const groups = h("ul", { "aria-label": "Groups of pushes", role: "list" })
    this.#rows = new Rows(groups, () => new Group(this, ungroup))
    this.element.append(this.#problem, groups)
    const loadSoon = soon(() => this.load(), PAUSE)
    feed.addEventListener("changed", () => loadSoon())
  }

  /// The filter for the pushes of a group.
  filterOf({ outcome, status, reason, topic, pushType }) {
    const terms = [term("is", outcome), term("type", pushType)]
    if (status) terms.push(term("status", status))
    if (reason) terms.push(term("reason", reason))
    if (topic !== null) terms.push(term("topic", topic))
    const parts = partsOf(this.#feed.q)
    return { q: [...new Set([...parts, ...terms])].join(" "), after: this.#feed.after }
  }

  /// Draws the row of a push.
  rowOf(push) {
    const row = h("li.push-row")
    fillRow(row, pushEntry(push), this.#list.pathOf(push.id), this.#list.faultNames)
    return row
  }

  load() {
    if (this.element.hidden || document.hidden) return
    showLoaded(this.#problem, () => api.get("/pushes/groups", this.#feed.filter), ({ groups }) => {
      this.#rows.set(groups.map((group) => [keyOf(group), group]))
      return null
    })
  }
}

function keyOf({ outcome, status, reason, topic, pushType }) {
  return JSON.stringify([outcome, status, reason, topic, pushType])
}

/// The row of a group.
class Group {
  #groups
  #ungroup
  #group = null
  #count = h("span.chip")
  #facts = h("span.group-facts")
  #pushes = h("div")
  #details = h("details", { ontoggle: () => this.#load() }, h("summary", this.#count, this.#facts), this.#pushes)
  element = h("li.push-group", this.#details)
  #columns = new Columns(this.element)

  constructor(groups, ungroup) {
    this.#groups = groups
    this.#ungroup = ungroup
  }

  update(group) {
    const isOther = this.#group?.count !== group.count || this.#group?.last !== group.last
    this.#group = group
    if (!isOther) return
    const { outcome, status, reason, topic, pushType } = group
    const isAccepted = outcome === "accepted"
    replace(this.#count, `× ${count(group.count)}`)
    const words = reason ?? (isAccepted ? "Accepted" : "Rejected")
    replace(this.#facts,
      h("span.result", { class: isAccepted ? "good" : "bad" },
        icon(outcome), h("span", h("span.status", status || ""), ` ${words}`)),
      h("span.type", plain(pushType, 40)),
      topic === null ? h("span.weak", "no topic") : appPart(topic, "weak foreign"))
    this.#load()
  }

  #load() {
    if (!this.#details.open) return
    const group = this.#group
    const filter = this.#groups.filterOf(group)
    const newest = { ...filter, order: "desc", limit: SHOWN, fields: "summary" }
    showLoaded(this.#pushes, () => api.get("/pushes", newest), (answer) => {
      // A search cannot ask for a push without a topic.
      const pushes = answer.pushes.filter(({ topic }) => topic === group.topic)
      for (const push of pushes) this.#columns.fit(push)
      const all = group.count > pushes.length ? h("li.group-all", h(
        "a", { href: router.path("/", filter), onclick: this.#ungroup }, `Show all ${count(group.count)}`)) : null
      return h("ol", { role: "list" }, pushes.map((push) => this.#groups.rowOf(push)), all)
    })
  }
}

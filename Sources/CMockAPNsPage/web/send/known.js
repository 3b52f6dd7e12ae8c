// Completion of the send form: the known devices and topics.

import { api, h, plain, replace } from "../core/core.js"

let made = 0

export class Known {
  #devices = h("datalist", { id: `known-devices-${made += 1}` })
  #topics = h("datalist", { id: `known-topics-${made}` })
  element = h("div", { hidden: true }, this.#devices, this.#topics)
  /// The ids of the lists.
  ids = { devices: this.#devices.id, topics: this.#topics.id }

  /// Reads what is known.
  async read() {
    const [{ devices }, { values }] = await Promise.all([
      api.get("/devices", { limit: 200 }),
      api.get("/pushes/values", { field: "topic", limit: 200 }),
    ])
    const apps = devices.flatMap(({ registrations }) => registrations)
    replace(this.#devices,
      devices.filter(({ label }) => label).map(({ label, state }) => option(`@${label}`, state)),
      apps.map(({ token, topic, label }) => option(token, [label, topic].filter(Boolean).join(", "))))
    const topics = [...values.map(({ value }) => value), ...apps.map(({ topic }) => topic)]
    replace(this.#topics, [...new Set(topics)].map((topic) => option(topic)))
  }
}

function option(value, words = null) { return h("option", { value, label: words && plain(words, 100) }) }

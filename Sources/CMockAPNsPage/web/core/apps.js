// The names and icons of apps, which are shown instead of topics. `PUT /api/v1/apps/{topic}` describes them.

import { api } from "./api.js"
import { h, plain, replace } from "./dom.js"
import { suffixOf, withoutSuffix } from "./vocabulary.js"

/// The described apps of the namespace. The event `changed` follows each change.
class Apps extends EventTarget {
  /// Names and icons by bundle identifier.
  #known = new Map()
  #text = ""
  /// Incremented for each request, so that late responses are ignored.
  #turn = 0

  /// Loads the descriptions, and updates everything that shows them.
  async load() {
    const turn = this.#turn += 1
    const { apps } = await api.get("/apps")
    const text = JSON.stringify(apps)
    if (turn !== this.#turn || text === this.#text) return
    this.#text = text
    this.#known = new Map(apps.map(({ topic, name, icon }) => [topic, { name, icon }]))
    for (const element of document.querySelectorAll(".app-part")) fill(element)
    this.dispatchEvent(new Event("changed"))
  }

  /// The description of the app of a topic: `{name, icon}`, or `undefined`. The icon is a data URL.
  of(topic) { return this.#known.get(withoutSuffix(topic)) }

  /// The name of the app of a topic and the suffix, or the topic.
  words(topic) {
    const name = this.of(topic)?.name
    return plain(name ? [name, suffixOf(topic)].join(" ").trimEnd() : topic, 120)
  }
}

export const apps = new Apps()

/// The app of a topic: its icon and its name if it was described, otherwise the topic.
export function appPart(topic, kind = "") { return fill(h("span.app-part", { class: kind, data: { topic } })) }

function fill(element) {
  const { topic } = element.dataset
  const known = apps.of(topic)
  element.title = plain(topic, 255)
  element.toggleAttribute("data-described", Boolean(known))
  replace(element,
    known?.icon ? h("img.app-icon", { src: known.icon, alt: "", width: 16, height: 16 }) : null,
    h("bdi", apps.words(topic)))
  return element
}

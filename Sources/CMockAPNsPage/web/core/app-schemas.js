// The schemas of an app, with which the server checks its pushes.

import { actions } from "./actions.js"
import { api, Call } from "./api.js"
import { h, plain, plainLines, replace } from "./dom.js"
import { showLoaded } from "./loaded.js"
import { counted } from "./time.js"

/// What a push is checked with as a whole; Live Activities have further schemas, by the names of their types.
const PAYLOAD = "payload"

/// A part of a dialog that lists the schemas of an app, and makes one from recorded pushes.
export function appSchemas(topic) {
  const path = `/apps/${encodeURIComponent(topic)}/schemas`
  const list = h("div")
  const inferred = h("div", { role: "status" })
  const load = () => showLoaded(list, () => api.get(path), ({ schemas }) => (schemas.length === 0
    ? h("p.weak", "No schemas: pushes are not checked for the app's own members.")
    : h("ul.tables", schemas.map(({ name, size }) => {
      const one = `${path}/${encodeURIComponent(name)}`
      return h("li",
        h("a.foreign", { href: api.url(one), target: "_blank" }, plain(name, 80)),
        h("span.weak", counted(size, "byte")),
        actions.button("Delete", () => new Call("DELETE", one), {
          kind: "small danger",
          name: `Delete schema ${plain(name, 80)}`,
          onDone: load,
        }))
    }))))
  const infer = () => showLoaded(inferred, () => api.get(`${path}/${PAYLOAD}/inferred`), ({ pushes, schema }) => [
    h("p.weak", `From ${counted(pushes, "accepted push", "accepted pushes")}, which all fit it. `
      + "Store it to be warned of others."),
    h("pre.foreign", h("code", plainLines(JSON.stringify(schema, null, 2)))),
    actions.button("Store as payload", () => new Call("PUT", `${path}/${PAYLOAD}`, schema), {
      kind: "small",
      onDone: () => {
        replace(inferred, "Stored.")
        load()
      },
    })])
  load()
  return h("details.schemas",
    h("summary", "Schemas"),
    list,
    h("button.small", { type: "button", onclick: infer }, "Infer from pushes"),
    inferred)
}

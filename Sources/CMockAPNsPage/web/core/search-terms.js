// The terms of the search language: shown in the help and offered as completions.

/// The search terms. `parameter` names the filter of `GET /pushes` with the same values, which are read from the
/// OpenAPI document. `values` are offered as they are; a `closed` term has no other values.
export const TERMS = [
  { name: "is", text: "outcome, delivery or verification", closed: true, values: [
    "accepted", "rejected", "delivered", "stored", "discarded", "linted", "verified", "unverified",
  ] },
  { name: "has", text: "parts of the push", closed: true, values: [
    "alert", "title", "body", "badge", "sound", "category", "thread", "payload", "collapse", "expiration", "device",
    "reason", "lint",
  ] },
  { name: "type", text: "push type", parameter: "pushType" },
  { name: "topic", text: "topic", values: [] },
  { name: "token", text: "part of the device token", values: [] },
  { name: "device", text: "device label", values: [] },
  { name: "priority", text: "apns-priority", values: ["10", "5", "1"] },
  { name: "status", text: "response status", values: ["200", "400", "403", "410", "413", "429", "500", "503"] },
  { name: "reason", text: "response reason", parameter: "reason" },
  { name: "delivery", text: "delivery state", parameter: "delivery" },
  { name: "lint", text: "warning ID", parameter: "lint" },
  { name: "payload", text: "JSON Pointer and value: payload:/aps/badge=3", values: ["/aps/"] },
  { name: "header", text: "header: header:apns-priority=10", values: ["apns-"] },
  { name: "collapse", text: "apns-collapse-id", values: [] },
  { name: "expiration", text: "apns-expiration", values: ["0"] },
  { name: "apns", text: "apns-id of the response", values: [] },
  { name: "service", text: "push, broadcast or channels (channel management)", closed: true, values: ["push", "broadcast", "channels"] },
  { name: "channel", text: "apns-channel-id", values: [] },
  { name: "conn", text: "connection", values: [] },
  { name: "env", text: "environment of the listener", parameter: "environment" },
  { name: "auth", text: "provider token verification", parameter: "verification" },
  { name: "cert", text: "app of the client certificate", values: [] },
  { name: "key", text: "key ID of the provider token", values: [] },
  { name: "team", text: "team ID of the provider token", values: [] },
  { name: "after", text: "later than: after:-5m, after:seq:1800", values: ["-5m", "-1h", "seq:"] },
  { name: "before", text: "earlier than", values: ["-5m", "-1h", "seq:"] },
  { name: "text", text: "text in body, topic, collapse ID or path; quote phrases", values: [] },
]

/// Completes the search term at the caret.
export class Completions {
  #api
  #values = null

  constructor(api) { this.#api = api }

  /// Reads the values of the filters from the OpenAPI document, once.
  async learn() {
    if (this.#values) return
    this.#values = new Map()
    try {
      const { paths } = await this.#api.get("/openapi.json")
      for (const { name, schema } of paths["/api/v1/pushes"].get.parameters) {
        if (schema.items?.enum) this.#values.set(name, schema.items.enum)
      }
    } catch {
      // Only term names are completed until the field gets the focus again.
      this.#values = null
    }
  }

  /// Returns up to eight completions of the term that ends at `caret`: `{from, to, offers: [{text, about}], isOpen}`.
  /// `isOpen` means that the term is not complete yet.
  ///
  /// `seen` holds values from the list: `{topic: […], device: […]}`.
  at(text, caret, seen = {}) {
    const from = text.slice(0, caret).search(/\S*$/)
    const term = text.slice(from, caret)
    const mark = term.startsWith("!") ? "!" : ""
    const [word, ...rest] = term.slice(mark.length).split(":")
    const none = { from, to: caret, offers: [], isOpen: false }
    if (word === "" || /["\s]/.test(term)) return none
    if (rest.length === 0) {
      const offers = TERMS.filter((one) => one.name.startsWith(word.toLowerCase()))
        .map((one) => ({ text: `${mark}${one.name}:`, about: one.text }))
      return { ...none, offers: offers.slice(0, 8), isOpen: offers.length > 0 }
    }
    const row = TERMS.find((one) => one.name === word.toLowerCase())
    const own = row?.closed || row?.parameter ? row.values ?? this.#values?.get(row.parameter) : null
    const values = [...(own ?? row?.values ?? []), ...(seen[row?.name] ?? [])]
    const begun = rest.join(":").toLowerCase()
    const isOneOf = own?.some((value) => value.toLowerCase() === begun)
    const isOpen = begun === "" || Boolean(row?.closed || row?.parameter) && !isOneOf
    const offers = values.filter((value) => value.toLowerCase().includes(begun) && value.toLowerCase() !== begun)
      .sort((a, b) => b.toLowerCase().startsWith(begun) - a.toLowerCase().startsWith(begun))
      .map((value) => ({ text: `${mark}${row.name}:${value}`, about: "" }))
    return { ...none, offers: offers.slice(0, 8), isOpen }
  }
}

// The terms of the search language: shown in the help and offered as completions.

/// The search terms. `parameter` names the filter of `GET /pushes` with the same values, which are read from the
/// OpenAPI document. `values` are offered as they are; a `closed` term has no other values.
export const WORDS = [
  { word: "is", text: "outcome, delivery or verification", closed: true, values: [
    "accepted", "rejected", "delivered", "stored", "discarded", "linted", "verified", "unverified",
  ] },
  { word: "has", text: "parts of the push", closed: true, values: [
    "alert", "title", "body", "badge", "sound", "category", "thread", "payload", "collapse", "expiration", "device",
    "reason", "lint",
  ] },
  { word: "type", text: "push type", parameter: "pushType" },
  { word: "topic", text: "topic", values: [] },
  { word: "token", text: "part of the device token", values: [] },
  { word: "device", text: "device label", values: [] },
  { word: "priority", text: "apns-priority", values: ["10", "5", "1"] },
  { word: "status", text: "response status", values: ["200", "400", "403", "410", "413", "429", "500", "503"] },
  { word: "reason", text: "response reason", parameter: "reason" },
  { word: "delivery", text: "delivery state", parameter: "delivery" },
  { word: "lint", text: "warning id", parameter: "lint" },
  { word: "payload", text: "JSON Pointer and value: payload:/aps/badge=3", values: ["/aps/"] },
  { word: "header", text: "header: header:apns-priority=10", values: ["apns-"] },
  { word: "collapse", text: "apns-collapse-id", values: [] },
  { word: "expiration", text: "apns-expiration", values: ["0"] },
  { word: "apns", text: "apns-id of the response", values: [] },
  { word: "conn", text: "connection", values: [] },
  { word: "env", text: "environment of the listener", parameter: "environment" },
  { word: "auth", text: "provider token verification", parameter: "verification" },
  { word: "key", text: "key id of the provider token", values: [] },
  { word: "team", text: "team id of the provider token", values: [] },
  { word: "after", text: "later than: after:-5m, after:seq:1800", values: ["-5m", "-1h", "seq:"] },
  { word: "before", text: "earlier than", values: ["-5m", "-1h", "seq:"] },
  { word: "text", text: "text in body, topic, collapse id or path; quote phrases", values: [] },
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
      const offers = WORDS.filter((one) => one.word.startsWith(word.toLowerCase()))
        .map((one) => ({ text: `${mark}${one.word}:`, about: one.text }))
      return { ...none, offers: offers.slice(0, 8), isOpen: offers.length > 0 }
    }
    const row = WORDS.find((one) => one.word === word.toLowerCase())
    const own = row?.closed || row?.parameter ? row.values ?? this.#values?.get(row.parameter) : null
    const values = [...(own ?? row?.values ?? []), ...(seen[row?.word] ?? [])]
    const begun = rest.join(":").toLowerCase()
    const isOneOf = own?.some((value) => value.toLowerCase() === begun)
    const isOpen = begun === "" || Boolean(row?.closed || row?.parameter) && !isOneOf
    const offers = values.filter((value) => value.toLowerCase().includes(begun) && value.toLowerCase() !== begun)
      .sort((a, b) => b.toLowerCase().startsWith(begun) - a.toLowerCase().startsWith(begun))
      .map((value) => ({ text: `${mark}${row.word}:${value}`, about: "" }))
    return { ...none, offers: offers.slice(0, 8), isOpen }
  }
}

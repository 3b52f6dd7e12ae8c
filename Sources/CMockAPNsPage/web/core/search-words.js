// The words of the search language: what the help shows, and what the field completes.

/// One row for each word. `parameter` names the filter of `GET /pushes` that takes the same values; where the API's
/// description lists these, they are offered. `values` are offered as they stand; a word that is `closed` has no
/// others.
export const WORDS = [
  { word: "is", text: "what became of it", closed: true, values: [
    "accepted", "rejected", "delivered", "stored", "discarded", "linted", "verified", "unverified",
  ] },
  { word: "has", text: "what it has", closed: true, values: [
    "alert", "title", "body", "badge", "sound", "category", "thread", "payload", "collapse", "expiration", "device",
    "reason", "lint",
  ] },
  { word: "type", text: "push type", parameter: "pushType" },
  { word: "topic", text: "topic", values: [] },
  { word: "token", text: "part of the device token", values: [] },
  { word: "device", text: "label of the device", values: [] },
  { word: "priority", text: "apns-priority", values: ["10", "5", "1"] },
  { word: "status", text: "status of the answer", values: ["200", "400", "403", "410", "413", "429", "500", "503"] },
  { word: "reason", text: "reason of the answer", parameter: "reason" },
  { word: "delivery", text: "state of the notification", parameter: "delivery" },
  { word: "lint", text: "what this lint finds", parameter: "lint" },
  { word: "payload", text: "a value at a place: payload:/aps/badge=3", values: ["/aps/"] },
  { word: "header", text: "a header: header:apns-priority=10", values: ["apns-"] },
  { word: "collapse", text: "apns-collapse-id", values: [] },
  { word: "expiration", text: "apns-expiration", values: ["0"] },
  { word: "apns", text: "apns-id of the answer", values: [] },
  { word: "conn", text: "connection", values: [] },
  { word: "env", text: "listener", parameter: "environment" },
  { word: "auth", text: "what came of the provider token", parameter: "verification" },
  { word: "key", text: "key id of the provider token", values: [] },
  { word: "team", text: "team id of the provider token", values: [] },
  { word: "after", text: "later than: after:-5m, after:seq:1800", values: ["-5m", "-1h", "seq:"] },
  { word: "before", text: "earlier than", values: ["-5m", "-1h", "seq:"] },
  { word: "text", text: "words in it; “several words” too", values: [] },
]

/// Offers what a term that is being written could become.
export class Completions {
  #api
  #values = null

  constructor(api) { this.#api = api }

  /// Asks the API once which values its filters take.
  async learn() {
    if (this.#values) return
    this.#values = new Map()
    try {
      const { paths } = await this.#api.get("/openapi.json")
      for (const { name, schema } of paths["/api/v1/pushes"].get.parameters) {
        if (schema.items?.enum) this.#values.set(name, schema.items.enum)
      }
    } catch {
      // The words are completed without their values until the field is next gone to.
      this.#values = null
    }
  }

  /// What the term that ends at `caret` could become: `{from, to, offers: [{text, about}], isOpen}`, at most eight;
  /// `isOpen` says that as it stands the term is no word, or none of the values that its word takes.
  ///
  /// `seen` has values that the list shows: `{topic: […], device: […]}`.
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

// How many there are of what the views show: the numbers on their tabs.

/// How long after an event the number is read, so that a thousand events are one reading.
const PAUSE = 1_000
/// How often what happens without an event is looked for.
const TURN = 5_000

/// One row for each number: which events change it, whether it changes without one, and how it is read.
const NUMBERS = [
  { name: "pushes", events: /^push\.received$/, read: async (api) => (await api.get("/pushes/count")).count },
  {
    name: "devices",
    events: /^(device\.changed|push\.received)$/,
    read: async (api) => (await api.get("/devices", { limit: 1 })).total,
  },
  { name: "faults", events: /^fault\./, turns: true, read: async (api) => (await api.get("/faults")).faults },
  { name: "feedback", events: /^feedback\./, read: async (api) => (await api.get("/feedback")).feedback.length },
  { name: "keys", turns: true, read: async (api) => (await api.get("/keys")).keys.length },
  {
    name: "connections",
    events: /^connection\./,
    read: async (api) => {
      const { connections } = await api.get("/connections", { state: "open", limit: 1000 })
      return connections.length
    },
  },
]

/// Reads the numbers. Its event `changed` has `detail` `{name, value}`; of faults, the value is their list.
export class Counts extends EventTarget {
  #app
  #timers = new Map()
  /// Readings that were begun for a world that is not shown any more are thrown away.
  #turn = 0

  constructor(app) {
    super()
    this.#app = app
    app.actions.addEventListener("done", () => this.#all(50))
    setInterval(() => {
      if (document.hidden || app.live.state !== "live") return
      for (const number of NUMBERS) if (number.turns) this.#read(number)
    }, TURN)
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#all(0)
    })
  }

  begin() {
    this.#turn += 1
    this.#all(0)
  }

  message({ type }) {
    if (type === "reset" || type === "gap") this.#all(PAUSE)
    for (const number of NUMBERS) if (number.events?.test(type)) this.#soon(number, PAUSE)
  }

  #all(pause) {
    for (const number of NUMBERS) this.#soon(number, pause)
  }

  #soon(number, pause) {
    if (this.#timers.has(number) || document.hidden) return
    this.#timers.set(number, setTimeout(() => {
      this.#timers.delete(number)
      this.#read(number)
    }, pause))
  }

  async #read(number) {
    const turn = this.#turn
    try {
      const value = await number.read(this.#app.api)
      if (turn !== this.#turn) return
      this.dispatchEvent(new CustomEvent("changed", { detail: { name: number.name, value } }))
    } catch {
      // The old number stands; that the server is away is said by the dot in the header.
    }
  }
}

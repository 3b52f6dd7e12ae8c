// The tabs of one reader that show the same: one of them leads and tells the others, who ask the server for nothing.

/// How long a leader may take to answer (milliseconds) before a tab that somebody looks at leads instead.
const PATIENCE = 2_000

/// The tabs that gave the same name, in one browser. Who holds the lock of that name leads; where it goes away, or
/// crashes, the next one does. A tab that is looked at takes the lead from one that is not, which may be asleep.
///
/// Browsers have locks for pages of a safe origin alone, as 127.0.0.1 and localhost are; without them each tab leads.
export class Group {
  id = String(Math.random())
  isLeader = false
  #name
  #on
  #channel = null
  /// When the one who leads began to: what a former leader says late, nobody heeds.
  #term = 0
  /// Ends the request for the lead, or gives back what it got.
  #request = null
  #isTaking = false
  #patience = 0
  #end = new AbortController()

  /// `on` has `lead()` and `follow()`, which begin and end the lead; `asked(words)`, what one who follows wants of
  /// the leader; `heard(words)`, what the leader told.
  constructor(name, on) {
    this.#name = `mock-apns ${name}`
    this.#on = on
    if (!navigator.locks || !self.BroadcastChannel) {
      queueMicrotask(() => this.#leadAlone())
      return
    }
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#heard(data)
    document.addEventListener("visibilitychange", () => this.#looked(), { signal: this.#end.signal })
    this.#stand()
  }

  /// Tells the others, as their leader.
  tell(words) {
    if (!this.isLeader) return
    this.#channel?.postMessage({ ...words, term: this.#term, isHidden: document.hidden })
  }

  /// Asks the leader, who has to answer by telling something.
  ask(words) {
    if (this.isLeader || this.#end.signal.aborted) return
    this.#channel?.postMessage({ ...words, isQuestion: true, from: this.id })
    clearTimeout(this.#patience)
    this.#patience = setTimeout(() => { if (!document.hidden) this.#take() }, PATIENCE)
  }

  leave() {
    this.#end.abort()
    this.#request?.abort()
    this.#channel?.close()
    clearTimeout(this.#patience)
    this.isLeader = false
  }

  #heard(words) {
    if (words.isQuestion) {
      if (this.isLeader) this.#on.asked(words)
      return
    }
    if (words.term < this.#term) return
    // The lock is gone already; word of that is under way.
    if (this.isLeader) this.#follow()
    this.#term = words.term
    clearTimeout(this.#patience)
    this.#on.heard(words)
    if (words.isHidden && !document.hidden) this.#take()
  }

  #looked() {
    if (this.isLeader) this.#on.asked({})
    else if (!document.hidden) this.ask({})
  }

  #take() {
    if (!this.isLeader && !this.#isTaking) this.#stand({ isTaking: true })
  }

  /// Waits for the lead, or takes it from whoever has it.
  async #stand({ isTaking = false } = {}) {
    this.#request?.abort()
    const request = this.#request = new AbortController()
    this.#isTaking = isTaking
    const { signal } = request
    try {
      await navigator.locks.request(this.#name, isTaking ? { steal: true } : { signal }, () => {
        if (signal.aborted || this.#end.signal.aborted) return undefined
        this.#lead()
        return new Promise((release) => signal.addEventListener("abort", release))
      })
    } catch (error) {
      if (request !== this.#request || this.#end.signal.aborted) return
      if (error.name === "AbortError") {
        // Somebody took it.
        this.#follow()
        this.#stand()
      } else {
        // A browser that keeps its locks from this page.
        this.#leadAlone()
      }
    }
  }

  #leadAlone() {
    if (this.#end.signal.aborted) return
    this.#channel?.close()
    this.#channel = null
    this.#lead()
  }

  #lead() {
    this.#isTaking = false
    this.isLeader = true
    this.#term = Math.max(this.#term + 1, Date.now())
    clearTimeout(this.#patience)
    this.#on.lead()
  }

  #follow() {
    if (!this.isLeader) return
    this.isLeader = false
    this.#on.follow()
    this.ask({})
  }
}

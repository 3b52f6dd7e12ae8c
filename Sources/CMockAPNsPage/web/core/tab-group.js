// Shares one event stream between browser tabs: one tab leads and forwards the events to the others.

/// How long a visible tab waits for the leader's answer before it takes the lead (milliseconds).
const LEADER_TIMEOUT = 2_000

/// The tabs of one browser that gave the same name. The tab that holds the lock of that name leads; when it closes or
/// crashes, the next tab does. A visible tab takes the lead from a hidden one, which the browser may have suspended.
///
/// Browsers offer locks only to secure origins, such as 127.0.0.1 and localhost. Without them, each tab leads.
export class TabGroup {
  id = String(Math.random())
  isLeader = false
  #name
  #on
  #channel = null
  /// When the current leader took the lead. Late messages of earlier leaders are ignored.
  #term = 0
  /// Cancels the request for the lead, or gives up the lead.
  #request = null
  #isTaking = false
  #answerTimer = 0
  #end = new AbortController()

  /// `on.lead()` and `on.follow()` begin and end the lead. `on.asked(question)` receives a follower's question,
  /// `on.heard(message)` a message of the leader.
  constructor(name, on) {
    this.#name = `mock-apns ${name}`
    this.#on = on
    if (!navigator.locks || !self.BroadcastChannel) {
      queueMicrotask(() => this.#leadWithoutLock())
      return
    }
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.onmessage = ({ data }) => this.#received(data)
    document.addEventListener("visibilitychange", () => this.#visibilityChanged(), { signal: this.#end.signal })
    this.#requestLead()
  }

  send(message) {
    if (!this.isLeader) return
    this.#channel?.postMessage({ ...message, term: this.#term, isHidden: document.hidden })
  }

  /// Asks the leader, which answers with a message.
  ask(question) {
    if (this.isLeader || this.#end.signal.aborted) return
    this.#channel?.postMessage({ ...question, isQuestion: true, from: this.id })
    clearTimeout(this.#answerTimer)
    this.#answerTimer = setTimeout(() => { if (!document.hidden) this.#takeLead() }, LEADER_TIMEOUT)
  }

  leave() {
    this.#end.abort()
    this.#request?.abort()
    this.#channel?.close()
    clearTimeout(this.#answerTimer)
    this.isLeader = false
  }

  #received(message) {
    if (message.isQuestion) {
      if (this.isLeader) this.#on.asked(message)
      return
    }
    if (message.term < this.#term) return
    // Another tab has already taken the lock; the browser's report of that is still on its way.
    if (this.isLeader) this.#becomeFollower()
    this.#term = message.term
    clearTimeout(this.#answerTimer)
    this.#on.heard(message)
    if (message.isHidden && !document.hidden) this.#takeLead()
  }

  #visibilityChanged() {
    if (this.isLeader) this.#on.asked({})
    else if (!document.hidden) this.ask({})
  }

  #takeLead() {
    if (!this.isLeader && !this.#isTaking) this.#requestLead({ isTaking: true })
  }

  /// Waits for the lead, or takes it from the current leader.
  async #requestLead({ isTaking = false } = {}) {
    this.#request?.abort()
    const request = this.#request = new AbortController()
    this.#isTaking = isTaking
    const { signal } = request
    try {
      await navigator.locks.request(this.#name, isTaking ? { steal: true } : { signal }, () => {
        if (signal.aborted || this.#end.signal.aborted) return undefined
        this.#becomeLeader()
        return new Promise((release) => signal.addEventListener("abort", release))
      })
    } catch (error) {
      if (request !== this.#request || this.#end.signal.aborted) return
      if (error.name === "AbortError") {
        // Another tab took the lead.
        this.#becomeFollower()
        this.#requestLead()
      } else {
        // The browser denies locks to this page.
        this.#leadWithoutLock()
      }
    }
  }

  #leadWithoutLock() {
    if (this.#end.signal.aborted) return
    this.#channel?.close()
    this.#channel = null
    this.#becomeLeader()
  }

  #becomeLeader() {
    this.#isTaking = false
    this.isLeader = true
    this.#term = Math.max(this.#term + 1, Date.now())
    clearTimeout(this.#answerTimer)
    this.#on.lead()
  }

  #becomeFollower() {
    if (!this.isLeader) return
    this.isLeader = false
    this.#on.follow()
    this.ask({})
  }
}

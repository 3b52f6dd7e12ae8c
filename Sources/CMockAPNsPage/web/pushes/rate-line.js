// A line of the pushes per second in the last two minutes.

import { count, refill, svg } from "../core/core.js"

const SECONDS = 120
const [WIDTH, HEIGHT] = [90, 16]

export class RateLine {
  element = svg("svg.rate-line", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", hidden: true })
  #rates = new Array(SECONDS).fill(0)
  #line = svg("polyline")
  #title = svg("title")

  constructor(feed) {
    this.element.append(this.#title, this.#line)
    setInterval(() => this.#measure(feed.rate), 1_000)
  }

  #measure(rate) {
    this.#rates.push(rate)
    this.#rates.shift()
    const most = Math.max(...this.#rates)
    this.element.toggleAttribute("hidden", most === 0)
    if (most === 0 || document.hidden) return
    const y = (one) => (HEIGHT - 1 - one / most * (HEIGHT - 2)).toFixed(1)
    const points = this.#rates.map((one, second) => `${(second * WIDTH / (SECONDS - 1)).toFixed(1)},${y(one)}`)
    this.#line.setAttribute("points", points.join(" "))
    refill(this.#title, `Pushes per second in the last 2 minutes: ${count(rate)} now, ${count(most)} at most`)
  }
}

// Points in time, told twice: the time itself, and how long ago it was, which goes on by itself.

import { h } from "./dom.js"
import { ago, timeOfDay } from "./time.js"

const TURN = 5_000
let timer = 0
/// What the server's clock says, in milliseconds.
let clock = () => Date.now()

/// Tells times of the server's clock by what it says: `now()`.
export function goBy(now) {
  clock = now
  renew()
}

/// A time (RFC 3339) as an element: `10:11:12 · 5 s ago`, with the whole of it as its title.
///
/// Requests and connections come when they come. What the server's clock decides (what is stored, expires, is given
/// up or reported) has a time of that clock, which may stand still or be moved: `isOfClock`.
export function when(text, { isOfClock = false } = {}) {
  const date = new Date(text)
  if (!text || Number.isNaN(date.getTime())) return h("span", { class: "weak" }, "never")
  timer ||= setInterval(renew, TURN)
  return h(
    "time",
    {
      class: "when",
      datetime: text,
      data: isOfClock ? { clock: "server" } : null,
      title: text.replace("T", " ").replace(/Z$/, " UTC"),
    },
    h("span", { class: "when-at" }, dayAndTime(date, text)),
    " ",
    h("span", { class: "when-ago weak" }, ago(text, isOfClock ? clock() : Date.now()))
  )
}

/// The time of day; with the day where that is another one.
function dayAndTime(date, text) {
  const time = timeOfDay(text).slice(0, 8)
  if (date.toDateString() === new Date().toDateString()) return time
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const day = { day: "numeric", month: "short", year: isThisYear ? undefined : "numeric" }
  return `${date.toLocaleDateString("en", day)}, ${time.slice(0, 5)}`
}

function renew() {
  if (document.hidden) return
  for (const element of document.querySelectorAll("time.when")) {
    const words = ago(element.dateTime, element.dataset.clock ? clock() : Date.now())
    const part = element.querySelector(".when-ago")
    if (part && part.textContent !== words) part.textContent = words
  }
}

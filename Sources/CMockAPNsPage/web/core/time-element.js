// Times with a relative time that updates itself.

import { h } from "./dom.js"
import { ago, timeOfDay } from "./time.js"

/// The server's clock, in milliseconds.
let clock = () => Date.now()

/// Sets the server's clock: `now()` returns its time in milliseconds.
export function useServerClock(now) {
  clock = now
  renew()
}

/// An RFC 3339 time as an element: `10:11:12 5 s ago`, with the full time as its title.
///
/// Requests and connections have real times. Storage, expiration, inactivity and feedback use the server's clock, which
/// may be frozen or moved: `isOfClock`.
export function timeElement(text, { isOfClock = false } = {}) {
  const date = new Date(text)
  if (!text || Number.isNaN(date.getTime())) return h("span.weak", "never")
  const title = text.replace("T", " ").replace(/Z$/, " UTC")
  return h("time.when", { datetime: text, data: isOfClock ? { clock: "server" } : null, title },
    h("span.when-at", dayAndTime(date, text)), " ",
    h("span.when-ago.weak", ago(text, isOfClock ? clock() : Date.now())))
}

/// The time of day, with the date if it is not today.
function dayAndTime(date, text) {
  const time = timeOfDay(text).slice(0, 8)
  if (date.toDateString() === new Date().toDateString()) return time
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const day = { day: "numeric", month: "short", year: isThisYear ? undefined : "numeric" }
  return `${date.toLocaleDateString("en", day)}, ${time.slice(0, 5)}`
}

setInterval(renew, 5_000)

function renew() {
  if (document.hidden) return
  for (const element of document.querySelectorAll("time.when")) {
    const words = ago(element.dateTime, element.dataset.clock ? clock() : Date.now())
    const part = element.querySelector(".when-ago")
    if (part && part.textContent !== words) part.textContent = words
  }
}

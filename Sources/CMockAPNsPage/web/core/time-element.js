// Times with a relative time that updates itself.

import { clock } from "./clock.js"
import { h } from "./dom.js"
import { ago, timeOfDay } from "./time.js"

/// An RFC 3339 time as an element: `10:11:12 5 s ago`, with the full time as its title.
///
/// Requests and connections have real times. Storage, expiration, inactivity and feedback use the server's clock, which
/// may be frozen or moved: `isOfClock`. Real times then say that they are.
export function timeElement(text, { isOfClock = false } = {}) {
  const date = new Date(text)
  if (!text || Number.isNaN(date.getTime())) return h("span.weak", "never")
  const title = text.replace("T", " ").replace(/Z$/, " UTC")
  const element = h("time.when", { datetime: text, data: isOfClock ? { clock: "server" } : null, title },
    h("span.when-at", dayAndTime(date, text)), " ", h("span.when-ago.weak"))
  renew(element)
  return element
}

/// The time of day, with the date if it is not today.
function dayAndTime(date, text) {
  const time = timeOfDay(text).slice(0, 8)
  if (date.toDateString() === new Date().toDateString()) return time
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  const day = { day: "numeric", month: "short", year: isThisYear ? undefined : "numeric" }
  return `${date.toLocaleDateString("en", day)}, ${time.slice(0, 5)}`
}

setInterval(renewAll, 5_000)
clock.addEventListener("changed", renewAll)

function renewAll() {
  if (!document.hidden) for (const element of document.querySelectorAll("time.when")) renew(element)
}

function renew(element) {
  const real = clock.isMoved ? ", real time" : ""
  const words = element.dataset.clock ? ago(element.dateTime, clock.now) : ago(element.dateTime, clock.real) + real
  const part = element.querySelector(".when-ago")
  if (part && part.textContent !== words) part.textContent = words
}

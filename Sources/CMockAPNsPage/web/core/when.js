// Points in time, told twice: the time itself, and how long ago it was, which goes on by itself.

import { h } from "./dom.js"
import { ago, timeOfDay } from "./time.js"

const TURN = 5_000
let timer = 0

/// A time (RFC 3339) as an element: `10:11:12 · 5 s ago`, with the whole of it as its title.
export function when(text) {
  const date = new Date(text)
  if (!text || Number.isNaN(date.getTime())) return h("span", { class: "weak" }, "never")
  timer ||= setInterval(renew, TURN)
  return h(
    "time",
    { class: "when", datetime: text, title: `${text.replace("T", " ").replace(/Z$/, " UTC")}` },
    h("span", { class: "when-at" }, dayAndTime(date, text)),
    " ",
    h("span", { class: "when-ago weak" }, ago(text))
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
    const words = ago(element.dateTime)
    const part = element.querySelector(".when-ago")
    if (part && part.textContent !== words) part.textContent = words
  }
}

// Formats times, durations and numbers.

/// The time of day of an RFC 3339 time, with milliseconds: `10:11:12.345`.
export function timeOfDay(text) {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return ""
  const two = (number) => String(number).padStart(2, "0")
  // The browser's own format takes longer than drawing the rest of a row.
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`
    + `.${String(time.getMilliseconds()).padStart(3, "0")}`
}

/// A time relative to `now` (milliseconds): `12 s ago`.
export function ago(text, now) {
  const seconds = Math.round((now - new Date(text).getTime()) / 1_000)
  if (!Number.isFinite(seconds)) return ""
  if (Math.abs(seconds) < 2) return "now"
  const words = length(Math.abs(seconds))
  return seconds > 0 ? `${words} ago` : `in ${words}`
}

/// A duration in its largest unit: `12 s`, `5 min`, `3 h`, `2 d`.
export function length(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/// A number with separators: `1,842`.
export function count(number) { return Number(number).toLocaleString("en") }

/// A number with its noun: `1 push`, `1,842 pushes`.
export function counted(number, noun, plural = `${noun}s`) { return `${count(number)} ${number === 1 ? noun : plural}` }

/// The number of pushes: `1 push`, `1,842 pushes`.
export function pushCount(number) { return counted(number, "push", "pushes") }

/// How often something happened: `once`, `1,842 times`.
export function timesCount(number) { return number === 1 ? "once" : `${count(number)} times` }

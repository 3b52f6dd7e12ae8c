// The search syntax, and what can be completed at the caret.

import { api } from "./api.js"
import { pushCount } from "./time.js"

/// The syntax without the keys, with what it matches.
export const SYNTAX = [
  ["type:alert is:rejected", "pushes that match both, also with AND"],
  ["4xx OR device:alice", "pushes that match one of them"],
  ["NOT is:delivered", "pushes that do not match, also !is:delivered"],
  ["type:alert (4xx OR is:stored)", "a group; without parentheses, AND applies before OR"],
  ["BadTopic", "a word: in the payload, headers, reason, type, topic, device or token"],
  ["410, 4xx, #40", "a status, a class of statuses, the number of a push"],
  ["\"order 17\"", "quotes: for spaces, and for AND, OR, NOT, ( and : as text"],
]

/// How many completions are offered.
const MOST = 8

let known = null

/// Returns the keys of the search syntax: `{name, meaning, choices, recorded, closed}`. They are read once.
export async function searchKeys() {
  known ??= (await api.get("/search-keys")).keys
  return known
}

/// Whether an error in the search would only mean that it is still being typed.
export function isUnfinished(text) {
  const rest = text.replaceAll(/"(\\.|[^"\\])*"/g, "x")
  const count = (mark) => rest.split(mark).length
  return rest.includes("\"") || count("(") > count(")") || /(^|[\s(])(AND|OR|NOT|[!-]|[^\s:]+:[<>]?=?)\s*$/.test(rest)
}

/// Returns what is written before and in the term that ends at `caret`: `{from, mark, word, value}`. `value` is `null`
/// in front of the colon.
function termAt(text, caret) {
  const from = text.slice(0, caret).search(/\S*$/)
  const [, mark, word, value = null] = /^([(!-]*)([^:]*)(?::(.*))?$/.exec(text.slice(from, caret))
  return { from, mark, word: word.toLowerCase(), value }
}

/// Returns the completions of the term that ends at `caret`: `{from, to, offers: [{text, about}], isOpen}`. `isOpen`
/// means that the term is not complete yet.
export async function completions(text, caret) {
  const { from, mark, word, value } = termAt(text, caret)
  const found = { from, to: caret, offers: [], isOpen: false }
  if (word === "" || word.includes("\"") || value?.includes("\"")) return found
  const keys = await searchKeys().catch(() => [])
  if (value === null) {
    const begun = keys.filter(({ name }) => name.startsWith(word)).slice(0, MOST)
    const offers = begun.map(({ name, meaning }) => ({ text: `${mark}${name}:`, about: meaning }))
    return { ...found, offers, isOpen: begun.length > 0 }
  }
  const key = keys.find(({ name }) => name === word)
  if (!key) return found
  const begun = value.toLowerCase()
  const all = [...key.choices.map((choice) => ({ value: choice })), ...key.recorded ? await recorded(word, value) : []]
  const fitting = all.filter((one) => one.value.toLowerCase().startsWith(begun))
  const isWhole = fitting.some((one) => one.value.toLowerCase() === begun)
  const offers = fitting.filter((one) => one.value !== value).slice(0, MOST).map((one) => ({
    text: `${mark}${word}:${quoted(one.value)}`,
    about: one.count ? pushCount(one.count) : "",
  }))
  return { ...found, offers, isOpen: begun === "" || key.closed && !isWhole && offers.length > 0 }
}

/// The values of the recorded pushes that begin like this. Without them, the search still works.
async function recorded(field, prefix) {
  const { values } = await api.get("/pushes/values", { field, prefix, limit: MOST + 1 }).catch(() => ({ values: [] }))
  return values
}

/// A value of a term, in quotes if necessary.
export function quoted(value) { return /^$|[\s"()]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value }

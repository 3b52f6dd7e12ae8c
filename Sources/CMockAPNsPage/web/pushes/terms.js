// Adds terms to a search and takes them out again.

import { quoted } from "../core/core.js"

/// A term for a value: `topic:com.example.app`, in quotes if necessary.
export function term(word, value) { return `${word}:${quoted(String(value))}` }

/// The parts of a search that must all match, as written. Parentheses are one part, so is an alternative (`a OR b`).
export function partsOf(q) {
  const parts = []
  for (const word of words(q)) {
    if (word === "OR") return [`(${q.trim()})`]
    if (parts.at(-1) === "NOT") parts[parts.length - 1] += ` ${word}`
    else if (word !== "AND") parts.push(word)
  }
  return parts
}

/// The search with a term added, or without it if it has it. A term with the same word is replaced, because a push has
/// one topic and one type.
export function toggled(q, added) {
  const parts = partsOf(q)
  if (parts.includes(added)) return parts.filter((part) => part !== added).join(" ")
  const word = added.slice(0, added.indexOf(":") + 1)
  const isSingle = word !== "is:" && word !== "has:" && word !== "lint:"
  return [...parts.filter((part) => !(isSingle && part.startsWith(word))), added].join(" ")
}

/// Yields the words of a search. Spaces in quotes and parentheses do not end a word.
function* words(q) {
  let [start, depth, isQuoted] = [0, 0, false]
  for (let at = 0; at <= q.length; at += 1) {
    const character = q[at] ?? " "
    if (isQuoted && character === "\\") at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === "(") depth += 1
    else if (!isQuoted && character === ")") depth -= 1
    const isEnd = at >= q.length || !isQuoted && depth <= 0 && /\s/.test(character)
    if (!isEnd) continue
    if (at > start) yield q.slice(start, at)
    start = at + 1
  }
}

// The description of a fault: which pushes it matches, when it fires and what it does.

import { count, plain, timesCount } from "../../core/elements.js"
import { ACTIONS } from "./actions.js"

/// The labels of the members of `match`. Others are shown by their names.
const MEMBERS = {
  pushType: "type", q: "search", collapseId: "collapse ID", keyId: "key ID", teamId: "team ID", apnsId: "apns-id",
}

/// Describes the action in `do`.
export function actionWords(action) {
  const [name, value] = Object.entries(action)[0] ?? []
  return plain(ACTIONS[name]?.say(value) ?? JSON.stringify(action), 300)
}

/// Describes the pushes that `match` selects.
export function matchWords(match, action) {
  const { connection, headers = {}, ...members } = match
  const parts = Object.entries(members).map(([name, value]) => `${MEMBERS[name] ?? name} ${valueWords(value)}`)
  parts.push(...Object.entries(headers).map(([name, value]) => `${name} ${valueWords(value)}`))
  if (typeof connection === "string" || Array.isArray(connection)) parts.push(`connection ${valueWords(connection)}`)
  else if (connection) {
    if (connection.id) parts.push(`connection ${valueWords(connection.id)}`)
    if (connection.remote) parts.push(`from ${valueWords(connection.remote)}`)
    if (connection.environment) parts.push(`in ${connection.environment}`)
  }
  const all = ACTIONS[Object.keys(action)[0]]?.onConnection ? "Every connection" : "Every push"
  return parts.length ? plain(parts.join(", "), 300) : all
}

export function whenWords(when) {
  const parts = []
  if (when.afterIdle) parts.push(`after ${when.afterIdle} without requests`)
  if (when.afterRequests) parts.push(`after ${count(when.afterRequests)} requests on the connection`)
  if (when.skip) parts.push(`skip first ${count(when.skip)}`)
  if (when.every > 1) parts.push(`every ${ordinal(when.every)}`)
  if (when.times) parts.push(when.times === 1 ? "once" : `at most ${count(when.times)} times`)
  const { probability = 1 } = when
  if (probability !== 1) parts.push(`with ${percent(probability)} probability`)
  if (when.from) parts.push(`from ${moment(when.from)}`)
  if (when.until) parts.push(`until ${moment(when.until)}`)
  return parts.length ? parts.join(", ") : "every time"
}

/// The name of a fault: its own name, its preset's, or its id.
export function faultName(fault) { return plain(fault.name ?? fault.preset ?? fault.id, 100) }

/// How often a fault has fired: `Fired 1 of 2`.
export function firedWords({ stats, when }) {
  if (when.times) return `Fired ${count(stats.fired)} of ${count(when.times)}`
  return stats.fired === 0 ? "Never fired" : `Fired ${timesCount(stats.fired)}`
}

/// The members of a fault that the API accepts.
export function draftOf({ name, enabled, match, when, do: action }) {
  return { ...(name === null ? {} : { name }), enabled, match, when, do: action }
}

function valueWords(value) {
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(" or ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

function percent(fraction) { return `${Number((fraction * 100).toPrecision(4))} %` }

function moment(text) { return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC") }

function ordinal(number) {
  const rule = new Intl.PluralRules("en", { type: "ordinal" }).select(number)
  return `${count(number)}${{ one: "st", two: "nd", few: "rd", other: "th" }[rule]}`
}

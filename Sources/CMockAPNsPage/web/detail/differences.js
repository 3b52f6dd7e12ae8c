// What differs between two pushes: headers, payload by JSON Pointer, response and failed check.

import { bodyOf } from "./body.js"
import { leaves, readJSON } from "./jsontext.js"

/// The most values of a payload that are compared.
const MOST_LEAVES = 2_000

/// The values of two pushes: `{differences: [{at, left, right}], same: [{at, left}]}`. An absent value is `undefined`.
export function compared(left, right) {
  const [one, other] = [valuesOf(left), valuesOf(right)]
  const rows = [...new Set([...one.keys(), ...other.keys()])]
    .map((at) => ({ at, left: one.get(at), right: other.get(at) }))
  const isSame = (row) => row.left === row.right
  return { differences: rows.filter((row) => !isSame(row)), same: rows.filter(isSame) }
}

/// The values of a push by their place, as texts: `headers/apns-topic`, `payload/aps/alert`.
function valuesOf(record) {
  const { verdict, response, request, delivery } = record
  const values = new Map([
    ["response/status", String(response.status)],
    ["response/reason", verdict.reason ?? undefined],
    ["response/failed check", verdict.checks.find((check) => check.ok === false)?.id],
    ["response/delivery", delivery.state],
    ["headers/:path", request.path],
  ])
  for (const [name, value] of request.headers) {
    // These say nothing about the push itself.
    if (name === "authorization" || name === "content-length") continue
    const at = `headers/${name}`
    values.set(at, values.has(at) ? `${values.get(at)}, ${value}` : value)
  }
  const body = bodyOf(record)
  const { root } = readJSON(body.text)
  if (!root) values.set("payload/as text", body.text)
  else for (const leaf of leaves(root, MOST_LEAVES)) values.set(`payload${leaf.pointer}`, leaf.value ?? leaf.text)
  return values
}

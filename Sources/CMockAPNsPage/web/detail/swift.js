// A verification as a Swift test, with the library MockAPNsTesting.

import { api } from "../core/core.js"

/// Quotes, backslashes, and what is invisible or looks like a space.
const ESCAPED = /["\\]|(?! )[\p{C}\p{Z}]/gu

/// A test that expects a push with these conditions: exactly one, or at least one.
export function swiftTest({ conditions, count }) {
  const namespace = api.namespace === "default" ? "" : `, namespace: ${literal(api.namespace)}`
  const matchers = [...conditions.map(matcher), "within: .seconds(5)"]
  if (count === "exactly") matchers.unshift("exactly: 1")
  return `import MockAPNsTesting
import Testing

@Test func pushArrives() async throws {
    let apns = try await APNsMock.connect(api: ${literal(location.origin)}${namespace})
    // Run the code that sends the push here.
    try await apns.expect(
        ${matchers.join(",\n        ")}
    )
}`
}

function matcher({ name, swift = name, pointer, value, shown }) {
  return pointer === undefined ? `.${swift}(${literal(shown)})` : `.payload(${literal(pointer)}, ${literal(value)})`
}

/// A JSON value without others in it. No text can end its literal, or show something else than it is.
function literal(value) {
  if (typeof value !== "string") return value === null ? ".null" : String(value)
  return `"${value.toWellFormed().replace(ESCAPED, escaped)}"`
}

function escaped(sign) {
  return sign === '"' || sign === "\\" ? `\\${sign}` : `\\u{${sign.codePointAt(0).toString(16)}}`
}

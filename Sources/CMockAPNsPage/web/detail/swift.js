// A verification as a test in Swift.

import { plainLines } from "../core/dom.js"

/// A test for swift-testing that asks `url` for a verification; what it throws has the server's report.
export function swiftTest(url, body) {
  return `import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct PushMissing: Error, CustomStringConvertible {
  let description: String
}

@Test func pushArrives() async throws {
  // Whatever sends the push goes here.
  var request = URLRequest(url: URL(string: ${JSON.stringify(url)})!)
  request.httpMethod = "POST"
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.setValue("text/plain", forHTTPHeaderField: "Accept")
  request.httpBody = Data(${literal({ ...body, within: "5s" })}.utf8)
  let (report, response) = try await URLSession.shared.data(for: request)
  guard (response as? HTTPURLResponse)?.statusCode == 200 else {
    throw PushMissing(description: String(decoding: report, as: UTF8.self))
  }
}`
}

/// How many # may stand in a row; the compiler does not count beyond 255.
const MOST = 9

/// JSON as a raw literal of several lines. With one # more than stand in a row anywhere in it, nothing in it can end
/// the literal or begin an escape; JSON escapes what would turn the direction of the source, or hide in it.
function literal(value) {
  const text = plainLines(JSON.stringify(value, null, 2))
    .replace(/#+/g, (run) => run.length > MOST ? "\\u0023".repeat(run.length) : run)
  const longest = Math.max(0, ...Array.from(text.matchAll(/#+/g), ([run]) => run.length))
  const marks = "#".repeat(longest + 1)
  const lines = text.split("\n").map((line) => `    ${line}`)
  return [`${marks}"""`, ...lines, `    """${marks}`].join("\n")
}

// A verification as a Swift test.

import { plainLines } from "../core/dom.js"

/// A Swift Testing test that posts a verification to `url`. Its error contains the server's report.
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
  // Run the code that sends the push here.
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

/// The longest run of # that is kept. The compiler allows at most 255 in a delimiter.
const MOST = 9

/// JSON as a raw multi-line string literal. Its delimiter has one # more than the longest run in the text, so the text
/// can neither end the literal nor start an escape. Bidirectional and invisible characters are written as JSON escapes.
function literal(value) {
  const text = plainLines(JSON.stringify(value, null, 2))
    .replace(/#+/g, (run) => run.length > MOST ? "\\u0023".repeat(run.length) : run)
  const longest = Math.max(0, ...Array.from(text.matchAll(/#+/g), ([run]) => run.length))
  const marks = "#".repeat(longest + 1)
  const lines = text.split("\n").map((line) => `    ${line}`)
  return [`${marks}"""`, ...lines, `    """${marks}`].join("\n")
}

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

/// JSON as a string literal of several lines. Quotes never follow each other in threes in JSON, so its text cannot end the
/// literal, and without single backslashes it has no escapes. Bidirectional and invisible characters are JSON escapes.
function literal(value) {
  const text = plainLines(JSON.stringify(value, null, 2)).replaceAll("\\", "\\\\")
  return ['"""', ...text.split("\n"), '"""'].join("\n    ")
}

import Foundation
import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Compares answers with files that a reviewer has seen: the shapes are a promise to users.
enum Golden {
    /// Compares a body, read by Foundation's parser, after `volatile` members have been blanked.
    static func expect(
        _ response: APIResponse, is name: String, volatile: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let value = try JSONSerialization.jsonObject(with: Data(response.bytes))
        let data = try JSONSerialization.data(
            withJSONObject: blanked(value, volatile), options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        let text =
            String(decoding: data, as: UTF8.self).replacing(/127\.0\.0\.1:(?!51644)[0-9]+/, with: "127.0.0.1:<port>")
            .replacing(/at port [0-9]+/, with: "at port <port>") + "\n"
        try GoldenFile("\(name).json").expect(text, sourceLocation: sourceLocation)
    }

    /// Compares a report for people, in which times and ports are blanked.
    static func expectText(
        _ response: APIResponse, is name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let text = stable(String(decoding: response.bytes, as: UTF8.self))
        try GoldenFile("\(name).txt").expect(text, sourceLocation: sourceLocation)
    }

    /// A report without what is another each time.
    static func stable(_ text: String) -> String {
        text.replacing(/[0-9]+ (ms|s|min|h) ago/, with: "<age> ago").replacing(
            /127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:<port>"
        ).replacing(/at port [0-9]+/, with: "at port <port>")
    }

    private static func blanked(_ value: Any, _ volatile: [String]) -> Any {
        if let members = value as? [String: Any] {
            return members.reduce(into: [String: Any]()) { blank, member in
                let isVolatile = volatile.contains(member.key)
                blank[member.key] = isVolatile ? "<\(member.key)>" : blanked(member.value, volatile)
            }
        }
        if let values = value as? [Any] { return values.map { blanked($0, volatile) } }
        return value
    }
}

extension JSONValue {
    /// The text, or any other value as JSON, at the end of a way through objects and arrays.
    func text(_ way: [String]) -> String? {
        var value: JSONValue? = self
        for step in way {
            if let position = Int(step), case .array(let values)? = value {
                value = position < values.count ? values[position] : nil
            } else {
                value = value?[step]
            }
        }
        if case .string(let text)? = value { return text }
        return value.map { String(decoding: $0.text, as: UTF8.self) }
    }
}

extension APIResponse {
    /// The body, where it is not sent in pieces.
    var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

    /// The response with its body in one piece.
    func whole() async -> APIResponse {
        guard case .pieces(let next) = body else { return self }
        var bytes: [UInt8] = []
        do { while let piece = try await next() { bytes += piece() } } catch { Issue.record(error) }
        var whole = self
        whole.body = .bytes(bytes)
        return whole
    }

    /// The body as the API's own parser reads it.
    var json: JSONValue { JSONParser.value(of: bytes) ?? .null }

    func text(_ way: String...) -> String? { json.text(way) }

    subscript(header name: String) -> String? { headers.first { $0.name == name }?.value }
}

@testable import MockAPNsFormats

/// Schemas: a document, a line feed, and values, one on each line.
enum SchemaFuzz {
    private static let steps = 20_000

    static func run(_ bytes: [UInt8]) throws {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map(Array.init)
        guard !lines.isEmpty else { return }
        let document = lines.removeFirst()
        let values = lines.compactMap { JSONParser.value(of: $0) }
        try checkInference(values)
        let schema: JSONSchema
        do throws(JSONSchema.Refusal) { schema = try JSONSchema(document) } catch {
            try require(!error.complaints.isEmpty, "a refusal that says nothing")
            try require(error.complaints.allSatisfy { JSONPointer($0.path) != nil }, "a place that is no pointer")
            return
        }
        guard let json = JSONParser.value(of: document) else { throw Finding(description: "a schema that is not JSON") }
        let again = try? JSONSchema(json.text)
        for value in values {
            var spent = 0
            let outcome = schema.check(value, steps: steps) { spent = $0 }
            try require((0...steps).contains(spent), "\(spent) of \(steps) steps")
            try require(again?.check(value, steps: steps) == outcome, "the same document gives another result")
            guard case .differs(let mismatches) = outcome else { continue }
            try require((1...JSONSchema.mostMismatches).contains(mismatches.count), "\(mismatches.count) mismatches")
            for mismatch in mismatches {
                try require(JSONPointer(mismatch.pointer)?.value(in: value) != nil, "no value at \(mismatch.pointer)")
            }
        }
    }

    private static func checkInference(_ values: [JSONValue]) throws {
        var inference = JSONSchemaInference()
        for value in values { inference.note(value) }
        guard let schema = inference.schema() else { throw Finding(description: "no schema follows from the values") }
        for value in values {
            try require(schema.check(value, steps: .max) == .fits, "a value does not fit the schema made from it")
        }
    }
}

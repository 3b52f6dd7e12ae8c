/// A JSON Schema (2020-12) with the keywords that `Codable` types need.
///
/// All other keywords are refused, because a schema that is silently checked in part would be trusted. Every size is
/// bounded, and so is a check.
package struct JSONSchema: Sendable {
    /// The maximum size of a document in bytes.
    package static let largest = 64 << 10
    /// The maximum nesting of a document.
    package static let deepest = 64
    /// The maximum number of schemas in a document.
    package static let mostParts = 2_000
    /// The maximum size of all regular expressions together, in compiled instructions.
    package static let mostInstructions = 5_000
    /// The maximum number of steps of a check, by default: a few hundred microseconds.
    package static let mostSteps = 50_000
    /// The maximum number of mismatches of a check, by default.
    package static let mostMismatches = 10
    /// The maximum nesting of a check, by values and references together.
    static let deepestCheck = 300

    /// Why a document is not a schema that can be checked.
    package struct Refusal: Error, Equatable, Sendable {
        /// The first few problems, each with its JSON Pointer into the document.
        package let complaints: [Complaint]

        /// All problems as one text.
        package var message: String {
            complaints.map { complaint in
                let place = complaint.path.isEmpty ? "it" : complaint.path
                let question = complaint.suggestion.map { "; did you mean \($0)?" } ?? ""
                return "\(place) \(complaint.message)\(question)"
            }.joined(separator: "; ")
        }
    }

    /// The result of a check.
    package enum Outcome: Equatable, Sendable {
        case fits
        /// The first few mismatches.
        case differs([JSONSchemaMismatch])
        /// The check was ended, because it took too many steps.
        case tooCostly

        /// Whether the value fits.
        package var isFit: Bool { self == .fits }

        /// Whether the value does not fit; one whose check was ended neither fits nor not.
        package var isMismatch: Bool { if case .differs = self { true } else { false } }
    }

    /// The document as it was written.
    package let text: String
    /// All schemas of the document; the first one is the whole.
    let parts: [JSONSchemaPart]

    /// Parses a document.
    package init(_ document: [UInt8]) throws(Refusal) {
        guard document.count <= Self.largest else {
            throw Self.refusal("has \(document.count) bytes; expected \(Self.largest) at most")
        }
        let value: JSONValue
        do throws(JSONParser.Failure) {
            value = try JSONParser.parse(document, repeatedNames: .refused, maximumDepth: Self.deepest)
        } catch { throw Self.refusal("is not JSON: expected \(error.expected) at byte \(error.offset)") }
        var reader = JSONSchemaReader()
        reader.read(value)
        guard reader.complaints.isEmpty else { throw Refusal(complaints: reader.complaints) }
        text = String(decoding: document, as: UTF8.self)
        parts = reader.parts
    }

    private static func refusal(_ message: String) -> Refusal {
        Refusal(complaints: [Complaint(path: "", message: message)])
    }

    /// Checks a value; `spent` is called with the number of steps that the check took.
    package func check(
        _ value: JSONValue, atMost mismatches: Int = mostMismatches, steps: Int = mostSteps,
        spent: (Int) -> Void = { _ in }
    ) -> Outcome {
        var check = JSONSchemaCheck(parts, atMost: mismatches, StepBudget(steps))
        check.run(value.read)
        spent(steps - check.budget.remaining)
        if check.budget.isSpent { return .tooCostly }
        return check.mismatches.isEmpty ? .fits : .differs(check.mismatches)
    }
}

extension JSONSchema: Equatable {
    /// Compares the documents.
    package static func == (left: JSONSchema, right: JSONSchema) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}

extension JSONSchema: MemberwiseArchived {
    package static let format = ArchiveFormat<JSONSchema>(checking: { try? JSONSchema(Array($0.utf8)) }, \.text)
}

/// A value that does not fit a schema.
package struct JSONSchemaMismatch: Equatable, Sendable {
    /// The names and positions that lead to the value.
    package let way: [String]
    /// The keyword that the value does not fit; `nil` for the schema `false`.
    package let keyword: JSONSchemaKeyword?
    /// What the value is, to follow "is".
    package let seen: String
    /// What it should be, to follow "expected".
    package let expected: String

    /// The JSON Pointer of the value.
    package var pointer: String { way.map { "/" + JSONPointer.escaped($0) }.joined() }

    /// The mismatch in one sentence; `whole` is the name of the value that was checked.
    package func message(of whole: String = "the value") -> String {
        let place = way.isEmpty ? whole : JSONPointer.words(pointer)
        return "\(place) is \(seen); expected \(expected)"
    }

    /// The same mismatch of a value that is a part of another.
    package func below(_ way: [String]) -> JSONSchemaMismatch {
        JSONSchemaMismatch(way: way + self.way, keyword: keyword, seen: seen, expected: expected)
    }
}

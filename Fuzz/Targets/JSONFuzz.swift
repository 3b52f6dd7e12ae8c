@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsRules

/// The two JSON readers, one of the rules and one of the debug API, which must agree.
enum JSONFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let isValid = bytes.withUnsafeBufferPointer { JSONScanner.isValid(ByteSpan($0)) }
        switch Result(catching: { () throws(JSONParser.Failure) in
            try JSONParser.parse(bytes, repeatedNames: .lastWins)
        }) {
        case .success(let value):
            try require(isValid, "the scanner refuses what the parser accepts")
            try checkRoundTrip(value)
            try checkMembers(of: bytes, value)
            if let strict = try? JSONParser.parse(bytes, repeatedNames: .refused) {
                try require(strict == value, "without repeated names, both modes must read the same value")
            }
        case .failure(let failure):
            let isTooDeep = mayBeTooDeep(bytes)
            try require(!isValid || isTooDeep, "the parser refuses what the scanner accepts: \(failure)")
            try require((0...bytes.count).contains(failure.offset), "the offset \(failure.offset) is outside")
            let strict = try? JSONParser.parse(bytes, repeatedNames: .refused)
            try require(strict == nil, "refusing repeated names accepts more than allowing them")
        }
    }

    /// Whether a text has so many brackets that the parser, which allows less nesting than the scanner, may refuse it.
    static func mayBeTooDeep(_ bytes: [UInt8]) -> Bool {
        bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } >= JSONParser.maximumDepth
    }

    private static func checkRoundTrip(_ value: JSONValue) throws {
        let text = value.text
        guard let again = JSONParser.value(of: text) else {
            throw Finding(
                description: "what was written cannot be read: \(String(decoding: text, as: UTF8.self))"
            )
        }
        try require(again == value, "reading what was written gives another value")
        try require(again.text == text, "writing it again gives another text")
    }

    /// The scanner finds the same members in the outermost object.
    private static func checkMembers(of bytes: [UInt8], _ value: JSONValue) throws {
        let found = bytes.withUnsafeBufferPointer { JSONScanner.members(of: ByteSpan($0)) }
        guard case .object(let members) = value else {
            try require(found == nil, "the scanner finds members where there is no object")
            return
        }
        guard let found else { throw Finding(description: "the scanner finds no members in an object") }
        try require(
            found.count == members.count,
            "the scanner finds \(found.count) of \(members.count) members"
        )
        for (name, value) in members {
            let isSame =
                switch (found[name], value) {
                case (.string(let left)?, .string(let right)): left == right
                case (.number(let left)?, .integer(let right)): left == Double(right)
                case (.number(let left)?, .unsigned(let right)): left == Double(right)
                case (.number(let left)?, .literal(let right)): left == Double(right)
                // A number beyond what a double can hold, which the parser keeps as a text.
                case (.number(let left)?, .string(let right)): left == Double(right) && left.isInfinite
                case (.other?, .null), (.other?, .bool), (.other?, .array), (.other?, .object): true
                default: false
                }
            try require(isSame, "the member '\(name)' is \(value), and the scanner reads another value")
        }
    }
}

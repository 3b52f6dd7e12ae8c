@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsRules

/// The JSON parser: what it makes, and what it says when it only checks.
enum JSONFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let isValid = bytes.withUnsafeBufferPointer { JSONParser.isValid($0) }
        switch Result(catching: { () throws(JSONParser.Failure) in try JSONParser.parse(bytes, repeatedNames: .lastWins)
            })
        {
        case .success(let value):
            try require(isValid, "checking refuses what is made into a value")
            try checkRoundTrip(value)
            if let strict = try? JSONParser.parse(bytes, repeatedNames: .refused) {
                try require(strict == value, "without repeated names, both modes must read the same value")
            }
        case .failure(let failure):
            try require(!isValid, "checking accepts what makes no value: \(failure)")
            try require((0...bytes.count).contains(failure.offset), "the offset \(failure.offset) is outside")
            let strict = try? JSONParser.parse(bytes, repeatedNames: .refused)
            try require(strict == nil, "refusing repeated names accepts more than allowing them")
        }
    }

    private static func checkRoundTrip(_ value: JSONValue) throws {
        let text = value.text
        guard let again = JSONParser.value(of: text) else {
            throw Finding(description: "what was written cannot be read: \(String(decoding: text, as: UTF8.self))")
        }
        try require(again == value, "reading what was written gives another value")
        try require(again.text == text, "writing it again gives another text")
    }
}

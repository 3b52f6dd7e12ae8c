/// One schema of a document, with references to others by their positions.
struct JSONSchemaPart: Sendable {
    /// Whether this is the schema `false`, which nothing fits.
    var isNever = false
    var title: String?
    var kinds: Set<JSONKind>?
    var allowed: [JSONValue]?
    var constant: JSONValue?
    var alternatives: [Int] = []
    var reference: Int?

    var properties: [String: Int] = [:]
    var required: [String] = []
    var others: Int?

    var items: Int?
    var itemCount = Bounds()

    var length = Bounds()
    var pattern: BoundedPattern?
    var format: JSONTextFormat?

    var minimum: DecimalNumber?
    var maximum: DecimalNumber?
    var above: DecimalNumber?
    var below: DecimalNumber?
    var divisor: DecimalNumber?
    /// The numbers as they are written, by keyword, for messages.
    var written: [JSONSchemaKeyword: String] = [:]

    /// The steps that a look at it costs.
    var weight = 1

    /// The schemas that the same value has to fit.
    var inPlace: [Int] { alternatives + (reference.map { [$0] } ?? []) }

    struct Bounds: Sendable {
        var least: Int?
        var most: Int?
    }

    /// What fits, in a few words, for messages.
    var summary: String? {
        if let title { return title }
        if let constant { return String(decoding: constant.text.prefix(60), as: UTF8.self) }
        if let allowed { return Self.choice(allowed) }
        return kinds.map(Self.choice)
    }

    static func choice(_ kinds: Set<JSONKind>) -> String {
        JSONKind.allCases.filter(kinds.contains).map(\.words).joined(separator: " or ")
    }

    static func choice(_ values: [JSONValue]) -> String {
        let shown = values.prefix(6).map { JSONValue.shortened(String(decoding: $0.text, as: UTF8.self)) }
        let more = values.count > shown.count ? ", … (\(values.count) values)" : ""
        return (values.count == 1 ? "" : "one of ") + shown.joined(separator: ", ") + more
    }
}

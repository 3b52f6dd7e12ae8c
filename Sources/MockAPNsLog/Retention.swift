internal import MockAPNsFormats

/// The limits of the stored history; `nil` for no limit.
package struct Retention: Equatable, Sendable {
    /// The maximum age of a push, in microseconds.
    package var age: Int64?
    /// The maximum number of pushes.
    package var pushes: Int?
    /// The maximum size in bytes: of the file without unused pages, or of the pushes in a shared database.
    package var bytes: Int?

    package init(age: Int64? = nil, pushes: Int? = nil, bytes: Int? = nil) {
        self.age = age
        self.pushes = pushes
        self.bytes = bytes
    }

    /// Parses a number of pushes: `500`, `20k`, `10M`.
    package static func pushes(_ text: String) -> Int? { number(text, units: [("k", 1_000), ("M", 1_000_000)]) }

    /// Parses a size: `800MB`, `5GB`.
    package static func bytes(_ text: String) -> Int? {
        number(
            text, units: [("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1)])
    }

    private static func number(_ text: String, units: [(name: String, factor: Int)]) -> Int? {
        let unit = units.first { text.hasSuffix($0.name) }
        let digits = text.dropLast(unit?.name.count ?? 0)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits), count > 0 else { return nil }
        let (number, overflow) = count.multipliedReportingOverflow(by: unit?.factor ?? 1)
        return overflow ? nil : number
    }
}

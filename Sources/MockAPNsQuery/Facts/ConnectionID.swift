internal import MockAPNsFormats

/// The public id of a connection: `c` and its number.
package struct ConnectionID {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package init?(_ text: String) {
        guard text.hasPrefix("c"), let number = UInt64(digits: String(text.dropFirst())) else { return nil }
        self.number = number
    }

    package var text: String { "c\(number)" }
}

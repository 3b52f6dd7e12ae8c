internal import MockAPNsFormats

/// The id of a connection as people see it: `c` and its number.
package struct ConnectionID {
    /// The connection's number.
    package let number: UInt64

    /// The id of the connection of this number.
    package init(_ number: UInt64) { self.number = number }

    /// Reads an id back, in exactly the form in which it was written.
    package init?(_ text: String) {
        guard text.hasPrefix("c"), let number = UInt64(digits: String(text.dropFirst())) else { return nil }
        self.number = number
    }

    /// The id as it is shown.
    package var text: String { "c\(number)" }
}

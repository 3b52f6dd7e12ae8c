package import MockAPNsFormats
internal import NIOConcurrencyHelpers

/// A value that is read: what it is, and where it is in the whole.
///
/// The first mistake is noted for the whole, and something neutral is returned in place of the value.
package struct ValueReader: Sendable {
    private let value: JSONValue?
    private let path: String
    private let first: NIOLockedValueBox<Complaint?>

    /// The whole value.
    package init(_ json: JSONValue) { (value, path, first) = (json, "", NIOLockedValueBox(nil)) }

    private init(_ value: JSONValue?, _ path: String, of whole: ValueReader) {
        (self.value, self.path, first) = (value, path, whole.first)
    }

    /// The value; `null` for a member that is absent.
    var json: JSONValue { value ?? .null }

    var isAbsent: Bool { value == nil }

    /// The first mistake in the whole.
    package var complaint: Complaint? { first.withLockedValue { $0 } }

    func member(_ name: String) -> ValueReader {
        var member: JSONValue?
        if case .object(let members)? = value { member = members[name] }
        return ValueReader(member, path + "/" + JSONPointer.escaped(name), of: self)
    }

    func entry(_ position: Int, _ value: JSONValue) -> ValueReader {
        ValueReader(value, path + "/\(position)", of: self)
    }

    func requireObject() {
        if case .object? = value { return }
        refuse(expected: "an object")
    }

    func refuse(expected: String) {
        let message = value.map { "is \($0.summary); expected \(expected)" } ?? "is missing"
        first.withLockedValue { $0 = $0 ?? Complaint(path: path, message: message) }
    }
}

package import MockAPNsRules

/// A column of the rows in which stores keep pushes.
///
/// The tables, the view `push`, and the statements that write and read rows of both kinds of databases follow from
/// `PushColumn.all`.
package struct PushColumn: Sendable {
    /// What a column has.
    package enum Kind: Sendable {
        /// The number of the push, by which rows are ordered.
        case key
        case number
        /// A small number.
        case short
        /// A time, in microseconds since 1970.
        case time
        /// A text, or null.
        case text
        /// Text in ASCII.
        case lines
        /// Text if it can be stored as such, or else bytes.
        case content
        case bytes
        /// A number that only later changes set.
        case laterNumber
        /// A text that only later changes set.
        case laterText
    }

    /// What a column has of a row.
    package enum Value {
        case number(Int64)
        case time(Int64)
        /// A text; null if it is empty.
        case text(ByteSpan)
        case lines(ByteSpan)
        case content(ByteSpan)
        case bytes(ByteSpan)
    }

    package let name: String
    package let kind: Kind
    /// Returns what is written into a new row; `nil` for what later changes set.
    package let value: (@Sendable (borrowing PushRow) -> Value)?
    /// Whether the view `push` has it.
    package let isShown: Bool

    private init(_ name: String, _ kind: Kind, isShown: Bool = true, _ value: (@Sendable (borrowing PushRow) -> Value)?)
    { (self.name, self.kind, self.isShown, self.value) = (name, kind, isShown, value) }

    /// The columns, in the order of the table.
    package static let all: [PushColumn] = [
        PushColumn("seq", .key) { .number(Int64(clamping: $0.seq)) },
        PushColumn("position", .number) { .number(Int64(clamping: $0.position)) },
        PushColumn("received_at", .time) { .time($0.receivedAt) },
        PushColumn("answered_at", .time) { .time($0.answeredAt) }, PushColumn("id", .text) { .text($0.apnsID) },
        PushColumn("topic", .text) { .text($0.topic) }, PushColumn("token", .text) { .text($0.token) },
        PushColumn("push_type", .text) { .text($0.pushType) },
        PushColumn("environment", .text) { .text($0.environment) },
        PushColumn("status", .short) { .number(Int64($0.status)) }, PushColumn("reason", .text) { .text($0.reason) },
        PushColumn("delivery", .text) { .text($0.delivery) },
        // The delivery state at the response, if it has changed since.
        PushColumn("first_delivery", .laterText, isShown: false, nil),
        // The position of the change that deleted the push.
        PushColumn("deleted", .laterNumber, isShown: false, nil), PushColumn("headers", .lines) { .lines($0.headers) },
        PushColumn("body", .content) { .content($0.body) }, PushColumn("facts", .bytes) { .bytes($0.facts) },
    ]

    /// The columns that are written into a new row.
    package static let written = all.filter { $0.value != nil }

    /// The columns of the view `push`, in its order.
    package static let shown = all.filter { $0.isShown && $0.name != "position" } + all.filter { $0.name == "position" }

    /// The columns from which a `KeptPush` is read, in the order of its initializer; everything else follows from them.
    package static let read = ["seq", "position", "received_at", "answered_at", "reason", "headers", "body", "facts"]

    /// Returns an SQL expression of the header fields as people read them; `text` is one of them as they are written.
    package static func headers(of text: String = "headers", _ character: (_ code: Int) -> String) -> String {
        HeaderText.codes.reduce(text) { text, name in "replace(\(text), \(character(name.code)), '\(name.text)')" }
    }
}

extension ByteSpan {
    /// Whether a database can store the bytes as text: UTF-8 without U+0000.
    package var isStorableText: Bool {
        var (all, nulls) = (UInt64(0), UInt64(0))
        // Of a byte that is 0, the highest bit remains.
        let highest: UInt64 = 0x8080_8080_8080_8080
        let inner = dropFirst(count & 7)
        inner.visitWords { word in
            all |= word
            nulls |= (word &- 0x0101_0101_0101_0101) & ~word & highest
        }
        for byte in bytes.prefix(count & 7) {
            all |= UInt64(byte)
            nulls |= byte == 0 ? 1 : 0
        }
        return nulls == 0 && (all & highest == 0 || String(validating: bytes, as: UTF8.self) != nil)
    }
}

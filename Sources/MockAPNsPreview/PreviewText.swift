package import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsWorld

/// One text of a notification as a device would show it: as it came, or looked up in a table of the app.
package struct PreviewText: Equatable {
    /// Where a text comes from.
    package enum Source: String, CaseIterable {
        /// The payload has it.
        case text
        /// The payload has a key, and a table of the app has a text for it.
        case localized
        /// The payload has a key, and no table has a text for it: a device shows the key (documented:
        /// https://developer.apple.com/documentation/foundation/nsstring/localizedusernotificationstring(forkey:arguments:)).
        case keyNotFound = "key-not-found"
    }

    /// A table that texts are looked up in.
    package struct Table {
        package let language: LanguageTag
        package let texts: [String: String]
    }

    /// What the device shows.
    package let text: String
    package let source: Source
    /// The key and its arguments; `nil` and none for a text that came as it is.
    package private(set) var key: String?
    package private(set) var arguments: [String] = []
    /// What is odd about it, for people.
    package private(set) var remarks: [String] = []

    package init(text: String) {
        self.text = text
        source = .text
    }

    /// Looks a key up.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - arguments: what `…-args` of the payload is, which may be any JSON.
    ///   - table: the table of the app; `nil` when nobody has uploaded one.
    package init(key: String, arguments: JSONValue?, table: Table?) {
        let arguments = arguments.entries.map(Self.argument)
        self.key = key
        self.arguments = arguments
        guard let format = table?.texts[key] else {
            source = .keyNotFound
            text = key
            let finding =
                table.map { "The table of \($0.language) has no text" } ?? "No strings table was uploaded"
            let shown = arguments.prefix(6).map { JSONValue.shortened($0) }.joined(separator: ", ")
            remarks = ["\(finding) for ⟨\(JSONValue.shortened(key))⟩(\(shown)): the key is shown."]
            return
        }
        let filled = FormatText(format, arguments)
        source = .localized
        text = filled.text
        remarks = filled.remarks.map { "\(Self.quoted(key)): \($0)." }
    }

    /// The text of an alert that stands under `name`, or under a key of its own.
    ///
    /// Documented for CloudKit's notifications, which are such pushes: the key takes precedence over the text
    /// (https://developer.apple.com/documentation/cloudkit/cknotification/titlelocalizationkey). Where no table knows the
    /// key, the text of the payload says more than the key.
    package init?(_ alert: JSONValue?, _ row: Row, table: Table?) {
        // A Live Activity may have the key in the place of the text (documented).
        let place = alert?[row.name]
        let holder = if case .object? = place { place } else { alert }
        let keyName = if case .object? = place { "loc-key" } else { row.key }
        let argumentsName = if case .object? = place { "loc-args" } else { row.arguments }
        var literal: PreviewText?
        if case .string(let text)? = place { literal = PreviewText(text: text) }
        guard case .string(let key)? = holder?[keyName] else {
            guard let literal else { return nil }
            self = literal
            return
        }
        let looked = PreviewText(key: key, arguments: holder?[argumentsName], table: table)
        guard var literal, looked.source == .keyNotFound else {
            self = looked
            return
        }
        literal.remarks = [
            "\(row.key) and \(row.name) are both there: iOS prefers the key, whose text is not known here."
        ]
        self = literal
    }

    /// Where a text of an alert stands.
    package struct Row {
        package let name: String
        package let key: String
        package let arguments: String

        package static let title = Row(name: "title", key: "title-loc-key", arguments: "title-loc-args")
        package static let subtitle = Row(
            name: "subtitle",
            key: "subtitle-loc-key",
            arguments: "subtitle-loc-args"
        )
        package static let body = Row(name: "body", key: "loc-key", arguments: "loc-args")
    }

    /// Arguments should be texts; what else is there is shown as JSON (inferred).
    private static func argument(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return String(decoding: value.text, as: UTF8.self)
    }

    private static func quoted(_ key: String) -> String { "\"\(JSONValue.shortened(key))\"" }
}

package import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsWorld

/// A notification text as a device would show it: literal, or localized from the app's strings table.
package struct PreviewText: Equatable {
    package enum Source: String, CaseIterable {
        case text
        /// The payload contains a key that is in the app's strings table.
        case localized
        /// The payload contains a key that is not in a strings table, so a device shows the key.
        ///
        /// Documented:
        /// https://developer.apple.com/documentation/foundation/nsstring/localizedusernotificationstring(forkey:arguments:)
        case keyNotFound = "key-not-found"
    }

    package struct Table {
        package let language: LanguageTag
        package let texts: [String: String]
    }

    package let text: String
    package let source: Source
    /// The localization key, or `nil` for literal text, which has no arguments either.
    package private(set) var key: String?
    package private(set) var arguments: [String] = []
    package private(set) var remarks: [String] = []

    package init(text: String) {
        self.text = text
        source = .text
    }

    /// `arguments` is the payload's value for `…-args`, which can be any JSON.
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

    /// Reads one text of an alert, either literal or localized.
    ///
    /// If both are present, the key takes precedence (documented for CloudKit notifications, which are such pushes:
    /// https://developer.apple.com/documentation/cloudkit/cknotification/titlelocalizationkey). If the key is not in a
    /// table, the literal text is used because it tells the user more than the key.
    package init?(_ alert: JSONValue?, _ row: Row, table: Table?) {
        // A Live Activity can have an object with the key instead of the text (documented).
        let place = alert?[row.name]
        let isObject = if case .object? = place { true } else { false }
        let (holder, prefix) = isObject ? (place, "") : (alert, row.prefix)
        var literal: PreviewText?
        if case .string(let text)? = place { literal = PreviewText(text: text) }
        guard case .string(let key)? = holder?[prefix + "loc-key"] else {
            guard let literal else { return nil }
            self = literal
            return
        }
        let looked = PreviewText(key: key, arguments: holder?[prefix + "loc-args"], table: table)
        guard var literal, looked.source == .keyNotFound else {
            self = looked
            return
        }
        literal.remarks = [
            "\(row.prefix)loc-key and \(row.name) are both set: iOS uses the key, whose text is unknown here."
        ]
        self = literal
    }

    package struct Row {
        let name: String
        let prefix: String

        package static let title = Row(name: "title", prefix: "title-")
        package static let subtitle = Row(name: "subtitle", prefix: "subtitle-")
        package static let body = Row(name: "body", prefix: "")
    }

    /// Arguments should be strings; any other value is shown as JSON (inferred).
    private static func argument(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        return String(decoding: value.text, as: UTF8.self)
    }

    private static func quoted(_ key: String) -> String { "\"\(JSONValue.shortened(key))\"" }
}

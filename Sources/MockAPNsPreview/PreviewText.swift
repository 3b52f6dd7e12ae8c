internal import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

/// A notification text as a device would show it: literal, or localized from the app's strings table.
package struct PreviewText {
    package enum Source: String, CaseIterable {
        case text
        case localized
        /// The payload contains a key that is not in a strings table, so a device shows the key.
        ///
        /// Documented:
        /// https://developer.apple.com/documentation/foundation/nsstring/localizedusernotificationstring(forkey:arguments:)
        case keyNotFound = "key-not-found"
    }

    package typealias Table = (language: LanguageTag, texts: LocalizedTexts)

    package let text: String
    package private(set) var source = Source.text
    /// The localization key, or `nil` for literal text, which has no arguments either.
    package private(set) var key: String?
    package private(set) var arguments: [String] = []
    package private(set) var remarks: [String] = []

    init(text: String) { self.text = text }

    /// `arguments` is the payload's value for `…-args`, which can be any JSON.
    private init(key: String, arguments: JSONValue?, tables: [Table], setting: PreviewSetting) {
        self.key = key
        // Arguments should be strings; any other value is shown as JSON (inferred).
        self.arguments = arguments.entries.map { $0.string ?? String(decoding: $0.text, as: UTF8.self) }
        let name = JSONValue.shortened(key)
        // A key that the user's language lacks has the text of the development language, as in string catalogs, where
        // every key has one (inferred).
        guard let table = tables.first(where: { $0.texts[key] != nil }), let format = table.texts[key] else {
            source = .keyNotFound
            text = key
            let languages = tables.map { "\($0.language)" }.joined(separator: " and ")
            let holder = tables.count == 1 ? "The table of \(languages) has" : "The tables of \(languages) have"
            let finding = tables.isEmpty ? "No strings table was uploaded" : "\(holder) no text"
            let shown = self.arguments.prefix(6).map { JSONValue.shortened($0) }.joined(separator: ", ")
            remarks = ["\(finding) for ⟨\(name)⟩(\(shown)): the key is shown."]
            return
        }
        let filled = FormatText(format, self.arguments, setting: setting.using(table))
        source = .localized
        text = filled.text
        remarks = filled.remarks.map { "\"\(name)\": \($0)." }
        if let first = tables.first, first.language != table.language {
            let used = "the text of the development language \(table.language) is shown"
            remarks.append("The table of \(first.language) has no text for ⟨\(name)⟩: \(used).")
        }
    }

    /// Reads one text of an alert, either literal or localized.
    ///
    /// If both are present, the key takes precedence (documented for CloudKit notifications, which are such pushes:
    /// https://developer.apple.com/documentation/cloudkit/cknotification/titlelocalizationkey). If the key is not in a
    /// table, the literal text is used because it tells the user more than the key.
    package static func read(
        _ name: String, of reading: PayloadReading, tables: [Table], setting: PreviewSetting
    ) -> PreviewText? {
        let alert = reading.aps?["alert"]
        let isActivity = reading.type == .liveactivity
        if isActivity, !PayloadMember.ofActivityAlert.contains(name) { return nil }
        if !isActivity, name == "body", let text = alert?.string { return PreviewText(text: text) }
        // A Live Activity has an object with the key instead of the text (documented).
        let place = alert?[name]
        let holder = isActivity ? place : alert
        let prefix = isActivity || name == "body" ? "" : name + "-"
        let literal = place?.string.map { PreviewText(text: $0) }
        guard let key = holder?[prefix + "loc-key"]?.string else { return literal }
        let looked = PreviewText(key: key, arguments: holder?[prefix + "loc-args"], tables: tables, setting: setting)
        guard var literal, looked.source == .keyNotFound else { return looked }
        literal.remarks = ["\(prefix)loc-key and \(name) are both set: iOS uses the key, whose text is unknown here."]
        return literal
    }
}

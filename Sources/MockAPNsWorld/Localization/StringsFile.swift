package import MockAPNsFormats

/// A `.strings` or `.stringsdict` file: the texts of an app in one language, as text or as a property list.
///
/// Documented: https://developer.apple.com/library/archive/documentation/MacOSX/Conceptual/BPInternational/StringsdictFileFormat/StringsdictFileFormat.html
/// A file with texts may also have keys with rules, because Xcode compiles both to property lists.
package enum StringsFile {
    /// The reason why bytes are not such a file.
    package enum Failure: Error, Equatable {
        /// The bytes are not a property list.
        case notReadable(PropertyList.Failure)
        /// Its values are not texts.
        case notTexts(TextFlaws)

        /// What is wrong, as the rest of a sentence.
        package var text: String {
            switch self {
            case .notReadable(let failure): "is not a .strings file: \(failure)"
            case .notTexts(let flaws): "is not a .strings file: \(flaws.text)"
            }
        }
    }

    /// Reads a file in any form.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> [String: LocalizedText] {
        let list: PropertyList
        do throws(PropertyList.Failure) { list = try PropertyList.read(bytes) } catch { throw .notReadable(error) }
        do throws(TextFlaws) { return try texts(of: list) } catch { throw .notTexts(error) }
    }

    package static func texts(of list: PropertyList) throws(TextFlaws) -> [String: LocalizedText] {
        var reader = TextReader()
        var texts: [String: LocalizedText] = [:]
        if case .dictionary(let members) = list {
            for (key, value) in Self.sorted(members) { texts[key] = reader.inside(key) { text(of: value, &$0) } }
        } else {
            reader.complain("is \(list.words); expected a dictionary of keys and texts")
        }
        try reader.finish()
        return texts
    }

    private static func sorted(_ members: [String: PropertyList]) -> [(key: String, value: PropertyList)] {
        members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (key: $0.key, value: $0.value) }
    }

    private static func text(of value: PropertyList, _ reader: inout TextReader) -> LocalizedText? {
        switch value {
        case .string(let text): return LocalizedText(text)
        case .dictionary(let members):
            if let form = form(of: members, depth: 1, &reader) { return LocalizedText(form) }
            guard case .string(let text)? = members["NSStringLocalizedFormatKey"] else {
                reader.complain(
                    "has no text as NSStringLocalizedFormatKey; expected the format, such as %#@count@, and its variables"
                )
                return nil
            }
            var substitutions: [String: TextSubstitution] = [:]
            for (name, value) in sorted(members) where name != "NSStringLocalizedFormatKey" {
                substitutions[name] = reader.inside(name) { substitution(value, &$0) }
            }
            return LocalizedText(.text(text), substitutions: substitutions)
        default:
            reader.complain("is \(value.words); expected a text or a dictionary of rules")
            return nil
        }
    }

    private static func substitution(_ value: PropertyList, _ reader: inout TextReader) -> TextSubstitution? {
        guard case .dictionary(let members) = value else {
            reader.complain("is \(value.words); expected the dictionary of a variable")
            return nil
        }
        let rule = members["NSStringFormatSpecTypeKey"]
        guard rule == nil || rule == .string("NSStringPluralRuleType") else {
            reader.complain("has \(rule?.words ?? "") as NSStringFormatSpecTypeKey; expected NSStringPluralRuleType")
            return nil
        }
        let type = members["NSStringFormatValueTypeKey"]
        guard let specifier = type.map(\.string) ?? "d" else {
            reader.complain("has \(type?.words ?? "") as NSStringFormatValueTypeKey; expected a text such as d")
            return nil
        }
        let forms = sorted(members).filter { !$0.key.hasPrefix("NSString") }
        let form = TextForm.plurals(
            reader.forms(forms, "plural category") { value, reader in plain(value, &reader) }, &reader)
        return form.map { TextSubstitution(specifier: specifier, form: $0) }
    }

    /// Returns the form that varies by device or width; `nil` if there is none.
    private static func form(of members: [String: PropertyList], depth: Int, _ reader: inout TextReader) -> TextForm? {
        if case .dictionary(let devices)? = members["NSStringDeviceSpecificRuleType"] {
            return reader.inside("NSStringDeviceSpecificRuleType") { reader in
                .devices(
                    reader.forms(sorted(devices), "device") { value, reader in nested(value, depth: depth, &reader) },
                    &reader)
            }
        }
        guard case .dictionary(let widths)? = members["NSStringVariableWidthRuleType"] else { return nil }
        // A notification has room for the widest text.
        let widest = widths.max { (Int($0.key) ?? 0, $1.key) < (Int($1.key) ?? 0, $0.key) }
        return reader.inside("NSStringVariableWidthRuleType") { reader in
            guard let widest else {
                reader.complain("is empty; expected widths and texts")
                return nil
            }
            return plain(widest.value, &reader)
        }
    }

    private static func nested(_ value: PropertyList, depth: Int, _ reader: inout TextReader) -> TextForm? {
        guard depth < TextForm.deepest - 1, case .dictionary(let members) = value else { return plain(value, &reader) }
        return form(of: members, depth: depth + 1, &reader) ?? plain(value, &reader)
    }

    private static func plain(_ value: PropertyList, _ reader: inout TextReader) -> TextForm? {
        if let text = value.string { return .text(text) }
        reader.complain("is \(value.words); expected a text")
        return nil
    }
}

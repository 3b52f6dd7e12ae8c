/// The localized strings of apps.
public typealias StringsTables = AppTable<LanguageTag, [String: String]>

/// The limits of strings tables.
public enum StringsLimit {
    /// The maximum number of tables of all apps together.
    public static let tables = 500
    /// The maximum number of strings in a table.
    public static let texts = 10_000
    /// The maximum size of all tables, counting the bytes of keys and strings, and 64 for each string.
    public static let bytes = 16 << 20
}

/// The reason why a strings table is rejected.
public enum StringsRefusal: Error, Equatable, Sendable {
    case tooManyTables
    case tooManyTexts(Int)
    /// The total size would be this number of bytes, which exceeds the limit.
    case tooManyBytes(Int)
}

extension StringsTables {
    /// Stores a table, replacing the existing one completely, and returns whether it is new.
    public func put(_ texts: [String: String], as name: Name) throws(StringsRefusal) -> Bool {
        guard texts.count <= StringsLimit.texts else { throw .tooManyTexts(texts.count) }
        return try put(texts, as: name) { others throws(StringsRefusal) in
            let bytes = others.values.reduce(Self.bytes(of: texts)) { $0 + Self.bytes(of: $1) }
            guard bytes <= StringsLimit.bytes else { throw .tooManyBytes(bytes) }
            guard others.count < StringsLimit.tables else { throw .tooManyTables }
        }
    }

    /// Returns the table that a device with this language uses, and its language.
    ///
    /// In this order: the language itself, the language with ever less of its script and region, another
    /// region of the same language, English, `Base`, the first table (inferred from Foundation's
    /// documentation of bundles:
    /// https://developer.apple.com/documentation/foundation/bundle/preferredlocalizations(from:)).
    public func table(of app: String, for language: LanguageTag?) -> (language: LanguageTag, texts: [String: String])? {
        let tables = snapshot
        let languages = tables.keys.filter { $0.app == app }.map(\.key).sorted()
        let standard = ["en", "base"].compactMap { LanguageTag($0) }
        let wanted = (language?.fallbacks ?? []) + (language.map { [$0.base] } ?? []) + standard
        let chosen =
            wanted.lazy.compactMap { wanted in
                languages.first { $0 == wanted }
                    ?? (wanted == wanted.base ? languages.first { $0.base == wanted } : nil)
            }.first ?? languages.first
        guard let chosen, let texts = tables[Name(app: app, key: chosen)] else { return nil }
        return (chosen, texts)
    }

    /// Returns the size of strings, including a dictionary's overhead, which dominates for many short ones.
    private static func bytes(of texts: [String: String]) -> Int {
        texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }
}

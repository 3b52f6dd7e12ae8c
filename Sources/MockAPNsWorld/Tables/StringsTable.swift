/// The localized strings of an app in a language.
public enum StringsTable: TableKind {
    static let change = "set-strings"
    static let noun = "tables"
    /// The maximum number of tables of all apps together.
    public static let most = 500
    /// The maximum number of strings in a table.
    public static let mostTexts = 10_000
    /// The maximum size of all tables, counting the bytes of keys and strings, and 64 for each string.
    public static let mostBytes = 16 << 20
    static var values: WritableKeyPath<WorldTables, [AppKey<LanguageTag>: [String: String]]> { \.strings }

    static func check(_ texts: [String: String], as name: AppKey<LanguageTag>) throws(TableRefusal) {
        guard texts.count > mostTexts else { return }
        throw TableRefusal(.tooLarge, "The table has \(texts.count) texts; the maximum is \(mostTexts).")
    }

    static func check(
        _ texts: [String: String], besides others: [AppKey<LanguageTag>: [String: String]]
    ) throws(TableRefusal) {
        let bytes = others.values.reduce(Self.bytes(of: texts)) { $0 + Self.bytes(of: $1) }
        guard bytes > mostBytes else { return }
        throw TableRefusal(.tooLarge, "With it, the tables would have \(bytes) bytes; the maximum is \(mostBytes).")
    }

    /// Returns the size of strings, including a dictionary's overhead, which dominates for many short ones.
    private static func bytes(of texts: [String: String]) -> Int {
        texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }
}

extension LanguageTag {
    /// Returns the language of an app that a device with this language uses; `nil` if the app has none.
    ///
    /// In this order: the language itself, the language with ever less of its script and region, another
    /// region of the same language, English, `Base`, the first one (inferred from Foundation's documentation of bundles:
    /// https://developer.apple.com/documentation/foundation/bundle/preferredlocalizations(from:)).
    static func nearest(to language: LanguageTag?, among languages: [LanguageTag]) -> LanguageTag? {
        let standard = ["en", "base"].compactMap { LanguageTag($0) }
        let wanted = (language?.fallbacks ?? []) + (language.map { [$0.base] } ?? []) + standard
        let chosen = wanted.lazy.compactMap { wanted in
            languages.first { $0 == wanted } ?? (wanted == wanted.base ? languages.first { $0.base == wanted } : nil)
        }
        return chosen.first ?? languages.first
    }
}

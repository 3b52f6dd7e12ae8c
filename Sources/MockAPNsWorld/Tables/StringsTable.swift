/// The localized strings of an app in a language.
public enum StringsTable: TableKind {
    static let change = "set-strings"
    static let noun = "tables"
    /// The maximum number of tables of all apps together.
    public static let most = 500
    /// The maximum number of strings in a table.
    public static let mostTexts = 10_000
    /// The maximum size of all tables, counting the bytes of keys and strings, and 64 for each string
    /// and each of its forms.
    public static let mostBytes = 16 << 20
    static var values: WritableKeyPath<WorldTables, [AppKey<LanguageTag>: LocalizedTexts]> { \.strings }

    static func check(_ texts: LocalizedTexts, as name: AppKey<LanguageTag>) throws(TableRefusal) {
        guard texts.count > mostTexts else { return }
        throw TableRefusal(.tooLarge, "The table has \(texts.count) texts; the maximum is \(mostTexts).")
    }

    static func check(
        _ texts: LocalizedTexts, besides others: [AppKey<LanguageTag>: LocalizedTexts]
    ) throws(TableRefusal) {
        let bytes = others.values.reduce(texts.size) { $0 + $1.size }
        guard bytes > mostBytes else { return }
        throw TableRefusal(.tooLarge, "With it, the tables would have \(bytes) bytes; the maximum is \(mostBytes).")
    }
}

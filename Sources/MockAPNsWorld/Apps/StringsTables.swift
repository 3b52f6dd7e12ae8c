/// The localized strings of apps: one table for each app and language.
///
/// They are defined in the app, so they are uploaded for previews. The clock does not affect them.
public final class StringsTables: Sendable {
    /// The app and the language of a table.
    public struct Name: Hashable, Comparable, Sendable {
        /// The bundle identifier.
        public let app: String
        /// The language.
        public let language: LanguageTag

        /// Creates the name of a table.
        public init(app: String, language: LanguageTag) {
            self.app = app
            self.language = language
        }

        /// Orders by app, then by language.
        public static func < (left: Name, right: Name) -> Bool {
            (left.app, left.language) < (right.app, right.language)
        }
    }

    /// The limits.
    public enum Limit {
        /// The maximum number of tables of all apps together.
        public static let tables = 500
        /// The maximum number of strings in a table.
        public static let texts = 10_000
        /// The maximum size of all tables, counting the bytes of keys and strings, and 64 for each string.
        public static let bytes = 16 << 20
    }

    /// The reason why a table is rejected.
    public enum Refusal: Error, Equatable, Sendable {
        /// The maximum number of tables is reached.
        case tooManyTables
        /// The table has too many strings.
        case tooManyTexts(Int)
        /// The total size would be this number of bytes, which exceeds the limit.
        case tooManyBytes(Int)
    }

    private struct State {
        var tables: [Name: [String: String]] = [:]
        var bytes = 0
    }

    private let state = Locked(State())

    init() {}

    /// Stores a table, replacing the existing one completely.
    ///
    /// - Returns: Whether the table is new.
    /// - Throws: `Refusal` if a limit is exceeded; then nothing has changed.
    public func put(_ texts: [String: String], as name: Name) throws(Refusal) -> Bool {
        guard texts.count <= Limit.texts else { throw .tooManyTexts(texts.count) }
        return try state.withLock { state throws(Refusal) in
            let old = state.tables[name]
            let bytes = state.bytes - (old.map(Self.bytes) ?? 0) + Self.bytes(of: texts)
            guard bytes <= Limit.bytes else { throw .tooManyBytes(bytes) }
            guard old != nil || state.tables.count < Limit.tables else { throw .tooManyTables }
            state.tables[name] = texts
            state.bytes = bytes
            return old == nil
        }
    }

    /// The strings of a table; `nil` if there is no such table.
    public subscript(name: Name) -> [String: String]? { state.withLock { $0.tables[name] } }

    /// Removes a table.
    ///
    /// - Returns: Whether it existed.
    public func remove(_ name: Name) -> Bool {
        state.withLock { state in
            guard let old = state.tables.removeValue(forKey: name) else { return false }
            state.bytes -= Self.bytes(of: old)
            return true
        }
    }

    /// The tables sorted by name, each with its number of strings.
    public var all: [(name: Name, count: Int)] {
        state.withLock { state in state.tables.map { ($0.key, $0.value.count) } }.sorted { $0.0 < $1.0 }
    }

    /// Removes all tables.
    ///
    /// - Returns: The number of removed tables.
    func removeAll() -> Int {
        state.withLock { state in
            let count = state.tables.count
            state = State()
            return count
        }
    }

    /// Returns the table that a device with this language uses.
    ///
    /// In this order: the language itself, the language with ever less of its script and region, another
    /// region of the same language, English, `Base`, the first table (inferred from Foundation's
    /// documentation of bundles:
    /// https://developer.apple.com/documentation/foundation/bundle/preferredlocalizations(from:)).
    ///
    /// - Parameters:
    ///   - app: The bundle identifier.
    ///   - language: The language of the device; `nil` if unknown.
    /// - Returns: The strings and their language; `nil` if the app has no table.
    public func table(
        of app: String,
        for language: LanguageTag?
    ) -> (language: LanguageTag, texts: [String: String])? {
        state.withLock { state in
            let languages = state.tables.keys.filter { $0.app == app }.map(\.language).sorted()
            let standard = ["en", "base"].compactMap { LanguageTag($0) }
            let wanted = (language?.fallbacks ?? []) + (language.map { [$0.base] } ?? []) + standard
            let chosen =
                wanted.lazy.compactMap { wanted in
                    languages.first { $0 == wanted }
                        ?? (wanted == wanted.base ? languages.first { $0.base == wanted } : nil)
                }
                .first ?? languages.first
            guard let chosen, let texts = state.tables[Name(app: app, language: chosen)] else { return nil }
            return (chosen, texts)
        }
    }

    /// Returns the size of strings, including a dictionary's overhead, which dominates for many short ones.
    private static func bytes(of texts: [String: String]) -> Int {
        texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }
}

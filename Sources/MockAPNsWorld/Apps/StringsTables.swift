/// The texts of apps, in which a device looks up what a payload names by a key: one table for each app and language.
///
/// They are part of the app, so they are uploaded for the preview of a notification. The clock
/// does not affect them.
public final class StringsTables: Sendable {
    /// Whose texts, and in which language.
    public struct Name: Hashable, Comparable, Sendable {
        /// The bundle identifier.
        public let app: String
        /// The language.
        public let language: LanguageTag

        /// Names a table.
        public init(app: String, language: LanguageTag) {
            self.app = app
            self.language = language
        }

        /// By app, then by language.
        public static func < (left: Name, right: Name) -> Bool {
            (left.app, left.language) < (right.app, right.language)
        }
    }

    /// How much is kept.
    public enum Limit {
        /// Tables, of all apps together.
        public static let tables = 500
        /// Texts in one table.
        public static let texts = 10_000
        /// Bytes of keys and texts, and 64 for each text, of all tables together.
        public static let bytes = 16 << 20
    }

    /// Why a table is not kept.
    public enum Refusal: Error, Equatable, Sendable {
        /// There are as many tables as there may be.
        case tooManyTables
        /// It has more texts than a table may have.
        case tooManyTexts(Int)
        /// The total would be this many bytes, more than the limit.
        case tooManyBytes(Int)
    }

    private struct State {
        var tables: [Name: [String: String]] = [:]
        var bytes = 0
    }

    private let state = Locked(State())

    init() {}

    /// Puts a table in its place, whole; one that was there is gone.
    ///
    /// - Returns: whether there was none before.
    /// - Throws: `Refusal` when it would be too much; then nothing has changed.
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

    /// The texts of a table; `nil` if there is no such table.
    public subscript(name: Name) -> [String: String]? { state.withLock { $0.tables[name] } }

    /// Takes a table away.
    ///
    /// - Returns: whether there was one.
    public func remove(_ name: Name) -> Bool {
        state.withLock { state in
            guard let old = state.tables.removeValue(forKey: name) else { return false }
            state.bytes -= Self.bytes(of: old)
            return true
        }
    }

    /// The tables, in the order of their names, and how many texts each has.
    public var all: [(name: Name, count: Int)] {
        state.withLock { state in state.tables.map { ($0.key, $0.value.count) } }.sorted { $0.0 < $1.0 }
    }

    /// Takes all tables away.
    ///
    /// - Returns: how many there were.
    func removeAll() -> Int {
        state.withLock { state in
            let count = state.tables.count
            state = State()
            return count
        }
    }

    /// The table that a device of this language would take.
    ///
    /// In this order: the language itself, the language with less and less of its script and region, another region
    /// of the same language, English, `Base`, the first there is (inferred from what Foundation documents of bundles:
    /// https://developer.apple.com/documentation/foundation/bundle/preferredlocalizations(from:)).
    ///
    /// - Parameters:
    ///   - app: the bundle identifier.
    ///   - language: the language of the device; `nil` if unknown.
    /// - Returns: the table and its language; `nil` when the app has none.
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

    /// What texts take, with what a dictionary needs for each: many short ones would otherwise cost next to nothing.
    private static func bytes(of texts: [String: String]) -> Int {
        texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }
}

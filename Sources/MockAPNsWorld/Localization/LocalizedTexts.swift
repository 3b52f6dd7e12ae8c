package import MockAPNsFormats

/// The localized texts of an app in one language, by key.
public struct LocalizedTexts: Equatable, Sendable {
    /// The texts.
    public var texts: [String: LocalizedText]
    /// Whether the app's development language is this one, which is used if the app has none that the user prefers.
    public var isDevelopmentLanguage: Bool

    /// Creates a table.
    public init(_ texts: [String: LocalizedText] = [:], isDevelopmentLanguage: Bool = false) {
        (self.texts, self.isDevelopmentLanguage) = (texts, isDevelopmentLanguage)
    }

    /// Creates a table of texts with a single form each.
    public init(plain texts: [String: String]) { self.init(texts.mapValues { LocalizedText($0) }) }

    /// The text of a key.
    public subscript(key: String) -> LocalizedText? { texts[key] }

    /// The number of texts.
    public var count: Int { texts.count }

    /// The size in bytes, counting 64 for each text, which dominates for many short ones.
    var size: Int { texts.reduce(0) { $0 + $1.key.utf8.count + $1.value.size + 64 } }
}

extension LocalizedTexts: ExpressibleByDictionaryLiteral {
    /// Creates a table of texts with a single form each; the last of equal keys wins.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(plain: Dictionary(elements) { _, last in last })
    }
}

extension LocalizedTexts: MemberwiseArchived {
    package static let format = ArchiveFormat(
        LocalizedTexts.init(_:isDevelopmentLanguage:), \.texts, \.isDevelopmentLanguage)
}

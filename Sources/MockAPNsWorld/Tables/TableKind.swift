package import MockAPNsFormats

/// What a world keeps under names in one of its tables.
protocol TableKind: Sendable {
    associatedtype Name: Archived & Hashable & Comparable & Sendable
    associatedtype Value: Archived & Sendable

    /// The name of its changes in logs.
    static var change: String { get }
    /// What the values are called, in the plural.
    static var noun: String { get }
    /// The maximum number of values.
    static var most: Int { get }
    static var values: WritableKeyPath<WorldTables, [Name: Value]> { get }

    /// Throws if a value must not be stored.
    static func check(_ value: Value, as name: Name) throws(TableRefusal)

    /// Throws if a value must not be stored besides the others.
    static func check(_ value: Value, besides others: [Name: Value]) throws(TableRefusal)

    /// What has happened when the value with a name was set or removed; `nil` if it is not an event.
    static func event(of name: Name) -> WorldEvent.Kind?
}

extension TableKind {
    static func check(_ value: Value, besides others: [Name: Value]) throws(TableRefusal) {}
    static func event(of name: Name) -> WorldEvent.Kind? { nil }
}

/// The tables of a world.
struct WorldTables {
    var strings: [AppKey<LanguageTag>: LocalizedTexts] = [:]
    var categories: [AppKey<String>: [NotificationAction]] = [:]
    var apps: [String: AppDescription] = [:]
    var savedPushes: [String: String] = [:]
    var schemas: [AppKey<AppSchemaName>: JSONSchema] = [:]

    /// Removes everything from the tables that are among these parts, and returns what was in them.
    ///
    /// The schemas become those of the startup.
    mutating func reset(
        _ parts: Set<ResetReport.Part>, restoring startUp: [AppKey<AppSchemaName>: JSONSchema]
    ) -> [ResetReport.Part: Int] {
        defer { if parts.contains(.schemas) { schemas = startUp } }
        return [
            .strings: parts.contains(.strings) ? Self.removeAll(&strings) : 0,
            .categories: parts.contains(.categories) ? Self.removeAll(&categories) : 0,
            .apps: parts.contains(.apps) ? Self.removeAll(&apps) : 0,
            .savedPushes: parts.contains(.savedPushes) ? Self.removeAll(&savedPushes) : 0,
            .schemas: parts.contains(.schemas) ? Self.removeAll(&schemas) : 0,
        ]
    }

    private static func removeAll<Name, Value>(_ values: inout [Name: Value]) -> Int {
        defer { values = [:] }
        return values.count
    }
}

extension WorldTables: MemberwiseArchived {
    static let format = ArchiveFormat(
        changing: WorldTables(), \.strings, \.categories, \.apps, \.savedPushes, \.schemas)
}

/// The reason why an operation on tables failed.
public typealias TableRefusal = WorldError<TableProblem>

/// A problem with tables.
public enum TableProblem: String, Sendable {
    /// The table is full.
    case tooMany
    /// The value, or all of them together, is larger than it may be.
    case tooLarge
    /// The value or its name is invalid.
    case badValue
}

/// An app, and the key of something that it defines.
public struct AppKey<Key>: Hashable, Comparable, Sendable where Key: Hashable & Comparable & Sendable {
    /// The bundle identifier.
    public let app: String
    /// The key.
    public let key: Key

    /// Creates a name.
    public init(app: String, key: Key) {
        self.app = app
        self.key = key
    }

    /// Orders by app, then by key.
    public static func < (left: AppKey, right: AppKey) -> Bool { (left.app, left.key) < (right.app, right.key) }
}

extension AppKey: Archived, MemberwiseArchived where Key: Archived {
    package static var format: ArchiveFormat<AppKey> { ArchiveFormat(AppKey.init(app:key:), \.app, \.key) }
}

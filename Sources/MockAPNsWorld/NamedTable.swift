package import MockAPNsFormats

/// Values with names, uploaded for previews or kept to be sent again.
public struct NamedTable<Name, Value>: Sendable where Name: Hashable & Comparable & Sendable, Value: Sendable {
    fileprivate let world: World
    private let values: @Sendable (borrowing WorldState) -> [Name: Value]
    private let set: @Sendable (inout WorldState, Name, Value?, WorldClock.Reading) -> Void
    private let checkAlone: @Sendable (Value, Name) throws(TableRefusal) -> Void
    private let checkBesides: @Sendable (Value, [Name: Value]) throws(TableRefusal) -> Void

    fileprivate init<Kind: TableKind>(of kind: Kind.Type, in world: World)
    where Kind.Name == Name, Kind.Value == Value {
        self.world = world
        values = { $0.tables[keyPath: Kind.values] }
        set = { $0.perform(SetNamed<Kind>(name: $1, value: $2), at: $3) }
        checkAlone = { value, name throws(TableRefusal) in try Kind.check(value, as: name) }
        checkBesides = { value, others throws(TableRefusal) in
            try Kind.check(value, besides: others)
            guard others.count < Kind.most else {
                let message = "There are already \(Kind.most) \(Kind.noun), the maximum; delete one first."
                throw TableRefusal(.tooMany, message)
            }
        }
    }

    private var snapshot: [Name: Value] { world.withState { state, _ in values(state) } }

    /// The value with a name.
    public subscript(name: Name) -> Value? { snapshot[name] }

    /// All values, by name.
    public var all: [(name: Name, value: Value)] {
        snapshot.map { (name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
    }

    /// Stores a value, replacing the existing one completely, and returns whether it is new.
    public func put(_ value: Value, as name: Name) throws(TableRefusal) -> Bool {
        try checkAlone(value, name)
        return try world.withLockedState { state, time throws(TableRefusal) in
            var others = values(state)
            let old = others.removeValue(forKey: name)
            try checkBesides(value, others)
            set(&state, name, value, time)
            return old == nil
        }
    }

    /// Removes a value, and returns whether it existed.
    public func remove(_ name: Name) -> Bool {
        world.withLockedState { state, time in
            guard values(state)[name] != nil else { return false }
            set(&state, name, nil, time)
            return true
        }
    }

    /// Checks values that are to replace all others but those that are kept.
    fileprivate func check(_ values: [Name: Value], besides kept: [Name: Value] = [:]) throws(TableRefusal) {
        var others = kept
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try checkAlone(value, name)
            try checkBesides(value, others)
            others[name] = value
        }
    }
}

/// The localized strings of apps.
public typealias StringsTables = NamedTable<AppKey<LanguageTag>, LocalizedTexts>
/// The action buttons of notification categories.
public typealias NotificationCategories = NamedTable<AppKey<String>, [NotificationAction]>
/// The names and icons of apps, by bundle identifier.
public typealias AppDescriptions = NamedTable<String, AppDescription>
/// Pushes that are kept under names, as JSON.
public typealias SavedPushes = NamedTable<String, String>
/// The schemas of apps' pushes and Live Activities.
package typealias AppSchemaTable = NamedTable<AppKey<AppSchemaName>, JSONSchema>

extension World {
    /// The localized strings of apps, for previews.
    public var strings: StringsTables { NamedTable(of: StringsTable.self, in: self) }
    /// The action buttons of categories, for previews.
    public var categories: NotificationCategories { NamedTable(of: NotificationCategory.self, in: self) }
    /// The names and icons of apps, for previews.
    public var apps: AppDescriptions { NamedTable(of: AppDescription.self, in: self) }
    /// The pushes that are kept under names, to be sent again and again.
    public var savedPushes: SavedPushes { NamedTable(of: SavedPush.self, in: self) }
    /// The schemas of apps, which warnings and searches check pushes with.
    package var schemas: AppSchemaTable { NamedTable(of: AppSchema.self, in: self) }
}

extension StringsTables {
    /// Returns the table that a device uses whose user prefers these languages, the first most, and its language; after
    /// it, if it is another one, the table of the development language, for keys that the first does not have.
    public func tables(
        of app: String, preferring languages: [LanguageTag]
    ) -> [(language: LanguageTag, texts: LocalizedTexts)] {
        let tables = all.filter { $0.name.app == app }
        let development = tables.first { $0.value.isDevelopmentLanguage }?.name.key
        let chosen = LanguageChoice(among: tables.map(\.name.key)).language(
            preferring: languages, development: development)
        let names = [chosen, development == chosen ? nil : development]
        return names.compactMap { name in
            tables.first { $0.name.key == name }.map { (language: $0.name.key, texts: $0.value) }
        }
    }

    /// Replaces all tables of an app, or none of them.
    public func replaceAll(of app: String, with tables: [LanguageTag: LocalizedTexts]) throws(TableRefusal) {
        let new = Dictionary(uniqueKeysWithValues: tables.map { (AppKey(app: app, key: $0.key), $0.value) })
        try world.withLockedState { state, time throws(TableRefusal) in
            let old = values(state)
            try check(new, besides: old.filter { $0.key.app != app })
            for name in old.keys.sorted() where name.app == app && new[name] == nil { set(&state, name, nil, time) }
            for (name, value) in new.sorted(by: { $0.key < $1.key }) { set(&state, name, value, time) }
        }
    }
}

extension SavedPushes {
    /// Replaces all saved pushes, or none of them.
    public func replaceAll(with pushes: [String: String]) throws(TableRefusal) {
        try check(pushes)
        world.commit(SetSavedPushes(pushes: pushes))
    }
}

/// Something that apps define, uploaded for previews: a value for each app and key.
public struct AppTable<Key, Value>: Sendable where Key: Hashable & Comparable & Sendable, Value: Collection & Sendable {
    /// The app and the key of a value.
    public typealias Name = AppKey<Key>

    let world: World
    /// The values in the state of the world.
    let values: @Sendable (borrowing WorldState) -> [Name: Value]
    /// Changes the world so that it has a value, or has it no more.
    let set: @Sendable (inout WorldState, Name, Value?, WorldClock.Reading) -> Void

    var snapshot: [Name: Value] { world.withState { state, _ in values(state) } }

    /// The value with a name.
    public subscript(name: Name) -> Value? { snapshot[name] }

    /// Removes a value, and returns whether it existed.
    public func remove(_ name: Name) -> Bool {
        world.withLockedState { state, time in
            guard values(state)[name] != nil else { return false }
            set(&state, name, nil, time)
            return true
        }
    }

    /// The names in order, each with the number of entries of its value.
    public var all: [(name: Name, count: Int)] { snapshot.map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 } }

    /// Stores a value if `check` allows it, given all others, and returns whether it is new.
    func put<Failure>(
        _ value: Value, as name: Name, check: ([Name: Value]) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try world.withLockedState { state, time throws(Failure) in
            var others = values(state)
            let old = others.removeValue(forKey: name)
            try check(others)
            set(&state, name, value, time)
            return old == nil
        }
    }
}

extension World {
    /// The localized strings of apps, for previews.
    public var strings: StringsTables {
        StringsTables(world: self, values: { $0.strings }) { state, name, texts, time in
            state.perform(SetStrings(name: name, texts: texts), at: time)
        }
    }

    /// The action buttons of categories, for previews.
    public var categories: NotificationCategories {
        NotificationCategories(world: self, values: { $0.categories }) { state, name, actions, time in
            state.perform(SetCategory(name: name, actions: actions), at: time)
        }
    }
}

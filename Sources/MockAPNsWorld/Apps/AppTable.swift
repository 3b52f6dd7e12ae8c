/// Something that apps define, uploaded for previews: a value for each app and key.
public final class AppTable<Key, Value>: Sendable
where Key: Hashable & Comparable & Sendable, Value: Collection & Sendable {
    /// The app and the key of a value.
    public struct Name: Hashable, Comparable, Sendable {
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
        public static func < (left: Name, right: Name) -> Bool {
            (left.app, left.key) < (right.app, right.key)
        }
    }

    private let values = Locked([Name: Value]())

    init() {}

    var snapshot: [Name: Value] { values.withLock { $0 } }

    /// The value with a name.
    public subscript(name: Name) -> Value? { values.withLock { $0[name] } }

    /// Removes a value, and returns whether it existed.
    public func remove(_ name: Name) -> Bool { values.withLock { $0.removeValue(forKey: name) != nil } }

    /// The names in order, each with the number of entries of its value.
    public var all: [(name: Name, count: Int)] {
        snapshot.map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
    }

    func removeAll() -> Int {
        values.withLock { values in
            defer { values = [:] }
            return values.count
        }
    }

    /// Stores a value if `check` allows it, given all others, and returns whether it is new.
    func put<Failure>(
        _ value: Value,
        as name: Name,
        check: ([Name: Value]) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try values.withLock { values throws(Failure) in
            var others = values
            let old = others.removeValue(forKey: name)
            try check(others)
            values[name] = value
            return old == nil
        }
    }
}

/// The action buttons of notification categories (`UNNotificationCategory`).
///
/// They are defined in the app, so they are uploaded for previews. The clock does not affect them.
public final class NotificationCategories: Sendable {
    /// The app and the name of a category.
    public struct Name: Hashable, Comparable, Sendable {
        /// The bundle identifier.
        public let app: String
        /// The value of `aps.category`.
        public let category: String

        /// Creates the name of a category.
        public init(app: String, category: String) {
            self.app = app
            self.category = category
        }

        /// Orders by app, then by category.
        public static func < (left: Name, right: Name) -> Bool {
            (left.app, left.category) < (right.app, right.category)
        }
    }

    /// The limits.
    public enum Limit {
        /// The maximum number of categories of all apps together.
        public static let categories = 500
        /// The maximum number of actions of a category.
        ///
        /// Documented: if space is unlimited, up to ten are displayed
        /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory).
        public static let actions = 10
        /// The maximum length of names, identifiers and titles, in Unicode scalars.
        public static let scalars = 256
    }

    /// The number of actions that are displayed if space is limited, as in a banner.
    ///
    /// Documented: the first two
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory/actions).
    public static let fewest = 2

    /// The reason why a category is rejected.
    public enum Refusal: Error, Equatable, Sendable {
        /// The maximum number of categories is reached.
        case tooManyCategories
        /// The category has too many actions.
        case tooManyActions(Int)
        /// A name, an identifier or a title is empty or too long.
        case badLength(Int)
    }

    private let state = Locked([Name: [NotificationAction]]())

    init() {}

    /// Stores a category, replacing the existing one completely.
    ///
    /// - Returns: Whether the category is new.
    /// - Throws: `Refusal` if a limit is exceeded; then nothing has changed.
    public func put(_ actions: [NotificationAction], as name: Name) throws(Refusal) -> Bool {
        guard actions.count <= Limit.actions else { throw .tooManyActions(actions.count) }
        for text in [name.category] + actions.flatMap({ [$0.title] + ($0.identifier.map { [$0] } ?? []) }) {
            guard Self.isFitting(text) else { throw .badLength(text.unicodeScalars.count) }
        }
        return try state.withLock { state throws(Refusal) in
            let isNew = state[name] == nil
            guard !isNew || state.count < Limit.categories else { throw .tooManyCategories }
            state[name] = actions
            return isNew
        }
    }

    /// Whether a string can be a name, an identifier or a title.
    public static func isFitting(_ text: String) -> Bool {
        // If the number of bytes is within the limit, the number of scalars is too.
        !text.isEmpty && (text.utf8.count <= Limit.scalars || text.unicodeScalars.count <= Limit.scalars)
    }

    /// The actions of a category in order; `nil` if there is no such category.
    public subscript(name: Name) -> [NotificationAction]? { state.withLock { $0[name] } }

    /// Removes a category.
    ///
    /// - Returns: Whether it existed.
    public func remove(_ name: Name) -> Bool { state.withLock { $0.removeValue(forKey: name) != nil } }

    /// The categories sorted by name, each with its number of actions.
    public var all: [(name: Name, count: Int)] {
        state.withLock { state in state.map { ($0.key, $0.value.count) } }.sorted { $0.0 < $1.0 }
    }

    /// Removes all categories.
    ///
    /// - Returns: The number of removed categories.
    func removeAll() -> Int {
        state.withLock { state in
            let count = state.count
            state = [:]
            return count
        }
    }
}

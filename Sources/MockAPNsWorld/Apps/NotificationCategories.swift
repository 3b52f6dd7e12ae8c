/// The buttons of notifications, by the category that a payload names: `UNNotificationCategory`, as apps declare it.
///
/// They are part of the app, so they are uploaded for the preview of a notification. The clock
/// does not affect them.
public final class NotificationCategories: Sendable {
    /// Whose category, and which.
    public struct Name: Hashable, Comparable, Sendable {
        /// The bundle identifier.
        public let app: String
        /// What `aps.category` says.
        public let category: String

        /// Names a category.
        public init(app: String, category: String) {
            self.app = app
            self.category = category
        }

        /// By app, then by category.
        public static func < (left: Name, right: Name) -> Bool {
            (left.app, left.category) < (right.app, right.category)
        }
    }

    /// How much is kept.
    public enum Limit {
        /// Categories, of all apps together.
        public static let categories = 500
        /// Buttons of one category.
        ///
        /// Documented: where space is unlimited, up to ten are displayed
        /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory).
        public static let actions = 10
        /// Unicode scalars in the name of a category, and in the identifier and the title of a button.
        public static let scalars = 256
    }

    /// How many buttons a notification has where space is limited, as in a banner.
    ///
    /// Documented: the first two
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory/actions).
    public static let fewest = 2

    /// Why a category is not kept.
    public enum Refusal: Error, Equatable, Sendable {
        /// There are as many categories as there may be.
        case tooManyCategories
        /// It has more buttons than a category may have.
        case tooManyActions(Int)
        /// A name, an identifier or a title has more scalars than it may have, or none.
        case badLength(Int)
    }

    private let state = Locked([Name: [NotificationAction]]())

    init() {}

    /// Puts a category in its place, whole; one that was there is gone.
    ///
    /// - Returns: whether there was none before.
    /// - Throws: `Refusal` when it would be too much; then nothing has changed.
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

    /// Whether a text may be a name, an identifier or a title.
    public static func isFitting(_ text: String) -> Bool {
        // A text of no more bytes than that need not be counted.
        !text.isEmpty && (text.utf8.count <= Limit.scalars || text.unicodeScalars.count <= Limit.scalars)
    }

    /// The buttons of a category, in their order; `nil` if there is no such category.
    public subscript(name: Name) -> [NotificationAction]? { state.withLock { $0[name] } }

    /// Takes a category away.
    ///
    /// - Returns: whether there was one.
    public func remove(_ name: Name) -> Bool { state.withLock { $0.removeValue(forKey: name) != nil } }

    /// The categories, in the order of their names, and how many buttons each has.
    public var all: [(name: Name, count: Int)] {
        state.withLock { state in state.map { ($0.key, $0.value.count) } }.sorted { $0.0 < $1.0 }
    }

    /// Takes all categories away.
    ///
    /// - Returns: how many there were.
    func removeAll() -> Int {
        state.withLock { state in
            let count = state.count
            state = [:]
            return count
        }
    }
}

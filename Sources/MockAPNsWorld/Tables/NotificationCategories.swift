/// The action buttons of notification categories (`UNNotificationCategory`), by the value of `aps.category`.
public typealias NotificationCategories = AppTable<String, [NotificationAction]>

/// The limits of categories.
public enum CategoryLimit {
    /// The maximum number of categories of all apps together.
    public static let categories = 500
    /// The maximum number of actions of a category.
    ///
    /// Documented: if space is unlimited, up to ten are displayed
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory).
    public static let actions = 10
    /// The number of actions that are displayed if space is limited, as in a banner.
    ///
    /// Documented: the first two
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory/actions).
    public static let fewestActions = 2
    /// The maximum length of names, identifiers and titles, in Unicode scalars.
    public static let scalars = 256

    /// Whether a string can be a name, an identifier or a title.
    public static func allows(_ text: String) -> Bool {
        // If the number of bytes is within the limit, the number of scalars is too.
        !text.isEmpty && (text.utf8.count <= scalars || text.unicodeScalars.count <= scalars)
    }
}

/// The reason why a category is rejected.
public enum CategoryRefusal: Error, Equatable, Sendable {
    case tooManyCategories
    case tooManyActions(Int)
    /// A name, an identifier or a title is empty or too long.
    case badLength(Int)
}

extension NotificationCategories {
    /// Stores a category, replacing the existing one completely, and returns whether it is new.
    public func put(_ actions: [NotificationAction], as name: Name) throws(CategoryRefusal) -> Bool {
        guard actions.count <= CategoryLimit.actions else { throw .tooManyActions(actions.count) }
        for text in [name.key] + actions.flatMap({ [$0.title, $0.identifier].compactMap(\.self) }) {
            guard CategoryLimit.allows(text) else { throw .badLength(text.unicodeScalars.count) }
        }
        return try put(actions, as: name) { others throws(CategoryRefusal) in
            guard others.count < CategoryLimit.categories else { throw .tooManyCategories }
        }
    }
}

/// A notification category (`UNNotificationCategory`) with its actions, by the value of `aps.category`.
public enum NotificationCategory: TableKind {
    static let change = "set-category"
    static let noun = "categories"
    /// The maximum number of categories of all apps together.
    public static let most = 500
    /// The maximum number of actions of a category.
    ///
    /// Documented: if space is unlimited, up to ten are displayed
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory).
    public static let mostActions = 10
    /// The number of actions that are displayed if space is limited, as in a banner.
    ///
    /// Documented: the first two
    /// (https://developer.apple.com/documentation/usernotifications/unnotificationcategory/actions).
    public static let fewestActions = 2
    /// The maximum length of names, identifiers and titles, in Unicode scalars.
    public static let longestText = 256

    /// Whether a string can be a name, an identifier or a title.
    public static func allows(_ text: String) -> Bool {
        // If the number of bytes is within the limit, the number of scalars is too.
        !text.isEmpty && (text.utf8.count <= longestText || text.unicodeScalars.count <= longestText)
    }
    static var values: WritableKeyPath<WorldTables, [AppKey<String>: [NotificationAction]]> { \.categories }

    static func check(_ actions: [NotificationAction], as name: AppKey<String>) throws(TableRefusal) {
        guard actions.count <= mostActions else {
            throw TableRefusal(.tooLarge, "The category has \(actions.count) actions; the maximum is \(mostActions).")
        }
        let texts = [name.key] + actions.flatMap { [$0.title, $0.identifier].compactMap(\.self) }
        if let text = texts.first(where: { !allows($0) }) {
            let expected = "expected a text of 1 to \(longestText) characters"
            throw TableRefusal(.badValue, "A text has \(text.unicodeScalars.count) characters; \(expected).")
        }
    }
}

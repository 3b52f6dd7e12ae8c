/// A push that is kept under a name, to be sent again and again: its description as JSON.
public enum SavedPush: TableKind {
    static let change = "set-saved-push"
    static let noun = "saved pushes"
    /// The maximum number of saved pushes.
    public static let most = 100
    /// The maximum size of each, in bytes.
    public static let largest = 64 << 10
    /// The maximum length of a name, in Unicode scalars.
    public static let longestName = 100
    static var values: WritableKeyPath<WorldTables, [String: String]> { \.savedPushes }

    static func check(_ push: String, as name: String) throws(TableRefusal) {
        guard push.utf8.count > largest else { return }
        throw TableRefusal(.tooLarge, "The push has \(push.utf8.count) bytes; a saved push may have \(largest).")
    }

    static func event(of name: String) -> WorldEvent.Kind? { .savedPushesChanged }
}

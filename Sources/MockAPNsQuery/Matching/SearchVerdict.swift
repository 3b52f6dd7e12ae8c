internal import MockAPNsRules

/// Whether a search says which verdict it wants.
///
/// Assertions count accepted pushes alone unless it does; the command line asks here, so that its waits go by the
/// same rule as a verification.
public enum SearchVerdict {
    /// Whether the search asks for an outcome, a status or a reason; `false` for what is no search.
    public static func isAsked(by text: String) -> Bool {
        // What is asked does not depend on the time.
        guard let search = try? SearchText(text, now: Timestamp(microseconds: 0)) else { return false }
        return search.condition.asks(forAnyOf: PushField.verdictFields)
    }
}

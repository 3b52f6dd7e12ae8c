internal import MockAPNsRules

/// Determines whether a search specifies a verdict.
///
/// If it does not, assertions count only accepted pushes. The command line uses this to apply the same rule when
/// waiting for pushes.
public enum SearchVerdict {
    /// Returns whether the search uses an outcome, status or reason, or `false` if the search is invalid.
    public static func isAsked(by text: String) -> Bool {
        // The time does not affect which fields are used.
        guard let search = try? SearchText(text, now: Timestamp(microseconds: 0)) else { return false }
        return search.condition.asks(forAnyOf: PushField.verdictFields)
    }
}

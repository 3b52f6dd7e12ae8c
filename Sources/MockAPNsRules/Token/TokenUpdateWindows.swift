/// The current provider token of each key, and when it was first seen, to limit how often tokens are renewed.
///
/// Documented: at most every 20 minutes on one connection. Inferred: time is counted by arrival on the
/// server's clock; tokens differ by their `iat`, because hosts that share one `iat` send different
/// signatures; each key has its own window, because two related keys may share a connection.
public struct TokenUpdateWindows: Sendable {
    private struct Window {
        let keyID: String
        let issuedAt: Double
        let since: Timestamp
        /// The previous token, which requests in flight may still use; it stays valid until it expires.
        let previous: Double?
    }

    /// The maximum number of keys; more replace the oldest, so that no client can make the list grow.
    private static let capacity = 64

    private var windows: [Window] = []

    /// Creates empty windows.
    public init() {}

    /// Returns whether the token may be used now.
    ///
    /// The first token of a key, or one after the interval, becomes the current one.
    mutating func admit(_ credential: ProviderCredential, at now: Timestamp, interval: Int64) -> Bool {
        let issuedAt = credential.issuedAt ?? 0
        guard let position = windows.firstIndex(where: { $0.keyID == credential.key.keyID }) else {
            if windows.count == Self.capacity { windows.removeFirst() }
            windows.append(Window(keyID: credential.key.keyID, issuedAt: issuedAt, since: now, previous: nil))
            return true
        }
        let current = windows[position]
        if issuedAt == current.issuedAt || issuedAt == current.previous { return true }
        guard now.microseconds(since: current.since) >= interval else { return false }
        windows[position] = Window(
            keyID: current.keyID,
            issuedAt: issuedAt,
            since: now,
            previous: current.issuedAt
        )
        return true
    }
}

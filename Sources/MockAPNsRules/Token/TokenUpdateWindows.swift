/// The provider token in use for each key, and when it was first seen: what limits how often a token is renewed.
///
/// Documented: not more often than every 20 minutes on one connection. Inferred: the time counts by arrival on
/// the server's clock; another token is another `iat`, because hosts that share one `iat` send different
/// signatures; each key has a window of its own, because two related keys may share a connection.
public struct TokenUpdateWindows: Sendable {
    private struct Window {
        let keyID: String
        let issuedAt: Double
        let since: Timestamp
        /// The token before, which requests under way may still carry; it goes on working until it expires.
        let previous: Double?
    }

    /// Keys beyond this many push out the oldest, so that no peer can make the list grow.
    private static let capacity = 64

    private var windows: [Window] = []

    /// No token seen yet.
    public init() {}

    /// Whether the token may be used now; the first of a key, or one after the interval, becomes the current one.
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

/// A provider token in use, as far as the limit on token updates is concerned.
public struct TokenUse: Equatable, Sendable {
    /// What the limit counts for: a key, a team or a client's address.
    public let owner: String
    /// The ID of the token's key.
    public let keyID: String
    /// The claim `iat`; tokens differ by it, because hosts that share one `iat` send different signatures (inferred).
    public let issuedAt: Double

    /// Creates the use of a token.
    public init(owner: String, keyID: String, issuedAt: Double) {
        (self.owner, self.keyID, self.issuedAt) = (owner, keyID, issuedAt)
    }

    func isSameToken(as other: TokenUse) -> Bool { issuedAt == other.issuedAt && keyID == other.keyID }
}

/// The current provider token of each owner, and when it was first seen, to limit how often tokens are renewed.
///
/// Documented: at most every 20 minutes on one connection. Inferred: time is counted by arrival on the
/// server's clock; each key on a connection has its own window, because two related keys may share a connection.
public struct TokenUpdateWindows: Equatable, Sendable {
    /// The current token of an owner.
    package struct Window: Equatable, Sendable {
        /// The current token.
        package let current: TokenUse
        /// When it was first seen.
        package let since: Timestamp
        /// The previous token, which requests in flight may still use; it stays valid until it expires.
        package let previous: TokenUse?

        package init(current: TokenUse, since: Timestamp, previous: TokenUse?) {
            (self.current, self.since, self.previous) = (current, since, previous)
        }
    }

    /// What a token is to the windows.
    public enum Standing: Equatable, Sendable {
        /// The current or the previous token of its owner.
        case known
        /// The first token of its owner, or one after the interval.
        case new
        /// Another token, before this time.
        case early(until: Timestamp)
    }

    /// The maximum number of owners; more replace the oldest, so that no client can make the list grow.
    package static let capacity = 64

    package private(set) var windows: [Window] = []

    /// Creates empty windows.
    public init() {}

    /// Whether there is no window.
    public var isEmpty: Bool { windows.isEmpty }

    /// Whether a token is the current or the previous one of its owner.
    public func knows(_ use: TokenUse) -> Bool {
        windows.first { $0.current.owner == use.owner }.map { $0.has(use) } ?? false
    }

    /// Returns what a token is at this time.
    public func standing(of use: TokenUse, at now: Timestamp, interval: Int64) -> Standing {
        guard let window = windows.first(where: { $0.current.owner == use.owner }) else { return .new }
        if window.has(use) { return .known }
        guard now.microseconds(since: window.since) < interval else { return .new }
        return .early(until: Timestamp(microseconds: window.since.microseconds + interval))
    }

    /// Makes a token the current one of its owner.
    public mutating func note(_ use: TokenUse, at now: Timestamp) {
        let position = windows.firstIndex { $0.current.owner == use.owner }
        let window = Window(current: use, since: now, previous: position.map { windows[$0].current })
        if let position {
            windows[position] = window
        } else {
            if windows.count == Self.capacity { windows.removeFirst() }
            windows.append(window)
        }
    }

    /// Adds a window that was stored.
    package mutating func restore(_ window: Window) { windows.append(window) }

    /// Returns what a token is at this time, and makes it the current one if it is new.
    mutating func admit(_ use: TokenUse, at now: Timestamp, interval: Int64) -> Standing {
        let standing = standing(of: use, at: now, interval: interval)
        if standing == .new { note(use, at: now) }
        return standing
    }
}

extension TokenUpdateWindows.Window {
    func has(_ use: TokenUse) -> Bool { use.isSameToken(as: current) || previous.map(use.isSameToken) ?? false }
}

internal import MockAPNsFormats

/// What a request to broadcast or to manage channels asks for, as far as the checks have read it.
public struct ChannelRequest: Sendable {
    /// What to do.
    public enum Operation: Sendable {
        case broadcast
        case create
        case read
        case delete
        case list

        /// Whether the request must name a channel.
        var needsChannel: Bool { self == .broadcast || self == .read || self == .delete }
    }

    /// What to do.
    public let operation: Operation
    /// The app of the path, in the environment of the listener.
    public let app: ChannelApp
    /// The channel of `apns-channel-id`, after a check has found it.
    public internal(set) var channel: ChannelID?
    /// The storage policy of that channel, or of the channel to create.
    public internal(set) var storage: ChannelStorage?
    /// The body of a request to create a channel, after a check has parsed it.
    var body: [String: JSONValue] = [:]

    /// Reads the method and the path; `nil` if the path is not one of the service.
    public init?(_ request: borrowing RequestView, for service: Service, in environment: Environment) {
        let parts = request.appParts(for: service)
        guard let parts, Topic(parts.bundleID).isWellFormed else { return nil }
        app = ChannelApp(bundleID: parts.bundleID.text, environment: environment)
        if service == .broadcast {
            operation = .broadcast
        } else if parts.rest.equals("/all-channels") {
            operation = .list
        } else if request[.method]?.equals("POST") == true {
            operation = .create
        } else {
            operation = request[.method]?.equals("DELETE") == true ? .delete : .read
        }
    }
}

extension RequestView {
    /// The bundle identifier in the path of a request to broadcast or to manage channels, and what follows it.
    ///
    /// `nil` for any other path.
    package func appParts(for service: Service) -> (bundleID: ByteSpan, rest: ByteSpan)? {
        self[.path].flatMap { service.appParts(of: $0) }
    }
}

extension Service {
    /// Returns the bundle identifier in a path; `nil` for a push to a device, and for a path of no service.
    public func bundleID(inPath path: String) -> String? {
        guard self != .push else { return nil }
        var path = path
        return path.withUTF8 { appParts(of: ByteSpan($0))?.bundleID.text }
    }

    fileprivate func appParts(of path: ByteSpan) -> (bundleID: ByteSpan, rest: ByteSpan)? {
        let prefix: StaticString = self == .broadcast ? "/4/broadcasts/apps/" : "/1/apps/"
        guard path.hasPrefix(prefix) else { return nil }
        let tail = path.dropFirst(prefix.utf8CodeUnitCount)
        let end = tail.firstIndex(of: UInt8(ascii: "/")) ?? tail.count
        let (bundleID, rest) = (tail.prefix(end), tail.dropFirst(end))
        let isKnown = self == .broadcast ? rest.isEmpty : rest.equals("/channels") || rest.equals("/all-channels")
        return isKnown ? (bundleID, rest) : nil
    }
}

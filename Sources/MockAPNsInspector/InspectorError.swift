/// The reason why the API could not be started.
public struct InspectorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The address is in use.
        public static let addressInUse = Code(name: "addressInUse")
        /// The address cannot be bound.
        public static let cannotListen = Code(name: "cannotListen")
        /// An allowed host is not a host.
        public static let badAllowedHost = Code(name: "badAllowedHost")
        /// The token for requests cannot be sent in a header.
        public static let badToken = Code(name: "badToken")
        /// An allowed origin is not an origin.
        public static let badOrigin = Code(name: "badOrigin")
        /// `start` was called twice.
        public static let alreadyStarted = Code(name: "alreadyStarted")
    }

    /// The kind of error; equality compares nothing else.
    public let code: Code
    /// The host asked for.
    public let host: String
    /// The port asked for.
    public let port: Int
    /// What was seen, and what to do about it.
    public let description: String

    init(_ code: Code, host: String, port: Int, _ description: String) {
        self.code = code
        self.host = host
        self.port = port
        self.description = description
    }

    /// Whether the port is in use.
    public var isAddressInUse: Bool { code == .addressInUse }

    /// Compares the codes.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

/// Why the API could not be started.
public struct InspectorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The address is held by somebody else.
        public static let addressInUse = Code(name: "addressInUse")
        /// The address cannot be bound.
        public static let cannotListen = Code(name: "cannotListen")
        /// A host to be allowed is not a host.
        public static let badAllowedHost = Code(name: "badAllowedHost")
        /// The token that requests have to show cannot be sent in a header.
        public static let badToken = Code(name: "badToken")
        /// An origin whose pages may read answers is none.
        public static let badOrigin = Code(name: "badOrigin")
        /// It has been started before; an inspector is started once.
        public static let alreadyStarted = Code(name: "alreadyStarted")
    }

    /// The kind of error; equality looks at nothing else.
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

    /// Whether somebody else holds the port.
    public var isAddressInUse: Bool { code == .addressInUse }

    /// Whether both are of one kind.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }
}

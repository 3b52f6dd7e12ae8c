/// Why a server could not be started.
public struct MockAPNsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error; equality looks at nothing else.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// Another process listens on an address.
        public static let addressInUse = Code(name: "addressInUse")
        /// An address cannot be bound.
        public static let cannotListen = Code(name: "cannotListen")
        /// A key cannot be used.
        public static let badKey = Code(name: "badKey")
        /// The certificate cannot be used.
        public static let badCertificate = Code(name: "badCertificate")
        /// The devices of the start cannot be.
        public static let badDevices = Code(name: "badDevices")
    }

    /// The kind of error.
    public let code: Code
    /// What was seen, and what to do about it.
    public let description: String
    /// The port that could not be bound.
    public let port: Int?

    /// An error of this kind.
    public init(_ code: Code, _ description: String, port: Int? = nil) {
        self.code = code
        self.description = description
        self.port = port
    }

    /// Whether both are of one kind.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Runs `make`, whose errors become errors of this kind.
    static func wrapping<Value>(
        _ code: Code,
        _ prefix: String = "",
        _ make: () throws -> Value
    ) throws(MockAPNsError) -> Value {
        do { return try make() } catch { throw MockAPNsError(code, "\(prefix)\(error)") }
    }
}

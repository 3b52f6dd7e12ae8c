/// The reason why a server could not be started, or a key or certificate could not be used.
public struct MockAPNsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error; equality compares only this.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// Another process listens at an address.
        public static let addressInUse = Code(name: "addressInUse")
        /// An address cannot be bound.
        public static let cannotListen = Code(name: "cannotListen")
        /// A key cannot be used.
        public static let badKey = Code(name: "badKey")
        /// The certificate cannot be used.
        public static let badCertificate = Code(name: "badCertificate")
        /// The devices of the configuration are invalid.
        public static let badDevices = Code(name: "badDevices")
        /// The worlds of the server cannot be read or kept.
        public static let cannotKeep = Code(name: "cannotKeep")
    }

    /// The kind of error.
    public let code: Code
    /// The problem and how to fix it.
    public let description: String
    /// The port that could not be bound.
    public let port: Int?

    /// Creates an error.
    public init(_ code: Code, _ description: String, port: Int? = nil) {
        self.code = code
        self.description = description
        self.port = port
    }

    /// Whether both errors are of the same kind.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Runs `make`, and converts its errors to errors of this kind.
    static func wrapping<Value>(
        _ code: Code, _ prefix: String = "", _ make: () throws -> Value
    ) throws(MockAPNsError) -> Value {
        do { return try make() } catch { throw MockAPNsError(code, "\(prefix)\(error)") }
    }
}

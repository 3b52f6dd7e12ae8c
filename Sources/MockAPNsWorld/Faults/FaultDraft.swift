public import MockAPNsRules

/// The description of a fault, checked and ready to be put in force.
public struct FaultDraft: Sendable {
    /// Which connections a fault is for; all conditions must hold, and several values of one mean any of them.
    public struct Connections: Equatable, Sendable {
        /// The numbers of connections.
        public var ids: [UInt64] = []
        /// Addresses of clients, with or without the port.
        public var remotes: [String] = []
        /// The environment of the listener.
        public var environment: Environment?

        /// Every connection.
        public init() {}

        /// Whether it is for every connection.
        public var isEmpty: Bool { self == Connections() }

        func matches(_ connection: FaultConnection) -> Bool {
            if !ids.isEmpty, !ids.contains(connection.id) { return false }
            if let environment, environment != connection.environment { return false }
            guard !remotes.isEmpty else { return true }
            let address = connection.remoteAddress
            let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
            return remotes.contains { $0 == address || $0 == host }
        }
    }

    /// The condition on pushes, with its text as it was given.
    public struct Match: Sendable {
        /// The condition.
        public let condition: PushQuery.Condition
        /// The condition as it was given; the world does not read it.
        public let text: String

        /// A condition and its text.
        public init(text: String, condition: @escaping PushQuery.Condition) {
            self.text = text
            self.condition = condition
        }
    }

    /// A name for people.
    public let name: String?
    /// Whether it fires at all.
    public internal(set) var isEnabled: Bool
    /// Which pushes it is for; `nil` for all.
    public let match: Match?
    /// Which connections it is for.
    public let connections: Connections
    /// When it fires.
    public let when: FaultTrigger
    /// What it does.
    public let action: FaultAction
    /// The preset that it was made of.
    public internal(set) var preset: String?

    /// A description of a fault.
    ///
    /// - Throws: `FaultError` for parts that do not go together, or values that cannot be used.
    public init(
        name: String? = nil,
        isEnabled: Bool = true,
        match: Match? = nil,
        connections: Connections = Connections(),
        when: FaultTrigger = FaultTrigger(),
        action: FaultAction
    ) throws(FaultError) {
        self.name = name
        self.isEnabled = isEnabled
        self.match = match
        self.connections = connections
        self.when = when
        self.action = action
        try check()
    }

    /// Whether it can happen to a connection on which nothing moves, rather than to a push.
    var isForIdle: Bool { when.afterIdle != nil && action.row.worksWhileIdle }
}

/// A connection that a fault may happen to.
public struct FaultConnection: Sendable {
    /// Its number.
    public let id: UInt64
    /// The address and port of the client.
    public let remoteAddress: String
    /// The environment of the listener.
    public let environment: Environment

    /// A connection.
    public init(id: UInt64, remoteAddress: String, environment: Environment) {
        self.id = id
        self.remoteAddress = remoteAddress
        self.environment = environment
    }
}

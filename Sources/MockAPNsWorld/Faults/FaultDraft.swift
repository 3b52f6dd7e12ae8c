package import MockAPNsFormats
public import MockAPNsRules

/// The input for creating a fault, already validated.
public struct FaultDraft: Sendable {
    /// The connections to which a fault applies: all conditions match, each with any of its values.
    public struct Connections: Equatable, Sendable {
        /// The numbers of connections.
        public var ids: [UInt64] = []
        /// The addresses of clients, with or without the port.
        public var remotes: [String] = []
        /// The environment of the listener.
        public var environment: Environment?

        /// Creates conditions that match every connection.
        public init() {}

        /// Whether it matches every connection.
        public var isEmpty: Bool { self == Connections() }

        func matches(_ connection: ConnectionRecord) -> Bool {
            if !ids.isEmpty, !ids.contains(connection.id) { return false }
            if let environment, environment != connection.environment { return false }
            guard !remotes.isEmpty else { return true }
            let address = connection.remoteAddress
            let host = address.lastIndex(of: ":").map { address[..<$0] } ?? address[...]
            return remotes.contains { $0 == address || $0 == host }
        }
    }

    /// The pushes to which a fault applies.
    public typealias Match = PushCondition

    /// The name, for people.
    public let name: String?
    /// Whether the fault is enabled.
    public internal(set) var isEnabled: Bool
    /// The pushes to which the fault applies; `nil` for all.
    public let match: Match?
    /// The connections to which the fault applies.
    public let connections: Connections
    /// When the fault fires.
    public let when: FaultTrigger
    /// The action.
    public let action: FaultAction
    /// The preset from which the fault was created.
    public package(set) var preset: String?

    /// Creates a draft, unless values are invalid or incompatible.
    public init(
        name: String? = nil, isEnabled: Bool = true, match: Match? = nil, connections: Connections = Connections(),
        when: FaultTrigger = FaultTrigger(), action: FaultAction
    ) throws(FaultError) {
        self.name = name
        self.isEnabled = isEnabled
        self.match = match
        self.connections = connections
        self.when = when
        self.action = action
        try check()
    }

    /// Whether the fault applies to idle connections instead of pushes.
    var isForIdle: Bool { when.afterIdle != nil && action.row.worksWhileIdle }
}

/// A change of a fault; parts that are `nil` are not changed.
public struct FaultChange: Sendable {
    /// The name.
    public var name: String?
    /// Whether the fault is enabled.
    public var isEnabled: Bool?
    /// The pushes and connections to which the fault applies.
    public var match: (match: FaultDraft.Match?, connections: FaultDraft.Connections)?
    /// When the fault fires.
    public var when: FaultTrigger?
    /// The action.
    public var action: FaultAction?

    /// Creates an empty change.
    public init() {}
}

extension FaultID: MemberwiseArchived { package static let format = ArchiveFormat(FaultID.init(number:), \.number) }

extension FaultDraft.Connections: MemberwiseArchived {
    package static let format = ArchiveFormat(changing: FaultDraft.Connections(), \.ids, \.remotes, \.environment)
}

extension FaultTrigger: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: FaultTrigger(), \.skip, \.times, \.every, \.probability, \.from, \.until, \.afterIdle, \.afterRequests
    )
}

/// A condition is written as its text alone.
extension FaultDraft.Match: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(text) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let match = try archive.replay.match(try archive.read()) else { throw .badValue }
        self = match
    }
}

extension FaultDraft: MemberwiseArchived {
    package static let format = ArchiveFormat<FaultDraft>(
        checking: { name, isEnabled, match, connections, when, action, preset in
            var draft = try? FaultDraft(
                name: name, isEnabled: isEnabled, match: match, connections: connections, when: when, action: action)
            draft?.preset = preset
            return draft
        }, \.name, \.isEnabled, \.match, \.connections, \.when, \.action, \.preset)
}

extension FaultDraw.Use: Archived {}

extension FaultDraw: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FaultDraw.init(number:use:value:fired:), \.number, \.use, \.value, \.fired)
}

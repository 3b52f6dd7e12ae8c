public import MockAPNsRules

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

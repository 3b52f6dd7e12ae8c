public import MockAPNsRules

/// What goes wrong on purpose: a list of faults, of which the first that fires has a push or connection.
///
/// When a call has returned, every later request is judged by what it changed.
public final class Faults: Sendable {
    /// What to change of a fault; `nil` leaves a part as it is.
    public struct Change: Sendable {
        /// Another name.
        public var name: String?
        /// Whether it fires at all.
        public var isEnabled: Bool?
        /// Which pushes and connections it is for.
        public var match: (match: FaultDraft.Match?, connections: FaultDraft.Connections)?
        /// When it fires.
        public var when: FaultTrigger?
        /// What it does.
        public var action: FaultAction?

        /// Changes nothing.
        public init() {}
    }

    private let core: WorldCore

    init(core: WorldCore) { self.core = core }

    /// Every fault, in their order.
    public var all: [Fault] { core.withState { state, _ in state.faults.all } }

    /// A fault.
    public func fault(_ id: FaultID) throws(FaultError) -> Fault {
        try at(id) { faults, position in faults.rules[position].snapshot(position: position + 1) }
    }

    /// Puts faults at the end of the list.
    public func add(_ draft: FaultDraft) throws(FaultError) -> Fault {
        try core.withState { state, _ throws(FaultError) in try state.faults.add(draft) }
    }

    /// Describes a fault anew; it stays at its place, and its counters start from the beginning.
    public func replace(_ id: FaultID, with draft: FaultDraft) throws(FaultError) -> Fault {
        try at(id) { faults, position in faults.replace(at: position, with: draft) }
    }

    /// Changes parts of a fault.
    ///
    /// Under another name, or switched on or off, it goes on counting; with anything else it starts from the
    /// beginning.
    public func change(_ id: FaultID, _ change: Change) throws(FaultError) -> Fault {
        try at(id) { faults, position throws(FaultError) in
            let old = faults.rules[position].draft
            var draft = try FaultDraft(
                name: change.name ?? old.name,
                isEnabled: change.isEnabled ?? old.isEnabled,
                match: change.match.map(\.match) ?? old.match,
                connections: change.match?.connections ?? old.connections,
                when: change.when ?? old.when,
                action: change.action ?? old.action
            )
            draft.preset = old.preset
            let goesOn = change.match == nil && change.when == nil && change.action == nil
            return goesOn
                ? faults.continueRule(at: position, with: draft) : faults.replace(at: position, with: draft)
        }
    }

    /// Removes a fault.
    public func remove(_ id: FaultID) throws(FaultError) {
        try at(id) { faults, position in faults.remove(at: position) }
    }

    /// Removes every fault that `condition` holds for, and says how many.
    public func removeAll(where condition: (FaultDraft) -> Bool = { _ in true }) -> Int {
        core.withState { state, _ in state.faults.remove(where: condition) }
    }

    /// Brings the faults into another order, which names each of them once, and returns them.
    public func reorder(_ ids: [FaultID]) throws(FaultError) -> [Fault] {
        try core.withState { state, _ throws(FaultError) in
            try state.faults.reorder(ids)
            return state.faults.all
        }
    }

    /// What a fault made now would have fired for, had it been the only one.
    ///
    /// `pushes` are those that its condition on pushes lets through, oldest first. How many of them its connections
    /// let through, too, is returned with the numbers of those that it would have fired for.
    public func rehearse(_ draft: FaultDraft, on pushes: [PushRecord]) -> (matched: Int, hits: [UInt64]) {
        var counters = core.withState { state, _ in state.faults.nextCounters }
        var lastRequests: [UInt64: Timestamp] = [:]
        var matched = 0
        var hits: [UInt64] = []
        for push in pushes where draft.connections.matches(FaultConnection(push)) {
            matched += 1
            let last = lastRequests.updateValue(push.receivedAt, forKey: push.connectionID)
            let occasion = FaultOccasion(
                now: push.clockTime,
                requestsBefore: push.requestOnConnection - 1,
                idle: last.map { push.receivedAt.microseconds(since: $0) }
            )
            guard draft.when.admits(occasion), counters.fires(by: draft.when, at: push.clockTime) else {
                continue
            }
            hits.append(push.seq)
        }
        return (matched, hits)
    }

    private func at<Value>(
        _ id: FaultID,
        _ use: (inout FaultList, Int) throws(FaultError) -> Value
    ) throws(FaultError) -> Value {
        try core.withState { state, _ throws(FaultError) in
            guard let position = state.faults.position(of: id) else {
                throw FaultError(.unknownFault, "there is no such fault")
            }
            return try use(&state.faults, position)
        }
    }
}

extension FaultConnection {
    fileprivate init(_ push: PushRecord) {
        self.init(
            id: push.connectionID,
            remoteAddress: push.connection?.remoteAddress ?? "",
            environment: push.environment
        )
    }
}

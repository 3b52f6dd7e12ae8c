package import MockAPNsFormats
internal import MockAPNsRules

/// The kinds of changes, with their names in logs; a change type without a kind does not compile.
enum WorldChangeKind: String, CaseIterable {
    case putDevices = "put-devices"
    case changeDevice = "change-device"
    case forgetDevice = "forget-device"
    case addRegistration = "add-registration"
    case changeRegistration = "change-registration"
    case rotateToken = "rotate-token"
    case setOnline = "set-online"
    case readFeedback = "read-feedback"
    case clearFeedback = "clear-feedback"
    case addChannel = "add-channel"
    case removeChannel = "remove-channel"
    case subscribe
    case unsubscribe
    case continuePending = "continue-pending"
    case addFault = "add-fault"
    case replaceFault = "replace-fault"
    case changeFault = "change-fault"
    case removeFaults = "remove-faults"
    case reorderFaults = "reorder-faults"
    case setFaultCounters = "set-fault-counters"
    case publishPushes = "publish-pushes"
    case adoptPushes = "adopt-pushes"
    case removePushes = "remove-pushes"
    case setMark = "set-mark"
    case setNote = "set-note"
    case setPin = "set-pin"
    case setStrings = "set-strings"
    case setCategory = "set-category"
    case setApp = "set-app"
    case setSavedPush = "set-saved-push"
    case setSavedPushes = "set-saved-pushes"
    case passTime = "pass-time"
    case moveClock = "move-clock"
    case useToken = "use-token"
    case setRules = "set-rules"
    case setOptions = "set-options"
    case setStart = "set-start"
    case resetWorld = "reset-world"

    var change: any WorldChange.Type {
        switch self {
        case .putDevices: PutDevices.self
        case .changeDevice: ChangeDevice.self
        case .forgetDevice: ForgetDevice.self
        case .addRegistration: AddRegistration.self
        case .changeRegistration: ChangeRegistration.self
        case .rotateToken: RotateToken.self
        case .setOnline: SetOnline.self
        case .readFeedback: ReadFeedback.self
        case .clearFeedback: ClearFeedback.self
        case .addChannel: AddChannel.self
        case .removeChannel: RemoveChannel.self
        case .subscribe: Subscribe.self
        case .unsubscribe: Unsubscribe.self
        case .continuePending: ContinuePending.self
        case .addFault: AddFault.self
        case .replaceFault: ReplaceFault.self
        case .changeFault: ChangeFault.self
        case .removeFaults: RemoveFaults.self
        case .reorderFaults: ReorderFaults.self
        case .setFaultCounters: SetFaultCounters.self
        case .publishPushes: PublishPushes.self
        case .adoptPushes: AdoptPushes.self
        case .removePushes: RemovePushes.self
        case .setMark: SetMark.self
        case .setNote: SetNote.self
        case .setPin: SetPin.self
        case .setStrings: SetStrings.self
        case .setCategory: SetCategory.self
        case .setApp: SetApp.self
        case .setSavedPush: SetSavedPush.self
        case .setSavedPushes: SetSavedPushes.self
        case .passTime: PassTime.self
        case .moveClock: MoveClock.self
        case .useToken: UseToken.self
        case .setRules: SetRules.self
        case .setOptions: SetOptions.self
        case .setStart: SetStart.self
        case .resetWorld: ResetWorld.self
        }
    }
}

extension WorldChangeKind {
    /// Decodes a change of this kind.
    func read(_ data: [UInt8], _ material: ReplayMaterial) throws(ArchiveError) -> any WorldChange {
        var archive = try ArchiveReader(data)
        let change = try change.init(from: &archive, material)
        try archive.finish()
        return change
    }
}

extension WorldChange {
    /// The encoded change.
    var data: [UInt8] {
        var archive = ArchiveWriter()
        write(to: &archive)
        return archive.bytes
    }
}

extension WorldChange where Self: Archived {
    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        self = try archive.read()
    }
}

extension AppliedChange {
    /// The name of the kind of change.
    package var kind: String { type(of: change).kind.rawValue }

    /// The encoded change, without its pushes.
    package var data: [UInt8] { change.data }

    /// The pushes that the change added, oldest first.
    package var pushes: [LoggedPush] {
        var pushes: [LoggedPush] = []
        visitPushes { pushes.append(LoggedPush($0)) }
        return pushes
    }

    /// The number of pushes that the change added.
    package var pushCount: Int { hasPushes ? effects.added.count : 0 }

    /// The numbers of the first and the last push that the change added; `nil` if it added none.
    package var pushNumbers: ClosedRange<UInt64>? {
        guard hasPushes, let first = effects.added.first, let last = effects.added.last else { return nil }
        return first.seq...last.seq
    }

    private var hasPushes: Bool { change is PublishPushes || change is AdoptPushes }

    /// Calls `use` with each push that the change added, oldest first.
    package func visitPushes<Failure>(_ use: (borrowing PushColumns) throws(Failure) -> Void) throws(Failure) {
        let (records, times): ([UInt8], (Int) -> Timestamp)
        switch change {
        case let publish as PublishPushes: (records, times) = (publish.records, { _ in publish.answeredAt.system })
        case let adopt as AdoptPushes: (records, times) = (adopt.records, { adopt.answers[$0].time.system })
        default: return
        }
        try records.withUnsafeBufferPointer { records throws(Failure) in
            var rest = UnsafeRawBufferPointer(records)
            var scratch = PushColumns.Scratch()
            for (position, entry) in effects.added.enumerated() {
                guard let start = rest.popRecord()?.baseAddress else { return }
                let record = RecordView(at: start)
                try PushColumns.with(record, entry, sentAt: times(position), in: &scratch, use)
            }
        }
    }

    /// The later notification steps that the change caused.
    package var steps: [LoggedStep] { effects.laterSteps.map { LoggedStep($0) } }

    /// The numbers of the pushes that the change deleted.
    package var removed: [UInt64] { effects.removed }

    /// The highest push number that a reset cleared from the journal; `nil` if the change was not a reset.
    package var clearedUpTo: UInt64? { effects.clearedUpTo }

    /// The encoded outcomes of broadcasts, with the numbers of their pushes.
    package var fanOutData: [(push: UInt64, data: [UInt8])] { fanOuts.map { ($0.push, $0.fanOut.archive) } }
}

/// The reason why a logged change cannot be replayed.
package enum ReplayError: Error, Equatable {
    /// The kind is unknown: a newer version wrote the change.
    case unknownKind(String)
    /// The change cannot be decoded.
    case unreadable(ArchiveError)
    /// The change does not fit the state of the world.
    case refused(String)
}

extension ReplayError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownKind(let kind): "it is of the unknown kind \(kind)"
        case .unreadable(let error): "\(error)"
        case .refused(let reason): "it does not fit the state before it: \(reason)"
        }
    }
}

extension World {
    /// Applies a logged change and its `pushes`, at the time when it was logged.
    package func replay(
        kind: String, data: [UInt8], pushes: [LoggedPush] = [], at time: WorldClock.Reading, _ material: ReplayMaterial
    ) throws(ReplayError) {
        guard let kind = WorldChangeKind(rawValue: kind) else { throw .unknownKind(kind) }
        var material = material
        material.pushes = pushes
        let change: any WorldChange
        do throws(ArchiveError) { change = try kind.read(data, material) } catch { throw .unreadable(error) }
        do { try replay(change, at: time) } catch { throw .refused("\(error)") }
    }
}

extension WorldClock.Reading: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(system)
        archive.write(world)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(system: try archive.read(), world: try archive.read())
    }
}

package import MockAPNsFormats
internal import MockAPNsRules

/// The types of changes, each with a name for logs.
enum ChangeKinds {
    /// All of them; what is missing here can be neither read from a log nor replayed.
    static let all: [any WorldChange.Type] = [
        PutDevices.self, ChangeDevice.self, ForgetDevice.self, AddRegistration.self, ChangeRegistration.self,
        RotateToken.self, SetOnline.self, SetManyOnline.self, StartActivity.self, DismissActivity.self,
        RotateActivityToken.self, ReadFeedback.self, ClearFeedback.self, AddChannel.self, RemoveChannel.self,
        Subscribe.self, Unsubscribe.self, ContinuePending.self, AddFault.self, ReplaceFault.self, ChangeFault.self,
        RemoveFaults.self, ReorderFaults.self, SetFaultCounters.self, PublishPushes.self, AdoptPushes.self,
        RemovePushes.self, SetMark.self, SetNote.self, SetPin.self, SetNamed<StringsTable>.self,
        SetNamed<NotificationCategory>.self, SetNamed<AppDescription>.self, SetNamed<SavedPush>.self,
        SetNamed<AppSchema>.self, SetSavedPushes.self, PassTime.self, MoveClock.self, UseToken.self, SetRules.self,
        SetOptions.self, SetStart.self, ResetWorld.self,
    ]

    private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

    /// Finds the type with a name; `nil` for the name of a newer version.
    static func type(named kind: String) -> (any WorldChange.Type)? { named[kind] }
}

extension WorldChange {
    /// Decodes a change of this kind.
    init(_ data: [UInt8], _ context: ReplayContext) throws(ArchiveError) {
        var archive = try ArchiveReader(data, context: context)
        self = try archive.read()
        try archive.finish()
    }
}

extension AppliedChange {
    /// The name of the kind of change.
    package var kind: String { type(of: change).kind }

    /// The encoded change, without its pushes.
    package var data: [UInt8] { change.archive }

    /// Returns the pushes that the change added, oldest first; `position` is that of the change.
    package func pushes(at position: UInt64) -> [KeptPush] {
        var pushes: [KeptPush] = []
        visitRecords { record, entry, sentAt in pushes.append(KeptPush(record, entry, sentAt: sentAt, at: position)) }
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

    /// Calls `use` with the row of each push that the change added, oldest first; `position` is that of the change.
    ///
    /// With `shared`, header fields may share a text. Not generic over errors, which would cost every push.
    package func visitRows(
        at position: UInt64, sharing shared: inout SharedHeaders?, _ use: (borrowing PushRow) -> Void
    ) {
        var scratch = PushRow.Scratch()
        visitRecords { record, entry, sentAt in
            PushRow.with(record, entry, sentAt: sentAt, at: position, sharing: &shared, in: &scratch, use)
        }
    }

    private func visitRecords(_ use: (RecordView, JournalEntry, _ sentAt: Timestamp) -> Void) {
        let (records, times): ([UInt8], (Int) -> Timestamp)
        switch change {
        case let publish as PublishPushes: (records, times) = (publish.records, { _ in publish.answeredAt.system })
        case let adopt as AdoptPushes: (records, times) = (adopt.records, { adopt.answers[$0].time.system })
        default: return
        }
        records.withUnsafeBufferPointer { records in
            var rest = UnsafeRawBufferPointer(records)
            for (position, entry) in effects.added.enumerated() {
                guard let start = rest.popRecord()?.baseAddress else { return }
                use(RecordView(at: start), entry, times(position))
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

extension WorldClock.Reading: MemberwiseArchived {
    package static let format = ArchiveFormat(WorldClock.Reading.init(system:world:), \.system, \.world)
}

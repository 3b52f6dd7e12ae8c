internal import MockAPNsFormats
internal import MockAPNsRules

/// The stored state of a device; about 70 bytes.
struct DeviceRecord: SlotElement {
    static let unused = DeviceRecord(origin: .push)

    var generation: UInt32 = 0
    var isUsed = false
    var isOnline = true
    var savesPower = false
    var origin: Device.Origin
    /// Whether it may be evicted: it was created by a push and never changed.
    var isForgettable: Bool
    var isInactive = false
    var os = DeviceOS.newest
    /// The first of its Live Activities, which form a linked list: those that run, newest first, then those that have
    /// ended, the last one first.
    var firstActivity = SlotPlace.none
    var label: String?
    /// When it went offline, in microseconds of the world's clock.
    var offlineSince: Int64 = 0
    /// The first of its registrations, which form a linked list: in order of creation, then the dead update tokens.
    var firstRegistration = SlotPlace.none
    /// The first of its subscriptions to channels, which form a linked list.
    var firstSubscription = SlotPlace.none

    init(origin: Device.Origin) {
        self.origin = origin
        isForgettable = origin == .push
    }
}

/// The stored state of one app on one device, or of the update token of a Live Activity; 144 bytes.
struct RegistrationRecord: SlotElement {
    static let unused = RegistrationRecord(
        environment: .sandbox, delivery: AppDelivery(), device: 0, topic: 0, token: DeviceToken((0, 0, 0, 0)))

    // The properties that a delivery uses come first, so that they share few cache lines.
    var generation: UInt32 = 0
    var isUsed = false
    var state = RegistrationState.registered
    let environment: Environment
    /// Whether a client that is connected as the device is informed of arrivals.
    var isWatched = false
    var lastPush: UInt64 = 0
    var counters = Registration.Counters()
    /// The number of the Live Activity whose update token it is or was, which may be removed; `appOnly` for an app.
    var activity = RegistrationRecord.appOnly
    var delivery: AppDelivery
    let device: UInt32
    var next = SlotPlace.none
    let topic: UInt32
    var previous = SlotPlace.none
    /// When the service learned that it is invalid, in microseconds of the world's clock; 0 before.
    var deadSince: Int64 = 0
    let token: DeviceToken

    /// What `activity` is for an app.
    static let appOnly = UInt32.max

    /// Whether it is an app's and not a Live Activity's.
    var isApp: Bool { activity == Self.appOnly }

    /// Whether it is a dead update token, after which only others follow in the list of the device.
    var isDeadToken: Bool { !isApp && deadSince != 0 }

    /// Whether the app is uninstalled, and the service does not know.
    var isUninstalledUnnoticed: Bool { state == .uninstalled && deadSince == 0 }

    var standing: RegisteredToken.Standing {
        guard deadSince != 0 else { return .valid }
        return state == .expired ? .expired : .unregistered
    }
}

/// The stored notification of a registration, with a copy of its record: the journal may evict the push.
struct StoredPush {
    let record: ContiguousArray<UInt64>
    let step: Delivery.Step
    /// What a push to Live Activities says, if it was read before the world was locked.
    let payload: ActivityPayload?

    init(_ record: RecordView, step: Delivery.Step, _ payload: ActivityPayload? = nil) {
        self.payload = payload
        let length = Int(record.head.length)
        let words = length / MemoryLayout<UInt64>.stride
        self.record = ContiguousArray(unsafeUninitializedCapacity: words) { memory, count in
            UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped).copyMemory(
                from: record.start, byteCount: length)
            count = words
        }
        self.step = step
    }

    func withRecord<Result>(_ use: (RecordView, Delivery.Step) -> Result) -> Result {
        record.withUnsafeBytes { use(RecordView(at: $0.baseAddress.unsafelyUnwrapped), step) }
    }
}

extension StoredPush: Archived {
    func write(to archive: inout ArchiveWriter) {
        withRecord { record, step in
            let entry = JournalEntry(seq: record.head.seq, at: step.at.microseconds, offset: 0)
            archive.write(KeptPush(record, entry, sentAt: record.head.sentAt))
            archive.write(step)
        }
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        record = try archive.read(KeptPush.self).words
        step = try archive.read()
        payload = nil
    }
}

/// Without its registrations and subscriptions; by hand, because there may be a million.
extension DeviceRecord: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(generation)
        archive.write(isOnline)
        archive.write(savesPower)
        archive.write(origin)
        archive.write(isForgettable)
        archive.write(isInactive)
        archive.write(os)
        archive.write(label)
        archive.write(offlineSince)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let generation = try archive.read(UInt32.self)
        let (isOnline, savesPower) = (try archive.read(Bool.self), try archive.read(Bool.self))
        self.init(origin: try archive.read())
        self.generation = generation
        self.isOnline = isOnline
        self.savesPower = savesPower
        isForgettable = try archive.read()
        isInactive = try archive.read()
        os = try archive.read()
        label = try archive.read()
        offlineSince = try archive.read()
    }
}

/// By hand, because there may be a million.
extension RegistrationRecord {
    func write(to archive: inout ArchiveWriter) {
        archive.write(generation)
        archive.write(state)
        archive.write(environment)
        archive.write(lastPush)
        archive.write(counters.accepted)
        archive.write(counters.delivered)
        archive.write(counters.discarded)
        archive.write(activity)
        archive.write(delivery)
        archive.write(topic)
        archive.write(deadSince)
        archive.write(token)
    }

    /// Reads a registration of a device.
    init(from archive: inout ArchiveReader, on device: UInt32) throws(ArchiveError) {
        generation = try archive.read()
        state = try archive.read()
        environment = try archive.read()
        lastPush = try archive.read()
        counters.accepted = try archive.read()
        counters.delivered = try archive.read()
        counters.discarded = try archive.read()
        activity = try archive.read()
        delivery = try archive.read()
        self.device = device
        topic = try archive.read()
        deadSince = try archive.read()
        token = try archive.read()
    }
}

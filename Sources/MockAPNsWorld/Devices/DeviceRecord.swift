internal import MockAPNsRules

/// A device as the world keeps it; about 50 bytes.
struct DeviceRecord: SlotElement {
    static let unused = DeviceRecord(origin: .push)

    var generation: UInt32 = 0
    var isUsed = false
    var isOnline = true
    var savesPower = false
    var origin: Device.Origin
    /// Whether it may be forgotten to make room: a push made it, and it was never changed.
    var isForgettable: Bool
    /// Whether it has been offline for so long that its tokens are dead.
    var isInactive = false
    var label: String?
    /// Since when it is offline, in microseconds of the world's clock.
    var offlineSince: Int64 = 0
    /// The first of its registrations; each knows the next.
    var firstRegistration = SlotPlace.none

    init(origin: Device.Origin) {
        self.origin = origin
        isForgettable = origin == .push
    }
}

/// One app on one device as the world keeps it; 144 bytes.
struct RegistrationRecord: SlotElement {
    static let unused = RegistrationRecord(
        device: 0,
        token: DeviceToken((0, 0, 0, 0)),
        topic: 0,
        environment: .sandbox,
        delivery: AppDelivery()
    )

    // What a delivery touches comes first, so that it lies in few lines of the cache.
    var generation: UInt32 = 0
    var isUsed = false
    /// Whether the token works.
    var state = RegistrationState.registered
    let environment: Environment
    /// Whether a client is the device and wants to hear of arrivals.
    var isWatched = false
    var lastPush: UInt64 = 0
    var counters = Registration.Counters()
    var delivery: AppDelivery
    let device: UInt32
    var next = SlotPlace.none
    let topic: UInt32
    /// Since when it is dead and the service knows, in microseconds of the world's clock; 0 before.
    var deadSince: Int64 = 0
    let token: DeviceToken

    init(device: UInt32, token: DeviceToken, topic: UInt32, environment: Environment, delivery: AppDelivery) {
        self.device = device
        self.token = token
        self.topic = topic
        self.environment = environment
        self.delivery = delivery
    }

    /// Whether pushes to it are accepted.
    var standing: RegisteredToken.Standing {
        guard deadSince != 0 else { return .valid }
        return state == .expired ? .expired : .unregistered
    }
}

/// The one notification that waits for a registration, kept whole: the journal may have to let go of it.
struct StoredPush {
    /// The bytes of its record.
    let record: ContiguousArray<UInt64>
    /// The step that stored it.
    let step: Delivery.Step

    init(_ record: RecordView, step: Delivery.Step) {
        let words = record.length / MemoryLayout<UInt64>.stride
        self.record = ContiguousArray(unsafeUninitializedCapacity: words) { memory, count in
            UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped).copyMemory(
                from: record.start,
                byteCount: record.length
            )
            count = words
        }
        self.step = step
    }

    /// Lends the record.
    func withRecord<Result>(_ use: (RecordView) -> Result) -> Result {
        record.withUnsafeBytes { use(RecordView(at: $0.baseAddress.unsafelyUnwrapped)) }
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules

/// The stored state of a Live Activity.
struct ActivityRecord: SlotElement {
    static let unused = ActivityRecord(
        id: 0, device: 0, app: 0, environment: .sandbox, attributesType: "", attributes: [], contentState: [],
        startedAt: 0)

    /// A push that it ignored.
    struct Ignored {
        let push: UInt64
        let at: Int64
        let refusal: ActivityRefusal
    }

    var generation: UInt32 = 0
    let id: UInt32
    let device: UInt32
    /// The number of the topic of pushes to it, which it retains.
    let topic: UInt32
    /// The device's next and previous activity, in a linked list.
    var next = SlotPlace.none
    var previous = SlotPlace.none
    /// The slot of the registration of its update token; `SlotPlace.none` if it has none.
    var place = SlotPlace.none
    private let attributesCount: UInt32
    /// The attributes, then the content state, in one block of memory.
    private var content: [UInt8]
    let attributesType: String
    /// In microseconds of the world's clock, as the other times; 0 for none.
    let startedAt: Int64
    var staleAt: Int64 = 0
    var endedAt: Int64 = 0
    var dismissAt: Int64 = 0
    /// The number of the last push that started or changed it; 0 if none did.
    var lastPush: UInt64 = 0
    var ignored: [Ignored] = []
    var channel: ChannelID?
    /// The latest timestamp of these pushes, in UNIX seconds.
    var timestamp: Double?
    // Small properties come last, where they need no padding.
    var isUsed = false
    var state = ActivityState.active
    let environment: Environment
    var isStartedByApp = false
    /// Whether the device is subscribed to the channel because of it, so that its end ends the subscription.
    var ownsSubscription = false

    init(
        id: UInt32, device: UInt32, app topic: UInt32, environment: Environment, attributesType: String,
        attributes: [UInt8], contentState: [UInt8], startedAt: Int64
    ) {
        self.id = id
        self.device = device
        self.topic = topic
        self.environment = environment
        self.attributesType = attributesType
        self.startedAt = startedAt
        attributesCount = UInt32(attributes.count)
        content = Self.joined(attributes[...], contentState)
    }

    var attributes: [UInt8] { Array(content.prefix(Int(attributesCount))) }

    var contentState: [UInt8] {
        get { Array(content.dropFirst(Int(attributesCount))) }
        set { content = Self.joined(content.prefix(Int(attributesCount)), newValue) }
    }

    /// The size of the attributes and of another content state together, in bytes.
    func size(with contentState: [UInt8]) -> Int { Int(attributesCount) + contentState.count }

    /// Returns both in an array that has room for no more.
    private static func joined(_ attributes: ArraySlice<UInt8>, _ contentState: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(attributes.count + contentState.count)
        content += attributes
        content += contentState
        return content
    }
}

/// Without its list, which follows from the order of the starts and ends.
extension ActivityRecord: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(id)
        archive.write(device)
        archive.write(topic)
        archive.write(environment)
        archive.write(attributesType)
        archive.write(bytes: attributes)
        archive.write(bytes: contentState)
        archive.write(startedAt)
        archive.write(generation)
        archive.write(state)
        archive.write(isStartedByApp)
        archive.write(ownsSubscription)
        archive.write(place)
        archive.write(staleAt)
        archive.write(endedAt)
        archive.write(dismissAt)
        archive.write(channel)
        archive.write(lastPush)
        archive.write(timestamp)
        archive.write(ignored)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            id: try archive.read(), device: try archive.read(), app: try archive.read(),
            environment: try archive.read(), attributesType: try archive.read(), attributes: try archive.byteString(),
            contentState: try archive.byteString(), startedAt: try archive.read())
        generation = try archive.read()
        state = try archive.read()
        isStartedByApp = try archive.read()
        ownsSubscription = try archive.read()
        place = try archive.read()
        staleAt = try archive.read()
        endedAt = try archive.read()
        dismissAt = try archive.read()
        channel = try archive.read()
        lastPush = try archive.read()
        timestamp = try archive.read()
        ignored = try archive.read()
    }
}

extension ActivityRecord.Ignored: MemberwiseArchived {
    static let format = ArchiveFormat(ActivityRecord.Ignored.init(push:at:refusal:), \.push, \.at, \.refusal)
}

/// The state of a search for devices.
struct DeviceSearch {
    let query: DeviceQuery
    /// The text that labels or tokens must contain, in lower case.
    let text: String?
    /// The first slot to examine.
    let first: UInt32
    /// The numbers of the topics.
    private(set) var topics: Set<UInt32> = []
    /// The epoch of the examined devices.
    private(set) var epoch: UInt64 = 0
    /// The slot from which to continue.
    var next = 0
    var page: [Device] = []
    var matched = 0
    var isCut = false
    var total = 0
    var forgotten: UInt64 = 0

    init(_ query: DeviceQuery) {
        self.query = query
        text = query.text?.lowercased()
        first = query.after.map { $0.index &+ 1 } ?? 0
    }

    /// Restarts after a reset of the devices, which changes the numbers of topics.
    mutating func begin(anew epoch: UInt64, topics names: TopicNames) {
        self.epoch = epoch
        topics = Set(query.topics.map { names.number($0) })
        next = 0
        page = []
        matched = 0
        isCut = false
    }

    /// The result.
    var result: DevicePage {
        DevicePage(
            devices: page,
            matched: matched,
            nextAfter: isCut ? page.last?.id : nil,
            total: total,
            forgotten: forgotten
        )
    }
}

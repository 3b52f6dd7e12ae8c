/// A search among devices that is under way.
struct DeviceSearch {
    let query: DeviceQuery
    /// What labels and tokens have to contain, in lower case.
    let text: String?
    /// The first place whose device may be shown.
    let first: UInt32
    /// The numbers of the topics.
    private(set) var topics: Set<UInt32> = []
    /// The epoch of the devices looked at.
    private(set) var epoch: UInt64 = 0
    /// The place to continue from.
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

    /// Restarts after a reset of the devices, where topics have other numbers.
    mutating func begin(anew epoch: UInt64, topics names: TopicNames) {
        self.epoch = epoch
        topics = Set(query.topics.map { names.number($0) })
        next = 0
        page = []
        matched = 0
        isCut = false
    }

    /// What was found.
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

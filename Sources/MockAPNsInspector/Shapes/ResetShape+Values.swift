internal import MockAPNsAPI
internal import MockAPNsWorld

extension APIObject<ResetShape> {
    /// What a reset cleared.
    ///
    /// - Parameters:
    ///   - report: what the world cleared.
    ///   - settings: the number of changed settings; `nil` if it was not counted.
    ///   - connections: whether the connections are still open; `nil` in events, which do not say.
    init(_ report: ResetReport, settings: Int? = nil, connections: String? = nil) {
        self.init()
        self.cleared = [
            "pushes": report.pushes, "devices": report.devices, "feedback": report.feedback,
            "faults": report.faults, "keys": report.keys, "strings": report.strings,
            "categories": report.categories, "settings": settings,
        ].compactMapValues { $0.map { Int($0) } }
        self.connections = connections
        self.epoch = report.epoch
        self.seq = report.seq
    }
}

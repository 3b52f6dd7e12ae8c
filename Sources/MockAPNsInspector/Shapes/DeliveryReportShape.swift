internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What became of notifications because something was changed.
struct DeliveryReportShape {
    /// The most entries of a list that are shown; the counts have them all.
    private static let mostShown = 1_000

    private let report: DeliveryReport
    private let subject: InspectedServer

    init(_ report: DeliveryReport, in subject: InspectedServer) {
        self.report = report
        self.subject = subject
    }

    /// Members for an answer that has others as well.
    var members: [String: JSONValue] {
        [
            "delivered": ids(report.delivered),
            "deliveredCount": JSONValue(report.delivered.count),
            "expired": ids(report.expired),
            "expiredCount": JSONValue(report.expired.count),
            "discarded": ids(report.discarded),
            "discardedCount": JSONValue(report.discarded.count),
            "inactive": .array(report.inactive.prefix(Self.mostShown).map { .string($0.hex) }),
            "inactiveCount": JSONValue(report.inactive.count),
        ]
    }

    private func ids(_ seqs: [UInt64]) -> JSONValue {
        let epoch = seqs.isEmpty ? 0 : subject.journal.extent.epoch
        return .array(seqs.prefix(Self.mostShown).map { .string(PushID(epoch: epoch, seq: $0).text) })
    }
}

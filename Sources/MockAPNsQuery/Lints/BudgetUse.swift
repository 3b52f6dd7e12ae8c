internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The pushes that count towards the budgets of `PushKind`, for each app on each device.
///
/// The world's clock decides, so that a test can advance it. Each entry belongs to a push of the journal.
struct BudgetUse {
    private struct Account: Hashable {
        let token: DeviceToken
        let topic: String
        let kind: PushKind
    }

    private struct Entry {
        let seq: UInt64
        let at: Timestamp
    }

    private static let types = Set(PushKind.allCases.map(\.row).filter { $0.budget != nil }.map(\.type))

    private var accounts: [Account: [Entry]] = [:]
    /// The number of entries.
    private(set) var count = 0

    /// Notes an accepted push, and returns what is above the budget of its kind, and the header that decides it.
    mutating func note(
        _ request: borrowing RequestView, seq: UInt64, at now: Timestamp
    ) -> (message: String, header: HeaderName)? {
        // Most pushes are of a type without a budget.
        let type = request.deliveredType
        guard Self.types.contains(type), let topic = request[.apnsTopic], SpecialTopic(topic) == nil,
            let token = request.devicePart.flatMap({ DeviceToken(hex: $0) })
        else { return nil }
        let payload = JSONParser.value(of: Array(request.body.bytes))
        let kind = PayloadReading(payload, type: type, at: now).kind
        guard let budget = kind.row.budget else { return nil }
        // Documented: 10 is the default.
        if budget.isForImmediate, request[.apnsPriority].map({ !$0.equals("10") }) == true { return nil }
        let account = Account(token: token, topic: topic.text, kind: kind)
        var entries = accounts[account] ?? []
        count -= entries.count
        // After the clock was set back, the pushes before it are in the future.
        entries.removeAll { !(0..<budget.seconds * 1_000_000).contains(now.microseconds(since: $0.at)) }
        let earlier = entries.count
        entries.append(Entry(seq: seq, at: now))
        if entries.count > budget.count { entries.removeFirst(entries.count - budget.count) }
        count += entries.count
        accounts[account] = entries
        guard earlier >= budget.count, let first = entries.first else { return nil }
        let message =
            "the device takes \(budget.text) of \(kind.row.name) for an app, and this is one more (the first of the last"
            + " \(budget.count) is seq:\(first.seq)); \(budget.consequence)"
        return (message, budget.isForImmediate ? .apnsPriority : .path)
    }

    /// Removes the entries of pushes that have left the journal.
    mutating func forget(before first: UInt64) {
        accounts = accounts.compactMapValues { entries in
            let living = entries.filter { $0.seq >= first }
            return living.isEmpty ? nil : living
        }
        count = accounts.values.reduce(0) { $0 + $1.count }
    }
}

import MockAPNs
import MockAPNsRules
import MockAPNsWorld

/// What has become of every notification of a world, held against what its devices say.
///
/// Taken when everything has come to rest.
struct DeliveryCensus {
    private(set) var accepted = 0
    private(set) var delivered = 0
    private(set) var discarded = 0
    private(set) var stored = 0
    /// What must not be, in words; empty when all is well.
    private(set) var faults: [String] = []

    /// Looks at every record and every registration; strictly, when every push went to one that is still there.
    init(_ world: World, isStrict: Bool = true) {
        var query = PushQuery()
        query.limit = .max
        let page = world.journal.pushes(query)
        if page.extent.evicted > 0 { faults.append("\(page.extent.evicted) records were evicted") }
        let records = page.pushes.filter { $0.answer.status == 200 }
        accepted = records.count
        var waiting: Set<UInt64> = []
        for record in records {
            let steps = record.delivery?.steps ?? []
            if let fault = Self.fault(in: steps.map(\.event)) {
                faults.append("push \(record.seq) \(fault): \(steps.map(\.event))")
            }
            switch record.delivery?.state?.row.event.description {
            case "delivered": delivered += 1
            case "discarded": discarded += 1
            case "stored": waiting.insert(record.seq)
            case let other: faults.append("push \(record.seq) is \(other ?? "nowhere")")
            }
        }
        stored = waiting.count
        checkNumbers(page.pushes)
        checkRegistrations(world, waiting, isStrict)
    }

    /// Any number of stored steps, one last step of the service, and then what the device does with it.
    private static func fault(in steps: [DeliveryEvent]) -> String? {
        let ofService = steps.filter { $0.row.state != nil }
        if ofService.isEmpty { return "went nowhere" }
        let arrivals = steps.count { $0 == .delivered || $0 == .deliveredFromStorage }
        if arrivals > 1 { return "was delivered \(arrivals) times" }
        let waits = ofService.count { $0 == .storedDeviceOffline || $0 == .storedPowerConsiderations }
        let ends = ofService.count - waits
        if ends > 1 { return "ended \(ends) times" }
        let last = ofService.last
        if ends == 1, last == .storedDeviceOffline || last == .storedPowerConsiderations {
            return "went on after its end"
        }
        let isFromStorage = waits > 0
        if steps.contains(.delivered), isFromStorage { return "was delivered at once though it had waited" }
        if steps.contains(.deliveredFromStorage), !isFromStorage { return "came from storage unstored" }
        if steps.contains(where: { $0.row.state == nil }), arrivals == 0 { return "never reached its device" }
        return nil
    }

    /// No event has the number of another.
    private mutating func checkNumbers(_ records: [PushRecord]) {
        var numbers: Set<UInt64> = []
        for record in records {
            let all = [record.seq, record.answeredSeq] + (record.delivery?.steps.map(\.seq) ?? [])
            if all != all.sorted() { faults.append("push \(record.seq): numbers out of order \(all)") }
            for number in all where !numbers.insert(number).inserted { faults.append("two events \(number)") }
        }
    }

    private mutating func checkRegistrations(_ world: World, _ waiting: Set<UInt64>, _ isStrict: Bool) {
        var query = DeviceQuery()
        query.limit = .max
        var claimed: Set<UInt64> = []
        var sums = Registration.Counters()
        for device in world.devices.devices(query).devices {
            for registration in device.registrations {
                let name = "\(device.label ?? "a device") \(registration.topic)"
                let counters = registration.counters
                let kept: UInt32 = registration.stored == nil ? 0 : 1
                if counters.accepted != counters.delivered + counters.discarded + kept {
                    faults.append("\(name): \(counters) and \(kept) stored")
                }
                if let seq = registration.stored { claimed.insert(seq) }
                sums.accepted += counters.accepted
                sums.delivered += counters.delivered
                sums.discarded += counters.discarded
            }
            let stored = (try? world.devices.stored(.id(device.id))) ?? []
            if stored.map(\.seq) != device.registrations.compactMap(\.stored) {
                faults.append("\(device.label ?? "a device") keeps \(stored.map(\.seq))")
            }
        }
        // One for each registration at most, and exactly those that the journal says are waiting.
        if claimed != waiting { faults.append("stored \(claimed.symmetricDifference(waiting))") }
        guard isStrict else { return }
        let expected = [accepted, delivered, discarded]
        let got = [Int(sums.accepted), Int(sums.delivered), Int(sums.discarded)]
        if expected != got { faults.append("the journal counts \(expected), the devices \(got)") }
    }
}

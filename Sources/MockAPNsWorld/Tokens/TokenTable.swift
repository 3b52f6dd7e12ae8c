internal import MockAPNsRules

/// The registered device tokens, found by their fingerprints; a value type whose copies share unchanged parts.
///
/// Event loops read a copy without a lock. A change copies one of 1,024 small tables and the path to it, so
/// it takes microseconds even with a million tokens. A lookup accesses one block of memory.
///
/// A fingerprint has 64 bits and depends on a secret of the process, so that slots are small: among a million tokens
/// two are alike in one process of 37 million.
struct TokenTable: Sendable {
    private static let fanOut = 32

    private var groups = [[Shard]](
        repeating: [Shard](repeating: Shard(), count: TokenTable.fanOut), count: TokenTable.fanOut)
    private(set) var count = 0

    subscript(token: DeviceToken) -> RegisteredToken? {
        get {
            let hash = token.fingerprint
            return groups[Self.group(hash)][Self.shard(hash)].find(hash)
        }
        set {
            let hash = token.fingerprint
            let (group, shard) = (Self.group(hash), Self.shard(hash))
            if let newValue {
                if groups[group][shard].insert(newValue, hash) { count += 1 }
            } else if groups[group][shard].remove(hash) {
                count -= 1
            }
        }
    }

    private static func group(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 59) }
    private static func shard(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 54) & 31 }

    /// An open-addressing table with linear probing, at most four fifths full.
    private struct Shard: Sendable {
        private var slots: ContiguousArray<Slot> = []
        private var count = 0
        /// When tokens became invalid, by their fingerprints; most are valid, and need no place for it.
        private var deadSince: [UInt64: Int64] = [:]

        func find(_ hash: UInt64) -> RegisteredToken? {
            guard count > 0 else { return nil }
            return slots.withUnsafeBufferPointer { slots in
                var at = Self.home(hash, among: slots.count)
                while slots[at].isUsed {
                    if slots[at].fingerprint == hash {
                        return slots[at].value(deadSince: slots[at].hasEnded ? deadSince[hash] ?? 0 : 0)
                    }
                    at = at + 1 == slots.count ? 0 : at + 1
                }
                return nil
            }
        }

        /// Returns whether the token is new.
        mutating func insert(_ value: RegisteredToken, _ hash: UInt64) -> Bool {
            if (count + 1) * 5 > slots.count * 4 { grow() }
            let at = position(of: hash)
            let isNew = !slots[at].isUsed
            slots[at] = Slot(fingerprint: hash, value)
            if slots[at].hasEnded {
                deadSince[hash] = value.deadSince
            } else if !deadSince.isEmpty {
                deadSince[hash] = nil
            }
            if isNew { count += 1 }
            return isNew
        }

        /// Returns whether the token existed.
        mutating func remove(_ hash: UInt64) -> Bool {
            guard count > 0 else { return false }
            var hole = position(of: hash)
            guard slots[hole].isUsed else { return false }
            count -= 1
            if !deadSince.isEmpty { deadSince[hash] = nil }
            // Moves back the entries that were displaced past the hole, so that no search ends too early.
            var at = next(hole)
            while slots[at].isUsed {
                let home = Self.home(slots[at].fingerprint, among: slots.count)
                if distance(from: home, to: at) >= distance(from: hole, to: at) {
                    slots[hole] = slots[at]
                    hole = at
                }
                at = next(at)
            }
            slots[hole] = Slot.empty
            return true
        }

        /// Returns the slot where a search begins; it depends on the low half of the hash, and the shard on
        /// the high half.
        private static func home(_ hash: UInt64, among count: Int) -> Int {
            Int(truncatingIfNeeded: ((hash & 0xffff_ffff) &* UInt64(truncatingIfNeeded: count)) >> 32)
        }

        private func next(_ at: Int) -> Int { at + 1 == slots.count ? 0 : at + 1 }

        private func distance(from start: Int, to end: Int) -> Int {
            end >= start ? end - start : end - start + slots.count
        }

        private func position(of hash: UInt64) -> Int {
            var at = Self.home(hash, among: slots.count)
            while slots[at].isUsed, slots[at].fingerprint != hash { at = next(at) }
            return at
        }

        private mutating func grow() {
            let old = slots
            // Grows by less than half, because empty slots cost as much as full ones.
            slots = ContiguousArray(repeating: Slot.empty, count: max(4, old.count + old.count * 2 / 5))
            for slot in old where slot.isUsed { slots[position(of: slot.fingerprint)] = slot }
        }
    }
}

/// A registered token in 24 bytes, without the time of its end.
private struct Slot: Sendable {
    static let empty = Slot()

    let fingerprint: UInt64
    let place: UInt32
    let generation: UInt32
    let topic: UInt32
    let environment: Environment
    let standing: RegisteredToken.Standing
    let isKept: Bool
    private let use: Use

    private enum Use: UInt8 { case empty, living, ended }

    var isUsed: Bool { use != .empty }
    /// Whether there is a time since which it is invalid.
    var hasEnded: Bool { use == .ended }

    private init() {
        (fingerprint, place, generation, topic) = (0, 0, 0, 0)
        (environment, standing, isKept, use) = (.sandbox, .valid, false, .empty)
    }

    init(fingerprint: UInt64, _ value: RegisteredToken) {
        self.fingerprint = fingerprint
        (place, generation, topic) = (value.place, value.generation, value.topic)
        (environment, standing, isKept) = (value.environment, value.standing, value.isKept)
        use = value.deadSince == 0 ? .living : .ended
    }

    func value(deadSince: Int64) -> RegisteredToken {
        RegisteredToken(
            place: place, generation: generation, topic: topic, environment: environment, standing: standing,
            isKept: isKept, deadSince: deadSince)
    }
}

extension DeviceToken {
    /// A hash that clients cannot predict, cheaper than `hashValue`.
    fileprivate var fingerprint: UInt64 { mixed(with: tokenHashSeed) }
}

/// Generated once per process, so that clients cannot choose tokens that make searches long.
private let tokenHashSeed = UInt64.random(in: .min ... .max)

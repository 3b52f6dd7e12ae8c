internal import MockAPNsRules

/// The registered device tokens, found by their bytes; a value type whose copies share unchanged parts.
///
/// Event loops read a copy without a lock. A change copies one of 1,024 small tables and the path to it, so
/// it takes microseconds even with a million tokens. A lookup accesses one block of memory.
struct TokenTable: Sendable {
    private static let fanOut = 32

    private var groups = [[Shard]](
        repeating: [Shard](repeating: Shard(), count: TokenTable.fanOut), count: TokenTable.fanOut)
    private(set) var count = 0

    subscript(token: DeviceToken) -> RegisteredToken? {
        get {
            let hash = token.tableHash
            return groups[Self.group(hash)][Self.shard(hash)].find(token, hash: hash)
        }
        set {
            let hash = token.tableHash
            let (group, shard) = (Self.group(hash), Self.shard(hash))
            if let newValue {
                if groups[group][shard].insert(token, newValue, hash: hash) { count += 1 }
            } else if groups[group][shard].remove(token, hash: hash) {
                count -= 1
            }
        }
    }

    private static func group(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 59) }
    private static func shard(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 54) & 31 }

    /// An open-addressing table with linear probing, at most four fifths full.
    private struct Shard: Sendable {
        private struct Slot {
            var token: DeviceToken?
            var value: RegisteredToken
        }

        private static let empty = Slot(
            token: nil, value: RegisteredToken(place: 0, generation: 0, topic: 0, environment: .sandbox))

        private var slots: ContiguousArray<Slot> = []
        private var count = 0

        func find(_ token: DeviceToken, hash: UInt64) -> RegisteredToken? {
            guard count > 0 else { return nil }
            return slots.withUnsafeBufferPointer { slots in
                var at = Self.home(hash, among: slots.count)
                while let other = slots[at].token {
                    if other == token { return slots[at].value }
                    at = at + 1 == slots.count ? 0 : at + 1
                }
                return nil
            }
        }

        mutating func insert(_ token: DeviceToken, _ value: RegisteredToken, hash: UInt64) -> Bool {
            if (count + 1) * 5 > slots.count * 4 { grow() }
            let at = position(of: token, hash: hash)
            let isNew = slots[at].token == nil
            slots[at] = Slot(token: token, value: value)
            if isNew { count += 1 }
            return isNew
        }

        /// Returns whether the token existed.
        mutating func remove(_ token: DeviceToken, hash: UInt64) -> Bool {
            guard count > 0 else { return false }
            var hole = position(of: token, hash: hash)
            guard slots[hole].token != nil else { return false }
            count -= 1
            // Moves back the entries that were displaced past the hole, so that no search ends too early.
            var at = next(hole)
            while let other = slots[at].token {
                let home = Self.home(other.tableHash, among: slots.count)
                if distance(from: home, to: at) >= distance(from: hole, to: at) {
                    slots[hole] = slots[at]
                    hole = at
                }
                at = next(at)
            }
            slots[hole] = Self.empty
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

        private func position(of token: DeviceToken, hash: UInt64) -> Int {
            var at = Self.home(hash, among: slots.count)
            while let other = slots[at].token, other != token { at = next(at) }
            return at
        }

        private mutating func grow() {
            let old = slots
            // Grows by less than half, because slots are large, and empty ones cost as much as full ones.
            slots = ContiguousArray(repeating: Self.empty, count: max(4, old.count + old.count * 2 / 5))
            for slot in old {
                guard let token = slot.token else { continue }
                slots[position(of: token, hash: token.tableHash)] = slot
            }
        }
    }
}

extension DeviceToken {
    /// A hash that clients cannot predict, cheaper than `hashValue`.
    fileprivate var tableHash: UInt64 { mixed(with: tokenHashSeed) }
}

/// Generated once per process, so that clients cannot choose tokens that make searches long.
private let tokenHashSeed = UInt64.random(in: .min ... .max)

internal import MockAPNsFormats
internal import MockAPNsRules

#if _endian(big)
#error("records are kept as they lie in memory, with the lowest byte first")
#endif

/// A property at its place in the bytes of a record that stores keep.
struct LayoutMember<Root>: Sendable {
    let name: String
    let offset: Int
    let size: Int
    /// What its first byte may be; `nil` for anything.
    let values: ClosedRange<UInt8>?

    /// A property of which any bytes are a value; stops the program if it lies elsewhere in memory.
    init<Value>(_ name: String, _ path: KeyPath<Root, Value>, at offset: Int, _ values: ClosedRange<UInt8>? = nil) {
        let found = MemoryLayout<Root>.offset(of: path)
        precondition(found == offset, "\(name) lies at \(found ?? -1), and its layout says \(offset)")
        (self.name, self.offset, self.size, self.values) = (name, offset, MemoryLayout<Value>.size, values)
    }

    /// A property that is true or false.
    init(flag name: String, _ path: KeyPath<Root, Bool>, at offset: Int) { self.init(name, path, at: offset, 0...1) }

    /// A property with cases; its byte is the place of the case.
    init<Value: CaseIterable>(case name: String, _ path: KeyPath<Root, Value>, at offset: Int) {
        self.init(name, path, at: offset, 0...UInt8(Value.allCases.count - 1))
    }

    /// The same, or nothing, whose byte is the number of cases.
    init<Value: CaseIterable>(option name: String, _ path: KeyPath<Root, Value?>, at offset: Int) {
        self.init(name, path, at: offset, 0...UInt8(Value.allCases.count))
    }

    /// Throws if the bytes of a value do not have this property.
    func check(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        let byte = bytes[offset]
        guard let values, !values.contains(byte) else { return }
        let expected = values.count == 1 ? "\(values.lowerBound)" : "\(values.lowerBound) to \(values.upperBound)"
        throw .badMember("\(name) is \(byte), expected \(expected)")
    }

    /// Checks that there are no gaps in a layout, and returns its length.
    static func length(of members: [LayoutMember]) -> Int {
        members.reduce(0) { end, member in
            precondition(
                member.offset == end, "\(member.name) begins at \(member.offset), what is before it ends at \(end)")
            return end + member.size
        }
    }
}

extension RecordHead {
    /// What stores keep of a record, in its order, without gaps.
    ///
    /// Enumerations are their places among the cases.
    static let layout: [LayoutMember<RecordHead>] = [
        LayoutMember("the layout", \.version, at: 0, layoutVersion...layoutVersion),
        LayoutMember(case: "environment", \.environment, at: 1), LayoutMember(case: "service", \.service, at: 2),
        LayoutMember(case: "verification", \.verification, at: 3), LayoutMember(case: "routing", \.routing, at: 4),
        LayoutMember(option: "packet", \.packet, at: 5), LayoutMember("faultEffect", \.faultEffect, at: 6, 0...7),
        LayoutMember("decider", \.decider, at: 7), LayoutMember(flag: "isBinary", \.isBinary, at: 8),
        LayoutMember(flag: "hasContentType", \.hasContentType, at: 9),
        LayoutMember(flag: "impliesTopic", \.impliesTopic, at: 10), LayoutMember(flag: "hasID", \.hasID, at: 11),
        LayoutMember(flag: "hasUniqueID", \.hasUniqueID, at: 12),
        LayoutMember(flag: "hasIssuedAt", \.hasIssuedAt, at: 13),
        LayoutMember(flag: "hasDeadSince", \.hasDeadSince, at: 14),
        LayoutMember(flag: "hasDuplicates", \.hasDuplicates, at: 15),
        LayoutMember("sentAt", \.sentAt, at: sentAtOffset), LayoutMember("clockTime", \.clockTime, at: 24),
        LayoutMember("connectionID", \.connectionID, at: 32), LayoutMember("id", \.keptID, at: 40),
        LayoutMember("uniqueID", \.keptUniqueID, at: 56), LayoutMember("issuedAt", \.keptIssuedAt, at: 72),
        LayoutMember("deadSince", \.keptDeadSince, at: 80), LayoutMember("streamID", \.streamID, at: 88),
        LayoutMember("requestOnConnection", \.requestOnConnection, at: 92), LayoutMember("place", \.place, at: 96),
        LayoutMember("generation", \.generation, at: 100),
        LayoutMember("headerBlockLength", \.headerBlockLength, at: 104),
        LayoutMember("bodyLength", \.bodyLength, at: 108), LayoutMember("faultNumber", \.faultNumber, at: 112),
        LayoutMember("removedFromToken", \.removedFromToken, at: 116),
        LayoutMember("keyIDLength", \.keyIDLength, at: 120), LayoutMember("teamIDLength", \.teamIDLength, at: 122),
        LayoutMember("problemLength", \.problemLength, at: 124), LayoutMember("addedLength", \.addedLength, at: 126),
        LayoutMember("certificateLength", \.certificateLength, at: 128),
        LayoutMember("answerLength", \.answerLength, at: 130), LayoutMember("status", \.status, at: 132),
        LayoutMember("fieldCount", \.fieldCount, at: 134),
    ]

    /// Where `sentAt` is.
    static let sentAtOffset = 16

    /// The number of bytes at the beginning of a record that stores keep.
    static let keptSize = LayoutMember.length(of: layout)
}

/// What stores keep of a record's entry, after the beginning of the record.
struct KeptEntry {
    var place: UInt32
    var generation: UInt32
    var first: DeliveryEvent?
    var appState: AppState?
    var allowsNotifications: Bool
    private var unused: UInt8 = 0

    init(_ entry: JournalEntry) {
        (place, generation, first) = (entry.place, entry.generation, entry.first)
        (appState, allowsNotifications) = (entry.appState, entry.allowsNotifications)
    }

    static let layout: [LayoutMember<KeptEntry>] = [
        LayoutMember("place at the delivery", \.place, at: 0),
        LayoutMember("generation at the delivery", \.generation, at: 4),
        LayoutMember(option: "first step", \.first, at: 8), LayoutMember(option: "appState", \.appState, at: 9),
        LayoutMember(flag: "allowsNotifications", \.allowsNotifications, at: 10),
        LayoutMember("the last byte", \.unused, at: 11, 0...0),
    ]

    static let size = LayoutMember.length(of: layout)

    /// Returns the entry of a record.
    func entry(seq: UInt64, at time: Int64) -> JournalEntry {
        var entry = JournalEntry(seq: seq, at: time, offset: 0)
        (entry.place, entry.generation, entry.first) = (place, generation, first)
        entry.state = first.flatMap { $0.row.state == nil ? nil : $0 }
        (entry.appState, entry.allowsNotifications) = (appState, allowsNotifications)
        return entry
    }
}

internal import MockAPNsFormats

/// The broadcasts of one device, among the latest 1,000 of its world.
public struct DeviceBroadcasts: Sendable {
    /// A broadcast on one device.
    public struct Entry: Sendable {
        /// The record of the broadcast.
        public let push: PushRecord
        /// The last step on the way to the device: delivered, or stored for it.
        ///
        /// After the first 1,000 subscribers of a broadcast, it is not known whether it came from storage.
        public let event: DeliveryEvent
    }

    /// The broadcasts that reached the device or are stored for it, newest first.
    public internal(set) var entries: [Entry] = []
    /// The broadcasts of which it is no longer known whether they reached the device.
    public internal(set) var unknown = 0
}

/// The latest broadcasts of a channel that have reached a device.
///
/// Its size is constant, because there may be a million subscriptions.
struct ReachedBroadcasts {
    /// The number of broadcasts of the channel that are distinguished.
    static let window: UInt64 = 64

    /// The position of the newest among the channel's broadcasts; 0 if none has reached the device.
    private var newest: UInt64 = 0
    /// A bit for each broadcast of the window, the lowest for the newest.
    private var bits: UInt64 = 0

    mutating func note(_ position: UInt64) {
        if position > newest {
            bits <<= position - newest
            newest = position
        }
        bits |= 1 << (newest - position)
    }

    /// Whether a broadcast has reached the device; `nil` if that is no longer known.
    func contains(_ position: UInt64) -> Bool? {
        guard position <= newest else { return false }
        let age = newest - position
        return age < Self.window ? bits & 1 << age != 0 : nil
    }
}

extension ReachedBroadcasts: Archived {
    func write(to archive: inout ArchiveWriter) {
        archive.write(newest)
        archive.write(bits)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        newest = try archive.read()
        bits = try archive.read()
    }
}

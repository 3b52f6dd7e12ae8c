package import MockAPNsFormats

/// The version of a device's system, such as 17.4; it decides what the device can do with pushes to Live Activities.
public struct DeviceOS: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number before the dot.
    public let major: UInt8
    /// The number after the dot.
    public let minor: UInt8

    /// The newest version that is known, which devices have by default.
    public static let newest = DeviceOS(major: 26, minor: 5)

    /// The numbers before the dot that exist: after 18 came 26.
    static let majors: [ClosedRange<UInt8>] = [10...18, 26...99]
    static let lastMinor: UInt8 = 9
    /// What a version looks like, for errors.
    public static let expected = "a version of iOS from 10.0 to 18.9, or from 26.0, such as 17.4"

    init(major: UInt8, minor: UInt8) { (self.major, self.minor) = (major, minor) }

    /// Parses a version: one or two numbers, such as `18` and `17.4`; `nil` for anything else, and for versions that never
    /// existed.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy {
            (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) }
        }
        guard (1...2).contains(parts.count), isPlain, let major = UInt8(parts[0]),
            let minor = UInt8(parts.dropFirst().first ?? "0"), Self.exists(major, minor)
        else { return nil }
        self.init(major: major, minor: minor)
    }

    static func exists(_ major: UInt8, _ minor: UInt8) -> Bool {
        minor <= lastMinor && majors.contains { $0.contains(major) }
    }

    /// The version with both numbers.
    public var description: String { "\(major).\(minor)" }

    /// Whether one version came out before another.
    public static func < (one: DeviceOS, other: DeviceOS) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    /// Whether devices with this version can do something.
    public func can(_ feature: Feature) -> Bool { self >= feature.since }

    /// What only some versions can do.
    ///
    /// Documented: Apple, "Starting and updating Live Activities with ActivityKit push notifications". To add one, add a
    /// case and its row.
    public enum Feature: CaseIterable, Sendable {
        /// An app can start Live Activities, and has pushes to them.
        case activities
        /// `start` by push to the app's push-to-start token.
        case startByPush
        /// `input-push-token` and `input-push-channel`; before, every start has an update token, and none with a channel
        /// starts anything.
        case inputPush

        /// The first version that can do it.
        public var since: DeviceOS {
            switch self {
            case .activities: DeviceOS(major: 16, minor: 1)
            case .startByPush: DeviceOS(major: 17, minor: 2)
            case .inputPush: DeviceOS(major: 18, minor: 0)
            }
        }
    }
}

extension DeviceOS: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(byte: major)
        archive.write(byte: minor)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(major: try archive.byte(), minor: try archive.byte())
        guard Self.exists(major, minor) else { throw .badValue }
    }
}

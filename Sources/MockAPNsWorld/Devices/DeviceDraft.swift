package import MockAPNsFormats
public import MockAPNsRules

/// The input for creating a device, or for updating the device with the same label.
public struct DeviceDraft: Sendable {
    /// An app on the device.
    public struct Registration: Sendable {
        /// The device token; `nil` to generate one.
        public var token: DeviceToken?
        /// The topic, including the suffix.
        public var topic: String
        /// The environment of the token.
        public var environment: Environment
        /// The state of the app; `nil` for no change, or for background in a new registration.
        public var appState: AppState?
        /// Whether the app may show notifications; `nil` for no change, or for yes in a new registration.
        public var allowsNotifications: Bool?

        /// Creates an app that runs in the background and may show notifications.
        public init(
            token: DeviceToken? = nil, topic: String, environment: Environment = .sandbox, appState: AppState? = nil,
            allowsNotifications: Bool? = nil
        ) {
            self.token = token
            self.topic = topic
            self.environment = environment
            self.appState = appState
            self.allowsNotifications = allowsNotifications
        }
    }

    /// The label, unique in the world: 1 to 100 bytes without control characters; `nil` for none.
    public var label: String?
    /// Whether the device is online; `nil` for no change, or for yes in a new device.
    public var isOnline: Bool?
    /// Whether the device is in low power mode; `nil` for no change, or for no in a new device.
    public var savesPower: Bool?
    /// The version of the system; `nil` for no change, or for the newest in a new device.
    public var os: DeviceOS?
    /// The apps, one for each topic and environment.
    public var registrations: [Registration]
    /// The channels to subscribe to, newest first; the device must have their apps.
    public var subscriptions: [ChannelID]
    /// The PushMagic with which to enroll the device in device management (MDM): 1 to 255 bytes without control
    /// characters; `nil` for no change.
    public var pushMagic: String?

    /// Creates a device that is online, with these apps.
    public init(
        label: String? = nil, isOnline: Bool? = nil, savesPower: Bool? = nil, os: DeviceOS? = nil,
        registrations: [Registration] = [], subscriptions: [ChannelID] = [], pushMagic: String? = nil
    ) {
        self.label = label
        self.isOnline = isOnline
        self.savesPower = savesPower
        self.os = os
        self.registrations = registrations
        self.subscriptions = subscriptions
        self.pushMagic = pushMagic
    }
}

/// A change of a device; properties that are `nil` are not changed.
public struct DeviceChange: Sendable {
    /// Whether the device is online.
    public var isOnline: Bool?
    /// Whether the device is in low power mode.
    public var savesPower: Bool?
    /// The version of the system.
    public var os: DeviceOS?
    /// The label.
    public var label: String?
    /// The PushMagic with which to enroll the device in device management (MDM).
    public var pushMagic: String?

    /// Creates an empty change.
    public init() {}
}

/// A change of a registration; properties that are `nil` are not changed.
public struct RegistrationChange: Sendable {
    /// The state of the app.
    public var appState: AppState?
    /// Whether the user allows the app to show notifications.
    public var allowsNotifications: Bool?
    /// Whether the token is valid; only registered, uninstalled and expired can be set.
    public var state: RegistrationState?

    /// Creates an empty change.
    public init() {}
}

/// A reference to a device.
public enum DeviceReference: Sendable {
    case label(String)
    /// The device with this token, which may be any of its tokens.
    case token(DeviceToken)
    case id(DeviceID)
}

/// The reason why an operation on devices failed.
public typealias DeviceError = WorldError<DeviceProblem>

/// A problem with devices.
public enum DeviceProblem: String, Sendable {
    case unknownDevice
    case unknownToken
    case labelTaken
    case tokenTaken
    case registrationTaken
    case badValue
    case tooMany
    case unknownActivity
    case unknownChannel
}

/// The options of devices.
public struct DeviceOptions: Equatable, Sendable {
    /// When the service learns that an app was uninstalled.
    public enum UninstallDetection: String, CaseIterable, Sendable {
        /// Immediately: the next push gets 410.
        case immediate
        /// With the next push, which still gets 200, as documented for the feedback service.
        case delayed
        /// Some time after the first push that was sent after the deletion has reached the device; until then, pushes get
        /// 200 (staff: https://developer.apple.com/forums/thread/670868 and 780156).
        case fuzzy
    }

    /// When the service learns that an app was uninstalled.
    public var uninstallDetection = UninstallDetection.immediate
    /// The shortest and the longest time after which the token of an uninstalled app is invalid with `fuzzy`, in
    /// microseconds of the world's clock; ours: Apple's staff says random, and that it can be more than a month.
    public var uninstallDelay: ClosedRange<Int64> = 3_600_000_000...2_592_000_000_000
    /// The seed of these times: equal seeds give equal times for the same device tokens.
    public var uninstallSeed = 0
    /// The largest seed: numbers in JSON are exact up to it.
    public static let largestUninstallSeed = 9_007_199_254_740_991
    /// How long a device may be offline before its tokens become inactive, in microseconds.
    public var inactiveAfter: Int64 = 30 * 86_400 * 1_000_000
    /// The maximum number of devices created by pushes to unknown tokens; above it, the oldest are deleted.
    public var selfRegisteredLimit = 100_000
    /// The maximum number of registrations, valid and invalid.
    public var registrationLimit = 5_000_000
    /// How probable it is that the system replaces the update token of a Live Activity after an update, from 0 to 1; it
    /// depends on the seed.
    public var activityTokenRotation = 0.0

    /// Creates the default options.
    public init() {}
}

extension DeviceOptions {
    /// What becomes of a notification that reaches a device without its app.
    var eventOfUninstalled: DeliveryEvent {
        uninstallDetection == .fuzzy ? .discardedUninstalled : .discardedTokenUnregistered
    }

    /// Returns the time after which the token of an uninstalled app is invalid with `fuzzy`, in microseconds.
    ///
    /// It depends on the seed and the token alone, so that servers that share a world agree.
    func uninstallDelay(of token: DeviceToken) -> Int64 {
        var generator = SplitMix64(seed: UInt64(truncatingIfNeeded: uninstallSeed))
        for digit in token.hex.utf8 { generator = SplitMix64(seed: generator.next() ^ UInt64(digit)) }
        let span = UInt64(uninstallDelay.upperBound - uninstallDelay.lowerBound) + 1
        return uninstallDelay.lowerBound + Int64(generator.next() % span)
    }
}

extension DeviceOptions.UninstallDetection: Archived {}
extension RegistrationState: Archived {}

/// Shortest and longest, in microseconds.
extension ClosedRange<Int64>: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(lowerBound)
        archive.write(upperBound)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        let (shortest, longest) = (try archive.read(Int64.self), try archive.read(Int64.self))
        guard shortest >= 0, shortest <= longest else { throw .badValue }
        self = shortest...longest
    }
}

extension Device.Origin: Archived {}

extension DeviceID: MemberwiseArchived {
    package static let format = ArchiveFormat(DeviceID.init(index:generation:), \.index, \.generation)
}

extension DeviceReference: MemberwiseArchived {
    package static let format = ArchiveFormat<Self>(
        cases: ArchiveCase(Self.label) { if case .label(let label) = $0 { label } else { nil } },
        ArchiveCase(Self.token) { if case .token(let token) = $0 { token } else { nil } },
        ArchiveCase(Self.id) { if case .id(let id) = $0 { id } else { nil } })
}

extension DeviceDraft: MemberwiseArchived {
    package static let format = ArchiveFormat(
        DeviceDraft.init(label:isOnline:savesPower:os:registrations:subscriptions:pushMagic:), \.label, \.isOnline,
        \.savesPower, \.os, \.registrations, \.subscriptions, \.pushMagic)
}

extension DeviceDraft.Registration: MemberwiseArchived {
    package static let format = ArchiveFormat(
        DeviceDraft.Registration.init(token:topic:environment:appState:allowsNotifications:), \.token, \.topic,
        \.environment, \.appState, \.allowsNotifications)
}

extension DeviceChange: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: DeviceChange(), \.isOnline, \.savesPower, \.os, \.label, \.pushMagic)
}

extension RegistrationChange: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: RegistrationChange(), \.appState, \.allowsNotifications, \.state)
}

extension DeviceOptions: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: DeviceOptions(), \.uninstallDetection, \.uninstallDelay, \.uninstallSeed, \.inactiveAfter,
        \.selfRegisteredLimit, \.registrationLimit, \.activityTokenRotation)
}

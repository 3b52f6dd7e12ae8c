public import MockAPNsRules

/// The description of a device to create, or of changes to the one with the same label.
public struct DeviceDraft: Sendable {
    /// One app on the device.
    public struct Registration: Sendable {
        /// The device token; `nil` for one that is made.
        public var token: DeviceToken?
        /// The topic, suffix included.
        public var topic: String
        /// The environment that the token belongs to.
        public var environment: Environment
        /// What the app is doing; `nil` leaves it, or means background.
        public var appState: AppState?
        /// Whether notifications are allowed; `nil` leaves it, or means yes.
        public var allowsNotifications: Bool?

        /// An app that runs in the background and may show notifications.
        public init(
            token: DeviceToken? = nil,
            topic: String,
            environment: Environment = .sandbox,
            appState: AppState? = nil,
            allowsNotifications: Bool? = nil
        ) {
            self.token = token
            self.topic = topic
            self.environment = environment
            self.appState = appState
            self.allowsNotifications = allowsNotifications
        }
    }

    /// A name, unique in the world: 1 to 100 bytes without control characters; `nil` for none.
    public var label: String?
    /// Whether notifications reach it; `nil` leaves it, or means yes.
    public var isOnline: Bool?
    /// Whether it saves power; `nil` leaves it, or means no.
    public var savesPower: Bool?
    /// The apps on it; one for each topic and environment.
    public var registrations: [Registration]

    /// A device that is online, with these apps.
    public init(
        label: String? = nil,
        isOnline: Bool? = nil,
        savesPower: Bool? = nil,
        registrations: [Registration] = []
    ) {
        self.label = label
        self.isOnline = isOnline
        self.savesPower = savesPower
        self.registrations = registrations
    }
}

/// What to change of a device; `nil` leaves a property as it is.
public struct DeviceChange: Sendable {
    /// Whether notifications reach it.
    public var isOnline: Bool?
    /// Whether it saves power.
    public var savesPower: Bool?
    /// Its name.
    public var label: String?

    /// Changes nothing.
    public init() {}
}

/// What to change of a registration; `nil` leaves a property as it is.
public struct RegistrationChange: Sendable {
    /// What the app is doing.
    public var appState: AppState?
    /// Whether the user lets the app show notifications.
    public var allowsNotifications: Bool?
    /// Whether the token works: registered, uninstalled or expired can be asked for.
    public var state: RegistrationState?

    /// Changes nothing.
    public init() {}
}

/// A reference to a device.
public enum DeviceReference: Sendable {
    /// By its label.
    case label(String)
    /// By any of its tokens.
    case token(DeviceToken)
    /// By its number.
    case id(DeviceID)
}

/// Why something that was asked of devices cannot be done; nothing has been changed.
public struct DeviceError: Error, Equatable, Sendable {
    /// The kind of problem.
    public enum Code: String, Sendable {
        /// There is no such device.
        case unknownDevice
        /// There is no such device token.
        case unknownToken
        /// The label belongs to another device.
        case labelTaken
        /// The token belongs to another registration.
        case tokenTaken
        /// The device has the app already.
        case registrationTaken
        /// A label, topic or state cannot be used.
        case badValue
        /// There would be more devices or registrations than the world holds.
        case tooMany
    }

    /// The kind of problem.
    public let code: Code
    /// What was seen and what is expected, for people.
    public let message: String
    /// Where the mistake is, as a JSON Pointer into the description; empty for the whole.
    public let pointer: String

    init(_ code: Code, _ message: String, at pointer: String = "") {
        self.code = code
        self.message = message
        self.pointer = pointer
    }

    /// The same error as it is seen from further down in the description.
    func below(_ prefix: String) -> DeviceError {
        guard pointer.hasPrefix(prefix) else { return self }
        return DeviceError(code, message, at: String(pointer.dropFirst(prefix.count)))
    }
}

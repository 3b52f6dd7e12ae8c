/// Whether a device token works, and if not, what became of it.
///
/// To add one: add a case and its row.
public enum RegistrationState: UInt8, CaseIterable, Sendable {
    /// Pushes are accepted.
    case registered
    /// The app was removed from the device.
    case uninstalled
    /// The app has another token since: it was installed again, the device restored, or its system updated.
    case rotated
    /// The token ran out.
    case expired
    /// The device has been offline for too long.
    case inactive

    /// The word used in answers of the API and documents; the cause on the feedback list.
    public var name: String {
        switch self {
        case .registered: "registered"
        case .uninstalled: "uninstalled"
        case .rotated: "rotated"
        case .expired: "expired"
        case .inactive: "inactive"
        }
    }

    /// Finds the state of this name.
    public init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = match
    }
}

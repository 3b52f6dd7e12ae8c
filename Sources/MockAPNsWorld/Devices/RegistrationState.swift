/// Whether a device token works, and if not, what became of it.
///
/// To add one: add a case; the name is the API's.
public enum RegistrationState: String, CaseIterable, Sendable {
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

    /// The word used in responses of the API and in documents; the cause on the feedback list.
    public var name: String { rawValue }
}

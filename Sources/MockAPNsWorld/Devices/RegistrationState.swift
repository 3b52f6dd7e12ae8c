/// Whether a device token is valid, and why not.
///
/// To add one, add a case; its name is part of the API.
public enum RegistrationState: String, CaseIterable, Sendable {
    /// Pushes are accepted.
    case registered
    /// The app was uninstalled.
    case uninstalled
    /// The app has a new token: it was reinstalled, or the device was restored or updated.
    case rotated
    /// The token has expired.
    case expired
    /// The device was offline for too long.
    case inactive

    /// The name in API responses and documents, also used as the cause in the feedback list.
    public var name: String { rawValue }
}

/// The two independent services of Apple; a device token belongs to one of them.
///
/// The names are those in options, API responses and documents.
public enum Environment: String, CaseIterable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps run from Xcode.
    case sandbox
    /// `api.push.apple.com`, for TestFlight and the App Store.
    case production

    /// The other one of the two.
    package var other: Environment { self == .sandbox ? .production : .sandbox }

    /// The name, as text that needs no memory.
    package var text: StaticString {
        switch self {
        case .sandbox: "sandbox"
        case .production: "production"
        }
    }
}
